//! The query of a request.

use manifest_core::percent;

use crate::names::is_space;

/// The parameters of a request, decoded.
pub(crate) struct QueryParams {
    pairs: Vec<(String, String)>,
}

/// The maximum number of parameters that are read.
const MAX_PARAMS: usize = 64;

impl QueryParams {
    pub(crate) fn new(query: &str) -> Self {
        Self { pairs: percent::query_pairs(query).take(MAX_PARAMS).collect() }
    }

    /// Returns the value of a parameter. A parameter given twice counts as missing, because
    /// the published hub sees a list then.
    fn get(&self, name: &str) -> Option<&str> {
        let mut found = None;
        for (other, value) in &self.pairs {
            if other == name {
                if found.is_some() {
                    return None;
                }
                found = Some(value.as_str());
            }
        }
        found
    }

    /// Returns the words to search for. Without the parameter, all tools are found.
    pub(crate) fn q(&self) -> &str {
        self.get("q").map_or("", str::trim)
    }

    /// Returns the tags that a tool must have.
    pub(crate) fn tags(&self) -> Vec<&str> {
        let Some(tags) = self.get("tags") else { return Vec::new() };
        tags.split(',').map(str::trim).filter(|tag| !tag.is_empty()).collect()
    }

    /// Returns the range of results of the page.
    ///
    /// Numbers are read as JavaScript reads them, and clamped. A missing or invalid number
    /// is the default. An empty one is the default too, but the published hub reads it as
    /// zero.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // both are meant
    pub(crate) fn page(&self, empty_is_zero: bool) -> (usize, usize) {
        let limit = self.number("limit", 20.0, empty_is_zero).clamp(1.0, 100.0);
        let offset = self.number("offset", 0.0, empty_is_zero).max(0.0);
        (offset as usize, (offset + limit) as usize)
    }

    fn number(&self, name: &str, default: f64, empty_is_zero: bool) -> f64 {
        match self.get(name) {
            Some(text) if empty_is_zero || !text.trim().is_empty() => {
                js_number(text).unwrap_or(default)
            }
            _ => default,
        }
    }
}

/// Parses a text like JavaScript's `Number`. Returns `None` if the result is not finite.
fn js_number(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return Some(0.0);
    }
    let radix = match text.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    if radix != 10 {
        let digits = text.get(2..)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let number = u64::from_str_radix(digits, radix).ok()?;
        #[allow(clippy::cast_precision_loss)] // as there
        return Some(number as f64);
    }
    // Rust also accepts `inf` and `nan`.
    if !text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b)) {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        let page = |query: &str| QueryParams::new(query).page(false);
        assert_eq!(page(""), (0, 20));
        assert_eq!(page("limit=0"), (0, 1));
        assert_eq!(page("limit=-5&offset=-5"), (0, 1));
        assert_eq!(page("limit=abc&offset=x"), (0, 20));
        assert_eq!(page("limit=1000&offset=1e1"), (10, 110));
        assert_eq!(page("limit=1.9"), (0, 1));
        assert_eq!(page("limit=0x10"), (0, 16));
        assert_eq!(page("limit=Infinity"), (0, 20));
        assert_eq!(page("limit=5&limit=6"), (0, 20));
        assert_eq!(page("limit="), (0, 20));
        assert_eq!(page("offset=1e300&limit=5").0, usize::MAX);
        assert_eq!(QueryParams::new("limit=").page(true), (0, 1));
    }
}
