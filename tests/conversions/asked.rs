//! What a host asks for when it calls a tool, read from the document alone.
//!
//! This is how the published hosts make a call, written down a second time from what was
//! seen of them. It knows nothing of descriptors or lenses: it judges them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};
use toolglot::FormatName;

/// What is run, sent or asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    /// A program.
    Run {
        argv: Vec<String>,
        /// Bytes on standard input, as JSON; nothing if it is empty.
        stdin: Option<Value>,
        cwd: Option<String>,
        /// The variables that it is given because a document names them.
        named: BTreeSet<String>,
    },
    /// A request.
    Send { method: String, url: String, headers: BTreeMap<String, String>, body: Option<Value> },
    /// A tool of an MCP server: the command or URL of the server, the tool, the arguments.
    Mcp(Value),
    /// The same for what only one host knows.
    Own(Value),
    /// The bridge: its words after the program, without the arguments of the call.
    Bridge(Vec<String>),
    /// It cannot be called.
    Nothing,
}

/// What the host of a format asks for when it calls one tool of a document.
pub(crate) fn asked(format: FormatName, document: &Value, tool: usize, input: &Value) -> Asked {
    let asked = match format {
        FormatName::ToolsJson => tools_json(&document["tools"][tool], input),
        FormatName::Mcpkg => mcpkg(document, input),
        FormatName::Capability => match document.get("capabilities") {
            Some(list) => capability(&list[tool], input),
            None => capability(document, input),
        },
        FormatName::Jumith => jumith(document),
        FormatName::InstallManifest => install(document, tool, input),
        FormatName::Mcpb => mcpb(document, tool, input),
        FormatName::ServerJson => server_json(document, tool, input),
        FormatName::ToolList => tool_list(document, tool, input),
        other => panic!("{other} is a new format"),
    };
    as_bridge(asked)
}

