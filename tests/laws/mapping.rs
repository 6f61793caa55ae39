//! One page that shows what every member of every format becomes in every other, printed
//! from the records of real conversions: all valid fixtures, the examples, and some
//! generated documents of each format.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::thread;

use serde_json::Value;
use toolglot::convert::TargetPlace;
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{
    Class, ConversionReport, Derivation, FormatName, Limits, Pointer, capability, convert, detect,
    install_manifest, jumith, mcpb, mcpkg, server_json, tool_list, tools_json,
};

/// How many generated documents of each format are converted.
const SEEDS: u64 = 256;

/// The formats in the order of the page.
const ORDER: [FormatName; 8] = [
    FormatName::ToolsJson,
    FormatName::Mcpkg,
    FormatName::Jumith,
    FormatName::Capability,
    FormatName::InstallManifest,
    FormatName::Mcpb,
    FormatName::ServerJson,
    FormatName::ToolList,
];

/// The members of a target that say a member of a source, and how well. Without a
/// target, nothing has it: it is only in the residue.
type Cell = BTreeMap<Option<String>, BTreeSet<Class>>;

/// Members of a source, and those of a target that say them.
type Pairs = BTreeMap<String, BTreeSet<String>>;

/// How a value came to be in a target and why, with all values that did.
type Reasons = BTreeMap<(Derivation, String), BTreeSet<String>>;

/// How each leaf of the documents of a target came there, and why.
type Records = BTreeMap<(usize, String), (Derivation, String)>;

/// What was seen, over all conversions.
#[derive(Default)]
struct Seen {
    /// By source format, member and target format.
    cells: BTreeMap<(FormatName, String), BTreeMap<FormatName, Cell>>,
    /// By source format, the reasons why a value is only nearly the same.
    whys: BTreeMap<(FormatName, String), BTreeMap<FormatName, Pairs>>,
    /// By target format, what the source did not say.
    added: BTreeMap<(FormatName, String), Reasons>,
}

impl Seen {
    fn note(&mut self, from: &Members, to: &Members, account: &ConversionReport) {
        let key = |place: &TargetPlace| (place.document, place.pointer.as_str().to_owned());
        let records = account.target.iter();
        let records: Records =
            records.map(|leaf| (key(&leaf.target), (leaf.how, leaf.why.to_string()))).collect();
        for leaf in &account.source {
            let Some(member) = from.name(&leaf.source) else { continue };
            let cells = self.cells.entry((from.format, member.clone())).or_default();
            let cell = cells.entry(to.format).or_default();
            if leaf.target.is_empty() {
                cell.entry(None).or_default().insert(leaf.class);
            }
            for place in leaf.target.iter().chain(&leaf.also) {
                // A value that is written as a whole has a record for all of its leaves.
                let (how, why) = record(&records, place.document, place.pointer.as_str());
                let class = match how {
                    Derivation::Native => Class::Native,
                    Derivation::Equivalent => Class::Equivalent,
                    _ => Class::Approximated,
                };
                let target = to.name(&place.pointer).expect("conversion writes known members");
                if !why.is_empty() {
                    let whys = self.whys.entry((from.format, why)).or_default();
                    let pairs = whys.entry(to.format).or_default();
                    pairs.entry(member.clone()).or_default().insert(target.clone());
                }
                cell.entry(Some(target)).or_default().insert(class);
            }
        }
        for leaf in &account.target {
            if matches!(leaf.how, Derivation::Assumed | Derivation::Bridge | Derivation::Seal) {
                let member =
                    to.name(&leaf.target.pointer).expect("conversion writes known members");
                let reasons = self.added.entry((to.format, member)).or_default();
                reasons
                    .entry((leaf.how, leaf.why.to_string()))
                    .or_default()
                    .insert(leaf.value.clone());
            }
        }
    }
}

/// How the target was given the value at a place, or all that is inside it.
fn record(records: &Records, document: usize, place: &str) -> (Derivation, String) {
    let inside = format!("{place}/");
    let own = records.get(&(document, place.to_owned()));
    let below = || records.range((document, inside)..).next().map(|(_, record)| record);
    own.or_else(below).unwrap().clone()
}

/// The names that the members of a format have on the page, as its JSON Schemas tell.
struct Members {
    format: FormatName,
    schemas: Vec<Value>,
}

