//! Changes between manifests.

#![allow(clippy::too_many_lines)] // tables of changes

use install_manifest::engine::diff::{Class, Diff, diff};
use manifest_core::Limits;
use serde_json::{Value, json};

use super::{base, changed, with};

/// A manifest with something of everything.
fn before() -> Value {
    changed(&[
        ("/tool/version", json!("1.0.0")),
        ("/scopes", json!([{"resource": "fs.local", "actions": ["read"], "rationale": "r"}])),
        (
            "/actions/0/input",
            json!({"type": "object", "additionalProperties": true,
            "required": ["a"], "properties": {"a": {"type": "string", "description": "A."},
                "b": {"type": "integer", "enum": [1, 2]}, "c": {}}}),
        ),
        ("/actions/0/output", json!({"format": "json", "schema": {"type": "object"}})),
        ("/actions/0/idempotent", json!(true)),
        (
            "/data_boundary",
            json!({"transmits": [{"to": "a.example.com", "fields": ["x"],
            "purpose": "p", "third_party_retention": "session-only"}]}),
        ),
        ("/cost", json!({"monthly_fee_cents": 100})),
    ])
}

fn between(old: &Value, new: &Value) -> Diff {
    with(old, |old| with(new, |new| diff(old, new, &Limits::default())))
}

/// What is changed, and what the one change is.
type Case<'c> = (&'c [(&'c str, Value)], (&'c str, Class, bool));

/// The one change that changing these values makes, the new version apart.
fn change(changes: &[(&str, Value)]) -> (&'static str, Class, bool) {
    let mut new = before();
    new["tool"]["version"] = json!("1.1.0");
    for (pointer, value) in changes {
        let (holder, name) = pointer.rsplit_once('/').unwrap();
        let holder = new.pointer_mut(holder).unwrap();
        match holder {
            Value::Array(list) => list.push(value.clone()),
            object if value.is_null() => drop(object.as_object_mut().unwrap().remove(name)),
            object => object[name] = value.clone(),
        }
    }
    let found = between(&before(), &new).changes;
    let found: Vec<_> = found.into_iter().filter(|c| c.kind != "tool-version-bumped").collect();
    assert_eq!(found.len(), 1, "{changes:?}: {found:?}");
    (found[0].kind, found[0].class, found[0].consent)
}

#[test]
fn nothing_changed() {
    assert_eq!(between(&before(), &before()), Diff::default());
    // Order and spelling say nothing.
    let mut same = before();
    same["cost"]["monthly_fee_cents"] = json!(100.0);
    assert_eq!(between(&before(), &same), Diff::default());
    let mut bumped = before();
    bumped["tool"]["version"] = json!("1.0.1");
    let found = between(&before(), &bumped);
    assert_eq!((found.changes.len(), found.changes[0].kind), (1, "tool-version-bumped"));
    assert!(found.is_upgrade_safe() && !found.needs_consent());
    let found = between(&bumped, &before());
    assert_eq!(found.changes[0].kind, "tool-version-lowered");
    let mut mutated = before();
    mutated["tool"]["summary"] = json!("Other.");
    let found = between(&before(), &mutated);
    assert_eq!(
        (found.changes[0].kind, found.changes[0].class),
        ("version-mutation", Class::Breaking)
    );
}

