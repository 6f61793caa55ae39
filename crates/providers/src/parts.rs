//! A schema in parts that can be changed and written again. References are edges, so that
//! parts need not stay at their places.

use std::collections::BTreeSet;

use diagnostic::{Pointer, ok_or_bug};
use json_text::{Document, Limits, Node, Number};

/// The index of a part.
pub(crate) type Id = usize;

/// A schema in parts. The first is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaParts {
    pub(crate) parts: Vec<Part>,
}

/// One subschema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The place in the source.
    pub(crate) at: Pointer,
    pub(crate) unsatisfiable: bool,
    /// Its keywords, in order.
    pub(crate) keywords: Keywords,
}

/// Keywords with their values, in order.
pub(crate) type Keywords = Vec<(String, KeywordValue)>;

/// The value of a keyword.
#[derive(Clone, Debug)]
pub(crate) enum KeywordValue {
    /// A JSON value, as written.
    Json(String),
    /// A subschema.
    Part(Id),
    /// Subschemas in order.
    List(Vec<Id>),
    /// Subschemas by name.
    Map(Vec<(String, Id)>),
    /// A reference to a subschema.
    Ref(Id),
}

impl KeywordValue {
    /// Returns the parts that the value contains or refers to.
    pub(crate) fn parts(&self) -> Vec<Id> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Part(id) | Self::Ref(id) => vec![*id],
            Self::List(ids) => ids.clone(),
            Self::Map(named) => named.iter().map(|(_, id)| *id).collect(),
        }
    }

    fn parts_mut(&mut self) -> Vec<&mut Id> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Part(id) | Self::Ref(id) => vec![id],
            Self::List(ids) => ids.iter_mut().collect(),
            Self::Map(named) => named.iter_mut().map(|(_, id)| id).collect(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Json(text) => text.len(),
            Self::Part(_) | Self::Ref(_) => size_of::<Id>(),
            Self::List(ids) => size_of_val(ids.as_slice()),
            Self::Map(named) => named.iter().map(|(name, id)| name.len() + size_of_val(id)).sum(),
        }
    }
}

impl Part {
    /// Creates a part that accepts everything.
    pub(crate) fn anything(at: Pointer) -> Self {
        Self { at, ..Self::default() }
    }

    /// Returns the value of a keyword.
    pub(crate) fn keyword(&self, name: &str) -> Option<&KeywordValue> {
        let (_, value) = self.keywords.iter().find(|(own, _)| own == name)?;
        Some(value)
    }

    pub(crate) fn has(&self, keyword: &str) -> bool {
        self.keyword(keyword).is_some()
    }

    /// Returns the value of a keyword as JSON, unless it contains subschemas.
    pub(crate) fn json(&self, name: &str) -> Option<&str> {
        match self.keyword(name)? {
            KeywordValue::Json(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the named subschemas of a keyword.
    pub(crate) fn named(&self, name: &str) -> &[(String, Id)] {
        match self.keyword(name) {
            Some(KeywordValue::Map(named)) => named,
            _ => &[],
        }
    }

    pub(crate) fn properties(&self) -> &[(String, Id)] {
        self.named("properties")
    }

    /// Returns the only subschema of a keyword.
    pub(crate) fn subschema(&self, name: &str) -> Option<Id> {
        match self.keyword(name)? {
            KeywordValue::Part(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the list of subschemas of a keyword.
    pub(crate) fn list(&self, name: &str) -> &[Id] {
        match self.keyword(name) {
            Some(KeywordValue::List(parts)) => parts,
            _ => &[],
        }
    }

    /// Returns the target of `$ref`.
    pub(crate) fn reference(&self) -> Option<Id> {
        match self.keyword("$ref")? {
            KeywordValue::Ref(target) => Some(*target),
            _ => None,
        }
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn size_estimate(&self) -> usize {
        let keywords: usize = self.keywords.iter().map(|(name, v)| name.len() + v.size()).sum();
        keywords + self.at.as_str().len()
    }

    /// Returns the required names.
    pub(crate) fn required(&self) -> BTreeSet<String> {
        self.required_in_order().into_iter().collect()
    }

    /// Returns the required names, in the order of the list.
    pub(crate) fn required_in_order(&self) -> Vec<String> {
        let Some(text) = self.json("required") else { return Vec::new() };
        parse_value(text, |list| list.elements().filter_map(Node::text).map(String::from).collect())
    }

    /// Sets a keyword, and replaces its old value.
    pub(crate) fn set(&mut self, name: &str, value: KeywordValue) {
        match self.keywords.iter_mut().find(|(own, _)| own == name) {
            Some((_, old)) => *old = value,
            None => self.keywords.push((name.to_owned(), value)),
        }
    }

    /// Returns the place of a keyword.
    pub(crate) fn at(&self, keyword: &str) -> Pointer {
        self.at.clone().push(keyword)
    }

    /// Returns the place of a property.
    pub(crate) fn at_property(&self, name: &str) -> Pointer {
        self.at("properties").push(name)
    }

    /// Returns true if a lower bound is above zero.
    pub(crate) fn is_positive(&self, bound: &str) -> bool {
        self.json(bound).is_some_and(|least| is_tighter(least, "0", true))
    }
}

impl SchemaParts {
    /// Returns a part, or an empty one if there is no such part.
    pub(crate) fn get(&self, id: Id) -> &Part {
        static NOTHING: Part =
            Part { at: Pointer::root(), unsatisfiable: false, keywords: Vec::new() };
        self.parts.get(id).unwrap_or(&NOTHING)
    }

    pub(crate) fn push(&mut self, part: Part) -> Id {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// Redirects all references to the root to a copy of it, so that the root can be
    /// changed alone. Returns true if there were any.
    pub(crate) fn detach_root(&mut self) -> bool {
        let copy = self.parts.len();
        let mut found = false;
        for part in &mut self.parts {
            for id in part.keywords.iter_mut().flat_map(|(_, value)| value.parts_mut()) {
                if *id == 0 {
                    *id = copy;
                    found = true;
                }
            }
        }
        if found {
            self.push(self.get(0).clone());
        }
        found
    }

    /// Returns the parts that can be reached from `root`, itself first.
    pub(crate) fn reachable(&self, root: Id) -> Vec<Id> {
        let mut seen = BTreeSet::from([root]);
        let mut found = vec![root];
        let mut next = 0;
        while let Some(id) = found.get(next).copied() {
            next += 1;
            for (_, value) in &self.get(id).keywords {
                found.extend(value.parts().into_iter().filter(|id| seen.insert(*id)));
            }
        }
        found
    }
}

/// Returns true if the first bound is tighter: larger if `larger` is set, otherwise
/// smaller.
pub(crate) fn is_tighter(one: &str, other: &str, larger: bool) -> bool {
    match (Number::parse(one), Number::parse(other)) {
        (Some(one), Some(other)) => (one > other) == larger && one != other,
        _ => false,
    }
}

/// Parses JSON that is valid because it was parsed before or written here.
pub(crate) fn parse_valid(text: &str) -> Option<Document<'_>> {
    ok_or_bug(Document::parse(text.as_bytes(), Limits::none()))
}

/// Parses the value of a keyword and passes it to a function.
pub(crate) fn parse_value<T: Default>(text: &str, with: impl FnOnce(Node<'_>) -> T) -> T {
    match parse_valid(text) {
        Some(document) => with(document.root()),
        None => T::default(),
    }
}
