//! Tool ids: `publisher.domain.capability.name`.

use manifest_core::format::{IdGrammar, fit};
use manifest_core::{ByteSet, Text};

/// The most bytes of an id.
pub(crate) const LONGEST: usize = 255;

/// Whether a text is an id: two or more segments between dots, each of lower-case
/// letters, digits, underscores and hyphens, with a letter or digit at both ends.
pub(crate) fn is_valid(id: &str) -> bool {
    let bytes = id.as_bytes();
    bytes.len() <= LONGEST && bytes.contains(&b'.') && bytes.split(|b| *b == b'.').all(is_segment)
}

/// How many segments an id has.
pub(crate) fn segments(id: &str) -> usize {
    id.bytes().filter(|b| *b == b'.').count() + 1
}

fn is_segment(bytes: &[u8]) -> bool {
    static INSIDE: ByteSet = ByteSet::of(&[b'0'..=b'9', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);
    let plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    bytes.first().is_some_and(plain) && bytes.last().is_some_and(plain) && INSIDE.has_all(bytes)
}

/// Whether the published tool takes an id: three or more segments of `[a-z0-9]`.
pub(crate) fn is_published(id: &str) -> bool {
    segments(id) >= 3 && id.split('.').all(is_plain)
}

fn is_plain(segment: &str) -> bool {
    static PLAIN: ByteSet = ByteSet::of(&[b'0'..=b'9', b'a'..=b'z']);
    !segment.is_empty() && PLAIN.has_all(segment.as_bytes())
}

/// The publisher of what has none. No other tool may begin with it.
const LOCAL: &str = "local.";

/// Ids of others, as the published tool takes them.
static FITTED: IdGrammar = IdGrammar {
    fits: |id| id.len() <= LONGEST && is_published(id) && !id.starts_with(LOCAL),
    keeps: |c| c.is_ascii_lowercase() || c.is_ascii_digit(),
    joint: '.',
    inner: None,
    prefix: LOCAL,
    longest: LONGEST,
};

/// The same for what has no letter and no digit that could be kept: an id has three
/// segments.
static NAMELESS: IdGrammar = IdGrammar { prefix: "local.tool.", ..FITTED };

/// An id that the published tool takes: the given one where it does, else one that
/// begins with `local.`. No two ids become one.
///
/// What follows `local.` is the given id where that makes three segments, else what can
/// be spelled of it, and its digest.
pub(crate) fn fitted(id: &str) -> Text<'_> {
    if (FITTED.fits)(id) {
        return Text::Borrowed(id);
    }
    let local = format!("{LOCAL}{id}");
    if local.len() <= LONGEST && is_published(&local) && !ends_like_fitted(&local) {
        return Text::Owned(local);
    }
    let kept = |c: char| (FITTED.keeps)(c.to_ascii_lowercase());
    fit(id, if id.contains(kept) { &FITTED } else { &NAMELESS })
}

/// Whether an id looks like one that ends with a digest.
fn ends_like_fitted(id: &str) -> bool {
    let last = id.rsplit('.').next().unwrap_or_default();
    segments(id) == 3 && last.len() == 8 && last.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use manifest_core::sha256_hex;

    use super::{fitted, is_published, is_valid};

    fn digest(id: &str) -> String {
        sha256_hex(id.as_bytes())[..8].to_owned()
    }

    #[test]
    fn ids_are_made_to_fit() {
        let slug = |slug: &str, id: &str| format!("local.{slug}.{}", digest(id));
        for (id, expected) in [
            ("mostlylucid.nmt.translate", "mostlylucid.nmt.translate".to_owned()),
            ("a.b.c.d", "a.b.c.d".to_owned()),
            ("demo.echo", "local.demo.echo".to_owned()),
            ("local.time.now", "local.local.time.now".to_owned()),
            ("local.echo", "local.local.echo".to_owned()),
            ("get_time", slug("gettime", "get_time")),
            ("Get.Time", slug("gettime", "Get.Time")),
            ("a.b_c.d", slug("abcd", "a.b_c.d")),
            ("echo", slug("echo", "echo")),
            ("", slug("tool", "")),
            ("日本", slug("tool", "日本")),
            ("a..b", slug("ab", "a..b")),
        ] {
            assert_eq!(fitted(id), expected, "{id}");
        }
    }

    /// Also ids that are what others become, or nearly.
    #[test]
    fn no_two_become_one() {
        let mut ids: Vec<String> = Vec::new();
        let parts = ["a", "b_", "local", "tool", "A", "é", "", "1a2b3c4d"];
        for one in parts {
            ids.push(one.to_owned());
            for two in parts {
                ids.push(format!("{one}.{two}"));
                ids.push(format!("{one}{two}"));
                ids.extend(parts.map(|three| format!("{one}.{two}.{three}")));
            }
        }
        ids.extend(["x".repeat(300), "x.".repeat(130) + "x", "a.b.".to_owned() + &"y".repeat(251)]);
        // What they become are ids too, with and without what was put before them.
        for _ in 0..2 {
            let others: Vec<String> = ids.iter().map(|id| fitted(id).into_owned()).collect();
            for other in others {
                ids.extend(other.strip_prefix("local.").map(str::to_owned));
                ids.push(other);
            }
            ids.sort();
            ids.dedup();
        }
        let mut known = BTreeMap::new();
        for id in &ids {
            let fitted = fitted(id).into_owned();
            assert!(is_valid(&fitted) && is_published(&fitted), "{id:?} became {fitted:?}");
            if let Some(other) = known.insert(fitted.clone(), id) {
                panic!("{other:?} and {id:?} both became {fitted:?}");
            }
        }
        assert!(known.len() > 500);
    }
}
