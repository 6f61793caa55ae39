//! A schema as a graph of subschemas that apply each other.

use std::borrow::Cow;

use diagnostic::Pointer;
use json_text::Node;

use crate::Dialect;
use crate::keywords::Applies;

/// All subschemas of a schema. The first is the schema itself.
#[derive(Debug)]
pub struct Graph<'a> {
    pub dialect: Dialect,
    pub subschemas: Vec<Subschema<'a>>,
}

impl Graph<'_> {
    /// Follows a part that is a pure reference to its final target, and returns any other
    /// part itself. The graph must have no cycles.
    pub(crate) fn resolve_alias(&self, mut part: usize) -> usize {
        while let Some(reference) = self.subschemas.get(part).and_then(Subschema::alias) {
            part = reference.target;
        }
        part
    }
}

/// One subschema.
#[derive(Debug)]
pub struct Subschema<'a> {
    pub node: Node<'a>,
    pub(crate) location: Location,
    /// The number of subschemas that enclose it.
    pub(crate) depth: usize,
    /// The index of the resource that contains it.
    pub(crate) resource: usize,
    /// The subschemas that it applies, in the order of the text.
    pub edges: Vec<Edge<'a>>,
    /// The index of the reference in `edges`, if the subschema is a pure reference.
    pub(crate) alias: Option<usize>,
}

/// Where a subschema is written.
#[derive(Clone, Debug)]
pub(crate) enum Location {
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
pub struct Edge<'a> {
    pub keyword: &'static str,
    pub step: Step<'a>,
    pub(crate) applies: Applies,
    pub target: usize,
}

/// The position of a subschema in the value of its keyword.
#[derive(Clone, Debug)]
pub enum Step<'a> {
    /// The value itself, or the target to which it refers.
    Value,
    /// The member with that name.
    Name(Cow<'a, str>),
    /// The element at that index.
    Index(usize),
}

impl Edge<'_> {
    /// Returns true if the target checks the same value.
    pub(crate) fn in_place(&self) -> bool {
        matches!(self.applies, Applies::Always | Applies::Conditional)
    }

    /// Returns true if the target checks unevaluated members or elements.
    pub(crate) fn checks_unevaluated(&self) -> bool {
        matches!(self.applies, Applies::UnevaluatedProperties | Applies::UnevaluatedItems)
    }

    /// Returns the name of the target in the value of its keyword, or an empty string.
    pub(crate) fn name(&self) -> &str {
        match &self.step {
            Step::Name(name) => name,
            Step::Value | Step::Index(_) => "",
        }
    }

    /// Returns the same edge with another target.
    pub(crate) fn with_target(&self, target: usize) -> Edge<'static> {
        let step = match &self.step {
            Step::Value => Step::Value,
            Step::Name(name) => Step::Name(name.clone().into_owned().into()),
            Step::Index(index) => Step::Index(*index),
        };
        Edge { keyword: self.keyword, step, applies: self.applies, target }
    }

    /// Returns the pointer of the target, below a subschema at `pointer`.
    pub(crate) fn target_pointer(&self, pointer: Pointer) -> Pointer {
        let pointer = pointer.push(self.keyword);
        match &self.step {
            Step::Value => pointer,
            Step::Name(name) => pointer.push(name),
            Step::Index(index) => pointer.push_index(*index),
        }
    }
}

impl<'a> Subschema<'a> {
    /// Returns the reference, if the subschema is nothing else.
    pub(crate) fn alias(&self) -> Option<&Edge<'a>> {
        self.edges.get(self.alias?)
    }

    /// Returns true if it is the schema `false`.
    pub(crate) fn is_false(&self) -> bool {
        self.node.bool() == Some(false)
    }

    /// Returns true if it has `unevaluatedProperties` or `unevaluatedItems`.
    pub(crate) fn has_unevaluated(&self) -> bool {
        self.edges.iter().any(Edge::checks_unevaluated)
    }
}
