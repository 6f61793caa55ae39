//! `toolglot restore`

use std::path::Path;

use toolglot::convert::{self, has_residue, restore, restore_and_merge, restore_without_residue};
use toolglot::core::rules::{CONFLICT, RESIDUE, UNRELATED};
use toolglot::core::{printable, quoted};
use toolglot::json::Document;
use toolglot::{
    Format, Formats, Limits, Pointer, Report, Residue, RestoreOptions, RestoredSource, Target,
};

use crate::files::formats::Candidates;
use crate::files::input::{self, Input, LoadedDocument};
use crate::files::output;
use crate::files::residues;
use crate::files::targets;
use crate::terminal::changes;
use crate::terminal::console::{Failure, Terminal, single_report};
use crate::terminal::problem;
use crate::terminal::report::{LostEdit, RestoreReport, lost_edits};
use crate::terminal::table::{self, Section};
use crate::verbs::restore_args::Args;
use crate::verbs::stream;

/// Runs `toolglot restore`.
pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    output::check_distinct([&args.output].into_iter().chain(&args.report), terminal)?;
    let inputs = args.files.iter().chain(&args.residue).chain(&args.original);
    input::check_stdin_once(inputs, terminal)?;
    let candidates = Candidates { set: formats, explicit: args.from };
    if args.jsonl.is_set() {
        return stream::restore::run(args, candidates, terminal);
    }
    let options = args.options();
    let limits = &options.limits;
    let files = targets::files(&args.files, args.residue.as_deref(), formats, limits, terminal)?;
    let inputs = targets::read(&files, limits, terminal)?;
    let (documents, format) = targets::open(&inputs, candidates, limits, terminal)?;
    let named = args.residue.is_some() || args.original.is_some();
    let beside = match files.as_slice() {
        _ if named => None,
        // All files of a folder may have been deleted.
        [] => residues::find_in_folders(&args.files),
        files => residues::find(files, terminal)?,
    };
    args.check_overwrite(&files, beside.as_ref(), terminal)?;
    let residue = match (&args.residue, &args.original) {
        (Some(path), _) => Some(residues::read(path, limits, terminal)?),
        (None, Some(_)) => None,
        (None, None) => residue_beside(beside.as_deref(), &documents, format, limits, terminal)?,
    };
    let to = source_format(args, residue.as_ref(), formats, limits, terminal)?;
    let (inputs, documents) = (&inputs, &documents);
    let given = RestoreInput { args, to, formats, inputs, documents, options: &options, terminal };
    // Without a document, the residue declares its format.
    let named = residue.as_ref().and_then(|residue| formats.by_name(&residue.to));
    let Some(format) = format.or(named) else {
        return Err(terminal.usage_error("there is no file to restore"));
    };
    let (restored, before) = match &args.original {
        Some(path) => given.restore_from_original(path, residue.as_ref(), format)?,
        None => given.restore_from_residue(residue.as_ref(), format)?,
    };
    let names: Vec<&str> = inputs.iter().map(|input| &*input.name).collect();
    if let Some(path) = &args.report {
        let report = RestoreReport::new(&restored, &names, format, to);
        output::write(path, &problem::json_line(&report), terminal)?;
    }
    output::write(&args.output, &restored.text, terminal)?;
    given.report(&restored, &before, format);
    if restored.is_complete() { Ok(()) } else { Err(Failure::Invalid) }
}

