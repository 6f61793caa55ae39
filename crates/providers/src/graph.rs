//! A schema as a list of parts that can be changed and written again. References are edges,
//! so that parts need not stay at their places.

use std::collections::BTreeSet;

use diagnostic::{Pointer, certain};
use json_text::{Document, Limits, Node, Number};

/// The index of a part.
pub(crate) type Id = usize;

/// A schema in parts. The first is the root.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) parts: Vec<Part>,
}

/// One subschema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// The place in the source.
    pub(crate) at: Pointer,
    /// Whether it is unsatisfiable.
    pub(crate) never: bool,
    /// Its keywords, in order.
    pub(crate) words: Vec<(String, Word)>,
}

/// The value of a keyword.
#[derive(Clone, Debug)]
pub(crate) enum Word {
    /// A JSON value, as written.
    Json(String),
    /// A subschema.
    Part(Id),
    /// Subschemas in order.
    Parts(Vec<Id>),
    /// Subschemas by name.
    Named(Vec<(String, Id)>),
    /// A reference to a subschema.
    Ref(Id),
}

impl Word {
    /// Returns the parts that the value contains or refers to.
    pub(crate) fn parts(&self) -> Vec<Id> {
        match self {
            Self::Json(_) => Vec::new(),
            Self::Part(id) | Self::Ref(id) => vec![*id],
            Self::Parts(ids) => ids.clone(),
            Self::Named(named) => named.iter().map(|(_, id)| *id).collect(),
        }
    }

    fn weight(&self) -> usize {
        match self {
            Self::Json(text) => text.len(),
            Self::Part(_) | Self::Ref(_) => size_of::<Id>(),
            Self::Parts(ids) => size_of_val(ids.as_slice()),
            Self::Named(named) => named.iter().map(|(name, id)| name.len() + size_of_val(id)).sum(),
        }
    }

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
    /// Returns the value of a keyword.
    pub(crate) fn word(&self, name: &str) -> Option<&Word> {
        self.words.iter().find(|(own, _)| own == name).map(|(_, word)| word)
    }

    /// Returns the value of a keyword as JSON, unless it contains subschemas.
    pub(crate) fn json(&self, name: &str) -> Option<&str> {
        match self.word(name)? {
            Word::Json(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the named subschemas of a keyword.
    pub(crate) fn named(&self, name: &str) -> &[(String, Id)] {
        match self.word(name) {
            Some(Word::Named(named)) => named,
            _ => &[],
        }
    }

    /// Returns the only subschema of a keyword.
    pub(crate) fn part(&self, name: &str) -> Option<Id> {
        match self.word(name)? {
            Word::Part(id) => Some(*id),
            _ => None,
        }
    }

    /// Returns the list of subschemas of a keyword.
    pub(crate) fn list(&self, name: &str) -> &[Id] {
        match self.word(name) {
            Some(Word::Parts(parts)) => parts,
            _ => &[],
        }
    }

    /// Returns the approximate size in bytes.
    pub(crate) fn weight(&self) -> usize {
        let words = self.words.iter().map(|(name, word)| name.len() + word.weight());
        words.sum::<usize>() + self.at.as_str().len()
    }

    /// Returns the required names.
    pub(crate) fn required(&self) -> BTreeSet<String> {
        self.required_in_order().into_iter().collect()
    }

    /// Returns the required names, in the order of the list.
    pub(crate) fn required_in_order(&self) -> Vec<String> {
        let names = self.json("required").and_then(|text| {
            read(text, |list| {
                list.elements().filter_map(|one| Some(one.text()?.into_owned())).collect()
            })
        });
        names.unwrap_or_default()
    }

    /// Sets a keyword, and replaces its old value.
    pub(crate) fn set(&mut self, name: &str, word: Word) {
        match self.words.iter_mut().find(|(own, _)| own == name) {
            Some((_, old)) => *old = word,
            None => self.words.push((name.to_owned(), word)),
        }
    }

    /// Returns the place of a keyword.
    pub(crate) fn at(&self, keyword: &str) -> Pointer {
        self.at.clone().push(keyword)
    }
}

impl Graph {
    /// Returns a part, or an empty one if there is no such part.
    pub(crate) fn get(&self, id: Id) -> &Part {
        static NOTHING: Part = Part { at: Pointer::root(), never: false, words: Vec::new() };
        self.parts.get(id).unwrap_or(&NOTHING)
    }

    pub(crate) fn push(&mut self, part: Part) -> Id {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// Redirects all references to the root to a copy of it, so that the root can be
    /// changed alone. Returns true if there were any.
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

    /// Returns the parts that can be reached from `root`, itself first.
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

/// Returns true if the first bound is tighter: larger if `larger` is set, otherwise
/// smaller.
pub(crate) fn tighter(one: &str, other: &str, larger: bool) -> bool {
    match (Number::parse(one), Number::parse(other)) {
        (Some(one), Some(other)) => (one > other) == larger && one != other,
        _ => false,
    }
}

/// Parses the value of a keyword and passes it to a function.
pub(crate) fn read<T>(text: &str, with: impl FnOnce(Node<'_>) -> T) -> Option<T> {
    let document = certain(Document::parse(text.as_bytes(), Limits::none()));
    document.map(|document| with(document.root()))
}
