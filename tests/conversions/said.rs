//! What targets say for what a source says, by the specifications and the mapping: small
//! documents, each about one kind of value. Expected values were written by hand.

use serde_json::{Value, json};
use toolglot::core::testkit::laws;
use toolglot::json::Document;
use toolglot::{FormatName, Limits, convert};

use FormatName::{Capability, InstallManifest};

/// What a conversion says.
pub(crate) struct Said {
    documents: Vec<Value>,
    account: Value,
}

impl Said {
    pub(crate) fn of(from: FormatName, to: FormatName, source: &Value) -> Self {
        let text = source.to_string();
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let converted = convert(&source, from, to, &laws::accepting())
            .unwrap_or_else(|report| panic!("{from} to {to}: {report}\n{text}"));
        let documents = converted.documents.iter().map(|one| serde_json::from_str(&one.text));
        let documents = documents.collect::<Result<_, _>>().unwrap();
        let account = serde_json::to_value(converted.account(&source)).unwrap();
        Self { documents, account }
    }

    /// The value at a place of the first document.
    pub(crate) fn value(&self, pointer: &str) -> Option<&Value> {
        self.documents[0].pointer(pointer)
    }

    /// How the leaf at a place of the first document came there, and from which places.
    pub(crate) fn how(&self, pointer: &str) -> (String, Vec<String>) {
        let leaf = self.leaf(pointer);
        let places = leaf["source"].as_array().into_iter().flatten();
        let places = places.map(|one| one["pointer"].as_str().unwrap().to_owned()).collect();
        (leaf["how"].as_str().unwrap().to_owned(), places)
    }

    /// Why it did.
    pub(crate) fn why(&self, pointer: &str) -> &str {
        self.leaf(pointer)["why"].as_str().unwrap_or_default()
    }

    fn leaf(&self, pointer: &str) -> &Value {
        let leaves = self.account["target"].as_array().unwrap();
        let here = |leaf: &&Value| leaf["document"] == 0 && leaf["pointer"] == pointer;
        leaves.iter().find(here).unwrap_or_else(|| panic!("{pointer}: {:#}", self.documents[0]))
    }

    /// What concerns safety.
    pub(crate) fn notices(&self) -> Vec<&str> {
        let notices = self.account["safety"].as_array().into_iter().flatten();
        notices.filter_map(|notice| notice["message"].as_str()).collect()
    }

    /// How the first tool runs.
    pub(crate) fn runs(&self) -> &Value {
        &self.account["tools"][0]["runs"]
    }

    fn is(&self, pointer: &str, value: Value, how: &str, places: &[&str]) {
        assert_eq!(self.value(pointer), Some(&value), "{pointer}: {:#}", self.documents[0]);
        let (found, from) = self.how(pointer);
        assert_eq!((found.as_str(), from), (how, owned(places)), "{pointer}");
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// A document with other members at the top.
fn with(mut document: Value, members: Value) -> Value {
    let Value::Object(members) = members else { panic!() };
    document.as_object_mut().unwrap().extend(members);
    document
}

/// An install manifest with one action.
fn manifest() -> Value {
    json!({
        "manifest_version": "0.4",
        "tool": {
            "id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Keeps notes.",
            "homepage": "https://notes.example/",
        },
        "runtime": {
            "kind": "python-module",
            "install": {"method": "pip", "package": "notes"},
            "entrypoint": {"command": ["notes"]},
        },
        "actions": [action(json!({}))],
        "smoke": {"kind": "shell", "command": ["notes", "--version"], "success": {"exit_code": 0}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://notes.example/off"},
    })
}

fn action(members: Value) -> Value {
    let action = json!({
        "name": "find", "summary": "Finds notes.", "side_effects": "read",
        "invocation": {"kind": "stdin-json", "argv_template": ["find"]},
        "input": {"type": "object", "properties": {"q": {"type": "string"}}},
    });
    with(action, members)
}

/// Where data goes is declared: it is sent over the network and kept in files, and both
/// are declared where there are words for them.
#[test]
fn where_data_goes_is_a_danger() {
    let sends = |to: Value| {
        let rest =
            json!({"fields": ["/"], "purpose": "storage", "third_party_retention": "unknown"});
        json!({"data_boundary": {"transmits": [with(rest, to)]}})
    };
    let keeps =
        |place: &str| json!({"data_boundary": {"persists": [{"where": place, "fields": ["/"]}]}});
    let to = "/data_boundary/transmits/0/to";
    let said = |members: Value| Said::of(InstallManifest, Capability, &with(manifest(), members));

    let host = said(sends(json!({"to": "Api.Example.com"})));
    host.is("/permissions/network", json!("allowlist"), "approximated", &[to]);
    host.is("/permissions/network_allowlist/0", json!("api.example.com"), "approximated", &[to]);
    assert_eq!(host.value("/permissions/network_allowlist/1"), None);
    assert!(host.why("/permissions/network_allowlist/0").contains("sub-domains"));
    host.is("/permissions/filesystem", json!("none"), "assumed", &[]);

    // What is no host is one that nobody names.
    for (member, words) in [
        ("to", "unknown"),
        ("to", "whom the agent names"),
        ("to", "*.example.com"),
        ("to_kind", "agent-supplied"),
    ] {
        let place = format!("/data_boundary/transmits/0/{member}");
        let nobody = said(sends(json!({member: words})));
        let hosts = "/permissions/network_allowlist";
        assert_eq!(nobody.value(hosts), Some(&json!(["unknown.invalid"])), "{words}");
        nobody.is("/permissions/network", json!("allowlist"), "approximated", &[&place]);
    }

    let place = "/data_boundary/persists/0/where";
    let local = said(keeps("tool_local"));
    local.is("/permissions/filesystem", json!("write"), "approximated", &[place]);
    local.is("/permissions/network", json!("deny"), "assumed", &[]);
    let cloud = said(keeps("tool_cloud"));
    cloud.is("/permissions/network", json!("allowlist"), "approximated", &[place]);
    cloud.is("/permissions/filesystem", json!("none"), "assumed", &[]);
    let session = said(keeps("session_only"));
    session.is("/permissions/network", json!("deny"), "assumed", &[]);
    session.is("/permissions/filesystem", json!("none"), "assumed", &[]);

    // A format without words for reach says it in a notice.
    let other = Said::of(
        InstallManifest,
        FormatName::ToolsJson,
        &with(manifest(), sends(json!({"to": "api.example.com"}))),
    );
    assert!(
        other.notices().iter().any(|notice| notice.contains("network")),
        "{:?}",
        other.notices()
    );
}
