//! What values look like, and the objects in them: each is made of the other.

use super::index::Index;
use super::need::Need;
use super::text::{Format, Grammar, Text};
use diagnostic::Rule;
use json_text::{Kind, Node, rules as json, same_name};

/// A format's documents, in all versions.
#[derive(Debug)]
pub struct Table {
    /// What a document is.
    pub root: &'static Object,
    /// The versions as they are written, oldest first: eight at the most. Elsewhere a version is its
    /// number in this list.
    pub versions: &'static [&'static str],
    /// The member of the root that says the version, if one does.
    pub stated: Option<&'static str>,
}

/// What a value must look like.
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
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// A number in a range.
    Number {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// A string.
    Text(Text),
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An array.
    List {
        /// Its elements.
        of: &'static Shape,
        /// The fewest elements.
        min: usize,
        /// The most elements.
        max: Option<usize>,
    },
    /// An object with any names.
    Map(&'static Shape),
    /// An object with known names.
    Object(&'static Object),
    /// One of several objects, by the word in the member `tag`.
    Union {
        /// The member that tells which. It is not a member of the branches.
        tag: &'static str,
        /// The objects.
        branches: &'static [Branch],
    },
    /// A value of one of several types. The first that has the value's type counts,
    /// so two of the same type make no sense.
    OneOf(&'static [Shape]),
}

impl Shape {
    /// Any string.
    pub const TEXT: Self = Self::Text(Text::ANY);
    /// Any string but the empty one.
    pub const SOME_TEXT: Self = Self::Text(Text { min: 1, ..Text::ANY });
    /// Any strings.
    pub const TEXTS: Self = Self::List { of: &Self::TEXT, min: 0, max: None };
    /// One string or more.
    pub const SOME_TEXTS: Self = Self::List { of: &Self::TEXT, min: 1, max: None };
    /// Any whole number.
    pub const INTEGER: Self = Self::Integer { min: None, max: None };

    /// A string with so many characters.
    pub const fn text(min: usize, max: usize) -> Self {
        Self::Text(Text { min, max: Some(max), ..Text::ANY })
    }

    /// A string that matches a grammar.
    pub const fn matching(grammar: &'static Grammar) -> Self {
        Self::Text(Text::matching(grammar))
    }

    /// A string that should be of a format.
    pub const fn formatted(format: &'static Format) -> Self {
        Self::Text(Text { format: Some(format), ..Text::ANY })
    }

    /// An array of any length.
    pub const fn list(of: &'static Self) -> Self {
        Self::List { of, min: 0, max: None }
    }

    /// The one type of value that it asks for.
    pub(super) const fn kind(&self) -> Option<Kind> {
        match self {
            Self::Any | Self::OneOf(_) => None,
            Self::Opaque | Self::Map(_) | Self::Object(_) | Self::Union { .. } => {
                Some(Kind::Object)
            }
            Self::Bool => Some(Kind::Bool),
            Self::Integer { .. } | Self::Number { .. } => Some(Kind::Number),
            Self::Text(_) | Self::Word(_) => Some(Kind::String),
            Self::List { .. } => Some(Kind::Array),
        }
    }

    /// Whether a value can be told to be fine at a glance, as most can.
    #[inline]
    pub(super) fn takes(&self, node: Node<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Text(text) => text.takes(node),
            _ => false,
        }
    }

    /// Whether a value has the type that it asks for.
    pub(super) fn is_type_of(&self, node: Node<'_>) -> bool {
        match self {
            // The shapes of a table are not inside themselves.
            Self::OneOf(shapes) => shapes.iter().any(|shape| shape.is_type_of(node)),
            _ => self.kind().is_none_or(|kind| kind == node.kind()),
        }
    }
}

/// An object with known names. Tables end: no object is inside itself.
#[derive(Debug)]
pub struct Object {
    /// The members. A name stands here once for each range of versions, in
    /// neighbouring rows.
    pub members: &'static [Member],
    /// Whether there may be members with other names.
    pub open: bool,
    /// Whether nobody warns of them.
    pub free: bool,
    /// What must hold between the members.
    pub needs: &'static [Need],
    /// By version, the members that must be there: a bit for each.
    required: [u32; VERSIONS],
    /// The first row of each name.
    index: Index,
}

/// The most versions that a table can tell apart.
const VERSIONS: usize = 8;

impl Object {
    /// An object with these members and no others.
    ///
    /// # Panics
    /// With more than 32 members, or equal names that are not neighbours. In a static,
    /// that does not compile.
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
        Self { members, open: false, free: false, needs: &[], required, index: index(members) }
    }

    /// An object with these members and any others.
    ///
    /// # Panics
    /// As [`closed`](Self::closed).
    pub const fn open(members: &'static [Member]) -> Self {
        Self { open: true, ..Self::closed(members) }
    }

    /// An object with these members and any others, which are as good as these.
    ///
    /// # Panics
    /// As [`closed`](Self::closed).
    pub const fn free(members: &'static [Member]) -> Self {
        Self { free: true, ..Self::open(members) }
    }

    /// The same object, with conditions between its members.
    #[must_use]
    pub const fn needing(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    /// The names that must be there in a version.
    pub(crate) fn required(&self, version: u8) -> impl Iterator<Item = &'static str> {
        self.missing(version, 0).map(|member| member.name)
    }

    /// The member of a name, and its number. That of the number `hint` is tried first.
    #[inline]
    pub(super) fn find(
        &self,
        member: &json_text::Member<'_>,
        version: u8,
        hint: usize,
    ) -> Option<(usize, &'static Member)> {
        let index = match member.key.plain_bytes() {
            Some(name) => self.number(name, hint),
            None => self.number(member.name().as_bytes(), hint),
        }?;
        let found = self.members.get(index)?;
        if found.is_in(version) {
            return Some((index, found));
        }
        let same = |(_, known): &(usize, &Member)| known.name == found.name && known.is_in(version);
        self.members.iter().enumerate().find(same)
    }

    #[inline]
    fn number(&self, name: &[u8], hint: usize) -> Option<usize> {
        let is =
            |index: usize| self.members.get(index).is_some_and(|known| same_name(name, known.name));
        if is(hint) { Some(hint) } else { self.index.find(name, is) }
    }

    /// The members that must be there and were not found. There is a bit for each
    /// that was.
    pub(super) fn missing(&self, version: u8, found: u32) -> impl Iterator<Item = &'static Member> {
        let required = self.required.get(usize::from(version)).copied().unwrap_or_default();
        let missing = required & !found;
        // Mostly there is none, and no need to look.
        let members = if missing == 0 { &[] } else { self.members };
        let is_missing = move |(index, _): &(usize, &Member)| missing & (1 << index) != 0;
        members.iter().enumerate().filter(is_missing).map(|(_, member)| member)
    }
}

