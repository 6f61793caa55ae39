//! Lift and lower.
//!
//! Each action is a tool; what the manifest says beside them is said of each. A
//! manifest without actions is one tool, the whole of it. `^` stands for the
//! manifest around the actions.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `^tool.id` and `name` | `<tool>.<action>` |
//! | `name` | `name` | absent for the whole of a manifest |
//! | `package` | `^tool` | id, namespace, name, summary, description |
//! | `package.argv`, `package.url` | `^runtime.entrypoint.command`, `^runtime.endpoint_url` | what the calls of all actions begin with |
//! | `summary`, `description` | `summary`, `description` | |
//! | `version`, `tags`, `homepage`, `license`, `support` | `^tool`, `^support` | versions made to fit the pattern |
//! | `publisher` | `^tool.author` | |
//! | `kind` | `^runtime.kind` | an MCP server, when a manifest without actions is one |
//! | `input_schema` | `input` | `true` becomes `{}` |
//! | `output_schema`, `output_format` | `output` | JSON, where the source does not say |
//! | `examples`, `error_envelope`, `idempotent` | the same | |
//! | `side_effects` | `side_effects` | destructive, where the source does not say |
//! | `invocation.command` | `invocation` `subcommand` or `stdin-json`, `^runtime.entrypoint` | what has no home here goes through the bridge program |
//! | `invocation.http` | `invocation` `http`, `^runtime.endpoint_url` | |
//! | `invocation.mcp_tool` | `invocation` `mcp-tool`, `^runtime` | |
//! | `acquisition` | `^runtime.install` | a git reference that cannot resolve, where the source does not say |
//! | `env` | `^env` | secret, where the source does not say |
//! | `scopes` | `^scopes`, `scopes_used` | |
//! | `smoke`, `verify`, `revocation`, `cost`, `data_boundary` | `^smoke`, `^verify`, `^kill_switch`, `^cost`, `^data_boundary` | as written |
//!
//! Everything else has no home here, and travels in the residue. Tools become one
//! manifest when they come one after the other, name the same package, and agree
//! on all that a manifest says once; otherwise a list of manifests.

use manifest_core::json::Node;
use manifest_core::{Detected, Format, Row, Text};

use crate::words::Version;
use crate::{check, rules};

mod call;
mod fit;
mod lift;
mod lower;
mod parts;
mod versions;

pub use versions::format_of;

const fn row(field: &'static str, member: &'static str, note: &'static str) -> Row {
    Row { field, member, note }
}

/// The format, for conversion. It writes the lowest version, from 0.2 on, that
/// can say what there is to say.
pub static FORMAT: Format = Format {
    name: "install-manifest",
    mapping: MAPPING,
    rules: rules::RULES,
    list: true,
    catalog: None,
    identity: &["name", "resource", "tool/id"],
    detect,
    validate: check::validate,
    read: lift::read,
    write: |lifted, defaults| lower::write(lifted, defaults, None),
};

/// Fields that are no fields of a descriptor are of this format alone: nothing
/// feeds them, and nothing takes them.
const MAPPING: &[Row] = &[
    row("/name", "/name", ""),
    row("/id", "/name", "the action's part"),
    row("/summary", "/summary", ""),
    row("/description", "/description", ""),
    row("/invocation", "/invocation/kind", ""),
    row("/invocation/command/argv", "/invocation/argv_template", "before the input on stdin"),
    row("/invocation/command/input/templates", "/invocation/argv_template", ""),
    row("/invocation/http/method", "/invocation/method", ""),
    row("/invocation/http/url", "/invocation/path", "after the endpoint's URL"),
    row("/invocation/http/path", "/invocation/path", "a template"),
    row("/invocation/http/headers", "/invocation/headers", ""),
    row("/invocation/mcp_tool/tool", "/invocation/tool_name", ""),
    row("/input_schema", "/input", "as written"),
    row("/output_schema", "/output/schema", "as written"),
    row("/output_format", "/output/format", ""),
    row("/side_effects", "/side_effects", "destructive when unknown"),
    row("/idempotent", "/idempotent", ""),
    row("/scopes", "/scopes_used", "those that are used"),
    row("/error_envelope", "/error_envelope", ""),
    row("/examples", "/examples", ""),
    row("/derived/manifest_version", "^/manifest_version", "the version of the format"),
    row("/package/namespace", "^/tool/namespace", ""),
    row("/package/id", "^/tool/id", "made to fit the grammar"),
    row("/id", "^/tool/id", "the package's part"),
    row("/title", "^/tool/name", "of the whole"),
    row("/package/title", "^/tool/name", ""),
    row("/summary", "^/tool/summary", "of the whole"),
    row("/package/summary", "^/tool/summary", ""),
    row("/description", "^/tool/description", "of the whole"),
    row("/package/description", "^/tool/description", ""),
    row("/version", "^/tool/version", "made to fit the pattern"),
    row("/homepage", "^/tool/homepage", ""),
    row("/publisher/name", "^/tool/author/name", ""),
    row("/publisher/email", "^/tool/author/email", ""),
    row("/publisher/url", "^/tool/author/url", ""),
    row("/license", "^/tool/license", ""),
    row("/tags", "^/tool/tags", ""),
    row("/kind", "^/runtime/kind", "an MCP server, when there are no actions"),
    row("/derived/runtime_kind", "^/runtime/kind", "from the invocation and the installation"),
    row("/acquisition", "^/runtime/install", ""),
    row("/invocation/mcp_tool/argv", "^/runtime/entrypoint/command", ""),
    row("/package/argv", "^/runtime/entrypoint/command", ""),
    row("/invocation/command/argv", "^/runtime/entrypoint/command", "the beginning"),
    row("/invocation/command/cwd", "^/runtime/entrypoint/cwd", ""),
    row("/package/cwd", "^/runtime/entrypoint/cwd", "where an MCP server runs"),
    row("/invocation/mcp_tool/url", "^/runtime/endpoint_url", ""),
    row("/package/url", "^/runtime/endpoint_url", ""),
    row("/invocation/http/url", "^/runtime/endpoint_url", "the beginning"),
    row("/env", "^/env", "secret when unknown"),
    row("/scopes", "^/scopes", ""),
    row("/verify", "^/verify", "as written"),
    row("/data_boundary", "^/data_boundary", "as written"),
    row("/smoke", "^/smoke", "as written"),
    row("/revocation", "^/kill_switch", "as written"),
    row("/cost", "^/cost", "as written"),
    row("/support", "^/support", ""),
];

fn detect(root: Node<'_>) -> Option<Detected> {
    let one = |node: Node<'_>| {
        // Of any type: that it must be a string is for validation to say.
        let version = node.get("manifest_version")?.text();
        let known =
            ["tool", "runtime"].iter().all(|name| node.get(name).is_some_and(Node::is_object));
        known.then(|| version.map(Text::into_owned))
    };
    let versions: Option<Vec<Option<String>>> =
        if root.is_array() { root.elements().map(one).collect() } else { Some(vec![one(root)?]) };
    let latest =
        versions?.into_iter().max_by_key(|version| version.as_deref().map(Version::from_word))?;
    Some(Detected {
        version: latest,
        evidence: vec!["`manifest_version` is there", "`tool` and `runtime` are objects"],
    })
}
