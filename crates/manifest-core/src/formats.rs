//! A set of formats, and the detection of a document's format.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

use diagnostic::{Depth, did_you_mean, printable};
use json_text::{Document, Node, quote};
use serde_json::{Value, json};

use crate::format::{Detection, Format, ValidateOptions, find_version};
use crate::limits::Limits;
use crate::table::{self, Member, Shape, Table, TextShape};

/// A set of formats to detect documents with. A program with a format that the facade lacks
/// creates a set of its own:
///
/// ```
/// use toolglot_manifest_core::{Format, Formats, DetectError, json::Document, Limits};
///
/// fn name_of(text: &str, formats: Formats<'_>) -> Result<&'static str, DetectError> {
///     let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
///     formats.detect(&document).map(|(format, _)| format.name)
/// }
/// assert_eq!(name_of("{}", Formats::new(&[])), Err(DetectError::Unrecognized));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Formats<'f> {
    list: &'f [&'static Format],
}

impl Deref for Formats<'_> {
    type Target = [&'static Format];

    fn deref(&self) -> &Self::Target {
        self.list
    }
}

impl<'f> IntoIterator for Formats<'f> {
    type Item = &'f &'static Format;
    type IntoIter = std::slice::Iter<'f, &'static Format>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

/// The reason why the format of a document is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DetectError {
    /// The document is easily mistaken for one of a known format. The value describes what
    /// it is.
    #[error("this is {0}, which is not a format of toolglot")]
    LookAlike(&'static str),
    /// The document matches several formats, which are named.
    #[error("this could be any of: {}", .0.join(", "))]
    Ambiguous(Vec<&'static str>),
    /// The document matches no format, but resembles one.
    #[error("{0}")]
    Near(Suggestion),
    /// The document resembles no known format.
    #[error("this is not a manifest in any known format")]
    Unrecognized,
}

/// The format that a document was probably written for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The name of the format.
    pub format: &'static str,
    /// Unknown members of the document, each with the known member that was probably meant.
    pub misspellings: Vec<(String, &'static str)>,
    /// Required members that the document lacks.
    pub missing: Vec<&'static str>,
    /// The share of the document's members that the format knows, multiplied by the share
    /// of the required members that are present. Both are in thousandths.
    likeness: usize,
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is probably meant to be {}", self.format)?;
        for (number, (name, meant)) in self.misspellings.iter().enumerate() {
            let before = if number == 0 { ", where" } else { " and" };
            write!(f, "{before} `{}` is `{meant}`", printable(name, 64))?;
        }
        for (number, name) in self.missing.iter().enumerate() {
            let before = if number == 0 { ", which has" } else { " and" };
            write!(f, "{before} `{name}`")?;
        }
        Ok(())
    }
}

impl<'f> Formats<'f> {
    /// Creates a set of these formats, which are identified by their names.
    pub const fn new(list: &'f [&'static Format]) -> Self {
        Self { list }
    }

    /// Returns the format with that name.
    pub fn by_name(&self, name: &str) -> Option<&'static Format> {
        self.list.iter().copied().find(|format| format.name == name)
    }

    /// Returns the format of a document, and the evidence for it. Fails unless exactly one
    /// format matches.
    ///
    /// A format matches a document that has its marker: the members that no other format has.
    /// A document without any marker is validated as the formats that it resembles most, and
    /// matches if it is valid. So what validates with a format named by hand is also detected,
    /// if the format knows at least half of its members.
    pub fn detect(
        &self,
        document: &Document<'_>,
    ) -> Result<(&'static Format, Detection), DetectError> {
        let root = document.root();
        let mut found = Vec::new();
        for format in self.list {
            if let Some(detection) = (format.detect)(root) {
                found.push((*format, detection));
            }
        }
        if found.len() > 1 {
            let names = found.iter().map(|(format, _)| format.name);
            return Err(DetectError::Ambiguous(names.collect()));
        }
        match found.pop() {
            Some(found) => Ok(found),
            None => self.detect_without_marker(document),
        }
    }

    /// Returns the format of a document without a marker: the only one among the nearest
    /// formats that accepts it. Otherwise describes the document.
    fn detect_without_marker(
        &self,
        document: &Document<'_>,
    ) -> Result<(&'static Format, Detection), DetectError> {
        let root = document.root();
        // Formats that accept unknown members also accept look-alikes.
        if let Some(what) = self.list.iter().find_map(|format| (format.look_alike)(root)) {
            return Err(DetectError::LookAlike(what));
        }
        let near = self.nearest(root);
        let mut accepted: Vec<&'static Format> = Vec::new();
        for (format, _) in &near {
            let is_known = accepted.iter().any(|known| known.name == format.name);
            if !is_known && accepts(format, document) {
                accepted.push(format);
            }
        }
        match accepted.as_slice() {
            [] => Err(explain(root, near)),
            [format] => Ok((format, Detection { version: None, evidence: VALID.to_vec() })),
            several => {
                let names = several.iter().map(|format| format.name);
                Err(DetectError::Ambiguous(names.collect()))
            }
        }
    }

    /// Returns the formats that a document resembles most, one entry for each table. Empty
    /// if it resembles none.
    fn nearest(&self, root: Node<'_>) -> Vec<(&'static Format, Suggestion)> {
        let mut near: Vec<(&'static Format, Suggestion)> = Vec::new();
        for format in self.list {
            for table in format.tables {
                if let Some(suggestion) = suggest(root, format.name, table) {
                    near.push((format, suggestion));
                }
            }
        }
        let most = near.iter().map(|(_, near)| near.likeness).max();
        near.retain(|(_, near)| Some(near.likeness) == most);
        near
    }
}

