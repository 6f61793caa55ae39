//! What a `server.json` lifts to, and what the manifests of others become.

use convert::{Options, RestoreOptions, RunMode, Target, convert};
use manifest_core::descriptor::{Invocation, Kind};
use manifest_core::json::Document;
use manifest_core::{Limits, Report, ToolDescriptor, ValidateOptions};
use mcp::server_json::{FORMAT, validate};
use serde_json::{Value, json};

fn server(more: &Value) -> String {
    let mut server = json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "com.example/notes", "version": "1.0.0", "description": "Keeps notes.",
    });
    for (name, value) in more.as_object().unwrap() {
        server[name] = value.clone();
    }
    server.to_string()
}

/// What a document of one server lifts to.
fn lifted<T>(text: &str, look: impl FnOnce(&ToolDescriptor<'_>) -> T) -> T {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let report = validate(&document, &ValidateOptions::default());
    assert!(report.is_valid(), "{report:?}");
    let lifted = FORMAT.lift(&document, &Limits::default()).unwrap();
    let [server] = lifted.tools.as_slice() else { panic!("one server") };
    look(server)
}

#[test]
fn a_server_whose_tools_are_not_known_is_one_descriptor() {
    lifted(&server(&json!({"title": "Notes", "websiteUrl": "https://example.com/"})), |server| {
        assert_eq!(server.kind.as_deref(), Some(&Kind::McpServer));
        assert_eq!((server.id.value.as_ref(), &server.invocation), ("com.example/notes", &None));
        assert_eq!(server.title.as_deref().map(AsRef::as_ref), Some("Notes"));
        assert_eq!(server.summary.as_deref().map(AsRef::as_ref), Some("Keeps notes."));
        let homepage = server.package.homepage.as_deref().map(AsRef::as_ref);
        assert_eq!(homepage, Some("https://example.com/"));
    });
}

#[test]
fn a_server_whose_tools_are_not_known_is_at_its_address() {
    for url in ["https://example.com/mcp", "https://{tenant}.example.com"] {
        lifted(&server(&json!({"remotes": [{"type": "sse", "url": url}]})), |server| {
            let address = server.package.url.as_deref().map(AsRef::as_ref);
            assert_eq!(address, Some(url));
            assert_eq!(server.invocation, None);
        });
    }
}

#[test]
fn a_variable_is_what_the_user_is_asked_for() {
    let package = json!({
        "registryType": "npm", "identifier": "notes", "transport": {"type": "stdio"},
        "environmentVariables": [
            {"name": "MODE", "value": "fast"},
            {"name": "TOKEN", "description": "A token.", "isSecret": true, "isRequired": true},
            {"name": "LEVEL", "default": "1", "isSecret": false},
        ],
    });
    lifted(&server(&json!({"packages": [package]})), |server| {
        let [token, level] = server.package.env.as_slice() else { panic!("two are asked for") };
        assert_eq!((token.name.as_ref(), level.name.as_ref()), ("TOKEN", "LEVEL"));
        assert_eq!(token.prompt.as_deref().map(AsRef::as_ref), Some("A token."));
        assert_eq!(token.required.as_deref(), Some(&true));
        assert!(token.is_secret() && !level.is_secret());
        assert_eq!(level.default.as_deref().map(AsRef::as_ref), Some("1"));
    });
}

/// The line that starts a server from a package, with members of the package as these say.
fn line(more: &Value) -> String {
    let mut package = json!({
        "registryType": "npm", "identifier": "@example/notes", "version": "1.2.0",
        "transport": {"type": "stdio"},
    });
    for (name, value) in more.as_object().unwrap() {
        package[name] = value.clone();
    }
    lifted(&server(&json!({"packages": [package]})), |server| {
        let words: Vec<&str> = server.package.command.iter().map(|word| word.as_ref()).collect();
        words.join(" ")
    })
}

#[test]
fn a_package_is_started_as_clients_do() {
    assert_eq!(line(&json!({})), "npx -y @example/notes@1.2.0");
    assert_eq!(line(&json!({"registryType": "pypi", "identifier": "notes"})), "uvx notes@1.2.0");
    let hinted = json!({"registryType": "pypi", "identifier": "notes", "runtimeHint": "uvx"});
    assert_eq!(line(&hinted), "uvx notes@1.2.0");
    let arguments = json!({
        "runtimeArguments": [{"type": "named", "name": "--loglevel", "value": "silent"}],
        "packageArguments": [
            {"type": "positional", "value": "serve"},
            {"type": "positional", "valueHint": "folder", "isRequired": false},
            {"type": "named", "name": "--port", "value": "80"},
        ],
    });
    let words = "npx -y --loglevel=silent @example/notes@1.2.0 serve --port=80";
    assert_eq!(line(&arguments), words);
    let elsewhere = json!({"registryBaseUrl": "https://example.com/npm/"});
    let words = "npx -y --registry=https://example.com/npm @example/notes@1.2.0";
    assert_eq!(line(&elsewhere), words);
}

#[test]
fn a_line_that_somebody_has_to_choose_is_not_told() {
    let asked = json!({"type": "positional", "valueHint": "folder", "isRequired": true});
    let filled = json!({"type": "named", "name": "--port", "default": "80"});
    let made = json!({"type": "positional", "value": "{x}", "variables": {"x": {}}});
    let open = json!({"type": "positional", "value": "{x}"});
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    for more in [
        json!({"registryType": "oci"}),
        json!({"runtimeHint": "bunx"}),
        json!({"fileSha256": digest}),
        json!({"transport": {"type": "sse", "url": "http://localhost/"}}),
        json!({"packageArguments": [asked]}),
        json!({"runtimeArguments": [filled]}),
        json!({"packageArguments": [made]}),
        json!({"packageArguments": [open]}),
        json!({"environmentVariables": [{"name": "MODE", "value": "fast"}]}),
        json!({"registryBaseUrl": "http://example.com/"}),
        json!({"registryBaseUrl": "https://example.com/a b"}),
        json!({"registryBaseUrl": "https://example.com/\u{1b}[31m"}),
        json!({"registryBaseUrl": "https://user:word@example.com/"}),
    ] {
        assert_eq!(line(&more), "", "{more}");
    }
}

#[test]
fn a_name_that_is_an_option_or_a_path_is_no_word_of_a_line() {
    for name in [
        "-y",
        "--package=evil",
        "./evil",
        "/evil",
        "a b",
        "evil@2",
        "git+https://example.com/x",
        "@-s/x",
        "@s/-x",
        "@s/x/y",
        "@s",
        "",
        "é",
        "a;b",
        "a$b",
        "https://example.com/x.tgz",
    ] {
        assert_eq!(line(&json!({"identifier": name})), "", "{name}");
    }
    for version in ["-1", "1 2", "next", "1.0.0/x", "1@2", "file:1"] {
        assert_eq!(line(&json!({"version": version})), "", "{version}");
    }
}

#[test]
fn what_is_made_of_a_secret_is_one() {
    let package = json!({
        "registryType": "npm", "identifier": "notes", "transport": {"type": "stdio"},
        "environmentVariables": [{
            "name": "DSN", "value": "db://{user}:{password}@localhost", "isSecret": false,
            "variables": {"user": {"isSecret": false}, "password": {"isSecret": true}},
        }],
    });
    lifted(&server(&json!({"packages": [package]})), |server| {
        assert!(server.package.env[0].is_secret());
    });
}

/// Who of several says that a value is secret, and who that it is none.
#[test]
fn a_value_is_secret_if_anything_in_it_is() {
    let (yes, no) = (Some(true), Some(false));
    let cases = [
        (None, vec![], None),
        (yes, vec![], yes),
        (no, vec![], no),
        (None, vec![no, no], no),
        (None, vec![no, None], None),
        (None, vec![None, None], None),
        (None, vec![yes, None], yes),
        (no, vec![no, yes], yes),
        (yes, vec![no, no], yes),
        (no, vec![None, None], no),
    ];
    for (whole, parts, secret) in cases {
        let said = |secret: Option<bool>| secret.map_or(json!({}), |is| json!({"isSecret": is}));
        let mut variable = said(whole);
        variable["name"] = json!("X");
        variable["value"] = json!("{p0}{p1}");
        let parts = parts.iter().zip(["p0", "p1"]);
        variable["variables"] = parts.map(|(part, name)| (name, said(*part))).collect();
        let package = json!({
            "registryType": "npm", "identifier": "notes", "transport": {"type": "stdio"},
            "environmentVariables": [variable],
        });
        lifted(&server(&json!({"packages": [package]})), |server| {
            let found = server.package.env.first().and_then(|one| one.secret.as_deref().copied());
            assert_eq!(found, secret, "{variable}");
        });
    }
}

/// Where two say that a value is secret, it stays so without either of them.
#[test]
fn of_two_that_say_it_none_decides() {
    for (parts, decides) in [([true, false], true), ([true, true], false)] {
        let [first, second] = parts.map(|is| json!({"isSecret": is}));
        let package = json!({
            "registryType": "npm", "identifier": "notes", "transport": {"type": "stdio"},
            "environmentVariables": [
                {"name": "X", "value": "{p0}{p1}", "variables": {"p0": first, "p1": second}},
            ],
        });
        lifted(&server(&json!({"packages": [package]})), |server| {
            let at = server.package.env[0].secret.as_ref().unwrap().at.unwrap();
            assert_eq!(at.exact, decides, "{parts:?}");
        });
    }
}

#[test]
fn a_document_in_snake_case_is_read() {
    let old = json!({
        "name": "com.example/notes", "description": "Keeps notes.",
        "version_detail": {"version": "1.0.0"},
        "packages": [{
            "registry_name": "npm", "name": "notes", "version": "1.0.0",
            "environment_variables": [{"name": "TOKEN", "is_secret": true}],
        }],
    });
    lifted(&old.to_string(), |server| {
        assert_eq!(server.package.version.as_deref().map(AsRef::as_ref), Some("1.0.0"));
        assert_eq!(server.package.env[0].secret.as_deref(), Some(&true));
    });
}

#[test]
fn a_tool_that_is_listed_is_called_at_a_plain_url() {
    let listed = |remote: Value| {
        let tools = json!({"invalid.toolglot/tools": [{"name": "find", "calls": "notes_find"}]});
        let text = server(&json!({
            "remotes": [remote],
            "_meta": {"io.modelcontextprotocol.registry/publisher-provided": tools},
        }));
        lifted(&text, |tool| {
            assert_eq!(tool.id.value.as_ref(), "com.example/notes.find");
            match tool.invocation.as_deref()? {
                Invocation::McpTool(server) => Some((
                    server.tool.value.to_string(),
                    server.url.as_ref().map(|url| url.value.to_string()),
                )),
                _ => None,
            }
        })
    };
    let url = "https://example.com/mcp";
    assert_eq!(
        listed(json!({"type": "streamable-http", "url": url})),
        Some(("notes_find".to_owned(), Some(url.to_owned())))
    );
    for remote in [
        json!({"type": "sse", "url": url}),
        json!({"type": "streamable-http", "url": url, "headers": [{"name": "X"}]}),
        json!({"type": "streamable-http", "url": "https://{a}/", "variables": {"a": {}}}),
    ] {
        assert_eq!(listed(remote.clone()), None, "{remote}");
    }
}

/// A server in its own format, written anew in a version.
fn written(text: &str, version: &str) -> Result<Value, Report> {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let options = Options { version: Some(version.to_owned()), ..Options::default() };
    let converted = convert(&source, &FORMAT, &FORMAT, &options)?;
    assert!(converted.tools.iter().all(|tool| matches!(tool.runs, RunMode::Not(_))));
    Ok(serde_json::from_str(&converted.documents[0].text).unwrap())
}

#[test]
fn texts_are_cut_to_100_characters() {
    let full = "é".repeat(100);
    let text = server(&json!({"description": full, "title": full}));
    let now = written(&text, "2025-12-11").unwrap();
    assert_eq!((&now["description"], &now["title"]), (&json!(full), &json!(full)));
    assert_eq!(now["version"], "1.0.0");
}

const DATES: [&str; 6] =
    ["2025-07-09", "2025-09-16", "2025-09-29", "2025-10-11", "2025-10-17", "2025-12-11"];

#[test]
fn every_date_is_read_and_the_newest_is_written() {
    for date in DATES {
        let schema =
            format!("https://static.modelcontextprotocol.io/schemas/{date}/server.schema.json");
        let text = server(&json!({"$schema": schema}));
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let found = (FORMAT.detect)(document.root()).unwrap();
        assert_eq!(found.version.as_deref(), Some(date));
        assert!(validate(&document, &ValidateOptions::default()).diagnostics.is_empty(), "{date}");
        let now = written(&text, "2025-12-11").unwrap();
        assert!(now["$schema"].as_str().unwrap().contains("/2025-12-11/"));
        assert_eq!(now["version"], "1.0.0");
        if date != "2025-12-11" {
            let codes: Vec<_> =
                written(&text, date).unwrap_err().errors().map(|found| found.rule.code).collect();
            assert_eq!(codes, ["convert/version"], "{date}");
        }
    }
}

/// Older documents may have the members of newer ones: the date decides nothing that is told.
#[test]
fn a_title_and_a_page_are_read_in_every_date() {
    for date in DATES {
        let schema =
            format!("https://static.modelcontextprotocol.io/schemas/{date}/server.schema.json");
        let page = "https://example.com/notes";
        let said = json!({"$schema": schema, "title": "Notes", "websiteUrl": page});
        let now = written(&server(&said), "2025-12-11").unwrap();
        assert_eq!((&now["title"], &now["websiteUrl"]), (&json!("Notes"), &json!(page)), "{date}");
    }
    let schema =
        format!("https://static.modelcontextprotocol.io/schemas/{}/server.schema.json", DATES[0]);
    let text = server(&json!({"$schema": schema, "title": 7, "websiteUrl": []}));
    let now = written(&text, "2025-12-11").unwrap();
    assert_eq!((now.get("title"), now.get("websiteUrl")), (None, None));
}

/// What is said of a server of which nothing is said is what the tool is called: within a server, the
/// whole name.
#[test]
fn a_server_of_which_nothing_is_said_is_described_by_a_name() {
    let bundle = json!({
        "manifest_version": "0.3", "name": "notes", "version": "1.0.0", "description": "",
        "author": {"name": "Ann"},
        "server": {
            "type": "binary", "entry_point": "notes",
            "mcp_config": {"command": "${__dirname}/notes", "args": []},
        },
        "tools": [{"name": "notes.find"}],
    });
    let text = bundle.to_string();
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mcpb = toolglot::FormatName::Mcpb.format().unwrap();
    let converted = convert(&source, mcpb, &FORMAT, &Options::default()).unwrap();
    let server: Value = serde_json::from_str(&converted.documents[0].text).unwrap();
    assert_eq!(server["description"], "notes.find");
}

/// A name that was edited in another format is taken literally. One that no server can have is not
/// taken, rather than replaced by one that nobody chose.
#[test]
fn an_edited_name_is_taken_as_it_is_or_not_at_all() {
    let text = server(&json!({}));
    let mcpb = toolglot::FormatName::Mcpb.format().unwrap();
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let converted = convert(&source, &FORMAT, mcpb, &Options::default()).unwrap();
    let residue = converted.residue();
    let named = |name: &str| {
        let mut bundle: Value = serde_json::from_str(&converted.documents[0].text).unwrap();
        bundle["name"] = name.into();
        let bundle = bundle.to_string();
        let document = Document::parse(bundle.as_bytes(), &Limits::default()).unwrap();
        let target = Target { name: None, document: &document };
        let restored = toolglot::restore(&[target], &residue, &RestoreOptions::default()).unwrap();
        let server: Value = serde_json::from_str(&restored.text).unwrap();
        let left =
            restored.lost_edits.iter().map(|edit| (edit.pointer.to_string(), edit.why.to_string()));
        (server["name"].clone(), left.collect::<Vec<_>>())
    };
    let unfit =
        ("/name".to_owned(), "the source says it, but this value does not fit there".to_owned());
    assert_eq!(named("com.example/words"), (json!("com.example/words"), vec![]));
    for name in ["My Notes", "notes", "a b/notes"] {
        assert_eq!(named(name), (json!("com.example/notes"), vec![unfit.clone()]), "{name}");
    }
}
