//! The schemas that the other side checks with: the structure that each format asks
//! for, as its specification gives it. None of them looks into embedded schemas.

#![allow(clippy::too_many_lines)] // schemas, written out

use serde_json::{Value, json};

fn strings() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

/// An object with these members only.
fn closed(required: &[&str], properties: Value) -> Value {
    let mut object = json!({"type": "object", "required": required, "additionalProperties": false});
    object["properties"] = properties;
    object
}

/// A text that is not empty, and not longer than that.
fn text(longest: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": longest})
}

fn pattern(pattern: &str) -> Value {
    json!({"type": "string", "pattern": pattern})
}

fn words(words: &[&str]) -> Value {
    json!({"type": "string", "enum": words})
}

fn list(items: &Value, least: usize) -> Value {
    json!({"type": "array", "items": items, "minItems": least})
}

pub(super) fn tools_json() -> Value {
    json!({
        "type": "object",
        "required": ["tools"],
        "properties": {"tools": {"type": "array", "items": {
            "type": "object",
            "required": ["name", "command"],
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "description": {"type": "string"},
                "schema": {"type": "object"},
                "command": {"type": "array", "items": {"type": "string"}, "minItems": 1},
                "timeoutSec": {"type": "integer"},
                "envPassthrough": {"type": "array", "items": {"type": "string", "pattern": "^[A-Z_][A-Z0-9_]*$"}}
            }
        }}}
    })
}

pub(super) fn mcpkg() -> Value {
    let text = json!({"type": "string", "minLength": 1});
    json!({
        "type": "object",
        "required": ["toolId", "name", "version", "description", "capabilities", "input_schema", "output_schema"],
        "properties": {
            "toolId": {"type": "string", "pattern": "^[a-z0-9][a-z0-9_.-]*$"},
            "name": text, "description": text,
            "version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"},
            "capabilities": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "endpoint": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["http", "local"]}, "method": {"type": "string"},
                    "url": {"type": "string"}, "command": {"type": "string"},
                    "timeoutMs": {"type": "number", "exclusiveMinimum": 0}
                }
            },
            "input_schema": {"type": ["object", "boolean"]},
            "output_schema": {"type": ["object", "boolean"]},
            "auth": {
                "type": "object",
                "required": ["type"],
                "properties": {
                    "type": {"enum": ["none", "bearer", "api_key", "oauth2"]},
                    "scopes": strings(), "configHints": {"type": "object"}
                }
            },
            "tests": strings(), "examples": strings(),
            "meta": {
                "type": "object",
                "properties": {
                    "publisher": {"type": "object", "properties": {"id": text, "name": text, "website": text}},
                    "license": {"type": "string"}, "homepage": {"type": "string"}, "tags": strings()
                }
            }
        }
    })
}

