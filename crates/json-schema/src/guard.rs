//! The guard: all checks of a schema that do not run it.

use super::graph::Graph;
use super::walk::Walk;
use super::{Dialect, cost, plain, rules};
use crate::Limits;
use diagnostic::{Diagnostic, quoted};
use json_text::Node;

/// Checks the keywords, references, patterns and cost of a schema.
///
/// Nothing is compiled or run. A schema without diagnostics is safe to pass to an engine
/// that fetches nothing. Returns at most `limits.diagnostics` diagnostics.
///
/// ```
/// use toolglot_json_schema::Limits;
/// use json_text::Document;
///
/// let text = br#"{"properties": {"a": {"$ref": "file:///etc/passwd"}, "b": {"type": "strnig"}}}"#;
/// let document = Document::parse(text, json_text::Limits::default())?;
/// let found = toolglot_json_schema::check(document.root(), Limits::default());
/// let found: Vec<_> = found.iter().map(|d| (d.rule.code, d.pointer.as_str())).collect();
/// assert_eq!(found, [
///     ("schema/invalid", "/properties/b/type"),
///     ("schema/remote-ref", "/properties/a/$ref"),
/// ]);
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn check(schema: Node<'_>, limits: impl Into<Limits>) -> Vec<Diagnostic> {
    let limits = &limits.into();
    if schema.raw().len() <= limits.schema_bytes && plain::is_plain(schema, limits) {
        return Vec::new();
    }
    Graph::read(schema, limits).1
}

/// Reads a schema into a graph. Fails with all diagnostics if there are any.
pub(super) fn graph<'a>(schema: Node<'a>, limits: &Limits) -> Result<Graph<'a>, Vec<Diagnostic>> {
    let (graph, diagnostics) = Graph::read(schema, limits);
    if diagnostics.is_empty() { Ok(graph) } else { Err(diagnostics) }
}

impl<'a> Graph<'a> {
    /// Reads a schema, with the diagnostics of [`check`]. If they are fewer than
    /// `limits.diagnostics` and all are about patterns, the graph is complete.
    pub fn read(schema: Node<'a>, limits: impl Into<Limits>) -> (Self, Vec<Diagnostic>) {
        let limits = &limits.into();
        let (length, limit) = (schema.raw().len(), limits.schema_bytes);
        let nothing = Self { dialect: Dialect::default(), subschemas: Vec::new() };
        if length > limit {
            let message = format!("{length} bytes, more than the {limit} allowed");
            return (nothing, vec![rules::SIZE.at(schema, message)]);
        }
        let Some(dialect) = Dialect::of(schema) else {
            return (nothing, vec![unknown_dialect(schema)]);
        };
        let mut walk = Walk::new(schema, dialect, limits);
        walk.read_pending();
        walk.resolve();
        if !walk.stopped
            && let Some(diagnostic) = cost::check(&walk.graph, limits)
        {
            walk.report(diagnostic);
        }
        walk.into_parts()
    }
}

fn unknown_dialect(schema: Node<'_>) -> Diagnostic {
    let named = schema.get("$schema").unwrap_or(schema);
    match named.text() {
        Some(uri) => rules::DIALECT.at(named, format!("unknown dialect {}", quoted(&uri))),
        None => rules::INVALID.at(named, "$schema takes a URI"),
    }
}
