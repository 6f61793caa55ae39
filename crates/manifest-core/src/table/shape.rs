//! The shapes of values and of objects. They share a file because each contains the other.

use super::condition::MemberCondition;
use super::index::Index;
use super::text::{Grammar, TextFormat, TextShape};
use diagnostic::Rule;
use json_text::{Kind, Node, rules as json, same_name};

/// A format's documents, in all versions.
#[derive(Debug)]
pub struct Table {
    /// The shape of a document.
    pub root: &'static Object,
    /// The versions as they are written, oldest first, at most eight. Everywhere else, a
    /// version is its index in this list.
    pub versions: &'static [&'static str],
    /// The member of the root that contains the version, if there is one.
    pub version_member: Option<&'static str>,
}

/// The shape of a value.
#[derive(Debug)]
pub enum Shape {
    /// Anything.
    Any,
    /// Any object.
    Opaque,
    /// A boolean.
    Bool,
    /// A number without a fraction, in a range.
    Integer {
        /// The minimum.
        min: Option<i64>,
        /// The maximum.
        max: Option<i64>,
    },
    /// A number in a range.
    Number {
        /// The minimum.
        min: Option<i64>,
        /// The maximum.
        max: Option<i64>,
    },
    /// A string.
    Text(TextShape),
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// An array.
    List {
        /// The shape of its elements.
        of: &'static Shape,
        /// The fewest elements.
        min: usize,
        /// The most elements.
        max: Option<usize>,
    },
    /// An object with any names, and values of this shape.
    Map(&'static Shape),
    /// An object with known names.
    Object(&'static Object),
    /// One of several objects, selected by the value of the member `tag`.
    Union {
        /// The member that selects the branch. The objects of the branches do not list it.
        tag: &'static str,
        /// The branches.
        branches: &'static [Branch],
    },
    /// A value of one of several types. The first shape with the value's type is used, so a
    /// second one of that type has no effect.
    OneOf(&'static [Shape]),
}

impl Shape {
    /// Any string.
    pub const TEXT: Self = Self::Text(TextShape::ANY);
    /// Any string but the empty one.
    pub const NON_EMPTY_TEXT: Self = Self::Text(TextShape { min: 1, ..TextShape::ANY });
    /// An array of strings.
    pub const TEXTS: Self = Self::List { of: &Self::TEXT, min: 0, max: None };
    /// An array of one or more strings.
    pub const NON_EMPTY_TEXTS: Self = Self::List { of: &Self::TEXT, min: 1, max: None };
    /// Any whole number.
    pub const INTEGER: Self = Self::Integer { min: None, max: None };

    /// A string with a length in this range.
    pub const fn text(min: usize, max: usize) -> Self {
        Self::Text(TextShape { min, max: Some(max), ..TextShape::ANY })
    }

    /// A string that matches a grammar.
    pub const fn matching(grammar: &'static Grammar) -> Self {
        Self::Text(TextShape::matching(grammar))
    }

    /// A string that should have a format.
    pub const fn formatted(format: &'static TextFormat) -> Self {
        Self::Text(TextShape { format: Some(format), ..TextShape::ANY })
    }

    /// An array of any length.
    pub const fn list(of: &'static Self) -> Self {
        Self::List { of, min: 0, max: None }
    }

    /// Returns the type that it requires, if there is only one.
    pub(super) const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Any | Self::OneOf(_) => None,
            Self::Opaque | Self::Map(_) | Self::Object(_) | Self::Union { .. } => {
                Some(Kind::Object)
            }
            Self::Bool => Some(Kind::Bool),
            Self::Integer { .. } | Self::Number { .. } => Some(Kind::Number),
            Self::Text(_) | Self::Enum(_) => Some(Kind::String),
            Self::List { .. } => Some(Kind::Array),
        }
    }

    /// Returns true if the value is valid without a further check, as most are.
    #[inline]
    pub(super) fn is_surely_valid(&self, node: Node<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Text(text) => text.is_surely_valid(node),
            _ => false,
        }
    }

    /// Returns true if the value has a type that the shape allows.
    pub(super) fn allows_type_of(&self, node: Node<'_>) -> bool {
        match self {
            // The recursion ends because tables are finite.
            Self::OneOf(shapes) => shapes.iter().any(|shape| shape.allows_type_of(node)),
            _ => self.kind().is_none_or(|kind| kind == node.kind()),
        }
    }
}

