//! The checks of a document: one manifest, or a catalog of them.

use std::collections::BTreeSet;

use manifest_core::descriptor::Network;
use manifest_core::json::{Document, Node};
use manifest_core::{
    Depth, Pointer, Profile, Report, Rule, Text, Validate, has_control, is_plain_text, names,
    quoted, read, schema, secret, url, version,
};

use crate::grammar;
use crate::manifest::{Implementation, ImplementationKind, Manifest, Source};
use crate::reader::{self, BLOCKS, Nodes};
use crate::rules;

/// Checks a document: a manifest, or a catalog.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    let id = if is_catalog(root) {
        catalog(root, options, &mut report);
        None
    } else {
        entry(root, options, &mut report)
    };
    finish(root, id, report)
}

/// Checks one manifest that stands somewhere in a document.
pub(crate) fn validate_entry(node: Node<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let id = entry(node, options, &mut report);
    finish(node, id, report)
}

/// A catalog has a list of capabilities, and no id of its own.
pub(crate) fn is_catalog(root: Node<'_>) -> bool {
    let has = |name: &str| root.get(name).is_some();
    root.is_object() && !has("id") && (has("capabilities") || has("catalog_version"))
}

/// What holds for the text as a whole: a manifest with an id, or something else.
fn finish(node: Node<'_>, id: Option<Node<'_>>, mut report: Report) -> Report {
    if report.wants(Depth::Advice) {
        match id.and_then(|id| Some((id, id.text()?))) {
            // A valid manifest holds no other ids.
            Some((id, text)) if report.is_valid() => names::check_one(&text, id, &mut report),
            _ => alike(node, &mut report),
        }
    }
    let help = "replace the secret, and refer to it in \"secrets\"";
    secret::check(&rules::SECRET_VALUE, node, help, &mut report);
    report
}

/// Ids that are taken for each other.
fn alike(node: Node<'_>, report: &mut Report) {
    let list = node.get("capabilities").into_iter().flat_map(Node::elements);
    let ids = list.chain([node]).filter_map(|entry| entry.get("id"));
    let ids: Vec<_> = ids.filter_map(|id| Some((id.text()?, id))).collect();
    names::check(ids.iter().map(|(text, node)| (text.as_ref(), *node)), report);
}

fn catalog(root: Node<'_>, options: &Validate, report: &mut Report) {
    let reference = options.profile == Profile::Reference;
    let others = if reference { read::Others::Allow } else { read::Others::Warn };
    let names = ["catalog_version", "capabilities"];
    let Some(([version, list], _)) = read::members(root, names, others, report) else {
        return;
    };
    let list = if reference {
        list.filter(|list| !list.is_null())
    } else {
        if version.and_then(Node::text).as_deref() != Some("catalog.v1") {
            let message = "the catalog does not say \"catalog.v1\"";
            report.push(rules::CATALOG_VERSION.at(version.unwrap_or(root), message));
        }
        read::require(list, root, "capabilities", report)
    };
    let entries = list.and_then(|list| read::elements(list, report));
    let mut ids = BTreeSet::new();
    for node in entries.into_iter().flatten() {
        // The reference skips what is no object.
        if reference && !node.is_object() {
            continue;
        }
        let Some(id) = entry(node, options, report) else {
            continue;
        };
        let text = id.text().unwrap_or_default();
        if reference || text.is_empty() {
            continue;
        }
        if !ids.insert(text.clone()) {
            let message = format!("the id {} is taken", quoted(&text));
            report.push(rules::DUPLICATE_ID.at(id, message));
        }
    }
}

/// Checks a manifest. Returns its id, whatever that is.
fn entry<'n>(node: Node<'n>, options: &Validate, report: &mut Report) -> Option<Node<'n>> {
    let (manifest, nodes) = reader::manifest(node, report)?;
    let mut check = Check { report, options, node, nodes };
    check.structure(&manifest);
    if options.profile != Profile::Reference && options.depth >= Depth::Meaning {
        check.meaning(&manifest);
        check.advice(&manifest);
    }
    nodes.id
}

