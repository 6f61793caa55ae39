//! Single stories of edits.
//!
//! Each case says by hand what the source is to say afterwards.

use toolglot::FormatName::{
    self, Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};
use toolglot::convert::carried_residue;
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{
    Limits, Options, Residue, RestoreOptions, RestoredSource, Target, convert, convert_via,
    restore, restore_and_merge, restore_without_residue,
};
use toolglot_tests::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

const NOTES: &str = "examples/manifests/notes.install.json";

/// A text after edits, each of which finds its place.
fn with(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old} is not in\n{text}");
        text.replace(old, new)
    })
}

/// The documents that a source becomes, and the residue.
fn converted(text: &str, from: FormatName, to: FormatName) -> (Vec<(String, String)>, Residue) {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&source, from, to, &laws::accept_all()).unwrap();
    let residue = conversion.residue();
    let documents = conversion.documents.into_iter();
    (documents.map(|one| (one.name, one.text)).collect(), residue)
}

fn parsed(documents: &[(String, String)]) -> Vec<(&str, Document<'_>)> {
    let limits = Limits::default();
    documents
        .iter()
        .map(|(name, text)| (name.as_str(), Document::parse(text.as_bytes(), &limits).unwrap()))
        .collect()
}

fn targets<'t>(parsed: &'t [(&'t str, Document<'t>)]) -> Vec<Target<'t>> {
    parsed.iter().map(|(name, document)| Target { name: Some(name), document }).collect()
}

fn restored(
    documents: &[(String, String)],
    residue: &Residue,
    options: &RestoreOptions,
) -> Result<RestoredSource, toolglot::Report> {
    restore(&targets(&parsed(documents)), residue, options)
}

/// The source of a conversion after edits to all of its documents.
fn edited(text: &str, from: FormatName, to: FormatName, edits: &[(&str, &str)]) -> RestoredSource {
    let (mut documents, residue) = converted(text, from, to);
    for (old, new) in edits {
        let found = documents.iter().any(|(_, text)| text.contains(old));
        assert!(found, "{old} is not in\n{documents:?}");
        for (_, text) in &mut documents {
            *text = text.replace(old, new);
        }
    }
    restored(&documents, &residue, &RestoreOptions::default()).unwrap()
}

/// What an id became.
fn name_of(text: &str, from: FormatName, to: FormatName, id: &str) -> String {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&source, from, to, &laws::accept_all()).unwrap();
    conversion.tools.iter().find(|tool| tool.id == id).unwrap().target.clone()
}

#[test]
fn a_tool_is_renamed() {
    let text = read(NOTES);
    let name = name_of(&text, InstallManifest, ToolsJson, "notes.find");
    let edits = [(format!("\"name\": \"{name}\""), "\"name\": \"search\"".to_owned())];
    let edits: Vec<(&str, &str)> = edits.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let back = edited(&text, InstallManifest, ToolsJson, &edits);
    assert_eq!(back.text, with(&text, &[("\"name\": \"find\"", "\"name\": \"search\"")]));
    assert!(back.removed_tools.is_empty());
}

/// The documents that are as they were tell which one was renamed.
#[test]
fn one_of_several_documents_is_renamed() {
    let text = read("examples/manifests/get_time.tools.json");
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let (mut documents, residue) = converted(&text, ToolsJson, Jumith);
    assert_eq!(documents.len(), 3);
    for (_, text) in &mut documents {
        *text = text.replace("\"fs_search\"", "\"fs_seek\"");
    }
    let parsed = parsed(&documents);
    let (targets, keep) = (targets(&parsed), RestoreOptions::default());
    for back in [
        restore(&targets, &residue, &keep).unwrap(),
        restore_without_residue(&targets, &source, ToolsJson, Jumith, &keep).unwrap(),
    ] {
        assert_eq!(back.text, with(&text, &[("\"fs_search\"", "\"fs_seek\"")]));
        assert!(back.lost_edits.is_empty(), "{:?}", back.lost_edits);
    }
}

/// A check of the installation goes on calling the action that it called.
#[test]
fn what_a_smoke_test_calls_is_renamed() {
    let text = read("tests/fixtures/install-manifest/valid/0.3.json");
    let edit = [("\"name\": \"whoami\"", "\"name\": \"who\"")];
    let id = [("\"id\": \"gmail-send.whoami\"", "\"id\": \"gmail-send.who\"")];
    let back = edited(&text, InstallManifest, Jumith, &[edit, id].concat());
    let wanted = [edit[0], ("\"action\": \"whoami\"", "\"action\": \"who\"")];
    assert_eq!(back.text, with(&text, &wanted));
}

#[test]
fn a_tool_is_removed() {
    let text = read(NOTES);
    let (mut documents, residue) = converted(&text, InstallManifest, Jumith);
    assert_eq!(documents.len(), 2);
    documents.pop();
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, text, "a document that is not given is unchanged");
    let delete = RestoreOptions { delete_missing: true, ..keep };
    let back = restored(&documents, &residue, &delete).unwrap();
    assert_eq!(back.removed_tools, ["notes.delete"]);
    let document = Document::parse(back.text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(document.at("/actions").unwrap().elements().count(), 1);
    assert_eq!(document.at("/actions/0/name").unwrap().raw(), "\"find\"");
}