/// A program that is the bridge.
fn as_bridge(asked: Asked) -> Asked {
    let Asked::Run { argv, .. } = &asked else { return asked };
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["toolglot", "bridge", rest @ ..] | ["./tools/bin/toolglot-bridge", rest @ ..] => {
            Asked::Bridge(owned(rest))
        }
        _ => asked,
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// agentcli: the arguments on standard input, and the variables of the list.
fn tools_json(tool: &Value, input: &Value) -> Asked {
    let names = texts(&tool["envPassthrough"]).into_iter();
    let named = names.map(|name| name.trim().to_ascii_uppercase()).collect();
    Asked::Run { argv: texts(&tool["command"]), stdin: Some(input.clone()), cwd: None, named }
}

/// The test runner sends everything as a body; a local command gets one argument more.
fn mcpkg(manifest: &Value, input: &Value) -> Asked {
    let endpoint = &manifest["endpoint"];
    let text = |name: &str| endpoint[name].as_str().unwrap_or_default().to_owned();
    match endpoint["type"].as_str() {
        Some("http") => {
            let hints = &manifest["auth"]["configHints"]["env"];
            let names = texts(hints);
            let mut headers = BTreeMap::new();
            let value = names.join("|");
            match manifest["auth"]["type"].as_str() {
                Some("bearer") if !names.is_empty() => {
                    headers.insert("authorization".to_owned(), format!("Bearer ${{{value}}}"));
                }
                Some("api_key") if !names.is_empty() => {
                    headers.insert("x-api-key".to_owned(), format!("${{{value}}}"));
                }
                _ => {}
            }
            let method = text("method").to_ascii_uppercase();
            Asked::Send { method, url: text("url"), headers, body: Some(input.clone()) }
        }
        Some("local") => {
            let mut argv = shell_words::split(&text("command")).unwrap_or_default();
            if argv.first().is_none_or(|first| first != "toolglot") {
                argv.push(input.to_string());
            }
            // Its environment is the host's: no variable is given by its name.
            Asked::Run { argv, stdin: None, cwd: None, named: BTreeSet::new() }
        }
        _ if manifest.get("implementations").is_some() || manifest.get("chain").is_some() => {
            Asked::Own(json!([manifest["implementations"], manifest["chain"], input]))
        }
        _ => Asked::Nothing,
    }
}

/// Unison hands a command nothing but `argv_extra`.
fn capability(manifest: &Value, input: &Value) -> Asked {
    let implementation = &manifest["implementation"];
    match implementation["kind"].as_str() {
        Some("command") if implementation.get("command").is_some() => {
            let mut argv = texts(&implementation["command"]["argv"]);
            argv.extend(texts(&input["argv_extra"]));
            Asked::Run { argv, stdin: None, cwd: None, named: BTreeSet::new() }
        }
        Some("python") if implementation.get("python").is_some() => {
            Asked::Own(json!(["python", implementation["python"], input]))
        }
        Some("mcp_tool") if implementation.get("mcp").is_some() => {
            Asked::Own(json!(["registry", implementation["mcp"], input]))
        }
        Some("a2a_rpc") if implementation.get("a2a").is_some() => {
            Asked::Own(json!(["a2a", implementation["a2a"], input]))
        }
        _ => Asked::Nothing,
    }
}

/// The module of the bridge is named after what it is pinned to: the digest of the
/// source, and the tool.
fn jumith(manifest: &Value) -> Asked {
    let main = manifest["entry"]["main"].as_str().unwrap_or_default();
    let pin = main.strip_prefix("toolglot-bridge/").and_then(|rest| rest.strip_suffix(".mjs"));
    if let Some((source, tool)) = pin.and_then(|pin| pin.split_once('/')) {
        let source = format!("sha256:{source}");
        return Asked::Bridge(owned(&["--for", "jumith", "--source", &source, "--tool", tool]));
    }
    Asked::Own(json!(["node", main, manifest["entry"]["export"]]))
}

/// A host fills in what it alone knows: where the bundle is, and what the user told it. A
/// server that needs none of it is started as it is written.
fn mcpb(manifest: &Value, tool: usize, input: &Value) -> Asked {
    let config = &manifest["server"]["mcp_config"];
    let command = config["command"].as_str().map(str::to_owned);
    let argv: Vec<String> = command.into_iter().chain(texts(&config["args"])).collect();
    let bridge = ["toolglot", "mcp", "--folder", "${__dirname}"];
    if let Some(line) = words(&argv).strip_prefix(&bridge) {
        // The source is named once, and then each tool, with what was accepted for it.
        let starts: Vec<usize> = (0..line.len()).filter(|at| line[*at] == "--tool").collect();
        let end = starts.get(tool + 1).copied().unwrap_or(line.len());
        return Asked::Bridge(owned(&[&line[..starts[0]], &line[starts[tool]..end]].concat()));
    }
    let Some(named) = manifest["tools"].get(tool).map(|tool| &tool["name"]) else {
        return Asked::Nothing;
    };
    let asked = |value: &Value| {
        let value = value.as_str().unwrap_or_default();
        value.starts_with("${user_config.")
            && value.ends_with('}')
            && value.matches('$').count() == 1
    };
    let env = config["env"].as_object().into_iter().flatten();
    let fixed = |word: &String| !word.replace("${__dirname}", ".").contains("${");
    let told = argv.iter().all(fixed) && env.map(|(_, value)| value).all(asked);
    if argv.is_empty() || !told || config.get("platform_overrides").is_some() {
        return Asked::Nothing;
    }
    let inside = argv.iter().any(|word| word.contains("${__dirname}"));
    let argv: Vec<String> = argv.iter().map(|word| word.replace("${__dirname}", ".")).collect();
    let mut entrypoint = json!({ "command": argv });
    if inside {
        entrypoint["cwd"] = json!(".");
    }
    Asked::Mcp(json!([entrypoint, null, named, input]))
}

/// A client runs a package of npm or the Python index by its name and its one version, and asks the user for
/// what the document leaves open: where it leaves nothing open, the line is this.
fn package_line(server: &Value) -> Option<Vec<String>> {
    let package = server["packages"].get(0).filter(|_| server["remotes"].get(0).is_none())?;
    let text = |camel: &str, snake: &str| {
        let member = package.get(camel).or(package.get(snake));
        member.and_then(Value::as_str).map(str::to_owned)
    };
    let list = |camel: &str, snake: &str| {
        let member = package.get(camel).or(package.get(snake)).and_then(Value::as_array);
        member.cloned().unwrap_or_default()
    };
    let kind = text("registryType", "registry_type").or(text("registry_name", ""))?;
    let (program, option, path) = match kind.as_str() {
        "npm" => ("npx", "--registry=", ""),
        "pypi" => ("uvx", "--default-index=", "/simple"),
        _ => return None,
    };
    let (name, version) = (text("identifier", "")?, text("version", "")?);
    let fits = |word: &str| {
        let inner = |c: char| c.is_ascii_alphanumeric() || "._-+~!".contains(c);
        word.starts_with(|c: char| c.is_ascii_alphanumeric()) && word.chars().all(inner)
    };
    let scoped = name.strip_prefix('@').and_then(|name| name.split_once('/'));
    let scoped = kind == "npm" && scoped.is_some_and(|(scope, name)| fits(scope) && fits(name));
    let named = fits(&name) || scoped;
    let one = fits(&version) && version.starts_with(|c: char| c.is_ascii_digit());
    let hint = text("runtimeHint", "runtime_hint").is_none_or(|hint| hint == program);
    let digest = text("fileSha256", "file_sha256").is_some();
    let variables = list("environmentVariables", "environment_variables");
    let fixed = variables.iter().any(|variable| variable.get("value").is_some());
    if package["transport"]["type"] != "stdio" || !named || !one || !hint || digest || fixed {
        return None;
    }
    let mut line = vec![program.to_owned()];
    line.extend((kind == "npm").then(|| "-y".to_owned()));
    if let Some(base) = text("registryBaseUrl", "registry_base_url") {
        line.push(format!("{option}{}{path}", base.trim_end_matches('/')));
    }
    line.extend(package_arguments(&list("runtimeArguments", "runtime_arguments"))?);
    line.push(format!("{name}@{version}"));
    line.extend(package_arguments(&list("packageArguments", "package_arguments"))?);
    Some(line)
}

/// The arguments that a package says; nothing where a user is asked, or a client fills one in.
fn package_arguments(list: &[Value]) -> Option<Vec<String>> {
    let mut words = Vec::new();
    for argument in list {
        let required = argument.get("isRequired").or(argument.get("is_required"));
        let asked = argument.get("default").is_some() || required == Some(&json!(true));
        match (argument.get("value").and_then(Value::as_str), argument["type"].as_str()) {
            _ if argument.get("variables").is_some() => return None,
            (Some(value), _) if value.contains('{') => return None,
            (Some(value), Some("named")) => {
                words.push(format!("{}={value}", argument["name"].as_str()?));
            }
            (Some(value), _) => words.push(value.to_owned()),
            (None, _) if asked => return None,
            (None, _) => {}
        }
    }
    Some(words)
}

/// A client speaks to a remote server at its URL, or starts a package. What the tools of a server are is not said,
/// but for those that were converted.
fn server_json(server: &Value, tool: usize, input: &Value) -> Asked {
    let remote = &server["remotes"][0];
    let tools = &server["_meta"]["io.modelcontextprotocol.registry/publisher-provided"];
    let name = &tools["invalid.toolglot/tools"][tool]["calls"];
    let url = remote["url"].as_str().filter(|url| !url.contains('{'));
    let over_http = ["streamable-http", "streamable"].map(|kind| json!(kind));
    let kind = remote.get("type").or(remote.get("transport_type"));
    let plain = ["headers", "variables"].iter().all(|more| remote.get(more).is_none())
        && kind.is_some_and(|kind| over_http.contains(kind));
    match (url.filter(|_| plain), name.as_str()) {
        (Some(url), Some(name)) if url.starts_with("http") => {
            Asked::Mcp(json!([null, url, name, input]))
        }
        (None, Some(name)) => package_line(server).map_or(Asked::Nothing, |line| {
            Asked::Mcp(json!([{ "command": line }, null, name, input]))
        }),
        _ => Asked::Nothing,
    }
}

/// The tools of a list, in an answer or by itself, with those of lists in it.
pub(crate) fn listed<'v>(list: &'v Value) -> Vec<&'v Value> {
    let list = list.get("tools").unwrap_or(&list["result"]["tools"]).as_array();
    let entries = list.into_iter().flatten();
    let groups = ["functionDeclarations", "function_declarations"];
    let declared = |entry: &'v Value| groups.iter().find_map(|name| entry.get(name)?.as_array());
    entries
        .flat_map(|entry| declared(entry).map_or(vec![entry], |list| list.iter().collect()))
        .collect()
}

