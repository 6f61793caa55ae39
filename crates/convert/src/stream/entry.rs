//! Validates and converts an entry like a document.
//!
//! An entry of a catalog is checked inside a catalog that contains only that entry, so a
//! format does not need to support streams. The entry is parsed alone first, because valid
//! JSON cannot break out of the frame around it. A line is a document, and so is an element
//! of an array in a format without catalogs.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Depth, Diagnostic, Pointer, Report, Span, quoted};
use json_text::{Document, Node};
use manifest_core::rules::COLLISION;
use manifest_core::{Catalog, Format, Limits, ValidateOptions};

use super::item::{Item, Shape};
use crate::conversion::Conversion;
use crate::convert::convert;
use crate::options::Options;
use crate::output::ToolOutcome;

/// The names of the entries of a stream, each as sixteen bytes of SHA-256, which are enough
/// to rule out deliberate collisions. No other part of an entry is remembered.
///
/// Only valid entries of a catalog are recorded. Entries that are documents of their own,
/// such as lines, are not. A repeated name is reported like two entries with that name in
/// one document.
#[derive(Clone, Debug, Default)]
pub struct Names {
    sources: BTreeSet<u128>,
    /// The names in the target, each with the source name that it comes from.
    targets: BTreeMap<u128, u128>,
}

impl Names {
    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Returns true if there are no names.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
}

fn digest128(name: &str) -> u128 {
    let digest = hmac_sha256::Hash::hash(name.as_bytes());
    digest.first_chunk().map_or(0, |chunk| u128::from_le_bytes(*chunk))
}

/// Returns the digests of the tool ids in a valid document.
fn tool_digests(format: &Format, document: &Document<'_>) -> Vec<u128> {
    format.lift_valid(document, 0).tools.iter().map(|tool| digest128(&tool.id)).collect()
}

/// A document that contains an entry.
struct FramedEntry {
    text: Vec<u8>,
    /// The number of bytes before the entry.
    before: usize,
    /// The pointer of the entry.
    inner: Pointer,
    limits: Limits,
}

impl FramedEntry {
    /// Builds a catalog that contains the entry one or more times. The last copy counts.
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
        // The entry was checked against the limits alone; the frame needs extra room.
        let limits = Limits {
            document_bytes: limits.document_bytes.max(text.len()),
            nodes: limits.nodes.saturating_mul(times).saturating_add(8),
            ..limits.clone()
        };
        Self { text, before, inner: list.push_index(times.saturating_sub(1)), limits }
    }
}