/// The checks look at typed values. Where a value stands in the text is looked
/// up only for what is wrong.
pub(crate) struct Check<'o> {
    pub(crate) report: &'o mut Report,
    pub(crate) options: &'o Validate,
    /// The manifest.
    node: Node<'o>,
    nodes: Nodes<'o>,
}

impl<'o> Check<'o> {
    /// The value at a place, or what is there of it.
    fn at(&self, place: &str) -> Node<'o> {
        let mut node = self.node;
        for token in place.split('/').filter(|token| !token.is_empty()) {
            let index = || token.parse().ok().and_then(|index| node.element(index));
            match node.get(token).or_else(index) {
                Some(found) => node = found,
                None => break,
            }
        }
        node
    }

    pub(crate) fn push(&mut self, rule: &'static Rule, place: &str, message: impl Into<String>) {
        if self.report.takes(rule) {
            self.report.push(rule.at(self.at(place), message));
        }
    }

    /// Whether a string is there. If it is missing or something else, that has
    /// been reported.
    fn is_text(&self, place: &str) -> bool {
        let pointer = Pointer::parse(place).ok();
        let node = pointer.and_then(|pointer| self.node.at(&pointer));
        node.is_some_and(|node| node.text().is_some())
    }

    /// Whether a list is there, with nothing in it.
    fn is_empty_list(&self, place: &str) -> bool {
        let list = self.at(place);
        list.is_array() && list.elements().next().is_none()
    }

    /// Reports a string that does not fit, unless it is none.
    pub(crate) fn refuse(&mut self, rule: &'static Rule, place: &str, message: impl Into<String>) {
        if self.is_text(place) {
            self.push(rule, place, message);
        }
    }

    fn structure(&mut self, manifest: &Manifest<'_>) {
        for (name, text) in [("/id", &manifest.id), ("/description", &manifest.description)] {
            if text.is_empty() {
                self.refuse(&rules::EMPTY, name, "the text is empty");
            }
        }
        self.version(&manifest.version);
        if !grammar::is_digest(&manifest.origin.digest) {
            let message = "the digest is not 64 hexadecimal digits";
            self.refuse(&rules::DIGEST, "/origin/digest", message);
        }
        if let Some(timeout) = &manifest.runtime.timeout_seconds {
            let negative = timeout.as_str().starts_with('-') && timeout.to_f64() != Some(0.0);
            let reference = self.options.profile == Profile::Reference;
            if negative || (!reference && timeout.to_f64().is_none()) {
                let message = "the time-out is negative, or beyond all bounds";
                self.push(&rules::TIMEOUT, "/runtime/timeout_seconds", message);
            }
        }
        for (index, secret) in manifest.secrets.iter().enumerate() {
            for (name, text) in [("name", &secret.name), ("ref", &secret.reference)] {
                if text.is_empty() {
                    let place = format!("/secrets/{index}/{name}");
                    self.refuse(&rules::EMPTY, &place, "the text is empty");
                }
            }
        }
        if let Some(implementation) = &manifest.implementation {
            self.blocks(implementation);
        }
    }

    fn version(&mut self, text: &str) {
        let shown = || quoted(text);
        if self.options.profile == Profile::Reference {
            if !grammar::is_loose_version(text) {
                self.refuse(&rules::VERSION, "/version", format!("{} is not a version", shown()));
            }
            return;
        }
        match version::parse_exact(text) {
            Ok(_) => {}
            Err(version::VersionError::Range) => {
                self.refuse(&rules::VERSION_RANGE, "/version", format!("{} is a range", shown()));
            }
            Err(error) => self.refuse(&rules::VERSION, "/version", format!("{}: {error}", shown())),
        }
    }

    fn blocks(&mut self, implementation: &Implementation<'_>) {
        if let Some(command) = &implementation.command {
            let place = "/implementation/command/argv";
            let limit = self.options.limits.arguments;
            // One with a wrong element is read as empty, and has been reported.
            if command.argv.is_empty() && self.is_empty_list(place) {
                self.push(&rules::EMPTY, place, "there is no program");
            } else if self.options.profile != Profile::Reference && command.argv.len() > limit {
                let message = format!("more than the {limit} elements allowed");
                self.push(&rules::ARGV_LENGTH, place, message);
            }
        }
        if let Some(python) = &implementation.python
            && !grammar::is_callable(&python.callable)
        {
            let place = "/implementation/python/callable";
            let message = format!("{} is not module:function", quoted(&python.callable));
            self.refuse(&rules::CALLABLE, place, message);
        }
        if implementation.mcp.as_ref().is_some_and(|mcp| mcp.tool_name.is_empty()) {
            self.refuse(&rules::EMPTY, "/implementation/mcp/tool_name", "the text is empty");
        }
    }

    fn meaning(&mut self, manifest: &Manifest<'_>) {
        for node in self.nodes.schemas.into_iter().flatten() {
            // The widest schemas need no guard.
            if !matches!(node.raw(), "{}" | r#"{"type":"object"}"# | r#"{"type": "object"}"#) {
                for diagnostic in schema::check(node, &self.options.limits) {
                    self.report.push(diagnostic);
                }
            }
        }
        let permissions = &manifest.permissions;
        // A list with a wrong element is read as empty.
        let listed = || {
            let list = self.at("/permissions/network_allowlist");
            list.is_array() && list.elements().next().is_some()
        };
        let limited = permissions.network == Network::Allowlist;
        if limited && permissions.network_allowlist.is_empty() && !listed() {
            let message = "the network is limited to a list, and there is none";
            self.push(&rules::ALLOWLIST_MISSING, "/permissions/network_allowlist", message);
        }
        let resources = &manifest.runtime.resources;
        for (name, text) in [("cpu", &resources.cpu), ("memory", &resources.memory)] {
            if !grammar::is_resource(text) {
                let place = format!("/runtime/resources/{name}");
                let message = format!("{} is not a limit", quoted(text));
                self.refuse(&rules::RESOURCE, &place, message);
            }
        }
        self.origin(manifest);
        self.secret_references(manifest);
        self.implementation(manifest);
        self.characters(manifest);
    }

    fn origin(&mut self, manifest: &Manifest<'_>) {
        let origin = &manifest.origin;
        if let Some(text) = &origin.url {
            self.url("/origin/url", text);
        }
        let (missing, name) = match origin.source {
            Source::Url => (origin.url.is_none(), "url"),
            Source::Local => (origin.path.is_none(), "path"),
        };
        if missing && self.is_text("/origin/source") && self.at("/origin").get(name).is_none() {
            let message = format!("the source is {name}, and there is no {}", quoted(name));
            let message = message.replace("source is path", "source is local");
            self.push(&rules::ORIGIN_SOURCE, "/origin", message);
        }
    }

    fn url(&mut self, place: &str, text: &str) {
        match url::check_http(text) {
            Err(error) => {
                self.refuse(&rules::URL, place, error.about(text));
            }
            Ok(url) => {
                if !url.secure {
                    self.push(&rules::INSECURE_URL, place, "the URL is not https");
                }
                if url.is_private() {
                    let message = format!("{} is a private address", quoted(url.host));
                    self.push(&rules::PRIVATE_URL, place, message);
                }
            }
        }
    }

    fn secret_references(&mut self, manifest: &Manifest<'_>) {
        let mut names = BTreeSet::new();
        let several = manifest.secrets.len() > 1;
        for (index, entry) in manifest.secrets.iter().enumerate() {
            let place = |name: &str| format!("/secrets/{index}/{name}");
            // A token in place of a reference is reported as the secret that it is.
            let fits = entry.reference.is_empty()
                || grammar::is_secret_reference(&entry.reference)
                || secret::find_named(&entry.name, &entry.reference).is_some();
            if !fits {
                let message = "this is not a reference into a secret store";
                let help = "write where the secret is kept, as in \"vault://kv/app#token\"";
                let diagnostic = rules::SECRET_REF.at(self.at(&place("ref")), message).help(help);
                self.report.push(diagnostic);
            }
            if several && !entry.name.is_empty() && !names.insert(entry.name.as_ref()) {
                let message = format!("the name {} is taken", quoted(&entry.name));
                self.push(&rules::SECRET_DUPLICATE, &place("name"), message);
            }
        }
        if manifest.requires_oauth == Some(true) && !has_oauth_secret(manifest) {
            let message = "OAuth is required, and no secret is named OAUTH_…";
            self.push(&rules::OAUTH_SECRET, "/requires_oauth", message);
        }
    }

    fn implementation(&mut self, manifest: &Manifest<'_>) {
        let Some(implementation) = &manifest.implementation else {
            return;
        };
        if let Some(mcp) = &implementation.mcp {
            self.url("/implementation/mcp/registry_url", &mcp.registry_url);
        }
        if let Some(a2a) = &implementation.a2a {
            self.url("/implementation/a2a/endpoint", &a2a.endpoint);
        }
        let blocks =
            || BLOCKS.into_iter().zip(self.nodes.blocks).filter(|(_, block)| block.is_some());
        let own = implementation.kind;
        let other = blocks().find(|(kind, _)| *kind != own);
        if blocks().all(|(kind, _)| kind != own) && self.is_text("/implementation/kind") {
            let message = format!("the block {} is missing", quoted(block_of(own)));
            self.push(&rules::IMPLEMENTATION_BLOCK, "/implementation", message);
        }
        if let Some((kind, Some(block))) = other {
            let message = format!("the block {} is not used", quoted(block_of(kind)));
            self.report.add(&rules::OTHER_BLOCKS, block, message);
        }
    }

    fn characters(&mut self, manifest: &Manifest<'_>) {
        let Manifest { id, origin, permissions, secrets, implementation, .. } = manifest;
        let block = implementation.as_ref();
        let mcp = block.and_then(|block| block.mcp.as_ref());
        let single = [
            ("/id", Some(id)),
            ("/origin/path", origin.path.as_ref()),
            ("/implementation/mcp/tool_name", mcp.map(|mcp| &mcp.tool_name)),
            ("/implementation/mcp/server_id", mcp.and_then(|mcp| mcp.server_id.as_ref())),
        ];
        for (place, text) in single {
            self.plain(text.into_iter(), |_| place.to_owned());
        }
        let (devices, hosts) = (&permissions.devices, &permissions.network_allowlist);
        self.plain(devices.iter(), |index| format!("/permissions/devices/{index}"));
        self.plain(hosts.iter(), |index| format!("/permissions/network_allowlist/{index}"));
        let names = secrets.iter().map(|secret| &secret.name);
        self.plain(names, |index| format!("/secrets/{index}/name"));
        let argv = block.and_then(|block| block.command.as_ref()).map(|command| &command.argv);
        for (index, argument) in argv.into_iter().flatten().enumerate() {
            // Line breaks are ordinary in arguments; a NUL ends the argument.
            let program = index == 0 && has_control(argument);
            if program || argument.contains('\0') {
                let place = format!("/implementation/command/argv/{index}");
                let message = format!("{} holds a control character", quoted(argument));
                self.push(&rules::CONTROL_CHARACTER, &place, message);
            }
        }
    }

    /// Reports texts with characters that do not show, each at its place.
    fn plain<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t Text<'t>>,
        place: impl Fn(usize) -> String,
    ) {
        for (index, text) in texts.enumerate() {
            if !is_plain_text(text) {
                let message = format!("{} holds a character that does not show", quoted(text));
                self.push(&rules::CONTROL_CHARACTER, &place(index), message);
            }
        }
    }
}

/// The name of the block that belongs to a kind.
pub(crate) const fn block_of(kind: ImplementationKind) -> &'static str {
    match kind {
        ImplementationKind::Command => "command",
        ImplementationKind::Python => "python",
        ImplementationKind::McpTool => "mcp",
        ImplementationKind::A2aRpc => "a2a",
    }
}

/// Whether the user has signed in, as far as the manifest shows.
pub(crate) fn has_oauth_secret(manifest: &Manifest<'_>) -> bool {
    manifest.secrets.iter().any(|secret| secret.name.to_uppercase().starts_with("OAUTH_"))
}