/// Reads the residue beside the files. If a file carries a residue itself, the one beside
/// it is ignored unless it contains the digest of a file.
fn residue_beside(
    path: Option<&Path>,
    documents: &[Document<'_>],
    format: Option<&'static Format>,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<Option<Residue>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let carries = |format| documents.iter().any(|document| has_residue(document, format));
    if !format.is_some_and(carries) {
        return residues::read(path, limits, terminal).map(Some);
    }
    // A residue with the digest of a file was written with it.
    let residue = residues::parse(path, limits);
    Ok(residue.filter(|residue| documents.iter().any(|document| residue.records(document))))
}

/// Returns the format of the source: the named one, that of the residue, or that of the
/// original.
fn source_format(
    args: &Args,
    residue: Option<&Residue>,
    formats: Formats<'static>,
    limits: &Limits,
    terminal: &Terminal,
) -> Result<&'static Format, Failure> {
    if let Some(to) = args.to {
        return Ok(to);
    }
    if let Some(format) = residue.and_then(|residue| formats.by_name(&residue.from)) {
        return Ok(format);
    }
    let Some(path) = args.original.as_ref().filter(|path| !input::is_standard(path)) else {
        return Err(terminal.usage_error(match residue {
            Some(_) => "the residue is of a format that this toolglot does not know",
            None => {
                "no residue was found: name it with --residue, or say with --to which format to \
                 come back to"
            }
        }));
    };
    let input = Input::read(path, limits.document_bytes, terminal)?;
    let original = Candidates { set: formats, explicit: None };
    let found = input.parse(limits).and_then(|now| original.detect(&now));
    found.map(|(format, _)| format).map_err(|report| input.refuse(&report, terminal))
}

/// Returns the first residue inside the documents. Fails if there is none.
pub(crate) fn carried_residue(
    documents: &[Document<'_>],
    format: &Format,
) -> Result<Residue, Report> {
    for document in documents {
        if let Some(residue) = convert::carried_residue(document, format).map_err(Report::from)? {
            return Ok(residue);
        }
    }
    let message = "there is no residue, neither beside the document nor inside";
    Err(single_report(RESIDUE.at_pointer(Pointer::root(), message)))
}

/// Fails if a residue belongs to other formats than those of the source and of the files.
pub(crate) fn check_formats(residue: &Residue, from: &Format, to: &Format) -> Result<(), Report> {
    if residue.from == from.name && residue.to == to.name {
        return Ok(());
    }
    let message = format!(
        "the residue stands between {} and {}, not between {} and {}",
        quoted(&residue.from),
        quoted(&residue.to),
        from.name,
        to.name,
    );
    Err(single_report(UNRELATED.at_pointer(Pointer::root(), message)))
}

/// Returns the section of lost edits. It is never cut.
fn lost_edits_section(restored: &RestoredSource, files: &[&str]) -> Section {
    let edits = lost_edits(restored, files).into_iter().filter(|edit| !edit.kept);
    let whole = lines(edits.collect());
    let count = match whole.len() {
        0 => "none".to_owned(),
        1 => "1 edit".to_owned(),
        many => format!("{many} edits"),
    };
    Section { heading: "left out", style: "1;31", count, uncut: whole, lines: Vec::new() }
}

/// Returns the section of edits that the source contains, but converts to something else.
fn converted_edits_section(restored: &RestoredSource, files: &[&str]) -> Option<Section> {
    let edits = lost_edits(restored, files).into_iter().filter(|edit| edit.kept);
    let whole = lines(edits.collect());
    let count = whole.len().to_string();
    let heading = "made, and converted to something else";
    (!whole.is_empty()).then_some(Section {
        heading,
        style: "1",
        count,
        uncut: whole,
        lines: Vec::new(),
    })
}

/// Returns a line for each edit. Consecutive edits in the same object or list share a line
/// if they have the same reason.
fn lines(edits: Vec<LostEdit<'_>>) -> Vec<String> {
    let mut groups: Vec<(Pointer, Vec<LostEdit<'_>>)> = Vec::new();
    for edit in edits {
        let (outer, _) = edit.pointer.split_last().unwrap_or_default();
        match groups.last_mut() {
            Some((known, group))
                if *known == outer
                    && group.iter().all(|one| (one.file, one.why) == (edit.file, edit.why)) =>
            {
                group.push(edit);
            }
            _ => groups.push((outer, vec![edit])),
        }
    }
    let line = |(outer, group): (Pointer, Vec<LostEdit<'_>>)| {
        let first = group.first()?;
        let at = if group.len() == 1 { first.pointer } else { &outer };
        let at = printable(at.as_str(), 256);
        let at = if at.is_empty() { "the whole document".to_owned() } else { at };
        Some(format!("{} at {at}: {}", printable(first.file, 512), first.why))
    };
    groups.into_iter().filter_map(line).collect()
}

/// The files to restore.
struct RestoreInput<'g> {
    args: &'g Args,
    /// The format of the source.
    to: &'static Format,
    /// The formats that a residue may name.
    formats: Formats<'static>,
    inputs: &'g [Input],
    documents: &'g [Document<'g>],
    options: &'g RestoreOptions,
    terminal: &'g Terminal,
}

