//! `toolglot duplicates`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use toolglot::compare::{
    Catalog, Duplicates, Group, Likeness, MergePolicy, Side, duplicates, merge,
};
use toolglot::core::{SourceText, printable};
use toolglot::json::{Document, pretty};
use toolglot::{Conversion, Format, Formats, Limits, Options, ToolDescriptor};

use crate::files::formats::{self, Candidates};
use crate::files::input::check_stdin_once;
use crate::files::limits;
use crate::files::output;
use crate::files::outputs;
use crate::files::parsed::{self as files, FileDescription, FileError, ParsedFile};
use crate::files::paths;
use crate::terminal::choices::Choices;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, json_line};
use crate::terminal::table;
use crate::verbs::diff;

/// Find the same tool in several files, and merge them
#[derive(clap::Args)]
#[command(after_help = "\
A conflict is one id for two tools. A copy is one interface under two ids. With --merge, each id is
written once, to --output, in the format that --to names: as one document where the format has
lists of tools, else as one for each tool or package. No residue is kept: what that format cannot
say is lost.

Examples:
  toolglot duplicates tools.json more/*.json
  toolglot duplicates *.json --merge newest --to tools-json -o all.tools.json

With --format json there is one object, with all files and the groups. When a file cannot be
compared, its error or diagnostics are there, and no groups.

Exit codes: 0 no conflicts, or all decided by --merge, 1 conflicts, or a file is invalid,
2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to read; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of the files; without it, each is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    from: Option<&'static Format>,
    /// Make one file of all, and keep this one of tools in conflict
    #[arg(long, value_name = "WHICH", requires = "to")]
    merge: Option<Keep>,
    /// The format of the merged file
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser(), requires = "merge")]
    to: Option<&'static Format>,
    /// Where to write: a file or, for several documents, a folder; - is standard output
    #[arg(long, short, value_name = "PATH", default_value = "-", requires = "merge")]
    output: PathBuf,
    /// Overwrite a file that is read
    #[arg(long, requires = "merge")]
    force: bool,
    #[command(flatten)]
    choices: Choices,
    /// How to print what was found
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keep {
    /// The first
    First,
    /// The one with the newest version, if there is one
    Newest,
    /// None: fail when there is a conflict
    None,
}

impl From<Keep> for MergePolicy {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::First => Self::First,
            Keep::Newest => Self::Newest,
            Keep::None => Self::Refuse,
        }
    }
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let paths = paths::expand(&args.files, formats, terminal)?;
    check_stdin_once(&paths, terminal)?;
    let limits = limits::catalog();
    let asked = files::read(&paths, &limits);
    let candidates = Candidates { set: formats, explicit: args.from };
    let opened =
        files::collect_or_results(asked.iter().map(|asked| asked.open(candidates, &limits)))
            .map_err(|results| refuse(args, &results, ParsedFile::describe, terminal))?;
    let lifted = opened.iter().map(|opened| Ok((opened.lift(&limits)?, opened)));
    let lifted = files::collect_or_results(lifted)
        .map_err(|results| refuse(args, &results, |(_, opened)| opened.describe(), terminal))?;
    let catalogs: Vec<Catalog<'_>> = lifted
        .iter()
        .map(|(lifted, opened)| Catalog {
            label: &opened.file.name,
            side: Side { lifted, source: Some((opened.format, &opened.document)) },
        })
        .collect();
    if let Some((keep, to)) = args.merge.zip(args.to) {
        return write_merged(args, &catalogs, (keep, to), &limits, terminal);
    }
    let found = duplicates(&catalogs, &limits);
    let about = || opened.iter().map(ParsedFile::describe).collect();
    terminal.print(&match args.format {
        Style::Json => json_line(&DuplicatesJson { files: about(), groups: Some(&found.groups) }),
        Style::Text => format_groups(&found),
    })?;
    if found.has_conflicts() { Err(Failure::Invalid) } else { Ok(()) }
}

/// The JSON output: the files and the groups of duplicates.
#[derive(Serialize)]
struct DuplicatesJson<'a> {
    files: Vec<FileDescription<'a>>,
    /// `None` if a file cannot be compared.
    groups: Option<&'a [Group]>,
}

/// Reports why files cannot be compared.
fn refuse<'a, T>(
    args: &Args,
    results: &'a [Result<T, FileError<'_>>],
    about: impl Fn(&'a T) -> FileDescription<'a>,
    terminal: &Terminal,
) -> Failure {
    let json = |files| json_line(&DuplicatesJson { files, groups: None });
    files::refuse(args.format, results, about, json, terminal)
}

/// Writes all tools, each id once. Prints safety notices and the resolved conflicts to
/// standard error.
fn write_merged(
    args: &Args,
    catalogs: &[Catalog<'_>],
    (keep, to): (Keep, &'static Format),
    limits: &Limits,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let conflicts = |groups: &[Group]| groups.iter().map(format_group).collect::<String>();
    let merged = merge(catalogs, keep.into(), limits).map_err(|refused| {
        terminal.status(&conflicts(&refused.conflicts));
        terminal.error(&refused.to_string());
        Failure::Invalid
    })?;
    let options = Options {
        without: args.choices.without(),
        accept: args.choices.accept(),
        limits: limits.clone(),
        ..Options::default()
    };
    let conversions = convert_kept(catalogs, &merged.tools, to, &options, terminal)?;
    let order: Vec<&str> = merged.tools.iter().map(|tool| tool.id.as_ref()).collect();
    let documents = join_documents(&conversions, &order, to, limits);
    let mut names: Vec<&str> = documents.iter().map(|(name, _)| name.as_str()).collect();
    let (folder, paths) = outputs::output_paths(&args.output, &names, "", terminal)?;
    names.sort_unstable();
    if let Some([name, _]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
        terminal.error(&format!("two documents would be called {}", printable(name, 256)));
        return Err(Failure::Invalid);
    }
    output::check_overwrite(args.files.iter(), &paths, args.force, terminal)?;
    outputs::create_folder(folder.as_deref(), terminal)?;
    for ((_, text), path) in documents.iter().zip(&paths) {
        output::write(path, text, terminal)?;
    }
    for notice in conversions.iter().flat_map(|conversion| &conversion.safety) {
        let tools = table::list_names(notice.tools.iter(), usize::MAX);
        terminal.status(&format!("safety: {} ({tools})\n", notice.message));
    }
    terminal.status(&conflicts(&merged.conflicts));
    let written = conversions.iter().map(|conversion| conversion.tools.len()).sum();
    let tools = format_count(written, "tool", "tools");
    let conflicts = format_count(merged.conflicts.len(), "conflict", "conflicts");
    terminal.status(&format!("{tools}, {conflicts}\n"));
    Ok(())
}

/// Converts the kept tools of each file.
fn convert_kept(
    catalogs: &[Catalog<'_>],
    kept: &[ToolDescriptor<'_>],
    to: &'static Format,
    options: &Options,
    terminal: &Terminal,
) -> Result<Vec<Conversion>, Failure> {
    let kept: BTreeMap<&str, &ToolDescriptor<'_>> =
        kept.iter().map(|tool| (tool.id.as_ref(), tool)).collect();
    let mut done = BTreeSet::new();
    let mut conversions = Vec::new();
    for catalog in catalogs {
        let Some((from, document)) = catalog.side.source else { continue };
        // The first of several equal tools is taken.
        let own = catalog
            .side
            .lifted
            .tools
            .iter()
            .filter(|tool| kept.get(tool.id.as_ref()).is_some_and(|kept| *kept == *tool));
        let tools: Vec<String> =
            own.map(|tool| tool.id.to_string()).filter(|id| done.insert(id.clone())).collect();
        if tools.is_empty() {
            continue;
        }
        let options = Options { tools, ..options.clone() };
        let converted = toolglot::convert(document, from, to, &options);
        conversions.push(converted.map_err(|report| {
            let source = SourceText { name: catalog.label, bytes: document.text().as_bytes() };
            let located = report.diagnostics.iter().any(|found| found.span.is_some());
            terminal.show(&report, Some(&source).filter(|_| located));
            Failure::Invalid
        })?);
    }
    Ok(conversions)
}

/// Returns the names and texts of the converted documents. If the format has lists of
/// tools, several documents become one.
fn join_documents(
    conversions: &[Conversion],
    order: &[&str],
    to: &Format,
    limits: &Limits,
) -> Vec<(String, String)> {
    let documents = || conversions.iter().flat_map(|conversion| &conversion.documents);
    let whole =
        || documents().map(|document| (document.name.clone(), document.text.clone())).collect();
    let (Some(catalog), true) = (to.catalog, documents().nth(1).is_some()) else { return whole() };
    let mut entries: BTreeMap<&str, String> = BTreeMap::new();
    for conversion in conversions {
        for (number, document) in conversion.documents.iter().enumerate() {
            let document = document.open();
            let list = document.root().get(catalog.member).filter(|list| list.is_array());
            let tools = conversion.tools.iter().filter(|tool| tool.document == number);
            let nodes: Vec<_> = match list {
                Some(list) => list.elements().collect(),
                None => vec![document.root()],
            };
            entries.extend(
                tools.zip(nodes).map(|(tool, node)| (tool.id.as_str(), node.raw().to_owned())),
            );
        }
    }
    let entries: Vec<String> = order.iter().filter_map(|id| entries.remove(id)).collect();
    let [head, tail] = catalog.frame;
    let text = format!("{head}{}{tail}", entries.join(","));
    let room = Limits { document_bytes: text.len(), nodes: usize::MAX, ..limits.clone() };
    let laid_out = Document::parse(text.as_bytes(), &room).map(|document| pretty(document.root()));
    vec![(format!("{}.json", catalog.member), laid_out.unwrap_or(text))]
}

fn format_groups(found: &Duplicates) -> String {
    if found.groups.is_empty() {
        return "no duplicates\n".to_owned();
    }
    let count = |likeness| found.groups.iter().filter(|group| group.likeness == likeness).count();
    let groups: String = found.groups.iter().map(format_group).collect();
    let conflicts = format_count(count(Likeness::Conflict), "conflict", "conflicts");
    let copies = format_count(count(Likeness::Copy), "copy", "copies");
    let exact = format_count(count(Likeness::Exact), "exact duplicate", "exact duplicates");
    format!("{groups}{conflicts}, {copies}, {exact}\n")
}

fn format_count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Formats a group, with a line for each of its tools.
fn format_group(group: &Group) -> String {
    let title = match group.likeness {
        Likeness::Conflict => "conflict",
        Likeness::Copy => "copy",
        Likeness::Exact => "exact",
    };
    let members = group.members.iter().enumerate().map(|(index, member)| {
        let version = member.version.as_deref();
        let version =
            version.map_or(String::new(), |version| format!(" {}", printable(version, 64)));
        let newest = group.newest == Some(index) && group.likeness == Likeness::Conflict;
        let kept = group.kept == Some(index);
        let changes: Vec<_> = member.changes.iter().collect();
        let changes = diff::format_changes(&changes, false);
        let changes: String =
            changes.split_inclusive('\n').flat_map(|line| ["    ", line]).collect();
        format!(
            "  {}{} in {}{}{}\n{changes}",
            printable(&member.id, 256),
            version,
            printable(&member.label, 512),
            if newest { " (newest)" } else { "" },
            if kept { " (kept)" } else { "" },
        )
    });
    format!("{title}\n{}", members.collect::<String>())
}
