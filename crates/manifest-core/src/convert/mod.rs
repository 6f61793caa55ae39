//! Conversion without loss, generic over formats.
//!
//! Each format says how its documents [lift](crate::Format::lift) to descriptors
//! and how descriptors [lower](crate::Format::lower) to documents. Everything
//! else follows: [`convert`] lowers what was lifted and compares it with what
//! the target lifts back to; the difference is the [`Residue`]. [`restore`]
//! applies the residue wherever the target still says what was written, so that
//! an edit wins, and changes only those bytes of the source that the edit is
//! about. [`merge_back`] does the same with the source at hand.

use crate::align::last_part;
use crate::diagnostic::{Diagnostic, Profile, Report};
use crate::json::{Document, Node, patch};
use crate::{Defaults, Format, Lifted, Limits, Pointer, ToolDescriptor};

mod both;
mod in_band;
mod ledger;
mod list;
mod merge;
mod op;
mod rename;
mod residue;
pub mod rules;
mod side;

pub use ledger::{Assumed, Class, Entry, Ledger};
pub use op::Op;
pub(crate) use op::{Compare, apply_ops, diff};
pub use residue::{Marks, Residue, Source, Target, ToolResidue, sha256_hex};
use side::Side;
pub(crate) use side::base;

/// How to convert.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Options {
    /// Refuse to assume what the source does not say.
    pub strict: bool,
    /// Keep the text of the source in the residue, to give back its very bytes.
    pub spelling: bool,
    /// Carry the residue inside the target, in the input schema of each tool.
    /// It reaches the model there.
    pub in_band: bool,
    /// What to assume.
    pub defaults: Defaults,
    /// What it may cost.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strict: false,
            spelling: true,
            in_band: false,
            defaults: Defaults::default(),
            limits: Limits::default(),
        }
    }
}

/// A converted document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The target.
    pub text: String,
    /// What it could not say.
    pub residue: Residue,
    /// Where everything went.
    pub ledger: Ledger,
}

/// A restored document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Restored {
    /// The source again, with the edits that were made to the target.
    pub text: String,
    /// Whether the target was edited since it was written.
    pub edited: bool,
    /// The tools that are not in the target any more, as they were called there. All
    /// that the source said of them is gone with them.
    pub removed: Vec<String>,
    /// What the edited target says and the source's format cannot.
    pub residue: Residue,
}

/// Members that make a call another one: another program, or the same with other
/// arguments.
const ESSENCE: &[&str] = &["argv"];

/// How descriptors are compared.
const WHOLE: Compare<'_> =
    Compare { identity: &["id", "step"], skip: &|_| false, order: false, essence: ESSENCE };

/// Converts a document.
pub fn convert(
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    translate(source, from, to, options, true)
}

/// Converts a document, with an account of it or without.
fn translate(
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
    accounted: bool,
) -> Result<Conversion, Report> {
    let limits = &options.limits;
    let lifted = from.lift(source, limits)?;
    let carrier =
        if options.in_band { Some(in_band::prepare(lifted.clone()).map_err(one)?) } else { None };
    let text =
        to.lower(carrier.as_ref().unwrap_or(&lifted), &options.defaults, limits).map_err(one)?;
    let target = Document::parse(text.as_bytes(), limits).map_err(one)?;
    let mirror = to.lift(&target, limits)?;
    let (ours, theirs) = (to_json(&lifted), to_json(&mirror));
    let roomy = roomy(limits);
    let ours = Document::parse(ours.as_bytes(), &roomy).map_err(one)?;
    let theirs = Document::parse(theirs.as_bytes(), &roomy).map_err(one)?;

    let mut ledger = Ledger::default();
    if accounted {
        ledger = Ledger::new(
            &Side::new(from, source, &ours, entries(&lifted)),
            &Side::new(to, &target, &theirs, entries(&mirror)),
        );
        if options.strict {
            refuse_assumed(&ledger, limits)?;
        }
    }
    let mut residue = compare(&theirs, &ours, &mirror, (from, to));
    residue.target.digest = residue::digest(&target);
    residue.source.text = options.spelling.then(|| source.text().to_owned());
    let text = match carrier {
        Some(carrier) => {
            let annotated = in_band::annotate(carrier, &residue).map_err(one)?;
            let lowered = to.lower(&annotated, &options.defaults, limits);
            let lowered = lowered.map_err(|error| one(in_band::too_much(&error)))?;
            let too_much = |error: Diagnostic| one(in_band::too_much(&error));
            let carrying = Document::parse(lowered.as_bytes(), limits).map_err(too_much)?;
            let carried = to.lift(&carrying, limits).map_err(|report| {
                let first = report.errors().next().cloned();
                first.map_or(report, too_much)
            })?;
            in_band::arrived(carried, &residue).map_err(one)?;
            lowered
        }
        None => text,
    };
    Ok(Conversion { text, residue, ledger })
}