pub(super) fn install_manifest() -> Value {
    let (string, flag) = (json!({"type": "string"}), json!({"type": "boolean"}));
    let uri = json!({"type": "string", "format": "uri"});
    let count = json!({"type": "integer", "minimum": 0});
    let name = pattern("^[a-z][a-z0-9_]{0,62}$");
    let tool = json!({
        "id": pattern("^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$"),
        "version": pattern("^[0-9]+\\.[0-9]+\\.[0-9]+(-[a-z0-9.-]+)?$"),
        "name": text(80), "summary": text(280), "description": {"type": "string", "maxLength": 4000},
        "homepage": uri, "license": string,
        "author": closed(&[], json!({"name": string, "email": string, "url": uri})),
        "tags": {"type": "array", "items": pattern("^[a-z0-9-]+$"), "maxItems": 16}
    });
    let package = |method: &str| {
        let members =
            json!({"method": {"const": method}, "package": text(999), "version_spec": string});
        closed(&["method", "package"], members)
    };
    let git = json!({"method": {"const": "git"}, "url": uri, "ref": string, "subpath": string});
    let image = json!({"method": {"const": "container"}, "image": string});
    let url = json!({"method": {"const": "url"}, "url": uri, "sha256": pattern("^[a-f0-9]{64}$")});
    let install = json!({"type": "object", "required": ["method"], "oneOf": [
        package("pip"), package("npm"), closed(&["method", "url", "ref"], git),
        closed(&["method", "image"], image), closed(&["method", "url", "sha256"], url),
    ]});
    let kinds =
        ["mcp-stdio", "mcp-http", "python-module", "node-module", "shell-binary", "container"];
    let runtime = json!({
        "kind": words(&kinds), "install": install, "endpoint_url": uri,
        "entrypoint": closed(&["command"], json!({"command": list(&string, 1), "cwd": string}))
    });
    let variable = json!({
        "name": pattern("^[A-Z][A-Z0-9_]*$"), "prompt": text(800), "secret": flag,
        "required": flag, "validation_regex": string, "default": string, "obtain_url": uri
    });
    let verbs = words(&["read", "write", "delete", "send", "execute", "admin"]);
    let scope = json!({
        "resource": string, "actions": list(&verbs, 1), "rationale": text(280), "provider_scope": string
    });
    let docs = json!({
        "goal": text(200), "inputs_brief": text(200), "outputs_brief": text(200),
        "errors_brief": text(200), "example": text(200)
    });
    let headers = json!({"type": "object", "additionalProperties": string});
    let methods = words(&["GET", "POST", "PUT", "PATCH", "DELETE"]);
    let invocation = json!({"type": "object", "oneOf": [
        closed(&["kind", "argv_template"], json!({"kind": {"const": "subcommand"}, "argv_template": list(&string, 1)})),
        closed(&["kind"], json!({"kind": {"const": "stdin-json"}, "argv_template": list(&string, 0)})),
        closed(&["kind", "method", "path"], json!({"kind": {"const": "http"}, "method": methods, "path": string, "headers": headers})),
        closed(&["kind", "tool_name"], json!({"kind": {"const": "mcp-tool"}, "tool_name": string})),
    ]});
    let formats = words(&["json", "text", "binary", "ndjson-stream", "none"]);
    let action = json!({
        "name": name, "summary": text(280), "description": {"type": "string", "maxLength": 4000},
        "docs": closed(&[], docs), "invocation": invocation, "input": {"type": "object"},
        "output": closed(&["format"], json!({"format": formats, "schema": {"type": "object"}})),
        "side_effects": words(&["none", "read", "write", "destructive"]), "idempotent": flag,
        "scopes_used": strings(), "error_envelope": words(&["standard", "raw"])
    });
    let sla = json!({"p50_latency_ms": count, "p95_latency_ms": count, "error_rate_max": {"type": "number"}});
    let reads = json!({"resource": text(999), "sensitivity": words(&["low", "medium", "high"])});
    let places = words(&["tool_local", "tool_cloud", "session_only"]);
    let persists = json!({"where": places, "fields": list(&text(999), 1)});
    let days =
        json!({"tool_local_days": count, "tool_cloud_days": count, "transmit_log_days": count});
    let boundary = json!({
        "reads": list(&closed(&["resource", "sensitivity"], reads), 0),
        "persists": list(&closed(&["where", "fields"], persists), 0),
        "retention": closed(&[], days)
    });
    let success = closed(
        &[],
        json!({
            "exit_code": {"type": "integer"}, "http_status": {"type": "integer"},
            "stdout_regex": string, "body_regex": string
        }),
    );
    let seconds = json!({"type": "integer", "minimum": 1, "maximum": 300});
    let smoke = json!({"type": "object", "required": ["kind", "success"], "oneOf": [
        closed(&["kind", "command", "success"], json!({"kind": {"const": "shell"}, "command": list(&string, 1), "timeout_seconds": seconds, "success": success})),
        closed(&["kind", "url", "success"], json!({"kind": {"const": "http"}, "url": uri, "timeout_seconds": seconds, "success": success})),
        closed(&["kind", "action", "success"], json!({"kind": {"const": "action-call"}, "action": name, "timeout_seconds": seconds, "success": success})),
    ]});
    let kill_switch = json!({"type": "object", "required": ["kind"], "oneOf": [
        closed(&["kind"], json!({"kind": {"const": "none"}})),
        closed(&["kind", "url"], json!({"kind": {"const": "url"}, "url": uri})),
        closed(&["kind", "command"], json!({"kind": {"const": "shell"}, "command": list(&string, 1)})),
    ]});
    let with_actions =
        json!({"enum": ["python-module", "node-module", "shell-binary", "container", "mcp-http"]});
    let mut manifest = closed(
        &["manifest_version", "tool", "runtime", "smoke", "kill_switch"],
        json!({
            "manifest_version": {"type": "string", "const": "0.4"},
            "tool": closed(&["id", "version", "name", "summary", "homepage"], tool),
            "runtime": closed(&["kind", "install"], runtime),
            "env": list(&closed(&["name", "prompt", "secret"], variable), 0),
            "scopes": list(&closed(&["resource", "actions", "rationale"], scope), 0),
            "actions": list(&closed(&["name", "summary", "invocation", "side_effects"], action), 0),
            "verify": closed(&[], json!({"sla": closed(&[], sla)})),
            "data_boundary": closed(&[], boundary),
            "smoke": smoke, "kill_switch": kill_switch,
            "support": closed(&[], json!({"issues_url": uri, "security_email": string, "docs_url": uri}))
        }),
    );
    manifest["allOf"] = json!([
        {"if": {"properties": {"runtime": {"properties": {"kind": with_actions}}}}, "then": {"required": ["actions"]}},
        {"if": {"properties": {"kill_switch": {"properties": {"kind": {"const": "none"}}}}}, "then": {"not": {"required": ["env"]}}},
    ]);
    manifest
}

