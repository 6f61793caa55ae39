//! What targets say for what a source says, by the specifications and the mapping: small
//! documents, each about one kind of value. Expected values were written by hand.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{FormatName, Limits, RunMode, convert};

use FormatName::{Capability, InstallManifest, Jumith, Mcpkg, ToolsJson};

/// What a conversion says.
pub(super) struct Said {
    documents: Vec<Value>,
    account: Value,
    /// The account for people.
    pub(super) text: String,
    runs: RunMode,
}

impl Said {
    pub(super) fn of(from: FormatName, to: FormatName, source: &Value) -> Self {
        let text = source.to_string();
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let converted = convert(&source, from, to, &laws::accept_all())
            .unwrap_or_else(|report| panic!("{from} to {to}: {report}\n{text}"));
        let documents = converted.documents.iter().map(|one| serde_json::from_str(&one.text));
        let documents = documents.collect::<Result<_, _>>().unwrap();
        let account = converted.report();
        let (text, account) = (account.text(), serde_json::to_value(account).unwrap());
        Self { documents, account, text, runs: converted.tools[0].runs.clone() }
    }

    /// The value at a place of the first document.
    pub(super) fn value(&self, pointer: &str) -> Option<&Value> {
        self.documents[0].pointer(pointer)
    }

    /// How the leaf at a place of the first document came there, and from which places.
    fn how(&self, pointer: &str) -> (String, BTreeSet<String>) {
        let leaf = self.leaf(pointer);
        let places = leaf["source"].as_array().into_iter().flatten();
        let places = places.map(|one| one["pointer"].as_str().unwrap().to_owned()).collect();
        (leaf["how"].as_str().unwrap().to_owned(), places)
    }

    /// Why it did.
    pub(super) fn why(&self, pointer: &str) -> &str {
        self.leaf(pointer)["why"].as_str().unwrap_or_default()
    }

    fn leaf(&self, pointer: &str) -> &Value {
        let leaves = self.account["target"].as_array().unwrap();
        let here = |leaf: &&Value| leaf["document"] == 0 && leaf["pointer"] == pointer;
        leaves.iter().find(here).unwrap_or_else(|| panic!("{pointer}: {:#}", self.documents[0]))
    }

    /// What became of a leaf of the source.
    pub(super) fn class(&self, pointer: &str) -> &str {
        let leaves = self.account["source"].as_array().unwrap();
        let leaf = leaves.iter().find(|leaf| leaf["source"] == pointer);
        leaf.and_then(|leaf| leaf["class"].as_str()).unwrap_or_else(|| panic!("{pointer}"))
    }

    /// That the account has a line.
    pub(super) fn line(&self, line: &str) {
        assert!(self.text.lines().any(|found| found == line), "{line}\n{}", self.text);
    }

    /// What concerns safety.
    pub(super) fn notices(&self) -> Vec<&str> {
        let notices = self.account["safety"].as_array().into_iter().flatten();
        notices.filter_map(|notice| notice["message"].as_str()).collect()
    }

    /// Why the first tool does not run.
    fn stops(&self) -> &str {
        match &self.runs {
            RunMode::Not(why) => why,
            _ => "",
        }
    }

    #[allow(clippy::needless_pass_by_value)] // `json!` gives values
    pub(super) fn is(&self, pointer: &str, value: Value, how: &str, places: &[&str]) {
        assert_eq!(self.value(pointer), Some(&value), "{pointer}: {:#}", self.documents[0]);
        let (found, from) = self.how(pointer);
        let places: BTreeSet<String> = places.iter().map(|place| (*place).to_owned()).collect();
        assert_eq!((found.as_str(), from), (how, places), "{pointer}");
    }
}

/// A document with other members at the top.
pub(super) fn with(mut document: Value, members: Value) -> Value {
    let Value::Object(members) = members else { panic!() };
    document.as_object_mut().unwrap().extend(members);
    document
}

/// An install manifest with one action.
pub(super) fn manifest() -> Value {
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

pub(super) fn action(members: Value) -> Value {
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
        ToolsJson,
        &with(manifest(), sends(json!({"to": "api.example.com"}))),
    );
    assert!(
        other.notices().iter().any(|notice| notice.contains("network")),
        "{:?}",
        other.notices()
    );
}

/// The scheme of a request is the same when the bridge makes it.
#[test]
fn a_bridged_request_keeps_its_scheme() {
    let request = json!({
        "kind": "http", "method": "GET", "path": "/notes/${input.q}",
        "headers": {"Accept": "application/json", "Authorization": "Bearer ${env.TOKEN}"},
    });
    let secret = |name: &str| json!({"name": name, "prompt": "It.", "secret": true});
    let source = with(
        manifest(),
        json!({
            "runtime": {
                "kind": "container", "install": {"method": "container", "image": "notes"},
                "endpoint_url": "https://notes.example/v1",
            },
            "env": [secret("OTHER"), secret("TOKEN")],
            "actions": [action(json!({"invocation": request}))],
        }),
    );
    let said = Said::of(InstallManifest, Mcpkg, &source);
    assert_eq!(said.value("/endpoint/type"), Some(&json!("local")));
    let header = "/actions/0/invocation/headers/Authorization";
    // What the variable is called has nothing to do with the scheme.
    said.is("/auth/type", json!("bearer"), "approximated", &[header]);
    said.is("/auth/configHints/env/0", json!("TOKEN"), "approximated", &["/env/1/name", header]);
    assert_eq!(said.value("/auth/configHints/env"), Some(&json!(["TOKEN", "OTHER"])));
}

