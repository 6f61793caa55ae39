//! Loads a schema into a graph.
//!
//! Keywords of older dialects are converted to those of 2020-12. Keywords of 2020-12 that
//! the dialect of the schema does not have are ignored.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_schema::Dialect;
use json_text::Node;

use crate::budget::Budget;
use crate::graph::{Graph, Id, KeywordValue, Subschema};
use crate::rules;

/// Keywords that contain one subschema.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "contains",
    "contentSchema",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords that contain a list of subschemas.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords that contain named subschemas.
const NAMED: &[&str] = &["dependentSchemas", "patternProperties", "properties"];
/// Keywords that only store subschemas.
const DEFINITIONS: &[&str] = &["$defs", "definitions"];
/// Keywords that are booleans beside the bound in draft-04.
const EXCLUSIVE: (&str, &str) = ("exclusiveMinimum", "exclusiveMaximum");
/// Keywords that have no meaning once references are edges.
const WITHOUT_EFFECT: &[&str] = &[
    "$anchor",
    "$defs",
    "$dynamicAnchor",
    "$id",
    "$recursiveAnchor",
    "$schema",
    "$vocabulary",
    "definitions",
    "id",
];

/// Loads a schema that [`json_schema::check`] accepts. Fails at identifiers inside the
/// schema, at references out of the schema, at dynamic references, and if the budget is
/// spent.
pub(crate) fn load(schema: Node<'_>, budget: &mut Budget) -> Result<Graph, Diagnostic> {
    let dialect = Dialect::of(schema).unwrap_or_default();
    let names = ReferenceNames::of(schema, dialect);
    let mut load = Loader {
        dialect,
        names,
        graph: Graph::default(),
        known: BTreeMap::new(),
        pending: Vec::new(),
        budget,
    };
    load.part(schema);
    while let Some((node, id)) = load.pending.pop() {
        load.read(node, id)?;
    }
    Ok(load.graph)
}

/// Returns false for a keyword of 2020-12 that the dialect does not have.
fn is_relevant(keyword: &str, dialect: Dialect) -> bool {
    dialect.defines(keyword) || !Dialect::default().defines(keyword)
}

/// The names that references may use.
struct ReferenceNames<'a> {
    root: Node<'a>,
    /// The identifier of the whole schema, which may begin a reference.
    own: String,
    anchors: BTreeMap<String, Node<'a>>,
}

impl<'a> ReferenceNames<'a> {
    /// Collects the anchors of subschemas only, because a `default` may look like one.
    fn of(root: Node<'a>, dialect: Dialect) -> Self {
        let id = if dialect == Dialect::Draft4 { "id" } else { "$id" };
        let own = root.get(id).and_then(Node::text).unwrap_or_default();
        let own = own.split('#').next().unwrap_or_default().to_owned();
        let mut names = Self { root, own, anchors: BTreeMap::new() };
        let mut seen = BTreeSet::from([root.index()]);
        let mut pending = vec![root];
        while let Some(node) = pending.pop() {
            let old = dialect <= Dialect::Draft7;
            let alone = old && node.get("$ref").is_some();
            let mut found = Vec::new();
            for member in node.members().filter(|member| is_relevant(&member.name(), dialect)) {
                let (name, value) = (member.name(), member.value);
                let text = || value.text().unwrap_or_default();
                match name.as_ref() {
                    "$anchor" | "$dynamicAnchor" => names.add(&text(), node),
                    name if name == id && old && !alone => {
                        let text = text();
                        text.split_once('#')
                            .into_iter()
                            .for_each(|(_, name)| names.add(name, node));
                    }
                    "$ref" => found.extend(names.resolve_pointer(&text())),
                    name => found.extend(subschemas(name, value)),
                }
            }
            let schemas = found.into_iter().filter(|node| node.is_object());
            pending.extend(schemas.filter(|node| seen.insert(node.index())));
        }
        names
    }

    fn add(&mut self, name: &str, node: Node<'a>) {
        self.anchors.entry(name.to_owned()).or_insert(node);
    }

    /// Returns the fragment of a reference into the schema itself.
    fn fragment(&self, reference: &str) -> Option<String> {
        let text = reference.strip_prefix(&self.own).unwrap_or(reference);
        text.strip_prefix('#').or(text.is_empty().then_some("")).map(decode_fragment)
    }

    /// Returns the target of a reference by pointer.
    fn resolve_pointer(&self, reference: &str) -> Option<Node<'a>> {
        self.root.at(&Pointer::parse(&self.fragment(reference)?).ok()?)
    }

    /// Returns the target of a reference by pointer or anchor.
    fn resolve(&self, reference: &str) -> Option<Node<'a>> {
        let name = self.fragment(reference)?;
        match Pointer::parse(&name) {
            Ok(pointer) => self.root.at(&pointer),
            Err(_) => self.anchors.get(&name).copied(),
        }
    }
}

/// Returns the subschemas in the value of a keyword.
fn subschemas<'a>(keyword: &str, value: Node<'a>) -> Vec<Node<'a>> {
    let named =
        NAMED.contains(&keyword) || DEFINITIONS.contains(&keyword) || keyword == "dependencies";
    if named {
        value.members().map(|member| member.value).collect()
    } else if LIST.contains(&keyword) || (keyword == "items" && value.is_array()) {
        value.elements().collect()
    } else if ONE.contains(&keyword) {
        vec![value]
    } else {
        Vec::new()
    }
}