/// An object with known names. Tables are finite: no object contains itself.
#[derive(Debug)]
pub struct Object {
    /// The members. A name has one row for each range of versions, and these rows are
    /// neighbours.
    pub members: &'static [Member],
    /// Whether other members are allowed.
    pub open: bool,
    /// Whether no check warns about other members.
    pub extensible: bool,
    /// The conditions between the members.
    pub conditions: &'static [MemberCondition],
    /// For each version, a bit set of the required members.
    required: [u32; VERSIONS],
    /// The first row of each name.
    index: Index,
}

/// The most versions of a table.
const VERSIONS: usize = 8;

impl Object {
    /// An object with these members and no others.
    ///
    /// # Panics
    /// Panics with more than 32 members, or with equal names that are not neighbours. In a
    /// static, that is a compile error.
    pub const fn closed(members: &'static [Member]) -> Self {
        assert!(members.len() <= u32::BITS as usize, "there is a bit for each member");
        assert!(equal_names_are_neighbours(members), "readers find equal names together");
        let mut required = [0; VERSIONS];
        let (mut versions, mut version): (&mut [u32], u8) = (&mut required, 0);
        while let [first, rest @ ..] = versions {
            *first = required_in(version, members);
            version += 1;
            versions = rest;
        }
        Self {
            members,
            open: false,
            extensible: false,
            conditions: &[],
            required,
            index: index(members),
        }
    }

    /// An object with these members and any others.
    ///
    /// # Panics
    /// Like [`closed`](Self::closed).
    pub const fn open(members: &'static [Member]) -> Self {
        Self { open: true, ..Self::closed(members) }
    }

    /// An object with these members and any others, which no check warns about.
    ///
    /// # Panics
    /// Like [`closed`](Self::closed).
    pub const fn free(members: &'static [Member]) -> Self {
        Self { extensible: true, ..Self::open(members) }
    }

    /// Adds conditions between its members.
    #[must_use]
    pub const fn with_conditions(self, needs: &'static [MemberCondition]) -> Self {
        Self { conditions: needs, ..self }
    }

    /// Returns the names of the members that a version requires.
    pub(crate) fn required(&self, version: u8) -> impl Iterator<Item = &'static str> {
        self.missing(version, 0).map(|member| member.name)
    }

    /// Returns the names of the members that a version has.
    pub(super) fn names(&self, version: u8) -> Vec<&'static str> {
        let known = self.members.iter().filter(|member| member.is_in(version));
        known.map(|member| member.name).collect()
    }

    /// Returns the row of a member, and its number. Tries the row number `hint` first.
    #[inline]
    pub(super) fn find(
        &self,
        member: &json_text::Member<'_>,
        version: u8,
        hint: usize,
    ) -> Option<(usize, &'static Member)> {
        let index = match member.key.plain_bytes() {
            Some(name) => self.row_of(name, hint),
            None => self.row_of(member.name().as_bytes(), hint),
        }?;
        let found = self.members.get(index)?;
        if found.is_in(version) {
            return Some((index, found));
        }
        // Another row of the name may be in this version.
        let mut rows = self.members.iter().enumerate();
        rows.find(|(_, known)| known.name == found.name && known.is_in(version))
    }

    #[inline]
    fn row_of(&self, name: &[u8], hint: usize) -> Option<usize> {
        let has_name =
            |row: usize| self.members.get(row).is_some_and(|known| same_name(name, known.name));
        if has_name(hint) { Some(hint) } else { self.index.find(name, has_name) }
    }

    /// Returns the required members that are not in the bit set `found`.
    pub(super) fn missing(&self, version: u8, found: u32) -> impl Iterator<Item = &'static Member> {
        let required = self.required.get(usize::from(version)).copied().unwrap_or(0);
        let missing = required & !found;
        // Usually no member is missing, and the list need not be searched.
        let members = if missing == 0 { &[] } else { self.members };
        let rows = members.iter().enumerate();
        rows.filter_map(
            move |(row, member)| {
                if missing & (1 << row) != 0 { Some(member) } else { None }
            },
        )
    }
}

/// Returns the bit set of the members that a version requires.
const fn required_in(version: u8, members: &[Member]) -> u32 {
    let (mut required, mut bit, mut members) = (0, 1_u32, members);
    while let [member, rest @ ..] = members {
        if member.required && member.is_in(version) {
            required |= bit;
        }
        bit = bit.wrapping_shl(1);
        members = rest;
    }
    required
}

/// Indexes the first row of each name.
const fn index(mut members: &[Member]) -> Index {
    let (mut index, mut number, mut before) = (Index::EMPTY, 0, None::<&str>);
    while let [member, rest @ ..] = members {
        let again = matches!(before, Some(name) if equal(name.as_bytes(), member.name.as_bytes()));
        if !again {
            index = index.with(member.name, number);
        }
        (members, number, before) = (rest, number + 1, Some(member.name));
    }
    index
}

