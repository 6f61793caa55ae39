//! Small hosts, each of which calls a tool as the published one of its format does.

use std::fs;
use std::io::{BufRead, BufReader, Write};
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
/// standard input, a tool of an MCP server, or a request.
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
        "mcp-tool" => mcp(&argv(), at, &invocation["tool_name"], None),
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

/// A host of MCP bundles: it starts the server as the manifest says, from wherever it is itself,
/// with the folder of the bundle filled in. The server has exactly the tools that are listed.
pub(crate) fn mcpb(document: &Path, at: &Path) -> Value {
    let manifest = read(document);
    let config = &manifest["server"]["mcp_config"];
    let folder = document.parent().unwrap().to_str().unwrap();
    let line = [vec![config["command"].as_str().unwrap().to_owned()], words(&config["args"])];
    let argv: Vec<String> =
        line.concat().iter().map(|word| word.replace("${__dirname}", folder)).collect();
    let tools = manifest["tools"].as_array().unwrap();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    mcp(&argv, at, names[0], Some(&names))
}

/// An MCP client: calls a tool of the server that a program is, which has those that are named.
fn mcp(argv: &[String], at: &Path, tool: &Value, all: Option<&[&Value]>) -> Value {
    let mut child = Command::new(&argv[0])
        .args(&argv[1..])
        .current_dir(at)
        .env_clear()
        .env("PATH", search_path())
        .env("HOME", at)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |id: u8, method: &str, params: Value| -> Value {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(stdin, "{request}").unwrap();
        let answers = |line: &Value| line["id"] == json!(id);
        let mut heard = lines.by_ref().map(|line| serde_json::from_str(&line.unwrap()).unwrap());
        let answer = heard.find(answers).unwrap();
        assert!(answer.get("error").is_none(), "{answer}");
        if method == "initialize" {
            let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            writeln!(stdin, "{done}").unwrap();
        }
        answer["result"].clone()
    };
    let client = json!({"name": "host", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    ask(1, "initialize", hello);
    if let Some(all) = all {
        let listed = ask(2, "tools/list", json!({}));
        let listed = listed["tools"].as_array().unwrap();
        let listed: Vec<&Value> = listed.iter().map(|tool| &tool["name"]).collect();
        assert_eq!(listed, all);
    }
    let result = ask(3, "tools/call", json!({"name": tool, "arguments": arguments()}));
    assert_ne!(result["isError"], json!(true), "{result}");
    drop(stdin);
    assert!(child.wait().unwrap().success());
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
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
