//! Tools as model providers take them. What is expected is what the providers publish: shapes,
//! alphabets and limits.

use serde_json::{Value, json};

use crate::program::{ECHO, Folder, TIME, json, run, run_with_input};

/// A tools.json with tools of these names.
fn tools(folder: &Folder, file: &str, names: &[&str]) -> String {
    let tools: Vec<Value> = names
        .iter()
        .map(|name| {
            json!({"name": name, "description": "Does it.", "command": ["/bin/echo"],
                "schema": {"type": "object", "properties": {
                    "text": {"type": "string", "minLength": 2}}, "required": ["text"]}})
        })
        .collect();
    folder.write(file, json!({ "tools": tools }).to_string())
}

/// One manifest of each format.
const ALL: [&str; 5] = [
    TIME,
    ECHO,
    "examples/manifests/notes.install.json",
    "examples/manifests/count.capability.json",
    "examples/manifests/charge.mcpkg.json",
];

fn is_name(name: &str, longest: usize, more: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || more.contains(c);
    (1..=longest).contains(&name.len()) && name.chars().all(known)
}

#[test]
fn each_target_has_the_shape_that_it_publishes() {
    for target in ["openai", "openai-responses", "anthropic", "gemini", "mcp"] {
        let ran = run(&[&["export", "--target", target][..], &ALL].concat());
        let made = json(&ran.out);
        let list = match target {
            "gemini" => made[0]["functionDeclarations"].as_array().unwrap().clone(),
            _ => made.as_array().unwrap().clone(),
        };
        assert!(!list.is_empty(), "{}", ran.err);
        for tool in &list {
            let (name, schema) = match target {
                "openai" => {
                    assert_eq!(tool["type"], "function");
                    (&tool["function"]["name"], &tool["function"]["parameters"])
                }
                "openai-responses" => {
                    assert_eq!(
                        (&tool["type"], &tool["strict"]),
                        (&json!("function"), &json!(false))
                    );
                    (&tool["name"], &tool["parameters"])
                }
                "anthropic" => (&tool["name"], &tool["input_schema"]),
                "gemini" => (&tool["name"], &tool["parametersJsonSchema"]),
                _ => (&tool["name"], &tool["inputSchema"]),
            };
            let (longest, more) = match target {
                "mcp" => (128, "."),
                "gemini" => (128, ".:"),
                _ => (64, ""),
            };
            assert!(is_name(name.as_str().unwrap(), longest, more), "{target}: {name}");
            assert_eq!(schema["type"], "object", "{target}: {schema}");
        }
        let left_out = ran.err.contains("left out:");
        assert_eq!(ran.code, Some(i32::from(left_out)), "{}", ran.err);
    }
}

#[test]
fn the_same_files_give_the_same_bytes_in_their_order() {
    let folder = Folder::new("export-order");
    let one = tools(&folder, "one.json", &["z", "a"]);
    let other = tools(&folder, "other.json", &["m"]);
    let arguments = ["export", "--target", "mcp", &one, &other];
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let names: Vec<String> = json(&ran.out)
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["z", "a", "m"]);
    assert_eq!(run(&arguments).out, ran.out);
    let made = folder.path("made.json");
    let ran_to_file = run(&["export", "--target", "mcp", &one, &other, "-o", &made]);
    assert_eq!((ran_to_file.code, ran_to_file.out.as_str()), (Some(0), ""));
    assert_eq!(std::fs::read_to_string(&made).unwrap(), ran.out);
    // What is read is not overwritten.
    assert_eq!(run(&["export", "--target", "mcp", &one, "-o", &one]).code, Some(2));
}

