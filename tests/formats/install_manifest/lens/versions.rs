//! From one version to another.

use super::*;

const VERSIONS: [&str; 5] = ["0.1", "0.2", "0.3", "0.3.1", "0.4"];

/// What a version does not have, as the specification says.
const SINCE: &[(&str, &str)] = &[
    ("/verify", "0.3"),
    ("/data_boundary", "0.3"),
    ("/tool/namespace", "0.3.1"),
    ("/runtime/install/layout", "0.3.1"),
];

/// Whatever is converted is of that version, and valid: conversion checks it. Tools that
/// are there already, and tools without actions, have a version that they need.
#[test]
fn each_version_says_what_it_can() {
    for (name, text) in VALID {
        let there = json(text)["runtime"]["install"]["method"] == "preinstalled";
        let actions = json(text)["actions"].as_array().is_some_and(|list| !list.is_empty());
        for (index, version) in VERSIONS.iter().enumerate() {
            let converted = to_version(text, version);
            if (there && *version != "0.4") || (actions && *version == "0.1") {
                let why = converted.err().unwrap_or_else(|| panic!("{name} to {version}"));
                assert!(why.contains("convert to 0."), "{why}");
                continue;
            }
            let converted = converted.unwrap_or_else(|e| panic!("{name} to {version}: {e}"));
            let [document] = converted.documents.as_slice() else { panic!() };
            let target = json(&document.text);
            assert_eq!(target["manifest_version"], **version);
            for (place, since) in SINCE {
                let older = index < VERSIONS.iter().position(|one| one == since).unwrap();
                if older {
                    assert_eq!(target.pointer(place), None, "{name} to {version}");
                }
            }
            published(version, &target);
        }
    }
}

/// The published schema has nothing to say either.
pub(super) fn published(version: &str, target: &Value) {
    let Ok(folder) = std::env::var("TOOLGLOT_SPECS") else { return };
    let name = match version {
        "0.2" => "install-manifest-v0.2.schema.json".to_owned(),
        version => format!("reference-schemas/install-manifest-v{version}.json"),
    };
    let path = std::path::Path::new(&folder).join(name);
    let schema: Value = json(&std::fs::read_to_string(path).unwrap());
    let validator = jsonschema::draft202012::options().offline().build(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(target).map(|e| e.to_string()).collect();
    assert!(errors.is_empty(), "{version}: {errors:?}\n{target:#}");
}

/// To a newer version, everything stays but what descriptors have no word for.
#[test]
fn a_newer_version_keeps_what_is_said() {
    let converted = to_version(valid("gmail-0.2"), "0.2").unwrap();
    let again = to_version(&converted.documents[0].text, "0.2").unwrap();
    assert_eq!(json(&again.documents[0].text), json(valid("gmail-0.2")));
}

/// Private scopes need a data boundary from 0.3 on. What nobody knows goes anywhere.
#[test]
fn private_data_gets_a_boundary() {
    let converted = to_version(valid("gmail-0.2"), "0.3").unwrap();
    let target = json(&converted.documents[0].text);
    assert_eq!(target["data_boundary"]["transmits"][0]["to"], "unknown");
    assert_eq!(target["data_boundary"]["transmits"][0]["third_party_retention"], "unknown");
}

/// Where data goes has no word before 0.3. That it is sent and kept has: scopes, which every
/// action uses.
#[test]
fn what_is_sent_and_kept_stays_declared() {
    let mut value = json(valid("notes-0.3.1"));
    let transmits = json!([{
        "to": "api.example.com", "fields": ["/"], "purpose": "storage",
        "third_party_retention": "unknown",
    }]);
    value["data_boundary"] = json!({
        "transmits": transmits, "persists": [{"where": "tool_local", "fields": ["/"]}],
    });
    value["scopes"] = json!([{
        "resource": "fs.local", "actions": ["read"], "rationale": "To read notes.",
    }]);
    for action in value["actions"].as_array_mut().unwrap() {
        action["scopes_used"] = json!(["fs.local"]);
    }
    let converted = to_version(&value.to_string(), "0.2").unwrap();
    let target = json(&converted.documents[0].text);
    let scopes = target["scopes"].as_array().unwrap();
    let said: Vec<_> = scopes.iter().map(|one| (&one["resource"], &one["actions"])).collect();
    assert_eq!(
        said,
        [
            (&json!("fs.local"), &json!(["read"])),
            (&json!("net.outbound"), &json!(["send"])),
            (&json!("fs.data"), &json!(["write"])),
        ]
    );
    assert_eq!(scopes[1]["rationale"], "It sends data to api.example.com.");
    for action in target["actions"].as_array().unwrap() {
        assert_eq!(action["scopes_used"], json!(["fs.local", "net.outbound", "fs.data"]));
    }
}

#[test]
fn what_an_older_version_cannot_check_is_left_out() {
    let mut value = json(valid("resize-0.4"));
    value["smoke"]["success"] =
        json!({"exit_code": 0, "json_pointer_exists": "/a", "stdout_regex": "x"});
    value["data_boundary"] = json!({
        "transmits": [{
            "to_kind": "agent-supplied",
            "to_constraint": "a printer",
            "fields": ["/a"],
            "purpose": "To print.",
            "third_party_retention": "unknown",
        }],
    });
    let converted = to_version(&value.to_string(), "0.3").unwrap();
    let target = json(&converted.documents[0].text);
    assert_eq!(target["smoke"]["success"], json!({"exit_code": 0, "stdout_regex": "x"}));
    let transmits = &target["data_boundary"]["transmits"][0];
    assert_eq!(transmits["to"], "whom the agent names");
    assert_eq!(transmits.get("to_constraint"), None);
    assert_eq!(transmits["purpose"], "To print.");
    published("0.3", &target);
}

/// Without a kill switch, an older version asks at the page of the tool.
#[test]
fn nothing_to_revoke_has_no_word_before() {
    let mut value = json(valid("resize-0.4"));
    value["kill_switch"] = json!({"kind": "none"});
    let converted = to_version(&value.to_string(), "0.3").unwrap();
    let target = json(&converted.documents[0].text);
    let expected = json!({"kind": "manual", "instructions_url": "https://example.com/resize"});
    assert_eq!(target["kill_switch"], expected);
    let converted = to_version(&value.to_string(), "0.3.1").unwrap();
    assert_eq!(json(&converted.documents[0].text)["kill_switch"], json!({"kind": "none"}));
}

/// A smoke test that calls an action which is left out is no test of what is left.
#[test]
fn a_smoke_test_needs_its_action() {
    let tools = vec!["gmail-yep.send_message".to_owned()];
    let version = Some("0.2".to_owned());
    let options = Options { tools, version, ..Options::default() };
    let converted = convert(&open(valid("gmail-0.2")), &FORMAT, &FORMAT, &options).unwrap();
    let target = json(&converted.documents[0].text);
    assert_eq!(target["smoke"]["command"], json!(["which", "python"]));
    assert_eq!(target["actions"].as_array().unwrap().len(), 1);
}