/// Gives back the source of a conversion, with the edits made to its target.
///
/// Without a residue, the target must carry one inside.
pub fn restore(
    target: &Document<'_>,
    residue: Option<&Residue>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Restored, Report> {
    let limits = &options.limits;
    let lifted = to.lift(target, limits)?;
    let (lifted, carried) = in_band::take(lifted).map_err(one)?;
    let Some(residue) = residue.or(carried.as_ref()) else {
        let message = "there is no residue, neither beside the document nor inside";
        return Err(one(rules::RESIDUE.at_pointer(Pointer::root(), message)));
    };
    check_related(residue, &lifted, from, to).map_err(one)?;
    let digest = match &carried {
        // The residue is bound to the target as it was without it.
        Some(_) => {
            let bare = to.lower(&lifted, &options.defaults, limits).map_err(one)?;
            residue::digest(&Document::parse(bare.as_bytes(), limits).map_err(one)?)
        }
        None => residue::digest(target),
    };
    let edited = residue.target.digest != digest;

    let merged = merge::merge(lifted, residue, limits).map_err(one)?;
    let write = |lifted: &Lifted<'_>| {
        let lowered = from.lower(lifted, &options.defaults, limits)?;
        // Laid out for people, it may be larger than the source, whose layout it gets.
        let lowered = Document::parse(lowered.as_bytes(), &roomy(limits))?;
        let Some(text) = &residue.source.text else { return Ok(lowered.text().to_owned()) };
        let base = Document::parse(text.as_bytes(), limits)?;
        Ok(patch(&base, lowered.root(), from.identity))
    };
    let roomy = roomy(limits);
    let ours = to_json(&merged.lifted);
    let ours = Document::parse(ours.as_bytes(), &roomy).map_err(one)?;
    let mut text = write(&merged.lifted).map_err(one)?;
    let mut restored = Document::parse(text.as_bytes(), limits).map_err(one)?;
    let mut mirror = from.lift(&restored, limits)?;
    // A call that the source cannot say does not take the place of the one it said.
    let again;
    if let Some(kept) = merge::keep_calls(&merged, &mirror, limits) {
        again = write(&kept).map_err(one)?;
        text.clone_from(&again);
        restored = Document::parse(again.as_bytes(), limits).map_err(one)?;
        mirror = from.lift(&restored, limits)?;
    }
    let theirs = to_json(&mirror);
    let theirs = Document::parse(theirs.as_bytes(), &roomy).map_err(one)?;
    let mut lost = compare(&theirs, &ours, &mirror, (to, from));
    lost.target.digest = residue::digest(&restored);
    lost.source.text = options.spelling.then(|| target.text().to_owned());
    Ok(Restored { text, edited, removed: merged.removed, residue: lost })
}

