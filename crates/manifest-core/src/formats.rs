//! A set of formats, and the detection of a document's format.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Deref;

use diagnostic::{did_you_mean, printable, quoted};
use json_text::{Document, Node, quote};
use serde_json::{Value, json};

use crate::format::{Detection, Format};
use crate::table::{self, Member, Shape, Table};

/// A set of formats to detect documents with. A program with a format that the facade lacks
/// creates a set of its own:
///
/// ```
/// use manifest_core::{Format, Formats, DetectError, json::Document, Limits};
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
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DetectError {
    /// The document is easily mistaken for one of a known format. The value describes what
    /// it is.
    LookAlike(&'static str),
    /// The document matches several formats, which are named.
    Ambiguous(Vec<&'static str>),
    /// The document matches no format, but resembles one.
    Near(Suggestion),
    /// The document resembles no known format.
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

impl fmt::Display for DetectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LookAlike(what) => write!(f, "this is {what}, which is not a format of toolglot"),
            Self::Ambiguous(names) => write!(f, "this could be any of: {}", names.join(", ")),
            Self::Near(near) => near.fmt(f),
            Self::Unrecognized => f.write_str("this is not a manifest in any known format"),
        }
    }
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

impl std::error::Error for DetectError {}

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
    pub fn detect(
        &self,
        document: &Document<'_>,
    ) -> Result<(&'static Format, Detection), DetectError> {
        let root = document.root();
        let found = self.list.iter().filter_map(|format| Some((*format, (format.detect)(root)?)));
        let mut found: Vec<_> = found.collect();
        match (found.pop(), found.as_slice()) {
            (Some(only), []) => Ok(only),
            (Some((last, _)), others) => {
                let names = others.iter().map(|(format, _)| format.name);
                Err(DetectError::Ambiguous(names.chain([last.name]).collect()))
            }
            (None, _) => Err(self.explain(root)),
        }
    }

    /// Describes a document that matches no format.
    fn explain(&self, root: Node<'_>) -> DetectError {
        if let Some(what) = self.list.iter().find_map(|format| (format.look_alike)(root)) {
            return DetectError::LookAlike(what);
        }
        let near = self.list.iter().flat_map(|format| {
            let tables = format.tables.iter();
            tables.filter_map(|table| Some((*format, suggest(root, format.name, table)?)))
        });
        let mut near: Vec<(&Format, Suggestion)> = near.collect();
        let most = near.iter().map(|(_, near)| near.likeness).max();
        near.retain(|(_, near)| Some(near.likeness) == most);
        // Of equally near formats, prefer one that detects the document once its names are
        // corrected. Otherwise take the first, because the formats are ordered.
        let known = match near.as_slice() {
            [] | [_] => None,
            several => {
                several.iter().position(|(format, near)| is_detected_corrected(root, format, near))
            }
        };
        let best = near.into_iter().nth(known.unwrap_or_default());
        best.map_or(DetectError::Unrecognized, |(_, near)| DetectError::Near(near))
    }
}

/// Returns true if the format detects the document once its misspelt names are corrected.
fn is_detected_corrected(root: Node<'_>, format: &Format, near: &Suggestion) -> bool {
    let members = root.members().map(|member| {
        let name = member.name();
        let meant = near.misspellings.iter().find(|(misspelt, _)| *misspelt == name);
        format!("{}:{}", quote(meant.map_or(&*name, |(_, meant)| *meant)), member.value.raw())
    });
    let text = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
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
            None => known.len().saturating_sub(1),
            Some(name) => known.iter().position(|known| *known == name).ok_or_else(|| {
                let (name, known) = (quoted(name), known.join(", "));
                format!("{} has no version {name}; there are {known}", self.name)
            })?,
        };
        let number = u8::try_from(number).unwrap_or_default();
        let mut schemas: Vec<Value> =
            self.tables.iter().map(|table| table::schema(table, number)).collect();
        match schemas.len() {
            1 => Ok(schemas.swap_remove(0)),
            _ => Ok(json!({ "$schema": table::DIALECT, "anyOf": schemas })),
        }
    }
}

/// The least likeness of a near match: half of the maximum.
const MIN_LIKENESS: usize = 500_000;

/// The number of members that are compared. No format has so many.
const MEMBERS: usize = 64;

/// Returns true if a document has a member, and the member's text matches its grammar.
fn has_member(root: Node<'_>, member: &Member) -> bool {
    let grammar = match member.shape {
        Shape::Text(text) => text.grammar,
        _ => None,
    };
    let fits = |value: Node<'_>| match grammar {
        Some(grammar) => value.text().is_some_and(|text| grammar.matches(&text)),
        None => true,
    };
    root.get(member.name).is_some_and(fits)
}

/// Compares a document with a table. Returns `None` if a distinctive member is missing or
/// the likeness is too small.
fn suggest(root: Node<'_>, format: &'static str, table: &Table) -> Option<Suggestion> {
    if !table
        .root
        .members
        .iter()
        .filter(|member| member.distinctive)
        .all(|member| has_member(root, member))
    {
        return None;
    }
    let names: Vec<_> = root.members().take(MEMBERS).map(|member| member.name()).collect();
    let known: BTreeSet<&str> = table.root.members.iter().map(|member| member.name).collect();
    let mut there: BTreeSet<&str> =
        known.iter().copied().filter(|known| names.iter().any(|name| *name == **known)).collect();
    let mut misspelt = Vec::new();
    for name in names.iter().filter(|name| !known.contains(name.as_ref())) {
        let left = table.root.members.iter().map(|member| member.name);
        let left = left.filter(|name| !there.contains(name));
        if let Some(meant) = did_you_mean(name, left) {
            there.insert(meant);
            misspelt.push((name.to_string(), meant));
        }
    }
    let newest = table.versions.len().saturating_sub(1);
    let required = table.root.required(u8::try_from(newest).unwrap_or_default());
    let (have, missing): (Vec<_>, Vec<_>) = required.partition(|name| there.contains(name));
    let share = |part: usize, whole: usize| part * 1_000 / whole.max(1);
    let likeness = share(there.len(), names.len()) * share(have.len(), have.len() + missing.len());
    (likeness >= MIN_LIKENESS).then_some(Suggestion {
        format,
        misspellings: misspelt,
        missing,
        likeness,
    })
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

    fn said(text: &str) -> Option<String> {
        said_by(&TABLE, text)
    }

    fn said_by(table: &Table, text: &str) -> Option<String> {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        suggest(document.root(), "x", table).map(|near| near.to_string())
    }

    #[test]
    fn a_misspelt_name_is_told() {
        let text = r#"{"name": "a", "comand": "b", "version": "1"}"#;
        assert_eq!(
            said(text).as_deref(),
            Some("this is probably meant to be x, where `comand` is `command`")
        );
    }

    #[test]
    fn a_missing_name_is_told() {
        let text = r#"{"name": "a", "version": "1", "tags": ""}"#;
        assert_eq!(
            said(text).as_deref(),
            Some("this is probably meant to be x, which has `command`")
        );
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
            said_by(&TABLE, r#"{"name": "a/b", "version": "1"}"#).as_deref(),
            Some("this is probably meant to be x, which has `about`")
        );
        for text in [r#"{"name": "a", "version": "1"}"#, r#"{"version": "1", "about": "c"}"#] {
            assert_eq!(said_by(&TABLE, text), None, "{text}");
        }
    }

    #[test]
    fn what_is_far_is_not_near() {
        for text in ["{}", "[]", "1", r#"{"name": "a"}"#, r#"{"a": 1, "b": 2, "name": "c"}"#] {
            assert_eq!(said(text), None, "{text}");
        }
    }
}
