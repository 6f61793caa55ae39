//! Names that people and models mistake for each other.
//!
//! A name decides which tool is called. Two names that look the same (by the skeleton of
//! [UTS #39]), or that differ only in case and separators, are a trap, set on purpose or
//! not. So are a name whose letters come from several alphabets, and a name that hosts use
//! for tools of their own. All reports are advice.
//!
//! ```
//! use diagnostic::{Profile, Report};
//! use json_text::{Document, Limits};
//! use toolglot_manifest_core::names;
//!
//! let text = r#"["gmail-send", "gmаil-send", "Gmail_Send"]"#; // the second а is Cyrillic
//! let document = Document::parse(text.as_bytes(), Limits::default())?;
//! let mut report = Report::new(Profile::Spec, 10);
//! let list = document.root().elements();
//! let texts: Vec<_> = list.filter_map(|node| Some((node.text()?, node))).collect();
//! names::check(texts.iter().map(|(text, node)| (text.as_ref(), *node)), &mut report);
//! let codes: Vec<_> = report.diagnostics.iter().map(|found| found.rule.code).collect();
//! assert_eq!(codes, ["names/mixed-script", "names/confusable", "names/similar"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [UTS #39]: https://www.unicode.org/reports/tr39/

use std::collections::BTreeMap;

use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;

use diagnostic::{Depth, Report, Rule, quoted};
use json_text::Node;

/// Every rule of this module.
pub static RULES: &[&Rule] = &[&CONFUSABLE, &SIMILAR, &MIXED_SCRIPT, &SHADOW];

/// Two names that look the same.
pub static CONFUSABLE: Rule = Rule::advice(
    "names/confusable",
    "two names should not look the same",
    "Letters of other alphabets, and some of our own, look the same: a Latin and a Cyrillic `a`, \
     `rn` and `m`, `1` and `l`. One of the two tools may want to be taken for the other. Rename it.",
);
/// Two names that differ only in case or separators.
pub static SIMILAR: Rule = Rule::advice(
    "names/similar",
    "two names should differ in more than case and separators",
    "`mail.send` and `Mail_Send` are two tools, and people and models take one for the other. One \
     of them may want to be mistaken. Rename it.",
);
/// A name with letters of several alphabets.
pub static MIXED_SCRIPT: Rule = Rule::advice(
    "names/mixed-script",
    "the letters of a name should come from one alphabet",
    "A word of Latin and Cyrillic letters, say, reads like one it is not. Combinations that a \
     language uses, such as Japanese, are fine.",
);
/// A name that hosts use for tools of their own.
pub static SHADOW: Rule = Rule::remark(
    "names/shadow",
    "a name should not be one that hosts have for tools of their own",
    "Models know `bash` or `web_search` as tools of their host, and would call this one in their \
     place. Put the name of the product before it.",
);

/// The names that hosts and model providers use for tools of their own, in the form that
/// [`check`] compares: in lower case and without separators.
pub static BUILT_IN: &[&str] = &[
    "applypatch",
    "bash",
    "codeexecution",
    "codeinterpreter",
    "computer",
    "editfile",
    "filesearch",
    "readfile",
    "shell",
    "strreplacebasededittool",
    "strreplaceeditor",
    "texteditor",
    "webfetch",
    "websearch",
    "writefile",
];

/// Checks the names of a list, each with its node: every name by itself, and all names
/// against each other. Equal names are not reported, because formats have rules for them.
pub fn check<'n>(names: impl Iterator<Item = (&'n str, Node<'n>)> + Clone, report: &mut Report) {
    for (name, node) in names.clone() {
        check_one(name, node, report);
    }
    if !are_distinct(names.clone().map(|(name, _)| name)) {
        check_pairs(names, report);
    }
}