/// The members that must be there in a version: a bit for each.
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

/// The first row of each name, by that name.
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

/// Whether no other name stands between two equal ones.
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

/// Whether two names are the same. The comparison of `str` is not for statics.
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
    /// What its value must look like.
    pub shape: &'static Shape,
    /// Whether it must be there.
    pub required: bool,
    /// What is broken when it must be there and is not.
    pub missing: &'static Rule,
    /// What a value of another type breaks.
    pub mistyped: &'static Rule,
    /// The first version that has it.
    pub since: u8,
    /// The last version that has it.
    pub until: u8,
    /// Where a check leaves the value for those that come after it. Past the end of what
    /// it has room for, it leaves nothing.
    pub kept: usize,
    /// Whether only a document that has it, in its form, is near the format.
    pub telling: bool,
}

/// A member that must be there.
pub const fn must(name: &'static str, shape: &'static Shape) -> Member {
    Member { required: true, ..may(name, shape) }
}

/// A member that may be there.
pub const fn may(name: &'static str, shape: &'static Shape) -> Member {
    let (missing, mistyped) = (&json::REQUIRED, &json::TYPE);
    let (since, until, kept) = (0, u8::MAX, usize::MAX);
    let (required, telling) = (false, false);
    Member { name, shape, required, missing, mistyped, since, until, kept, telling }
}

impl Member {
    /// The same member, with a rule of its own for when it is missing.
    #[must_use]
    pub const fn missing(self, rule: &'static Rule) -> Self {
        Self { missing: rule, ..self }
    }

    /// The same member, with a rule of its own for values of another type.
    #[must_use]
    pub const fn mistyped(self, rule: &'static Rule) -> Self {
        Self { mistyped: rule, ..self }
    }

    /// The same member, whose value a check leaves at that place. Members inside lists
    /// have none: the last of them would be left.
    #[must_use]
    pub const fn kept(self, place: usize) -> Self {
        Self { kept: place, ..self }
    }

    /// The same member, which tells its format. What a format requires may be what anything
    /// has, such as a name and a version: then a document that has them is not near it yet.
    #[must_use]
    pub const fn telling(self) -> Self {
        Self { telling: true, ..self }
    }

    /// The same member, from a version on.
    #[must_use]
    pub const fn since(self, version: u8) -> Self {
        Self { since: version, ..self }
    }

    /// The same member, up to a version.
    #[must_use]
    pub const fn until(self, version: u8) -> Self {
        Self { until: version, ..self }
    }

    /// Whether a version has it.
    pub const fn is_in(&self, version: u8) -> bool {
        self.since <= version && version <= self.until
    }
}

/// One of several objects, in the versions that have it.
#[derive(Debug)]
pub struct Branch {
    /// What the tag says for it.
    pub word: &'static str,
    /// The object, without the tag.
    pub object: &'static Object,
    /// The first version that has it.
    pub since: u8,
    /// The last version that has it.
    pub until: u8,
}

/// One of several objects.
pub const fn branch(word: &'static str, object: &'static Object) -> Branch {
    Branch { word, object, since: 0, until: u8::MAX }
}

impl Branch {
    /// The same branch, from a version on.
    #[must_use]
    pub const fn since(self, version: u8) -> Self {
        Self { since: version, ..self }
    }

    /// The same branch, up to a version.
    #[must_use]
    pub const fn until(self, version: u8) -> Self {
        Self { until: version, ..self }
    }

    /// Whether a version has it.
    pub const fn is_in(&self, version: u8) -> bool {
        self.since <= version && version <= self.until
    }
}

/// The members that every one of several objects must have.
pub(super) fn required_by_all(
    branches: &'static [Branch],
    version: u8,
) -> impl Iterator<Item = &'static str> {
    let branches = branches.iter().filter(move |branch| branch.is_in(version));
    let requires = move |branch: &Branch, name: &str| {
        let mut members = branch.object.members.iter();
        members.any(|member| member.name == name && member.required && member.is_in(version))
    };
    let first = branches.clone().next().into_iter().flat_map(|branch| branch.object.members);
    first
        .map(|member| member.name)
        .filter(move |name| branches.clone().all(|branch| requires(branch, name)))
}
