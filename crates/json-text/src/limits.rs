//! Limits for parsing.

/// Limits on one JSON text. The defaults are safe for untrusted text.
///
/// ```
/// use toolglot_json_text::{Document, Limits};
///
/// let limits = Limits { depth: 2, ..Limits::default() };
/// let refused = Document::parse(b"[[[]]]", &limits).unwrap_err();
/// assert_eq!(refused.rule.code, "json/depth");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in one text.
    pub document_bytes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Values in one text.
    pub nodes: usize,
    /// Bytes in one string, as written.
    pub string_bytes: usize,
    /// Bytes in one member name, as written.
    pub key_bytes: usize,
    /// Bytes in one number, as written.
    pub number_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 1 << 20,
            depth: 127,
            nodes: 200_000,
            string_bytes: 256 << 10,
            key_bytes: 1 << 10,
            number_bytes: 1 << 10,
        }
    }
}

impl Limits {
    /// Returns unlimited `Limits`, for text that was parsed under limits before. Parsing is
    /// linear and does not recurse.
    pub const fn none() -> Self {
        Self {
            document_bytes: usize::MAX,
            depth: usize::MAX,
            nodes: usize::MAX,
            string_bytes: usize::MAX,
            key_bytes: usize::MAX,
            number_bytes: usize::MAX,
        }
    }
}

/// Lets functions that take limits accept a reference, too.
impl From<&Self> for Limits {
    fn from(limits: &Self) -> Self {
        *limits
    }
}
