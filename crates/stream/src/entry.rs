//! What can be done with an entry: the same as with a document.
//!
//! An entry of a catalog is checked inside a catalog that holds nothing else, so that a
//! format needs to know nothing of streams. It is parsed by itself first: what is JSON
//! by itself cannot reach out of the frame that is put around it. A line is a document,
//! and so is an element of an array in a format without catalogs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::item::{Item, Shape};
use convert::{Conversion, Options, ToolOutcome, convert};
use diagnostic::Span;
use diagnostic::{Depth, Diagnostic, Report};
use diagnostic::{Pointer, quoted};
use json_text::{Document, Node, Tape};
use manifest_core::rules::COLLISION;
use manifest_core::{Catalog, Format, Limits, Validate};

/// The names that the entries of a stream have, as sixteen bytes of SHA-256 each:
/// enough that nobody can make two names that look the same here. Nothing else is
/// remembered of an entry.
///
/// Entries that are not valid have no names, nor have those that are documents of their
/// own, such as lines. What the format says of two entries of one name is what is said.
#[derive(Clone, Debug, Default)]
pub struct Names {
    sources: BTreeSet<u128>,
    /// Names in the target, with the names in the source that they come from.
    targets: BTreeMap<u128, u128>,
}

impl Names {
    /// How many names are known.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether no name is known.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
}

fn print(name: &str) -> u128 {
    let digest = hmac_sha256::Hash::hash(name.as_bytes());
    digest.first_chunk().map_or(0, |chunk| u128::from_le_bytes(*chunk))
}

/// The names of the tools of a valid document.
fn ids(format: &Format, document: &Document<'_>) -> Vec<u128> {
    format.read_as(document, 0).tools.iter().map(|tool| print(&tool.id)).collect()
}

/// A document of which an entry is a part.
struct Framed {
    text: Vec<u8>,
    /// Bytes before the entry.
    before: usize,
    /// The pointer of the entry.
    inner: Pointer,
    limits: Limits,
}

impl Framed {
    /// A catalog of the same entry, one or more times; the last of them counts.
    fn new(catalog: Catalog, entry: &[u8], times: usize, limits: &Limits) -> Self {
        let [head, tail] = catalog.frame;
        let room = entry.len().saturating_add(1).saturating_mul(times);
        let mut text = Vec::with_capacity(head.len() + room + tail.len());
        let mut before = 0;
        text.extend_from_slice(head.as_bytes());
        for time in 0..times {
            if time > 0 {
                text.push(b',');
            }
            before = text.len();
            text.extend_from_slice(entry);
        }
        text.extend_from_slice(tail.as_bytes());
        let list = Pointer::root().push(catalog.member);
        // The entry is within its limits; the frame is ours.
        let limits = Limits {
            document_bytes: limits.document_bytes.max(text.len()),
            nodes: limits.nodes.saturating_mul(times).saturating_add(8),
            ..limits.clone()
        };
        Self { text, before, inner: list.push_index(times.saturating_sub(1)), limits }
    }
}

/// The document that an entry is converted as: itself, or a catalog of nothing else. A
/// [conversion](Item::convert) is asked for its residue and its account with it.
#[derive(Clone, Debug)]
pub struct Source<'s> {
    text: Cow<'s, str>,
    tape: Tape,
}

impl<'s> Source<'s> {
    /// The entry itself.
    fn alone(document: &Document<'s>) -> Self {
        Self { text: Cow::Borrowed(document.text()), tape: document.tape() }
    }

    /// A catalog of nothing else.
    fn framed(document: &Document<'_>) -> Self {
        Self { text: Cow::Owned(document.text().to_owned()), tape: document.tape() }
    }

    /// The document. It was read before.
    pub fn document(&self) -> Document<'_> {
        Document::open(&self.text, &self.tape)
    }
}