impl Members {
    fn of(format: FormatName) -> Self {
        let schemas = match format {
            FormatName::ToolsJson => vec![tools_json::schema()],
            FormatName::Mcpkg => {
                [mcpkg::Version::V0_1, mcpkg::Version::V0_2].map(mcpkg::schema).to_vec()
            }
            FormatName::Jumith => vec![jumith::schema()],
            FormatName::Capability => vec![capability::schema(), capability::catalog_schema()],
            FormatName::InstallManifest => {
                use install_manifest::Version::{V0_1, V0_2, V0_3, V0_3_1, V0_4};
                [V0_1, V0_2, V0_3, V0_3_1, V0_4].map(install_manifest::schema).to_vec()
            }
            FormatName::Mcpb => {
                let schema = |version: &&str| mcpb::FORMAT.schema(Some(version)).unwrap();
                mcpb::FORMAT.versions.iter().map(schema).collect()
            }
            FormatName::ServerJson => {
                let schema = |version: &&str| server_json::FORMAT.schema(Some(version)).unwrap();
                let versions = server_json::FORMAT.tables.iter().flat_map(|table| table.versions);
                versions.map(schema).collect()
            }
            FormatName::ToolList => vec![tool_list::FORMAT.schema(None).unwrap()],
            other => panic!("{other} is a new format"),
        };
        Self { format, schemas }
    }

    /// The member that a place is in: elements of lists and maps are `*`, and what is
    /// inside a free value, such as a schema, is that value. None for unknown members.
    fn name(&self, place: &Pointer) -> Option<String> {
        let mut here: Vec<&Value> = self.schemas.iter().collect();
        let mut names: Vec<String> = Vec::new();
        for token in place.tokens() {
            here = alternatives(here);
            let known: Vec<&Value> =
                here.iter().filter_map(|one| one.get("properties")?.get(&*token)).collect();
            let each = |keyword: &'static str| {
                here.iter().filter_map(move |one| one.get(keyword).filter(|of| of.is_object()))
            };
            if !known.is_empty() {
                here = known;
                names.push(token.into_owned());
            } else if token.parse::<usize>().is_ok() && each("items").next().is_some() {
                here = each("items").collect();
                names.push("*".to_owned());
            } else if each("additionalProperties").next().is_some() {
                here = each("additionalProperties").collect();
                names.push("*".to_owned());
            } else if here.iter().any(|one| one.get("properties").is_some()) {
                return None;
            } else {
                break;
            }
        }
        self.shown(&names)
    }

    /// Every member that holds a value, as the page names it.
    fn all(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![(self.schemas.iter().collect::<Vec<_>>(), Vec::<String>::new())];
        while let Some((schemas, names)) = open.pop() {
            let mut inside: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
            for schema in alternatives(schemas) {
                let properties = schema.get("properties").and_then(Value::as_object);
                for (name, value) in properties.into_iter().flatten() {
                    inside.entry(name).or_default().push(value);
                }
                for keyword in ["items", "additionalProperties"] {
                    if let Some(each) = schema.get(keyword).filter(|each| each.is_object()) {
                        inside.entry("*").or_default().push(each);
                    }
                }
            }
            if inside.is_empty() {
                found.extend(self.shown(&names));
            }
            for (name, schemas) in inside {
                let names = names.iter().cloned().chain([name.to_owned()]).collect();
                open.push((schemas, names));
            }
        }
        found
    }

    /// A path without the list that the tools are in, and without the star at its end. An answer
    /// has in its `result` what a list has.
    fn shown(&self, names: &[String]) -> Option<String> {
        let names = match names {
            [names @ .., last] if last == "*" => names,
            names => names,
        };
        let names = match names {
            [first, rest @ ..] if self.format == FormatName::ToolList && first == "result" => rest,
            names => names,
        };
        let list = self.format.format().unwrap().catalog.map(|catalog| catalog.member);
        match names {
            [first, rest @ ..] if Some(first.as_str()) == list => match rest {
                [_, rest @ ..] => Some(rest.join("/")),
                [] => None,
            },
            names => Some(names.join("/")),
        }
    }
}

