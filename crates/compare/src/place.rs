//! Finds the fields of a descriptor in the document that it was read from.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use diagnostic::Pointer;
use json_text::{Document, Text};
use manifest_core::descriptor::{Cost, Invocation, Origin, Publisher, Sandbox, Support};
use manifest_core::{Format, LiftedDocument, Place, Sourced, ToolDescriptor};

/// One of two documents that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Side<'s> {
    /// The tools and packages of the document.
    pub lifted: &'s LiftedDocument<'s>,
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
    match (old.source, new.source) {
        (Some((old, _)), Some((new, _))) => old.name == new.name,
        _ => true,
    }
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
    pub(super) fn lacking_format(&self, field: &Pointer) -> Option<&'static str> {
        let ((old, _), (new, _)) = (self.old.side.source?, self.new.side.source?);
        match (self.old.is_declared(field), self.new.is_declared(field)) {
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
type DeclaredPlace = Option<Option<Place>>;

/// The place of a declared field, and that of its tool or package.
struct FieldPlace {
    own: Option<Place>,
    container: Option<Place>,
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
const PLACED_BY_PART: &[&str] = &[
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

fn is_placed_by_part(first: &str, second: Option<&str>) -> bool {
    PLACED_BY_PART.iter().any(|name| match name.split_once('/') {
        Some((outer, inner)) => outer == first && second == Some(inner),
        None => *name == first,
    })
}

impl<'s> Fields<'s> {
    fn new(side: &Side<'s>, tool: &'s ToolDescriptor<'s>) -> Self {
        Self { side: *side, tool, env: OnceCell::new(), scopes: OnceCell::new() }
    }

    /// Returns true if a field is declared. All variables count as one field, and so do all
    /// scopes.
    fn is_declared(&self, field: &Pointer) -> bool {
        match field.tokens().next().as_deref() {
            Some("env") => !self.tool.package.env.is_empty(),
            Some("scopes") => !self.tool.package.scopes.is_empty(),
            _ => self.place(field).is_some(),
        }
    }

    /// Returns the pointer of a field: that of the closest value with a place.
    fn pointer(&self, field: &Pointer) -> Option<Pointer> {
        let FieldPlace { own, container: around } = self.place(field)?;
        let mut tokens = field.tokens();
        let (first, second) = (tokens.next().unwrap_or(Text::Borrowed("")), tokens.next());
        let (_, document) = self.side.source?;
        let node = document.node(own.or(around)?.entry)?;
        let pointer = node.pointer();
        if matches!(&*first, "input_schema" | "output_schema") {
            let deep = field.strip_prefix(&Pointer::root().push(&first))?;
            return Some(if node.at(&deep).is_some() { pointer.join(&deep) } else { pointer });
        }
        if own.is_some()
            && is_placed_by_part(&first, second.as_deref())
            && let Some((holder, _)) = pointer.split_last()
            && !holder.is_root()
        {
            return Some(holder);
        }
        Some(pointer)
    }

    /// Returns the place of a field, if it is declared.
    fn place(&self, field: &Pointer) -> Option<FieldPlace> {
        let tool = self.tool;
        // The names are empty where the field has fewer: the whole tool has none.
        let mut tokens = field.tokens();
        let first = tokens.next().unwrap_or(Text::Borrowed(""));
        let second = tokens.next().unwrap_or(Text::Borrowed(""));
        let own = match &*first {
            "" => Some(tool.at),
            "id" => Some(tool.id.at),
            "name" => place_of(&tool.name),
            "title" => place_of(&tool.title),
            "kind" => place_of(&tool.kind),
            "summary" => place_of(&tool.summary),
            "description" => place_of(&tool.description),
            "input_schema" => place_of(&tool.input_schema),
            "output_schema" => place_of(&tool.output_schema),
            "output_format" => place_of(&tool.output_format),
            "error_envelope" => place_of(&tool.error_envelope),
            "examples" => {
                let one = tool.examples.first()?;
                let parts =
                    [place_of(&one.description), place_of(&one.input), place_of(&one.output)];
                Some(first_of(parts).flatten())
            }
            "example_files" => first_element_place(&tool.example_files),
            "test_files" => first_element_place(&tool.test_files),
            "invocation" => {
                let call = tool.invocation.as_ref()?;
                Some(if call.at.is_some() { call.at } else { call_place(call) })
            }
            "implementations" => {
                let one = tool.implementations.first()?;
                let parts = [
                    place_of(&one.id),
                    place_of(&one.language),
                    place_of(&one.runtime),
                    place_of(&one.invocation),
                ];
                Some(first_of(parts).flatten())
            }
            "chain" => Some(tool.chain.first()?.tool.at),
            "timeout_ms" => place_of(&tool.timeout_ms),
            "scopes_used" => first_element_place(&tool.scopes_used),
            "side_effects" => place_of(&tool.side_effects),
            "idempotent" => place_of(&tool.idempotent),
            "requires_approval" => place_of(&tool.requires_approval),
            "trust" => place_of(&tool.trust),
            "enabled" => place_of(&tool.enabled),
            "channel" => place_of(&tool.channel),
            "auth" | "permissions" | "sandbox" | "origin" => part_place(tool, &first, &second),
            name => {
                let own = self.package_field_place(name, &second)?;
                return Some(FieldPlace { own, container: tool.package.at.or(tool.at) });
            }
        }?;
        Some(FieldPlace { own, container: tool.at })
    }

    /// Returns the place of a field of the package.
    fn package_field_place(&self, name: &str, inner: &str) -> DeclaredPlace {
        let package = &*self.tool.package;
        match name {
            "package" => place_of(&package.id),
            "version" => place_of(&package.version),
            "tags" => first_element_place(&package.tags),
            "labels" => first_element_place(&package.labels),
            "publisher" => {
                let Publisher { id, name, url, email } = &package.publisher;
                first_of([place_of(id), place_of(name), place_of(url), place_of(email)])
            }
            "homepage" => place_of(&package.homepage),
            "license" => place_of(&package.license),
            "support" => {
                let Support { issues_url, security_email, docs_url } = &package.support;
                first_of([place_of(issues_url), place_of(security_email), place_of(docs_url)])
            }
            "acquisition" => place_of(&package.acquisition),
            "env" => {
                let all = package.env.iter().map(|one| (one.name.as_ref(), one.name.at));
                self.env.get_or_init(|| all.collect()).get(inner).copied()
            }
            "scopes" => {
                let all = package.scopes.iter().map(|one| (one.resource.as_ref(), one.resource.at));
                self.scopes.get_or_init(|| all.collect()).get(inner).copied()
            }
            "smoke" => place_of(&package.smoke),
            "verify" => place_of(&package.verify),
            "revocation" => place_of(&package.revocation),
            "cost" => {
                let Cost { install_fee_cents: fee, monthly_fee_cents: monthly, .. } = &package.cost;
                let Cost { usage_model, estimate_url, payment, .. } = &package.cost;
                let parts = [place_of(usage_model), place_of(payment), place_of(estimate_url)];
                first_of([place_of(fee), place_of(monthly), first_of(parts)])
            }
            "data_boundary" => place_of(&package.data_boundary),
            _ => None,
        }
    }
}

/// Returns the place of a field inside a part of a tool.
fn part_place(tool: &ToolDescriptor<'_>, name: &str, inner: &str) -> DeclaredPlace {
    match (name, inner) {
        ("auth", "scheme") => place_of(&tool.auth.scheme),
        ("auth", "scopes") => first_element_place(&tool.auth.scopes),
        ("auth", "docs_url") => place_of(&tool.auth.docs_url),
        ("permissions", "network") => place_of(&tool.permissions.network),
        ("permissions", "hosts") => first_element_place(&tool.permissions.hosts),
        ("permissions", "filesystem") => place_of(&tool.permissions.filesystem),
        ("permissions", "devices") => first_element_place(&tool.permissions.devices),
        ("sandbox", "kind") => place_of(&tool.sandbox.kind),
        ("sandbox", _) => {
            let Sandbox { kind: _, cpu, memory } = &tool.sandbox;
            first_of([place_of(cpu), place_of(memory)])
        }
        ("origin", "digest") => place_of(&tool.origin.digest),
        ("origin", "signature") => place_of(&tool.origin.signature),
        ("origin", _) => {
            let Origin { source, url, path, digest: _, signature: _ } = &tool.origin;
            first_of([place_of(url), place_of(path), place_of(source)])
        }
        _ => None,
    }
}

#[allow(clippy::ref_option)] // callers need no `as_ref`
fn place_of<T>(field: &Option<Sourced<T>>) -> DeclaredPlace {
    Some(field.as_ref()?.at)
}

fn first_element_place<T>(list: &[Sourced<T>]) -> DeclaredPlace {
    Some(list.first()?.at)
}

/// Returns the first part with a place, or else the first declared part.
fn first_of<const N: usize>(parts: [DeclaredPlace; N]) -> DeclaredPlace {
    let placed = parts.iter().find(|part| matches!(part, Some(Some(_))));
    match placed {
        Some(part) => *part,
        None => parts.into_iter().flatten().next(),
    }
}

/// Returns a place inside a call.
fn call_place(call: &Invocation<'_>) -> Option<Place> {
    match call {
        Invocation::Command(command) => command.argv.first()?.at,
        Invocation::Http(http) => http.url.at,
        Invocation::McpTool(tool) => tool.tool.at,
        Invocation::RegistryTool(tool) => tool.registry.at,
        Invocation::Node(node) => node.main.at,
        Invocation::CommandLine(text) | Invocation::Python(text) | Invocation::A2a(text) => text.at,
    }
}
