//! Declarations of all parts of a schema that may apply to a value.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The possible content of a value, declared by all parts that may apply to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Declarations<'a> {
    /// The names of its members.
    pub(super) names: BTreeSet<Cow<'a, str>>,
    /// True if other members are possible.
    pub(super) allows_others: bool,
    /// True if any content is possible, in members and elements too.
    pub(super) loose: bool,
    pub(super) shapes: Vec<HintShape<'a>>,
}

/// The declarations of one part about the content of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct HintShape<'a> {
    pub(super) members: BTreeMap<Cow<'a, str>, usize>,
    pub(super) other_members: Option<usize>,
    /// Subschemas for members whose names are unknown here.
    pub(super) some_members: Vec<usize>,
    pub(super) elements: Vec<usize>,
    pub(super) other_elements: Option<usize>,
    pub(super) some_elements: Vec<usize>,
}

/// The parts that may apply to a value inside another.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hints {
    pub(super) parts: Vec<usize>,
    pub(super) loose: bool,
}

impl Declarations<'_> {
    /// Returns the parts that may apply to a member. `None` means a member that is not
    /// named.
    pub(super) fn member(&self, name: Option<&str>) -> Hints {
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for shape in &self.shapes {
            let own = name.and_then(|name| shape.members.get(name).copied());
            parts.extend(own.or(shape.other_members));
            parts.extend(&shape.some_members);
        }
        Hints { parts: parts.into_iter().collect(), loose: self.loose }
    }

    /// Returns the parts that may apply to the element at an index.
    pub(super) fn element(&self, index: usize) -> Hints {
        let mut parts: BTreeSet<usize> = BTreeSet::new();
        for shape in &self.shapes {
            parts.extend(shape.elements.get(index).copied().or(shape.other_elements));
            parts.extend(&shape.some_elements);
        }
        Hints { parts: parts.into_iter().collect(), loose: self.loose }
    }

    /// Returns the number of places to look for a member or an element.
    pub(super) fn cost(&self) -> usize {
        self.shapes.len()
    }
}
