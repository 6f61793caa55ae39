//! JSON Pointers (RFC 6901).

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{ok_or_bug, some_or_bug};

/// The address of a value in a JSON document.
///
/// ```
/// use toolglot_diagnostic::Pointer;
///
/// let pointer = Pointer::root().push("tools").push_index(0).push("a/b");
/// assert_eq!(pointer.as_str(), "/tools/0/a~1b");
/// assert_eq!(pointer.tokens().last().as_deref(), Some("a/b"));
/// assert!(Pointer::parse("no leading slash").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct Pointer(String);

/// The reason why a text is not a JSON Pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PointerError {
    /// The text is not empty and does not begin with a slash.
    #[error("a JSON Pointer is empty or begins with '/'")]
    NoLeadingSlash,
    /// `~` is followed by something other than `0` or `1`.
    #[error("'~' at byte {offset} must be followed by '0' or '1'")]
    BadEscape {
        /// The byte offset of the `~`.
        offset: usize,
    },
}

impl Pointer {
    /// Returns the pointer of the whole document.
    pub const fn root() -> Self {
        Self(String::new())
    }

    /// Parses a pointer and checks its escapes.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        if !text.is_empty() && !text.starts_with('/') {
            return Err(PointerError::NoLeadingSlash);
        }
        for (offset, _) in text.match_indices('~') {
            if !matches!(text.as_bytes().get(offset + 1), Some(b'0' | b'1')) {
                return Err(PointerError::BadEscape { offset });
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the pointer of a text that is known to be one, for example a literal of this
    /// program. Anything else is a bug, as for [`ok_or_bug`].
    #[track_caller]
    pub fn from_trusted(text: &str) -> Self {
        some_or_bug(ok_or_bug(Self::parse(text)))
    }

    /// Appends the name of a member.
    #[must_use]
    pub fn push(mut self, token: &str) -> Self {
        self.0.push('/');
        self.0.push_str(&escape(token));
        self
    }

    /// Appends the index of an array element.
    #[must_use]
    pub fn push_index(self, index: usize) -> Self {
        self.push(&index.to_string())
    }

    /// Appends all tokens of `tail`.
    #[must_use]
    pub fn join(mut self, tail: &Self) -> Self {
        self.0.push_str(&tail.0);
        self
    }

    /// Returns the pointer of the containing value and the last token, or `None` for the
    /// root.
    pub fn split_last(&self) -> Option<(Self, Cow<'_, str>)> {
        let (parent, last) = self.0.rsplit_once('/')?;
        Some((Self(parent.to_owned()), unescape(last)))
    }

    /// Returns the part below `prefix` if this pointer is `prefix` or inside it.
    pub fn strip_prefix(&self, prefix: &Self) -> Option<Self> {
        let tail = self.0.strip_prefix(&prefix.0)?;
        if tail.is_empty() || tail.starts_with('/') { Some(Self(tail.to_owned())) } else { None }
    }

    /// Returns the unescaped tokens, outermost first.
    pub fn tokens(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.0.split('/').skip(1).map(unescape)
    }

    /// Returns the pointer in its escaped form.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if this is the pointer of the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }
}

fn escape(token: &str) -> Cow<'_, str> {
    if token.contains(['~', '/']) {
        Cow::Owned(token.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(token)
    }
}

fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<Pointer> for String {
    fn from(pointer: Pointer) -> Self {
        pointer.0
    }
}

impl TryFrom<String> for Pointer {
    type Error = PointerError;

    fn try_from(text: String) -> Result<Self, PointerError> {
        Self::parse(&text)
    }
}
