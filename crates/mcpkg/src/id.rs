//! Tool ids: `publisher.domain.capability.name`.

use manifest_core::format::{IdGrammar, fit};
use manifest_core::{ByteSet, Text};

/// The maximum length of an id, in bytes.
pub(crate) const MAX_BYTES: usize = 255;

/// Returns true if a text is an id: two or more segments between dots, each of lower-case
/// letters, digits, underscores and hyphens, with a letter or digit at both ends.
pub(crate) fn is_valid(id: &str) -> bool {
    let bytes = id.as_bytes();
    bytes.len() <= MAX_BYTES && bytes.contains(&b'.') && bytes.split(|b| *b == b'.').all(is_segment)
}

/// Returns the number of segments of an id.
pub(crate) fn segments(id: &str) -> usize {
    id.bytes().filter(|b| *b == b'.').count() + 1
}

/// Returns the publisher of a tool: the first segment of its id.
pub(crate) fn publisher(id: &str) -> &str {
    match id.split_once('.') {
        Some((publisher, _)) => publisher,
        None => id,
    }
}

fn is_segment(bytes: &[u8]) -> bool {
    static INSIDE: ByteSet = ByteSet::of(&[b'0'..=b'9', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);
    let ([first, .., last] | [first @ last]) = bytes else { return false };
    let is_plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    is_plain(first) && is_plain(last) && INSIDE.contains_all(bytes)
}

/// Returns true if the published tool accepts an id: three or more segments of `[a-z0-9]`.
pub(crate) fn published_tool_accepts(id: &str) -> bool {
    segments(id) >= 3 && id.split('.').all(is_plain)
}

fn is_plain(segment: &str) -> bool {
    static PLAIN: ByteSet = ByteSet::of(&[b'0'..=b'9', b'a'..=b'z']);
    !segment.is_empty() && PLAIN.contains_all(segment.as_bytes())
}

/// The publisher in ids that are made to fit. Other ids that begin with it are changed too,
/// so that different ids stay different.
const LOCAL: &str = "local.";

/// The grammar of ids that the published tool accepts.
static PUBLISHED_ID: IdGrammar = IdGrammar {
    fits: |id| id.len() <= MAX_BYTES && published_tool_accepts(id) && !id.starts_with(LOCAL),
    keeps: |c| c.is_ascii_lowercase() || c.is_ascii_digit(),
    digest_separator: '.',
    replacement: None,
    prefix: LOCAL,
    max_bytes: MAX_BYTES,
};

/// The same for an id without a letter or digit to keep, because an id needs three
/// segments.
static PUBLISHED_NAMELESS_ID: IdGrammar = IdGrammar { prefix: "local.tool.", ..PUBLISHED_ID };

/// Returns an id that the published tool accepts: the given one if possible, otherwise one
/// that begins with `local.`. Different ids stay different.
///
/// The result is `local.` and the given id, if that is valid and cannot be mistaken for an
/// id with a digest. Otherwise it is `local.`, the characters of the id that can be kept
/// (or `tool`), and a digest of the id.
pub(crate) fn fit_id(id: &str) -> Text<'_> {
    if (PUBLISHED_ID.fits)(id) {
        return Text::Borrowed(id);
    }
    let local = format!("{LOCAL}{id}");
    if local.len() <= MAX_BYTES && published_tool_accepts(&local) && !ends_with_digest(&local) {
        return Text::Owned(local);
    }
    if id.contains(|c: char| (PUBLISHED_ID.keeps)(c.to_ascii_lowercase())) {
        return fit(id, &PUBLISHED_ID);
    }
    fit(id, &PUBLISHED_NAMELESS_ID)
}

/// Returns true if an id seems to end with a digest.
fn ends_with_digest(id: &str) -> bool {
    let Some((_, last)) = id.rsplit_once('.') else { return false };
    segments(id) == 3 && last.len() == 8 && last.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use manifest_core::sha256_hex;

    use super::{fit_id, is_valid, published_tool_accepts};

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
            assert_eq!(fit_id(id), expected, "{id}");
        }
    }

    /// The ids include results of `fitted`, and ids that are nearly that.
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
        // Fitted ids are ids too, with and without their prefix.
        for _ in 0..2 {
            let others: Vec<String> = ids.iter().map(|id| fit_id(id).into_owned()).collect();
            for other in others {
                ids.extend(other.strip_prefix("local.").map(str::to_owned));
                ids.push(other);
            }
            ids.sort();
            ids.dedup();
        }
        let mut known = BTreeMap::new();
        for id in &ids {
            let fitted = fit_id(id).into_owned();
            assert!(
                is_valid(&fitted) && published_tool_accepts(&fitted),
                "{id:?} became {fitted:?}"
            );
            if let Some(other) = known.insert(fitted.clone(), id) {
                panic!("{other:?} and {id:?} both became {fitted:?}");
            }
        }
        assert!(known.len() > 500);
    }
}
