//! What may have a say on a value, by all parts of a schema.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What may be in a value, by all parts of a schema that may have a say on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Declared<'a> {
    /// The names of members.
    pub(super) names: BTreeSet<Cow<'a, str>>,
    /// Whether there can be members without a name.
    pub(super) open: bool,
    /// Whether there can be anything, in members and elements too.
    pub(super) loose: bool,
    pub(super) shapes: Vec<HintShape<'a>>,
}

/// What one part says of what is inside a value.
#[derive(Clone, Debug, Default)]
pub(super) struct HintShape<'a> {
    pub(super) members: BTreeMap<Cow<'a, str>, usize>,
    pub(super) other_members: Option<usize>,
    /// For members whose names are not known here.
    pub(super) some_members: Vec<usize>,
    pub(super) elements: Vec<usize>,
    pub(super) other_elements: Option<usize>,
    pub(super) some_elements: Vec<usize>,
}

/// What may have a say on a value that is inside another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hints {
    pub(super) parts: Vec<usize>,
    pub(super) loose: bool,
}

impl Declared<'_> {
    /// What may have a say on a member; on one without a name, when there is none.
    pub(super) fn member(&self, name: Option<&str>) -> Hints {
        let own = |shape: &HintShape<'_>| {
            name.and_then(|name| shape.members.get(name).copied()).or(shape.other_members)
        };
        self.inside(|shape| own(shape).into_iter().chain(shape.some_members.iter().copied()))
    }

    /// What may have a say on the element at an index.
    pub(super) fn element(&self, index: usize) -> Hints {
        let own =
            |shape: &HintShape<'_>| shape.elements.get(index).copied().or(shape.other_elements);
        self.inside(|shape| own(shape).into_iter().chain(shape.some_elements.iter().copied()))
    }

    fn inside<'s, I: Iterator<Item = usize>>(
        &'s self,
        of: impl Fn(&'s HintShape<'_>) -> I,
    ) -> Hints {
        let parts: BTreeSet<usize> = self.shapes.iter().flat_map(of).collect();
        Hints { parts: parts.into_iter().collect(), loose: self.loose }
    }

    /// How many places there are to look for a member or an element.
    pub(super) fn cost(&self) -> usize {
        self.shapes.len()
    }
}
