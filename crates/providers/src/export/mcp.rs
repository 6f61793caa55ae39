//! Tools as an MCP server lists them.

use std::collections::BTreeSet;

use diagnostic::Diagnostic;
use json_schema::graph::Graph;
use json_schema::types::Types;
use json_text::{Document, unquote};
use manifest_core::descriptor::{Filesystem, RiskProfile, SideEffects};
use manifest_core::{Limits, ToolDescriptor};

use super::offer::Offer;
use crate::budget::Budget;
use crate::json::ObjectText;
use crate::load::load;
use crate::rules;

pub(super) fn tool(offer: &Offer<'_, '_>) -> String {
    let mut fields = ObjectText::default();
    fields.text("name", &offer.name);
    if let Some(title) = &offer.tool.title
        && !title.value.trim().is_empty()
    {
        fields.text("title", &title.value);
    }
    fields.optional_text("description", offer.description());
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
    let mut values = document.root().descendants();
    if !values.any(|value| value.is_object() && value.get("x-mcp-header").is_some()) {
        return Ok(());
    }
    // The schema was checked before.
    let (source, _) = Graph::read(document.root(), limits);
    let schema = load(&source, &mut Budget::new(limits)).map_err(|found| vec![found])?;
    let mut plain = BTreeSet::from([0]);
    let mut pending = vec![0];
    while let Some(id) = pending.pop() {
        for (_, property) in schema.get(id).properties() {
            if plain.insert(*property) {
                pending.push(*property);
            }
        }
    }
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for id in schema.reachable(0) {
        let part = schema.get(id);
        let Some(value) = part.json("x-mcp-header") else { continue };
        let name = if value.starts_with('"') { unquote(value) } else { "".into() };
        let scalars = Types::STRING.or(Types::INTEGER).or(Types::BOOL);
        let why = if name.is_empty() || !name.bytes().all(is_token) {
            "this is no name of a header"
        } else if !names.insert(name.to_ascii_lowercase()) {
            "another property names this header"
        } else if !scalars.has(part.declared_types()) {
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
