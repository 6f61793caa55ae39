//! The account as people read it: no value of either side is missing from it, and no
//! reason.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use toolglot::convert::NeedKind;
use toolglot::json::Document;
use toolglot::testkit::{Tree, laws};
use toolglot::{Conversion, FormatName, Limits, Options, RunMode, convert};

use crate::fixtures;

/// The places of the values of a document, found by another reader.
fn leaves(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                leaves(value, &format!("{at}/{name}"), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                leaves(value, &format!("{at}/{index}"), found);
            }
        }
        _ => drop(found.insert(at.to_owned())),
    }
}

fn places(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    leaves(&serde_json::from_str(text).unwrap(), "", &mut found);
    found
}

/// The places that a list in a line names. `/a/0, 1, 3` are three places.
fn named(list: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in list.split(", ") {
        let first = found.last().and_then(|last| last.rsplit_once('/'));
        match first.filter(|_| word.parse::<usize>().is_ok()) {
            Some((list, _)) => found.push(format!("{list}/{word}")),
            None => found.push(word.to_owned()),
        }
    }
    found
}

/// A line: its class, what stands left and right of an arrow or a value, and the reason.
fn parts(line: &str) -> (&str, &str, Option<&str>, &str) {
    let (class, rest) = line.split_at(12);
    let rest = rest.trim_start();
    let (rest, why) = match rest.strip_suffix(')').and_then(|rest| rest.split_once(" (")) {
        Some((rest, why)) => (rest, why),
        None => (rest, ""),
    };
    match rest.split_once(" → ") {
        Some((left, right)) => (class.trim_end(), left, Some(right), why),
        None => (class.trim_end(), rest.split(" = ").next().unwrap_or_default(), None, why),
    }
}

fn account(from: FormatName, to: FormatName, text: &str) -> Option<(Conversion, String)> {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&source, from, to, &laws::accept_all()).ok()?;
    let account = conversion.report().text();
    Some((conversion, account))
}

#[test]
fn every_value_is_named_and_every_reason_is_told() {
    for fixture in fixtures() {
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let Some((conversion, account)) = account(fixture.format, to, &fixture.text) else {
                continue;
            };
            let (mut from_there, mut to_there) = (BTreeSet::new(), BTreeSet::new());
            let mut classes: BTreeMap<String, &str> = BTreeMap::new();
            for line in account.lines() {
                let (class, left, right, why) = parts(line);
                let what = || format!("{} of {} to {to}: {line}", fixture.name, fixture.format);
                let classed =
                    !matches!(class, "runs" | "does not run" | "implied" | "needs" | "decides");
                let there = right.or_else(|| Some(left).filter(|_| line.contains(" = ")));
                for place in there.filter(|_| classed).map(named).into_iter().flatten() {
                    let before = classes.insert(place, class);
                    assert!(before.is_none_or(|before| before == class), "{}", what());
                }
                match class {
                    "native" | "equivalent" | "approximated" | "residue-only"
                        if right.is_some() =>
                    {
                        from_there.insert(left.to_owned());
                        to_there.extend(right.map(named).into_iter().flatten());
                    }
                    "residue-only" | "decides" => drop(from_there.insert(left.to_owned())),
                    "native" | "equivalent" | "approximated" | "assumed" | "seal" => {
                        to_there.extend(named(left));
                    }
                    "bridge" if right.is_none() => to_there.extend(named(left)),
                    _ => continue,
                }
                // What comes from no place has a reason.
                let placed = right.is_some() || line.contains(" ← ") || class == "residue-only";
                let plain = matches!(class, "native" | "equivalent" | "residue-only" | "decides");
                assert_eq!(why.is_empty(), plain && placed, "{}", what());
            }
            let what = || format!("{} of {} to {to}\n{account}", fixture.name, fixture.format);
            let missing: Vec<_> = places(&fixture.text).difference(&from_there).cloned().collect();
            assert!(missing.is_empty(), "{missing:?} of the source: {}", what());
            let several = conversion.documents.len() > 1;
            for (number, document) in conversion.documents.iter().enumerate() {
                let shown = |at: String| if several { format!("{number}:{at}") } else { at };
                let wanted: BTreeSet<String> =
                    places(&document.text).into_iter().map(shown).collect();
                let missing: Vec<_> = wanted.difference(&to_there).collect();
                assert!(missing.is_empty(), "{missing:?} of the target: {}", what());
            }
        }
    }
}

/// A tool that a person must approve.
const WIPE: &str = r#"{
  "id": "tool:disk.wipe", "name": "disk.wipe", "version": "1.0.0",
  "summary": "Wipes.", "description": "Wipes a disk.", "provider": "acme",
  "entry": {"runtime": "node", "main": "index.mjs"},
  "requiresApproval": true
}"#;

