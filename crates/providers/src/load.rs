//! Takes a schema apart.
//!
//! Keywords of older dialects are converted to those of 2020-12. Keywords of 2020-12 that
//! the dialect of the schema does not have are ignored.

use std::collections::BTreeMap;

use diagnostic::{Diagnostic, Pointer, some_or_bug};
use json_schema::Dialect;
use json_schema::graph::{Edge, Graph, Step, Subschema};
use json_schema::keywords::{self, Shape};
use json_text::Node;

use crate::budget::Budget;
use crate::parts::{Id, KeywordValue, Keywords, Part, SchemaParts};
use crate::rules;

/// Takes a complete graph apart. Fails at identifiers inside the schema, at references by
/// identifier, at dynamic references, and if the budget is spent.
pub(crate) fn load(source: &Graph<'_>, budget: &mut Budget) -> Result<SchemaParts, Diagnostic> {
    let Some(root) = source.subschemas.first() else { return Ok(SchemaParts::default()) };
    let id = root.node.get(source.dialect.id_keyword()).and_then(Node::text);
    let mut load = Loader {
        source,
        address: id.as_deref().map_or("", address).to_owned(),
        schema: SchemaParts::default(),
        known: BTreeMap::new(),
        pending: Vec::new(),
        budget,
    };
    load.part(root);
    while let Some((subschema, id)) = load.pending.pop() {
        load.read(subschema, id)?;
    }
    Ok(load.schema)
}

/// A schema that is being taken apart.
struct Loader<'s, 'b> {
    source: &'s Graph<'s>,
    /// The identifier of the whole schema, with which a reference may begin.
    address: String,
    schema: SchemaParts,
    /// The parts by the indexes of their nodes.
    known: BTreeMap<u32, Id>,
    pending: Vec<(&'s Subschema<'s>, Id)>,
    budget: &'b mut Budget,
}

