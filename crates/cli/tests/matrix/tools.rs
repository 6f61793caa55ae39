//! Real tools, one of each kind, as their own formats describe them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::folder;
use crate::server::Server;

pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) format: &'static str,
    pub(crate) manifest: PathBuf,
}

fn input() -> Value {
    json!({
        "type": "object",
        "required": ["name", "count"],
        "properties": {"name": {"type": "string"}, "count": {"type": "integer"}},
        "additionalProperties": false,
    })
}

fn output() -> Value {
    json!({
        "type": "object",
        "required": ["greeting", "count"],
        "properties": {"greeting": {"type": "string"}, "count": {"type": "integer"}},
    })
}

fn tool(name: &'static str, format: &'static str, file: &str, manifest: &Value) -> Tool {
    let path = folder(name).join(file);
    fs::write(&path, manifest.to_string()).unwrap();
    Tool { name, format, manifest: path }
}

/// Writes a program. Another process does: a file that this one has open for writing while
/// another thread starts a program cannot be run.
fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let write = r#"printf '%s' "$2" > "$1""#;
    let written = Command::new("/bin/sh").args(["-c", write, "sh"]).arg(path).arg(text).status();
    assert!(written.unwrap().success());
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A program below the folder of the manifest, which reads its arguments as JSON.
pub(crate) fn program_of_tools_json() -> Tool {
    let manifest = json!({"tools": [{
        "name": "greet", "description": "Greets.", "schema": input(),
        "command": ["./tools/bin/greet", "hello"],
    }]});
    let tool = tool("program", "tools-json", "tools.json", &manifest);
    let script = r#"#!/bin/sh
text=$(cat)
name=$(printf '%s' "$text" | sed -n 's/.*"name": *"\([^"]*\)".*/\1/p')
count=$(printf '%s' "$text" | sed -n 's/.*"count": *\([0-9]*\).*/\1/p')
printf '{"greeting":   "%s %s",\n  "count": %s}\n' "$1" "$name" "$count"
"#;
    program(&tool.manifest.with_file_name("tools/bin/greet"), script);
    tool
}

/// An HTTP endpoint.
pub(crate) fn request_of_mcpkg(server: &Server) -> Tool {
    let manifest = json!({
        "toolId": "demo.greet.request", "name": "Greet", "version": "1.0.0",
        "description": "Greets.", "capabilities": ["greet"],
        "endpoint": {"type": "http", "method": "POST", "url": format!("{}/greet", server.url)},
        "input_schema": input(), "output_schema": output(),
    });
    tool("request", "mcpkg", "mcpkg.json", &manifest)
}

fn installed(name: &'static str, entrypoint: &Value, kind: &str, invocation: &Value) -> Tool {
    let manifest = json!({
        "manifest_version": "0.4",
        "tool": {"id": "demo", "version": "1.0.0", "name": "Demo", "summary": "Greets.",
            "homepage": "https://example.com"},
        "runtime": {"kind": kind, "install": {"method": "preinstalled",
            "locator": {"kind": "binary-on-path", "binary": "sh"}}, "entrypoint": entrypoint},
        "actions": [{"name": "greet", "summary": "Greets.", "side_effects": "read",
            "invocation": invocation, "input": input(),
            "output": {"format": "json", "schema": output()}}],
        "smoke": {"kind": "shell", "command": ["sh", "-c", "true"], "success": {"exit_code": 0}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"},
    });
    tool(name, "install-manifest", "install.json", &manifest)
}

/// A program that takes several arguments.
pub(crate) fn program_with_arguments() -> Tool {
    let at = folder("arguments-bin").join("greet");
    let script = r#"#!/bin/sh
[ "$1" = --name ] && [ "$3" = --count ] && [ $# = 4 ] || exit 9
printf '{"greeting": "hello %s", "count": %s}\n' "$2" "$4"
"#;
    program(&at, script);
    let entrypoint = json!({"command": [at]});
    let template = json!(["--name", "${input.name}", "--count", "${input.count}"]);
    let invocation = json!({"kind": "subcommand", "argv_template": template});
    installed("arguments", &entrypoint, "shell-binary", &invocation)
}

/// A program that speaks MCP.
fn server_program() -> PathBuf {
    let at = folder("mcp-bin").join("server");
    let script = r#"#!/bin/sh
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
  *'"method":"initialize"'*)
    printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}}\n' "$id" ;;
  *'"method":"tools/call"'*)
    name=$(printf '%s' "$line" | sed -n 's/.*"arguments":{[^}]*"name":"\([^"]*\)".*/\1/p')
    count=$(printf '%s' "$line" | sed -n 's/.*"count":\([0-9]*\).*/\1/p')
    text=$(printf '{\\"greeting\\": \\"hello %s\\", \\"count\\": %s}' "$name" "$count")
    printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}],"structuredContent":{"greeting":"hello %s","count":%s}}}\n' "$id" "$text" "$name" "$count" ;;
  esac
