//! What a format is: a name, a mapping, and four functions.

use crate::convert::{Compare, Op, apply_ops, base, diff};
use crate::descriptor::{Lifted, ToolDescriptor};
use crate::diagnostic::{Depth, Diagnostic, Profile, Report, Rule};
use crate::json::{Document, Node, pretty};
use crate::{Limits, Pointer};

/// A manifest format, as data. Everything else in this crate is generic over it.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // formats are statics, written out in full
pub struct Format {
    /// The name that commands, options and residues use.
    pub name: &'static str,
    /// Where each descriptor field lives in an entry of this format.
    pub mapping: &'static [Row],
    /// Every rule of the format.
    pub rules: &'static [&'static Rule],
    /// Whether a document holds one tool, so that several tools are an array of
    /// documents.
    pub list: bool,
    /// The document that holds many entries in a member, where the format has one.
    pub catalog: Option<Catalog>,
    /// Members that identify an element of an array. `a/b` is the member `b` of
    /// the member `a`.
    pub identity: &'static [&'static str],
    /// Whether a value is a document of this format, and why.
    pub detect: fn(Node<'_>) -> Option<Detected>,
    /// Checks a document.
    pub validate: fn(&Document<'_>, &Validate) -> Report,
    /// Reads a valid document. Use [`Format::lift`], which checks it first and
    /// keeps what this function has no word for.
    pub read: for<'a> fn(&'a Document<'a>) -> Lifted<'a>,
    /// Writes a document. Use [`Format::lower`], which puts back what
    /// [`Format::lift`] kept.
    pub write: fn(&Lifted<'_>, &Defaults) -> Result<String, Diagnostic>,
}

/// A document that holds entries in a list, and little else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // formats are statics, written out in full
pub struct Catalog {
    /// The member that is the list.
    pub member: &'static str,
    /// What stands before and after the entries, when nothing else is said.
    pub frame: [&'static str; 2],
    /// Whether an entry is a document by itself.
    pub alone: bool,
}

/// Why a value is taken for a document of a format.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[allow(clippy::exhaustive_structs)]
pub struct Detected {
    /// The version of the format, where it shows.
    pub version: Option<String>,
    /// What gave it away.
    pub evidence: Vec<&'static str>,
}

/// One line of a mapping table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // tables are written out in full
pub struct Row {
    /// The field, as a pointer into a [`ToolDescriptor`]. Below `/derived`, there is
    /// none: the member follows from other fields, or is the form of the document.
    pub field: &'static str,
    /// The member, as a pointer into the tool's entry. After `^`, it is a pointer
    /// into what is around the list of entries, which its tools share; where an
    /// entry is in no list of a member, into the entry itself.
    pub member: &'static str,
    /// How the two relate, for people.
    pub note: &'static str,
}

impl Row {
    /// Whether descriptors have the field.
    pub fn is_field(&self) -> bool {
        !self.field.starts_with("/derived/")
    }
}

/// How a document is checked.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Validate {
    /// Whose behaviour to follow.
    pub profile: Profile,
    /// How deep to look.
    pub depth: Depth,
    /// The number that messages give the first entry of a list: not zero for
    /// entries that were cut out of a longer one.
    pub first: usize,
    /// What it may cost.
    pub limits: Limits,
}

impl Default for Validate {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            depth: Depth::Advice,
            first: 0,
            limits: Limits::default(),
        }
    }
}

/// What stands in for what a target requires and a source does not say.
/// Cautious values only; every use is reported as assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Defaults {
    /// The version of a tool that has none.
    pub version: String,
    /// What an id begins with where a format wants a publisher in it.
    pub publisher: String,
    /// The program that a target names when it cannot express the call.
    pub bridge: String,
    /// The tag of a tool that has none.
    pub tag: String,
    /// The URL below which a tool that has no page is given one.
    pub homepage: String,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            version: "0.0.0".to_owned(),
            publisher: "local".to_owned(),
            bridge: "./tools/bin/toolglot-bridge".to_owned(),
            tag: "tool".to_owned(),
            homepage: "https://example.invalid/".to_owned(),
        }
    }
}

