//! The patterns that texts of a manifest must match.
//!
//! Each pattern is also implemented as code, so that checking a valid document compiles no
//! regular expression.

use manifest_core::table::Grammar;
use manifest_core::url;

/// The id of a tool.
pub(crate) static TOOL_ID: Grammar = Grammar {
    pattern: "^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$",
    description: "3 to 64 lower-case letters, digits and hyphens, with no hyphen at either end",
    matches: |text| is_hyphened(text, 3, 64),
};

/// The namespace that a tool's id belongs to.
pub(crate) static NAMESPACE: Grammar = Grammar {
    pattern: "^[a-z0-9][a-z0-9-]{0,30}[a-z0-9]$",
    description: "2 to 32 lower-case letters, digits and hyphens, with no hyphen at either end",
    matches: |text| is_hyphened(text, 2, 32),
};

/// The version of a tool.
pub(crate) static VERSION: Grammar = Grammar {
    pattern: r"^\d+\.\d+\.\d+(-[a-z0-9.-]+)?$",
    description: "a version such as 1.2.3 or 1.2.3-rc.1, in lower case",
    matches: is_version,
};

/// A tag.
pub(crate) static TAG: Grammar = Grammar {
    pattern: "^[a-z0-9-]+$",
    description: "lower-case letters, digits and hyphens",
    matches: |text| !text.is_empty() && text.as_bytes().iter().all(|b| is_lower(*b) || *b == b'-'),
};

/// The name of an environment variable.
pub(crate) static ENV_NAME: Grammar = Grammar {
    pattern: "^[A-Z][A-Z0-9_]*$",
    description: "upper-case letters, digits and underscores, with a letter first",
    matches: |text| {
        let rest = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
        let bytes = text.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_uppercase) && bytes.iter().all(rest)
    },
};

/// The name of an action.
pub(crate) static ACTION_NAME: Grammar = Grammar {
    pattern: "^[a-z][a-z0-9_]{0,62}$",
    description: "up to 63 lower-case letters, digits and underscores, with a letter first",
    matches: |text| {
        let bytes = text.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_lowercase)
            && bytes.len() <= 63
            && bytes.iter().all(|b| is_lower(*b) || *b == b'_')
    },
};

/// The SHA-256 of a file, in hexadecimal.
pub(crate) static SHA256: Grammar = Grammar {
    pattern: "^[a-f0-9]{64}$",
    description: "64 lower-case hexadecimal digits",
    matches: |text| {
        let bytes = text.as_bytes();
        bytes.len() == 64 && bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    },
};

const fn is_lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn is_hyphened(text: &str, shortest: usize, longest: usize) -> bool {
    let bytes = text.as_bytes();
    (shortest..=longest).contains(&bytes.len())
        && bytes.iter().all(|b| is_lower(*b) || *b == b'-')
        && bytes.first() != Some(&b'-')
        && bytes.last() != Some(&b'-')
}

/// Matches [`VERSION`]: three numbers, and optionally a hyphen and a suffix.
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
        (_, rest) = rest.split_at(digits);
    }
    let suffix = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-');
    match rest {
        [] => true,
        [b'-', suffixed @ ..] => !suffixed.is_empty() && suffixed.iter().all(suffix),
        _ => false,
    }
}

/// Returns true if a text is a URI once its references are filled in.
pub(crate) fn is_uri(text: &str) -> bool {
    // `${` and `}` are not valid in a URI.
    url::is_uri(text)
        || text.contains("${") && url::is_uri(&text.replace("${", "").replace('}', ""))
}

/// Returns true if a text looks like an e-mail address: a local part, an `@`, and a host.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    !text.contains(|c: char| c.is_whitespace() || c.is_control())
        && !local.is_empty()
        && !host.is_empty()
        && !host.starts_with('.')
        && !host.ends_with('.')
}
