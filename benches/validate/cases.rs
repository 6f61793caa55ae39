//! The documents: for each format a small one, and one of the size that people write.

#![allow(clippy::too_many_lines)] // documents, written out

use serde_json::{Map, Value, json};
use toolglot::{Format, capability, install_manifest, jumith, mcpkg, tools_json};

use super::{Case, schemas};

pub(super) fn all() -> Vec<Case> {
    let case = |name, format: &'static Format, bytes| {
        let schema = match format.name {
            "tools-json" => schemas::tools_json(),
            "mcpkg" => schemas::mcpkg(),
            "install-manifest" => schemas::install_manifest(),
            "capability" => schemas::capability(),
            _ => schemas::jumith(),
        };
        Case { name, format, bytes, schema }
    };
    vec![
        case("echo.mcpkg", &mcpkg::FORMAT, file("echo.mcpkg.json")),
        case("charge.mcpkg", &mcpkg::FORMAT, file("charge.mcpkg.json")),
        case("30-fields.mcpkg", &mcpkg::FORMAT, charge(30)),
        case("1-tool.tools-json", &tools_json::FORMAT, tools(1)),
        case("1000-tools.tools-json", &tools_json::FORMAT, tools(1_000)),
        case("notes.install", &install_manifest::FORMAT, file("notes.install.json")),
        case("12-actions.install", &install_manifest::FORMAT, actions(12)),
        case("count.capability", &capability::FORMAT, file("count.capability.json")),
        case("issues.capability", &capability::FORMAT, issues()),
        case("alpha.jumith", &jumith::FORMAT, alpha()),
        case("mail.jumith", &jumith::FORMAT, mail()),
    ]
}

fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/examples/manifests/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("an example")
}

fn pretty(document: &Value) -> Vec<u8> {
    serde_json::to_vec_pretty(document).expect("JSON")
}

/// A manifest whose tool takes and returns that many fields.
fn charge(count: usize) -> Vec<u8> {
    let schema = fields(count);
    pretty(&json!({
        "toolId": "acme.payments.create_charge",
        "name": "Create charge",
        "version": "1.4.2",
        "description": "Creates a payment charge for a customer and an amount.",
        "capabilities": ["payments", "charges", "acme"],
        "endpoint": {"type": "http", "method": "POST", "url": "https://api.acme.example/v1/charges"},
        "input_schema": schema,
        "output_schema": schema,
        "tests": ["tests/basic_charge.test.json"],
        "examples": ["examples/basic_usage.md"],
        "meta": {"license": "proprietary"}
    }))
}

fn tools(count: usize) -> Vec<u8> {
    let tool = |i: usize| {
        json!({
            "name": format!("get_time_{i}"),
            "description": "Get current time for an IANA timezone",
            "schema": {
                "type": "object",
                "properties": {
                    "timezone": {"type": "string", "description": "IANA timezone, e.g. Europe/Helsinki"},
                    "tz": {"type": "string", "description": "Alias for timezone (deprecated)"}
                },
                "required": ["timezone"],
                "additionalProperties": false
            },
            "command": [format!("./tools/bin/get_time_{i}")],
            "timeoutSec": 5,
            "envPassthrough": ["TZ", "OAI_HTTP_TIMEOUT"]
        })
    };
    pretty(&json!({ "tools": (0..count).map(tool).collect::<Vec<_>>() }))
}

