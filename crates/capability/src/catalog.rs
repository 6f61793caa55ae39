//! Catalogs: many capabilities in one file.

use std::collections::BTreeMap;

use manifest_core::json::{Document, Edit, Node, apply, patch, pretty, quote};
use manifest_core::read::{self, UnknownMembers};
use manifest_core::{Limits, Pointer, Report, ValidateOptions, ok_or_bug, quoted};

use crate::canonical;
use crate::check::validate_entry;
use crate::manifest::Manifest;
use crate::rules;
use crate::structure::is_reference;
use crate::table::{Key, Nodes};

/// A capability in a catalog: its manifest, and the text of the manifest.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogEntry {
    manifest: Manifest,
    text: String,
}

impl CatalogEntry {
    /// Parses a manifest. Fails with the report if the manifest is invalid.
    pub fn parse(text: &str, options: &ValidateOptions) -> Result<Self, Report> {
        let document = Document::parse(text.as_bytes(), &options.limits).map_err(Report::from)?;
        let (report, nodes) = validate_entry(document.root(), options);
        if !report.is_valid() {
            return Err(report);
        }
        Ok(Self::from_nodes(document.root(), &nodes))
    }

    /// Creates an entry from a manifest that has been checked.
    pub(crate) fn from_nodes(node: Node<'_>, nodes: &Nodes<'_>) -> Self {
        Self { manifest: Manifest::from_nodes(nodes), text: node.raw().to_owned() }
    }

    /// Returns the typed manifest.
    pub fn manifest(&self) -> &Manifest {
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
        match self.document() {
            Some(document) => canonical::digest(document.root()),
            None => String::new(),
        }
    }

    /// Returns the same entry, switched on or off.
    #[must_use]
    pub fn with_enabled(&self, enabled: bool) -> Self {
        self.with_member("enabled", if enabled { "true" } else { "false" })
    }

    /// Returns the same entry with another value for a member.
    pub(crate) fn with_member(&self, name: &str, value: &str) -> Self {
        self.edited(name, value).unwrap_or_else(|| self.clone())
    }

    fn edited(&self, name: &str, value: &str) -> Option<Self> {
        let place = Pointer::root().push(name);
        let document = self.document()?;
        let edit = match document.root().get(name) {
            Some(_) => Edit::Set(place, value.to_owned()),
            None => Edit::Insert(place, value.to_owned()),
        };
        let text = ok_or_bug(apply(&document, &[edit]))?;
        let manifest = Manifest::read(&parse_again(&text)?);
        Some(Self { manifest, text })
    }

    /// Returns true if both entries have the same value, in any spelling.
    pub fn has_same_value(&self, other: &Self) -> bool {
        if self.text == other.text {
            return true;
        }
        let (Some(own), Some(other)) = (self.document(), other.document()) else { return false };
        own.root().same_value(other.root())
    }

    /// Parses the text of the manifest again.
    pub(crate) fn document(&self) -> Option<Document<'_>> {
        parse_again(&self.text)
    }
}

/// Parses text that was parsed before, or that was written by this crate. `None` would be a
/// bug.
fn parse_again(text: &str) -> Option<Document<'_>> {
    ok_or_bug(Document::parse(text.as_bytes(), &unlimited()))
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
/// use toolglot_capability::{Catalog, ReadCatalog};
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
        let reference = is_reference(options.validate.profile);
        let mut report = options.validate.new_report();
        let mut catalog = Self::default();
        let Some(list) = find_entries(document.root(), options, &mut report) else {
            return if report.is_valid() { Ok((catalog, report)) } else { Err(report) };
        };
        for node in list.elements() {
            if reference && !node.is_object() {
                continue;
            }
            let (found, nodes) = validate_entry(node, &options.validate);
            let is_valid = found.is_valid();
            for diagnostic in found.diagnostics {
                report.push(diagnostic);
            }
            if !is_valid {
                continue;
            }
            let entry = CatalogEntry::from_nodes(node, &nodes);
            if !reference && catalog.get(entry.id()).is_some() {
                let message = format!("the id {} is taken", quoted(entry.id()));
                let place = nodes.get(Key::Id).unwrap_or(node);
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
        if let Some(index) = self.index.get(entry.id())
            && let Some(old) = self.entries.get_mut(*index)
        {
            *old = entry;
        } else {
            self.index.insert(entry.id().to_owned(), self.entries.len());
            self.entries.push(entry);
        }
    }

    /// Removes and returns the entry with this id.
    pub fn remove(&mut self, id: &str) -> Option<CatalogEntry> {
        let removed = self.index.remove(id)?;
        for index in self.index.values_mut() {
            if *index > removed {
                *index -= 1;
            }
        }
        (removed < self.entries.len()).then(|| self.entries.remove(removed))
    }

    /// Returns the catalog as formatted JSON.
    pub fn render(&self) -> String {
        let text = self.render_compact();
        match parse_again(&text) {
            Some(document) => pretty(document.root()) + "\n",
            None => text,
        }
    }

    /// Returns the file that the catalog was read from, changed only where entries changed.
    pub fn render_into(&self, file: &Document<'_>) -> String {
        if !file.root().is_object() {
            return self.render();
        }
        // The other members of the file stay.
        let text = replace_entries(file.root(), &self.render_entries());
        match parse_again(&text) {
            Some(target) => patch(file, target.root(), &["id", "name"]),
            None => self.render(),
        }
    }

    fn render_entries(&self) -> String {
        let entries: Vec<&str> = self.entries.iter().map(CatalogEntry::text).collect();
        format!("[{}]", entries.join(","))
    }

    fn render_compact(&self) -> String {
        let list = self.render_entries();
        format!(r#"{{"catalog_version":"catalog.v1","capabilities":{list}}}"#)
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

/// Returns the members of a file, with another list of entries.
fn replace_entries(file: Node<'_>, list: &str) -> String {
    let mut members = Vec::new();
    let mut has_list = false;
    for member in file.members() {
        let is_list = member.has_name("capabilities");
        has_list |= is_list;
        let value = if is_list { list } else { member.value.raw() };
        members.push(format!("{}:{value}", quote(&member.name())));
    }
    if !has_list {
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
    let reference = is_reference(options.validate.profile);
    if options.shape == CatalogShape::Static && root.is_array() {
        return Some(root);
    }
    let others = if reference { UnknownMembers::Allow } else { UnknownMembers::Warn };
    let names = ["catalog_version", "capabilities", "items"];
    let ([_, capabilities, items], _) = read::split_members(root, names, others, report)?;
    let found = match options.shape {
        CatalogShape::Catalog => capabilities,
        CatalogShape::Static => capabilities.or(items),
    };
    if !reference {
        read::require(found, root, "capabilities", report);
    }
    let list = found?;
    if reference && list.is_null() {
        // For the reference, a file without a list has no entries.
        return None;
    }
    read::elements(list, report)?;
    Some(list)
}