/// A server that lists no tools does not say how one is called.
#[test]
fn a_server_without_actions_is_not_called() {
    let mut source = manifest();
    source["runtime"]["kind"] = json!("mcp-stdio");
    source.as_object_mut().unwrap().remove("actions");
    for to in [ToolsJson, Mcpkg, Capability, Jumith] {
        let said = Said::of(InstallManifest, to, &source);
        assert_eq!(said.stops(), "no call could be read from the source", "{to}");
    }
    // Its id is the same text, and nothing is put before it.
    let said = Said::of(InstallManifest, Capability, &source);
    said.is("/id", json!("notes"), "native", &["/tool/id"]);
}

/// An action without a schema takes nothing: that is no schema that takes anything.
#[test]
fn an_action_without_input_takes_nothing() {
    let mut source = manifest();
    source["actions"][0].as_object_mut().unwrap().remove("input");
    let closed = json!({"type": "object", "additionalProperties": false});
    for (to, place) in [
        (ToolsJson, "/tools/0/schema"),
        (Mcpkg, "/input_schema"),
        (Capability, "/interfaces/inputs"),
        (Jumith, "/schema/input"),
    ] {
        let said = Said::of(InstallManifest, to, &source);
        assert_eq!(said.value(place), Some(&closed), "{to}");
        assert_ne!(said.how(&format!("{place}/type")).0, "assumed", "{to}");
        assert_eq!(said.why(&format!("{place}/type")), "the source says so by leaving it out");
    }
    // It still gets an empty object on standard input, which Unison does not give.
    let said = Said::of(InstallManifest, Capability, &source);
    assert!(said.stops().contains("standard input"), "{}", said.stops());
}

/// What comes back is JSON in the other formats: what is not is told, and never called the
/// same.
#[test]
fn what_comes_back() {
    let said = |to, output: Value| {
        let action = action(json!({"output": output}));
        Said::of(InstallManifest, to, &with(manifest(), json!({"actions": [action]})))
    };
    let schema = json!({"type": "object", "required": ["id"]});
    for (to, place) in
        [(Mcpkg, "/output_schema"), (Capability, "/interfaces/outputs"), (Jumith, "/schema/output")]
    {
        let kind = format!("{place}/type");
        let json = said(to, json!({"format": "json", "schema": schema}));
        json.is(&kind, json!("object"), "native", &["/actions/0/output/schema/type"]);
        let lines = said(to, json!({"format": "ndjson-stream", "schema": schema}));
        assert_eq!(lines.value(place), Some(&schema));
        assert_eq!(lines.how(&kind).0, "approximated", "{to}");
        assert!(lines.why(&kind).contains("line"), "{to}: {}", lines.why(&kind));
        if to == Jumith {
            continue;
        }
        for (format, word) in [("text", "text"), ("binary", "bytes"), ("none", "nothing")] {
            let other = said(to, json!({"format": format}));
            other.is(&kind, json!("object"), "assumed", &[]);
            assert!(other.why(&kind).contains(word), "{to}: {}", other.why(&kind));
        }
    }
}

/// A tools.json of one tool.
pub(super) fn tools(members: Value) -> Value {
    json!({"tools": [with(json!({"name": "find", "command": ["/opt/find"]}), members)]})
}

pub(super) fn jumith(members: Value) -> Value {
    let manifest = json!({
        "id": "tool:mail.send", "name": "Send a mail", "version": "1.0.0", "summary": "Sends.",
        "description": "Sends a mail.", "entry": {"runtime": "node", "main": "index.js"},
    });
    with(manifest, members)
}

pub(super) fn mcpkg(members: Value) -> Value {
    let manifest = json!({
        "toolId": "acme.mail.send", "name": "Send a mail", "version": "1.0.0",
        "description": "Sends a mail.", "capabilities": ["mail"],
        "input_schema": {"type": "object"}, "output_schema": {"type": "object"},
        "endpoint": {"type": "http", "method": "POST", "url": "https://mail.example/send"},
    });
    with(manifest, members)
}

pub(super) fn capability(members: Value) -> Value {
    let manifest = json!({
        "id": "mail.send", "type": "tool", "version": "1.0.0", "description": "Sends a mail.",
        "origin": {"source": "local", "digest": "0".repeat(64)},
        "interfaces": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
        "permissions": {"network": "deny", "filesystem": "none", "devices": []},
        "runtime": {"sandbox": "process", "resources": {"cpu": "1", "memory": "1Gi"}},
        "trust_level": "local",
    });
    with(manifest, members)
}

