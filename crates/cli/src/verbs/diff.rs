//! `toolglot diff`

use std::path::PathBuf;

use serde::Serialize;
use toolglot::compare::{self, Change, Class, Side};
use toolglot::core::{printable, secret};
use toolglot::install_engine::diff as manifests;
use toolglot::json::{Document, Span};
use toolglot::{Format, Formats, Pointer, Severity};

use crate::files::formats::{self, Candidates};
use crate::files::input::{Input, check_stdin_once};
use crate::files::installable;
use crate::files::limits;
use crate::files::parsed::{self as files, FileDescription, FileError, ParsedFile};
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{FindingStyle, Style, json_line};
use crate::terminal::sarif::{self, Finding};

/// Say what changed between two files of any formats, and what it means
#[derive(clap::Args)]
#[command(after_help = "\
Schemas are compared by what they take. What cannot be decided is said to be undecided, and so is
what only one of two formats has a word for. (ask) marks what the owner must agree to anew.

Examples:
  toolglot diff old.json new.json
  toolglot diff --upgrade-safe old.json new.json
  toolglot diff tools.json echo.mcpkg.json --format json
  toolglot diff old.json new.json --format sarif > changed.sarif

With --format json there is one object, with both files and the changes. When a file cannot be
compared, its error or diagnostics are there, and there is no verdict.

Exit codes: 0 compared, 1 invalid or, with --upgrade-safe, nothing that is safe to upgrade to,
2 wrong usage or an unreadable file")]
pub(crate) struct Args {
    /// The old file; - is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new file; - is standard input
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// The format of the old file; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    from_old: Option<&'static Format>,
    /// The format of the new file; without it, it is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    from_new: Option<&'static Format>,
    /// Fail if what worked may not work any more
    #[arg(long)]
    upgrade_safe: bool,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: FindingStyle,
}

/// The JSON output: both files and the changes. The verdicts are `None` if a file cannot be
/// compared.
#[derive(Serialize)]
struct Comparison<'a, C> {
    files: Vec<FileDescription<'a>>,
    upgrade_safe: Option<bool>,
    needs_consent: Option<bool>,
    changes: &'a [C],
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let paths = [&args.old, &args.new];
    check_stdin_once(paths, terminal)?;
    let limits = limits::document();
    let asked = files::read(paths, &limits);
    let froms = [args.from_old, args.from_new];
    let froms = froms.map(|named| Candidates { set: formats, explicit: named });
    let opened = asked.iter().zip(froms).map(|(asked, from)| asked.open(from, &limits));
    let opened = files::collect_or_results(opened)
        .map_err(|results| refuse(args, &results, ParsedFile::describe, terminal))?;
    let lifted = opened.iter().map(|opened| Ok((opened.lift(&limits)?, opened)));
    let lifted = files::collect_or_results(lifted)
        .map_err(|results| refuse(args, &results, |(_, opened)| opened.describe(), terminal))?;
    let [(old_tools, old), (new_tools, new)] = lifted.as_slice() else { return Ok(()) };
    let about = || vec![old.describe(), new.describe()];
    let is_manifest = |file: &ParsedFile<'_>| {
        file.document.root().is_object() && file.format.name == "install-manifest"
    };
    let places = ChangeLocator { old, new };
    if is_manifest(old) && is_manifest(new) {
        let inputs = (old.file.input.as_ref(), new.file.input.as_ref());
        if let (Ok(old), Ok(new)) = inputs {
            return diff_manifests(args, (old, new), &places, about(), terminal);
        }
    }
    let found = compare::documents(
        &Side { lifted: old_tools, source: Some((old.format, &old.document)) },
        &Side { lifted: new_tools, source: Some((new.format, &new.document)) },
        &limits,
    );
    let verdict = (found.is_upgrade_safe(), found.needs_consent());
    let several = old_tools.tools.len().max(new_tools.tools.len()) > 1;
    let text = || format_changes(&found.changes.iter().collect::<Vec<_>>(), several);
    let found_at = || found.changes.iter().map(|change| places.locate(change)).collect();
    show(args, (about(), &found.changes, verdict), (text, found_at), terminal)
}

