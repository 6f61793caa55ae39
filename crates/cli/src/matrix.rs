//! `toolglot matrix`

use serde::Serialize;
use toolglot::FORMATS;

use crate::problem::{Style, json_line};
use crate::terminal::{Failure, Terminal};

/// Show where every field of a tool lives in every format
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot matrix
  toolglot matrix --format json

A field without a member has no home in that format: it travels in the residue.
^ stands for what several tools of one document share.")]
pub(crate) struct Args {
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

/// One home of a field.
#[derive(Serialize)]
struct Home {
    field: &'static str,
    format: &'static str,
    member: &'static str,
    note: &'static str,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let homes = homes();
    match args.format {
        Style::Json => terminal.print(&homes.iter().map(json_line).collect::<String>()),
        Style::Text => terminal.print(&table(&homes)),
    }
}

/// Every home of every field, field by field.
fn homes() -> Vec<Home> {
    let rows = FORMATS.iter().flat_map(|format| {
        let name = format.name;
        let rows = format.mapping.iter().filter(|row| row.is_field());
        rows.map(move |row| (name, row))
    });
    let home = |(format, row): (&'static str, &toolglot::core::Row)| Home {
        field: row.field,
        format,
        member: row.member,
        note: row.note,
    };
    let mut homes: Vec<Home> = rows.map(home).collect();
    // Stable: within a field, in the order of the formats.
    homes.sort_by_key(|home| home.field);
    homes
}

fn table(homes: &[Home]) -> String {
    let width = FORMATS.iter().map(|format| format.name.len()).max().unwrap_or(0);
    let line = |home: &Home| {
        let note = if home.note.is_empty() { "" } else { "  # " };
        format!("  {:width$}  {}{note}{}\n", home.format, home.member, home.note)
    };
    let field = |homes: &[Home]| {
        let name = homes.first().map_or("", |home| home.field).trim_start_matches('/');
        let lines: String = homes.iter().map(line).collect();
        format!("{}\n{lines}", name.replace('/', "."))
    };
    homes.chunk_by(|a, b| a.field == b.field).map(field).collect()
}
