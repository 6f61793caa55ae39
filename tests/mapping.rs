//! One page that shows where every field lives in every format, written from the
//! mapping tables that conversion itself uses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop

use toolglot::FORMATS;
use toolglot::core::{Lifted, Row};
use toolglot::{Defaults, Format, Limits, ToolDescriptor};

/// The fields of a descriptor that some format has a home for, in the order of the
/// tables.
fn fields() -> Vec<&'static str> {
    let mut fields: Vec<&str> = Vec::new();
    let rows = FORMATS.iter().flat_map(|format| format.mapping);
    for row in rows.filter(|row| row.is_field()) {
        if !fields.contains(&row.field) {
            fields.push(row.field);
        }
    }
    fields.sort_by_key(|field| field.split('/').nth(1).map(str::to_owned));
    fields
}

fn page() -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let names = names.join(" | ");
    let rule = "---|".repeat(FORMATS.len());
    let rows: String = fields().into_iter().map(row).collect();
    let notes: String = FORMATS.iter().map(|format| notes(format)).collect();
    format!(
        "# Mapping\n\nWhere each field of a tool lives in each format. An empty cell is no home: \
         the value\ntravels in the residue. `^` stands for what several tools share: the \
         document around the\nlist that they are in. `toolglot matrix` prints the same.\n\n\
         | field | {names} |\n|---|{rule}\n{rows}\n## Notes\n{notes}"
    )
}

fn row(field: &str) -> String {
    let cell = |format: &&Format| {
        let rows = format.mapping.iter().filter(|row| row.field == field);
        let members: Vec<String> = rows.map(|row| format!("`{}`", row.member)).collect();
        format!(" {} |", members.join(", "))
    };
    let cells: String = FORMATS.iter().map(cell).collect();
    format!("| `{}` |{cells}\n", dotted(field))
}

fn notes(format: &Format) -> String {
    let rows = format.mapping.iter().filter(|row| !row.note.is_empty());
    let line = |row: &Row| match row.is_field() {
        true => format!("- `{}` ↔ `{}`: {}\n", dotted(row.field), row.member, row.note),
        false => format!("- `{}` has no field: {}\n", row.member, row.note),
    };
    let lines: String = rows.map(line).collect();
    format!("\n### {}\n\n{lines}", format.name)
}

fn dotted(field: &str) -> String {
    field.trim_start_matches('/').replace('/', ".")
}

#[test]
fn the_mapping_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/mapping.md");
    let page = page();
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(path, &page).expect("docs/mapping.md is written");
    }
    let written = std::fs::read_to_string(path).expect("docs/mapping.md is there");
    assert!(written == page, "run TOOLGLOT_BLESS=1 cargo test --test mapping, and read the diff");
}

/// A tool of which nothing is known can be written in every format: what a format
/// requires is assumed.
#[test]
fn every_format_has_a_default_for_what_it_requires() {
    for format in FORMATS {
        let tool = ToolDescriptor { id: "add".into(), ..ToolDescriptor::default() };
        let lifted = Lifted { tools: vec![tool], ..Lifted::default() };
        let text = format.lower(&lifted, &Defaults::default(), &Limits::default());
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", format.name));
        let document = toolglot::json::Document::parse(text.as_bytes(), &Limits::default());
        let back = format.lift(&document.unwrap(), &Limits::default()).unwrap().tools.len();
        assert_eq!(back, 1, "{}", format.name);
    }
}