/// A manifest of a program with that many actions.
fn actions(count: usize) -> Vec<u8> {
    let action = |i: usize| {
        json!({
            "name": format!("search_notes_{i}"),
            "summary": "Finds the notes that hold all of the words, newest first.",
            "docs": {
                "goal": "Find notes by the words in them.",
                "inputs_brief": "Words, and how many notes to return.",
                "errors_brief": "NOT_FOUND when there is no such notebook."
            },
            "invocation": {
                "kind": "subcommand",
                "argv_template": ["search", "--limit", "${input.limit}", "--", "${input.query}"]
            },
            "input": {
                "type": "object",
                "properties": {
                    "query": {"type": "string", "description": "Words that a note must hold.", "maxLength": 280},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25}
                },
                "required": ["query", "limit"],
                "additionalProperties": false
            },
            "output": {"format": "json", "schema": {"type": "object", "properties": {"notes": {"type": "array"}}}},
            "side_effects": "read",
            "idempotent": true,
            "scopes_used": ["fs.local"],
            "error_envelope": "standard"
        })
    };
    pretty(&json!({
        "manifest_version": "0.4",
        "tool": {
            "id": "notes",
            "version": "1.4.2",
            "name": "Notes",
            "summary": "Keeps notes in files, and finds them by the words in them.",
            "homepage": "https://example.com/notes",
            "author": {"name": "Acme", "email": "notes@example.com", "url": "https://example.com"},
            "license": "MIT",
            "tags": ["notes", "files", "search"]
        },
        "runtime": {
            "kind": "shell-binary",
            "install": {"method": "pip", "package": "notes", "version_spec": "==1.4.2"},
            "entrypoint": {"command": ["notes", "--json"]}
        },
        "env": [{
            "name": "NOTES_KEY",
            "prompt": "The key of your account",
            "secret": true,
            "required": false,
            "validation_regex": "^[a-z0-9]+$",
            "obtain_url": "https://example.com/keys"
        }],
        "scopes": [
            {"resource": "fs.local", "actions": ["read", "write"], "rationale": "Notes are files."}
        ],
        "actions": (0..count).map(action).collect::<Vec<_>>(),
        "verify": {"sla": {"p50_latency_ms": 80, "p95_latency_ms": 400}},
        "data_boundary": {
            "reads": [{"resource": "fs.local", "sensitivity": "medium"}],
            "persists": [{"where": "tool_local", "fields": ["notes"]}],
            "retention": {"tool_local_days": 365}
        },
        "smoke": {
            "kind": "shell",
            "command": ["notes", "--version"],
            "success": {"exit_code": 0, "stdout_regex": "^notes 1"}
        },
        "kill_switch": {"kind": "shell", "command": ["notes", "revoke"]},
        "support": {"issues_url": "https://example.com/notes/issues"}
    }))
}

/// A capability with schemas and a secret.
fn issues() -> Vec<u8> {
    pretty(&json!({
        "id": "tracker.issues.search",
        "type": "tool",
        "version": "1.4.2",
        "description": "Finds the issues of a repository that match a query, newest first.",
        "origin": {
            "source": "url",
            "url": "https://registry.example.com/capabilities/tracker.issues.search",
            "digest": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
        },
        "interfaces": {"inputs": fields(6), "outputs": fields(4)},
        "permissions": {
            "network": "allowlist",
            "network_allowlist": ["api.example.com", "registry.example.com"],
            "filesystem": "none",
            "devices": []
        },
        "runtime": {
            "sandbox": "container",
            "resources": {"cpu": "500m", "memory": "128Mi"},
            "timeout_seconds": 30
        },
        "trust_level": "verified",
        "enabled": true,
        "execution": {"channel": "programmatic"},
        "secrets": [{"name": "TRACKER_TOKEN", "ref": "vault://kv/unison/tracker#token"}],
        "implementation": {
            "kind": "mcp_tool",
            "mcp": {
                "registry_url": "https://registry.example.com/mcp",
                "tool_name": "search_issues",
                "server_id": "tracker"
            }
        }
    }))
}

/// No more than a tool of a registry must say.
fn alpha() -> Vec<u8> {
    pretty(&json!({
        "id": "tool:alpha",
        "name": "alpha",
        "version": "1.0.0",
        "summary": "Sends mail",
        "description": "Sends one mail.",
        "tags": ["email", "smtp"],
        "provider": "acme",
        "entry": {"runtime": "node", "main": "dist/index.js", "export": "tool"}
    }))
}

/// A tool with schemas, secrets and a digest.
fn mail() -> Vec<u8> {
    pretty(&json!({
        "id": "tool:email.send",
        "name": "email.send",
        "version": "2.1.0",
        "summary": "Sends an e-mail to one or several people.",
        "description": "Sends an e-mail over SMTP. Attachments are paths in the working folder.",
        "tags": ["email", "smtp", "messaging"],
        "provider": "acme",
        "entry": {"runtime": "node", "main": "dist/index.js", "export": "tool"},
        "schema": {"input": fields(8), "output": fields(2)},
        "requiresApproval": true,
        "requiredSecrets": ["SMTP_USER", "SMTP_PASSWORD"],
        "sha256": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
    }))
}

/// The schema of an object with that many fields.
fn fields(count: usize) -> Value {
    let field = |i: usize| {
        let description = "What the field means, in the sentence or two that authors spend on it.";
        let value = json!({"type": "string", "description": description, "maxLength": 280});
        (format!("field_{i}"), value)
    };
    json!({
        "type": "object",
        "properties": (0..count).map(field).collect::<Map<_, _>>(),
        "required": ["field_0"],
        "additionalProperties": false
    })
}
