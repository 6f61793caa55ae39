//! Tools as an MCP server lists them.

use std::collections::BTreeSet;

use diagnostic::Diagnostic;
use json_text::{Document, unquote};
use manifest_core::Limits;
use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Filesystem, RiskProfile, SideEffects};

use super::fields::{ObjectText, description};
use super::offer::Offer;
use crate::budget::Budget;
use crate::graph::KeywordValue;
use crate::load::load;
use crate::rules;
use crate::type_set::TypeSet;

pub(super) fn tool(offer: &Offer<'_, '_>) -> String {
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    let title = offer.tool.title.as_ref().map(|title| title.value.as_ref());
    fields.optional_text("title", title.filter(|title: &&str| !title.trim().is_empty()));
    fields.optional_text("description", description(offer.tool));
    fields.json("inputSchema", offer.input.schema.as_str());
    if let Some(output) = &offer.output {
        fields.json("outputSchema", output.schema.as_str());
    }
    fields.json("annotations", &annotations(offer.tool));
    fields.finish()
}

/// Returns hints for clients, never safer than what is known of the tool.
///
/// A tool that needs approval is not hinted to be harmless, because clients decide by these
/// hints whether to ask. `openWorldHint` is always true, because no declaration proves that
/// the tool reaches no other systems. Permissions that one host denies do not prove it
/// either.
fn annotations(tool: &ToolDescriptor<'_>) -> String {
    let caution = RiskProfile::of(tool);
    let effects = caution.effects_or_worst();
    let asked = caution.declares_approval();
    let mut fields = ObjectText::default();
    let writes = caution.files.value() == Some(&Filesystem::Write);
    fields.flag("readOnlyHint", effects <= SideEffects::Read && !asked && !writes);
    fields.flag("destructiveHint", effects == SideEffects::Destructive || asked);
    fields.flag("idempotentHint", caution.is_idempotent());
    fields.flag("openWorldHint", true);
    fields.finish()
}

/// Checks the headers that a schema names. Clients of the 2026 revision must leave out a
/// tool with an invalid one.
pub(super) fn check_headers(schema: &str, limits: &Limits) -> Result<(), Vec<Diagnostic>> {
    // Fast path: without the keyword, or an escape that could spell it, there are no
    // headers.
    if !schema.contains("x-mcp-header") && !schema.contains("\\u") {
        return Ok(());
    }
    let document = Document::parse(schema.as_bytes(), limits).map_err(|found| vec![found])?;
    let mut objects = document.root().descendants().filter(|node| node.is_object());
    if !objects.any(|object| object.get("x-mcp-header").is_some()) {
        return Ok(());
    }
    let graph = load(document.root(), &mut Budget::new(limits)).map_err(|found| vec![found])?;
    let mut plain = BTreeSet::from([0]);
    let mut pending = vec![0];
    while let Some(id) = pending.pop() {
        let inside = graph.get(id).map("properties").iter().map(|(_, id)| *id);
        pending.extend(inside.filter(|id| plain.insert(*id)));
    }
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for id in graph.reachable(0) {
        let part = graph.get(id);
        let Some(KeywordValue::Json(value)) = part.keyword("x-mcp-header") else { continue };
        let name = if value.starts_with('"') { unquote(value) } else { "".into() };
        let kinds = TypeSet::STRING.or(TypeSet::INTEGER).or(TypeSet::BOOLEAN);
        let why = if name.is_empty() || !name.bytes().all(is_token) {
            "this is no name of a header"
        } else if !names.insert(name.to_ascii_lowercase()) {
            "another property names this header"
        } else if part.declared_types().without(kinds) != TypeSet::NONE {
            "only a string, an integer or a boolean can be a header"
        } else if id == 0 || !plain.contains(&id) {
            "only what is reached through `properties` alone can be a header"
        } else {
            continue;
        };
        found.push(rules::HEADER.at_pointer(part.at("x-mcp-header"), why));
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Returns true if a byte may be in an HTTP token (RFC 9110, 5.6.2).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