impl Format {
    /// Reads a document into descriptors that hold all of it: what has no field
    /// of its own is in their extras.
    pub fn lift<'a>(
        &self,
        document: &'a Document<'a>,
        limits: &Limits,
    ) -> Result<Lifted<'a>, Report> {
        let root = document.root();
        if self.list && root.is_array() && root.elements().next().is_none() {
            // No document at all is not a valid one, but a list of none is.
            return Ok(Lifted { list: true, ..Lifted::default() });
        }
        let report = self.check(document, limits);
        if !report.is_valid() {
            return Err(report);
        }
        let mut lifted = (self.read)(document);
        let fail = |diagnostic: Diagnostic| {
            let mut report = Report::new(Profile::Spec, 1);
            report.push(diagnostic);
            report
        };
        // What writing the descriptors does not give back is what they lack.
        let written = (self.write)(&lifted, &Defaults::default()).map_err(fail)?;
        let written = Document::parse(written.as_bytes(), limits).map_err(fail)?;
        let mirror = (self.read)(&written);
        let at = |document: &'a Document<'a>, pointer: &Pointer| document.root().at(pointer);
        for (tool, written_tool) in lifted.tools.iter_mut().zip(&mirror.tools) {
            let entries = written.root().at(&written_tool.source).zip(at(document, &tool.source));
            if let Some((from, to)) = entries {
                let compare = Compare {
                    identity: self.identity,
                    skip: &|_| false,
                    order: true,
                    essence: &[],
                };
                let ops = diff(from, to, &compare);
                // A tool that is all of its document shares what is around it with
                // those that may join it.
                let whole = self.is_shared() && base(&tool.source, document.root()) == tool.source;
                let name = if whole { &self.shared_extras() } else { self.name };
                keep(ops, &mut tool.extras, name);
            }
        }
        let starts: Vec<usize> = mirror
            .tools
            .iter()
            .filter_map(|tool| Some(written.root().at(&tool.source)?.span().start))
            .collect();
        let is_entry = |node: Node<'_>| starts.binary_search(&node.span().start).is_ok();
        let compare =
            Compare { identity: self.identity, skip: &is_entry, order: true, essence: &[] };
        if !self.is_shared() {
            let ops = diff(written.root(), document.root(), &compare);
            keep(ops, &mut lifted.extras, self.name);
            return Ok(lifted);
        }
        // What tools share goes with each of them: an edit may part them.
        let mut last: Option<(Pointer, Vec<Op>)> = None;
        for (tool, written_tool) in lifted.tools.iter_mut().zip(&mirror.tools) {
            let around = base(&tool.source, document.root());
            if around == tool.source {
                continue;
            }
            let ops = match last.take() {
                Some((known, ops)) if known == around => ops,
                _ => {
                    let from = base(&written_tool.source, written.root());
                    let pair = written.root().at(&from).zip(at(document, &around));
                    pair.map(|(from, to)| diff(from, to, &compare)).unwrap_or_default()
                }
            };
            keep(ops.clone(), &mut tool.extras, &self.shared_extras());
            last = Some((around, ops));
        }
        Ok(lifted)
    }

    /// Whether a document says some things of several tools at once.
    fn is_shared(&self) -> bool {
        self.mapping.iter().any(|row| row.member.starts_with('^'))
    }

    /// The name that the extras of what tools share go by.
    fn shared_extras(&self) -> String {
        format!("{}^", self.name)
    }

    /// Checks all that makes a document invalid.
    fn check(&self, document: &Document<'_>, limits: &Limits) -> Report {
        let options =
            Validate { depth: Depth::Meaning, limits: limits.clone(), ..Validate::default() };
        (self.validate)(document, &options)
    }

    /// Writes descriptors as a document, laid out for people where the limits have
    /// room for that.
    pub fn lower(
        &self,
        lifted: &Lifted<'_>,
        defaults: &Defaults,
        limits: &Limits,
    ) -> Result<String, Diagnostic> {
        let written = (self.write)(lifted, defaults)?;
        let document = Document::parse(written.as_bytes(), limits)?;
        let mirror = (self.read)(&document);
        let extras = |tool: &ToolDescriptor<'_>, name: &str| {
            tool.extras.get(name).cloned().unwrap_or_default().into_iter()
        };
        let mut ops = lifted.extras.get(self.name).cloned().unwrap_or_default();
        let (shared, mut done) = (self.shared_extras(), None);
        for (tool, written) in lifted.tools.iter().zip(&mirror.tools) {
            let around = base(&written.source, document.root());
            // What was in an entry of a list has no place in a document as a whole.
            if !self.is_shared() || around != written.source {
                ops.extend(extras(tool, self.name).map(|op| op.below(&written.source)));
            }
            if done.as_ref() != Some(&around) {
                ops.extend(extras(tool, &shared).map(|op| op.below(&around)));
                done = Some(around);
            }
        }
        let fits = |text: &str| {
            Document::parse(text.as_bytes(), limits)
                .is_ok_and(|document| self.check(&document, limits).is_valid())
        };
        let text = apply_ops(&document, &ops, limits, fits).map_err(|error| {
            crate::convert::rules::RESIDUE.at_pointer(Pointer::root(), error.to_string())
        })?;
        let document = Document::parse(text.as_bytes(), limits)?;
        let laid_out = pretty(document.root()) + "\n";
        // White space counts against the limits as well.
        let large = laid_out.len() > limits.document_bytes.min(limits.schema_bytes);
        Ok(if large && !fits(&laid_out) { text } else { laid_out })
    }
}

fn keep(ops: Vec<Op>, extras: &mut std::collections::BTreeMap<String, Vec<Op>>, name: &str) {
    if !ops.is_empty() {
        extras.insert(name.to_owned(), ops);
    }
}