/// The evidence for a document that has no marker and is valid.
const VALID: [&str; 2] = ["it resembles this format most", "it is valid"];

/// Returns true if a document has no error as a document of this format.
fn accepts(format: &Format, document: &Document<'_>) -> bool {
    // One error decides, so there is no need to describe others.
    let limits = Limits { diagnostics: 1, ..Limits::default() };
    let options = ValidateOptions { depth: Depth::Semantics, limits, ..ValidateOptions::default() };
    format.validate(document, &options).is_valid()
}

/// Describes a document that no format accepts. `near` has the formats that it resembles
/// most.
fn explain(root: Node<'_>, near: Vec<(&'static Format, Suggestion)>) -> DetectError {
    // Of equally near formats, prefer one that detects the document once its names are
    // corrected. Otherwise take the first, because the formats are ordered.
    let mut best = 0;
    if near.len() > 1 {
        let corrected =
            near.iter().position(|(format, near)| is_detected_corrected(root, format, near));
        best = corrected.unwrap_or(0);
    }
    match near.into_iter().nth(best) {
        Some((_, suggestion)) => DetectError::Near(suggestion),
        None => DetectError::Unrecognized,
    }
}

/// Returns true if the format detects the document once its misspelt names are corrected.
fn is_detected_corrected(root: Node<'_>, format: &Format, near: &Suggestion) -> bool {
    let mut members = Vec::new();
    for member in root.members() {
        let name = member.name();
        let name = match near.misspellings.iter().find(|(misspelt, _)| *misspelt == name) {
            Some((_, meant)) => quote(meant),
            None => quote(&name),
        };
        members.push(format!("{name}:{}", member.value.raw()));
    }
    let text = format!("{{{}}}", members.join(","));
    let document = Document::parse(text.as_bytes(), json_text::Limits::none());
    document.is_ok_and(|document| (format.detect)(document.root()).is_some())
}

impl Format {
    /// Returns the JSON Schema (2020-12) of the format's documents in `version`, or in the
    /// newest version if it is `None`. A schema cannot express semantics, so a document
    /// that it accepts may still be invalid. Fails if the format has no such version.
    pub fn schema(&self, version: Option<&str>) -> Result<Value, String> {
        let known = self.tables.first().map_or(&[][..], |table| table.versions);
        let number = match version {
            None => newest(known),
            Some(name) => version_number(find_version(known, name, self.name)?),
        };
        let mut schemas: Vec<Value> =
            self.tables.iter().map(|table| table::schema(table, number)).collect();
        match schemas.len() {
            1 => Ok(schemas.swap_remove(0)),
            _ => Ok(json!({ "$schema": table::DIALECT, "anyOf": schemas })),
        }
    }
}

/// Returns the number of the newest version.
fn newest(versions: &[&str]) -> u8 {
    version_number(versions.len().saturating_sub(1))
}

/// Tables have at most eight versions.
fn version_number(index: usize) -> u8 {
    u8::try_from(index).unwrap_or(u8::MAX)
}

