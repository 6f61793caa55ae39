//! The members of a `manifest.json` of an MCP bundle as data, in all four versions.

use manifest_core::json::Node;
use manifest_core::table::{
    Condition, Format, Grammar, Member, Need, Object, Own, Shape, Table, may, must,
};
use manifest_core::{Report, Rule, quoted, url};
use serde_json::json;

use crate::rules;

/// The versions, oldest first.
pub(crate) static VERSIONS: [&str; 4] = ["0.1", "0.2", "0.3", "0.4"];

const V0_2: u8 = 1;
const V0_3: u8 = 2;
const V0_4: u8 = 3;

pub(crate) static TABLE: Table = Table {
    root: &Object::closed(&MANIFEST).needing(&[ONE_VERSION]),
    versions: &VERSIONS,
    stated: Some("manifest_version"),
};

/// The old and the new name of the version must have equal values.
const ONE_VERSION: Need =
    Need { what: Condition::Own(&SAME_VERSION), since: 0, rule: &rules::VERSIONS };

static SAME_VERSION: Own = Own {
    check: |root, rule, report| {
        let [old, new] = ["dxt_version", "manifest_version"].map(|name| root.get(name));
        if let (Some(old), Some(new)) = (old, new)
            && let (Some(older), Some(newer)) = (old.text(), new.text())
            && older != newer
        {
            report.add(rule, old, format!("`manifest_version` is {}", quoted(&newer)));
        }
    },
    schema: || {
        let same = |version: &&str| {
            let is = json!({ "const": version });
            json!({ "properties": { "dxt_version": is, "manifest_version": is } })
        };
        json!({ "anyOf": VERSIONS.iter().map(same).collect::<Vec<_>>() })
    },
};

