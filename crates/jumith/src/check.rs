//! The checks of a manifest.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node, rules as json_rules};
use manifest_core::path::{self, PathLimits};
use manifest_core::{
    Depth, Profile, Report, Rule, Validate, has_control, quoted, schema, secret, version,
};

use crate::manifest::{Manifest, Nodes, manifest};
use crate::{names, reference, rules};

/// Checks a document: one manifest.
///
/// Bundles and search results have checks of their own:
/// [`Bundle::check`](crate::Bundle::check) and
/// [`SearchResults::check`](crate::SearchResults::check).
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    if root.is_array() && options.profile != Profile::Reference {
        let found = json_rules::TYPE.at(root, "expected an object, found an array");
        report.push(found.help("an array of documents is a stream: use --jsonl"));
    } else if let Some(id) = check(root, options, &mut report)
        && let Some(text) = id.text()
    {
        manifest_core::names::check_one(names::without_prefix(&text), id, &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

/// Ids that are taken for each other.
pub(crate) fn alike<'n>(ids: impl Iterator<Item = Node<'n>>, report: &mut Report) {
    if !report.wants(Depth::Advice) {
        return;
    }
    let ids: Vec<_> = ids.filter_map(|id| Some((id.text()?, id))).collect();
    // What begins every id does not tell them from a host's own.
    let names = ids.iter().map(|(text, node)| (names::without_prefix(text), *node));
    manifest_core::names::check(names, report);
}

/// Checks a manifest, wherever it stands. Returns its id, whatever that is, unless
/// only the verdict of the published client is wanted.
pub(crate) fn check<'n>(
    node: Node<'n>,
    options: &Validate,
    report: &mut Report,
) -> Option<Node<'n>> {
    if options.profile == Profile::Reference {
        if let Err(message) = reference::manifest(node) {
            report.push(rules::REFERENCE.at(node, message));
        }
        return None;
    }
    if let Some(what) = other_document(node) {
        let message = format!("this is {what}, not a tool manifest");
        let found = rules::NOT_A_MANIFEST.at(node, message);
        let help = "the manifest of a bundle is its \"manifest\" member";
        report.push(if what == BUNDLE { found.help(help) } else { found });
        return None;
    }
    let (manifest, nodes) = manifest(node, report)?;
    Check { report, options, node, nodes }.manifest(&manifest);
    nodes.id
}

/// What else of the registry a value could be.
const BUNDLE: &str = "a bundle";

pub(crate) fn other_document(node: Node<'_>) -> Option<&'static str> {
    let has = |name: &str| node.get(name).is_some();
    if has("id") || has("entry") {
        None
    } else if has("manifest") && has("files") {
        Some(BUNDLE)
    } else if has("results") && has("total") {
        Some("a page of search results")
    } else if node.get("error").is_some_and(|error| error.get("code").is_some()) {
        Some("an error of a registry")
    } else {
        None
    }
}

/// How long a path may be.
pub(crate) fn path_limits(options: &Validate) -> PathLimits {
    PathLimits {
        bytes: options.limits.path_bytes,
        segment_bytes: options.limits.path_segment_bytes,
        segments: options.limits.path_segments,
    }
}

/// The checks look at typed values. Where a value stands in the text is looked up
/// only for what is wrong.
struct Check<'o> {
    report: &'o mut Report,
    options: &'o Validate,
    node: Node<'o>,
    nodes: Nodes<'o>,
}