/// Checks a name by itself.
pub fn check_one(name: &str, node: Node<'_>, report: &mut Report) {
    if !report.includes_depth(Depth::Advice) {
        return;
    }
    if !name.is_ascii() && !name.is_single_script() && report.accepts(&MIXED_SCRIPT) {
        let message = format!("the letters of {} are of several alphabets", quoted(name));
        report.push(MIXED_SCRIPT.at(node, message));
    }
    if is_built_in(name) && report.accepts(&SHADOW) {
        let message = format!("hosts have a tool {} of their own", quoted(name));
        report.push(SHADOW.at(node, message));
    }
}

/// Returns true if no two names are equal or easily mistaken for each other. It takes a few
/// instructions per byte, and may return false for names that differ.
pub fn are_distinct<'n>(names: impl Iterator<Item = &'n str>) -> bool {
    let mut fingerprints: Vec<u64> = names.map(fingerprint).collect();
    let count = fingerprints.len();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    fingerprints.len() == count
}

/// Checks the names of a list against each other.
pub fn check_pairs<'n>(names: impl Iterator<Item = (&'n str, Node<'n>)>, report: &mut Report) {
    if !report.includes_depth(Depth::Advice) {
        return;
    }
    let mut looks: BTreeMap<String, (&str, Node<'_>)> = BTreeMap::new();
    let mut words: BTreeMap<String, (&str, Node<'_>)> = BTreeMap::new();
    for (name, node) in names {
        if name.is_empty() {
            continue;
        }
        let folded: String = fold(name).collect();
        let look = *looks.entry(skeleton(name).collect()).or_insert((name, node));
        let word = *words.entry(skeleton(&folded).collect()).or_insert((name, node));
        let (rule, (other, first), how) = if look.0 != name {
            (&CONFUSABLE, look, "looks the same as")
        } else if word.0 != name {
            (&SIMILAR, word, "is much like")
        } else {
            continue;
        };
        if report.accepts(rule) {
            let message = format!("{} {how} {}", quoted(name), quoted(other));
            report.push(rule.at(node, message).related(first.span(), "the other name is here"));
        }
    }
}

/// Removes the differences that people overlook: case and separators.
fn fold(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !is_separator(*c)).flat_map(char::to_lowercase)
}

const fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '.' | '_' | '-' | ':' | '/')
}

fn is_built_in(name: &str) -> bool {
    let Some(first) = name.bytes().next() else { return false };
    BUILT_IN.iter().any(|known| {
        // Most names have another first letter than a built-in name, or are shorter.
        known.as_bytes().first() == Some(&first.to_ascii_lowercase())
            && known.len() <= name.len()
            && fold(name).eq(known.chars())
    })
}

/// Returns a fingerprint that is equal for names that are mistaken for each other, and
/// rarely for others. Skeletons take far longer.
fn fingerprint(name: &str) -> u64 {
    if name.is_ascii() {
        name.bytes().fold(0, |print, byte| mix(print, char::from(byte)))
    } else {
        skeleton(name).flat_map(char::to_lowercase).fold(0, mix)
    }
}

/// Adds a character to a fingerprint, as the character that it may be mistaken for.
fn mix(print: u64, c: char) -> u64 {
    match c.to_ascii_lowercase() {
        c if is_separator(c) => print,
        'i' | '1' | '|' => mix_exactly(print, 'l'),
        '0' => mix_exactly(print, 'o'),
        'm' => mix_exactly(mix_exactly(print, 'r'), 'n'),
        c => mix_exactly(print, c),
    }
}

fn mix_exactly(print: u64, c: char) -> u64 {
    (print ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character has the fingerprint of its skeleton, so that the quick comparison misses
    /// nothing.
    #[test]
    fn prints_are_the_same_where_skeletons_are() {
        for c in (' '..='~').chain('\u{a0}'..='\u{24ff}').chain('\u{1d400}'..='\u{1d7ff}') {
            let name = format!("a{c}b");
            let look: String = skeleton(&name).collect();
            // The skeleton of a double quote is two characters, which `add` does not map.
            assert!(fingerprint(&name) == fingerprint(&look) || !c.is_alphanumeric(), "{c} {look}");
            let upper = name.to_ascii_uppercase();
            assert!(fingerprint(&name) == fingerprint(&upper), "{name} {upper}");
        }
    }
}