/// The least likeness of a near match: half of the maximum.
const MIN_LIKENESS: usize = 500_000;

/// The number of members that are compared. No format has so many.
const MEMBERS: usize = 64;

/// Returns true if a document has a member, and the member's text matches its grammar.
fn has_member(root: Node<'_>, member: &Member) -> bool {
    let Some(value) = root.get(member.name) else { return false };
    match member.shape {
        Shape::Text(TextShape { grammar: Some(grammar), .. }) => {
            value.text().is_some_and(|text| grammar.matches(&text))
        }
        _ => true,
    }
}

/// Compares a document with a table. Returns `None` if a distinctive member is missing or
/// the likeness is too small.
fn suggest(root: Node<'_>, format: &'static str, table: &Table) -> Option<Suggestion> {
    let members = table.root.members;
    if members.iter().any(|member| member.distinctive && !has_member(root, member)) {
        return None;
    }
    let names: Vec<_> = root.members().take(MEMBERS).map(|member| member.name()).collect();
    let known: BTreeSet<&str> = members.iter().map(|member| member.name).collect();
    let mut present = known.clone();
    present.retain(|known| names.iter().any(|name| name == known));
    let mut misspellings = Vec::new();
    for name in names.iter().filter(|name| !known.contains(name.as_ref())) {
        let absent = members.iter().map(|member| member.name);
        let absent = absent.filter(|name| !present.contains(name));
        if let Some(meant) = did_you_mean(name, absent) {
            present.insert(meant);
            misspellings.push((name.to_string(), meant));
        }
    }
    let mut missing: Vec<&str> = table.root.required(newest(table.versions)).collect();
    let required = missing.len();
    missing.retain(|name| !present.contains(name));
    let likeness =
        thousandths(present.len(), names.len()) * thousandths(required - missing.len(), required);
    if likeness < MIN_LIKENESS {
        return None;
    }
    Some(Suggestion { format, misspellings, missing, likeness })
}

fn thousandths(part: usize, whole: usize) -> usize {
    part * 1_000 / whole.max(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::Limits;
    use crate::table::{Grammar, Object, optional, required};

    static MEMBERS: [Member; 4] = [
        required("name", &Shape::TEXT),
        required("command", &Shape::TEXT),
        required("version", &Shape::TEXT),
        optional("tags", &Shape::TEXT),
    ];
    static ROOT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &ROOT, versions: &["1"], version_member: None };

    fn suggestion(table: &Table, text: &str) -> Option<String> {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        suggest(document.root(), "x", table).map(|near| near.to_string())
    }

    #[test]
    fn a_misspelt_or_missing_name_is_told() {
        for (text, expected) in [
            (r#"{"name": "a", "comand": "b", "version": "1"}"#, "where `comand` is `command`"),
            (r#"{"name": "a", "version": "1", "tags": ""}"#, "which has `command`"),
        ] {
            let expected = format!("this is probably meant to be x, {expected}");
            assert_eq!(suggestion(&TABLE, text), Some(expected));
        }
    }

    #[test]
    fn what_lacks_the_telling_value_is_not_near() {
        static NAME: Grammar = Grammar {
            pattern: "/",
            description: "a name with a slash",
            matches: |text| text.contains('/'),
        };
        static MEMBERS: [Member; 3] = [
            required("name", &Shape::matching(&NAME)).telling(),
            required("version", &Shape::TEXT),
            required("about", &Shape::TEXT),
        ];
        static ROOT: Object = Object::closed(&MEMBERS);
        static TABLE: Table = Table { root: &ROOT, versions: &["1"], version_member: None };
        assert_eq!(
            suggestion(&TABLE, r#"{"name": "a/b", "version": "1"}"#).as_deref(),
            Some("this is probably meant to be x, which has `about`")
        );
        for text in [r#"{"name": "a", "version": "1"}"#, r#"{"version": "1", "about": "c"}"#] {
            assert_eq!(suggestion(&TABLE, text), None, "{text}");
        }
    }

    #[test]
    fn what_is_far_is_not_near() {
        for text in ["{}", "[]", "1", r#"{"name": "a"}"#, r#"{"a": 1, "b": 2, "name": "c"}"#] {
            assert_eq!(suggestion(&TABLE, text), None, "{text}");
        }
    }
}
