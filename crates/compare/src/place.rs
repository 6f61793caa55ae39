//! Finds the fields of a descriptor in the document that it was read from.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use diagnostic::Pointer;
use json_text::Document;
use manifest_core::descriptor::{Cost, Invocation, Origin, Publisher, Sandbox, Support};
use manifest_core::{Format, Lifted, Place, Sourced, ToolDescriptor};

/// One of two documents that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Side<'s> {
    /// The tools and packages of the document.
    pub lifted: &'s Lifted<'s>,
    /// The document and its format. If present, changes have places, and entries that
    /// descriptors do not model are compared.
    pub source: Option<(&'static Format, &'s Document<'s>)>,
}

impl<'s> Side<'s> {
    pub(super) fn tools(&self) -> &'s [ToolDescriptor<'s>] {
        &self.lifted.tools
    }

    /// Returns the pointer of a place in the document.
    pub(super) fn pointer(&self, at: Option<Place>) -> Option<Pointer> {
        let (_, document) = self.source?;
        Some(document.node(at?.entry)?.pointer())
    }
}

/// Returns true if both documents have the same format, or one format is unknown.
pub(super) fn same_format(old: &Side<'_>, new: &Side<'_>) -> bool {
    let formats = old.source.zip(new.source);
    formats.is_none_or(|((old, _), (new, _))| old.name == new.name)
}

/// Finds the places of one tool in both documents.
pub(super) struct Places<'s> {
    old: Fields<'s>,
    new: Fields<'s>,
}

impl<'s> Places<'s> {
    pub(super) fn new(
        old: &Side<'s>,
        old_tool: &'s ToolDescriptor<'s>,
        new: &Side<'s>,
        new_tool: &'s ToolDescriptor<'s>,
    ) -> Self {
        Self { old: Fields::new(old, old_tool), new: Fields::new(new, new_tool) }
    }

    pub(super) fn before(&self, field: &Pointer) -> Option<Pointer> {
        self.old.pointer(field)
    }

    pub(super) fn after(&self, field: &Pointer) -> Option<Pointer> {
        self.new.pointer(field)
    }

    /// Returns the format of the document that lacks a field, if the other document has
    /// another format and declares the field. The format may not support the field.
    pub(super) fn unsaid(&self, field: &Pointer) -> Option<&'static str> {
        let ((old, _), (new, _)) = self.old.side.source.zip(self.new.side.source)?;
        match (self.old.says(field), self.new.says(field)) {
            _ if old.name == new.name => None,
            (false, true) => Some(old.name),
            (true, false) => Some(new.name),
            _ => None,
        }
    }

    pub(super) fn same_format(&self) -> bool {
        same_format(&self.old.side, &self.new.side)
    }
}

/// `None` if a field is missing; `Some(None)` if it is declared but has no place of its
/// own.
type Said = Option<Option<Place>>;

/// The place of a declared field, and that of its tool or package.
struct FieldPlace {
    own: Option<Place>,
    around: Option<Place>,
}

/// The fields of one tool.
struct Fields<'s> {
    side: Side<'s>,
    tool: &'s ToolDescriptor<'s>,
    /// The places of variables and scopes, by name. Each map is built at its first use.
    env: OnceCell<BTreeMap<&'s str, Option<Place>>>,
    scopes: OnceCell<BTreeMap<&'s str, Option<Place>>>,
}

/// Fields whose place is that of a part: of the first element of a list, or of the member
/// that determines the kind of a call. The pointer of such a field is that of the parent.
const HELD: &[&str] = &[
    "tags",
    "labels",
    "example_files",
    "test_files",
    "scopes_used",
    "auth/scopes",
    "permissions/hosts",
    "permissions/devices",
    "invocation",
    "acquisition",
];

impl<'s> Fields<'s> {
    fn new(side: &Side<'s>, tool: &'s ToolDescriptor<'s>) -> Self {
        Self { side: *side, tool, env: OnceCell::new(), scopes: OnceCell::new() }
    }

    /// Returns true if a field is declared. All variables count as one field, and so do all
    /// scopes.
    fn says(&self, field: &Pointer) -> bool {
        match field.tokens().next().as_deref() {
            Some("env") => !self.tool.package.env.is_empty(),
            Some("scopes") => !self.tool.package.scopes.is_empty(),
            _ => self.place(field).is_some(),
        }
    }

    /// Returns the pointer of a field: that of the closest value with a place.
    fn pointer(&self, field: &Pointer) -> Option<Pointer> {
        let FieldPlace { own, around } = self.place(field)?;
        let mut tokens = field.tokens();
        let (first, second) = (tokens.next().unwrap_or_default(), tokens.next());
        let (_, document) = self.side.source?;
        let node = document.node(own.or(around)?.entry)?;
        let pointer = node.pointer();
        if matches!(&*first, "input_schema" | "output_schema") {
            let deep = field.strip_prefix(&Pointer::root().push(&first))?;
            return Some(if node.at(&deep).is_some() { pointer.join(&deep) } else { pointer });
        }
        let held = |name: &&str| match name.split_once('/') {
            Some((outer, inner)) => outer == first && second.as_deref() == Some(inner),
            None => *name == first,
        };
        let holder = pointer.split_last().map(|(holder, _)| holder);
        let holder = holder.filter(|holder| own.is_some() && !holder.is_root());
        Some(holder.filter(|_| HELD.iter().any(held)).unwrap_or(pointer))
    }

