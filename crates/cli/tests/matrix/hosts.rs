//! Small hosts, each of which calls a tool as the published one of its format does.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::server::{request, request_with};
use crate::{arguments, search_path};

fn read(document: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(document).unwrap()).unwrap()
}

fn words(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// Runs a program without a shell, with the search path and the home folder of its own.
fn run(argv: &[String], at: &Path, input: Option<&Value>) -> Output {
    let (program, arguments) = argv.split_first().unwrap();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(at)
        .env_clear()
        .env("PATH", search_path())
        .env("HOME", at)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    if let Some(input) = input {
        stdin.write_all(input.to_string().as_bytes()).unwrap();
    }
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn printed(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// agentcli: a program below `./tools/bin`, resolved against the manifest's folder, run where the
/// agent is; JSON on standard input; the output with white space collapsed.
pub(crate) fn agentcli(document: &Path, agent: &Path) -> Value {
    let manifest = read(document);
    let command = words(&manifest["tools"][0]["command"]);
    let below = command[0].strip_prefix("./tools/bin/").unwrap();
    let program = document.with_file_name("tools/bin").join(below);
    let argv = [&[program.to_str().unwrap().to_owned()], &command[1..]].concat();
    let printed = printed(&run(&argv, agent, Some(&arguments())));
    let line = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    serde_json::from_str(&line).unwrap()
}

/// The published runner of MCPKG: requests only, with the arguments as body, and the first
/// variable of `auth.configHints.env` that has a value as a header. Here that is the token.
pub(crate) fn mcpkg_runner(document: &Path, token: &str) -> Value {
    let manifest = read(document);
    let endpoint = &manifest["endpoint"];
    assert_eq!(endpoint["type"], "http");
    let (method, url) = (endpoint["method"].as_str().unwrap(), endpoint["url"].as_str().unwrap());
    let variable = manifest.pointer("/auth/configHints/env/0").and_then(Value::as_str);
    let header = match (variable, manifest.pointer("/auth/type").and_then(Value::as_str)) {
        (Some("TOOLGLOT_TOKEN"), Some("bearer")) => format!("Authorization: Bearer {token}\r\n"),
        _ => String::new(),
    };
    request_with(method, url, &header, Some(&arguments())).1
}

/// A host of local commands, by the text of MCPKG: the arguments are one more argument, the
/// output is JSON. It calls requests as well.
pub(crate) fn mcpkg_local(document: &Path, at: &Path) -> Value {
    let manifest = read(document);
    if manifest["endpoint"]["type"] == "http" {
        return mcpkg_runner(document, "");
    }
    let line = manifest["endpoint"]["command"].as_str().unwrap();
    let mut argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
    argv.push(arguments().to_string());
    serde_json::from_str(&printed(&run(&argv, at, None))).unwrap()
}

/// An action of an install manifest, by the text: a subcommand with a filled template, JSON on
/// standard input, or a request.
pub(crate) fn install_manifest(document: &Path, at: &Path) -> Value {
    let manifest = read(document);
    let (runtime, action) = (&manifest["runtime"], &manifest["actions"][0]);
    let invocation = &action["invocation"];
    let argv = || words(&runtime["entrypoint"]["command"]);
    match invocation["kind"].as_str().unwrap() {
        "stdin-json" => {
            let mut argv = argv();
            argv.extend(invocation.get("argv_template").map(words).unwrap_or_default());
            serde_json::from_str(&printed(&run(&argv, at, Some(&arguments())))).unwrap()
        }
        "http" => {
            let base = runtime["endpoint_url"].as_str().unwrap();
            let path = invocation["path"].as_str().unwrap();
            let method = invocation["method"].as_str().unwrap();
            let (status, answer) = request(method, &format!("{base}{path}"), Some(&arguments()));
            assert_eq!(status, 200);
            answer
        }
        other => panic!("{other}: {manifest:#}"),
    }
}

/// Unison, whose owner allows manifests without a signature, and trusts this one.
pub(crate) fn unison(document: &Path) -> Value {
    let manifest = read(document);
    let manifest = manifest.get("capabilities").map_or(&manifest, |list| &list[0]);
    let allowed = words(&manifest["permissions"]["network_allowlist"]);
    // A rule with a scheme is the beginning of a URL, another one is a host.
    let may = |url: &str| {
        let host = url.strip_prefix("http://").unwrap().split(['/', ':']).next().unwrap();
        let allows = |rule: &String| {
            if rule.contains("://") { url.starts_with(rule.as_str()) } else { rule == host }
        };
        assert!(allowed.iter().any(allows), "{url} is not among {allowed:?}");
    };
    let implementation = &manifest["implementation"];
    let (url, body) = match implementation["kind"].as_str().unwrap() {
        "mcp_tool" => {
            let mcp = &implementation["mcp"];
            let registry = mcp["registry_url"].as_str().unwrap();
            may(registry);
            let (_, list) = request("GET", registry, None);
            let servers = list.get("servers").unwrap_or(&list).as_array().unwrap().clone();
            let is_it = |server: &&Value| {
                let id = server.get("id").or(server.get("name"));
                let tools = server["tools"].as_array().unwrap();
                id == Some(&mcp["server_id"])
                    && tools.iter().any(|tool| tool["name"] == mcp["tool_name"])
            };
            let server = servers.iter().find(is_it).unwrap();
            let base = server.get("base_url").or(server.get("url")).unwrap().as_str().unwrap();
            let tool = mcp["tool_name"].as_str().unwrap();
            (format!("{base}/tools/{tool}"), json!({"arguments": arguments()}))
        }
        "a2a_rpc" => {
            let url = implementation["a2a"]["endpoint"].as_str().unwrap().to_owned();
            let id = &manifest["id"];
            (url, json!({"type": "a2a.request", "capability_id": id, "args": arguments()}))
        }
        other => panic!("{other}"),
    };
    may(&url);
    let (status, answer) = request("POST", &url, Some(&body));
    assert!((200..300).contains(&status), "{status}: {answer}");
    answer
}

/// Jumith: an export of a module with a name and a description, called with the input and a
/// context.
pub(crate) fn jumith(document: &Path) -> Value {
    const HOST: &str = "
        const [folder, main, named, input] = process.argv.slice(1);
        const module = await import(`file://${folder}/${main}`);
        const tool = module[named] ?? module.tool ?? module.default;
        if (typeof tool.name !== 'string' || typeof tool.description !== 'string') {
          throw new Error('not a tool');
        }
        const answer = await tool.execute(JSON.parse(input), { toolName: 'greet', env: {} });
        process.stdout.write(JSON.stringify(answer));";
    let manifest = read(document);
    let text = |value: &Value| value.as_str().unwrap_or("tool").to_owned();
    let (main, export) = (text(&manifest["entry"]["main"]), text(&manifest["entry"]["export"]));
    let at = document.parent().unwrap();
    let start = ["node", "--input-type=module", "-e", HOST].map(str::to_owned);
    let call = [at.to_str().unwrap().to_owned(), main, export, arguments().to_string()];
    serde_json::from_str(&printed(&run(&[start, call].concat(), at, None))).unwrap()
}