pub(super) fn capability() -> Value {
    let (string, flag) = (json!({"type": "string", "minLength": 1}), json!({"type": "boolean"}));
    let uri = json!({"type": "string", "format": "uri"});
    let origin = json!({
        "source": words(&["url", "local"]), "digest": pattern("^(sha256:)?[0-9a-fA-F]{64}$"),
        "signature": string, "url": uri, "path": string
    });
    let permissions = json!({
        "network": words(&["deny", "allowlist"]), "filesystem": words(&["read", "write", "none"]),
        "devices": strings(), "network_allowlist": strings()
    });
    let runtime = json!({
        "sandbox": words(&["process", "container"]), "timeout_seconds": {"type": "number", "minimum": 0},
        "resources": closed(&["cpu", "memory"], json!({"cpu": string, "memory": string}))
    });
    let callable = pattern("^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$");
    let mcp = json!({"registry_url": uri, "tool_name": string, "server_id": string});
    let implementation = json!({
        "kind": words(&["command", "python", "mcp_tool", "a2a_rpc"]),
        "command": closed(&["argv"], json!({"argv": list(&string, 1)})),
        "python": closed(&["callable"], json!({"callable": callable})),
        "mcp": closed(&["registry_url", "tool_name"], mcp),
        "a2a": closed(&["endpoint"], json!({"endpoint": uri}))
    });
    let required = [
        "id",
        "type",
        "version",
        "description",
        "origin",
        "interfaces",
        "permissions",
        "runtime",
        "trust_level",
    ];
    let object = json!({"type": "object"});
    closed(
        &required,
        json!({
            "id": string, "description": string, "enabled": flag, "requires_oauth": flag,
            "type": words(&["tool", "mcp_server", "skill_pack", "a2a_peer", "agent_workflow"]),
            "version": pattern("^[0-9]+\\.[0-9]+\\.[0-9]+(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$"),
            "origin": closed(&["source", "digest"], origin),
            "interfaces": closed(&["inputs", "outputs"], json!({"inputs": object, "outputs": object})),
            "permissions": closed(&["network", "filesystem", "devices"], permissions),
            "runtime": closed(&["sandbox", "resources"], runtime),
            "trust_level": words(&["local", "verified", "community", "untrusted"]),
            "execution": closed(&[], json!({"channel": words(&["programmatic", "vdi_vpn"])})),
            "secrets": list(&closed(&["name", "ref"], json!({"name": string, "ref": string})), 0),
            "implementation": closed(&["kind"], implementation)
        }),
    )
}

pub(super) fn jumith() -> Value {
    let (string, flag) = (json!({"type": "string", "minLength": 1}), json!({"type": "boolean"}));
    let schema = json!({"type": ["object", "boolean"]});
    json!({
        "type": "object",
        "required": ["id", "name", "version", "summary", "description", "entry"],
        "properties": {
            "id": pattern("^[a-z]+:[A-Za-z0-9._-]+$"),
            "name": string, "summary": string, "description": string, "provider": string,
            "version": pattern("^[0-9]+\\.[0-9]+\\.[0-9]+"),
            "tags": strings(), "usesPayment": flag, "requiresApproval": flag,
            "entry": {
                "type": "object",
                "required": ["runtime", "main"],
                "properties": {"runtime": {"const": "node"}, "main": string, "export": string}
            },
            "schema": {"type": "object", "properties": {"input": schema, "output": schema}},
            "requiredSecrets": {"type": "array", "items": pattern("^[A-Za-z0-9_.-]+$")},
            "sha256": pattern("^[0-9a-f]{64}$")
        }
    })
}
