//! Lifts and lowers manifests.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `id` | |
//! | `kind` | `type` | `tool` is assumed; a chain becomes an `agent_workflow` |
//! | `package.version` | `version` | |
//! | `description` | `description` | if missing, the summary, title, name or id |
//! | `origin` | `origin` | the digest in lower case; if missing, `local` and the digest of the source |
//! | `input_schema`, `output_schema` | `interfaces` | verbatim; `true` and `false` become objects |
//! | `permissions` | `permissions` | the widest of declared permissions, scopes, the data boundary and the call; unknown allows nothing |
//! | `sandbox` | `runtime.sandbox`, `runtime.resources` | |
//! | `timeout_ms` | `runtime.timeout_seconds` | zero is no time-out |
//! | `trust` | `trust_level` | if missing, untrusted |
//! | `enabled` | `enabled` | |
//! | `auth.scheme` | `requires_oauth` | `oauth2` only |
//! | `channel` | `execution.channel` | |
//! | `package.env` | `secrets` | only secret variables; `env://NAME` if there is no reference |
//! | `invocation` | `implementation` | only if Unison can make the same call, or through a gateway; there is no bridge |
//!
//! Several tools become a catalog. One tool becomes a manifest, unless it comes from a
//! catalog.

use manifest_core::format::{Cardinality, SafetyFeatures, ToolGroup, Writer, file_name};
use manifest_core::json::Node;
use manifest_core::{Catalog, Detection, Diagnostic, Format, ToolDescriptor};

use crate::{check, rules};

mod call;
mod lift;
mod lower;
mod permissions;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "capability",
    versions: &[],
    tables: &[&crate::table::TABLE, &crate::table::CATALOG_TABLE],
    rules: rules::RULES,
    cardinality: Cardinality::ToolOrTools,
    catalog: Some(Catalog {
        member: "capabilities",
        frame: ["{\"catalog_version\":\"catalog.v1\",\"capabilities\":[", "]}"],
        is_document: true,
    }),
    keys: &["id", "name"],
    safety_features: SafetyFeatures {
        disabled: true,
        approval: false,
        reach: true,
        payment: false,
        enforces_reach: true,
    },
    detect,
    look_alike,
    check: check::validate,
    read: lift::read,
    call_support: call::call_support,
    contract: call::contract,
    undeclared_secrets: permissions::undeclared_secrets,
    file_name: document_name,
    write_document,
    write_tool: lower::write_tool,
    bridge_needs: "",
    host_needs: "an owner who lets Unison run it: by default it runs nothing without \
                 `UNISON_CAPABILITY_ALLOW_LEGACY`, and nothing that is untrusted",
};

fn detect(root: Node<'_>) -> Option<Detection> {
    let evidence = evidence(root)?;
    Some(Detection { version: Some("0.1".to_owned()), evidence: vec![evidence] })
}

fn evidence(root: Node<'_>) -> Option<&'static str> {
    if looks_like_manifest(root) {
        return Some("`trust_level`, `origin` and `interfaces` are there");
    }
    if let Some(version) = root.get("catalog_version").and_then(Node::text)
        && version.starts_with("catalog.")
    {
        return Some("`catalog_version` is that of a catalog");
    }
    let entries = root.get("capabilities")?;
    let is_empty = entries.elements().next().is_none();
    if is_empty || !entries.elements().all(looks_like_manifest) {
        return None;
    }
    Some("each element of `capabilities` is a manifest")
}

/// Returns true if a value has two members that other formats have not.
fn looks_like_manifest(node: Node<'_>) -> bool {
    let members = ["trust_level", "origin", "interfaces"];
    members.iter().filter(|name| node.get(name).is_some()).count() >= 2
}

/// No other document is easily mistaken for a manifest.
fn look_alike(_: Node<'_>) -> Option<&'static str> {
    None
}

fn write_document(writer: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    writer.member("catalog_version").assume("catalog.v1", "it is the form of a catalog");
    unit.write_list(writer, "capabilities")
}

fn document_name(tools: &[ToolDescriptor<'_>]) -> String {
    match tools {
        [tool] => format!("{}.capability", file_name(&tool.id)),
        _ => "catalog".to_owned(),
    }
}