done
"#;
    program(&at, script);
    at
}

/// An MCP server.
pub(crate) fn mcp_server() -> Tool {
    let entrypoint = json!({"command": [server_program()]});
    let invocation = json!({"kind": "mcp-tool", "tool_name": "greet"});
    installed("mcp", &entrypoint, "mcp-stdio", &invocation)
}

/// The same as the server of a bundle. What its tool takes is for the server to say.
pub(crate) fn bundle() -> Tool {
    let program = server_program();
    let manifest = json!({
        "manifest_version": "0.3", "name": "demo", "version": "1.0.0", "description": "Greets.",
        "author": {"name": "A. Person"},
        "server": {"type": "binary", "entry_point": program, "mcp_config": {"command": program}},
        "tools": [{"name": "greet", "description": "Greets."}],
    });
    tool("bundle", "mcpb", "manifest.json", &manifest)
}

fn capability(name: &'static str, server: &Server, implementation: &Value) -> Tool {
    let manifest = json!({
        "id": "demo.greet", "type": "tool", "version": "1.0.0", "description": "Greets.",
        "origin": {"source": "local", "path": "greet.json", "digest": "0".repeat(64)},
        "interfaces": {"inputs": input(), "outputs": output()},
        "permissions": {"network": "allowlist", "network_allowlist": [format!("{}/", server.url)],
            "filesystem": "none", "devices": []},
        "runtime": {"sandbox": "process", "resources": {"cpu": "default", "memory": "default"}},
        "trust_level": "verified", "implementation": implementation,
    });
    tool(name, "capability", "capability.json", &manifest)
}

/// A tool that a registry knows the server of.
pub(crate) fn registry_tool(server: &Server) -> Tool {
    let registry = format!("{}/registry", server.url);
    let mcp = json!({"registry_url": registry, "tool_name": "greet", "server_id": "greeter"});
    capability("registry", server, &json!({"kind": "mcp_tool", "mcp": mcp}))
}

/// Another agent.
pub(crate) fn agent(server: &Server) -> Tool {
    let a2a = json!({"endpoint": format!("{}/agent", server.url)});
    capability("agent", server, &json!({"kind": "a2a_rpc", "a2a": a2a}))
}

/// A Node module.
pub(crate) fn node_module() -> Tool {
    let manifest = json!({
        "id": "tool:demo.greet", "name": "greet", "version": "1.0.0", "summary": "Greets.",
        "description": "Greets.",
        "inputSchema": input(), "outputSchema": output(),
        "entry": {"runtime": "node", "main": "index.mjs", "export": "greet"},
    });
    let tool = tool("module", "jumith", "tool.json", &manifest);
    let module = "export const greet = { name: 'greet', description: 'Greets.',\n\
                  async execute({ name, count }) {\n\
                  return { greeting: `hello ${name}`, count };\n} };\n";
    fs::write(tool.manifest.with_file_name("index.mjs"), module).unwrap();
    tool
}