/// Reports why files cannot be compared.
fn refuse<'a, T>(
    args: &Args,
    results: &'a [Result<T, FileError<'_>>],
    about: impl Fn(&'a T) -> FileDescription<'a>,
    terminal: &Terminal,
) -> Failure {
    let unusable = || results.iter().filter_map(|result| result.as_ref().err());
    let json = |files| {
        if args.format == FindingStyle::Sarif {
            let all_read = unusable().all(|file| file.failure() < Failure::Usage);
            return sarif::log(
                &unusable().flat_map(FileError::findings).collect::<Vec<_>>(),
                all_read,
            );
        }
        let changes: &[Change] = &[];
        json_line(&Comparison { files, upgrade_safe: None, needs_consent: None, changes })
    };
    let style = if args.format == FindingStyle::Text { Style::Text } else { Style::Json };
    files::refuse(style, results, about, json, terminal)
}

/// Compares two install manifests with the format's own diff, which is more detailed.
fn diff_manifests(
    args: &Args,
    (old, new): (&Input, &Input),
    places: &ChangeLocator<'_, '_>,
    about: Vec<FileDescription<'_>>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = limits::document();
    let found = installable::with_manifest_input(old, terminal, |old| {
        installable::with_manifest_input(new, terminal, |new| {
            Ok(manifests::diff(old.manifest, new.manifest, &limits))
        })
    })?;
    let verdict = (found.is_upgrade_safe(), found.needs_consent());
    let text = || {
        let mut changes: Vec<&manifests::Change> = found.changes.iter().collect();
        changes.sort_by_key(|change| change.class);
        changes.into_iter().map(format_manifest_change).collect()
    };
    let found_at =
        || found.changes.iter().map(|change| places.locate_manifest_change(change)).collect();
    show(args, (about, &found.changes, verdict), (text, found_at), terminal)
}

type Verdict = (bool, bool);

