//! The members of a `manifest.json` of an MCP bundle as data, in all four versions.

use manifest_core::json::Node;
use manifest_core::table::{
    Condition, CustomCondition, Grammar, Member, MemberCondition, Object, Shape, Table, TextFormat,
    optional, required,
};
use manifest_core::{Report, Rule, quoted, url};
use serde_json::json;

use crate::mcpb::rules;

/// The versions, oldest first.
pub(crate) static VERSIONS: [&str; 4] = ["0.1", "0.2", "0.3", NEWEST];

/// The version that is written by default.
pub(crate) const NEWEST: &str = "0.4";

const V0_2: u8 = 1;
const V0_3: u8 = 2;
const V0_4: u8 = 3;

pub(crate) static TABLE: Table = Table {
    root: &Object::closed(&MANIFEST).with_conditions(&[ONE_VERSION]),
    versions: &VERSIONS,
    version_member: Some("manifest_version"),
};

/// The old and the new name of the version must have equal values.
const ONE_VERSION: MemberCondition = MemberCondition {
    condition: Condition::Custom(&SAME_VERSION),
    since: 0,
    rule: &rules::VERSIONS,
};

static SAME_VERSION: CustomCondition = CustomCondition {
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
    description: "a version from 0.1 to 0.4",
    matches: |text| VERSIONS.contains(&text),
});
static URI: Shape = Shape::formatted(&TextFormat {
    name: "uri",
    description: "a URI",
    matches: url::is_uri,
    rule: &rules::URI,
});
static SIZE: Grammar = Grammar {
    pattern: r"^\d+x\d+$",
    description: "width and height, such as 16x16",
    matches: |text| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        text.split_once('x').is_some_and(|(width, height)| digits(width) && digits(height))
    },
};
static RESOURCES: Grammar = Grammar {
    pattern: r"\$\{locale\}",
    description: "a path that names ${locale}",
    matches: |text| text.contains("${locale}"),
};
static LOCALE: Grammar = Grammar {
    pattern: r"^[A-Za-z0-9]{2,8}(?:-[A-Za-z0-9]{1,8})*$",
    description: "a language tag, such as en-US",
    matches: |text| {
        text.split('-').enumerate().all(|(index, part)| {
            let least = if index == 0 { 2 } else { 1 };
            (least..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
        })
    },
};

/// A manifest.
pub(crate) static MANIFEST: [Member; 28] = [
    optional("$schema", &Shape::TEXT),
    optional("dxt_version", &VERSION),
    optional("manifest_version", &VERSION),
    required("name", &Shape::TEXT),
    optional("display_name", &Shape::TEXT),
    required("version", &Shape::TEXT),
    required("description", &Shape::TEXT),
    optional("long_description", &Shape::TEXT),
    required("author", &Shape::Object(&Object::closed(&AUTHOR))),
    optional("repository", &Shape::Object(&Object::closed(&REPOSITORY))),
    optional("homepage", &URI),
    optional("documentation", &URI),
    optional("support", &URI),
    optional("icon", &Shape::TEXT),
    optional("icons", &Shape::list(&Shape::Object(&Object::closed(&ICON)))).since(V0_3),
    optional("screenshots", &Shape::TEXTS),
    optional("localization", &Shape::Object(&Object::closed(&LOCALIZATION))).since(V0_3),
    required(
        "server",
        &Shape::Object(&Object::closed(&SERVER).with_conditions(&[CONFIG_REQUIRED])),
    ),
    optional("tools", &Shape::list(&Shape::Object(&Object::closed(&TOOL)))),
    optional("tools_generated", &Shape::Bool),
    optional("prompts", &Shape::list(&Shape::Object(&Object::closed(&PROMPT)))),
    optional("prompts_generated", &Shape::Bool),
    optional("keywords", &Shape::TEXTS),
    optional("license", &Shape::TEXT),
    optional("privacy_policies", &Shape::list(&URI)).since(V0_2),
    optional("compatibility", &Shape::Object(&Object::closed(&COMPATIBILITY))),
    optional("user_config", &Shape::Map(&Shape::Object(&Object::closed(&SETTING)))),
    optional("_meta", &Shape::Map(&Shape::Opaque)).since(V0_3),
];

/// The members of `author`.
pub(crate) static AUTHOR: [Member; 3] =
    [required("name", &Shape::TEXT), optional("email", &Shape::TEXT), optional("url", &URI)];

static REPOSITORY: [Member; 2] = [required("type", &Shape::TEXT), required("url", &URI)];

static ICON: [Member; 3] = [
    required("src", &Shape::TEXT),
    required("size", &Shape::matching(&SIZE)),
    optional("theme", &Shape::NON_EMPTY_TEXT),
];

static LOCALIZATION: [Member; 2] = [
    required("resources", &Shape::matching(&RESOURCES)),
    required("default_locale", &Shape::matching(&LOCALE)),
];

/// The members of `server`.
pub(crate) static SERVER: [Member; 5] = [
    required("type", &Shape::Enum(&["python", "node", "binary"])).until(V0_3),
    required("type", &Shape::Enum(&["python", "node", "binary", "uv"])).since(V0_4),
    required("entry_point", &Shape::TEXT),
    required("mcp_config", &Shape::Object(&Object::closed(&CONFIG))).until(V0_3),
    optional("mcp_config", &Shape::Object(&Object::closed(&CONFIG))).since(V0_4),
];

/// From 0.4 on, the specification lets servers of the type `uv` omit `mcp_config`. The
/// published schema always requires it.
const CONFIG_REQUIRED: MemberCondition = MemberCondition {
    condition: Condition::Custom(&CONFIG_UNLESS_UV),
    since: V0_4,
    rule: &rules::MCP_CONFIG,
};

static CONFIG_UNLESS_UV: CustomCondition = CustomCondition {
    check: |server, rule, report| {
        if !is_uv(server) {
            check_config(server, rule, report);
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
pub(crate) fn check_config(server: Node<'_>, rule: &'static Rule, report: &mut Report) {
    if server.get("mcp_config").is_none() {
        report.add(rule, server, "`mcp_config` is missing");
    }
}

/// The members of `mcp_config`.
pub(crate) static CONFIG: [Member; 4] = [
    required("command", &Shape::TEXT),
    optional("args", &Shape::TEXTS),
    optional("env", &Shape::Map(&Shape::TEXT)),
    optional("platform_overrides", &Shape::Map(&Shape::Object(&Object::closed(&OVERRIDE)))),
];

static OVERRIDE: [Member; 3] = [
    optional("command", &Shape::TEXT),
    optional("args", &Shape::TEXTS),
    optional("env", &Shape::Map(&Shape::TEXT)),
];

/// The members of a tool.
pub(crate) static TOOL: [Member; 2] =
    [required("name", &Shape::TEXT), optional("description", &Shape::TEXT)];

static PROMPT: [Member; 4] = [
    required("name", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    optional("arguments", &Shape::TEXTS),
    required("text", &Shape::TEXT),
];

static COMPATIBILITY: [Member; 3] = [
    optional("claude_desktop", &Shape::TEXT),
    optional("platforms", &Shape::list(&Shape::Enum(&["darwin", "win32", "linux"]))),
    optional("runtimes", &Shape::Object(&Object::closed(&RUNTIMES))),
];

static RUNTIMES: [Member; 2] = [optional("python", &Shape::TEXT), optional("node", &Shape::TEXT)];

/// The members of a setting in `user_config`.
pub(crate) static SETTING: [Member; 9] = [
    required("type", &Shape::Enum(&["string", "number", "boolean", "directory", "file"])),
    required("title", &Shape::TEXT),
    required("description", &Shape::TEXT),
    optional("required", &Shape::Bool),
    optional("default", &Shape::OneOf(&[Shape::TEXT, NUMBER, Shape::Bool, Shape::TEXTS])),
    optional("multiple", &Shape::Bool),
    optional("sensitive", &Shape::Bool),
    optional("min", &NUMBER),
    optional("max", &NUMBER),
];

const NUMBER: Shape = Shape::Number { min: None, max: None };
