//! What a conversion tells of danger and of hosts, held against what a person read of them:
//! which limits Unison looks at, what each host waits for, fills in and reads.

use serde_json::{Value, json};
use toolglot::core::{SourceText, render};
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{AcceptedLoss, FormatName, Limits, Options, convert};

use crate::fixtures;
use crate::said::mcpkg;

/// The lines of an account of one class, without the tools.
fn lines(from: FormatName, text: &str, to: FormatName, class: &str) -> Vec<String> {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion = convert(&source, from, to, &laws::accept_all()).unwrap();
    let account = conversion.report().text();
    let own = account.lines().filter_map(|line| line.strip_prefix(class));
    own.map(|line| line.trim_start().rsplit_once(": ").unwrap().0.to_owned()).collect()
}

fn fixture(format: FormatName, name: &str) -> String {
    let found = fixtures().into_iter().find(|one| one.format == format && one.name == name);
    found.unwrap().text
}

const TJ: FormatName = FormatName::ToolsJson;
const CAP: FormatName = FormatName::Capability;

#[test]
fn limits_are_told_as_they_are_enforced() {
    // Unison makes this call itself, and looks at the hosts. It starts no container.
    let issues = fixture(CAP, "github_issues");
    let mut wanted = [
        "the source's host lets it reach only \"api.github.com\", \"*.githubusercontent.com\", \
         with sub-domains",
        "the source grants it no files",
        "the source grants it no devices",
        "the source calls it community, which its host refuses by default",
        "the source asks for a container",
        "the source limits its processors to \"500m\"",
        "the source limits its memory to \"256Mi\"",
        "the source's host refuses it until OAuth is set up",
    ]
    .map(|limit| format!("{limit}; the host of tools-json has no such limit"));
    wanted.sort();
    assert_eq!(lines(CAP, &issues, TJ, "unenforced"), wanted);
    // MCPKG has a word for OAuth, and its runner sends the request without.
    let oauth = "the source's host refuses it until OAuth is set up; \
                 the host of mcpkg has no such limit";
    let told = lines(CAP, &issues, FormatName::Mcpkg, "unenforced");
    assert!(told.iter().any(|line| line == oauth), "{told:?}");
}

#[test]
fn grants_are_no_facts() {
    // A function runs in Unison as it is: nothing keeps it from the network.
    let scan = fixture(CAP, "scan_document");
    let mut wanted = [
        "the source grants it no network",
        "the source limits its memory to \"1Gi\"",
        "the source limits its processors to \"2\"",
    ]
    .map(|limit| format!("{limit}; the host of tools-json has no such limit"))
    .to_vec();
    // It is required or preferred, and no limit.
    let asked = "the source asks for a virtual desktop or private network; \
                 the host of tools-json has no such channel";
    wanted.insert(0, asked.to_owned());
    assert_eq!(lines(CAP, &scan, TJ, "unenforced"), wanted);
    let wanted = ["may use devices", "may write files"]
        .map(|danger| format!("{danger}; tools-json has no word for that"));
    assert_eq!(lines(CAP, &scan, TJ, "unsaid"), wanted);
    // What is granted or not is said.
    assert_eq!(lines(CAP, &scan, TJ, "unknown"), ["the source does not say what it changes"]);
    // A request uses the network, whoever grants it.
    let echo = fixture(FormatName::Mcpkg, "echo");
    let network = "uses the network; tools-json has no word for that".to_owned();
    assert!(lines(FormatName::Mcpkg, &echo, TJ, "unsaid").contains(&network));
}

#[test]
fn what_nobody_says_is_unknown_whoever_approves() {
    let add = r#"{
      "id": "tool:add", "name": "add", "version": "1.0.0", "summary": "Adds.",
      "description": "Adds.", "provider": "acme",
      "entry": {"runtime": "node", "main": "index.mjs"}, "requiresApproval": false
    }"#;
    let wanted = [
        "the source does not say what it changes",
        "the source does not say what it does with files",
        "the source does not say whether it uses devices",
        "the source does not say whether it uses the network",
    ];
    assert_eq!(lines(FormatName::Jumith, add, TJ, "unknown"), wanted);
}

#[test]
fn other_scopes_are_told() {
    let gmail = fixture(FormatName::InstallManifest, "gmail-0.2");
    let unsaid = lines(FormatName::InstallManifest, &gmail, TJ, "unsaid");
    let scope = |line: &&String| line.starts_with("may use \"gmail.");
    assert!(unsaid.iter().any(|line| scope(&line)), "{unsaid:?}");
}

