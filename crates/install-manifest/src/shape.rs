//! What a document must look like, as data.
//!
//! [`table`] says it once for all versions. The checks in
//! [`structure`](crate::structure) walk it, and [`schema`](crate::schema()) writes
//! it as JSON Schema.

use manifest_core::json::{self, Kind, Node, Span};

use crate::words::Version;

pub(crate) mod table;

/// What a value must look like.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Anything.
    Any,
    /// Any object.
    Opaque,
    /// A boolean.
    Bool,
    /// A number without a fraction, in a range.
    Integer { min: Option<i64>, max: Option<i64> },
    /// A number from 0 to 1.
    Fraction,
    /// A string.
    Text(Text),
    /// One of these strings.
    Word(&'static [&'static str]),
    /// An array.
    List { of: &'static Shape, min: usize, max: Option<usize> },
    /// An object with any names.
    Map(&'static Shape),
    /// An object with known names.
    Object(&'static Object),
    /// One of several objects, by the word in the member `tag`.
    Union { tag: &'static str, branches: &'static [Branch] },
}

/// What a string must look like. Lengths are in characters.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    pub(crate) grammar: Option<Grammar>,
    /// What it should be. That is advice: the schema's `format` is not asserted.
    pub(crate) format: Option<Format>,
}

impl Text {
    /// Whether so many bytes are enough, and not too many, whatever characters they
    /// are: up to four of them are one.
    pub(crate) fn fits(&self, bytes: usize) -> bool {
        bytes >= 4 * self.min && self.max.is_none_or(|max| bytes <= max)
    }

    /// Whether a value can be told to be fine without a look at its characters.
    pub(crate) fn takes(&self, node: Node<'_>) -> bool {
        let Span { start, end } = node.span();
        let quotes = "\"\"".len();
        self.grammar.is_none()
            && self.format.is_none()
            && node.kind() == Kind::String
            // An escape is longer than what it stands for.
            && (self.min == 0 || !node.is_escaped())
            && self.fits((end - start).saturating_sub(quotes))
    }
}

/// What a string should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Uri,
    Email,
}

/// An object with known names, and no others.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) members: &'static [Member],
    pub(crate) needs: &'static [Need],
    /// By version, the members that must be there: a bit for each.
    required: [u32; Version::WORDS.len()],
}

/// A member of an object, in the versions that have it.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static Shape,
    pub(crate) required: bool,
    pub(crate) in_versions: (Version, Version),
}

/// One of several objects.
#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) word: &'static str,
    pub(crate) object: &'static Object,
    pub(crate) in_versions: (Version, Version),
}

/// A condition between the members of an object.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) what: Condition,
    pub(crate) since: Version,
}