#[test]
fn what_the_published_tool_finds() {
    use Class::{Additive, Breaking, Prompt};
    let a = "/actions/0/input/properties";
    let env = |name: &str, secret: bool, more: Value| {
        let mut spec = json!({"name": name, "prompt": "p", "secret": secret});
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        spec
    };
    let scope = json!({"resource": "net.outbound", "actions": ["read"], "rationale": "r"});
    let action = |effects: &str| {
        json!({"name": "more", "summary": "s", "side_effects": effects,
        "invocation": {"kind": "stdin-json"}})
    };
    let transmit = json!({"to": "b.example.com", "fields": ["x"], "purpose": "p",
        "third_party_retention": "session-only"});
    let cases: &[Case<'_>] = &[
        (
            &[(&format!("{a}/a"), json!({"type": "integer", "description": "A."}))],
            ("input-type-changed", Breaking, false),
        ),
        (&[(&format!("{a}/c"), json!({"enum": [1]}))], ("input-enum-added", Breaking, false)),
        (
            &[("/actions/0/input/required", json!(["a", "c"]))],
            ("input-now-required", Breaking, false),
        ),
        (
            &[("/actions/0/input/additionalProperties", json!(false))],
            ("input-additional-properties-closed", Breaking, false),
        ),
        (&[("/scopes", json!([]))], ("scope-removed", Breaking, false)),
        (&[("/scopes/0/actions", json!(["read", "write"]))], ("scope-verb-added", Additive, true)),
        (&[("/scopes/-", scope)], ("scope-added", Additive, true)),
        (&[("/env/-", env("NEW", false, json!({})))], ("env-added-required", Breaking, false)),
        (&[("/env/-", env("NEW", true, json!({})))], ("env-added-required", Breaking, true)),
        (
            &[("/env/-", env("NEW", false, json!({"default": "x"})))],
            ("env-added-optional", Additive, false),
        ),
        (
            &[("/env/-", env("NEW", true, json!({"required": false})))],
            ("env-added-optional", Additive, true),
        ),
        (&[("/kill_switch", json!({"kind": "none"}))], ("kill-switch-removed", Breaking, true)),
        (&[("/data_boundary/transmits/-", transmit)], ("external-transmit-added", Breaking, true)),
        (&[("/actions/-", action("read"))], ("action-added", Additive, false)),
        (&[("/actions/-", action("destructive"))], ("action-added", Additive, true)),
        (&[("/verify", json!({"sla": {}}))], ("verify-added", Additive, false)),
        (&[("/actions/0/summary", json!("Other."))], ("docs-text-changed", Prompt, true)),
        (&[("/tool/description", json!("Other."))], ("tool-docs-changed", Prompt, true)),
        (&[("/tool/summary", json!("Other."))], ("tool-summary-changed", Prompt, true)),
    ];
    for (changes, expected) in cases {
        assert_eq!(change(changes), *expected);
    }
    let kinds = |changes: &[(&str, Value)]| {
        let mut new = before();
        for (pointer, value) in changes {
            *new.pointer_mut(pointer).unwrap() = value.clone();
        }
        let kinds: Vec<_> = between(&before(), &new).changes.iter().map(|c| c.kind).collect();
        kinds[1..].to_vec()
    };
    assert_eq!(kinds(&[("/actions/0/name", json!("other"))]), ["action-removed", "action-added"]);
    assert_eq!(
        kinds(&[("/scopes/0/actions", json!(["write"]))]),
        ["scope-verb-removed", "scope-verb-added"]
    );
    assert_eq!(kinds(&[("/env/1/name", json!("OTHER"))]), ["env-removed", "env-added-optional"]);
}

#[test]
fn what_it_does_not_compare() {
    use Class::{Additive, Breaking, Cosmetic, Prompt};
    let a = "/actions/0/input/properties";
    let cases: &[Case<'_>] = &[
        (&[("/tool/id", json!("other"))], ("tool-id-changed", Breaking, true)),
        (&[("/runtime/kind", json!("container"))], ("runtime-kind-changed", Breaking, false)),
        (
            &[("/runtime/install/package", json!("evil"))],
            ("install-source-changed", Breaking, true),
        ),
        (
            // The newest was installed before.
            &[("/runtime/install/version_spec", json!("==2"))],
            ("install-version-unclear", Breaking, true),
        ),
        (
            &[("/runtime/entrypoint/command", json!(["other"]))],
            ("entrypoint-changed", Breaking, false),
        ),
        (
            &[("/runtime/endpoint_url", json!("https://evil.example"))],
            ("endpoint-changed", Breaking, true),
        ),
        (
            &[("/actions/0/invocation/argv_template", json!(["other"]))],
            ("invocation-changed", Breaking, false),
        ),
        (&[("/actions/0/side_effects", json!("write"))], ("side-effects-raised", Breaking, true)),
        (&[("/actions/0/side_effects", json!("none"))], ("side-effects-lowered", Additive, false)),
        (&[("/actions/0/idempotent", Value::Null)], ("idempotence-lost", Breaking, false)),
        (
            &[("/actions/0/error_envelope", json!("standard"))],
            ("error-envelope-changed", Breaking, false),
        ),
        (
            &[("/actions/0/output/format", json!("text"))],
            ("output-format-changed", Breaking, false),
        ),
        (
            &[("/actions/0/output/schema", json!({"type": "array"}))],
            ("output-schema-changed", Breaking, false),
        ),
        (&[("/actions/0/output/schema", Value::Null)], ("output-schema-removed", Breaking, false)),
        (&[("/smoke/command", json!(["rm"]))], ("smoke-changed", Additive, true)),
        (&[("/smoke/success/exit_code", json!(1))], ("smoke-conditions-changed", Cosmetic, false)),
        (&[("/cost/monthly_fee_cents", json!(101))], ("cost-raised", Breaking, true)),
        (&[("/cost", Value::Null)], ("cost-lowered", Additive, false)),
        (&[(&format!("{a}/b"), Value::Null)], ("input-removed", Breaking, false)),
        (&[(&format!("{a}/d"), json!({}))], ("input-added", Additive, false)),
        (&[(&format!("{a}/b/enum"), json!([1]))], ("input-enum-narrowed", Breaking, false)),
        (&[(&format!("{a}/b/enum"), json!([1.0, 2, 3]))], ("input-enum-widened", Additive, false)),
        (&[(&format!("{a}/a/maxLength"), json!(5))], ("input-constraint-changed", Breaking, false)),
        (&[(&format!("{a}/a/description"), json!("Other."))], ("docs-text-changed", Prompt, true)),
        (&[(&format!("{a}/c/default"), json!(1))], ("input-default-added", Additive, false)),
        (
            &[("/actions/0/input/minProperties", json!(1))],
            ("input-schema-changed", Breaking, false),
        ),
        (&[("/data_boundary", Value::Null)], ("data-boundary-removed", Breaking, true)),
        (
            &[("/data_boundary/transmits/0/third_party_retention", json!("unknown"))],
            ("transmit-retention-raised", Breaking, true),
        ),
        (
            &[("/data_boundary/persists", json!([{"where": "tool_local", "fields": ["x"]}]))],
            ("persist-added", Additive, true),
        ),
    ];
    for (changes, expected) in cases {
        assert_eq!(change(changes), *expected);
    }
}