#[test]
fn what_was_accepted_is_in_the_line_of_the_bridge() {
    // Words of an array: those of the bridge in one line, the digest in one of its own.
    let (_, account) = account(FormatName::Jumith, FormatName::ToolsJson, WIPE).unwrap();
    let digest = toolglot::core::sha256_hex(WIPE.as_bytes());
    for line in [
        "residue-only  /requiresApproval",
        "bridge        /tools/0/command/0, 1, 2, 3, 5 = \"./tools/bin/toolglot-bridge\" \
         \"--for\" \"tools-json\" \"--source\" \"--tool\" \
         (the target cannot make the call of the source: the bridge makes it)",
        "bridge        /tools/0/command/6 = \"tool:disk.wipe\" ← /id \
         (the target cannot make the call of the source: the bridge makes it)",
        &format!(
            "seal          /tools/0/command/4 = \"sha256:{digest}\" \
             (it names the source by its digest)"
        ),
        "bridge        /tools/0/command/7, 8 = \"--accept\" \"approval\" ← /requiresApproval \
         (it was accepted by name, and the bridge is told so)",
    ] {
        assert!(account.lines().any(|found| found == line), "{line}\n{account}");
    }
}

#[test]
fn a_line_that_is_one_value_keeps_its_seal() {
    let (_, account) = account(FormatName::Jumith, FormatName::Mcpkg, WIPE).unwrap();
    let digest = toolglot::core::sha256_hex(WIPE.as_bytes());
    for line in [
        "residue-only  /requiresApproval",
        &format!(
            "seal          /endpoint/command = \"toolglot bridge --for mcpkg \
             --source sha256:{digest} --tool tool:disk.wipe --accept approval\" \
             ← /id, /requiresApproval \
             (it names the source by its digest, the tool, and what was accepted by name)"
        ),
    ] {
        assert!(account.lines().any(|found| found == line), "{line}\n{account}");
    }
}

/// A tool that is not said to be called in any way.
const SILENT: &str = r#"{
  "id": "demo.plan", "type": "agent_workflow", "version": "1.0.0", "description": "Plans.",
  "origin": {
    "source": "local",
    "digest": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
  },
  "interfaces": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
  "permissions": {"network": "deny", "filesystem": "none", "devices": []},
  "runtime": {"sandbox": "process", "resources": {"cpu": "default", "memory": "default"}},
  "trust_level": "local"
}"#;

#[test]
fn no_bridge_is_promised_for_a_call_that_there_is_not() {
    for to in FormatName::ALL.iter().copied().filter(|to| *to != FormatName::Capability) {
        let (_, account) = account(FormatName::Capability, to, SILENT).unwrap();
        let not = "(no call could be read from the source)";
        let stops = |line: &str| line.starts_with("does not run") && line.ends_with(not);
        assert!(account.lines().any(stops), "{account}");
        assert!(!account.contains("the bridge makes it"), "{account}");
        let because = "(the target requires a call, and none could be read from the source)";
        // A server need not say how it is called, and a list needs no call.
        let silent = matches!(to, FormatName::ServerJson | FormatName::ToolList);
        assert_eq!(account.contains(because), !silent, "{account}");
        assert!(!account.contains("\nneeds"), "{account}");
    }
}

/// A program below the folder of the manifest, one on the search path, and a request.
const INSTALLED: &str = r#"{
  "manifest_version": "0.4",
  "tool": {
    "id": "resize", "name": "Resize", "version": "1.0.0", "summary": "Resizes.",
    "homepage": "https://resize.example"
  },
  "runtime": {
    "kind": "shell-binary", "install": {"method": "pip", "package": "resize"},
    "entrypoint": {"command": ["./bin/resize"]}
  },
  "actions": [{
    "name": "resize", "summary": "Resizes.",
    "invocation": {"kind": "subcommand", "argv_template": ["${input.file}"]},
    "input": {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]},
    "output": {"format": "text"}, "side_effects": "read"
  }],
  "smoke": {"kind": "shell", "command": ["resize", "--version"], "success": {"exit_code": 0}},
  "kill_switch": {"kind": "manual", "instructions_url": "https://resize.example/off"}
}"#;