/// A schema that is being loaded.
struct Loader<'a, 'b> {
    dialect: Dialect,
    names: ReferenceNames<'a>,
    graph: Graph,
    /// The parts by the indexes of their nodes.
    known: BTreeMap<u32, Id>,
    pending: Vec<(Node<'a>, Id)>,
    budget: &'b mut Budget,
}

impl<'a> Loader<'a, '_> {
    /// Returns the part of a value, which is read later.
    fn part(&mut self, node: Node<'a>) -> Id {
        if let Some(known) = self.known.get(&node.index()) {
            return *known;
        }
        let never = node.bool() == Some(false);
        // A pointer grows with the depth, so it is charged, too.
        let mut at = node.pointer();
        if !self.budget.spend(at.as_str().len()) {
            at = Pointer::root();
        }
        let id = self.graph.push(Subschema { at, unsatisfiable: never, keywords: Vec::new() });
        self.known.insert(node.index(), id);
        self.pending.push((node, id));
        id
    }

    fn read(&mut self, node: Node<'a>, id: Id) -> Result<(), Diagnostic> {
        if self.budget.is_spent() {
            return Err(self.budget.diagnostic(Pointer::root()));
        }
        let old = self.dialect <= Dialect::Draft7;
        let alone = old && node.get("$ref").is_some();
        let listed = node.get("items").is_some_and(Node::is_array);
        let name = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        if id != 0 && is_schema_identifier(node.get(name)) {
            return Err(rules::SCHEMA.at(node, "a schema with an identifier of its own, inside"));
        }
        let mut words = Vec::new();
        for member in node.members() {
            let (name, value) = (member.name(), member.value);
            match name.as_ref() {
                name if !is_relevant(name, self.dialect) => {}
                "$ref" => words.push(("$ref".to_owned(), KeywordValue::Ref(self.target(value)?))),
                _ if alone => {}
                "$dynamicRef" | "$recursiveRef" => {
                    return Err(rules::SCHEMA.at(value, "a reference that depends on the way here"));
                }
                word if WITHOUT_EFFECT.contains(&word) => {}
                "items" if listed => words.push(("prefixItems".to_owned(), self.list(value))),
                "additionalItems" => {
                    if listed {
                        words.push(("items".to_owned(), KeywordValue::Part(self.part(value))));
                    }
                }
                "exclusiveMinimum" | "exclusiveMaximum" if value.bool().is_some() => {}
                "minimum" | "maximum" if is_exclusive(node, &name) => {
                    let name = if name == "minimum" { EXCLUSIVE.0 } else { EXCLUSIVE.1 };
                    words.push((name.to_owned(), KeywordValue::Json(value.raw().to_owned())));
                }
                "dependencies" => self.dependencies(value, &mut words),
                _ => words.push((name.clone().into_owned(), self.word(&name, value))),
            }
        }
        if let Some(part) = self.graph.parts.get_mut(id) {
            part.keywords = words;
        }
        Ok(())
    }

    fn word(&mut self, name: &str, value: Node<'a>) -> KeywordValue {
        match name {
            _ if ONE.contains(&name) => KeywordValue::Part(self.part(value)),
            _ if LIST.contains(&name) => self.list(value),
            _ if NAMED.contains(&name) => {
                let members = value.members();
                KeywordValue::Map(
                    members.map(|one| (one.name().into_owned(), self.part(one.value))).collect(),
                )
            }
            _ => KeywordValue::Json(value.raw().to_owned()),
        }
    }

    fn list(&mut self, value: Node<'a>) -> KeywordValue {
        KeywordValue::List(value.elements().map(|one| self.part(one)).collect())
    }

    /// Converts `dependencies` to the two keywords of newer dialects.
    fn dependencies(&mut self, value: Node<'a>, words: &mut Vec<(String, KeywordValue)>) {
        let lists = value.members().filter(|one| one.value.is_array());
        let lists: Vec<_> =
            lists.map(|one| format!("{}:{}", one.key.raw(), one.value.raw())).collect();
        if !lists.is_empty() {
            let text = format!("{{{}}}", lists.join(","));
            words.push(("dependentRequired".to_owned(), KeywordValue::Json(text)));
        }
        let schemas = value.members().filter(|one| !one.value.is_array());
        let schemas: Vec<_> =
            schemas.map(|one| (one.name().into_owned(), self.part(one.value))).collect();
        if !schemas.is_empty() {
            words.push(("dependentSchemas".to_owned(), KeywordValue::Map(schemas)));
        }
    }

    /// Returns the target of a reference, or an error if it is outside of the schema.
    fn target(&mut self, reference: Node<'a>) -> Result<Id, Diagnostic> {
        match self.names.resolve(&reference.text().unwrap_or_default()) {
            Some(node) => Ok(self.part(node)),
            None => Err(rules::SCHEMA.at(reference, "a reference to a schema by its identifier")),
        }
    }
}

/// Returns true if an identifier is more than an anchor.
fn is_schema_identifier(id: Option<Node<'_>>) -> bool {
    id.and_then(Node::text).is_some_and(|id| !id.starts_with('#'))
}

/// Returns true if a boolean of draft-04 makes a bound exclusive.
fn is_exclusive(node: Node<'_>, bound: &str) -> bool {
    let name = if bound == "minimum" { EXCLUSIVE.0 } else { EXCLUSIVE.1 };
    node.get(name).and_then(Node::bool) == Some(true)
}

/// Decodes the percent escapes of a URI fragment.
fn decode_fragment(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((byte, tail)) = rest.split_first() {
        let digits = tail.first_chunk::<2>().and_then(|two| std::str::from_utf8(two).ok());
        let escaped = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
        let escaped = escaped.filter(|_| *byte == b'%');
        bytes.push(escaped.unwrap_or(*byte));
        rest = if escaped.is_some() { tail.get(2..).unwrap_or_default() } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