impl Item<'_> {
    /// Checks the entry, and that no entry before it has its name.
    ///
    /// Pointers are those of the whole stream. Spans are those of
    /// [`bytes`](Item::bytes): [`Item::position`] tells where that is in the stream.
    /// What a format only advises about the entries of a list as a whole, such as
    /// names that are much alike, is not looked for.
    pub fn validate(&self, format: &Format, options: &Validate, names: &mut Names) -> Report {
        let document = match self.parse(&options.limits) {
            Ok(document) => document,
            Err(report) => return report,
        };
        let Some(catalog) = self.catalog(format, &document) else {
            let mut report = format.validate(&document, options);
            for found in &mut report.diagnostics {
                found.set_pointer(self.pointer().join(&found.pointer));
            }
            return report;
        };
        let framed = Framed::new(catalog, self.bytes, 1, &options.limits);
        self.check((format, catalog), &framed, options, names).0
    }

    /// Checks the entry in its frame, and gives what was read of that.
    fn check<'f>(
        &self,
        of: (&Format, Catalog),
        framed: &'f Framed,
        options: &Validate,
        names: &mut Names,
    ) -> (Report, Option<Document<'f>>) {
        let options =
            Validate { first: self.index, limits: framed.limits.clone(), ..options.clone() };
        let (mut report, document) = match Document::parse(&framed.text, &framed.limits) {
            Ok(document) => {
                let mut report = of.0.validate(&document, &options);
                if report.is_valid() {
                    for diagnostic in self.repeated(of, &document, &options, names) {
                        report.push(diagnostic);
                    }
                }
                (report, Some(document))
            }
            Err(diagnostic) => (Report::from(diagnostic), None),
        };
        report.diagnostics.iter_mut().for_each(|found| self.relocate(found, framed));
        (report, document)
    }

    /// Converts the entry. It fails where the conversion of the whole stream would
    /// fail because of it: also when an entry before it has its name, or when an entry
    /// of another name has its name in the target.
    ///
    /// What was converted comes with it: the document that the entry is converted as.
    pub fn convert(
        &self,
        from: &'static Format,
        to: &'static Format,
        options: &Options,
        names: &mut Names,
    ) -> Result<(Conversion, Source<'_>), Report> {
        let limits = &options.limits;
        let alone = self.parse(limits)?;
        let check =
            Validate { depth: Depth::Meaning, limits: limits.clone(), ..Validate::default() };
        let Some(catalog) = self.catalog(from, &alone) else {
            let conversion = convert(&alone, from, to, options);
            let conversion =
                conversion.map_err(|report| self.own(report, &alone, (from, &check)))?;
            return Ok((conversion, Source::alone(&alone)));
        };
        let framed = Framed::new(catalog, self.bytes, 1, limits);
        let (report, document) = self.check((from, catalog), &framed, &check, names);
        let Some(document) = document.filter(|_| report.is_valid()) else { return Err(report) };
        let conversion = if catalog.alone {
            convert(&alone, from, to, options)
        } else {
            let options = Options { limits: framed.limits.clone(), ..options.clone() };
            convert(&document, from, to, &options)
        };
        let conversion = conversion.map_err(|mut report| {
            for found in &mut report.diagnostics {
                self.of_the_target(found, (!catalog.alone).then_some(&framed));
            }
            report
        })?;
        for ToolOutcome { id, target, .. } in &conversion.tools {
            let source = print(id);
            if *names.targets.entry(print(target)).or_insert(source) != source {
                let message = format!("two tools would have the id {}", quoted(target));
                return Err(Report::from(COLLISION.at_pointer(self.pointer(), message)));
            }
        }
        let source = if catalog.alone { Source::alone(&alone) } else { Source::framed(&document) };
        Ok((conversion, source))
    }

    /// Why a document could not be converted, with the places of the stream. What is not
    /// about the entry is about what it would have become: that has no place here.
    fn own(
        &self,
        mut report: Report,
        document: &Document<'_>,
        (format, check): (&Format, &Validate),
    ) -> Report {
        let invalid = !format.validate(document, check).is_valid();
        for found in &mut report.diagnostics {
            let here = || document.root().at(&found.pointer).map(Node::span);
            if invalid || found.span.is_some() && here() == found.span {
                found.set_pointer(self.pointer().join(&found.pointer));
            } else {
                self.of_the_target(found, None);
            }
        }
        report
    }

    /// Makes a diagnostic about a target that nobody has one about the entry: what it comes from
    /// stays.
    fn of_the_target(&self, found: &mut Diagnostic, framed: Option<&Framed>) {
        found.set_pointer(self.pointer());
        match framed {
            _ if found.span.is_some() => found.clear_spans(),
            Some(framed) => found.map_spans(|span| self.unframed(span, framed)),
            None => {}
        }
    }

    /// The catalog that the entry is a part of. A line is a document of its own, and so
    /// is what an array holds that has a list of entries itself.
    fn catalog(&self, format: &Format, entry: &Document<'_>) -> Option<Catalog> {
        let is_list =
            |catalog: &Catalog| entry.root().get(catalog.member).is_some_and(Node::is_array);
        match self.shape {
            Shape::Lines => None,
            Shape::Array => format.catalog.filter(|catalog| !is_list(catalog)),
            Shape::Member => format.catalog,
        }
    }

    /// Reads the entry by itself.
    fn parse(&self, limits: &Limits) -> Result<Document<'_>, Report> {
        Document::parse(self.bytes, limits).map_err(|mut diagnostic| {
            diagnostic.set_pointer(self.pointer().join(&diagnostic.pointer));
            Report::from(diagnostic)
        })
    }

    /// What the format says of two entries with that name, if one before has it.
    fn repeated(
        &self,
        (format, catalog): (&Format, Catalog),
        document: &Document<'_>,
        options: &Validate,
        names: &mut Names,
    ) -> Vec<Diagnostic> {
        // All of them are remembered.
        let ids = ids(format, document).into_iter();
        let taken = ids.filter(|id| !names.sources.insert(*id)).count();
        if taken == 0 {
            return Vec::new();
        }
        let twice = Framed::new(catalog, self.bytes, 2, &options.limits);
        let Ok(document) = Document::parse(&twice.text, &twice.limits) else {
            return Vec::new();
        };
        let options = Validate {
            first: self.index.saturating_sub(1),
            limits: twice.limits.clone(),
            ..options.clone()
        };
        let report = format.validate(&document, &options);
        let once = Framed::new(catalog, self.bytes, 1, &options.limits);
        let (first, second): (Vec<_>, Vec<_>) =
            report.diagnostics.into_iter().partition(|found| within(found, &twice).is_none());
        let known = |found: &Diagnostic| {
            let tail = within(found, &twice);
            first.iter().any(|other| other.rule == found.rule && within(other, &once) == tail)
        };
        let new = second.into_iter().filter(|found| !known(found));
        new.map(|mut found| {
            // As if the entry stood in a document of its own.
            let tail = within(&found, &twice).unwrap_or_default();
            found.set_pointer(once.inner.clone().join(&tail));
            let moved = twice.before - once.before;
            let span = found.span.map(|span| Span {
                start: span.start.saturating_sub(moved),
                end: span.end.saturating_sub(moved),
            });
            // The other places are in the twin.
            found.clear_spans();
            match span {
                Some(span) => found.span(span),
                None => found,
            }
        })
        .collect()
    }

    /// Makes a diagnostic about the framed entry one about the entry.
    fn relocate(&self, diagnostic: &mut Diagnostic, framed: &Framed) {
        diagnostic.set_pointer(match within(diagnostic, framed) {
            Some(tail) => self.pointer().join(&tail),
            None => self.pointer(),
        });
        diagnostic.map_spans(|span| self.unframed(span, framed));
    }

    /// A place of the framed entry in the entry.
    fn unframed(&self, span: Span, framed: &Framed) -> Span {
        let place = |offset: usize| offset.saturating_sub(framed.before).min(self.bytes.len());
        Span { start: place(span.start), end: place(span.end) }
    }
}

/// Where in the entry a diagnostic is, if it is.
fn within(diagnostic: &Diagnostic, framed: &Framed) -> Option<Pointer> {
    diagnostic.pointer.strip_prefix(&framed.inner)
}