/// What `toolglot bridge` is missing in each target: written down from what the published
/// hosts do, and from what a conversion writes.
#[test]
fn what_the_bridge_needs_is_told() {
    let here = "needs         `toolglot` on the search path, and a copy of the source where the bridge looks: resize.resize";
    let program =
        "needs         the program of the source, installed as the source says: resize.resize";
    let files = "needs         the files that the call of the source names: resize.resize";
    for (to, own) in [
        (
            FormatName::ToolsJson,
            "needs         the launcher `./tools/bin/toolglot-bridge`: resize.resize",
        ),
        (
            FormatName::Mcpkg,
            "needs         a host that runs local commands, in the folder of the output or with \
             the source in the user's store: the published runner sends requests only: \
             resize.resize",
        ),
        (FormatName::Jumith, "needs         the module that `entry.main` names: resize.resize"),
    ] {
        let (_, account) = account(FormatName::InstallManifest, to, INSTALLED).unwrap();
        for line in [here, own, program, files] {
            assert!(account.lines().any(|found| found == line), "{line}\n{account}");
        }
    }
    // A request needs neither a program nor a folder.
    let echo =
        fixtures().into_iter().find(|one| one.format == FormatName::Mcpkg && one.name == "echo");
    let (_, account) =
        account(FormatName::Mcpkg, FormatName::ToolsJson, &echo.unwrap().text).unwrap();
    let needs = account.lines().filter(|line| line.starts_with("needs"));
    assert_eq!(needs.count(), 2, "{account}");
}

/// A program that embeds the library may have no command line. It tells needs apart by their
/// kinds.
#[test]
fn needs_have_a_kind_and_name_no_flag() {
    let mut kinds = BTreeSet::new();
    for fixture in fixtures() {
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let source = Document::parse(fixture.text.as_bytes(), &Limits::default()).unwrap();
            let Ok(converted) = convert(&source, fixture.format, to, &laws::accept_all()) else {
                continue;
            };
            for need in &converted.needs {
                let what = &need.what;
                assert!(!what.contains("--") && !what.contains("-o "), "{what}");
                assert_ne!(need.kind, NeedKind::Other, "{what}");
                kinds.insert(need.kind);
            }
            let bridged = converted.needs.iter().find(|need| need.kind == NeedKind::Bridge);
            let bridged = bridged.map(|need| need.tools.clone()).unwrap_or_default();
            let tools = converted.tools.iter();
            let through: Vec<String> = tools
                .filter(|tool| tool.runs == RunMode::ThroughTheBridge)
                .map(|tool| tool.id.clone())
                .collect();
            assert_eq!(bridged, through, "{} of {} to {to}", fixture.name, fixture.format);
        }
    }
    // Without a gateway, none needs one.
    assert!(!kinds.contains(&NeedKind::Gateway), "{kinds:?}");
    for kind in [
        NeedKind::Bridge,
        NeedKind::Launcher,
        NeedKind::BridgeHost,
        NeedKind::Toolglot,
        NeedKind::SourceProgram,
        NeedKind::ServerProgram,
        NeedKind::SourceFiles,
        NeedKind::SourceFolder,
        NeedKind::HostRequirements,
        NeedKind::RenamedSecrets,
        NeedKind::ChainedTool,
    ] {
        assert!(kinds.contains(&kind), "{kind:?} is missing in {kinds:?}");
    }
}

#[test]
fn a_residue_inside_is_listed_once_and_leaves_the_schema_as_it_was() {
    for fixture in fixtures() {
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let source = Document::parse(fixture.text.as_bytes(), &Limits::default()).unwrap();
            let inside = Options { in_band: true, ..laws::accept_all() };
            // Some targets have no schema to carry it.
            let Ok(carrying) = convert(&source, fixture.format, to, &inside) else { continue };
            let plain = convert(&source, fixture.format, to, &laws::accept_all()).unwrap();
            let (carrying, plain) = (carrying.report(), plain.report());
            let what = || format!("{} of {} to {to}", fixture.name, fixture.format);
            let schema = |leaf: &toolglot::convert::TargetLeaf| {
                let (schema, _) = leaf.target.pointer.as_str().split_once("/x-toolglot-residue")?;
                Some((leaf.target.document, schema.to_owned()))
            };
            let own = carrying.target.iter().filter(|leaf| schema(leaf).is_none());
            // An empty schema that has a residue is no empty value any more.
            let filled: BTreeSet<_> = carrying.target.iter().filter_map(schema).collect();
            let is_filled = |leaf: &&toolglot::convert::TargetLeaf| {
                let place = (leaf.target.document, leaf.target.pointer.to_string());
                leaf.value == "{}" && filled.contains(&place)
            };
            let full = plain.target.iter().filter(|leaf| !is_filled(leaf));
            assert!(own.eq(full), "{}", what());
            let mut seen = BTreeSet::new();
            for leaf in &carrying.target {
                let place = (leaf.target.document, leaf.target.pointer.to_string());
                assert!(seen.insert(place), "{}: {:?} twice", what(), leaf.target);
            }
            let classes = |account: &toolglot::ConversionReport| -> Vec<_> {
                account.source.iter().map(|leaf| leaf.class).collect()
            };
            assert_eq!(classes(&carrying), classes(&plain), "{}", what());
        }
    }
}