/// Templates follow an argument that the target never showed them with.
#[test]
fn an_argument_is_renamed() {
    let text = r#"{"manifest_version": "0.4",
  "tool": {"id": "mailer", "version": "1.0.0", "name": "Mailer", "summary": "Mails.", "homepage": "https://example.com"},
  "runtime": {"kind": "shell-binary", "install": {"method": "pip", "package": "mailer"}, "entrypoint": {"command": ["mailer"]}},
  "actions": [
    {"name": "send", "summary": "Sends.", "side_effects": "write",
     "invocation": {"kind": "subcommand", "argv_template": ["send", "--to", "${input.to}", "--total", "${input.total}"]},
     "input": {"type": "object", "properties": {"to": {"type": "string"}, "total": {"type": "integer"}}, "required": ["to", "total"], "additionalProperties": false},
     "examples": [{"description": "One.", "input": {"to": "a@example.com", "total": 1}}]}
  ],
  "smoke": {"kind": "shell", "command": ["mailer", "--version"], "success": {"exit_code": 0}},
  "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/off"}
}"#;
    let edits = [("\"to\": {", "\"recipient\": {"), ("\"to\",", "\"recipient\",")];
    let back = edited(text, InstallManifest, ToolsJson, &edits);
    let wanted = [
        ("\"to\": {\"type\"", "\"recipient\": {\"type\""),
        ("[\"to\", \"total\"]", "[\"recipient\", \"total\"]"),
        ("${input.to}", "${input.recipient}"),
        ("{\"to\": \"a@example.com\"", "{\"recipient\": \"a@example.com\""),
    ];
    assert_eq!(back.text, with(text, &wanted));

    // One that a template needs is not taken away.
    let (mut documents, residue) = converted(text, InstallManifest, ToolsJson);
    let schema = &mut documents[0].1;
    *schema = schema.replace("\"to\": {\n            \"type\": \"string\"\n          },", "");
    *schema = schema.replace("\"to\",\n", "\n");
    let back = restored(&documents, &residue, &RestoreOptions::default());
    let back = back.unwrap();
    assert!(back.text.contains("${input.to}"), "{}", back.text);
    assert!(!back.lost_edits.is_empty() || back.text != text);
}

#[test]
fn a_variable_is_renamed() {
    let text = read("tests/fixtures/capability/valid/github_issues.json");
    let edits = [("\"OAUTH_GITHUB\"", "\"OAUTH_GITHUB2\"")];
    for to in [Jumith, ToolsJson, Mcpkg, InstallManifest] {
        let back = edited(&text, Capability, to, &edits);
        assert_eq!(back.text, with(&text, &edits), "{to}");
    }
}

/// A server with a variable of a text and two secrets.
const SECRETS: &str = r#"{"name": "com.example/notes", "version": "1.0.0", "description": "x",
  "packages": [{"registryType": "oci", "identifier": "notes", "transport": {"type": "stdio"},
    "environmentVariables": [{"name": "URL", "value": "{user}:{key}", "variables": {
      "user": {"isSecret": true, "x": 1}, "host": {"isSecret": false},
      "key": {"isSecret": true, "x": 2}}}]}]}"#;

/// A server without its tools is described as before, also by what the target had no word for.
#[test]
fn the_list_of_tools_is_taken_away() {
    let text = r#"{"manifest_version": "0.3.1", "tool": {"id": "notes", "version": "1.0.0",
      "name": "Notes", "summary": "Keeps notes.", "description": "In files, one a day.",
      "homepage": "https://example.com/notes", "author": {"name": "A. Writer"}},
      "runtime": {"kind": "mcp-stdio", "install": {"method": "container", "image": "x/y"},
        "entrypoint": {"command": ["notes"]}},
      "smoke": {"kind": "mcp-tool-call", "tool_name": "ping", "success": {"exit_code": 0}},
      "kill_switch": {"kind": "shell", "command": ["notes", "revoke"]},
      "actions": [{"name": "ping", "summary": "Answers.", "side_effects": "read",
        "invocation": {"kind": "mcp-tool", "tool_name": "ping"}}],
      "support": {"security_email": "security@example.com"}}"#;
    let (mut documents, residue) = converted(text, InstallManifest, ServerJson);
    let mut server: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    assert!(server.as_object_mut().unwrap().remove("_meta").is_some());
    documents[0].1 = server.to_string();
    let options = RestoreOptions::default();
    let back = restored(&documents, &residue, &options).unwrap();
    let now: serde_json::Value = serde_json::from_str(&back.text).unwrap();
    assert!(now.get("actions").is_none());
    let mut before: serde_json::Value = serde_json::from_str(text).unwrap();
    assert!(before.as_object_mut().unwrap().remove("actions").is_some());
    assert_eq!(now, before);
}