#[test]
fn hosts_differ_only_where_they_do() {
    let now = |more: &str| {
        format!(
            r#"{{"tools": [{{"name": "now", "schema": {{"type": "object"}}, "command": ["./tools/bin/now"]{more}}}]}}"#
        )
    };
    let implied = |text: &str, to| lines(TJ, text, to, "implied");
    let result = |target: &str| {
        let source = "standard output on one line, white space collapsed; {} where it is empty";
        format!("result: {source} → {target}")
    };
    let environment = |target: &str| {
        format!("environment: PATH and HOME, and the variables that are named → {target}")
    };
    let jumith = [environment("that of the host"), result("what the function returns")];
    // agentcli waits for 30 seconds, or as long as it is told. Jumith does not say.
    let mut wanted = jumith.to_vec();
    wanted.push(
        "time-out where none is said: 30 seconds, unless the agent is told otherwise → not said"
            .to_owned(),
    );
    assert_eq!(implied(&now(""), FormatName::Jumith), wanted);
    let mut wanted = jumith.to_vec();
    wanted.push("time-out: as it says → kept by the bridge only".to_owned());
    assert_eq!(implied(&now(r#", "timeoutSec": 5"#), FormatName::Jumith), wanted);
    // MCPKG has a word for it. A local command runs in the folder of its package.
    let wanted = [
        environment("that of the host"),
        "working directory: that of the host → that of the package".to_owned(),
        result("standard output as JSON"),
    ];
    assert_eq!(implied(&now(r#", "timeoutSec": 5"#), FormatName::Mcpkg), wanted);
}

#[test]
fn defaults_are_told_where_there_are_some() {
    let im = FormatName::InstallManifest;
    let filled = |line: &String| line.starts_with("defaults of the input schema");
    // The host of an install manifest fills in before the bridge sees the arguments.
    let scan = fixture(CAP, "scan_document");
    let wanted = "defaults of the input schema: not filled in → filled in first";
    assert_eq!(lines(CAP, &scan, im, "implied").into_iter().find(filled).unwrap(), wanted);
    // The bridge fills in what agentcli does not; this schema has nothing to fill in.
    assert!(!lines(CAP, &scan, TJ, "implied").iter().any(filled));
    let issues = fixture(CAP, "github_issues");
    assert!(!lines(CAP, &issues, im, "implied").iter().any(filled));
}

#[test]
fn each_kind_of_call_has_its_time_in_unison() {
    let time = |name: &str| {
        let text = fixture(CAP, name);
        let implied = lines(CAP, &text, FormatName::Jumith, "implied");
        implied.into_iter().find(|line| line.starts_with("time-out")).unwrap()
    };
    // All of them say a number of seconds, which only a command is given.
    let registry = "5 seconds for the registry and 10 for the call, whatever is said";
    assert_eq!(time("github_issues"), format!("time-out: {registry} → not said"));
    assert_eq!(time("scan_document"), "time-out: none, whatever is said → not said");
    assert_eq!(time("catalog"), "time-out: 15 seconds, whatever is said → not said");
}

/// Nobody has a target that was refused: what is wrong in it is shown in the source. A secret is
/// not shown there, either.
#[test]
fn what_is_wrong_in_a_target_is_shown_in_the_source() {
    let key = ["AKIA", "Z5TQ2MXR7L4WKJ3N"].concat();
    let schema =
        json!({"type": "object", "properties": {"key": {"type": "string", "default": key}}});
    let text = mcpkg(json!({"input_schema": schema})).to_string();
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let refused = convert(&source, FormatName::Mcpkg, CAP, &laws::accept_all()).unwrap_err();
    let found = refused.diagnostics.iter().find(|one| one.rule.code == "capability/secret-value");
    let found = found.unwrap();
    assert_eq!(found.pointer.as_str(), "/interfaces/inputs/properties/key/default");
    let [related] = &found.related[..] else { panic!("{found:?}") };
    assert_eq!(text[related.span.start..related.span.end], format!("\"{key}\""));
    let shown = render(found, Some(&SourceText { name: "a.json", bytes: text.as_bytes() }), false);
    assert!(shown.contains("note: it comes from here\n --> a.json:1:"), "{shown}");
    assert!(!shown.contains(&key), "{shown}");
}

/// V06, V07: versions that are not the same must not become the same. Other formats have words for
/// each of these.
#[test]
fn a_version_is_not_changed_unasked() {
    for (version, nearest) in [
        ("1.2.3+build", "1.2.3"),
        ("1.0.0-RC.1", "1.0.0-rc.1"),
        ("1.0.0-rc.1+Build.7", "1.0.0-rc.1"),
    ] {
        let text = mcpkg(json!({"version": version})).to_string();
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let written = |to, options| {
            convert(&source, FormatName::Mcpkg, to, &options).map(|done| {
                let value: Value = serde_json::from_str(&done.documents[0].text).unwrap();
                let said = value.get("tool").unwrap_or(&value);
                said["version"].as_str().unwrap().to_owned()
            })
        };
        let to = FormatName::InstallManifest;
        let refused = written(to, Options::default()).unwrap_err();
        let [found] = &refused.diagnostics[..] else { panic!("{refused}") };
        assert_eq!((found.rule.code, found.pointer.as_str()), ("convert/tool-version", "/version"));
        assert!(found.message.contains(version) && found.advice().contains(nearest), "{refused}");
        let accept = [AcceptedLoss::Version].into();
        assert_eq!(written(to, Options { accept, ..Options::default() }).unwrap(), nearest);
        assert_eq!(written(CAP, Options::default()).unwrap(), version);
    }
}

/// What is offered instead of a version is what is written, whatever the default is.
#[test]
fn a_version_that_is_offered_is_written() {
    let text = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "com.example/notes", "version": "2025.11", "description": "Keeps notes.",
        "remotes": [{"type": "streamable-http", "url": "https://notes.example.com/mcp"}],
    })
    .to_string();
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let (from, to) = (FormatName::ServerJson, FormatName::InstallManifest);
    for (default, instead) in [("0.0.0", "0.0.0"), ("1.0.0-RC.1", "1.0.0-rc.1"), ("new", "0.0.0")] {
        let mut options = Options::default();
        options.defaults.version = default.to_owned();
        let refused = convert(&source, from, to, &options).unwrap_err();
        let [found] = &refused.diagnostics[..] else { panic!("{refused}") };
        let offered = format!("accept \"{instead}\" by name");
        assert!(found.advice().contains(&offered), "{default}: {}", found.advice());
        options.accept = [AcceptedLoss::Version].into();
        let done = convert(&source, from, to, &options).unwrap();
        let value: Value = serde_json::from_str(&done.documents[0].text).unwrap();
        assert_eq!(value["tool"]["version"], instead, "{default}");
    }
}