/// What a variable is made of decides whether it is a secret: where several say so, or where
/// another is silent, none alone; the first row is what the parts say, the second their classes,
/// the third whether the target says that they only say it together.
#[test]
fn parts_say_together_that_a_variable_is_a_secret() {
    use toolglot::Class::{self, Approximated, Native, ResidueOnly};
    type Row = ([&'static str; 3], [Option<Class>; 3], bool);
    let (yes, no, silent) = (r#""isSecret":true"#, r#""isSecret":false"#, "");
    let rows: [Row; 5] = [
        ([yes, no, no], [Some(Native), Some(ResidueOnly), Some(ResidueOnly)], false),
        ([yes, yes, no], [Some(Approximated), Some(Approximated), Some(ResidueOnly)], true),
        ([no, yes, silent], [Some(ResidueOnly), Some(Approximated), None], true),
        ([no, no, no], [Some(Approximated); 3], false),
        ([no, no, silent], [Some(ResidueOnly), Some(ResidueOnly), None], false),
    ];
    for ([a, b, c], classes, joint) in rows {
        let text = format!(
            r#"{{"name":"a/b","version":"1.0.0","description":"x","packages":[{{"registryType":"oci",
            "identifier":"n","transport":{{"type":"stdio"}},"environmentVariables":[{{"name":"V",
            "value":"{{a}}{{b}}{{c}}","variables":{{"a":{{{a}}},"b":{{{b}}},"c":{{{c}}}}}}}]}}]}}"#
        );
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let (from, to) = (FormatName::ServerJson, FormatName::Mcpb);
        let conversion = convert(&source, from, to, &laws::accept_all()).unwrap();
        let account = conversion.report();
        let class = |part: &str| {
            let at = format!("/packages/0/environmentVariables/0/variables/{part}/isSecret");
            account.source.iter().find(|leaf| leaf.source.as_str() == at).map(|leaf| leaf.class)
        };
        assert_eq!(["a", "b", "c"].map(class), classes, "{text}");
        let says = |at: &str| account.target.iter().find(|leaf| leaf.target.pointer.as_str() == at);
        let sensitive = says("/user_config/V/sensitive").unwrap();
        assert_eq!(sensitive.joint, joint, "{text}");
        assert_eq!(sensitive.value, if [a, b, c] == [no; 3] { "false" } else { "true" });
        // The name of a secret is told there, whoever says that it is one.
        let conversion = convert(&source, from, FormatName::Jumith, &laws::accept_all()).unwrap();
        let account = conversion.report();
        let secret = |leaf: &&toolglot::convert::TargetLeaf| {
            leaf.target.pointer.as_str() == "/requiredSecrets/0"
        };
        if let Some(secret) = account.target.iter().find(secret) {
            let name =
                |from: &toolglot::convert::SourcePlace| from.pointer.as_str().ends_with("/0/name");
            assert!(secret.source.iter().any(name) && !secret.by.iter().any(name), "{text}");
            assert_eq!((secret.joint, secret.value.as_str()), (joint, "\"V\""), "{text}");
        }
    }
}

/// A header that says no more than the secrets do is not said to be in the target.
#[test]
fn a_header_that_moves_nothing_is_carried() {
    let text = r#"{"manifest_version": "0.2",
        "tool": {"id": "abc", "version": "1.0.0", "name": "A", "summary": "A", "homepage": "https://example.com"},
        "runtime": {"kind": "container", "install": {"method": "container", "image": "x/y"},
            "endpoint_url": "https://api.example.com"},
        "env": [{"name": "API_KEY", "prompt": "x", "secret": true},
            {"name": "OTHER_KEY", "prompt": "x", "secret": true}],
        "actions": [{"name": "send", "summary": "s", "side_effects": "none", "invocation": {"kind": "http",
            "method": "POST", "path": "/send",
            "headers": {"X-API-Key": "${env.API_KEY}", "Accept": "application/json"}}}],
        "smoke": {"kind": "shell", "command": ["x"], "success": {}},
        "kill_switch": {"kind": "url", "url": "https://api.example.com/revoke"}}"#;
    let (from, to) =
        (FormatName::InstallManifest.format().unwrap(), FormatName::Mcpkg.format().unwrap());
    let header = |at: &str| at.ends_with("/X-API-Key").then(Vec::new);
    let mutants = laws::mutants_of_leaves(from, text, header).unwrap();
    assert!(!mutants[0].1.is_empty());
    laws::true_ledger(from, to, text, &mutants).unwrap();
}