/// Like [`restore`], with the source of the conversion at hand instead of its
/// residue.
pub fn merge_back(
    target: &Document<'_>,
    original: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Restored, Report> {
    let options = Options { spelling: true, in_band: false, ..options.clone() };
    let conversion = translate(original, from, to, &options, false)?;
    restore(target, Some(&conversion.residue), from, to, &options)
}

/// Like [`restore`], when the source was edited too since the conversion:
/// `source` is what it says now. Edits of both sides are kept, and every place
/// where they contradict each other is reported.
///
/// The residue must have the text of the source as it was.
pub fn reconcile(
    target: &Document<'_>,
    residue: &Residue,
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Restored, Report> {
    let limits = &options.limits;
    let restored = restore(target, Some(residue), from, to, options)?;
    let Some(base) = &residue.source.text else {
        let message = "the residue does not have the source as it was, which edits are told by";
        let help = "convert with the spelling in the residue, or restore without the source";
        return Err(one(rules::RESIDUE.at_pointer(Pointer::root(), message).help(help)));
    };
    let base = Document::parse(base.as_bytes(), limits).map_err(one)?;
    let theirs = Document::parse(restored.text.as_bytes(), limits).map_err(one)?;
    let merged = both::merged(&base, source, &theirs, from.identity, limits)?;
    let merged = Document::parse(merged.as_bytes(), limits).map_err(one)?;
    let text = patch(source, merged.root(), from.identity);
    // Two edits that are right by themselves may not fit together.
    from.lift(&Document::parse(text.as_bytes(), limits).map_err(one)?, limits)?;
    Ok(Restored { text, ..restored })
}

/// The residue of saying `ours` as `theirs`.
fn compare(
    theirs: &Document<'_>,
    ours: &Document<'_>,
    mirror: &Lifted<'_>,
    (from, to): (&Format, &Format),
) -> Residue {
    let tools = |document: &'_ Document<'_>| {
        document.root().get("tools").map_or(0, |t| t.elements().count())
    };
    debug_assert_eq!(tools(theirs), tools(ours), "lowering keeps the number of tools");
    let pairs = theirs.root().get("tools").zip(ours.root().get("tools"));
    let ops = pairs.into_iter().flat_map(|(theirs, ours)| {
        theirs.elements().zip(ours.elements()).map(|(theirs, ours)| diff(theirs, ours, &WHOLE))
    });
    let starts: Vec<usize> =
        theirs.root().get("tools").into_iter().map(|tools| tools.span().start).collect();
    let is_tools = |node: Node<'_>| starts.contains(&node.span().start);
    let document = diff(theirs.root(), ours.root(), &Compare { skip: &is_tools, ..WHOLE });
    Residue {
        residue: 1,
        source: Source { format: from.name.to_owned(), text: None },
        target: Target { format: to.name.to_owned(), digest: String::new() },
        document,
        tools: mirror
            .tools
            .iter()
            .zip(ops)
            .map(|(tool, ops)| ToolResidue {
                id: tool.id.clone().into_owned(),
                marks: if ops.is_empty() { Marks::default() } else { rename::marks(tool, &ops) },
                ops,
            })
            .collect(),
    }
}

fn check_related(
    residue: &Residue,
    lifted: &Lifted<'_>,
    from: &Format,
    to: &Format,
) -> Result<(), Diagnostic> {
    let unrelated = |message: String| Err(rules::UNRELATED.at_pointer(Pointer::root(), message));
    let formats = (residue.source.format.as_str(), residue.target.format.as_str());
    if formats != (from.name, to.name) {
        return unrelated(format!(
            "the residue stands between {} and {}, not between {} and {}",
            crate::quoted(formats.0),
            crate::quoted(formats.1),
            from.name,
            to.name,
        ));
    }
    // A package may have been renamed, or have lost its actions.
    let known = |tool: &ToolDescriptor<'_>| {
        let package = |id: &str| id.rsplit_once('.').map_or(id, |(package, _)| package).to_owned();
        residue.tools.iter().any(|known| {
            last_part(&known.id) == last_part(&tool.id) || package(&known.id) == package(&tool.id)
        })
    };
    let single = lifted.tools.len() == 1 && residue.tools.len() == 1;
    if !lifted.tools.is_empty()
        && !residue.tools.is_empty()
        && !single
        && !lifted.tools.iter().any(known)
    {
        return unrelated("the residue knows none of the document's tools".to_owned());
    }
    Ok(())
}

fn refuse_assumed(ledger: &Ledger, limits: &Limits) -> Result<(), Report> {
    let mut report = Report::new(Profile::Spec, limits.diagnostics);
    for assumed in &ledger.assumed {
        let message =
            format!("the source does not say what {} is", crate::quoted(assumed.target.as_str()));
        report.push(rules::ASSUMED.at_pointer(assumed.target.clone(), message));
    }
    if report.is_valid() { Ok(()) } else { Err(report) }
}

fn entries(lifted: &Lifted<'_>) -> Vec<Pointer> {
    lifted.tools.iter().map(|tool| tool.source.clone()).collect()
}

fn to_json<T: serde::Serialize>(value: &T) -> String {
    // Descriptors hold strings, numbers and JSON values: this cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

/// Room for what a document lifts to, which repeats some of it.
fn roomy(limits: &Limits) -> Limits {
    Limits {
        document_bytes: limits.document_bytes.saturating_mul(8),
        nodes: limits.nodes.saturating_mul(8),
        string_bytes: limits.document_bytes.saturating_mul(8),
        depth: limits.depth.saturating_add(16),
        ..limits.clone()
    }
}

fn one(diagnostic: Diagnostic) -> Report {
    let mut report = Report::new(Profile::Spec, 1);
    report.push(diagnostic);
    report
}
