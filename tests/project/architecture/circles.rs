//! No circle between the files of a crate.
//!
//! A file leans on another when it names something that is defined there, in a `use` or in
//! a path; names that a module only hands on are followed to where they are defined. Unit
//! tests may lean on anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Item, Meta, Token, UseTree};

/// Names from the root of a crate.
pub(crate) type Name = Vec<String>;

/// The files of a crate, each with those that it leans on.
pub(crate) type Arrows = BTreeMap<Name, BTreeSet<Name>>;

/// A file of a crate, as the module that it is.
#[derive(Default)]
struct Module {
    /// What it has from elsewhere: the name, and the path that it leads to.
    exports: BTreeMap<String, Name>,
    /// Every path in it.
    paths: BTreeSet<Name>,
    /// The files below it that are tests.
    tests: BTreeSet<String>,
}

/// The files of a crate, tests aside, each with those that it leans on.
pub(crate) fn arrows(source: &Path) -> Arrows {
    let mut modules = BTreeMap::new();
    collect(source, &Vec::new(), &mut modules);
    let tests: BTreeSet<Name> = modules
        .iter()
        .flat_map(|(name, module)| {
            module.tests.iter().map(|test| [&name[..], std::slice::from_ref(test)].concat())
        })
        .collect();
    modules.retain(|name, _| !tests.iter().any(|test| name.starts_with(test)));
    let arrows = modules.iter().map(|(name, module)| (name, leans_on(name, module, &modules)));
    arrows.map(|(name, others)| (name.clone(), others)).collect()
}

/// The files of each circle in a crate.
pub(crate) fn circles(arrows: &Arrows) -> Vec<BTreeSet<String>> {
    let mut found: BTreeSet<BTreeSet<String>> = BTreeSet::new();
    for name in arrows.keys() {
        let from_here = reachable(name, arrows);
        let back = from_here.iter().filter(|other| reachable(other, arrows).contains(name));
        let circle: BTreeSet<String> = back.map(|name| name.join("/")).collect();
        if circle.len() > 1 {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

fn reachable(from: &Name, arrows: &Arrows) -> BTreeSet<Name> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(next) = open.pop() {
        for other in arrows.get(&next).into_iter().flatten() {
            if seen.insert(other.clone()) {
                open.push(other.clone());
            }
        }
    }
    seen
}

/// Reads every file below a folder. `mod.rs`, `lib.rs` and `main.rs` are the folder's own; a
/// program beside a library is another crate.
fn collect(folder: &Path, name: &Name, modules: &mut BTreeMap<Name, Module>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        if stem == "main" && folder.join("lib.rs").is_file() {
            continue;
        }
        let mut own = name.clone();
        if !matches!(stem.as_str(), "mod" | "lib" | "main") {
            own.push(stem);
        }
        if path.is_dir() {
            collect(&path, &own, modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            modules.insert(own, read(&path));
        }
    }
}

fn read(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).expect("a source file");
    let file = syn::parse_file(&text).expect("Rust");
    let mut module = Module::default();
    module.visit_file(&file);
    module
}

impl<'ast> Visit<'ast> for Module {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Mod(inner) if is_test(&inner.attrs) => {
                self.tests.insert(inner.ident.to_string());
            }
            Item::Use(import) => {
                let mut leaves = Vec::new();
                flatten(&import.tree, Vec::new(), &mut leaves);
                for (path, alias) in leaves {
                    self.exports.insert(alias, path.clone());
                    self.paths.insert(path);
                }
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        // A single name is defined here, or came by an import.
        if path.segments.len() > 1 {
            self.paths.insert(path.segments.iter().map(|one| one.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    /// What stands in a macro is mostly a list of expressions.
    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        let list = Punctuated::<syn::Expr, Token![,]>::parse_terminated;
        let mut inner = Self::default();
        for expression in called.parse_body_with(list).iter().flatten() {
            inner.visit_expr(expression);
        }
        self.paths.append(&mut inner.paths);
        visit::visit_macro(self, called);
    }

    /// `pub(crate)` names nothing.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

/// `cfg(test)`, also beside other conditions.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    let list = Punctuated::<Meta, Token![,]>::parse_terminated;
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).any(|attribute| {
        let Ok(condition) = attribute.parse_args::<Meta>() else { return false };
        let all = match &condition {
            Meta::List(of) if of.path.is_ident("all") => of.parse_args_with(list).ok(),
            _ => None,
        };
        condition.path().is_ident("test")
            || all.into_iter().flatten().any(|one| one.path().is_ident("test"))
    })
}

/// The leaves of an import, with the names that they get.
fn flatten(tree: &UseTree, mut before: Name, leaves: &mut Vec<(Name, String)>) {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, leaves);
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, before.clone(), leaves));
        }
        UseTree::Name(name) if name.ident == "self" => {
            let alias = before.last().cloned().unwrap_or_default();
            leaves.push((before, alias));
        }
        UseTree::Name(name) => {
            before.push(name.ident.to_string());
            leaves.push((before, name.ident.to_string()));
        }
        UseTree::Rename(name) => {
            before.push(name.ident.to_string());
            leaves.push((before, name.rename.to_string()));
        }
        UseTree::Glob(_) => leaves.push((before, "*".to_owned())),
    }
}

/// The other files that define what a file names.
fn leans_on(own: &Name, module: &Module, modules: &BTreeMap<Name, Module>) -> BTreeSet<Name> {
    let found = module.paths.iter().filter_map(|path| home(own, path, modules, 0));
    found.filter(|home| home != own).collect()
}

/// The file that defines what a path in a module leads to, if it is of this crate.
fn home(from: &Name, path: &[String], modules: &BTreeMap<Name, Module>, turns: u8) -> Option<Name> {
    let mut place = from.clone();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (place, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {}
        first => {
            let inner: Name = from.iter().cloned().chain([first.to_owned()]).collect();
            modules.get(&inner)?;
        }
    }
    while let Some((first, others)) = rest.split_first() {
        let inner: Name = place.iter().cloned().chain([first.clone()]).collect();
        if first == "super" {
            place.pop();
        } else if modules.contains_key(&inner) {
            place = inner;
        } else {
            // Handed on from elsewhere?
            let exports = &modules.get(&place)?.exports;
            let Some(export) = exports.get(first) else {
                return (!exports.contains_key("*")).then_some(place);
            };
            let onwards: Name = export.iter().chain(others).cloned().collect();
            // What another crate defines is no file of this one.
            return (turns < 8).then(|| home(&place, &onwards, modules, turns + 1)).flatten();
        }
        rest = others;
    }
    Some(place)
}
