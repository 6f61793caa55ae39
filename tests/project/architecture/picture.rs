//! The picture of the house in ARCHITECTURE.md, drawn from the code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use toolglot_tests::root;

use super::{FILES, FLOORS, arrows, circles};

/// What stands around the picture.
const BEGIN: &str = "<!-- picture -->\n";
const END: &str = "<!-- end of the picture -->";

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
    let _ = writeln!(out, "\n<details><summary><code>{name}</code></summary>\n");
    out.push_str("```mermaid\nflowchart LR\n");
    for module in arrows.keys() {
        let _ = writeln!(out, "  {module}_[{module}]");
    }
    for (from, to) in reduced(&arrows) {
        let _ = writeln!(out, "  {from}_ --> {to}_");
    }
    out.push_str("```\n\n</details>\n");
}

#[test]
fn the_picture_is_of_this_house() {
    let mut picture = String::from(BEGIN);
    crates(&mut picture);
    for (package, files) in &*FILES {
        modules(package, files, &mut picture);
    }
    picture.push_str(END);
    let file = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).expect("ARCHITECTURE.md");
    let (before, rest) = text.split_once(BEGIN).expect("where the picture begins");
    let (_, after) = rest.split_once(END).expect("where it ends");
    let wanted = format!("{before}{picture}{after}");
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(&file, &wanted).expect("a file that can be written");
    } else {
        let hint = "run TOOLGLOT_BLESS=1 cargo test --test project picture";
        assert!(text == wanted, "the picture is of another house: {hint}");
    }
}
