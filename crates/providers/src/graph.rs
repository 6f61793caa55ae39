//! A schema taken apart: parts in a list, so that it can be changed and written again.
//!
//! What older dialects say in other words is read as 2020-12 says it. References are edges,
//! so that no part has to stand where it stood.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer};
use json_schema::Dialect;
use json_text::{Document, Limits, Node, Number};

use crate::rules;

/// The index of a part.
pub(crate) type Id = usize;

/// A schema in parts. The first is the schema itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) parts: Vec<Part>,
}

/// One subschema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Where it stands in the source.
    pub(crate) at: Pointer,
    /// Whether it takes nothing.
    pub(crate) never: bool,
    /// Its keywords, in order.
    pub(crate) words: Vec<(String, Word)>,
}

/// What a keyword says.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// A value, as it is written.
    Json(String),
    /// A subschema.
    Part(Id),
    /// Subschemas in order.
    Parts(Vec<Id>),
    /// Subschemas by name.
    Named(Vec<(String, Id)>),
    /// A subschema that stands elsewhere.
    Ref(Id),
}

impl Word {
    /// The parts that it leads to.
    pub(crate) fn parts(&self) -> Vec<Id> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Part(id) | Self::Ref(id) => vec![*id],
            Self::Parts(ids) => ids.clone(),
            Self::Named(named) => named.iter().map(|(_, id)| *id).collect(),
        }
    }
}

impl Word {
    fn parts_mut(&mut self) -> Vec<&mut Id> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Part(id) | Self::Ref(id) => vec![id],
            Self::Parts(ids) => ids.iter_mut().collect(),
            Self::Named(named) => named.iter_mut().map(|(_, id)| id).collect(),
        }
    }
}

impl Part {
    /// What a keyword says here.
    pub(crate) fn word(&self, name: &str) -> Option<&Word> {
        self.words.iter().find(|(own, _)| own == name).map(|(_, word)| word)
    }

    /// The value of a keyword, as it is written.
    pub(crate) fn json(&self, name: &str) -> Option<&str> {
        match self.word(name)? {
            Word::Json(text) => Some(text),
            _ => None,
        }
    }

    /// The subschemas of a keyword by name.
    pub(crate) fn named(&self, name: &str) -> &[(String, Id)] {
        match self.word(name) {
            Some(Word::Named(named)) => named,
            _ => &[],
        }
    }

    /// The subschema of a keyword.
    pub(crate) fn part(&self, name: &str) -> Option<Id> {
        match self.word(name)? {
            Word::Part(id) => Some(*id),
            _ => None,
        }
    }

    /// The subschemas of a keyword in order.
    pub(crate) fn list(&self, name: &str) -> &[Id] {
        match self.word(name) {
            Some(Word::Parts(parts)) => parts,
            _ => &[],
        }
    }

    /// The names that it requires.
    pub(crate) fn required(&self) -> BTreeSet<String> {
        let names = self.json("required").and_then(|text| {
            read(text, |list| {
                list.elements().filter_map(|one| Some(one.text()?.into_owned())).collect()
            })
        });
        names.unwrap_or_default()
    }

    /// Says something, instead of what was said before.
    pub(crate) fn set(&mut self, name: &str, word: Word) {
        match self.words.iter_mut().find(|(own, _)| own == name) {
            Some((_, old)) => *old = word,
            None => self.words.push((name.to_owned(), word)),
        }
    }

    /// Where one of its keywords stands.
    pub(crate) fn at(&self, keyword: &str) -> Pointer {
        self.at.clone().push(keyword)
    }
}

