//! A schema as a graph of subschemas that apply each other.

use std::borrow::Cow;

use super::Dialect;
use super::keywords::Applies;
use diagnostic::Pointer;
use json_text::Node;

/// All subschemas of a schema. The first is the schema itself.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) dialect: Dialect,
    pub(super) subschemas: Vec<Subschema<'a>>,
}

impl Graph<'_> {
    /// Follows a part that is a pure reference to its final target, and returns any other
    /// part itself. The graph must have no cycles.
    pub(super) fn resolve_alias(&self, mut part: usize) -> usize {
        while let Some(found) = self.subschemas.get(part) {
            match found.alias.and_then(|alias| found.edges.get(alias)) {
                Some(reference) => part = reference.target,
                None => break,
            }
        }
        part
    }
}

/// One subschema.
#[derive(Debug)]
pub(super) struct Subschema<'a> {
    pub(super) node: Node<'a>,
    pub(super) location: Location,
    /// The number of subschemas that enclose it.
    pub(super) depth: usize,
    /// The index of the resource that contains it.
    pub(super) resource: usize,
    /// The subschemas that it applies, in the order of the text.
    pub(super) edges: Vec<Edge<'a>>,
    /// The index of the reference in `uses`, if the subschema is a pure reference.
    pub(super) alias: Option<usize>,
}

/// Where a subschema is written.
#[derive(Clone, Debug)]
pub(super) enum Location {
    /// The schema itself.
    Root,
    /// The target of a use of that part.
    Inside { part: usize, index: usize },
    /// A value below that part, where no keyword expects a subschema, but to which a
    /// reference leads.
    Below { part: usize, pointer: Pointer },
}

/// One subschema applying another.
#[derive(Clone, Debug)]
pub(super) struct Edge<'a> {
    pub(super) keyword: &'static str,
    pub(super) step: Step<'a>,
    pub(super) applies: Applies,
    pub(super) target: usize,
}

/// The position of a subschema in the value of its keyword.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    /// The value itself, or the target to which it refers.
    Value,
    /// The member with that name.
    Name(Cow<'a, str>),
    /// The element at that index.
    Index(usize),
}

impl Edge<'_> {
    /// Returns true if the target checks the same value.
    pub(super) fn in_place(&self) -> bool {
        matches!(self.applies, Applies::Always | Applies::Conditional)
    }

    /// Returns true if the target checks unevaluated members or elements.
    pub(super) fn checks_unevaluated(&self) -> bool {
        matches!(self.applies, Applies::UnevaluatedProperties | Applies::UnevaluatedItems)
    }

    /// Returns the name of the target in the value of its keyword, or an empty string.
    pub(super) fn name(&self) -> &str {
        match &self.step {
            Step::Name(name) => name,
            Step::Value | Step::Index(_) => "",
        }
    }

    /// Returns the same use with another target.
    pub(super) fn with_target(&self, target: usize) -> Edge<'static> {
        Edge {
            keyword: self.keyword,
            step: match &self.step {
                Step::Value => Step::Value,
                Step::Name(name) => Step::Name(Cow::Owned(name.clone().into_owned())),
                Step::Index(index) => Step::Index(*index),
            },
            applies: self.applies,
            target,
        }
    }

    /// Returns the pointer of the target, below a subschema at `pointer`.
    pub(super) fn target_pointer(&self, pointer: Pointer) -> Pointer {
        let pointer = pointer.push(self.keyword);
        match &self.step {
            Step::Value => pointer,
            Step::Name(name) => pointer.push(name),
            Step::Index(index) => pointer.push_index(*index),
        }
    }
}

impl Subschema<'_> {
    /// Returns true if it has `unevaluatedProperties` or `unevaluatedItems`.
    pub(super) fn has_unevaluated(&self) -> bool {
        self.edges.iter().any(Edge::checks_unevaluated)
    }
}