/// A schema that takes everything is told from one that takes nothing where the ledger says.
#[test]
fn a_schema_that_is_a_boolean_moves_what_it_became() {
    let text = r#"{"id": "tool:a", "name": "a", "version": "1.0.0", "summary": "s",
        "description": "d", "entry": {"runtime": "node", "main": "a.js"}, "schema": {"input": true}}"#;
    let (from, to) = (FormatName::Jumith.format().unwrap(), FormatName::ToolList.format().unwrap());
    let input = |at: &str| (at == "/schema/input").then(Vec::new);
    let mutants = laws::mutants_of_leaves(from, text, input).unwrap();
    assert_eq!(mutants.len(), 1);
    assert!(!mutants[0].1.is_empty());
    laws::true_ledger(from, to, text, &mutants).unwrap();
}

/// A variable that is named twice is said by both names together: one of them may stand in for
/// the other at the same place.
#[test]
fn a_variable_that_is_named_twice_is_said_together() {
    let text = r#"{"tools": [{"name": "a", "command": ["/usr/bin/env"],
        "envPassthrough": ["TZ", " Path ", "path"]}]}"#;
    let names = |at: &str| {
        at.contains("/envPassthrough/")
            .then(|| ["tz", "TZ", "PATH", "HOME"].map(Tree::from).to_vec())
    };
    let from = FormatName::ToolsJson;
    let mutants = laws::mutants_of_leaves(from.format().unwrap(), text, names).unwrap();
    assert_eq!(mutants.len(), 3);
    for to in FormatName::ALL.iter().filter(|to| **to != from) {
        laws::true_ledger(from.format().unwrap(), to.format().unwrap(), text, &mutants)
            .unwrap_or_else(|message| panic!("{from} => {to}: {message}"));
    }
}

/// Whether a variable is needed depends on how many there are: a name that is there again says
/// with the first that there is only one.
#[test]
fn a_name_that_is_there_again_has_a_say_in_what_is_required() {
    for names in [
        r#"["API_KEY", "API_KEY"]"#,
        r#"["API_KEY", "API_KEY", "API_KEY"]"#,
        r#"["TZ", "API_KEY", "TZ"]"#,
    ] {
        let text = format!(
            r#"{{"toolId": "demo.echo", "name": "n", "version": "1.0.0", "description": "d",
            "capabilities": ["c"], "endpoint": {{"type": "local", "command": "tool"}},
            "input_schema": {{}}, "output_schema": {{}},
            "auth": {{"type": "api_key", "configHints": {{"env": {names}}}}},
            "tests": [], "examples": []}}"#
        );
        let from = FormatName::Mcpkg;
        let others = |at: &str| at.starts_with("/auth/").then(Vec::new);
        let mutants = laws::mutants_of_leaves(from.format().unwrap(), &text, others).unwrap();
        assert!(mutants.iter().all(|(_, mutants)| !mutants.is_empty()));
        for to in FormatName::ALL {
            laws::true_ledger(from.format().unwrap(), to.format().unwrap(), &text, &mutants)
                .unwrap_or_else(|message| panic!("{from} => {to}: {message}"));
        }
    }
}

/// A setting that is sensitive has no default elsewhere: whether it is had a say in the default.
#[test]
fn what_is_sensitive_has_a_say_in_its_default() {
    for sensitive in ["true", "false"] {
        let text = format!(
            r#"{{"manifest_version": "0.4", "name": "files", "version": "1.0.0", "description": "d",
            "author": {{"name": "A"}}, "server": {{"type": "node", "entry_point": "server.js",
                "mcp_config": {{"command": "node", "env": {{"ROOT": "${{user_config.root}}"}}}}}},
            "user_config": {{"root": {{"type": "string", "title": "Root", "description": "Where.",
                "default": "here", "sensitive": {sensitive}}}}}}}"#
        );
        let from = FormatName::Mcpb;
        let said = |at: &str| at.ends_with("/sensitive").then(Vec::new);
        let mutants = laws::mutants_of_leaves(from.format().unwrap(), &text, said).unwrap();
        assert!(!mutants[0].1.is_empty());
        for to in FormatName::ALL {
            laws::true_ledger(from.format().unwrap(), to.format().unwrap(), &text, &mutants)
                .unwrap_or_else(|message| panic!("{from} => {to}: {message}"));
        }
    }
}
