//! One page that shows where every field lives in every format, written from the
//! mapping tables that conversion itself uses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test may stop
#![cfg(all(
    feature = "testkit",
    feature = "capability",
    feature = "install-manifest",
    feature = "jumith",
    feature = "mcpkg",
    feature = "tools-json"
))]

use std::collections::BTreeMap;

use toolglot::core::testkit::Rng;
use toolglot::core::{Lifted, Row};
use toolglot::json::Document;
use toolglot::{Class, Defaults, FORMATS, FormatName, Limits, Options, ToolDescriptor, convert};

/// How many generated documents of each format the classes are taken from.
const SEEDS: u64 = 48;

/// How well a format says a field: the worst that conversions to it found, or
/// native where no other format has anything to say.
type Classes = BTreeMap<(FormatName, &'static str, &'static str), Class>;

fn classes() -> Classes {
    let (limits, options) = (Limits::default(), Options { spelling: false, ..Options::default() });
    let mut classes = Classes::new();
    for from in FormatName::ALL.iter().copied() {
        for seed in 0..SEEDS {
            let text = (from.testkit().generate)(&mut Rng::new(seed), 2);
            let source = Document::parse(text.as_bytes(), &limits).unwrap();
            for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
                let ledger = convert(&source, from, to, &options).unwrap().ledger;
                for entry in ledger.entries.iter().filter(|entry| !entry.target.is_empty()) {
                    let field = entry.field.unwrap_or_default();
                    for row in to.format().mapping.iter().filter(|row| below(field, row.field)) {
                        let class =
                            classes.entry((to, row.field, row.member)).or_insert(entry.class);
                        *class = entry.class.max(*class);
                    }
                }
            }
        }
    }
    classes
}

/// Whether a field is another, or a part of it.
fn below(field: &str, whole: &str) -> bool {
    field.strip_prefix(whole).is_some_and(|tail| tail.is_empty() || tail.starts_with('/'))
}

fn class(classes: &Classes, format: FormatName, row: &Row) -> &'static str {
    match classes.get(&(format, row.field, row.member)) {
        _ if !row.is_field() => "derived",
        None | Some(Class::Native) => "native",
        Some(Class::Equivalent) => "equivalent",
        Some(_) => "approximated",
    }
}

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

fn page(classes: &Classes) -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let names = names.join(" | ");
    let rule = "---|".repeat(FORMATS.len());
    let rows: String = fields().into_iter().map(|field| row(classes, field)).collect();
    format!(
        "# Mapping\n\nWhere each field of a tool lives in each format, and how well it is said \
         there: in the\nsame words (native), in other words (equivalent), or only nearly \
         (approximated, with the\nrest in the residue). An empty cell is no home: the value \
         travels in the residue. `^`\nstands for what several tools share: the document around \
         the list that they are in. The\nclasses are measured: each is the worst that \
         converting {SEEDS} generated documents of every other\nformat found. `toolglot matrix` \
         prints the homes. The README of each format has notes.\n\n\
         | field | {names} |\n|---|{rule}\n{rows}"
    )
}

fn row(classes: &Classes, field: &str) -> String {
    let cell = |format: &FormatName| {
        let rows = format.format().mapping.iter().filter(|row| row.field == field);
        let member = |row: &Row| format!("`{}` {}", row.member, class(classes, *format, row));
        let members: Vec<String> = rows.map(member).collect();
        format!(" {} |", members.join(", "))
    };
    let cells: String = FormatName::ALL.iter().map(cell).collect();
    format!("| `{}` |{cells}\n", dotted(field))
}

/// The table of one format, and the fields that it has no home for.
fn table(classes: &Classes, format: FormatName) -> String {
    let row = |row: &Row| {
        let field = if row.is_field() { format!("`{}`", dotted(row.field)) } else { "none".into() };
        let class = class(classes, format, row);
        format!("| {field} | `{}` | {class} | {} |\n", row.member, row.note)
    };
    let mapping = format.format().mapping;
    let rows: String = mapping.iter().map(row).collect();
    let homeless =
        fields().into_iter().filter(|field| !mapping.iter().any(|row| below(field, row.field)));
    let mut homeless: Vec<String> =
        homeless.filter_map(|field| Some(format!("`{}`", field.split('/').nth(1)?))).collect();
    homeless.dedup();
    format!(
        "| descriptor | member | class | note |\n|---|---|---|---|\n{rows}\nIn the residue: {}.\n",
        homeless.join(", ")
    )
}

fn dotted(field: &str) -> String {
    field.trim_start_matches('/').replace('/', ".")
}

#[test]
fn the_mapping_pages_are_up_to_date() {
    let classes = classes();
    same("docs/mapping.md", &page(&classes));
    for format in FormatName::ALL.iter().copied() {
        let path = format!("crates/{format}/README.md");
        let text = std::fs::read_to_string(at(&path)).expect("a README");
        let (head, rest) = text.split_once("<!-- mapping -->\n").expect("a place for the table");
        let (_, tail) = rest.split_once("<!-- /mapping -->\n").expect("the end of the table");
        let table = table(&classes, format);
        same(&path, &format!("{head}<!-- mapping -->\n{table}<!-- /mapping -->\n{tail}"));
    }
}

fn at(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn same(path: &str, expected: &str) {
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(at(path), expected).expect("the page is written");
    }
    let written = std::fs::read_to_string(at(path)).expect("the page is there");
    assert!(
        written == expected,
        "{path}: run TOOLGLOT_BLESS=1 cargo test --all-features --test mapping"
    );
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
        let document = Document::parse(text.as_bytes(), &Limits::default());
        let back = format.lift(&document.unwrap(), &Limits::default()).unwrap().tools.len();
        assert_eq!(back, 1, "{}", format.name);
    }
}