/// The schema of the arguments of a tool, in whatever shape it is listed.
pub(crate) fn list_schema(tool: &Value) -> &Value {
    let names = ["inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema"];
    let own = names.iter().find_map(|name| tool.get(name));
    let function = || tool["function"].get("parameters").or(tool.get("parameters"));
    own.or_else(function).unwrap_or(&Value::Null)
}

/// A tool of MCP is called on the server that is named beside the list.
fn tool_list(list: &Value, tool: usize, input: &Value) -> Asked {
    let server = &list["server"];
    let argv = texts(&server["command"]);
    if let Some(line) = words(&argv).strip_prefix(&["toolglot", "mcp"]) {
        // The source is named once, and then each tool, with what was accepted for it.
        let starts: Vec<usize> = (0..line.len()).filter(|at| line[*at] == "--tool").collect();
        let end = starts.get(tool + 1).copied().unwrap_or(line.len());
        return Asked::Bridge(owned(&[&line[..starts[0]], &line[starts[tool]..end]].concat()));
    }
    let tool = listed(list)[tool];
    if server.is_null() || tool.get("inputSchema").is_none() {
        return Asked::Nothing;
    }
    let (url, started) = match server.get("url") {
        Some(url) => (url.clone(), Value::Null),
        None => (Value::Null, server.clone()),
    };
    Asked::Mcp(json!([started, url, tool["name"], input]))
}