static VERSION: Shape = Shape::matching(&Grammar {
    pattern: r"^0\.[1-4]$",
    described: "a version from 0.1 to 0.4",
    matches: |text| VERSIONS.contains(&text),
});
static URI: Shape = Shape::formatted(&Format {
    word: "uri",
    described: "a URI",
    matches: url::is_uri,
    rule: &rules::URI,
});
static SIZE: Grammar = Grammar {
    pattern: r"^\d+x\d+$",
    described: "width and height, such as 16x16",
    matches: |text| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        text.split_once('x').is_some_and(|(width, height)| digits(width) && digits(height))
    },
};
static RESOURCES: Grammar = Grammar {
    pattern: r"\$\{locale\}",
    described: "a path that names ${locale}",
    matches: |text| text.contains("${locale}"),
};
static LOCALE: Grammar = Grammar {
    pattern: r"^[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{1,8})*$",
    described: "a language tag, such as en-US",
    matches: |text| {
        text.split('-').enumerate().all(|(index, part)| {
            let least = if index == 0 { 2 } else { 1 };
            (least..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    },
};

/// A manifest.
pub(crate) static MANIFEST: [Member; 28] = [
    may("$schema", &Shape::TEXT),
    may("dxt_version", &VERSION),
    may("manifest_version", &VERSION),
    must("name", &Shape::TEXT),
    may("display_name", &Shape::TEXT),
    must("version", &Shape::TEXT),
    must("description", &Shape::TEXT),
    may("long_description", &Shape::TEXT),
    must("author", &Shape::Object(&Object::closed(&AUTHOR))),
    may("repository", &Shape::Object(&Object::closed(&REPOSITORY))),
    may("homepage", &URI),
    may("documentation", &URI),
    may("support", &URI),
    may("icon", &Shape::TEXT),
    may("icons", &Shape::list(&Shape::Object(&Object::closed(&ICON)))).since(V0_3),
    may("screenshots", &Shape::TEXTS),
    may("localization", &Shape::Object(&Object::closed(&LOCALIZATION))).since(V0_3),
    must("server", &Shape::Object(&Object::closed(&SERVER).needing(&[CONFIGURED]))),
    may("tools", &Shape::list(&Shape::Object(&Object::closed(&TOOL)))),
    may("tools_generated", &Shape::Bool),
    may("prompts", &Shape::list(&Shape::Object(&Object::closed(&PROMPT)))),
    may("prompts_generated", &Shape::Bool),
    may("keywords", &Shape::TEXTS),
    may("license", &Shape::TEXT),
    may("privacy_policies", &Shape::list(&URI)).since(V0_2),
    may("compatibility", &Shape::Object(&Object::closed(&COMPATIBILITY))),
    may("user_config", &Shape::Map(&Shape::Object(&Object::closed(&SETTING)))),
    may("_meta", &Shape::Map(&Shape::Opaque)).since(V0_3),
];

/// The members of `author`.
pub(crate) static AUTHOR: [Member; 3] =
    [must("name", &Shape::TEXT), may("email", &Shape::TEXT), may("url", &URI)];

static REPOSITORY: [Member; 2] = [must("type", &Shape::TEXT), must("url", &URI)];

static ICON: [Member; 3] = [
    must("src", &Shape::TEXT),
    must("size", &Shape::matching(&SIZE)),
    may("theme", &Shape::SOME_TEXT),
];

static LOCALIZATION: [Member; 2] = [
    must("resources", &Shape::matching(&RESOURCES)),
    must("default_locale", &Shape::matching(&LOCALE)),
];

/// The members of `server`.
pub(crate) static SERVER: [Member; 5] = [
    must("type", &Shape::Word(&["python", "node", "binary"])).until(V0_3),
    must("type", &Shape::Word(&["python", "node", "binary", "uv"])).since(V0_4),
    must("entry_point", &Shape::TEXT),
    must("mcp_config", &Shape::Object(&Object::closed(&CONFIG))).until(V0_3),
    may("mcp_config", &Shape::Object(&Object::closed(&CONFIG))).since(V0_4),
];

/// From 0.4 on, the specification lets servers of the type `uv` omit `mcp_config`. The
/// published schema always requires it.
const CONFIGURED: Need =
    Need { what: Condition::Own(&CONFIG_UNLESS_UV), since: V0_4, rule: &rules::MCP_CONFIG };

static CONFIG_UNLESS_UV: Own = Own {
    check: |server, rule, report| {
        if !is_uv(server) {
            needs_config(server, rule, report);
        }
    },
    schema: || {
        json!({
            "if": { "properties": { "type": { "const": "uv" } } },
            "else": { "required": ["mcp_config"] },
        })
    },
};

fn is_uv(server: Node<'_>) -> bool {
    server.get("type").and_then(Node::text).as_deref() == Some("uv")
}

/// Reports a server without `mcp_config`.
pub(crate) fn needs_config(server: Node<'_>, rule: &'static Rule, report: &mut Report) {
    if server.get("mcp_config").is_none() {
        report.add(rule, server, "`mcp_config` is missing");
    }
}

/// The members of `mcp_config`.
pub(crate) static CONFIG: [Member; 4] = [
    must("command", &Shape::TEXT),
    may("args", &Shape::TEXTS),
    may("env", &Shape::Map(&Shape::TEXT)),
    may("platform_overrides", &Shape::Map(&Shape::Object(&Object::closed(&OVERRIDE)))),
];

static OVERRIDE: [Member; 3] = [
    may("command", &Shape::TEXT),
    may("args", &Shape::TEXTS),
    may("env", &Shape::Map(&Shape::TEXT)),
];

/// The members of a tool.
pub(crate) static TOOL: [Member; 2] =
    [must("name", &Shape::TEXT), may("description", &Shape::TEXT)];

static PROMPT: [Member; 4] = [
    must("name", &Shape::TEXT),
    may("description", &Shape::TEXT),
    may("arguments", &Shape::TEXTS),
    must("text", &Shape::TEXT),
];

static COMPATIBILITY: [Member; 3] = [
    may("claude_desktop", &Shape::TEXT),
    may("platforms", &Shape::list(&Shape::Word(&["darwin", "win32", "linux"]))),
    may("runtimes", &Shape::Object(&Object::closed(&RUNTIMES))),
];

static RUNTIMES: [Member; 2] = [may("python", &Shape::TEXT), may("node", &Shape::TEXT)];

/// The members of a setting in `user_config`.
pub(crate) static SETTING: [Member; 9] = [
    must("type", &Shape::Word(&["string", "number", "boolean", "directory", "file"])),
    must("title", &Shape::TEXT),
    must("description", &Shape::TEXT),
    may("required", &Shape::Bool),
    may("default", &Shape::OneOf(&[Shape::TEXT, NUMBER, Shape::Bool, Shape::TEXTS])),
    may("multiple", &Shape::Bool),
    may("sensitive", &Shape::Bool),
    may("min", &NUMBER),
    may("max", &NUMBER),
];

const NUMBER: Shape = Shape::Number { min: None, max: None };