/// Returns true if no other name is between two equal ones.
const fn equal_names_are_neighbours(mut members: &[Member]) -> bool {
    while let [first, rest @ ..] = members {
        let (mut after, mut apart) = (rest, false);
        while let [other, more @ ..] = after {
            let same = equal(first.name.as_bytes(), other.name.as_bytes());
            if same && apart {
                return false;
            }
            apart |= !same;
            after = more;
        }
        members = rest;
    }
    true
}

/// Compares names. `==` on `str` is not const.
const fn equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (rest, others);
    }
    one.is_empty() && other.is_empty()
}

/// A member of an object, in the versions that have it.
#[derive(Debug)]
pub struct Member {
    /// The name.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: &'static Shape,
    /// Whether it is required.
    pub required: bool,
    /// The rule that is reported if it is required and missing.
    pub missing_rule: &'static Rule,
    /// The rule that is reported for a value of another type.
    pub mistyped_rule: &'static Rule,
    /// The first version that has it.
    pub since: u8,
    /// The last version that has it.
    pub until: u8,
    /// The index in the `kept` slice of [`check`](super::check()) where the value is
    /// stored. The value is not stored if the index is past the end.
    pub captured: usize,
    /// Whether only documents with the member, in its form, are near misses of the format.
    pub distinctive: bool,
}

/// Creates a required member.
pub const fn required(name: &'static str, shape: &'static Shape) -> Member {
    Member { required: true, ..optional(name, shape) }
}

/// Creates an optional member.
pub const fn optional(name: &'static str, shape: &'static Shape) -> Member {
    Member {
        name,
        shape,
        required: false,
        missing_rule: &json::REQUIRED,
        mistyped_rule: &json::TYPE,
        since: 0,
        until: u8::MAX,
        captured: usize::MAX,
        distinctive: false,
    }
}

impl Member {
    /// Sets the rule that is reported if it is missing.
    #[must_use]
    pub const fn missing(self, rule: &'static Rule) -> Self {
        Self { missing_rule: rule, ..self }
    }

    /// Sets the rule that is reported for values of another type.
    #[must_use]
    pub const fn mistyped(self, rule: &'static Rule) -> Self {
        Self { mistyped_rule: rule, ..self }
    }

    /// Sets the index where a check stores the value. Not useful for members inside lists:
    /// only the last value would be stored.
    #[must_use]
    pub const fn kept(self, place: usize) -> Self {
        Self { captured: place, ..self }
    }

    /// Marks the member as distinctive. If the required members of a format are as common
    /// as a name and a version, a document with only those is not a near miss.
    #[must_use]
    pub const fn telling(self) -> Self {
        Self { distinctive: true, ..self }
    }

    /// Sets the first version that has it.
    #[must_use]
    pub const fn since(self, version: u8) -> Self {
        Self { since: version, ..self }
    }

    /// Sets the last version that has it.
    #[must_use]
    pub const fn until(self, version: u8) -> Self {
        Self { until: version, ..self }
    }

    /// Returns true if a version has it.
    pub const fn is_in(&self, version: u8) -> bool {
        self.since <= version && version <= self.until
    }
}

/// A branch of a union, in the versions that have it.
#[derive(Debug)]
pub struct Branch {
    /// The value of the tag.
    pub tag_value: &'static str,
    /// The object, without the tag.
    pub object: &'static Object,
    /// The first version that has it.
    pub since: u8,
    /// The last version that has it.
    pub until: u8,
}

/// Creates a branch that all versions have.
pub const fn branch(word: &'static str, object: &'static Object) -> Branch {
    Branch { tag_value: word, object, since: 0, until: u8::MAX }
}

impl Branch {
    /// Sets the first version that has it.
    #[must_use]
    pub const fn since(self, version: u8) -> Self {
        Self { since: version, ..self }
    }

    /// Sets the last version that has it.
    #[must_use]
    pub const fn until(self, version: u8) -> Self {
        Self { until: version, ..self }
    }

    /// Returns true if a version has it.
    pub const fn is_in(&self, version: u8) -> bool {
        self.since <= version && version <= self.until
    }
}

/// Returns the members that every branch requires.
pub(super) fn required_by_all(
    branches: &'static [Branch],
    version: u8,
) -> impl Iterator<Item = &'static str> {
    let mut branches = branches.iter().filter(move |branch| branch.is_in(version));
    let first = branches.next().map(|branch| branch.object.required(version));
    let is_required = move |branch: &Branch, name: &str| {
        branch.object.required(version).any(|required| required == name)
    };
    first
        .into_iter()
        .flatten()
        .filter(move |name| branches.clone().all(|branch| is_required(branch, name)))
}
