//! What rows may name: the rules, verbs, functions and tests of this repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use toolglot_tests::root;

pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The codes of all rules, from the page that is written from them.
fn rules() -> BTreeSet<String> {
    let page = read("docs/rules.md");
    page.lines().filter_map(|line| line.strip_prefix("## ")).map(str::to_owned).collect()
}

/// The verbs by their groups, which a test of the program holds against the verbs.
fn verbs() -> BTreeSet<String> {
    let text = read("crates/cli/src/lib.rs");
    let (_, groups) = text.split_once("const GROUPS").expect("the groups of verbs");
    let (groups, _) = groups.split_once("\n];").expect("their end");
    groups.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// All the code of a library; none, where there is no such library.
fn sources(folder: &Path, text: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else {
            text.push_str(&fs::read_to_string(path).unwrap());
        }
    }
}

/// What rows may name.
pub(crate) struct Repository {
    pub(crate) rules: BTreeSet<String>,
    verbs: BTreeSet<String>,
    /// The public items of the crates that were asked for, by name of the crate.
    items: BTreeMap<String, BTreeSet<String>>,
}

impl Repository {
    pub(crate) fn new() -> Self {
        Self { rules: rules(), verbs: verbs(), items: BTreeMap::new() }
    }

    /// Whether the crate that the path begins with has a public item of the name that it ends
    /// with.
    pub(crate) fn has_item(&mut self, path: &str) -> bool {
        let Some((name, rest)) = path.split_once("::") else { return false };
        let items = self.items.entry(name.to_owned()).or_insert_with(|| items(name));
        items.contains(rest.rsplit("::").next().unwrap_or(rest))
    }

    /// Whether there is a verb such as `toolglot plan`, or one of its verbs such as
    /// `toolglot plan install`.
    pub(crate) fn has_verb(&self, line: &str) -> bool {
        let mut words = line.split(' ');
        let (Some("toolglot"), Some(verb)) = (words.next(), words.next()) else { return false };
        let own = |word: &str| {
            let (first, rest) = word.split_at(1);
            let variant = format!("    {}{rest}", first.to_uppercase());
            let text = read(&format!("crates/cli/src/verbs/live/{verb}.rs"));
            ["(", " {"].iter().any(|mark| text.contains(&format!("{variant}{mark}")))
        };
        self.verbs.contains(verb) && words.all(own)
    }
}

/// The names of what is public in a crate: functions, types, traits, constants and modules.
fn items(name: &str) -> BTreeSet<String> {
    let mut text = String::new();
    sources(&root().join("crates").join(name.replace('_', "-")).join("src"), &mut text);
    let declared = text.lines().filter_map(|line| line.trim_start().strip_prefix("pub "));
    declared.filter_map(item).map(str::to_owned).collect()
}

/// The name in a declaration, behind the word for its kind.
fn item(declaration: &str) -> Option<&str> {
    let mut words = declaration.split(|c: char| !c.is_alphanumeric() && c != '_');
    let kinds = ["fn", "struct", "enum", "static", "trait", "mod", "type"];
    let first = words.clone().next()?;
    if first == "const" && words.clone().nth(1) != Some("fn") {
        return words.nth(1);
    }
    words.find(|word| kinds.contains(word))?;
    words.next()
}

/// Whether `file::name` is a test: a function below a line that says so.
pub(crate) fn is_test(path: &str) -> bool {
    let Some((file, name)) = path.rsplit_once("::") else { return false };
    let Ok(text) = fs::read_to_string(root().join(file)) else { return false };
    let head = format!("fn {name}(");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let above = lines[..at].iter().rev();
        let mut above = above.take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        line.trim_start_matches("async ").starts_with(&head)
            && above.any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

/// Whether a fixture breaks the rule.
pub(crate) fn has_fixture(code: &str) -> bool {
    let (area, name) = code.split_once('/').unwrap_or_default();
    let fixtures = root().join("tests/fixtures");
    let own = fixtures.join(area).join("invalid").join(name);
    let shared = |krate| fixtures.join(krate).join("invalid").join(code);
    own.is_dir()
        || ["manifest-core", "convert", "call"].map(shared).iter().any(|path| path.is_dir())
}
