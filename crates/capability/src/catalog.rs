//! Catalogs: many capabilities in one file.

use std::collections::BTreeMap;

use manifest_core::json::{Document, Edit, Node, apply, patch, pretty, quote};
use manifest_core::read::{self, UnknownMembers};
use manifest_core::{Limits, Pointer, Profile, Report, ValidateOptions, ok_or_bug, quoted};

use crate::canonical;
use crate::check::validate_entry;
use crate::manifest::Manifest;
use crate::rules;

/// A capability in a catalog: its manifest, and the text of the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntry {
    manifest: Manifest<'static>,
    text: String,
}

impl CatalogEntry {
    /// Parses a manifest. Fails with the report if the manifest is invalid.
    pub fn parse(text: &str, options: &ValidateOptions) -> Result<Self, Report> {
        let document = Document::parse(text.as_bytes(), &options.limits).map_err(|diagnostic| {
            let mut report = Report::new(options.profile, 1);
            report.push(diagnostic);
            report
        })?;
        let report = validate_entry(document.root(), options);
        if report.is_valid() { Ok(Self::from_node(document.root())) } else { Err(report) }
    }

    /// Creates an entry from a manifest that has been checked.
    pub(crate) fn from_node(node: Node<'_>) -> Self {
        let manifest = Manifest::read_node(node).into_owned();
        Self { manifest, text: node.raw().to_owned() }
    }

    /// Returns the typed manifest.
    pub fn manifest(&self) -> &Manifest<'static> {
        &self.manifest
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        &self.manifest.id
    }

    /// Returns the manifest as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the SHA-256 of its canonical form, in hexadecimal.
    pub fn digest(&self) -> String {
        self.with_root(canonical::digest).unwrap_or_default()
    }

    /// Returns the same entry, switched on or off.
    #[must_use]
    pub fn with_enabled(&self, enabled: bool) -> Self {
        self.with_member("enabled", if enabled { "true" } else { "false" })
    }

    /// Returns the same entry with another value for a member.
    pub(crate) fn with_member(&self, name: &str, value: &str) -> Self {
        let place = Pointer::root().push(name);
        let old = ok_or_bug(Document::parse(self.text.as_bytes(), &unlimited()));
        let changed = old.and_then(|old| {
            let edit = match old.root().get(name) {
                Some(_) => Edit::Set(place, value.to_owned()),
                None => Edit::Insert(place, value.to_owned()),
            };
            ok_or_bug(apply(&old, &[edit]))
        });
        let Some(text) = changed else {
            return self.clone();
        };
        let read = ok_or_bug(Document::parse(text.as_bytes(), &unlimited()));
        let manifest = read.map(|document| Manifest::read(&document).into_owned());
        match manifest {
            Some(manifest) => Self { manifest, text },
            None => self.clone(),
        }
    }

    /// Returns true if both entries have the same value, in any spelling.
    pub fn has_same_value(&self, other: &Self) -> bool {
        let same = || self.with_root(|a| other.with_root(|b| a.same_value(b))).flatten();
        self.text == other.text || same() == Some(true)
    }

    /// Parses the text again. Returns `None` if that fails, which is not expected because
    /// the text was parsed before.
    pub(crate) fn with_root<T>(&self, with: impl FnOnce(Node<'_>) -> T) -> Option<T> {
        let document = ok_or_bug(Document::parse(self.text.as_bytes(), &unlimited()))?;
        Some(with(document.root()))
    }
}

/// Returns limits without bounds, for text that was parsed within the caller's limits
/// before. Parsing is linear, and does not recurse.
fn unlimited() -> Limits {
    Limits {
        document_bytes: usize::MAX,
        depth: usize::MAX,
        nodes: usize::MAX,
        string_bytes: usize::MAX,
        key_bytes: usize::MAX,
        number_bytes: usize::MAX,
        ..Limits::default()
    }
}

/// The accepted forms of a catalog file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CatalogShape {
    /// An object with `capabilities`, as in a base or local catalog.
    #[default]
    Catalog,
    /// Also the forms of static registries: an object with `items`, or a bare list.
    Static,
}

/// The options for reading a catalog.
#[derive(Clone, Debug, Default)]
pub struct ReadCatalog {
    /// The accepted forms.
    pub shape: CatalogShape,
    /// True if one invalid entry makes the catalog invalid, as in the reference.
    pub fail_all: bool,
    /// The options for checking each entry.
    pub validate: ValidateOptions,
}

/// A list of capabilities with unique ids.
///
/// ```
/// use capability::{Catalog, ReadCatalog};
/// use manifest_core::{Limits, json::Document};
///
/// let text = br#"{"catalog_version": "catalog.v1", "capabilities": [{"id": "broken"}]}"#;
/// let document = Document::parse(text, &Limits::for_catalog())?;
/// let (catalog, report) = Catalog::read(&document, &ReadCatalog::default()).unwrap();
/// assert!(catalog.entries().is_empty());
/// assert!(report.errors().all(|error| error.pointer.as_str().starts_with("/capabilities/0")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    entries: Vec<CatalogEntry>,
    index: BTreeMap<String, usize>,
}