impl Item<'_> {
    /// Checks the entry, and that no earlier entry has its name.
    ///
    /// Pointers refer to the whole stream. Spans refer to [`bytes`](Item::bytes);
    /// [`Item::position`] maps them to the stream. Advice about a list as a whole, for
    /// example about very similar names, is not given.
    pub fn validate(
        &self,
        format: &Format,
        options: &ValidateOptions,
        names: &mut Names,
    ) -> Report {
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
        let framed = FramedEntry::new(catalog, self.bytes, 1, &options.limits);
        self.check((format, catalog), &framed, options, names).0
    }

    /// Checks the entry in its frame, and returns the document with the frame.
    fn check<'f>(
        &self,
        of: (&Format, Catalog),
        framed: &'f FramedEntry,
        options: &ValidateOptions,
        names: &mut Names,
    ) -> (Report, Option<Document<'f>>) {
        let options = ValidateOptions {
            first_index: self.index,
            limits: framed.limits.clone(),
            ..options.clone()
        };
        let (mut report, document) = match Document::parse(&framed.text, &framed.limits) {
            Ok(document) => (of.0.validate(&document, &options), Some(document)),
            Err(diagnostic) => (Report::from(diagnostic), None),
        };
        if let Some(document) = &document
            && report.is_valid()
        {
            for diagnostic in self.duplicate_name(of, document, &options, names) {
                report.push(diagnostic);
            }
        }
        for found in &mut report.diagnostics {
            self.map_diagnostic(found, framed);
        }
        (report, document)
    }

    /// Converts the entry. Fails if the conversion of the whole stream would fail because
    /// of this entry: also if an earlier entry has its name, or if an entry with another
    /// name has its name in the target.
    ///
    /// The source of the conversion is the entry itself, or a catalog that contains only the
    /// entry.
    pub fn convert(
        &self,
        from: &'static Format,
        to: &'static Format,
        options: &Options,
        names: &mut Names,
    ) -> Result<Conversion, Report> {
        let limits = &options.limits;
        let alone = self.parse(limits)?;
        let check = ValidateOptions {
            depth: Depth::Semantics,
            limits: limits.clone(),
            ..ValidateOptions::default()
        };
        let Some(catalog) = self.catalog(from, &alone) else {
            return convert(&alone, from, to, options)
                .map_err(|report| self.map_report(report, &alone, (from, &check)));
        };
        let framed = FramedEntry::new(catalog, self.bytes, 1, limits);
        let (report, document) = self.check((from, catalog), &framed, &check, names);
        let Some(document) = document.filter(|_| report.is_valid()) else { return Err(report) };
        let conversion = if catalog.is_document {
            convert(&alone, from, to, options)
        } else {
            let options = Options { limits: framed.limits.clone(), ..options.clone() };
            convert(&document, from, to, &options)
        };
        let conversion = conversion.map_err(|mut report| {
            for found in &mut report.diagnostics {
                self.move_to_entry(found, (!catalog.is_document).then_some(&framed));
            }
            report
        })?;
        for ToolOutcome { id, target, .. } in &conversion.tools {
            let source = digest128(id);
            if *names.targets.entry(digest128(target)).or_insert(source) != source {
                let message = format!("two tools would have the id {}", quoted(target));
                return Err(Report::from(COLLISION.at_pointer(self.pointer(), message)));
            }
        }
        Ok(conversion)
    }

    /// Maps the report of a failed conversion to the stream. A diagnostic that is not about
    /// the entry is about the target, which has no place in the stream.
    fn map_report(
        &self,
        mut report: Report,
        document: &Document<'_>,
        (format, check): (&Format, &ValidateOptions),
    ) -> Report {
        let is_invalid = !format.validate(document, check).is_valid();
        for found in &mut report.diagnostics {
            let here = document.root().at(&found.pointer).map(Node::span);
            if is_invalid || here.is_some() && here == found.span {
                found.set_pointer(self.pointer().join(&found.pointer));
            } else {
                self.move_to_entry(found, None);
            }
        }
        report
    }

    /// Moves a diagnostic about the target to the entry. If the diagnostic has no span of
    /// its own, related places in the entry stay.
    fn move_to_entry(&self, found: &mut Diagnostic, framed: Option<&FramedEntry>) {
        found.set_pointer(self.pointer());
        match framed {
            _ if found.span.is_some() => found.clear_spans(),
            Some(framed) => found.map_spans(|span| self.map_span(span, framed)),
            None => {}
        }
    }

    /// Returns the catalog that the entry is a part of. A line is a document of its own,
    /// and so is an array element that contains a list of entries itself.
    fn catalog(&self, format: &Format, entry: &Document<'_>) -> Option<Catalog> {
        let catalog = format.catalog?;
        let is_list = entry.root().get(catalog.member).is_some_and(Node::is_array);
        match self.shape {
            Shape::Lines => None,
            Shape::Array if is_list => None,
            Shape::Array | Shape::Member => Some(catalog),
        }
    }

    /// Parses the entry alone.
    fn parse(&self, limits: &Limits) -> Result<Document<'_>, Report> {
        Document::parse(self.bytes, limits).map_err(|mut diagnostic| {
            diagnostic.set_pointer(self.pointer().join(&diagnostic.pointer));
            Report::from(diagnostic)
        })
    }

    /// Returns the format's diagnostics about a duplicate name, if an earlier entry has it.
    fn duplicate_name(
        &self,
        (format, catalog): (&Format, Catalog),
        document: &Document<'_>,
        options: &ValidateOptions,
        names: &mut Names,
    ) -> Vec<Diagnostic> {
        let mut is_taken = false;
        for id in tool_digests(format, document) {
            is_taken |= !names.sources.insert(id);
        }
        if !is_taken {
            return Vec::new();
        }
        let twice = FramedEntry::new(catalog, self.bytes, 2, &options.limits);
        let Ok(document) = Document::parse(&twice.text, &twice.limits) else {
            return Vec::new();
        };
        let options = ValidateOptions {
            first_index: self.index.saturating_sub(1),
            limits: twice.limits.clone(),
            ..options.clone()
        };
        let once = FramedEntry::new(catalog, self.bytes, 1, &options.limits);
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for found in format.validate(&document, &options).diagnostics {
            match pointer_in_entry(&found, &twice) {
                Some(tail) => inside.push((found, tail)),
                None => outside.push(found),
            }
        }
        let mut new = Vec::new();
        for (mut found, tail) in inside {
            let is_known = outside.iter().any(|other| {
                other.rule == found.rule && pointer_in_entry(other, &once).as_ref() == Some(&tail)
            });
            if is_known {
                continue;
            }
            // As if the entry were in a document of its own.
            found.set_pointer(once.inner.clone().join(&tail));
            let span = found.span;
            // The other spans are in the first copy.
            found.clear_spans();
            if let Some(Span { start, end }) = span {
                let moved = twice.before - once.before;
                let (start, end) = (start.saturating_sub(moved), end.saturating_sub(moved));
                found = found.span(Span { start, end });
            }
            new.push(found);
        }
        new
    }

    /// Maps a diagnostic about the framed entry to the entry.
    fn map_diagnostic(&self, diagnostic: &mut Diagnostic, framed: &FramedEntry) {
        diagnostic.set_pointer(match pointer_in_entry(diagnostic, framed) {
            Some(tail) => self.pointer().join(&tail),
            None => self.pointer(),
        });
        diagnostic.map_spans(|span| self.map_span(span, framed));
    }

    /// Maps a span of the framed entry to the entry.
    fn map_span(&self, span: Span, framed: &FramedEntry) -> Span {
        let [start, end] = [span.start, span.end]
            .map(|offset| offset.saturating_sub(framed.before).min(self.bytes.len()));
        Span { start, end }
    }
}

/// Returns the pointer of a diagnostic within the entry, or `None` if it is outside.
fn pointer_in_entry(diagnostic: &Diagnostic, framed: &FramedEntry) -> Option<Pointer> {
    diagnostic.pointer.strip_prefix(&framed.inner)
}
