//! Bundles: the files of a `.mcpb`, and the checks between them.

use std::collections::BTreeSet;

use archive::{Entry, MANIFEST};
use manifest_core::json::{Document, Node};
use manifest_core::path::clean;
use manifest_core::{Depth, Diagnostic, Limits, Report, Text, ValidateOptions, printable, quoted};

use crate::mcpb::lens::FORMAT;
use crate::mcpb::rules;
use crate::mcpb::variables::relative_to_bundle;

/// The files of a bundle, in the order of the archive.
///
/// ```
/// use archive::Entry;
/// use manifest_core::{Limits, ValidateOptions};
/// use toolglot_mcp::mcpb::Bundle;
///
/// let manifest = br#"{
///   "manifest_version": "0.4", "name": "notes", "version": "1.0.0",
///   "description": "Keeps notes.", "author": {"name": "A. Person"},
///   "server": {"type": "node", "entry_point": "server.js",
///              "mcp_config": {"command": "node", "args": ["${__dirname}/server.js"]}}
/// }"#;
/// let limits = Limits::default();
/// let files = [Entry::new("manifest.json", manifest.as_slice())];
/// let bytes = archive::write(&files, &limits).unwrap();
///
/// let bundle = Bundle::read(&bytes, &limits).unwrap();
/// let report = bundle.check(&ValidateOptions::default());
/// assert_eq!(report.diagnostics[0].rule.code, "mcpb/file-missing");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle<'a> {
    entries: Vec<Entry<'a>>,
    warnings: Vec<Diagnostic>,
}

impl<'a> Bundle<'a> {
    /// Reads a `.mcpb`: a ZIP archive with a manifest at its root.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Self, Report> {
        let archive = archive::read(bytes, limits)?;
        archive::manifest(&archive.entries)?;
        Ok(Self { entries: archive.entries, warnings: archive.warnings })
    }

    /// Reads a bundle. Returns `None` if the bytes are not an archive with a manifest of
    /// this format.
    pub fn detect(bytes: &'a [u8], limits: &Limits) -> Option<Self> {
        // Fast path: most callers pass JSON.
        if !archive::has_signature(bytes) {
            return None;
        }
        let bundle = Self::read(bytes, limits).ok()?;
        let document = Document::parse(bundle.manifest(), limits).ok()?;
        (crate::mcpb::FORMAT.detect)(document.root())?;
        Some(bundle)
    }

    /// Describes the bundle in lines for people: its name, the command of its server, its
    /// tools and its files. The lines are safe to print.
    pub fn describe(&self, limits: &Limits) -> Vec<String> {
        let Ok(document) = Document::parse(self.manifest(), limits) else { return Vec::new() };
        let root = document.root();
        // The manifest may be invalid. A line shows nothing in place of a text that is missing.
        let said = |node: Option<Node<'_>>| match node.and_then(Node::text) {
            Some(text) => printable(&text, 256),
            None => String::new(),
        };
        let of = |name| said(root.get(name));
        let config = root.get("server").and_then(|server| server.get("mcp_config"));
        let args =
            config.and_then(|config| config.get("args")).into_iter().flat_map(Node::elements);
        let command = config.and_then(|config| config.get("command"));
        let line: Vec<String> =
            command.into_iter().chain(args).map(|word| said(Some(word))).collect();
        let mut lines =
            vec![format!("{} {}", of("name"), of("version")), of("description"), String::new()];
        lines.push(format!("server    {}", line.join(" ")));
        let tools = root.get("tools").into_iter().flat_map(Node::elements);
        for (index, tool) in tools.enumerate() {
            let name = if index == 0 { "tools" } else { "" };
            lines.push(format!("{name:8}  {}", said(tool.get("name"))));
        }
        let total: usize = self.entries.iter().map(|entry| entry.data.len()).sum();
        lines.push(format!("files     {}, {total} bytes", self.entries.len()));
        let file =
            |entry: &Entry<'_>| format!("  {} {}", entry.data.len(), printable(&entry.name, 256));
        lines.extend(self.entries.iter().map(file));
        lines
    }

    /// Returns the files.
    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// Returns the bytes of the manifest.
    pub fn manifest(&self) -> &[u8] {
        let manifest = self.entries.iter().find(|entry| entry.name == MANIFEST);
        manifest.map_or(&[], |entry| entry.data.as_ref())
    }

    /// Checks the manifest, and that the files that it names exist.
    pub fn check(&self, options: &ValidateOptions) -> Report {
        let mut report = options.new_report();
        for warning in &self.warnings {
            report.push(warning.clone());
        }
        let document = match Document::parse(self.manifest(), &options.limits) {
            Ok(document) => document,
            Err(diagnostic) => {
                report.push(diagnostic);
                return report;
            }
        };
        for found in FORMAT.validate(&document, options).diagnostics {
            report.push(found);
        }
        if report.is_valid() && report.includes_depth(Depth::Semantics) {
            self.check_files(document.root(), &mut report);
        }
        report
    }

    fn check_files(&self, root: Node<'_>, report: &mut Report) {
        let there: BTreeSet<&str> = self.entries.iter().map(|entry| entry.name.as_ref()).collect();
        let server = root.get("server");
        let command = server.and_then(|server| server.get("mcp_config")?.get("command")?.text());
        // A program on the search path is not a file of the bundle.
        let is_found = |entry: &Node<'_>| {
            command.is_some()
                && entry.text() == command
                && !entry.text().is_some_and(|text| is_path(&text))
        };
        let server =
            server.and_then(|server| server.get("entry_point")).filter(|entry| !is_found(entry));
        let elements = |name| root.get(name).into_iter().flat_map(Node::elements);
        let icons = elements("icons").filter_map(|icon| icon.get("src"));
        let named = server.into_iter().chain(root.get("icon")).chain(icons);
        for node in named.chain(elements("screenshots")) {
            let Some(text) = node.text() else { continue };
            // Files outside of the bundle are not checked.
            let file = bundled_path(&text);
            if file.is_some_and(|file| !there.contains(file.as_str())) {
                let message = format!("the bundle has no {}", quoted(&text));
                report.add(&rules::FILE_MISSING, node, message);
            }
        }
    }
}

/// Returns true if a text is more than the name of a program.
fn is_path(text: &str) -> bool {
    text.contains(['/', '\\', '$'])
}

/// Returns the path of the file in the bundle that a text names, or `None` if it is
/// elsewhere.
fn bundled_path(text: &Text<'_>) -> Option<String> {
    let elsewhere = text.contains("://") || text.starts_with("data:");
    let path = relative_to_bundle(text).filter(|_| !elsewhere)?;
    Some(clean(&path))
}