/// What must hold between the members of an object.
#[derive(Debug)]
pub(crate) enum Condition {
    /// One of the members is there, and not both.
    ExactlyOne([&'static str; 2]),
    /// When a member has this value, another is there.
    When { member: &'static str, is: &'static str, required: &'static str },
    /// Actions, unless the runtime tells what they are.
    Actions,
    /// A data boundary, when a scope is about private data.
    DataBoundary,
    /// Nothing to revoke, when there is no way to do it.
    NothingToRevoke,
}

impl Object {
    const fn new(members: &'static [Member], needs: &'static [Need]) -> Self {
        let mut required = [0; Version::WORDS.len()];
        let (mut versions, mut version): (&mut [u32], usize) = (&mut required, 0);
        while let [first, rest @ ..] = versions {
            *first = required_in(version, members);
            version += 1;
            versions = rest;
        }
        Self { members, needs, required }
    }

    /// The member of a name, and its number. Those from `hint` on are looked at first.
    #[inline]
    pub(crate) fn find(
        &self,
        member: &json::Member<'_>,
        version: Version,
        hint: usize,
    ) -> Option<(usize, &'static Member)> {
        let index = member.position(self.members, |known| known.name, hint)?;
        let found = self.members.get(index)?;
        if found.is_in(version) {
            return Some((index, found));
        }
        // A name is in the table once for each range of versions.
        let same = |(_, known): &(usize, &Member)| known.name == found.name && known.is_in(version);
        self.members.iter().enumerate().find(same)
    }

    /// The members that must be there and were not found. There is a bit for each
    /// that was.
    pub(crate) fn missing(
        &self,
        version: Version,
        found: u32,
    ) -> impl Iterator<Item = &'static Member> {
        let required = self.required.get(version as usize).copied().unwrap_or_default();
        let missing = required & !found;
        // Mostly there is none, and no need to look.
        let members = if missing == 0 { &[] } else { self.members };
        let is_missing = move |(index, _): &(usize, &Member)| missing & (1 << index) != 0;
        members.iter().enumerate().filter(is_missing).map(|(_, member)| member)
    }
}

/// The members that must be there in a version: a bit for each.
const fn required_in(version: usize, members: &[Member]) -> u32 {
    let (mut required, mut bit, mut members) = (0, 1, members);
    while let [member, rest @ ..] = members {
        let (first, last) = member.in_versions;
        if member.required && first as usize <= version && version <= last as usize {
            required |= bit;
        }
        bit <<= 1;
        members = rest;
    }
    required
}

impl Member {
    pub(crate) fn is_in(&self, version: Version) -> bool {
        self.in_versions.0 <= version && version <= self.in_versions.1
    }
}

impl Branch {
    pub(crate) fn is_in(&self, version: Version) -> bool {
        self.in_versions.0 <= version && version <= self.in_versions.1
    }
}

/// The members that every one of several objects must have.
pub(crate) fn required_by_all(
    branches: &'static [Branch],
    version: Version,
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

/// The patterns of the specification. Each is a few lines of code, so that no
/// regular expression is compiled for a document that is fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grammar {
    ToolId,
    Namespace,
    Version,
    Tag,
    EnvName,
    ActionName,
    Sha256,
}

impl Grammar {
    /// The pattern, as the specification writes it.
    pub(crate) const fn pattern(self) -> &'static str {
        match self {
            Self::ToolId => "^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$",
            Self::Namespace => "^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$",
            Self::Version => r"^\d+\.\d+\.\d+(-[a-z0-9.-]+)?$",
            Self::Tag => "^[a-z0-9-]+$",
            Self::EnvName => "^[A-Z][A-Z0-9_]*$",
            Self::ActionName => "^[a-z][a-z0-9_]{0,62}$",
            Self::Sha256 => "^[a-f0-9]{64}$",
        }
    }

    /// What matches it, in words.
    pub(crate) const fn described(self) -> &'static str {
        match self {
            Self::ToolId => {
                "3 to 64 lower-case letters, digits and hyphens, with no hyphen at either end"
            }
            Self::Namespace => {
                "2 to 32 lower-case letters, digits and hyphens, with no hyphen at either end"
            }
            Self::Version => "a version such as 1.2.3 or 1.2.3-rc.1, in lower case",
            Self::Tag => "lower-case letters, digits and hyphens",
            Self::EnvName => "upper-case letters, digits and underscores, with a letter first",
            Self::ActionName => {
                "up to 63 lower-case letters, digits and underscores, with a letter first"
            }
            Self::Sha256 => "64 lower-case hexadecimal digits",
        }
    }

    /// Whether a text matches the pattern.
    pub(crate) fn matches(self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let lower = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let hyphened = |shortest: usize, longest: usize| {
            (shortest..=longest).contains(&bytes.len())
                && bytes.iter().all(|b| lower(b) || *b == b'-')
                && bytes.first() != Some(&b'-')
                && bytes.last() != Some(&b'-')
        };
        match self {
            Self::ToolId => hyphened(3, 64),
            Self::Namespace => hyphened(2, 32),
            Self::Version => is_version(text),
            Self::Tag => !bytes.is_empty() && bytes.iter().all(|b| lower(b) || *b == b'-'),
            Self::EnvName => {
                let rest = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
                bytes.first().is_some_and(u8::is_ascii_uppercase) && bytes.iter().all(rest)
            }
            Self::ActionName => {
                bytes.first().is_some_and(u8::is_ascii_lowercase)
                    && bytes.len() <= 63
                    && bytes.iter().all(|b| lower(b) || *b == b'_')
            }
            Self::Sha256 => {
                bytes.len() == 64 && bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            }
        }
    }
}

/// Three numbers, and what comes after a hyphen.
fn is_version(text: &str) -> bool {
    let mut rest = text.as_bytes();
    for before in [None, Some(b'.'), Some(b'.')] {
        if let Some(dot) = before {
            let [first, after @ ..] = rest else { return false };
            if *first != dot {
                return false;
            }
            rest = after;
        }
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 {
            return false;
        }
        rest = rest.get(digits..).unwrap_or_default();
    }
    let suffix = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-');
    match rest {
        [] => true,
        [b'-', suffixed @ ..] => !suffixed.is_empty() && suffixed.iter().all(suffix),
        _ => false,
    }
}

/// Whether a resource is one of those that hold private data: what comes before
/// its first dot is in the list of the specification.
pub(crate) fn is_private(resource: &str) -> bool {
    let dot = resource.bytes().position(|b| b == b'.');
    dot.and_then(|dot| resource.get(..dot)).is_some_and(|first| PRIVATE.contains(&first))
}

/// Resources that hold private data.
pub(crate) const PRIVATE: &[&str] = &[
    "gmail", "calendar", "drive", "contacts", "messages", "sms", "files", "photos", "location",
    "health", "finance", "payments", "stripe", "plaid",
];

/// The runtimes that do not tell what a tool can be asked to do.
pub(crate) const SILENT: &[&str] =
    &["python-module", "node-module", "shell-binary", "container", "mcp-http"];