#[test]
fn a_variable_of_several_secrets_is_renamed() {
    let edits = [(r#""URL""#, r#""ADDRESS""#)];
    let back = edited(SECRETS, ServerJson, Jumith, &edits);
    assert_eq!(back.text, with(SECRETS, &[("URL", "ADDRESS")]));
}

#[test]
fn what_is_made_of_several_secrets_is_none_any_more() {
    let edits = [(r#""sensitive": true"#, r#""sensitive": false"#)];
    let back = edited(SECRETS, ServerJson, Mcpb, &edits);
    assert_eq!(back.text, with(SECRETS, &[(r#""isSecret": true"#, r#""isSecret": false"#)]));
}

/// What tools share is one value: an edit of some copies is a conflict, of all an edit.
#[test]
fn what_tools_share_is_edited() {
    let text = read(NOTES);
    let (documents, residue) = converted(&text, InstallManifest, Jumith);
    let version = "\"version\": \"1.0.0\"";
    let newer = "\"version\": \"1.1.0\"";
    let keep = RestoreOptions::default();
    let mut some = documents.clone();
    some[0].1 = with(&some[0].1, &[(version, newer)]);
    let back = restored(&some, &residue, &keep).unwrap();
    assert_eq!(back.text, text);
    assert_eq!(back.lost_edits.len(), 1);
    assert_eq!(back.lost_edits[0].pointer.as_str(), "/version");
    let back = edited(&text, InstallManifest, Jumith, &[(version, newer)]);
    assert_eq!(back.text, with(&text, &[(version, newer)]));
    assert_eq!(back.lost_edits, []);
}

/// The bridge's line is no call of the source, whatever is appended to it; and a program
/// that the source cannot call does not take the place of the one that it calls.
#[test]
fn a_call_that_conversion_invented_is_edited() {
    for (path, from) in [
        ("tests/fixtures/jumith/valid/order_pizza.json", Jumith),
        ("tests/fixtures/mcpkg/valid/create_charge.json", Mcpkg),
    ] {
        let text = read(path);
        for edit in [
            ("\"--for\"", "\"--verbose\",\n        \"--for\""),
            ("./tools/bin/toolglot-bridge", "./tools/bin/mine"),
        ] {
            let back = edited(&text, from, ToolsJson, &[edit]);
            assert_eq!(back.text, text, "{from}: {edit:?}");
            let place = "/tools/0/command";
            let told = back.lost_edits.iter().any(|left| left.pointer.as_str().starts_with(place));
            assert!(told, "{:?}", back.lost_edits);
        }
    }
}

#[test]
fn a_residue_of_another_document_is_refused() {
    let (pizza, mail) = (
        read("tests/fixtures/jumith/valid/order_pizza.json"),
        read("tests/fixtures/jumith/valid/email_send.json"),
    );
    let (documents, _) = converted(&pizza, Jumith, ToolsJson);
    let (_, residue) = converted(&mail, Jumith, ToolsJson);
    let refused = restored(&documents, &residue, &RestoreOptions::default());
    let report = refused.unwrap_err();
    assert_eq!(report.diagnostics[0].rule.code, "convert/unrelated");
}

/// A new tool joins the list that it came beside, and a document of one stays one.
#[test]
fn a_tool_is_added() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"], "description": "A."}]}"#;
    let (mut documents, residue) = converted(text, ToolsJson, InstallManifest);
    let second = documents[0].1.replace("/bin/a", "/bin/b").replace("A.", "B.");
    let second = second.replace("\"name\": \"a\"", "\"name\": \"b\"");
    let id = name_of(text, ToolsJson, InstallManifest, "a");
    let id = id.rsplit_once('.').unwrap().0;
    documents.push(("b.install.json".to_owned(), second.replace(id, "b-tool")));
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    let document = Document::parse(back.text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(document.at("/tools").unwrap().elements().count(), 2, "{}", back.text);
    assert_eq!(document.at("/tools/1/command/0").unwrap().raw(), "\"/bin/b\"");

    let text = read("tests/fixtures/jumith/valid/order_pizza.json");
    let (mut documents, residue) = converted(&text, Jumith, ToolsJson);
    let new = r#"{"name": "wipe", "command": ["/bin/wipe"]}"#;
    documents[0].1 = documents[0].1.replacen("\n  ]\n}", &format!(",\n    {new}\n  ]\n}}"), 1);
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, text);
    assert_eq!(back.lost_edits.len(), 1, "{:?}", back.lost_edits);
}

#[test]
fn edits_on_both_sides_meet() {
    let text = read(NOTES);
    let (documents, residue) = converted(&text, InstallManifest, ToolsJson);
    let source = with(&text, &[("\"license\": \"MIT\"", "\"license\": \"Apache-2.0\"")]);
    let target = with(&documents[0].1, &[("\"default\": 25", "\"default\": 50")]);
    let limits = Limits::default();
    let (now, source) = (
        Document::parse(target.as_bytes(), &limits).unwrap(),
        Document::parse(source.as_bytes(), &limits).unwrap(),
    );
    let targets = [Target { name: None, document: &now }];
    let options = RestoreOptions::default();
    let back = restore_and_merge(&targets, &residue, &source, &options).unwrap();
    assert!(back.text.contains("Apache-2.0"), "{}", back.text);
    assert!(back.text.contains("\"default\": 50"), "{}", back.text);
}

/// The residue of another pair of formats says nothing about these.
#[test]
fn onwards_from_another_pair_is_refused() {
    let text = read(NOTES);
    let (documents, _) = converted(&text, InstallManifest, ToolsJson);
    let (_, other) = converted(&text, InstallManifest, Jumith);
    let target = Document::parse(documents[0].1.as_bytes(), &Limits::default()).unwrap();
    let targets = [Target { name: None, document: &target }];
    let options = laws::accept_all();
    let refused = convert_via(&targets, &other, Capability, &options);
    let report = refused.unwrap_err();
    assert_eq!(report.diagnostics[0].rule.code, "convert/unrelated");
}

/// What a target carries inside does not travel on, and is no edit.
#[test]
fn onwards_without_what_is_carried_inside() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"], "schema": {"type": "object"}}]}"#;
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let options = laws::accept_all();
    let straight = convert(&source, ToolsJson, Capability, &options).unwrap();
    let in_band = Options { in_band: true, ..laws::accept_all() };
    let carrying = convert(&source, ToolsJson, Mcpkg, &in_band).unwrap();
    let target = carrying.documents[0].open();
    assert!(target.text().contains("x-toolglot-residue"));
    let targets = [Target { name: None, document: &target }];
    let residue = carrying.residue();
    let onwards = convert_via(&targets, &residue, Capability, &options).unwrap();
    assert_eq!(onwards.documents[0].text, straight.documents[0].text);
}

/// An edit that the third format says as what it was is told: here both are as long as it can
/// count.
#[test]
fn onwards_tells_what_leaves_no_trace() {
    let text = r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"], "timeoutSec": 9223372036854775807}]}"#;
    let (documents, residue) = converted(text, ToolsJson, Mcpkg);
    let edited = with(&documents[0].1, &[("2147483647", "9007199254740993")]);
    let now = Document::parse(edited.as_bytes(), &Limits::default()).unwrap();
    let targets = [Target { name: None, document: &now }];
    let options = laws::accept_all();
    let onwards = convert_via(&targets, &residue, Mcpkg, &options).unwrap();
    assert!(onwards.documents[0].text.contains("\"timeoutMs\": 2147483647"));
    let left_out: Vec<&str> = onwards.lost_edits.iter().map(|one| one.pointer.as_str()).collect();
    assert_eq!(left_out, ["/endpoint/timeoutMs"]);
}

/// A tool that has a name beside its id keeps the id when the name is edited.
#[test]
fn a_name_beside_an_id_is_edited_alone() {
    let text = read("tests/fixtures/jumith/valid/order_pizza.json");
    let text = with(&text, &[("\"tool:order_pizza\"", "\"email.send\"")]);
    let (documents, residue) = converted(&text, Jumith, InstallManifest);
    let edited =
        with(&documents[0].1, &[("\"name\": \"order_pizza\"", "\"name\": \"order_pizzas\"")]);
    let documents = [(documents[0].0.clone(), edited)];
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, with(&text, &[("\"order_pizza\"", "\"order_pizzas\"")]));
}

/// So it does where the target has that name in other letters.
#[test]
fn a_name_beside_an_id_is_edited_alone_in_other_letters() {
    let text = read("tests/fixtures/jumith/valid/order_pizza.json");
    let changes = [("\"tool:order_pizza\"", "\"a.b\""), ("\"order_pizza\"", "\"order.pizza\"")];
    let text = with(&text, &changes);
    let (documents, residue) = converted(&text, Jumith, InstallManifest);
    let target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    let name = target["actions"][0]["name"].as_str().unwrap();
    assert_ne!(name, "order.pizza");
    let edited = with(&documents[0].1, &[(name, "bake")]);
    let documents = [(documents[0].0.clone(), edited)];
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, with(&text, &[("\"order.pizza\"", "\"bake\"")]));
}

/// What was not made is told with its own reason.
#[test]
fn reasons_are_told() {
    let text = read("tests/fixtures/jumith/valid/order_pizza.json");
    let source: serde_json::Value = serde_json::from_str(&text).unwrap();
    let (documents, residue) = converted(&text, Jumith, InstallManifest);
    let mut target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    assert_eq!(target["tool"]["summary"], source["summary"]);
    assert_eq!(target["actions"][0]["summary"], source["summary"]);
    target["tool"]["summary"] = "Another summary.".into();
    let documents = [(documents[0].0.clone(), target.to_string())];
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, text);
    let told: Vec<(&str, &str)> =
        back.lost_edits.iter().map(|left| (left.pointer.as_str(), left.why.as_ref())).collect();
    let copy = "the target says it in several places, and this is not the one that counts";
    assert_eq!(told, [("/tool/summary", copy)]);
}

/// What the source cannot say was not made from something else, although values beside it were.
#[test]
fn what_was_assumed_is_edited() {
    let text =
        r#"{"tools": [{"name": "now", "command": ["./tools/bin/now"], "envPassthrough": ["TZ"]}]}"#;
    let (documents, residue) = converted(text, ToolsJson, Mcpb);
    let mut target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    target["version"] = "1.2.0".into();
    target["homepage"] = "https://example.com/now".into();
    let documents = [(documents[0].0.clone(), target.to_string())];
    let keep = RestoreOptions::default();
    let back = restored(&documents, &residue, &keep).unwrap();
    assert_eq!(back.text, text);
    let told: Vec<(&str, &str)> =
        back.lost_edits.iter().map(|left| (left.pointer.as_str(), left.why.as_ref())).collect();
    let none = "the format of the source has no word for it";
    assert_eq!(told, [("/version", none), ("/homepage", none)]);
}

/// A text that the target had no room for is not replaced by a part of itself.
#[test]
fn a_text_that_was_cut_is_edited() {
    let long = "A long story. ".repeat(400);
    let text = read("tests/fixtures/jumith/valid/bare.json");
    let mut source: serde_json::Value = serde_json::from_str(&text).unwrap();
    source["description"] = long.into();
    let text = source.to_string();
    let back = edited(&text, Jumith, InstallManifest, &[("A long story. A", "A tall story. A")]);
    assert_eq!(back.text, text);
    assert!(back.lost_edits.iter().any(|left| left.pointer.as_str() == "/actions/0/description"));
}

/// A check of the installation may need the tool that was removed.
#[test]
fn what_a_smoke_test_calls_is_removed() {
    let text = read("tests/fixtures/install-manifest/valid/0.3.json");
    let (mut documents, residue) = converted(&text, InstallManifest, Jumith);
    documents.retain(|(_, text)| !text.contains("whoami"));
    let delete = RestoreOptions { delete_missing: true, ..RestoreOptions::default() };
    let back = restored(&documents, &residue, &delete).unwrap();
    assert_eq!(back.text, text);
    assert!(back.removed_tools.is_empty(), "{:?}", back.removed_tools);
    assert_eq!(back.lost_edits.len(), 1, "{:?}", back.lost_edits);
}

/// Another version of the program assumed something else, and the residue knows that.
#[test]
fn another_version_wrote_the_target() {
    let text = read("examples/manifests/get_time.tools.json");
    let (documents, residue) = converted(&text, ToolsJson, Mcpkg);
    let older = with(&documents[0].1, &[("\"version\": \"0.0.0\"", "\"version\": \"0.0.1\"")]);
    let mut residue = residue;
    residue.documents.values_mut().for_each(|digest| *digest = "0".repeat(32));
    // The first 64 bits of SHA-256 over the path of keys and the canonical value.
    let digest = toolglot::core::sha256_hex(br#"/version="0.0.1""#);
    residue.fingerprints.push_str(&digest[..16]);
    let keep = RestoreOptions::default();
    let back = [(documents[0].0.clone(), older.clone())];
    let back = restored(&back, &residue, &keep).unwrap();
    let same = |a: &str, b: &str| {
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        value(a) == value(b)
    };
    assert!(!back.edited && same(&back.text, &text), "{}", back.text);
    // An edit besides is the only one.
    let mut edited: serde_json::Value = serde_json::from_str(&older).unwrap();
    edited["description"] = "Tells the time.".into();
    let back = [(documents[0].0.clone(), edited.to_string())];
    let back = restored(&back, &residue, &keep).unwrap();
    let mut wanted: serde_json::Value = serde_json::from_str(&text).unwrap();
    wanted["tools"][0]["description"] = "Tells the time.".into();
    assert!(same(&back.text, &wanted.to_string()), "{}", back.text);
    assert_eq!(back.lost_edits, []);
}

/// Tools that were never converted are not removed, with the source at hand.
#[test]
fn one_of_several_tools_was_converted() {
    let text = read(NOTES);
    let limits = Limits::default();
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = toolglot::Options { tools: vec!["notes.find".to_owned()], ..laws::accept_all() };
    let conversion = convert(&source, InstallManifest, ToolsJson, &options).unwrap();
    let target = with(&conversion.documents[0].text, &[("\"default\": 25", "\"default\": 50")]);
    let now = Document::parse(target.as_bytes(), &limits).unwrap();
    let targets = [Target { name: None, document: &now }];
    let residue = conversion.residue();
    let keep = RestoreOptions::default();
    for back in [
        restore_without_residue(&targets, &source, InstallManifest, ToolsJson, &keep).unwrap(),
        restore(&targets, &residue, &keep).unwrap(),
    ] {
        assert_eq!(back.text, with(&text, &[("\"default\": 25", "\"default\": 50")]));
        assert!(
            back.removed_tools.is_empty() && back.lost_edits.is_empty(),
            "{:?}",
            back.lost_edits
        );
    }
    // Nor when it was renamed.
    let name = conversion.tools[0].target.clone();
    let target = with(&conversion.documents[0].text, &[(name.as_str(), "search")]);
    let now = Document::parse(target.as_bytes(), &limits).unwrap();
    let targets = [Target { name: None, document: &now }];
    let back = restore(&targets, &residue, &keep).unwrap();
    assert_eq!(back.text, with(&text, &[("\"name\": \"find\"", "\"name\": \"search\"")]));
    // Without the residue, nobody knows which of the tools that is.
    let refused = restore_without_residue(&targets, &source, InstallManifest, ToolsJson, &keep);
    assert_eq!(refused.unwrap_err().diagnostics[0].rule.code, "convert/unrelated");
}

/// A version that was chosen is told by the target.
#[test]
fn a_version_was_chosen() {
    let text = read("tests/fixtures/mcpkg/valid/echo.json");
    let limits = Limits::default();
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = toolglot::Options { version: Some("0.4".to_owned()), ..laws::accept_all() };
    let newest = convert(&source, Mcpkg, InstallManifest, &laws::accept_all()).unwrap();
    let conversion = convert(&source, Mcpkg, InstallManifest, &options).unwrap();
    for conversion in [&newest, &conversion] {
        let now = conversion.documents[0].open();
        let targets = [Target { name: None, document: &now }];
        let keep = RestoreOptions::default();
        let back =
            restore_without_residue(&targets, &source, Mcpkg, InstallManifest, &keep).unwrap();
        assert!(!back.edited);
    }
}

/// Renames on one side and edits on the other meet in the same tool.
#[test]
fn a_renamed_tool_is_edited() {
    let text = read(NOTES);
    let (documents, residue) = converted(&text, InstallManifest, ToolsJson);
    let renamed = with(&text, &[("\"name\": \"find\"", "\"name\": \"search\"")]);
    let target = with(&documents[0].1, &[("\"default\": 25", "\"default\": 50")]);
    let limits = Limits::default();
    let now = Document::parse(target.as_bytes(), &limits).unwrap();
    let source = Document::parse(renamed.as_bytes(), &limits).unwrap();
    let targets = [Target { name: None, document: &now }];
    let options = RestoreOptions::default();
    let back = restore_and_merge(&targets, &residue, &source, &options).unwrap();
    assert_eq!(back.text, with(&renamed, &[("\"default\": 25", "\"default\": 50")]));

    // Renamed here, and edited there, the other way round.
    let name = name_of(&text, InstallManifest, ToolsJson, "notes.find");
    let target = with(&documents[0].1, &[(name.as_str(), "search")]);
    let edited = with(&text, &[("\"default\": 25", "\"default\": 50")]);
    let now = Document::parse(target.as_bytes(), &limits).unwrap();
    let source = Document::parse(edited.as_bytes(), &limits).unwrap();
    let targets = [Target { name: None, document: &now }];
    let back = restore_and_merge(&targets, &residue, &source, &options).unwrap();
    assert_eq!(back.text, with(&edited, &[("\"name\": \"find\"", "\"name\": \"search\"")]));
}

/// The first document carries the residue, and the others name it.
#[test]
fn documents_that_carry_their_residue_are_removed() {
    let text = read(NOTES);
    let limits = Limits::default();
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = toolglot::Options { in_band: true, ..laws::accept_all() };
    let conversion = convert(&source, InstallManifest, Jumith, &options).unwrap();
    assert!(conversion.documents[0].text.contains("\"x-toolglot-residue\": {"));
    assert!(conversion.documents[1].text.contains("\"x-toolglot-residue\": \"sha256:"));
    let documents: Vec<Document<'_>> = conversion.documents.iter().map(|one| one.open()).collect();
    let carried =
        |index: usize| carried_residue(&documents[index], Jumith.format().unwrap()).unwrap();
    let residue = carried(0).unwrap();
    let targets = [Target { name: None, document: &documents[0] }];
    let back = restore(&targets, &residue, &RestoreOptions::default()).unwrap();
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(&back.text), value(&text));
    assert_eq!(carried(1), None);
}

/// Converting would lose what no other format has a word for.
#[test]
fn an_edited_target_is_restored_and_not_converted_back() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"], "description": "A.", "x": 1}]}"#;
    let (mut documents, residue) = converted(text, ToolsJson, Mcpkg);
    let back = |documents: &[(String, String)]| {
        let target = Document::parse(documents[0].1.as_bytes(), &Limits::default()).unwrap();
        let targets = [Target { name: None, document: &target }];
        let options = laws::accept_all();
        convert_via(&targets, &residue, ToolsJson, &options)
    };
    assert_eq!(back(&documents).unwrap().documents[0].text, text);
    documents[0].1 = with(&documents[0].1, &[("A.", "B.")]);
    assert_eq!(back(&documents).unwrap_err().diagnostics[0].rule.code, "convert/conflict");
}

const CHARGE: &str = "examples/manifests/charge.mcpkg.json";

#[test]
fn parts_of_a_request_are_one_url_in_the_source() {
    let text = read(CHARGE);
    for (edit, url) in [
        (("\"path\": \"/v1/charges\"", "\"path\": \"/v2/charges\""), "api.acme.example/v2/charges"),
        (("\"https://api.acme.example\"", "\"https://b.example\""), "b.example/v1/charges"),
    ] {
        let back = edited(&text, Mcpkg, InstallManifest, &[edit]);
        let wanted = with(&text, &[("api.acme.example/v1/charges", url)]);
        assert_eq!((back.text, back.lost_edits), (wanted, Vec::new()));
    }
}

#[test]
fn what_is_carried_and_converted_otherwise_is_not_lost() {
    let text = read(CHARGE);
    // Tags come from two lists, and the new one is not where it was put when they do again.
    let edit = ("\"eu-ready\"\n", "\"eu-ready\", \"fast\"\n");
    let back = edited(&text, Mcpkg, InstallManifest, &[edit]);
    assert_eq!(back.text, with(&text, &[("\"acme\"],", "\"acme\", \"fast\"],")]));
    assert!(back.is_complete() && back.lost_edits.len() == 1, "{:?}", back.lost_edits);
    // A name that is made to fit.
    let text = read(NOTES);
    let back =
        edited(&text, InstallManifest, ToolsJson, &[("\"notes_find_199f8651\"", "\"search\"")]);
    assert_eq!(back.text, with(&text, &[("\"name\": \"find\"", "\"name\": \"search\"")]));
    assert!(back.is_complete() && back.lost_edits.len() == 1, "{:?}", back.lost_edits);
}

#[test]
fn a_value_that_is_said_twice_is_still_said() {
    let text = read(CHARGE);
    let back = edited(&text, Mcpkg, InstallManifest, &[("\"payments\",\n", "")]);
    assert!(!back.is_complete());
    for edit in &back.lost_edits {
        assert!(edit.why.starts_with("the source still says it"), "{:?}", back.lost_edits);
    }
}

/// What was edited on the way to a third format is in the source that comes back from it,
/// and what has no word in any of them is told.
#[test]
fn an_edit_on_the_way_comes_back() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"], "description": "A.", "x": 1}]}"#;
    let limits = Limits::default();
    let (documents, residue) = converted(text, ToolsJson, Mcpkg);
    let edits = [("A.", "B."), ("\"capabilities\"", "\"x-mine\": 1, \"capabilities\"")];
    let edited = with(&documents[0].1, &edits);
    let now = Document::parse(edited.as_bytes(), &limits).unwrap();
    let targets = [Target { name: None, document: &now }];
    let options = laws::accept_all();
    let onwards = convert_via(&targets, &residue, Capability, &options).unwrap();
    let left_out: Vec<&str> = onwards.lost_edits.iter().map(|one| one.pointer.as_str()).collect();
    assert_eq!(left_out, ["/x-mine"]);
    let document = onwards.documents[0].open();
    let targets = [Target { name: None, document: &document }];
    let residue = onwards.residue();
    let keep = RestoreOptions::default();
    let back = restore(&targets, &residue, &keep).unwrap();
    assert_eq!(back.text, with(text, &[("A.", "B.")]));
    assert!(!back.edited);
}

/// A text that others were made from is removed: the source does as it is told, and whoever
/// kept the others is told what becomes of them.
#[test]
fn a_text_that_others_were_made_from_is_removed() {
    let text =
        r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"], "description": "Reads."}]}"#;
    let (mut documents, residue) = converted(text, ToolsJson, InstallManifest);
    let mut target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    assert_eq!(target["tool"]["summary"], "Reads.");
    let action = target["actions"][0].as_object_mut().unwrap();
    assert_eq!(action.remove("description").unwrap(), "Reads.");
    documents[0].1 = target.to_string();
    let options = RestoreOptions::default();
    let back = restored(&documents, &residue, &options).unwrap();
    assert_eq!(back.text, r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"]}]}"#);
    let told: Vec<_> =
        back.lost_edits.iter().map(|left| (left.pointer.as_str(), left.kept)).collect();
    assert_eq!(told, [("/tool/summary", true), ("/actions/0/summary", true)]);
    assert!(back.is_complete());
}

const DECLARED: &str = r#"{"tools": [{"functionDeclarations": [{"name": "lend", "parameters": {
  "type": "OBJECT",
  "properties": {"days": {"type": "INTEGER", "nullable": true, "minimum": 1}}
}}]}]}"#;

