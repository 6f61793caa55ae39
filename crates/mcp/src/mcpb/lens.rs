//! Lifts and lowers manifests.
//!
//! | descriptor | `manifest.json` | note |
//! |---|---|---|
//! | `package.id` | `name` | if there is no package, the id of the tool |
//! | `package.title`, `summary`, `description` | `display_name`, `description`, `long_description` | if there is no package, the tool's own; its name if summary or title is missing |
//! | `package.version` | `version` | required; assumed if missing |
//! | `package.publisher` | `author` | required; assumed if missing |
//! | `package.tags`, `homepage`, `license`, `support` | `keywords`, `homepage`, `license`, `documentation`, `support` | |
//! | `id`, `name` | `tools[].name` | the id is `<bundle>.<tool>` |
//! | `description` | `tools[].description` | |
//! | `invocation.mcp_tool` | `server.mcp_config` | the server is a part of its bundle; tools of other formats get the server `toolglot mcp` |
//! | `package.env` | names of `server.mcp_config.env`; `description`, `required`, `default` and `sensitive` of `user_config.*` | lowered to one setting of `user_config` each |
//! | `kind` | | a bundle that lists no tools is an MCP server |
//!
//! Other members have no field in a descriptor and are kept in the residue.

use manifest_core::format::{CallSupport, Cardinality, SafetyFeatures, file_name};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, Text, ToolDescriptor};

use crate::mcpb::semantics::{validate, version_member};
use crate::mcpb::table::{TABLE, VERSIONS};
use crate::shared::CONTRACT;

mod lift;
mod lower;
mod settings;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "mcpb",
    versions: &VERSIONS,
    tables: &[&TABLE],
    rules: crate::mcpb::rules::RULES,
    cardinality: Cardinality::Package,
    catalog: None,
    keys: &["name"],
    safety_features: SafetyFeatures::NONE,
    detect,
    look_alike: |_| None,
    check: validate,
    read: lift::read,
    call_support: |_| CallSupport::Bridge,
    contract: |_| CONTRACT,
    undeclared_secrets: lower::undeclared_secrets,
    file_name: file,
    write_document: lower::write_document,
    write_tool: lower::write_tool,
    bridge_needs: "a bundle of the output folder, with the document as its `manifest.json`, or the source \
                   in the user's store",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    let server = root.get("server").filter(|server| server.is_object())?;
    let version = version_member(root).and_then(Node::text).map(Text::into_owned);
    let evidence = match &version {
        Some(_) => vec!["`manifest_version` is there", "`server` is an object"],
        None => vec!["`server` has an `entry_point` and a `mcp_config`"],
    };
    let is_ours = ["entry_point", "mcp_config"].iter().all(|name| server.get(name).is_some());
    (version.is_some() || is_ours).then_some(Detection { version, evidence })
}

fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let name = tools.first().map(|tool| tool.package.id.as_ref().unwrap_or(&tool.id));
    format!("{}.mcpb", file_name(name.map_or("bundle", |name| name.as_ref())))
}