/// What is installed, before and after.
#[test]
fn other_versions_and_other_bytes() {
    use Class::{Additive, Breaking};
    let pip = |spec: &str| json!({"method": "pip", "package": "p", "version_spec": spec});
    let git = |reference: &str, folder: &str| json!({"method": "git", "url": "https://e.com/r.git", "ref": reference, "subpath": folder});
    let file = |name: &str, digit: &str| json!({"method": "url", "url": format!("https://e.com/{name}"), "sha256": digit.repeat(64)});
    let rows = [
        (pip("==1.0.0"), pip("==1.0.1"), ("install-version-changed", Additive, false)),
        (pip("==1.0.0"), pip("==0.0.1"), ("install-version-lowered", Breaking, true)),
        (pip("==1.0.0"), pip(">=0.0.1"), ("install-version-unclear", Breaking, true)),
        (git("v1.0.0", "a"), git("v1.0.1", "a"), ("install-version-changed", Additive, false)),
        (git("v1.0.0", "a"), git("branch", "a"), ("install-version-unclear", Breaking, true)),
        (git("v1.0.0", "a"), git("v1.0.1", "b"), ("install-source-changed", Breaking, true)),
        (file("f", "a"), file("f", "b"), ("install-content-changed", Breaking, true)),
        (file("f", "a"), file("g", "b"), ("install-source-changed", Breaking, true)),
    ];
    for (was, is, expected) in rows {
        let old = changed(&[("/runtime/install", was)]);
        let new = changed(&[("/runtime/install", is), ("/tool/version", json!("1.1.0"))]);
        let found = between(&old, &new).changes;
        let [bumped, one] = &found[..] else { panic!("{found:?}") };
        assert_eq!(bumped.kind, "tool-version-bumped");
        assert_eq!((one.kind, one.class, one.consent), expected, "{old} → {new}");
    }
}