/// Schemas, and what they are made up of.
fn alternatives(schemas: Vec<&Value>) -> Vec<&Value> {
    let mut found = schemas;
    let mut next = 0;
    while let Some(schema) = found.get(next).copied() {
        for keyword in ["oneOf", "anyOf", "allOf"] {
            found.extend(schema.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
        next += 1;
    }
    found
}

fn at(path: &str) -> PathBuf {
    toolglot_tests::root().join(path)
}

/// The JSON files of a folder, in order.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(at(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension() == Some("json".as_ref())).collect();
    paths.sort();
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

fn documents(format: FormatName) -> Vec<String> {
    let mut texts = files(&format!("tests/fixtures/{format}/valid"));
    texts.extend(files("examples/manifests").into_iter().filter(|text| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        detect(&document).unwrap().0.name == format.as_str()
    }));
    let generate = format.testkit().unwrap().generate;
    let sizes = (1..=3).cycle();
    texts.extend((0..SEEDS).zip(sizes).map(|(seed, size)| generate(&mut Rng::new(seed), size)));
    texts
}

/// All conversions, those of each source format on a thread of its own.
fn seen() -> Seen {
    let members = &ORDER.map(Members::of);
    let all: Vec<Seen> = thread::scope(|scope| {
        let run = |from| scope.spawn(move || seen_from(from, members));
        let threads: Vec<_> = members.iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut seen = Seen::default();
    for one in all {
        seen.cells.extend(one.cells);
        seen.whys.extend(one.whys);
        for (member, reasons) in one.added {
            let known = seen.added.entry(member).or_default();
            for (reason, values) in reasons {
                known.entry(reason).or_default().extend(values);
            }
        }
    }
    seen
}

fn seen_from(from: &Members, members: &[Members]) -> Seen {
    let mut seen = Seen::default();
    for text in documents(from.format) {
        let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        for to in members.iter().filter(|to| to.format != from.format) {
            // Some cannot be converted: two versions of one tool, for example.
            let options = laws::accept_all();
            if let Ok(conversion) = convert(&source, from.format, to.format, &options) {
                seen.note(from, to, &conversion.report());
            }
        }
    }
    seen
}

const INTRODUCTION: &str = "# Mapping

What each member of each format becomes in the others. This page is printed from the
records of conversions: of every valid fixture, of the examples, and of generated documents.
A test converts them again, and fails when the page says something else.

- **native**: the same value, as it was written;
- **equivalent**: the same meaning in other words;
- **approximated**: nearly the same, for the reason that stands below the table;
- **residue-only**: the target does not have it, and the residue does.

A cell with several of these saw them in different documents: an id that fits as it is, and
one that does not. `*` is any element of a list or a map; what is inside a schema, or another
value of free form, goes where that value goes. The members of a tool in `tools.json`, and of
a capability in a catalog, stand without the list around them.
";

fn page(seen: &Seen) -> String {
    let mut page = INTRODUCTION.to_owned();
    for from in ORDER {
        write!(page, "\n## From {from}\n\n").unwrap();
        page.push_str(&table(seen, from));
        page.push_str(&reasons(seen, from));
    }
    page.push_str(
        "\n## Assumed\n\nWhat a target requires and the source does not say. The value is \
         shown where it is always the\nsame. A reason that begins with `bridge` or `seal` is about a tool whose call \
         the target cannot make:\nit calls the bridge, and names the source by its digest. In a \
         capability, the digest is its origin's.\n",
    );
    for to in ORDER {
        write!(page, "\n### In {to}\n\n{}", added(seen, to)).unwrap();
    }
    page
}

/// What the members of a format become. Members with the same row share it.
fn table(seen: &Seen, from: FormatName) -> String {
    let targets: Vec<FormatName> = ORDER.into_iter().filter(|to| *to != from).collect();
    let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
    for ((format, member), cells) in &seen.cells {
        if *format == from {
            let cells = targets.iter().map(|to| cells.get(to).map(cell).unwrap_or_default());
            let row = format!(" {} |", cells.collect::<Vec<_>>().join(" | "));
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, members)) => members.push(member),
                None => rows.push((row, vec![member])),
            }
        }
    }
    let nowhere = " residue-only |".repeat(targets.len());
    let (carried, said): (Vec<_>, Vec<_>) = rows.into_iter().partition(|(row, _)| *row == nowhere);
    let names: Vec<&str> = targets.iter().map(|to| to.as_str()).collect();
    let rule = "---|".repeat(targets.len());
    let mut table = format!("| member | {} |\n|---|{rule}\n", names.join(" | "));
    for (row, members) in &said {
        writeln!(table, "| {} |{row}", quoted(members)).unwrap();
    }
    for (_, members) in &carried {
        // An empty object or list is only in the residue, whatever may be in it.
        let others = members.iter().chain(said.iter().flat_map(|(_, members)| members));
        let holds = |one: &str| {
            others
                .clone()
                .any(|other| other.strip_prefix(one).is_some_and(|tail| tail.starts_with('/')))
        };
        let members: Vec<&str> = members.iter().copied().filter(|one| !holds(one)).collect();
        write!(table, "\nOnly in the residue, for all of them: {}.\n", quoted(&members)).unwrap();
    }
    table
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn cell(cell: &Cell) -> String {
    let mut lines: BTreeMap<&BTreeSet<Class>, Vec<&str>> = BTreeMap::new();
    for (target, classes) in cell {
        lines.entry(classes).or_default().extend(target.as_deref());
    }
    let line = |(classes, targets): (&&BTreeSet<Class>, &Vec<&str>)| {
        let words: Vec<&str> = classes.iter().map(|class| class.as_str()).collect();
        format!("{} {}", quoted(targets), words.join("/")).trim().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("<br>")
}

/// Why values are only nearly the same.
fn reasons(seen: &Seen, from: FormatName) -> String {
    let mut text = String::new();
    for ((_, why), targets) in seen.whys.iter().filter(|((format, _), _)| *format == from) {
        let pairs = |(to, pairs): (&FormatName, &Pairs)| {
            let mut alike: BTreeMap<&BTreeSet<String>, Vec<&str>> = BTreeMap::new();
            for (member, targets) in pairs {
                alike.entry(targets).or_default().push(member);
            }
            let pair = |(targets, members): (&&BTreeSet<String>, &Vec<&str>)| {
                let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
                format!("{} → {}", quoted(members), quoted(&targets))
            };
            format!("  - {to}: {}\n", alike.iter().map(pair).collect::<Vec<_>>().join("; "))
        };
        write!(text, "- {why}\n{}", targets.iter().map(pairs).collect::<String>()).unwrap();
    }
    if text.is_empty() { text } else { format!("\nApproximated, because:\n\n{text}") }
}

/// How long a value may be to be shown.
const SHORT: usize = 40;

fn added(seen: &Seen, to: FormatName) -> String {
    let mut rows: BTreeMap<(Derivation, String, &str), Vec<&str>> = BTreeMap::new();
    for ((_, member), reasons) in seen.added.iter().filter(|((format, _), _)| *format == to) {
        for ((how, why), values) in reasons {
            let value = match values.iter().collect::<Vec<_>>().as_slice() {
                [value] if value.len() <= SHORT && *how == Derivation::Assumed => {
                    format!("`{value}`")
                }
                _ => String::new(),
            };
            rows.entry((*how, value, why)).or_default().push(member);
        }
    }
    let mut table = "| member | value | why |\n|---|---|---|\n".to_owned();
    let mut rows: Vec<_> = rows.iter().collect();
    rows.sort_by_key(|((how, ..), members)| (*how, *members));
    for ((how, value, why), members) in &rows {
        let kind = if *how == Derivation::Assumed { "" } else { how.word() };
        let why = if kind.is_empty() { (*why).to_owned() } else { format!("{kind}: {why}") };
        writeln!(table, "| {} | {value} | {why} |", quoted(members)).unwrap();
    }
    if rows.is_empty() { "Nothing.\n".to_owned() } else { table }
}

#[test]
fn the_page_says_what_conversions_do() {
    let seen = seen();
    // What no document has would be missing on the page.
    let members = ORDER.into_iter().map(Members::of);
    let missing: Vec<String> = members
        .flat_map(|members| {
            let format = members.format;
            members.all().into_iter().map(move |member| (format, member))
        })
        .filter(|key| !seen.cells.contains_key(key))
        .map(|(format, member)| format!("{format} {member}"))
        .collect();
    assert!(missing.is_empty(), "no document has {missing:#?}");
    same("docs/mapping.md", &page(&seen));
}

fn same(path: &str, expected: &str) {
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(at(path), expected).expect("the page is written");
    }
    let written = std::fs::read_to_string(at(path)).expect("the page is there");
    assert!(written == expected, "{path}: run TOOLGLOT_BLESS=1 cargo test --test laws mapping");
}
