//! A fast path for plain patterns, the most common kind: anchors, plain characters, classes
//! of them, and counts.

/// Returns the number of terms of a plain pattern, with every repetition written out, or
/// `None` if the pattern is not plain. A plain pattern can always be translated.
pub(super) fn terms(source: &str) -> Option<u64> {
    let mut terms = 0_u64;
    let mut rest = source.as_bytes();
    loop {
        let after = match rest {
            [] => return Some(terms),
            // These cannot be repeated: the rest must begin with a term.
            [b'^' | b'$', after @ ..] => {
                terms += 1;
                rest = after;
                continue;
            }
            [b'[', b'^', inside @ ..] | [b'[', inside @ ..] => class(inside)?,
            [b'\\', b'd' | b'w' | b's' | b'.' | b'/', after @ ..] | [b'.' | b'-', after @ ..] => {
                after
            }
            [c, after @ ..] if is_plain(*c) => after,
            _ => return None,
        };
        let (copies, after) = quantifier(after)?;
        terms += copies;
        rest = after;
    }
}

/// Returns true for a character that is literal, in a class too.
const fn is_plain(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b' ' | b'_' | b'/' | b':' | b'@' | b',' | b'=' | b'%')
}

/// Skips a class whose inside begins here, and returns the rest.
fn class(inside: &[u8]) -> Option<&[u8]> {
    let mut rest = inside;
    loop {
        rest = match rest {
            [b']', after @ ..] | [b'-', b']', after @ ..] => return Some(after),
            [low, b'-', high, after @ ..] if is_plain(*low) && is_plain(*high) && low <= high => {
                after
            }
            [low, b'-', b']', after @ ..] if is_plain(*low) => return Some(after),
            [_, b'-', ..] => return None,
            [c, after @ ..] if is_plain(*c) || *c == b'.' => after,
            _ => return None,
        };
    }
}

/// Reads a quantifier, if any. Returns the number of copies of the term, and the rest.
fn quantifier(rest: &[u8]) -> Option<(u64, &[u8])> {
    match rest {
        [b'*' | b'+' | b'?', after @ ..] => Some((1, after)),
        [b'{', after @ ..] => {
            let (low, after) = number(after)?;
            let (copies, after) = match after {
                [b'}', after @ ..] => (low, after),
                [b',', b'}', after @ ..] => (low + 1, after),
                [b',', after @ ..] => {
                    let (high, after) = number(after)?;
                    (high, after.strip_prefix(b"}").filter(|_| low <= high)?)
                }
                _ => return None,
            };
            Some((copies.max(1), after))
        }
        _ => Some((1, rest)),
    }
}

/// Reads a number of at most four digits.
fn number(rest: &[u8]) -> Option<(u64, &[u8])> {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, after) = rest.split_at_checked(digits)?;
    let value = digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
    matches!(digits.len(), 1..=4).then_some((value, after))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::super::{PatternLimits, translate};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn knows_what_people_write() {
        for source in ["^[a-z0-9]{7,}$", "^v1\\.", "^[A-Za-z0-9_-]+$", "^sk-.{2}a{0,3}", "^\\d+$"] {
            assert!(terms(source).is_some(), "{source}");
        }
        for source in ["(a)", "a|b", "a{", "^*", "[b-a]", "[a", "[\\d]", "é", "a??", "\\p{L}", "]"]
        {
            assert_eq!(terms(source), None, "{source}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// A plain pattern can be translated, and has as many terms as counted.
        #[test]
        fn is_no_more_than_the_whole_grammar(
            source in r"([\^$a-c.*+?{},\[\]0-9\\dws/ |()-]|\[a-c|\]|\{[0-9]|,[0-9]?\}|\\.){0,9}"
        ) {
            if let Some(terms) = terms(&source) {
                let limits = PatternLimits { compiled_bytes: 1 << 40, ..PatternLimits::default() };
                prop_assert_eq!(translate::translate(&source, &limits).unwrap().terms, terms);
            }
        }
    }
}