fn words(argv: &[String]) -> Vec<&str> {
    argv.iter().map(String::as_str).collect()
}

/// The defaults of the schema are filled in first.
pub(crate) fn with_defaults(schema: &Value, input: &Value) -> Value {
    let mut filled = input.as_object().cloned().unwrap_or_default();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let (Some(default), false) = (property.get("default"), filled.contains_key(name)) {
            filled.insert(name.clone(), default.clone());
        }
    }
    Value::Object(filled)
}

fn install(manifest: &Value, tool: usize, input: &Value) -> Asked {
    let runtime = &manifest["runtime"];
    let entrypoint = texts(&runtime["entrypoint"]["command"]);
    let cwd = runtime["entrypoint"]["cwd"].as_str().map(str::to_owned);
    let Some(action) = manifest["actions"].get(tool) else {
        return Asked::Own(json!(["unstated", runtime["entrypoint"], runtime["endpoint_url"]]));
    };
    let input = with_defaults(&action["input"], input);
    let invocation = &action["invocation"];
    let template = texts(&invocation["argv_template"]);
    let filled = || template.iter().map(|part| fill(part, &input));
    let variables = manifest["env"].as_array().into_iter().flatten();
    let named = variables.filter_map(|one| one["name"].as_str()).map(str::to_owned).collect();
    match invocation["kind"].as_str().unwrap_or_default() {
        "subcommand" => Asked::Run {
            argv: entrypoint.into_iter().chain(filled()).collect(),
            stdin: None,
            cwd,
            named,
        },
        "stdin-json" => Asked::Run {
            argv: entrypoint.into_iter().chain(filled()).collect(),
            stdin: Some(input.clone()),
            cwd,
            named,
        },
        "http" => request(runtime, invocation, &input),
        "mcp-tool" => Asked::Mcp(json!([
            runtime["entrypoint"],
            runtime["endpoint_url"],
            invocation["tool_name"],
            input
        ])),
        _ => Asked::Nothing,
    }
}

fn request(runtime: &Value, invocation: &Value, input: &Value) -> Asked {
    let path = invocation["path"].as_str().unwrap_or_default();
    let base = runtime["endpoint_url"].as_str().unwrap_or_default();
    // A path begins with a slash, so one at the end of what it is appended to is one too many.
    let base = base.strip_suffix('/').unwrap_or(base);
    let method = invocation["method"].as_str().unwrap_or_default().to_owned();
    let rest: Map<String, Value> = input
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !path.contains(&format!("${{input.{name}}}")))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let headers = invocation["headers"].as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| {
        let value = value.as_str().unwrap_or_default().replace("${env.", "${");
        (name.to_ascii_lowercase(), fill(&value, input))
    });
    let body = !matches!(method.as_str(), "GET" | "DELETE");
    Asked::Send {
        url: format!("{base}{}", fill(path, input)),
        headers: headers.collect(),
        body: body.then_some(Value::Object(rest)),
        method,
    }
}

/// A template with its values put in. What has none stays: both sides then show it.
fn fill(template: &str, input: &Value) -> String {
    let mut out = template.to_owned();
    for (name, value) in input.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        out = out.replace(&format!("${{input.{name}}}"), &value);
    }
    out
}