impl<'s> Loader<'s, '_> {
    /// Returns the part of a subschema, which is read later.
    fn part(&mut self, subschema: &'s Subschema<'s>) -> Id {
        let node = subschema.node;
        if let Some(known) = self.known.get(&node.index()) {
            return *known;
        }
        // A pointer grows with the depth, so it is charged, too.
        let mut at = node.pointer();
        if !self.budget.spend(at.as_str().len()) {
            at = Pointer::root();
        }
        let unsatisfiable = node.bool() == Some(false);
        let id = self.schema.push(Part { at, unsatisfiable, keywords: Vec::new() });
        self.known.insert(node.index(), id);
        self.pending.push((subschema, id));
        id
    }

    /// Returns the part that an edge leads to.
    fn target(&mut self, edge: &Edge<'_>) -> Result<Id, Diagnostic> {
        match self.source.subschemas.get(edge.target) {
            Some(subschema) => Ok(self.part(subschema)),
            None => Err(rules::SCHEMA.at_pointer(Pointer::root(), "a reference to nothing")),
        }
    }

    fn read(&mut self, subschema: &'s Subschema<'s>, id: Id) -> Result<(), Diagnostic> {
        if self.budget.is_spent() {
            return Err(self.budget.diagnostic(Pointer::root()));
        }
        let (node, dialect) = (subschema.node, self.source.dialect);
        if id != 0 && is_schema_identifier(node.get(dialect.id_keyword())) {
            return Err(rules::SCHEMA.at(node, "a schema with an identifier of its own, inside"));
        }
        let is_reference = dialect.ref_disables_siblings() && node.get("$ref").is_some();
        let is_tuple = node.get("items").is_some_and(Node::is_array);
        let mut keywords = Vec::new();
        // The edges are in the order of the text.
        let mut edges = subschema.edges.as_slice();
        for member in node.members() {
            let (own, value) = (member.name(), member.value);
            let count = edges.iter().take_while(|edge| edge.keyword == own).count();
            let (inside, rest) = edges.split_at(count);
            edges = rest;
            // Nothing of 2020-12 that the dialect does not have.
            let is_known = dialect.defines(&own) || !Dialect::default().defines(&own);
            if !is_known || (is_reference && own != "$ref") {
                continue;
            }
            let name = match own.as_ref() {
                "$dynamicRef" | "$recursiveRef" => {
                    let message = "a reference that depends on the way here";
                    return Err(rules::SCHEMA.at(value, message));
                }
                "exclusiveMinimum" | "exclusiveMaximum" if value.bool().is_some() => continue,
                "additionalItems" if !is_tuple => continue,
                "dependencies" => {
                    self.split_dependencies(value, inside, &mut keywords)?;
                    continue;
                }
                // These have no meaning once references are edges.
                "$anchor" | "$defs" | "$dynamicAnchor" | "$id" | "$recursiveAnchor" | "$schema"
                | "$vocabulary" | "definitions" | "id" => continue,
                "additionalItems" => "items",
                "items" if is_tuple => "prefixItems",
                "minimum" if is_true(node, "exclusiveMinimum") => "exclusiveMinimum",
                "maximum" if is_true(node, "exclusiveMaximum") => "exclusiveMaximum",
                name => name,
            };
            keywords.push((name.to_owned(), self.value(&own, value, inside)?));
        }
        if let Some(part) = self.schema.parts.get_mut(id) {
            part.keywords = keywords;
        }
        Ok(())
    }

    /// Returns the value of a keyword that is called `name` in the source.
    fn value(
        &mut self,
        name: &str,
        value: Node<'_>,
        inside: &[Edge<'_>],
    ) -> Result<KeywordValue, Diagnostic> {
        let shape = keywords::find(name, self.source.dialect).map(|keyword| keyword.shape);
        Ok(match (inside, shape) {
            ([reference], _) if name == "$ref" => {
                // Only a string has an edge.
                let text = some_or_bug(value.text());
                let address = address(&text);
                if !address.is_empty() && address != self.address {
                    let message = "a reference to a schema by its identifier";
                    return Err(rules::SCHEMA.at(value, message));
                }
                KeywordValue::Ref(self.target(reference)?)
            }
            (_, Some(Shape::SchemasByName)) => KeywordValue::Map(self.named(inside)?),
            ([edge], _) if matches!(edge.step, Step::Value) => {
                KeywordValue::Part(self.target(edge)?)
            }
            ([], _) => KeywordValue::Json(value.raw().to_owned()),
            _ => {
                let mut list = Vec::with_capacity(inside.len());
                for edge in inside {
                    list.push(self.target(edge)?);
                }
                KeywordValue::List(list)
            }
        })
    }

    /// Returns the targets of edges by name.
    fn named(&mut self, edges: &[Edge<'_>]) -> Result<Vec<(String, Id)>, Diagnostic> {
        let mut named = Vec::with_capacity(edges.len());
        for edge in edges {
            if let Step::Name(name) = &edge.step {
                named.push((name.clone().into_owned(), self.target(edge)?));
            }
        }
        Ok(named)
    }

    /// Converts `dependencies` to the two keywords of newer dialects.
    fn split_dependencies(
        &mut self,
        value: Node<'_>,
        inside: &[Edge<'_>],
        keywords: &mut Keywords,
    ) -> Result<(), Diagnostic> {
        let mut lists = Vec::new();
        for member in value.members() {
            if member.value.is_array() {
                lists.push(format!("{}:{}", member.key.raw(), member.value.raw()));
            }
        }
        if !lists.is_empty() {
            let text = format!("{{{}}}", lists.join(","));
            keywords.push(("dependentRequired".to_owned(), KeywordValue::Json(text)));
        }
        if !inside.is_empty() {
            let schemas = KeywordValue::Map(self.named(inside)?);
            keywords.push(("dependentSchemas".to_owned(), schemas));
        }
        Ok(())
    }
}

/// Returns a reference without its fragment.
fn address(reference: &str) -> &str {
    match reference.split_once('#') {
        Some((address, _)) => address,
        None => reference,
    }
}

/// Returns true if an identifier is more than an anchor.
fn is_schema_identifier(id: Option<Node<'_>>) -> bool {
    id.and_then(Node::text).is_some_and(|id| !id.starts_with('#'))
}

fn is_true(node: Node<'_>, name: &str) -> bool {
    node.get(name).and_then(Node::bool) == Some(true)
}
