//! ECMAScript regular expressions, matched in linear time.
//!
//! JSON Schema and manifest formats use ECMAScript patterns, as `new RegExp(source, "u")`
//! reads them. Engines of that dialect backtrack, and a hostile pattern can keep them busy
//! for hours. So the source is parsed here, in full, and written out again in the syntax of
//! the [`regex`] crate, which never backtracks. No pattern reaches that crate unparsed.
//!
//! Look-around and back-references cannot be matched in linear time. They are refused with
//! an error that names the construct, and so are the few Unicode properties that the crate
//! lacks. Everything else means exactly what it means in ECMAScript. The escape of a lone
//! surrogate is legal but never matches, because a Rust string cannot contain one.

mod class;
mod cursor;
mod escape;
mod escapes;
mod limits;
mod plain;
mod property;
mod translate;

use std::sync::Arc;

use regex::{Regex, RegexBuilder};

pub use limits::{PatternError, PatternLimits};
use translate::Translation;

/// A compiled pattern.
///
/// ```
/// use toolglot_json_schema::pattern::{Pattern, PatternLimits};
///
/// let pattern = Pattern::new(r"^\d+$", &PatternLimits::default())?;
/// assert_eq!(pattern.matches("12"), Ok(true));
/// assert_eq!(pattern.matches("12\n"), Ok(false));
/// assert_eq!(pattern.matches("١٢"), Ok(false));
/// # Ok::<(), toolglot_json_schema::pattern::PatternError>(())
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

    /// Returns true if the pattern matches anywhere in `haystack`. Fails if `haystack` is
    /// too long.
    ///
    /// Use `^` and `$` in a pattern to match the whole text.
    pub fn matches(&self, haystack: &str) -> Result<bool, PatternError> {
        if haystack.len() > self.haystack_bytes {
            return Err(PatternError::HaystackTooLong { limit: self.haystack_bytes });
        }
        Ok(self.regex.is_match(haystack))
    }

    /// Returns the pattern as its author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Translates a pattern into the syntax of the [`regex`] crate.
///
/// The result matches the same texts. Its groups do not capture.
///
/// ```
/// use toolglot_json_schema::pattern::{PatternLimits, translate};
///
/// let limits = PatternLimits::default();
/// assert_eq!(translate(r"^\d{2}$", &limits)?, r"\A[0-9]{2}\z");
/// # Ok::<(), toolglot_json_schema::pattern::PatternError>(())
/// ```
pub fn translate(source: &str, limits: &PatternLimits) -> Result<String, PatternError> {
    translate::translate(source, limits).map(|translation| translation.regex)
}

/// Checks that [`Pattern::new`] would accept a pattern.
///
/// Compiling is slow, and a short pattern is too large only if it has many terms. So a
/// short pattern with few terms is not compiled.
///
/// ```
/// use toolglot_json_schema::pattern::{PatternError, PatternLimits, check};
///
/// let limits = PatternLimits::default();
/// assert_eq!(check("^[a-z]{7,}$", &limits), Ok(()));
/// assert!(matches!(check("(?=a)", &limits), Err(PatternError::Unsupported { .. })));
/// assert!(matches!(check(r"(\p{L}{99}){99}", &limits), Err(PatternError::TooLarge { .. })));
/// ```
pub fn check(source: &str, limits: &PatternLimits) -> Result<(), PatternError> {
    // More than a compiled term takes, except for long classes and properties.
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
