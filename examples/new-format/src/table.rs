//! What a `manifest.json` of an MCP bundle looks like, as data.

use manifest_core::table::{Format, Grammar, Member, Object, Shape, Table, may, must};
use manifest_core::{has_control, url, version};

use crate::rules;

/// Version 0.3 alone.
pub(crate) static TABLE: Table =
    Table { root: &Object::closed(&MANIFEST), versions: &["0.3"], stated: None };

static VERSION: Shape = Shape::Word(&["0.3"]);
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
/// Names are shown to people, and are words of command lines.
static NAME: Shape = Shape::matching(&Grammar {
    pattern: r"^[^\x00-\x1f\x7f-\x9f]*$",
    described: "a text without control characters",
    matches: |text| !has_control(text),
});
static SEMVER: Shape = Shape::matching(&Grammar {
    pattern: r"^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$",
    described: "a SemVer version",
    matches: |text| version::parse_exact(text).is_ok(),
});
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
    must("name", &NAME),
    may("display_name", &Shape::TEXT),
    must("version", &SEMVER),
    must("description", &Shape::TEXT),
    may("long_description", &Shape::TEXT),
    must("author", &Shape::Object(&Object::closed(&AUTHOR))),
    may("repository", &Shape::Object(&Object::closed(&REPOSITORY))),
    may("homepage", &URI),
    may("documentation", &URI),
    may("support", &URI),
    may("icon", &Shape::TEXT),
    may("icons", &Shape::list(&Shape::Object(&Object::closed(&ICON)))),
    may("screenshots", &Shape::TEXTS),
    may("localization", &Shape::Object(&Object::closed(&LOCALIZATION))),
    must("server", &Shape::Object(&Object::closed(&SERVER))),
    may("tools", &Shape::list(&Shape::Object(&Object::closed(&TOOL)))),
    may("tools_generated", &Shape::Bool),
    may("prompts", &Shape::list(&Shape::Object(&Object::closed(&PROMPT)))),
    may("prompts_generated", &Shape::Bool),
    may("keywords", &Shape::TEXTS),
    may("license", &Shape::TEXT),
    may("privacy_policies", &Shape::list(&URI)),
    may("compatibility", &Shape::Object(&Object::closed(&COMPATIBILITY))),
    may("user_config", &Shape::Map(&Shape::Object(&Object::closed(&SETTING)))),
    may("_meta", &Shape::Map(&Shape::Opaque)),
];

/// Who wrote it.
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

/// What is started.
pub(crate) static SERVER: [Member; 3] = [
    must("type", &Shape::Word(&["python", "node", "binary"])),
    must("entry_point", &Shape::TEXT),
    must("mcp_config", &Shape::Object(&Object::closed(&CONFIG))),
];

/// How it is started.
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

/// A tool of the server.
pub(crate) static TOOL: [Member; 2] = [must("name", &NAME), may("description", &Shape::TEXT)];

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

/// What the user is asked for.
static SETTING: [Member; 9] = [
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
