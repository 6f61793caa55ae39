//! ECMAScript regular expressions, matched in linear time.
//!
//! JSON Schema and the manifest formats write patterns in the dialect of
//! ECMAScript's `new RegExp(source, "u")`. Engines of that dialect backtrack,
//! and a stranger's pattern can keep them busy for hours. So the source is
//! parsed here, in full, and written out again in the syntax of the [`regex`]
//! crate, which never backtracks. Nothing reaches that crate unparsed.
//!
//! What cannot be matched in linear time is refused by name: look-around and
//! back-references. So are the few Unicode properties that the crate does not
//! know. Everything else means exactly what it means in ECMAScript. The escape
//! of a lone surrogate is legal, and matches nothing, because no Rust string
//! contains one.

mod class;
mod cursor;
mod escape;
mod name;
mod plain;
mod property;
mod translate;

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

use translate::Translation;

/// Bounds on what a pattern may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct PatternLimits {
    /// Bytes in the source of one pattern.
    pub source_bytes: usize,
    /// Bytes of one compiled pattern.
    pub compiled_bytes: usize,
    /// Groups inside groups. Compiling uses more stack the higher this is.
    pub nesting: u32,
    /// Bytes in a text that a pattern is matched against.
    pub haystack_bytes: usize,
    /// Terms of a pattern, with every repetition written out, times bytes of
    /// the text. Matching takes time in proportion, so this bounds it.
    pub steps: u64,
}

impl Default for PatternLimits {
    fn default() -> Self {
        Self {
            source_bytes: 4 << 10,
            compiled_bytes: 1 << 20,
            nesting: 64,
            haystack_bytes: 1 << 20,
            steps: 1 << 25,
        }
    }
}

/// Why a pattern cannot be used, or not on this text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The source is not an ECMAScript pattern.
    #[error("not an ECMAScript pattern: {reason} at byte {offset}")]
    Syntax {
        /// Where in the source.
        offset: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// The source is an ECMAScript pattern, with a construct that has no
    /// linear-time match.
    #[error("{construct} at byte {offset} of the pattern is not supported")]
    Unsupported {
        /// Where in the source.
        offset: usize,
        /// The construct, such as `look-ahead`.
        construct: &'static str,
    },
    /// The source is longer than [`PatternLimits::source_bytes`].
    #[error("the pattern is longer than {limit} bytes")]
    TooLong {
        /// The limit.
        limit: usize,
    },
    /// Compiled, the pattern is larger than [`PatternLimits::compiled_bytes`].
    #[error("the pattern needs more than {limit} bytes when compiled")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Groups are nested deeper than [`PatternLimits::nesting`].
    #[error("the pattern nests groups more than {limit} deep")]
    TooNested {
        /// The limit.
        limit: u32,
    },
    /// The text is longer than [`PatternLimits::haystack_bytes`], or longer
    /// than [`PatternLimits::steps`] allows for this pattern.
    #[error("the text to match is longer than {limit} bytes")]
    HaystackTooLong {
        /// The limit for this pattern.
        limit: usize,
    },
}

/// A compiled pattern.
///
/// ```
/// use json_schema::pattern::{Pattern, PatternLimits};
///
/// let pattern = Pattern::new(r"^\d+$", &PatternLimits::default())?;
/// assert_eq!(pattern.matches("12"), Ok(true));
/// assert_eq!(pattern.matches("12\n"), Ok(false));
/// assert_eq!(pattern.matches("١٢"), Ok(false));
/// # Ok::<(), json_schema::pattern::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    source: Arc<str>,
    haystack_bytes: usize,
}

impl Pattern {
    /// Compiles an ECMAScript pattern.
    pub fn new(source: &str, limits: &PatternLimits) -> Result<Self, PatternError> {
        let Translation { regex, terms } = translate::translate(source, limits)?;
        let regex = RegexBuilder::new(&regex)
            .size_limit(limits.compiled_bytes)
            // Each group is up to four levels to the engine: the group, its
            // alternatives, one of them, and the quantifier.
            .nest_limit(limits.nesting.saturating_add(1).saturating_mul(4))
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(limit) => PatternError::TooLarge { limit },
                _ => PatternError::Syntax {
                    offset: 0,
                    reason: "the matching engine refuses the pattern",
                },
            })?;
        let steps = limits.steps / terms.max(1);
        Ok(Self {
            regex,
            source: source.into(),
            haystack_bytes: usize::try_from(steps).unwrap_or(usize::MAX).min(limits.haystack_bytes),
        })
    }

    /// Whether the pattern matches anywhere in `haystack`.
    ///
    /// A pattern that must match the whole text says so with `^` and `$`.
    pub fn matches(&self, haystack: &str) -> Result<bool, PatternError> {
        if haystack.len() > self.haystack_bytes {
            return Err(PatternError::HaystackTooLong { limit: self.haystack_bytes });
        }
        Ok(self.regex.is_match(haystack))
    }

    /// The pattern as its author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// The same pattern in the syntax of the [`regex`] crate.
///
/// It matches the same texts. Groups no longer capture.
///
/// ```
/// use json_schema::pattern::{PatternLimits, translate};
///
/// let limits = PatternLimits::default();
/// assert_eq!(translate(r"^\d{2}$", &limits)?, r"\A[0-9]{2}\z");
/// # Ok::<(), json_schema::pattern::PatternError>(())
/// ```
pub fn translate(source: &str, limits: &PatternLimits) -> Result<String, PatternError> {
    translate::translate(source, limits).map(|translation| translation.regex)
}

/// Checks a pattern: whether [`Pattern::new`] would take it.
///
/// Compiling takes long, and only many terms make a short pattern a large one. So
/// one that has few of them is not compiled.
///
/// ```
/// use json_schema::pattern::{PatternError, PatternLimits, check};
///
/// let limits = PatternLimits::default();
/// assert_eq!(check("^[a-z]{7,}$", &limits), Ok(()));
/// assert!(matches!(check("(?=a)", &limits), Err(PatternError::Unsupported { .. })));
/// assert!(matches!(check(r"(\p{L}{99}){99}", &limits), Err(PatternError::TooLarge { .. })));
/// ```
pub fn check(source: &str, limits: &PatternLimits) -> Result<(), PatternError> {
    // More than a term takes up when it is compiled, but for long classes and for
    // properties.
    const BYTES_PER_TERM: u64 = 4 << 10;
    let is_few = |terms: u64| terms.saturating_mul(BYTES_PER_TERM) <= limits.compiled_bytes as u64;
    if source.len() <= limits.source_bytes.min(256) && plain::terms(source).is_some_and(is_few) {
        return Ok(());
    }
    let few = is_few(translate::translate(source, limits)?.terms);
    let source_bytes = source.as_bytes();
    let property = |pair: &[u8]| matches!(pair, [b'\\', b'p' | b'P']);
    if few && source.len() <= 256 && !source_bytes.windows(2).any(property) {
        return Ok(());
    }
    Pattern::new(source, limits).map(drop)
}

fn syntax<T>(offset: usize, reason: &'static str) -> Result<T, PatternError> {
    Err(PatternError::Syntax { offset, reason })
}
