//! Conditions between members of a manifest that the table cannot express.

use manifest_core::json::Node;
use manifest_core::table::CustomCondition;
use manifest_core::{Report, Rule, quoted};
use serde_json::{Value, json};

/// Requires actions unless the runtime is an `mcp-stdio` server, which is asked for its tools.
pub(crate) static ACTIONS: CustomCondition =
    CustomCondition { check: check_actions, schema: actions_schema };

/// Requires a data boundary if a scope is about private data.
pub(crate) static DATA_BOUNDARY: CustomCondition =
    CustomCondition { check: check_data_boundary, schema: data_boundary_schema };

/// Forbids environment variables and persisted data if the kill switch is `none`.
pub(crate) static NOTHING_TO_REVOKE: CustomCondition =
    CustomCondition { check: check_nothing_to_revoke, schema: nothing_to_revoke_schema };

/// Returns true if a resource holds private data: the part before its first dot is in the
/// specification's list.
pub(crate) fn is_private(resource: &str) -> bool {
    match resource.split_once('.') {
        Some((first, _)) => PRIVATE.contains(&first),
        None => false,
    }
}

/// Resources that hold private data.
const PRIVATE: &[&str] = &[
    "gmail", "calendar", "drive", "contacts", "messages", "sms", "files", "photos", "location",
    "health", "finance", "payments", "stripe", "plaid",
];

/// The runtimes whose manifests must list actions, because they are not asked for tools.
const RUNTIMES_WITH_ACTIONS: &[&str] =
    &["python-module", "node-module", "shell-binary", "container", "mcp-http"];

fn check_actions(node: Node<'_>, rule: &'static Rule, report: &mut Report) {
    let Some(kind) = node.get("runtime").and_then(|runtime| runtime.get("kind")?.text()) else {
        return;
    };
    let actions = node.get("actions");
    if RUNTIMES_WITH_ACTIONS.contains(&kind.as_ref()) && actions.is_none_or(is_empty_list) {
        let message = format!("the runtime {} needs actions", quoted(&kind));
        report.add(rule, actions.unwrap_or(node), message);
    }
}

fn is_empty_list(node: Node<'_>) -> bool {
    node.is_array() && node.elements().next().is_none()
}

fn actions_schema() -> Value {
    json!({
        "if": {
            "properties": {
                "runtime": {
                    "type": "object",
                    "properties": { "kind": { "enum": RUNTIMES_WITH_ACTIONS } },
                    "required": ["kind"],
                },
            },
            "required": ["runtime"],
        },
        "then": {
            "properties": { "actions": { "minItems": 1 } },
            "required": ["actions"],
        },
    })
}

fn check_data_boundary(node: Node<'_>, rule: &'static Rule, report: &mut Report) {
    if node.get("data_boundary").is_some() {
        return;
    }
    let Some(scopes) = node.get("scopes") else { return };
    for scope in scopes.elements() {
        if let Some(resource) = scope.get("resource").and_then(Node::text)
            && is_private(&resource)
        {
            let message =
                format!("{} is private data, and needs a data_boundary", quoted(&resource));
            return report.add(rule, node, message);
        }
    }
}

fn data_boundary_schema() -> Value {
    let pattern = format!("^({})\\.", PRIVATE.join("|"));
    json!({
        "if": {
            "properties": {
                "scopes": {
                    "type": "array",
                    "contains": {
                        "type": "object",
                        "properties": {
                            "resource": { "type": "string", "pattern": pattern },
                        },
                        "required": ["resource"],
                    },
                },
            },
            "required": ["scopes"],
        },
        "then": { "required": ["data_boundary"] },
    })
}

fn check_nothing_to_revoke(node: Node<'_>, rule: &'static Rule, report: &mut Report) {
    let kind = node.get("kill_switch").and_then(|switch| switch.get("kind")?.text());
    if kind.as_deref() != Some("none") {
        return;
    }
    for (list, what) in [
        (node.get("env"), "environment variables are collected"),
        (node.get("data_boundary").and_then(|boundary| boundary.get("persists")), "data is kept"),
    ] {
        if list.is_some_and(|list| !is_empty_list(list)) {
            report.add(rule, node, format!("there is no kill switch, but {what}"));
        }
    }
}

fn nothing_to_revoke_schema() -> Value {
    json!({
        "if": {
            "properties": {
                "kill_switch": {
                    "type": "object",
                    "properties": { "kind": { "const": "none" } },
                    "required": ["kind"],
                },
            },
            "required": ["kill_switch"],
        },
        // In this form, a validator reports the manifest instead of the list.
        "then": {
            "not": {
                "anyOf": [
                    {
                        "properties": { "env": { "minItems": 1 } },
                        "required": ["env"],
                    },
                    {
                        "properties": {
                            "data_boundary": {
                                "type": "object",
                                "properties": { "persists": { "minItems": 1 } },
                                "required": ["persists"],
                            },
                        },
                        "required": ["data_boundary"],
                    },
                ],
            },
        },
    })
}
