//! Texts that address the model.

use std::sync::LazyLock;

use regex::Regex;

use super::rules::{INSTRUCTION, Remark};
use diagnostic::Severity;

/// The signs of such texts: a description and a pattern each. A test checks that every
/// pattern compiles.
pub(super) const SIGNS: &[(&str, &str)] = &[
    (
        "tells the model to forget what it was told",
        r"(?i)\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|of|these|those)\s+)*(?:previous|prior|earlier|above|preceding|system|existing)\s+(?:\w+\s+)?(?:instruction|prompt|rule|message|guideline|direction)",
    ),
    (
        "has a tag that models take for an order",
        r"(?i)<\s*/?\s*(?:important|system|secret|hidden|instructions?)\s*>|\[\s*(?:hidden|secret|system)\s+(?:instruction|prompt|message)",
    ),
    ("has a comment that does not show", r"<!--"),
    (
        "asks for secrecy",
        r"(?i)\b(?:do\s+not|don['’]t|never)\s+(?:tell|mention|inform|notify|alert|reveal)\b[^.\n]{0,60}\b(?:users?|humans?|anyone|anybody|this|these|it)\b",
    ),
    (
        "names a file with keys in it",
        r"(?i)(?:~|\$home|/home/\w+|/root)/\.(?:ssh|aws|gnupg|netrc|cursor|kube|docker)\b|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)\b",
    ),
    ("goes on after a long empty stretch", r"(?:[ \t\u{a0}]*\r?\n){40}\s*\S|[ \t\u{a0}]{200}\S"),
    ("is written in the colour of the page", r"(?i)color\s*[:=]\s*[\x22'\\]*(?:white|#fff)\b"),
];

static PATTERNS: LazyLock<Vec<(&str, Option<Regex>)>> =
    LazyLock::new(|| SIGNS.iter().map(|(how, sign)| (*how, Regex::new(sign).ok())).collect());

/// Shorter texts contain no instruction.
const MIN_LENGTH: usize = 12;

pub(super) fn look(text: &str) -> Option<Remark> {
    if text.len() < MIN_LENGTH {
        return None;
    }
    let is = |pattern: &Option<Regex>| pattern.as_ref().is_some_and(|p| p.is_match(text));
    let (how, _) = PATTERNS.iter().find(|(_, pattern)| is(pattern))?;
    Some((&INSTRUCTION, Severity::Warning, format!("the text {how}")))
}

#[cfg(test)]
#[test]
fn every_pattern_compiles() {
    assert!(PATTERNS.iter().all(|(_, pattern)| pattern.is_some()));
}
