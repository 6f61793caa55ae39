//! Objects, and what is in them.

use super::{Need, Shape};

/// An object with known names. Tables end: no object is inside itself.
#[derive(Debug)]
pub struct Object {
    /// The members. A name stands here once for each range of versions, in
    /// neighbouring rows.
    pub members: &'static [Member],
    /// Whether there may be members with other names.
    pub open: bool,
    /// What must hold between the members.
    pub needs: &'static [Need],
    /// By version, the members that must be there: a bit for each.
    required: [u32; VERSIONS],
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
        Self { members, open: false, needs: &[], required }
    }

    /// An object with these members and any others.
    ///
    /// # Panics
    /// As [`closed`](Self::closed).
    pub const fn open(members: &'static [Member]) -> Self {
        Self { open: true, ..Self::closed(members) }
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

    /// The member of a name, and its number. Those from `hint` on are looked at first.
    #[inline]
    pub(super) fn find(
        &self,
        member: &json_text::Member<'_>,
        version: u8,
        hint: usize,
    ) -> Option<(usize, &'static Member)> {
        let index = member.position(self.members, |known| known.name, hint)?;
        let found = self.members.get(index)?;
        if found.is_in(version) {
            return Some((index, found));
        }
        let same = |(_, known): &(usize, &Member)| known.name == found.name && known.is_in(version);
        self.members.iter().enumerate().find(same)
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
#[allow(clippy::exhaustive_structs)] // tables are statics, written out in full
pub struct Member {
    /// The name.
    pub name: &'static str,
    /// What its value must look like.
    pub shape: &'static Shape,
    /// Whether it must be there.
    pub required: bool,
    /// The first version that has it.
    pub since: u8,
    /// The last version that has it.
    pub until: u8,
}

/// A member that must be there.
pub const fn must(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: true, since: 0, until: u8::MAX }
}

/// A member that may be there.
pub const fn may(name: &'static str, shape: &'static Shape) -> Member {
    Member { name, shape, required: false, since: 0, until: u8::MAX }
}

impl Member {
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
#[allow(clippy::exhaustive_structs)] // tables are statics, written out in full
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