#[test]
fn what_was_changed_is_told() {
    let folder = Folder::new("export-told");
    let schema = json!({"type": "object", "properties": {"text": {"type": "string", "minLength": 2}},
        "required": ["text"]});
    let manifest = json!({"toolId": "mail.send", "name": "Send", "version": "1.0.0",
        "description": "Sends.", "capabilities": ["mail"],
        "endpoint": {"type": "http", "method": "POST", "url": "https://api.acme.example/send"},
        "input_schema": schema, "output_schema": {"type": "object"}});
    let file = folder.write("mail.mcpkg.json", manifest.to_string());
    let ran = run(&["export", "--target", "openai", "--strict", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let made = json(&ran.out);
    let name = made[0]["function"]["name"].as_str().unwrap();
    assert_eq!(made[0]["function"]["strict"], json!(true));
    assert_eq!(made[0]["function"]["parameters"]["additionalProperties"], json!(false));
    for said in
        ["mail.send", name, "incomparable", "dropped", "/input_schema/properties/text/minLength"]
    {
        assert!(ran.err.contains(said), "{said} in {}", ran.err);
    }
    // The empty text is taken now, and a member without a name is not: a sentence says the first.
    let told = run(&["export", "--target", "openai", "--strict", "--sentences", &file]);
    let text = json(&told.out)[0]["function"]["parameters"]["properties"]["text"].clone();
    assert!(text["description"].as_str().unwrap().contains("At least 2 characters"), "{text}");
    let quiet = run(&["export", "--target", "openai", "--strict", "-q", &file]);
    assert_eq!((quiet.out, quiet.err.as_str()), (ran.out, ""));
}

/// Row N04 of the catalogue of attacks.
#[test]
fn two_tools_of_one_name_are_both_left_out_unless_told_apart() {
    let folder = Folder::new("export-clash");
    let one = tools(&folder, "one.json", &["send", "first"]);
    let other = tools(&folder, "other.json", &["send", "second"]);
    let names = |text: &str| -> Vec<String> {
        let made = json(text);
        let all = made.as_array().unwrap().iter();
        all.map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    let ran = run(&["export", "--target", "anthropic", &one, &other]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(names(&ran.out), ["first", "second"]);
    for file in [&one, &other] {
        assert!(ran.err.contains(&format!("send of {file}:")), "{}", ran.err);
    }
    assert!(ran.err.contains("providers/name-clash"), "{}", ran.err);
    let prefix = format!("{other}=other");
    let ran = run(&["export", "--target", "anthropic", &one, &other, "--prefix", &prefix]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(names(&ran.out), ["send", "first", "other_send", "other_second"]);
    for wrong in ["nowhere.json=x", "x", &format!("{other}=")] {
        let ran = run(&["export", "--target", "anthropic", &one, &other, "--prefix", wrong]);
        assert_eq!(ran.code, Some(2), "{wrong}");
    }
}

#[test]
fn revisions_of_mcp_differ() {
    let folder = Folder::new("export-revisions");
    let file = folder.write(
        "tools.json",
        r#"{"tools": [{"name": "t", "description": "Does it.", "command": ["/bin/echo"],
             "schema": {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}]}"#,
    );
    for (revision, choice) in [("2025-06-18", false), ("2025-11-25", false), ("2026-07-28", true)] {
        let ran = run(&["export", "--target", "mcp", "--revision", revision, &file]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let schema = json(&ran.out)[0]["inputSchema"].clone();
        assert_eq!(schema.get("anyOf").is_some(), choice, "{revision}");
    }
    assert_eq!(run(&["export", "--target", "mcp", "--revision", "2024", &file]).code, Some(2));
}

#[test]
fn what_cannot_be_read_is_told() {
    let ran = run(&["export", "--target", "mcp", "nowhere.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    let ran = run_with_input(&["export", "--target", "mcp", "-"], b"{}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_eq!(run(&["export", TIME]).code, Some(2));
}

/// An install manifest of an MCP server.
fn server(folder: &Folder, file: &str, command: &[&str], env: &Value) -> String {
    let manifest = json!({
        "manifest_version": "0.4",
        "tool": {"id": "mail", "version": "1.0.0", "name": "Mail", "summary": "Mail.",
            "homepage": "https://example.com"},
        "runtime": {"kind": "mcp-stdio",
            "install": {"method": "preinstalled",
                "locator": {"kind": "mcp-server-id", "server_id": "mail"}},
            "entrypoint": {"command": command}},
        "env": env,
        "actions": [{"name": "send", "summary": "Sends.", "side_effects": "write",
            "invocation": {"kind": "mcp-tool", "tool_name": "send"},
            "input": {"type": "object"}, "output": {"format": "json"}}],
        "smoke": {"kind": "mcp-tool-call", "tool_name": "send", "arguments": {},
            "success": {"no_error_field": true}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"}
    });
    folder.write(file, manifest.to_string())
}

#[test]
fn a_configuration_starts_servers() {
    let folder = Folder::new("export-config");
    let env = json!([{"name": "MAIL_KEY", "prompt": "The key", "secret": true, "required": true},
        {"name": "MAIL_MODE", "prompt": "The mode", "secret": false, "required": false}]);
    let own = server(&folder, "mail.install.json", &["mail-server", "--stdio"], &env);
    let beside = server(&folder, "beside.install.json", &["./bin/mail-server"], &json!([]));
    let other = tools(&folder, "tools.json", &["send"]);
    for (host, key, variable, kind) in [
        ("claude", "mcpServers", "${MAIL_KEY}", None),
        ("cursor", "mcpServers", "${env:MAIL_KEY}", None),
        ("vscode", "servers", "${env:MAIL_KEY}", Some("stdio")),
    ] {
        let files = ["export", "--target", "mcp-config", "--host", host, &own, &beside, &other];
        let ran = run(&files);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let made = json(&ran.out);
        assert_eq!(made.as_object().unwrap().keys().collect::<Vec<_>>(), [key]);
        let servers = &made[key];
        let kind = kind.map_or(Value::Null, Value::from);
        assert_eq!(servers["mail"]["command"], "mail-server");
        assert_eq!(servers["mail"]["args"], json!(["--stdio"]));
        assert_eq!(servers["mail"]["env"], json!({"MAIL_KEY": variable}));
        assert_eq!(servers["mail"]["type"], kind);
        // A program beside its manifest, and what is no server, are served.
        for (name, file) in [("beside", &beside), ("tools", &other)] {
            let path = std::path::absolute(file).unwrap();
            assert_eq!(servers[name]["command"], "toolglot");
            assert_eq!(servers[name]["args"], json!(["mcp", path.to_str().unwrap()]));
        }
    }
}

#[test]
fn a_configuration_has_no_secret_and_no_name_twice() {
    let folder = Folder::new("export-config-clash");
    let token = format!("ghp_{}", "a1B2c3D4e5".repeat(4).get(..36).unwrap());
    let leaky =
        server(&folder, "leaky.install.json", &["mail-server", "--token", &token], &json!([]));
    let ran = run(&["export", "--target", "mcp-config", &leaky]);
    assert!(!ran.out.contains(&token) && !ran.err.contains(&token));
    assert_eq!(json(&ran.out)["mcpServers"]["leaky"]["command"], "toolglot");
    // Variables that a host would replace are not left to it.
    let other = server(&folder, "other.install.json", &["mail-server", "${HOME}"], &json!([]));
    let ran = run(&["export", "--target", "mcp-config", &other]);
    assert!(!ran.out.contains("${HOME}"), "{}", ran.out);

    let inner = folder.inside("inner");
    let twins = [tools(&folder, "tools.json", &["a"]), tools(&inner, "tools.json", &["b"])];
    let ran = run(&["export", "--target", "mcp-config", &twins[0], &twins[1]]);
    assert_eq!((ran.code, json(&ran.out)), (Some(1), json!({"mcpServers": {}})));
    assert!(twins.iter().all(|file| ran.err.contains(file.as_str())), "{}", ran.err);
    let prefix = format!("{}=inner", twins[1]);
    let told = ["export", "--target", "mcp-config", &twins[0], &twins[1], "--prefix", &prefix];
    let ran = run(&told);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let made = json(&ran.out);
    let names: std::collections::BTreeSet<_> =
        made["mcpServers"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names, ["inner", "tools"].into());
    // Standard input cannot be read again.
    let text = std::fs::read(&twins[0]).unwrap();
    let ran = run_with_input(&["export", "--target", "mcp-config", "-"], &text);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("providers/server"), "{}", ran.err);
}

#[test]
fn tools_against_targets() {
    let folder = Folder::new("compat");
    // Eleven levels are one more than OpenAI takes in its strict mode.
    let deep = (0..11).fold(
        json!({"type": "string"}),
        |inner, _| json!({"type": "object", "properties": {"a": inner}}),
    );
    let plain = json!({"type": "object", "properties": {"a": {"type": "string"}},
        "required": ["a"], "additionalProperties": false});
    let open =
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]});
    let all = [("deep", deep), ("plain", plain), ("open", open)].map(|(name, schema)| {
        json!({"name": name, "description": "Does it.", "command": ["/bin/echo"], "schema": schema})
    });
    let file = folder.write("tools.json", json!({ "tools": all }).to_string());
    let ran = run(&["compat", &file, "--format", "json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let made = json(&ran.out);
    assert_eq!(made["files"][0]["format"], "tools-json");
    let cell = |tool: usize, target: &str| made["tools"][tool]["targets"][target].clone();
    for target in ["mcp", "openai", "openai-responses", "anthropic", "gemini"] {
        for tool in 0..3 {
            assert_eq!(cell(tool, target), json!({"relation": "equal"}), "{tool} {target}");
        }
    }
    for target in ["openai-strict", "openai-responses-strict"] {
        let deep = cell(0, target);
        assert_eq!(
            (&deep["relation"], &deep["why"][0]["code"]),
            (&Value::Null, &json!("providers/limit"))
        );
        assert_eq!(cell(1, target)["relation"], "equal");
        assert_eq!(cell(2, target)["relation"], "narrower");
    }
    let ran = run(&["compat", &file]);
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    let line = |name: &str| *lines.iter().find(|line| line.starts_with(name)).unwrap();
    assert_eq!(line("deep").matches('✗').count(), 2);
    assert_eq!(line("plain").matches('✓').count(), 8);
    assert!(line("open").contains("≈ narrower"));
    let reasons = lines.iter().filter(|line| line.starts_with("✗ deep of "));
    assert_eq!(reasons.filter(|line| line.contains("providers/limit")).count(), 2, "{}", ran.out);
    // Without the deep one, all can be given.
    let good = folder.write("good.json", json!({"tools": [all[1]]}).to_string());
    assert_eq!(run(&["compat", &good]).code, Some(0));
    assert_eq!(run(&["compat", "nowhere.json"]).code, Some(2));
}