/// A schema in words of Gemini's own is edited in these words.
#[test]
fn an_argument_of_gemini_is_edited() {
    let (mut documents, residue) = converted(DECLARED, ToolList, ToolsJson);
    let mut target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    let properties = &mut target["tools"][0]["schema"]["properties"];
    assert_eq!(properties["days"]["type"], serde_json::json!(["integer", "null"]));
    properties["days"]["type"] = "string".into();
    properties["to"] = serde_json::json!({"type": "string"});
    documents[0].1 = target.to_string();
    let options = RestoreOptions::default();
    let back = restored(&documents, &residue, &options).unwrap();
    let now: serde_json::Value = serde_json::from_str(&back.text).unwrap();
    let wanted = serde_json::json!({"type": "OBJECT", "properties":
        {"days": {"type": "STRING", "minimum": 1}, "to": {"type": "STRING"}}});
    assert_eq!(now["tools"][0]["functionDeclarations"][0]["parameters"], wanted);
    assert_eq!(back.lost_edits, []);
}

/// Where Gemini has no words for an edit, the source is not said to have none for what was edited.
#[test]
fn an_argument_that_gemini_cannot_say_is_told() {
    for edit in [r#""type": ["integer", "string"]"#, r#""const": 7"#] {
        let (mut documents, residue) = converted(DECLARED, ToolList, ToolsJson);
        let text: String = documents[0].1.split_whitespace().collect();
        assert!(text.contains(r#""type":["integer","null"]"#), "{text}");
        documents[0].1 = text.replace(r#""type":["integer","null"]"#, edit);
        let options = RestoreOptions::default();
        let back = restored(&documents, &residue, &options).unwrap();
        assert_eq!(back.text, DECLARED);
        assert!(!back.lost_edits.is_empty());
        for left in &back.lost_edits {
            assert!(left.why.contains("it was made from something else there"), "{left:?}");
        }
    }
}

/// What is asked for a variable of a bundle is edited where its setting stands, in the kind that it
/// had there.
#[test]
fn a_setting_of_a_bundle_is_edited() {
    let text = r#"{"manifest_version": "0.3", "name": "notes", "version": "1.0.0",
      "description": "Notes.", "author": {"name": "Ann"}, "server": {"type": "node",
      "entry_point": "a.js", "mcp_config": {"command": "node", "env": {"KEY": "${user_config.key}",
      "LINES": "${user_config.lines}", "MODE": "fast"}}}, "tools": [{"name": "find"}],
      "user_config": {"key": {"type": "string", "title": "Key", "description": "Of the service.",
      "sensitive": true}, "lines": {"type": "number", "title": "Lines", "description": "How many.",
      "default": 100, "sensitive": false, "max": 500}}}"#;
    let (mut documents, residue) = converted(text, Mcpb, InstallManifest);
    let mut target: serde_json::Value = serde_json::from_str(&documents[0].1).unwrap();
    let env = target["env"].as_array_mut().unwrap();
    let names: Vec<_> = env.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["KEY", "LINES"]);
    assert_eq!((&env[0]["prompt"], &env[0]["secret"]), (&"Of the service.".into(), &true.into()));
    assert_eq!((&env[1]["default"], &env[1]["secret"]), (&"100".into(), &false.into()));
    env[0]["prompt"] = "Of another service.".into();
    assert_eq!(env[0]["required"], false);
    env[0]["required"] = true.into();
    env[1]["default"] = "200".into();
    documents[0].1 = target.to_string();
    let options = RestoreOptions::default();
    let back = restored(&documents, &residue, &options).unwrap();
    let wanted = with(text, &[("Of the service.", "Of another service."), ("100", "200")]);
    let now: serde_json::Value = serde_json::from_str(&back.text).unwrap();
    let mut wanted: serde_json::Value = serde_json::from_str(&wanted).unwrap();
    wanted["user_config"]["key"]["required"] = true.into();
    assert_eq!(now, wanted);
    assert_eq!(back.lost_edits, []);
}

/// Of several new tools, one cannot be written: a capability needs an exact version, and manifests may
/// begin a number with a zero. The others come.
#[test]
fn a_new_tool_that_does_not_fit_keeps_no_other_away() {
    let catalog = read("tests/fixtures/capability/valid/catalog.json");
    let (mut documents, residue) = converted(&catalog, Capability, InstallManifest);
    let manifest = r#"{"manifest_version": "0.4", "tool": {"id": "TOOL", "version": "VERSION",
      "name": "TOOL", "summary": "Goes.", "homepage": "https://example.com/"},
      "runtime": {"kind": "shell-binary", "install": {"method": "preinstalled",
      "locator": {"kind": "binary-on-path", "binary": "TOOL"}},
      "entrypoint": {"command": ["/opt/TOOL"]}}, "actions": [{"name": "TOOL", "summary": "Goes.",
      "description": "Goes.", "invocation": {"kind": "subcommand", "argv_template": ["now"]},
      "input": {"type": "object", "additionalProperties": false}, "output": {"format": "text"},
      "side_effects": "read"}], "smoke": {"kind": "shell", "command": ["TOOL"],
      "success": {"exit_code": 0}}, "kill_switch": {"kind": "manual",
      "instructions_url": "https://example.com/"}}"#;
    for (tool, version) in [("run", "2.0.0"), ("swim", "01.0.0"), ("walk", "1.0.0")] {
        let text = manifest.replace("TOOL", tool).replace("VERSION", version);
        documents.push((format!("{tool}.json"), text));
    }
    let options = RestoreOptions::default();
    let back = restored(&documents, &residue, &options).unwrap();
    let now: serde_json::Value = serde_json::from_str(&back.text).unwrap();
    let ids = now["capabilities"].as_array().unwrap().iter().map(|one| one["id"].clone());
    let ids: Vec<_> = ids.collect();
    assert_eq!(ids, ["travel.concierge", "travel.plan_week", "run.run", "walk.walk"]);
    // What capabilities have no word for is told of each place, of those that came.
    let whole = back.lost_edits.iter().filter(|left| left.pointer.is_root());
    let whole: Vec<_> = whole.map(|left| (left.document, &*left.why)).collect();
    let why = "the format of the source does not take such a tool";
    assert_eq!(whole, [(documents.len() - 2, why)]);
}