/// Keywords that hold one subschema.
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
/// Keywords that hold a list of subschemas.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];
/// Keywords that hold subschemas by name.
const NAMED: &[&str] = &["dependentSchemas", "patternProperties", "properties"];
/// What draft-04 says by a boolean beside the bound.
const EXCLUSIVE: (&str, &str) = ("exclusiveMinimum", "exclusiveMaximum");
/// Keywords that say nothing once references are edges.
const GONE: &[&str] = &[
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

impl Graph {
    /// A part.
    pub(crate) fn get(&self, id: Id) -> &Part {
        static NOTHING: Part = Part { at: Pointer::root(), never: false, words: Vec::new() };
        self.parts.get(id).unwrap_or(&NOTHING)
    }

    /// Adds a part.
    pub(crate) fn push(&mut self, part: Part) -> Id {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// Takes a schema apart that the guard has nothing against.
    pub(crate) fn load(schema: Node<'_>) -> Result<Self, Diagnostic> {
        let dialect = Dialect::of(schema).unwrap_or_default();
        let mut load = Load {
            root: schema,
            dialect,
            graph: Self::default(),
            known: BTreeMap::new(),
            pending: Vec::new(),
            anchors: anchors(schema),
        };
        load.part(schema);
        while let Some((node, id)) = load.pending.pop() {
            load.read(node, id)?;
        }
        Ok(load.graph)
    }

    /// Makes the root a part that nothing refers to, so that it can be changed alone. Tells
    /// whether something did.
    pub(crate) fn free_root(&mut self) -> bool {
        let ids = self.parts.iter().flat_map(|part| &part.words);
        if !ids.flat_map(|(_, word)| word.parts()).any(|id| id == 0) {
            return false;
        }
        let copy = self.push(self.get(0).clone());
        let ids = self.parts.iter_mut().flat_map(|part| &mut part.words);
        for id in ids.flat_map(|(_, word)| word.parts_mut()).filter(|id| **id == 0) {
            *id = copy;
        }
        true
    }

    /// The parts that can be reached from one, itself first.
    pub(crate) fn reachable(&self, root: Id) -> Vec<Id> {
        let mut seen = BTreeSet::from([root]);
        let mut found = vec![root];
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            next += 1;
            for (_, word) in &self.get(id).words {
                found.extend(word.parts().into_iter().filter(|id| seen.insert(*id)));
            }
        }
        found
    }
}

/// The names that references may use, with what they stand for.
fn anchors(schema: Node<'_>) -> BTreeMap<String, Node<'_>> {
    let mut found = BTreeMap::new();
    for node in schema.descendants().filter(|node| node.is_object()) {
        let named = ["$anchor", "$dynamicAnchor"].iter().filter_map(|word| node.get(word)?.text());
        let old = ["$id", "id"].iter().filter_map(|word| node.get(word)?.text());
        let old = old.filter_map(|id| id.strip_prefix('#').map(str::to_owned));
        for name in named.map(Cow::into_owned).chain(old) {
            found.entry(name).or_insert(node);
        }
    }
    found
}

/// A schema that is being taken apart.
struct Load<'a> {
    root: Node<'a>,
    dialect: Dialect,
    graph: Graph,
    /// The parts, by their place in the text.
    known: BTreeMap<u32, Id>,
    pending: Vec<(Node<'a>, Id)>,
    anchors: BTreeMap<String, Node<'a>>,
}

impl<'a> Load<'a> {
    /// The part of a value, read later.
    fn part(&mut self, node: Node<'a>) -> Id {
        if let Some(known) = self.known.get(&node.index()) {
            return *known;
        }
        let never = node.bool() == Some(false);
        let id = self.graph.push(Part { at: node.pointer(), never, words: Vec::new() });
        self.known.insert(node.index(), id);
        self.pending.push((node, id));
        id
    }

    fn read(&mut self, node: Node<'a>, id: Id) -> Result<(), Diagnostic> {
        let old = self.dialect <= Dialect::Draft7;
        let alone = old && node.get("$ref").is_some();
        let listed = node.get("items").is_some_and(Node::is_array);
        let name = if self.dialect == Dialect::Draft4 { "id" } else { "$id" };
        if id != 0 && is_address(node.get(name)) {
            return Err(rules::SCHEMA.at(node, "a schema with an identifier of its own, inside"));
        }
        let mut words = Vec::new();
        for member in node.members() {
            let (name, value) = (member.name(), member.value);
            match name.as_ref() {
                "$ref" => words.push(("$ref".to_owned(), Word::Ref(self.target(value)?))),
                _ if alone => {}
                "$dynamicRef" | "$recursiveRef" => {
                    return Err(rules::SCHEMA.at(value, "a reference that depends on the way here"));
                }
                word if GONE.contains(&word) && value.bool().is_none() => {}
                "items" if listed => words.push(("prefixItems".to_owned(), self.list(value))),
                "additionalItems" => {
                    if listed {
                        words.push(("items".to_owned(), Word::Part(self.part(value))));
                    }
                }
                "exclusiveMinimum" | "exclusiveMaximum" if value.bool().is_some() => {}
                "minimum" | "maximum" if exclusive(node, &name) => {
                    let name = if name == "minimum" { EXCLUSIVE.0 } else { EXCLUSIVE.1 };
                    words.push((name.to_owned(), Word::Json(value.raw().to_owned())));
                }
                "dependencies" => self.dependencies(value, &mut words),
                _ => words.push((name.clone().into_owned(), self.word(&name, value))),
            }
        }
        if let Some(part) = self.graph.parts.get_mut(id) {
            part.words = words;
        }
        Ok(())
    }

    fn word(&mut self, name: &str, value: Node<'a>) -> Word {
        match name {
            _ if ONE.contains(&name) => Word::Part(self.part(value)),
            _ if LIST.contains(&name) => self.list(value),
            _ if NAMED.contains(&name) => {
                let members = value.members();
                Word::Named(
                    members.map(|one| (one.name().into_owned(), self.part(one.value))).collect(),
                )
            }
            _ => Word::Json(value.raw().to_owned()),
        }
    }

    fn list(&mut self, value: Node<'a>) -> Word {
        Word::Parts(value.elements().map(|one| self.part(one)).collect())
    }

    /// What newer dialects say in two keywords.
    fn dependencies(&mut self, value: Node<'a>, words: &mut Vec<(String, Word)>) {
        let lists = value.members().filter(|one| one.value.is_array());
        let lists: Vec<_> =
            lists.map(|one| format!("{}:{}", one.key.raw(), one.value.raw())).collect();
        if !lists.is_empty() {
            let text = format!("{{{}}}", lists.join(","));
            words.push(("dependentRequired".to_owned(), Word::Json(text)));
        }
        let schemas = value.members().filter(|one| !one.value.is_array());
        let schemas: Vec<_> =
            schemas.map(|one| (one.name().into_owned(), self.part(one.value))).collect();
        if !schemas.is_empty() {
            words.push(("dependentSchemas".to_owned(), Word::Named(schemas)));
        }
    }

    /// Where a reference leads.
    fn target(&mut self, reference: Node<'a>) -> Result<Id, Diagnostic> {
        let text = reference.text().unwrap_or_default();
        let own = self.root.get("$id").or_else(|| self.root.get("id")).and_then(Node::text);
        let own = own.unwrap_or_default();
        let own = own.split('#').next().unwrap_or_default();
        let text = text.strip_prefix(own).unwrap_or(&text);
        let fragment = text.strip_prefix('#').or(text.is_empty().then_some(""));
        let name = fragment.map(decoded);
        let found = name.and_then(|name| match Pointer::parse(&name) {
            Ok(pointer) => self.root.at(&pointer),
            Err(_) => self.anchors.get(&name).copied(),
        });
        match found {
            Some(node) => Ok(self.part(node)),
            None => Err(rules::SCHEMA.at(reference, "a reference to a schema by its identifier")),
        }
    }
}

/// Whether a name is that of a schema, and more than an anchor.
fn is_address(id: Option<Node<'_>>) -> bool {
    id.and_then(Node::text).is_some_and(|id| !id.starts_with('#'))
}

/// Whether draft-04 makes a bound exclusive.
fn exclusive(node: Node<'_>, bound: &str) -> bool {
    let name = if bound == "minimum" { EXCLUSIVE.0 } else { EXCLUSIVE.1 };
    node.get(name).and_then(Node::bool) == Some(true)
}

/// A fragment of a URI with its escapes resolved.
fn decoded(fragment: &str) -> String {
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

/// The larger of two bounds, or the smaller.
pub(crate) fn tighter(one: &str, other: &str, larger: bool) -> bool {
    match (Number::parse(one), Number::parse(other)) {
        (Some(one), Some(other)) => (one > other) == larger && one != other,
        _ => false,
    }
}

/// What a value of a keyword says, once it is read again.
pub(crate) fn read<T>(text: &str, with: impl FnOnce(Node<'_>) -> T) -> Option<T> {
    Document::parse(text.as_bytes(), Limits::none()).ok().map(|document| with(document.root()))
}