impl Catalog {
    /// Reads a catalog. An invalid entry is reported and left out. Fails if the file is not
    /// a catalog, or if an entry is invalid and [`fail_all`](ReadCatalog::fail_all) is set.
    pub fn read(document: &Document<'_>, options: &ReadCatalog) -> Result<(Self, Report), Report> {
        let reference = options.validate.profile == Profile::Reference;
        let mut report = options.validate.new_report();
        let mut catalog = Self::default();
        let Some(list) = find_entries(document.root(), options, &mut report) else {
            return if report.is_valid() { Ok((catalog, report)) } else { Err(report) };
        };
        for node in list.elements().filter(|node| !reference || node.is_object()) {
            let found = validate_entry(node, &options.validate);
            let valid = found.is_valid();
            for diagnostic in found.diagnostics {
                report.push(diagnostic);
            }
            if !valid {
                continue;
            }
            let entry = CatalogEntry::from_node(node);
            if !reference && catalog.get(entry.id()).is_some() {
                let message = format!("the id {} is taken", quoted(entry.id()));
                let place = node.get("id").unwrap_or(node);
                report.push(rules::DUPLICATE_ID.at(place, message));
                continue;
            }
            catalog.set(entry);
        }
        if options.fail_all && !report.is_valid() { Err(report) } else { Ok((catalog, report)) }
    }

    /// Returns the entries, in order.
    pub fn entries(&self) -> &[CatalogEntry] {
        &self.entries
    }

    /// Returns the entry with this id.
    pub fn get(&self, id: &str) -> Option<&CatalogEntry> {
        self.entries.get(*self.index.get(id)?)
    }

    /// Returns the index of the entry with this id.
    pub(crate) fn index_of(&self, id: &str) -> Option<usize> {
        self.index.get(id).copied()
    }

    /// Replaces the entry with the same id, or appends a new one.
    pub fn set(&mut self, entry: CatalogEntry) {
        let old = self.index.get(entry.id()).and_then(|at| self.entries.get_mut(*at));
        if let Some(old) = old {
            *old = entry;
        } else {
            self.index.insert(entry.id().to_owned(), self.entries.len());
            self.entries.push(entry);
        }
    }

    /// Removes and returns the entry with this id.
    pub fn remove(&mut self, id: &str) -> Option<CatalogEntry> {
        let at = self.index.remove(id)?;
        for place in self.index.values_mut().filter(|place| **place > at) {
            *place -= 1;
        }
        (at < self.entries.len()).then(|| self.entries.remove(at))
    }

    /// Returns the catalog as formatted JSON.
    pub fn render(&self) -> String {
        let text = self.render_compact();
        match ok_or_bug(Document::parse(text.as_bytes(), &unlimited())) {
            Some(document) => pretty(document.root()) + "\n",
            None => text,
        }
    }

    /// Returns the file that the catalog was read from, changed only where entries changed.
    pub fn render_into(&self, file: &Document<'_>) -> String {
        let text = self.render_compact();
        match ok_or_bug(Document::parse(text.as_bytes(), &unlimited())) {
            Some(document) if file.root().is_object() => {
                // Keep the other members of the file.
                let target = replace_entries(file.root(), document.root());
                match ok_or_bug(Document::parse(target.as_bytes(), &unlimited())) {
                    Some(target) => patch(file, target.root(), &["id", "name"]),
                    None => text,
                }
            }
            _ => self.render(),
        }
    }

    fn render_compact(&self) -> String {
        let entries: Vec<&str> = self.entries.iter().map(CatalogEntry::text).collect();
        let list = entries.join(",");
        format!(r#"{{"catalog_version":"catalog.v1","capabilities":[{list}]}}"#)
    }
}

impl FromIterator<CatalogEntry> for Catalog {
    fn from_iter<I: IntoIterator<Item = CatalogEntry>>(entries: I) -> Self {
        let mut catalog = Self::default();
        for entry in entries {
            catalog.set(entry);
        }
        catalog
    }
}

/// Returns the members of a file, with the entries of the catalog instead of its own.
fn replace_entries(file: Node<'_>, catalog: Node<'_>) -> String {
    let list = catalog.get("capabilities").map_or("[]", Node::raw);
    let mut members: Vec<String> = file
        .members()
        .map(|member| {
            let value = if member.has_name("capabilities") { list } else { member.value.raw() };
            format!("{}:{value}", quote(&member.name()))
        })
        .collect();
    if file.get("capabilities").is_none() {
        members.push(format!("\"capabilities\":{list}"));
    }
    format!("{{{}}}", members.join(","))
}

/// Returns the list of entries, if the file has one.
fn find_entries<'a>(
    root: Node<'a>,
    options: &ReadCatalog,
    report: &mut Report,
) -> Option<Node<'a>> {
    let reference = options.validate.profile == Profile::Reference;
    if options.shape == CatalogShape::Static && root.is_array() {
        return Some(root);
    }
    let others = if reference { UnknownMembers::Allow } else { UnknownMembers::Warn };
    let names = ["catalog_version", "capabilities", "items"];
    let ([_, mut found, items], _) = read::split_members(root, names, others, report)?;
    if options.shape == CatalogShape::Static {
        found = found.or(items);
    }
    if reference {
        // For the reference, a file without a list has no entries.
        found = found.filter(|list| !list.is_null());
    } else {
        read::require(found, root, "capabilities", report);
    }
    let list = found?;
    read::elements(list, report).map(|_| list)
}