fn show<C: Serialize>(
    args: &Args,
    (files, changes, (upgrade_safe, needs_consent)): (Vec<FileDescription<'_>>, &[C], Verdict),
    (text, found_at): (impl FnOnce() -> String, impl FnOnce() -> Vec<Finding>),
    terminal: &Terminal,
) -> Result<(), Failure> {
    terminal.print(&match args.format {
        FindingStyle::Sarif => sarif::log(&found_at(), true),
        FindingStyle::Text => {
            let mut text = text();
            if changes.is_empty() {
                text.push_str("no changes\n");
            }
            if needs_consent {
                text.push_str("the owner must agree anew\n");
            }
            text
        }
        FindingStyle::Json => json_line(&Comparison {
            files,
            upgrade_safe: Some(upgrade_safe),
            needs_consent: Some(needs_consent),
            changes,
        }),
    })?;
    if args.upgrade_safe && !upgrade_safe { Err(Failure::Invalid) } else { Ok(()) }
}

/// Both files, to locate changes in them.
struct ChangeLocator<'a, 'i> {
    old: &'a ParsedFile<'i>,
    new: &'a ParsedFile<'i>,
}

impl ChangeLocator<'_, '_> {
    /// Returns the finding for a change. It is located in the new file, or in the old one
    /// if the new one has no place for it.
    fn locate(&self, change: &Change) -> Finding {
        let message = secret::mask_named(change.field.as_str(), &change.message).into_owned();
        let (file, at) = match (&change.new, &change.old) {
            (Some(at), _) => (self.new, at.clone()),
            (None, Some(at)) => (self.old, at.clone()),
            (None, None) => (self.new, Pointer::default()),
        };
        finding_at(file, change.kind, change.class, message, &at)
    }

    /// Like `of`, for a change between install manifests.
    fn locate_manifest_change(&self, change: &manifests::Change) -> Finding {
        let at = &change.pointer;
        let message = secret::mask_named(at.as_str(), &change.message).into_owned();
        let file = if change.is_removed() { self.old } else { self.new };
        finding_at(file, change.kind, change.class, message, at)
    }
}

fn finding_at(
    file: &ParsedFile<'_>,
    kind: &'static str,
    class: Class,
    message: String,
    at: &Pointer,
) -> Finding {
    let severity = match class {
        Class::Breaking => Severity::Error,
        Class::Undecided | Class::Prompt => Severity::Warning,
        Class::Additive | Class::Cosmetic => Severity::Info,
    };
    let source = file.source();
    sarif::change_finding(kind, severity, message, (at, nearest_span(&file.document, at)), &source)
}

/// Returns the span of the value at a pointer. If there is none, returns that of the
/// nearest enclosing value.
fn nearest_span(document: &Document<'_>, at: &Pointer) -> Span {
    let mut at = at.as_str();
    loop {
        match (document.at(at), at.rsplit_once('/')) {
            (Some(node), _) => return node.span(),
            (None, Some((parent, _))) => at = parent,
            (None, None) => return document.root().span(),
        }
    }
}

/// Formats each change as a line, the worst first. The lines name their tools if there are
/// several.
pub(crate) fn format_changes(changes: &[&Change], several: bool) -> String {
    let mut changes = changes.to_vec();
    changes.sort_by_key(|change| change.class);
    let said = changes.iter().filter(|change| change.unsaid.is_none());
    said.map(|change| format_change(change, several)).collect::<String>()
        + &format_missing_fields(&changes)
}

fn format_change(change: &Change, several: bool) -> String {
    let class = class_word(change.class);
    let consent = if change.consent { " (ask)" } else { "" };
    let tool = match (&change.tool, change.others) {
        (tool, 0) if several && !tool.is_empty() => format!(" in {}", printable(tool, 256)),
        (_, 0) => String::new(),
        (tool, others) => format!(" in {} and {others} more", printable(tool, 256)),
    };
    let place = change.new.as_ref().map(|at| (at, "")).or_else(|| {
        let old = change.old.as_ref()?;
        Some((old, " of the old file"))
    });
    let at = match place {
        Some((at, file)) if !at.is_root() => format!(" at {}{file}", printable(at.as_str(), 256)),
        _ => String::new(),
    };
    let message = secret::mask_named(change.field.as_str(), &change.message);
    format!("{class:9}  {}{consent}{tool}{at}: {message}\n", change.kind)
}

const fn class_word(class: Class) -> &'static str {
    match class {
        Class::Breaking => "breaking",
        Class::Undecided => "undecided",
        Class::Prompt => "prompt",
        Class::Additive => "additive",
        Class::Cosmetic => "cosmetic",
    }
}

/// Formats the fields that one of the two formats lacks, in one line for each format.
fn format_missing_fields(changes: &[&Change]) -> String {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for change in changes {
        let Some(format) = change.unsaid else { continue };
        // A change of the whole tool names no field.
        let Some(name) = change.field.tokens().next() else { continue };
        let name = name.into_owned();
        match found.iter_mut().find(|(known, _)| *known == format) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => found.push((format, vec![name])),
        }
    }
    let line = |(format, names): (&str, Vec<String>)| {
        format!("undecided  not said: {format} has no word for {}\n", names.join(", "))
    };
    found.into_iter().map(line).collect()
}

fn format_manifest_change(change: &manifests::Change) -> String {
    let class = class_word(change.class);
    let consent = if change.consent { " (ask)" } else { "" };
    let at = printable(change.pointer.as_str(), 256);
    let message = secret::mask_named(change.pointer.as_str(), &change.message);
    // These changes are never undecided, so the column is narrower.
    format!("{class:8}  {}{consent} at {at}: {message}\n", change.kind)
}