    /// Returns the place of a field, if it is declared.
    fn place(&self, field: &Pointer) -> Option<FieldPlace> {
        let tool = self.tool;
        let mut tokens = field.tokens();
        let (first, second) =
            (tokens.next().unwrap_or_default(), tokens.next().unwrap_or_default());
        let own = match &*first {
            "" => Some(tool.at),
            "id" => Some(tool.id.at),
            "name" => at(&tool.name),
            "title" => at(&tool.title),
            "kind" => at(&tool.kind),
            "summary" => at(&tool.summary),
            "description" => at(&tool.description),
            "input_schema" => at(&tool.input_schema),
            "output_schema" => at(&tool.output_schema),
            "output_format" => at(&tool.output_format),
            "error_envelope" => at(&tool.error_envelope),
            "examples" => {
                let one = tool.examples.first()?;
                Some(first_of([at(&one.description), at(&one.input), at(&one.output)]).flatten())
            }
            "example_files" => head(&tool.example_files),
            "test_files" => head(&tool.test_files),
            "invocation" => tool.invocation.as_ref().map(|call| call.at.or_else(|| within(call))),
            "implementations" => {
                let one = tool.implementations.first()?;
                let parts = [at(&one.id), at(&one.language), at(&one.runtime), at(&one.invocation)];
                Some(first_of(parts).flatten())
            }
            "chain" => tool.chain.first().map(|step| step.tool.at),
            "timeout_ms" => at(&tool.timeout_ms),
            "scopes_used" => head(&tool.scopes_used),
            "side_effects" => at(&tool.side_effects),
            "idempotent" => at(&tool.idempotent),
            "requires_approval" => at(&tool.requires_approval),
            "trust" => at(&tool.trust),
            "enabled" => at(&tool.enabled),
            "channel" => at(&tool.channel),
            "auth" | "permissions" | "sandbox" | "origin" => part(tool, &first, &second),
            name => {
                let own = self.shared(name, &second)?;
                return Some(FieldPlace { own, around: tool.package.at.or(tool.at) });
            }
        }?;
        Some(FieldPlace { own, around: tool.at })
    }

    /// Returns the place of a field of the package.
    fn shared(&self, name: &str, inner: &str) -> Said {
        let package = &*self.tool.package;
        match name {
            "package" => at(&package.id),
            "version" => at(&package.version),
            "tags" => head(&package.tags),
            "labels" => head(&package.labels),
            "publisher" => {
                let Publisher { id, name, url, email } = &package.publisher;
                first_of([at(id), at(name), at(url), at(email)])
            }
            "homepage" => at(&package.homepage),
            "license" => at(&package.license),
            "support" => {
                let Support { issues_url, security_email, docs_url } = &package.support;
                first_of([at(issues_url), at(security_email), at(docs_url)])
            }
            "acquisition" => at(&package.acquisition),
            "env" => {
                let all = package.env.iter().map(|one| (one.name.as_ref(), one.name.at));
                self.env.get_or_init(|| all.collect()).get(inner).copied()
            }
            "scopes" => {
                let all = package.scopes.iter().map(|one| (one.resource.as_ref(), one.resource.at));
                self.scopes.get_or_init(|| all.collect()).get(inner).copied()
            }
            "smoke" => at(&package.smoke),
            "verify" => at(&package.verify),
            "revocation" => at(&package.revocation),
            "cost" => {
                let Cost { install_fee_cents: fee, monthly_fee_cents: monthly, .. } = &package.cost;
                let Cost { usage_model, estimate_url, payment, .. } = &package.cost;
                let parts = [at(usage_model), at(payment), at(estimate_url)];
                first_of([at(fee), at(monthly), first_of(parts)])
            }
            "data_boundary" => at(&package.data_boundary),
            _ => None,
        }
    }
}

/// Returns the place of a field inside a part of a tool.
fn part(tool: &ToolDescriptor<'_>, name: &str, inner: &str) -> Said {
    match (name, inner) {
        ("auth", "scheme") => at(&tool.auth.scheme),
        ("auth", "scopes") => head(&tool.auth.scopes),
        ("auth", "docs_url") => at(&tool.auth.docs_url),
        ("permissions", "network") => at(&tool.permissions.network),
        ("permissions", "hosts") => head(&tool.permissions.hosts),
        ("permissions", "filesystem") => at(&tool.permissions.filesystem),
        ("permissions", "devices") => head(&tool.permissions.devices),
        ("sandbox", "kind") => at(&tool.sandbox.kind),
        ("sandbox", _) => {
            let Sandbox { kind: _, cpu, memory } = &tool.sandbox;
            first_of([at(cpu), at(memory)])
        }
        ("origin", "digest") => at(&tool.origin.digest),
        ("origin", "signature") => at(&tool.origin.signature),
        ("origin", _) => {
            let Origin { source, url, path, digest: _, signature: _ } = &tool.origin;
            first_of([at(url), at(path), at(source)])
        }
        _ => None,
    }
}

#[allow(clippy::ref_option)] // callers need no `as_ref`
fn at<T>(field: &Option<Sourced<T>>) -> Said {
    field.as_ref().map(|field| field.at)
}

fn head<T>(list: &[Sourced<T>]) -> Said {
    list.first().map(|first| first.at)
}

/// Returns the first part with a place, or else the first declared part.
fn first_of<const N: usize>(parts: [Said; N]) -> Said {
    let said = || parts.iter().flatten();
    said().find(|at| at.is_some()).or_else(|| said().next()).copied()
}

/// Returns a place inside a call.
fn within(call: &Invocation<'_>) -> Option<Place> {
    match call {
        Invocation::Command(command) => command.argv.first()?.at,
        Invocation::Http(http) => http.url.at,
        Invocation::McpTool(tool) => tool.tool.at,
        Invocation::RegistryTool(tool) => tool.registry.at,
        Invocation::Node(node) => node.main.at,
        Invocation::CommandLine(text) | Invocation::Python(text) | Invocation::A2a(text) => text.at,
    }
}
