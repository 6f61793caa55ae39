//! A schema as a graph: its subschemas, and which of them apply which.

use std::borrow::Cow;

use super::Dialect;
use super::keywords::Applies;
use diagnostic::Pointer;
use json_text::Node;

/// Every subschema of a schema. The first is the schema itself.
#[derive(Debug)]
pub(super) struct Graph<'a> {
    pub(super) dialect: Dialect,
    pub(super) parts: Vec<Subschema<'a>>,
}

impl Graph<'_> {
    /// Where a part that is nothing but a reference leads in the end; any other
    /// part itself. Only for a graph without cycles.
    pub(super) fn end_of(&self, mut part: usize) -> usize {
        while let Some(found) = self.parts.get(part) {
            match found.alias.and_then(|alias| found.uses.get(alias)) {
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
    pub(super) place: Site,
    /// How many subschemas it is written inside of.
    pub(super) depth: usize,
    /// The schema with an identifier that it belongs to.
    pub(super) resource: usize,
    /// What it applies, in the order of the text.
    pub(super) uses: Vec<Use<'a>>,
    /// Which of these is all that it means, when it is nothing but a reference.
    pub(super) alias: Option<usize>,
}

/// Where a subschema is written.
#[derive(Clone, Debug)]
pub(super) enum Site {
    /// It is the schema.
    Root,
    /// It is the target of that use in that part.
    Inside { part: usize, index: usize },
    /// Below that part, where no keyword holds subschemas; something refers to
    /// it there.
    Below { part: usize, pointer: Pointer },
}

/// One subschema applying another.
#[derive(Clone, Debug)]
pub(super) struct Use<'a> {
    pub(super) keyword: &'static str,
    pub(super) step: Step<'a>,
    pub(super) applies: Applies,
    pub(super) target: usize,
}

/// Where in the value of its keyword a subschema is.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    /// It is the value, or the value refers to it.
    Value,
    /// The member of that name.
    Name(Cow<'a, str>),
    /// The element at that index.
    Index(usize),
}

impl Use<'_> {
    /// Whether the target checks the same value.
    pub(super) fn in_place(&self) -> bool {
        matches!(self.applies, Applies::Always | Applies::Perhaps)
    }

    /// Whether the target checks what nothing else has looked at.
    pub(super) fn unseen(&self) -> bool {
        matches!(self.applies, Applies::UnseenMembers | Applies::UnseenElements)
    }

    /// The name of the member that the target is for, or of the one it is in.
    pub(super) fn name(&self) -> &str {
        match &self.step {
            Step::Name(name) => name,
            Step::Value | Step::Index(_) => "",
        }
    }

    /// The same use, of another target.
    pub(super) fn with_target(&self, target: usize) -> Use<'static> {
        Use {
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

    /// The address of the target below a subschema at `pointer`.
    pub(super) fn below(&self, pointer: Pointer) -> Pointer {
        let pointer = pointer.push(self.keyword);
        match &self.step {
            Step::Value => pointer,
            Step::Name(name) => pointer.push(name),
            Step::Index(index) => pointer.push_index(*index),
        }
    }
}

impl Subschema<'_> {
    /// Whether it has keywords whose meaning depends on what others have seen.
    pub(super) fn looks_at_unseen(&self) -> bool {
        self.uses.iter().any(Use::unseen)
    }
}
