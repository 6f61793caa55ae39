//! The picture of the crates in ARCHITECTURE.md, and those of their modules in docs/modules.md, drawn
//! from the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use toolglot_tests::root;

use super::{FILES, FLOORS, arrows, circles};

/// The lines around the picture in ARCHITECTURE.md.
const BEGIN: &str = "<!-- picture -->\n";
const END: &str = "<!-- end of the picture -->";

/// The head of docs/modules.md.
const HEAD: &str = "# The modules of each crate

An arrow leads from a module to one that it uses. Arrows that follow from others are left out. This
page is drawn from the code: `TOOLGLOT_BLESS=1 cargo test --test project picture`.
";

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Arrows without those that another way says already.
fn reduced(arrows: &Arrows) -> Vec<(&str, &str)> {
    let reaches = |from: &str, to: &str| {
        let (mut open, mut seen) = (vec![from.to_owned()], BTreeSet::new());
        while let Some(next) = open.pop() {
            for other in arrows.get(&next).into_iter().flatten() {
                if other == to {
                    return true;
                }
                if seen.insert(other.clone()) {
                    open.push(other.clone());
                }
            }
        }
        false
    };
    let mut found = Vec::new();
    for (from, to) in arrows {
        let straight = |one: &&String| !to.iter().any(|via| via != *one && reaches(via, one));
        found.extend(to.iter().filter(straight).map(|to| (from.as_str(), to.as_str())));
    }
    found
}

/// The crates on their floors.
fn crates(out: &mut String) {
    let own = |name: &str| name.strip_prefix("toolglot-").unwrap_or(name).to_owned();
    let arrows: Arrows = arrows()
        .into_iter()
        .map(|(name, others)| (own(&name), others.iter().map(|other| own(other)).collect()))
        .collect();
    out.push_str("```mermaid\nflowchart TD\n");
    for (number, floor) in FLOORS.iter().enumerate() {
        let rooms: Vec<String> = floor.iter().map(|name| own(name)).collect();
        let _ =
            writeln!(out, "  subgraph floor{number}[\" \"]\n    {}\n  end", rooms.join("\n    "));
    }
    for (from, to) in reduced(&arrows) {
        // For tests, fuzzers and benches only.
        let arrow = if to == "testkit" { "-.->" } else { "-->" };
        let _ = writeln!(out, "  {from} {arrow} {to}");
    }
    out.push_str("```\n");
}

/// The modules of a crate: a file with what is below it.
fn modules(name: &str, files: &circles::Arrows, out: &mut String) {
    let mut arrows = Arrows::new();
    for (from, others) in files {
        let Some(from) = from.first() else { continue };
        let entry = arrows.entry(from.clone()).or_default();
        let others = others.iter().filter_map(|other| other.first());
        entry.extend(others.filter(|other| *other != from).cloned());
    }
    let _ = writeln!(out, "\n## {name}\n");
    out.push_str("```mermaid\nflowchart LR\n");
    for module in arrows.keys() {
        let _ = writeln!(out, "  {module}_[{module}]");
    }
    for (from, to) in reduced(&arrows) {
        let _ = writeln!(out, "  {from}_ --> {to}_");
    }
    out.push_str("```\n");
}

#[test]
fn the_pictures_show_the_code() {
    let mut picture = String::from(BEGIN);
    crates(&mut picture);
    picture.push_str(END);
    let path = "ARCHITECTURE.md";
    let text = std::fs::read_to_string(root().join(path)).expect(path);
    let (before, rest) = text.split_once(BEGIN).expect("the line before the picture");
    let (_, after) = rest.split_once(END).expect("the line behind the picture");
    same(path, &format!("{before}{picture}{after}"));

    let mut page = String::from(HEAD);
    for (package, files) in &*FILES {
        modules(package, files, &mut page);
    }
    same("docs/modules.md", &page);
}

/// Compares a file with the text that it should have, or writes that text.
fn same(path: &str, expected: &str) {
    let file = root().join(path);
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(file, expected).expect(path);
        return;
    }
    let text = std::fs::read_to_string(file).expect(path);
    assert!(
        text == expected,
        "{path} differs from the code: run TOOLGLOT_BLESS=1 cargo test --test project picture"
    );
}