impl Check<'_> {
    /// Reports a problem at a member, or at what is there of the way to it.
    fn push(&mut self, rule: &'static Rule, at: &[&str], message: impl Into<String>) {
        if !self.report.takes(rule) {
            return;
        }
        let node = at.iter().try_fold(self.node, |node, name| node.get(name).ok_or(node));
        self.report.push(rule.at(node.unwrap_or_else(|node| node), message));
    }

    /// Reports a problem at an element of a list.
    fn push_at(&mut self, rule: &'static Rule, list: &str, index: usize, message: String) {
        if !self.report.takes(rule) {
            return;
        }
        let list = self.node.get(list).unwrap_or(self.node);
        self.report.push(rule.at(list.element(index).unwrap_or(list), message));
    }

    /// Whether a text is there. If not, that has been reported.
    fn is_text(&self, at: &[&str]) -> bool {
        let node = at.iter().try_fold(self.node, |node, name| node.get(name));
        node.is_some_and(|node| node.text().is_some())
    }

    fn manifest(&mut self, manifest: &Manifest<'_>) {
        if manifest.schema.is_some() {
            self.nodes.input.into_iter().for_each(|node| self.schema(node));
            self.nodes.output.into_iter().for_each(|node| self.schema(node));
        }
        if self.options.depth < Depth::Meaning {
            return;
        }
        self.texts(manifest);
        self.entry(manifest);
        self.secrets(manifest);
        if let Some(digest) = manifest.sha256.as_deref().filter(|text| !names::is_sha256(text)) {
            let message = format!("{} is not a SHA-256", quoted(digest));
            self.push(&rules::SHA256, &["sha256"], message);
        }
        if self.report.wants(Depth::Advice) {
            self.advise(manifest);
        }
    }

    fn texts(&mut self, manifest: &Manifest<'_>) {
        let texts: [(&[&str], &str); 6] = [
            (&["id"], &manifest.id),
            (&["name"], &manifest.name),
            (&["version"], &manifest.version),
            (&["summary"], &manifest.summary),
            (&["description"], &manifest.description),
            (&["entry", "main"], &manifest.entry.main),
        ];
        for (at, text) in texts {
            if names::is_blank(text) && self.is_text(at) {
                let name = at.last().copied().unwrap_or_default();
                self.push(&rules::BLANK, at, format!("{} is blank", quoted(name)));
            }
        }
        if !names::is_blank(&manifest.id) && !names::is_id(&manifest.id) {
            let message = format!("{} cannot be an id", quoted(&manifest.id));
            self.push(&rules::ID, &["id"], message);
        }
        if let Err(error) = version::parse_exact(&manifest.version)
            && !names::is_blank(&manifest.version)
        {
            let message = format!("{}: {error}", quoted(&manifest.version));
            self.push(&rules::VERSION, &["version"], message);
        }
        let hidden = has_control;
        if hidden(&manifest.name) {
            let message = "the name holds a control character";
            self.push(&rules::CONTROL_CHARACTER, &["name"], message);
        }
        if manifest.provider.as_deref().is_some_and(hidden) {
            let message = "the provider holds a control character";
            self.push(&rules::CONTROL_CHARACTER, &["provider"], message);
        }
        for (index, _) in manifest.tags.iter().enumerate().filter(|(_, tag)| hidden(tag)) {
            let message = "the tag holds a control character".to_owned();
            self.push_at(&rules::CONTROL_CHARACTER, "tags", index, message);
        }
    }

    fn entry(&mut self, manifest: &Manifest<'_>) {
        let Some(node) = self.nodes.entry.filter(|entry| entry.is_object()) else {
            return; // which has been reported
        };
        let entry = &manifest.entry;
        let runtime = ["entry", "runtime"];
        if entry.runtime.is_empty() && node.get("runtime").is_none() {
            let help = "write \"runtime\": \"node\"";
            let message = "the member \"runtime\" is missing";
            self.report.push(rules::RUNTIME.at(node, message).help(help));
        } else if entry.runtime != "node" && self.is_text(&runtime) {
            let message = format!("{} is not supported", quoted(&entry.runtime));
            self.push(&rules::RUNTIME, &runtime, message);
        }
        if !names::is_blank(&entry.main)
            && let Err(error) = path::check_portable(&entry.main, &path_limits(self.options))
        {
            let message = format!("{}: {error}", quoted(&entry.main));
            self.push(&rules::ENTRY_MAIN, &["entry", "main"], message);
        }
        if let Some(export) = entry.export.as_deref().filter(|export| !names::is_export(export)) {
            let message = format!("{} is not a name to export", quoted(export));
            self.push(&rules::EXPORT, &["entry", "export"], message);
        }
    }

    fn secrets(&mut self, manifest: &Manifest<'_>) {
        let (count, limit) = (manifest.required_secrets.len(), self.options.limits.secrets);
        if count > limit {
            let message = format!("{count} secrets, more than the {limit} allowed");
            return self.push(&rules::SECRET_COUNT, &["requiredSecrets"], message);
        }
        let mut seen = BTreeSet::new();
        for (index, secret) in manifest.required_secrets.iter().enumerate() {
            if !names::is_secret(secret) {
                let message = format!("{} cannot name a secret", quoted(secret));
                self.push_at(&rules::SECRET_NAME, "requiredSecrets", index, message);
            } else if !seen.insert(secret) {
                let message = format!("{} is declared twice", quoted(secret));
                self.push_at(&rules::DUPLICATE_SECRET, "requiredSecrets", index, message);
            }
        }
    }

    fn schema(&mut self, node: Node<'_>) {
        if !node.is_object() && node.bool().is_none() {
            let message = format!("expected an object, found {}", node.kind().described());
            self.report.push(rules::SCHEMA_TYPE.at(node, message));
        } else if self.options.depth >= Depth::Meaning {
            for diagnostic in schema::check(node, &self.options.limits) {
                self.report.push(diagnostic);
            }
        }
    }

    fn advise(&mut self, manifest: &Manifest<'_>) {
        if !names::is_usual_id(&manifest.id) && names::is_id(&manifest.id) {
            let message = format!("{} is an unusual id", quoted(&manifest.id));
            self.push(&rules::ID_FORM, &["id"], message);
        }
        let main = manifest.entry.main.as_ref();
        if ![".js", ".mjs", ".cjs"].iter().any(|extension| main.ends_with(extension))
            && path::check_portable(main, &path_limits(self.options)).is_ok()
        {
            let message = format!("{} is not a JavaScript module", quoted(main));
            self.push(&rules::ENTRY_EXTENSION, &["entry", "main"], message);
        }
        if manifest.name.contains('-') && !manifest.required_secrets.is_empty() {
            let message = format!("the keys of the secrets begin with {}", quoted(&manifest.name));
            self.push(&rules::SECRET_AMBIGUOUS, &["name"], message);
        }
        for (index, tag) in manifest.tags.iter().enumerate() {
            if names::is_blank(tag) || tag.contains(',') {
                let message = format!("nobody can filter by {}", quoted(tag));
                self.push_at(&rules::TAG, "tags", index, message);
            }
        }
        let Nodes { schema, input, requires_approval, .. } = self.nodes;
        if requires_approval.is_none() {
            self.report.add(&rules::NO_APPROVAL, self.node, "\"requiresApproval\" is missing");
        }
        if input.is_none() && schema.is_none_or(Node::is_object) {
            let place = schema.unwrap_or(self.node);
            self.report.add(&rules::NO_SCHEMA, place, "there is no input schema");
        }
    }
}