/// A restored document, and the text of the source before the edits.
type Outcome = Result<(RestoredSource, String), Failure>;

impl RestoreInput<'_> {
    fn targets(&self) -> Vec<Target<'_>> {
        targets::with_names(self.inputs, self.documents)
    }

    fn loaded_documents(&self, format: &'static Format) -> Vec<LoadedDocument<'_>> {
        let all = self.inputs.iter().zip(self.documents);
        all.map(|(input, document)| LoadedDocument { input, document, format }).collect()
    }

    /// Reports the result.
    fn report(&self, restored: &RestoredSource, before: &str, format: &'static Format) {
        let (args, terminal) = (self.args, self.terminal);
        let names: Vec<&str> = self.inputs.iter().map(|input| &*input.name).collect();
        let not_made = lost_edits_section(restored, &names);
        if args.detail.quiet {
            // Lost edits are shown even with `--quiet`.
            if !restored.is_complete() {
                terminal.status(&table::render(&[not_made], false, terminal));
            }
            return;
        }
        let title = targets::title(self.inputs);
        terminal.status(&format!("{title}: {} → {}\n\n", format.name, self.to.name));
        let limits = &self.options.limits;
        let changed = changes::edits_section(&restored.text, before, self.to.keys, limits);
        let sections: Vec<_> = [changed, not_made]
            .into_iter()
            .chain(converted_edits_section(restored, &names))
            .collect();
        terminal.status(&table::render(&sections, args.detail.verbose, terminal));
        if !restored.removed_tools.is_empty() {
            let names: Vec<_> = restored.removed_tools.iter().map(|name| quoted(name)).collect();
            let names = names.join(", ");
            terminal.status(&format!(
                "not in the document any more, with all that was said of it: {names}\n"
            ));
        }
    }

    fn restore_from_original(
        &self,
        path: &Path,
        residue: Option<&Residue>,
        format: &'static Format,
    ) -> Outcome {
        let (limits, terminal) = (&self.options.limits, self.terminal);
        let input = Input::read(path, limits.document_bytes, terminal)?;
        let now = input.parse(limits).map_err(|report| input.refuse(&report, terminal))?;
        let restored = match residue {
            Some(residue) => self.merge(residue, &now, format),
            None => restore_without_residue(&self.targets(), &now, self.to, format, self.options),
        };
        let restored = restored.map_err(|report| {
            // Conflicts have their places in the original.
            if report.diagnostics.iter().any(|d| d.rule == &CONFLICT) {
                return input.refuse(&report, terminal);
            }
            let mut loaded = self.loaded_documents(format);
            loaded.push(LoadedDocument { input: &input, document: &now, format: self.to });
            input::refuse(&report, &loaded, terminal)
        })?;
        Ok((restored, now.text().to_owned()))
    }

    fn merge(
        &self,
        residue: &Residue,
        now: &Document<'_>,
        format: &'static Format,
    ) -> Result<RestoredSource, Report> {
        check_formats(residue, self.to, format)?;
        restore_and_merge(&self.targets(), residue, now, self.formats, self.options)
    }

    fn restore(&self, residue: &Residue, format: &Format) -> Result<RestoredSource, Report> {
        check_formats(residue, self.to, format)?;
        restore(&self.targets(), residue, self.formats, self.options)
    }

    fn restore_from_residue(&self, residue: Option<&Residue>, format: &'static Format) -> Outcome {
        let restored = match residue {
            Some(residue) => self.restore(residue, format),
            None => carried_residue(self.documents, format)
                .and_then(|residue| self.restore(&residue, format)),
        };
        let mut restored = restored.map_err(|mut report| {
            for diagnostic in &mut report.diagnostics {
                if residue.is_none() && diagnostic.rule == &RESIDUE {
                    let help = "name it with --residue, or the source with --original";
                    diagnostic.set_help(help);
                }
            }
            input::refuse(&report, &self.loaded_documents(format), self.terminal)
        })?;
        let before = std::mem::take(&mut restored.original);
        Ok((restored, before))
    }
}
