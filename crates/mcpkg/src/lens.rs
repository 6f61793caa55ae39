//! Lifts manifests to descriptors, and lowers descriptors to manifests.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `toolId` | made to fit the grammar of the published tool |
//! | `title` | `name` | |
//! | `package.version` | `version` | |
//! | `description` | `description` | |
//! | `package.tags`, `package.labels` | `capabilities`, `meta.tags` | |
//! | `invocation` | `endpoint` | a request with the arguments as its body, or the line of a local program; anything else goes through the bridge |
//! | `timeout_ms` | `endpoint.timeoutMs` | whole milliseconds |
//! | `implementations`, `chain` | `implementations`, `chain` | |
//! | `input_schema`, `output_schema` | `input_schema`, `output_schema` | as written |
//! | `auth` | `auth` | also from a header that implies it |
//! | `package.env` | `auth.configHints.env` | names only |
//! | `test_files`, `example_files` | `tests`, `examples` | |
//! | `package.publisher`, `package.license`, `package.homepage` | `meta` | |
//!
//! The format has no members for anything else.

use manifest_core::format::{Cardinality, SafetyFeatures, file_name};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, Text, ToolDescriptor};

use crate::{check, id, rules};

mod auth;
mod call;
mod header;
mod lift;
mod lower;

/// The definition of the format, for conversion.
pub static FORMAT: Format = Format {
    name: "mcpkg",
    versions: &["0.1", "0.2"],
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    cardinality: Cardinality::Tool,
    catalog: None,
    keys: &["toolId", "id", "step"],
    safety_features: SafetyFeatures {
        disabled: false,
        approval: false,
        reach: false,
        payment: false,
        enforces_reach: false,
    },
    detect,
    look_alike,
    check: check::validate,
    read: lift::read,
    call_support: call::call_support,
    contract: call::contract,
    undeclared_secrets: auth::undeclared_secrets,
    file_name: document_name,
    // A document is one tool, so there is no frame around it.
    write_document: |_, _| Ok(()),
    write_tool: lower::write_tool,
    bridge_needs: "a host that runs local commands, in the folder of the output or with the source in \
                   the user's store: the published runner sends requests only",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    root.get("toolId")?.text()?;
    let mut evidence = vec!["`toolId` is a string"];
    if root.get("implementations").is_some() || root.get("chain").is_some() {
        evidence.push("`implementations` or `chain` is there, which 0.2 added");
    }
    if let Some(endpoint) = root.get("endpoint")
        && let Some(kind) = endpoint.get("type")
        && kind.text().as_deref() == Some("local")
    {
        evidence.push("`endpoint` is local, which 0.2 added");
    }
    let version = if evidence.len() > 1 { "0.2" } else { "0.1" };
    Some(Detection { version: Some(version.to_owned()), evidence })
}

fn look_alike(root: Node<'_>) -> Option<&'static str> {
    root.elements().next()?;
    for tool in root.elements() {
        if tool.get("input_schema").is_none() || tool.get("toolId").is_some() {
            return None;
        }
    }
    Some("a list of tools that the mcpkg command line exported for a model")
}

fn document_name(tools: &[ToolDescriptor<'_>]) -> String {
    // A document is one tool.
    let id = match tools.first() {
        Some(tool) => id::fit_id(&tool.id),
        None => Text::Borrowed(""),
    };
    format!("{}.mcpkg", file_name(&id))
}