/// Input schemas that look harmless keyword by keyword.
#[test]
fn inputs_that_break_quietly() {
    let rows = [
        // Calls that leave it out rely on the default.
        (
            json!({"properties": {"n": {"type": "integer", "default": 25}}}),
            json!({"properties": {"n": {"type": "integer"}}}),
            "input-default-removed",
        ),
        (
            json!({"properties": {"n": {"default": 25}}, "required": ["n"]}),
            json!({"properties": {"n": {}}, "required": ["n"]}),
            "input-default-removed",
        ),
        (
            json!({"properties": {"n": {"default": 25}}}),
            json!({"properties": {"n": {"default": 50}}}),
            "input-default-changed",
        ),
        // A member that nothing else names.
        (
            json!({"type": "object"}),
            json!({"type": "object", "required": ["z"]}),
            "input-now-required",
        ),
        (
            json!({"additionalProperties": {"type": "string"}}),
            json!({"additionalProperties": {"type": "integer"}}),
            "input-schema-changed",
        ),
        // A member that is declared elsewhere.
        (
            json!({"anyOf": [{"properties": {"c": {"type": "string"}}}]}),
            json!({"anyOf": [{"properties": {"c": {"type": "string"}}}],
                "properties": {"c": {"type": "integer"}}}),
            "input-schema-changed",
        ),
        // Data that has the names of texts.
        (
            json!({"properties": {"c": {"const": {"title": "x"}}}}),
            json!({"properties": {"c": {"const": {"title": "y"}}}}),
            "input-constraint-changed",
        ),
        (
            json!({"type": "object", "dependentRequired": {"title": ["a"]}}),
            json!({"type": "object", "dependentRequired": {"title": ["b"]}}),
            "input-schema-changed",
        ),
    ];
    for (was, is, kind) in rows {
        let old = changed(&[("/actions/0/input", was)]);
        let new = changed(&[("/actions/0/input", is), ("/tool/version", json!("1.1.0"))]);
        let found = between(&old, &new);
        assert!(!found.is_upgrade_safe(), "{old} → {new}: {found:?}");
        assert!(found.changes.iter().any(|change| change.kind == kind), "{kind}: {found:?}");
    }
}

#[test]
fn across_versions() {
    let mut old = base();
    old["manifest_version"] = json!("0.2");
    let mut new = base();
    new["manifest_version"] = json!("0.4");
    new["tool"]["version"] = json!("1.1.0");
    let found = between(&old, &new);
    let kinds: Vec<_> = found.changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, ["manifest-version-changed", "tool-version-bumped"]);
    assert!(found.is_upgrade_safe());
}

/// Every leaf of a manifest matters: whatever is changed, something is found.
#[test]
fn no_change_goes_unseen() {
    let old = before();
    let mut leaves = Vec::new();
    collect(&old, String::new(), &mut leaves);
    assert!(leaves.len() > 40);
    for leaf in leaves {
        let mut new = old.clone();
        let value = new.pointer_mut(&leaf).unwrap();
        *value = match &*value {
            Value::String(_) if leaf.ends_with("/kind") || leaf == "/manifest_version" => continue,
            Value::String(word) if word.starts_with("session") => json!("unknown"),
            Value::String(word) if word == "json" => json!("text"),
            Value::String(word) if word == "read" => json!("write"),
            Value::String(word) if word == "pip" => json!("npm"),
            Value::String(text) => json!(format!("{text}x")),
            Value::Number(number) => json!(number.as_i64().unwrap() + 1),
            Value::Bool(flag) => json!(!flag),
            _ => continue,
        };
        if leaf != "/tool/version" {
            new["tool"]["version"] = json!("9.0.0");
        }
        let found = between(&old, &new);
        let seen = found.changes.iter().any(|change| change.kind != "tool-version-bumped");
        assert!(seen || leaf == "/tool/version", "{leaf}");
    }
}

fn collect(value: &Value, at: String, leaves: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                collect(
                    value,
                    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")),
                    leaves,
                );
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                collect(value, format!("{at}/{index}"), leaves);
            }
        }
        _ => leaves.push(at),
    }
}

/// A recipient that is named twice gets each field for what is said beside it: to swap them is to
/// send something for something else, or to let it be kept for longer.
#[test]
fn what_is_sent_is_compared_field_by_field() {
    let sent = |all: &[(&str, &str, &str)]| {
        let all = all.iter().map(|(field, purpose, kept)| {
            json!({"to": "a.example.com", "fields": [field], "purpose": purpose,
                "third_party_retention": kept})
        });
        changed(&[("/data_boundary", json!({"transmits": all.collect::<Value>()}))])
    };
    let asked = |old: &Value, new: &Value| -> Vec<&'static str> {
        let found = between(old, new).changes.into_iter().filter(|found| found.consent);
        found.map(|found| found.kind).collect()
    };
    let old = sent(&[("mail", "log in", "session-only"), ("id", "ads", "persistent-90d")]);
    assert_eq!(between(&old, &old), Diff::default());
    let ads = sent(&[("mail", "ads", "session-only")]);
    assert_eq!(asked(&old, &ads), ["transmit-purpose-changed"]);
    let longer = sent(&[("mail", "log in", "persistent-90d")]);
    assert_eq!(asked(&old, &longer), ["transmit-retention-raised"]);
    let more = sent(&[("mail", "log in", "session-only"), ("name", "ads", "session-only")]);
    assert_eq!(asked(&old, &more), ["transmit-fields-added"]);
}
