//! `toolglot duplicates`

use std::path::PathBuf;

use clap::ValueEnum;
use serde::Serialize;
use toolglot::compare::{Catalog, Duplicates, Group, Likeness, Policy, Side, duplicates, merge};
use toolglot::core::printable;
use toolglot::{Defaults, Format, Lifted, Limits};

use crate::files::{self, About, Opened, Unusable};
use crate::input::read_once;
use crate::problem::{Style, json_line};
use crate::terminal::{Failure, Terminal, report_of};
use crate::{diff, formats, output};

/// Find the same tool in several files, and merge them
#[derive(clap::Args)]
#[command(after_help = "\
A conflict is one id for two tools. A copy is one interface under two ids. With --merge, each id is
written once, to --output, in the format that --to names; what that format cannot say is lost.

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
    /// Where to write the merged file; - is standard output
    #[arg(long, short, value_name = "FILE", default_value = "-", requires = "merge")]
    output: PathBuf,
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

impl From<Keep> for Policy {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::First => Self::First,
            Keep::Newest => Self::Newest,
            Keep::None => Self::Refuse,
        }
    }
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    read_once(&args.files, terminal)?;
    let limits = Limits::for_catalog();
    let asked = files::read(&args.files, &limits);
    let opened = files::all(asked.iter().map(|asked| asked.open(args.from, &limits)))
        .map_err(|results| refuse(args, &results, Opened::about, terminal))?;
    let lifted = opened.iter().map(|opened| Ok((opened.lift(&limits)?, opened)));
    let lifted = files::all(lifted)
        .map_err(|results| refuse(args, &results, |(_, opened)| opened.about(), terminal))?;
    let catalogs: Vec<Catalog<'_>> = lifted
        .iter()
        .map(|(lifted, opened)| Catalog {
            label: &opened.asked.name,
            side: Side { lifted, source: Some((opened.format, &opened.document)) },
        })
        .collect();
    if let Some((keep, to)) = args.merge.zip(args.to) {
        return merged(args, &catalogs, (keep, to), &limits, terminal);
    }
    let found = duplicates(&catalogs, &limits);
    let about = || opened.iter().map(Opened::about).collect();
    terminal.print(&match args.format {
        Style::Json => json_line(&Found { files: about(), groups: Some(&found.groups) }),
        Style::Text => text(&found),
    })?;
    if found.has_conflicts() { Err(Failure::Invalid) } else { Ok(()) }
}

/// The files and what is alike in them, for programs.
#[derive(Serialize)]
struct Found<'a> {
    files: Vec<About<'a>>,
    /// Nothing when a file cannot be compared.
    groups: Option<&'a [Group]>,
}

/// Says why files cannot be compared.
fn refuse<'a, T>(
    args: &Args,
    results: &'a [Result<T, Unusable<'_>>],
    about: impl Fn(&'a T) -> About<'a>,
    terminal: &Terminal,
) -> Failure {
    let json = |files| json_line(&Found { files, groups: None });
    files::refuse(args.format, results, about, json, terminal)
}

/// Writes one file of all, and says on standard error what was decided.
fn merged(
    args: &Args,
    catalogs: &[Catalog<'_>],
    (keep, to): (Keep, &'static Format),
    limits: &Limits,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let conflicts = |groups: &[Group]| groups.iter().map(group).collect::<String>();
    let merged = merge(catalogs, keep.into(), limits).map_err(|refused| {
        terminal.say(&conflicts(&refused.conflicts));
        terminal.error(&refused.to_string());
        Failure::Invalid
    })?;
    let list = to.list && merged.tools.len() != 1;
    let lifted = Lifted { tools: merged.tools, list, ..Lifted::default() };
    let text = to.lower(&lifted, &Defaults::default(), limits).map_err(|problem| {
        terminal.show(&report_of(problem), None);
        Failure::Invalid
    })?;
    output::write(&args.output, &text, terminal)?;
    terminal.say(&conflicts(&merged.conflicts));
    let tools = counted(lifted.tools.len(), "tool", "tools");
    let conflicts = counted(merged.conflicts.len(), "conflict", "conflicts");
    terminal.say(&format!("{tools}, {conflicts}\n"));
    Ok(())
}

fn text(found: &Duplicates) -> String {
    if found.groups.is_empty() {
        return "no duplicates\n".to_owned();
    }
    let count = |likeness| found.groups.iter().filter(|group| group.likeness == likeness).count();
    let groups: String = found.groups.iter().map(group).collect();
    let conflicts = counted(count(Likeness::Conflict), "conflict", "conflicts");
    let copies = counted(count(Likeness::Copy), "copy", "copies");
    let exact = counted(count(Likeness::Exact), "exact duplicate", "exact duplicates");
    format!("{groups}{conflicts}, {copies}, {exact}\n")
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// One group, with a line for each of its tools.
fn group(group: &Group) -> String {
    let title = match group.likeness {
        Likeness::Conflict => "conflict",
        Likeness::Copy => "copy",
        Likeness::Exact => "exact",
    };
    let members = group.members.iter().enumerate().map(|(index, member)| {
        let version = member.version.as_deref();
        let version = version.map(|version| format!(" {}", printable(version, 64)));
        let newest = group.newest == Some(index) && group.likeness == Likeness::Conflict;
        let kept = group.kept == Some(index);
        let changes: Vec<_> = member.changes.iter().collect();
        let changes = diff::lines(&changes, false);
        let changes: String =
            changes.split_inclusive('\n').flat_map(|line| ["    ", line]).collect();
        format!(
            "  {}{} in {}{}{}\n{changes}",
            printable(&member.id, 256),
            version.unwrap_or_default(),
            printable(&member.label, 512),
            if newest { " (newest)" } else { "" },
            if kept { " (kept)" } else { "" },
        )
    });
    format!("{title}\n{}", members.collect::<String>())
}