/// Results are JSON in the formats that have no word for what they are written in.
#[test]
fn results_are_json() {
    for (from, source) in [(ToolsJson, tools(json!({}))), (Jumith, jumith(json!({})))] {
        let said = Said::of(from, InstallManifest, &source);
        said.is("/actions/0/output/format", json!("json"), "assumed", &[]);
    }
}

/// Secrets: what a list says by what it is, and what is lost with the word.
#[test]
fn secrets_that_are_listed() {
    // The runtime of a capability must resolve them, and Jumith calls them required.
    let listed = json!({"secrets": [{"name": "API_KEY", "ref": "vault://a#b"}]});
    for (from, source, place) in [
        (Capability, capability(listed.clone()), "/secrets/0/name"),
        (Jumith, jumith(json!({"requiredSecrets": ["API_KEY"]})), "/requiredSecrets/0"),
    ] {
        let said = Said::of(from, InstallManifest, &source);
        said.is("/env/0/name", json!("API_KEY"), "native", &[place]);
        said.is("/env/0/secret", json!(true), "approximated", &[place]);
        said.is("/env/0/required", json!(true), "approximated", &[place]);
        // A name, and not that it is a secret.
        let said = Said::of(from, ToolsJson, &source);
        said.is("/tools/0/envPassthrough/0", json!("API_KEY"), "approximated", &[place]);
    }
    // Nobody says where it is kept.
    let source = jumith(json!({"requiredSecrets": ["API_KEY"]}));
    let said = Said::of(Jumith, Capability, &source);
    said.is("/secrets/0/ref", json!("env://API_KEY"), "approximated", &["/requiredSecrets/0"]);
    // What calls are authenticated by is needed, whichever way they are made.
    for method in ["POST", "GET"] {
        let source = mcpkg(json!({
            "auth": {"type": "api_key", "configHints": {"env": ["API_KEY"]}},
            "endpoint": {"type": "http", "method": method, "url": "https://mail.example/send"},
        }));
        let said = Said::of(Mcpkg, InstallManifest, &source);
        said.is("/env/0/required", json!(true), "approximated", &["/auth/type"]);
    }
}

/// A name for people is one in both formats that have it.
#[test]
fn names_for_people() {
    let said = Said::of(Jumith, Mcpkg, &jumith(json!({})));
    said.is("/name", json!("Send a mail"), "native", &["/name"]);
    let said = Said::of(Mcpkg, Jumith, &mcpkg(json!({})));
    said.is("/name", json!("Send a mail"), "native", &["/name"]);
    let said = Said::of(Jumith, InstallManifest, &jumith(json!({})));
    said.is("/tool/name", json!("Send a mail"), "native", &["/name"]);
}

/// The namespace of a manifest names its publisher, and is a part of its id.
#[test]
fn namespaces() {
    let mut source = manifest();
    source["tool"]["namespace"] = json!("acme");
    let said = Said::of(InstallManifest, Jumith, &source);
    said.is("/provider", json!("acme"), "approximated", &["/tool/namespace"]);
    said.is("/id", json!("notes.find"), "approximated", &["/tool/id", "/actions/0/name"]);
    let said = Said::of(InstallManifest, Jumith, &manifest());
    said.is("/id", json!("notes.find"), "equivalent", &["/tool/id", "/actions/0/name"]);
}

/// What the source does not say in any place is never called the same.
#[test]
fn what_no_place_says() {
    let said = Said::of(ToolsJson, InstallManifest, &tools(json!({})));
    said.is("/manifest_version", json!("0.4"), "assumed", &[]);
    said.is("/actions/0/invocation/kind", json!("stdin-json"), "assumed", &[]);
    assert_eq!(said.why("/tool/version"), "the source has no version");
    // A person must be asked: that is said, in the only word for it.
    let said = Said::of(Jumith, InstallManifest, &jumith(json!({"requiresApproval": true})));
    let effects = "/actions/0/side_effects";
    said.is(effects, json!("destructive"), "approximated", &["/requiresApproval"]);
}

/// Reasons that are true.
#[test]
fn reasons() {
    let whole = Said::of(
        Mcpkg,
        ToolsJson,
        &mcpkg(json!({
            "endpoint": {"type": "local", "command": "send", "timeoutMs": 5000},
        })),
    );
    assert_eq!(whole.value("/tools/0/timeoutSec"), Some(&json!(5)));
    assert!(!whole.why("/tools/0/timeoutSec").contains("rounded"));
    let part = Said::of(
        Mcpkg,
        ToolsJson,
        &mcpkg(json!({
            "endpoint": {"type": "local", "command": "send", "timeoutMs": 4500},
        })),
    );
    assert_eq!(part.value("/tools/0/timeoutSec"), Some(&json!(5)));
    assert!(part.why("/tools/0/timeoutSec").contains("rounded"));
    // The specification has one word for what is no licence.
    let closed = mcpkg(json!({"meta": {"license": "proprietary"}}));
    let said = Said::of(Mcpkg, InstallManifest, &closed);
    said.is("/tool/license", json!("PROPRIETARY"), "approximated", &["/meta/license"]);
}
