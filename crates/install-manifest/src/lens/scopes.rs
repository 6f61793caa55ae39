//! Scopes: the declared ones, and the ones inferred from the permissions that the source's
//! host grants, from its calls, and from its credentials.

use std::collections::BTreeSet;

use manifest_core::descriptor::{Boundary, Filesystem, Invocation, Network, RiskProfile, Scope};
use manifest_core::format::{Slot, Writer};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

use super::call::is_from_manifest;
use super::fit;
use crate::conditions;
use crate::enums::Verb;

/// A scope that is inferred because the source expresses it differently.
struct InferredScope<'t, 'a> {
    resource: Text<'t>,
    verbs: Vec<Verb>,
    /// The places of the resource and the verbs.
    from: Vec<Place>,
    /// True if the places determine the value together, so that no single one decides it.
    joint: bool,
    why: &'static str,
    rationale: String,
    rationale_from: Vec<Place>,
    /// The provider's name of the scope, if it is also the resource.
    provider: Option<&'t Sourced<Text<'a>>>,
}

/// The maximum number of scopes in a manifest.
const MAX_SCOPES: usize = 32;

const ALLOWED: &str = "what the source's host allows is what the tool may use";
const CALLED: &str = "it follows from the call";
const SERVED: &str = "it follows from the URL of the server";
const BOTH: &str = "its call uses the network, and the source's host allows it";
const REASON: &str = "a scope has a reason, and the source gives none";

/// Writes the scopes. If the version has no data boundary, scopes express it.
pub(super) fn write(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, bounded: bool) {
    let said = &tool.package.scopes;
    let added = infer_scopes(tool, bounded);
    if said.is_empty() && added.is_empty() {
        return;
    }
    w.member("scopes").list(|w| {
        for scope in said {
            w.item().object(|w| write_declared(w, scope));
        }
        for reach in &added {
            w.item().object(|w| reach.write(w));
        }
    });
}

fn write_declared(w: &mut Writer<'_>, scope: &Scope<'_>) {
    let Scope { resource, actions, rationale, provider_scope } = scope;
    w.member("resource").copy(resource);
    w.copy_all("actions", actions);
    match rationale {
        Some(rationale) => w.member("rationale").copy(rationale),
        None => w.member("rationale").assume("The source does not say.", "it does not"),
    }
    w.copy("provider_scope", provider_scope.as_ref());
}

/// Writes the scopes that one action uses.
pub(super) fn write_used(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, bounded: bool) {
    let added = infer_scopes(tool, bounded);
    // In a manifest, an action without `scopes_used` uses all scopes.
    let all = added.is_empty() || is_from_manifest(&tool.package);
    if tool.scopes_used.is_empty() && all {
        return;
    }
    w.member("scopes_used").list(|w| {
        for used in &tool.scopes_used {
            w.item().copy(used);
        }
        for reach in &added {
            reach.write_resource(w.item());
        }
    });
}

/// Returns true if a declared or inferred scope is about private data.
pub(super) fn is_private(tool: &ToolDescriptor<'_>) -> bool {
    tool.package.scopes.iter().any(|scope| conditions::is_private(&scope.resource))
        || infer_scopes(tool, true).iter().any(|scope| conditions::is_private(&scope.resource))
}

impl InferredScope<'_, '_> {
    fn write(&self, w: &mut Writer<'_>) {
        self.write_resource(w.member("resource"));
        w.member("actions").list(|w| {
            for verb in &self.verbs {
                self.write_value(w.item(), verb.word());
            }
        });
        let rationale = fit::truncate(&self.rationale, 280).unwrap_or(&self.rationale);
        match self.rationale_from.as_slice() {
            [] => w.member("rationale").assume(rationale, REASON),
            from => w.member("rationale").approximate(rationale, from, REASON),
        }
        w.copy("provider_scope", self.provider);
    }

    fn write_resource(&self, slot: Slot<'_, '_>) {
        match self.provider {
            Some(scope) => slot.copy(scope),
            None => self.write_value(slot, &self.resource),
        }
    }

    fn write_value(&self, slot: Slot<'_, '_>, value: &str) {
        if self.joint {
            slot.approximate_joint(value, &self.from, self.why);
        } else {
            slot.approximate(value, &self.from, self.why);
        }
    }
}

/// Returns the scopes that the source does not declare as such: first those of the network,
/// files and devices, then those of credentials. A manifest declares all its scopes. Only
/// its data boundary adds some, if the target version does not support it.
fn infer_scopes<'t, 'a>(tool: &'t ToolDescriptor<'a>, bounded: bool) -> Vec<InferredScope<'t, 'a>> {
    let mut all = Vec::new();
    if !is_from_manifest(&tool.package) {
        all.extend(network(tool));
        all.extend(files(tool));
        all.extend(tool.permissions.devices.iter().map(device));
        all.extend(tool.auth.scopes.iter().map(credential));
    } else if !bounded {
        all = boundary(tool);
    }
    let said = &tool.package.scopes;
    let mut known: BTreeSet<String> = said.iter().map(|scope| scope.resource.to_string()).collect();
    let mut added = Vec::new();
    for scope in all {
        if said.len() + added.len() < MAX_SCOPES && known.insert(scope.resource.to_string()) {
            added.push(scope);
        }
    }
    added
}

/// Returns the scopes of network and files that a data boundary implies.
fn boundary<'t, 'a>(tool: &ToolDescriptor<'a>) -> Vec<InferredScope<'t, 'a>> {
    let Boundary { recipients, local_storage } = tool.package.boundary();
    let mut scopes = Vec::new();
    if !recipients.is_empty() {
        let (mut names, mut from) = (Vec::new(), Vec::new());
        for (host, at) in &recipients {
            names.push(host.as_deref().unwrap_or("others"));
            from.extend(*at);
        }
        let resource = unused_name(tool, "net.outbound", "net.data");
        let rationale = format!("It sends data to {}.", names.join(", "));
        scopes.push(boundary_scope(resource, Verb::Send, from, rationale));
    }
    if !local_storage.is_empty() {
        let resource = unused_name(tool, "fs.local", "fs.data");
        let from = local_storage.iter().flatten().copied().collect();
        let rationale = "It keeps data where it runs.".to_owned();
        scopes.push(boundary_scope(resource, Verb::Write, from, rationale));
    }
    scopes
}

/// Returns `name`, or `other` if a scope has that name. That scope may permit less, or only
/// other actions may use it.
fn unused_name(tool: &ToolDescriptor<'_>, name: &'static str, other: &'static str) -> &'static str {
    if tool.package.scopes.iter().any(|scope| scope.resource.value == name) { other } else { name }
}

fn boundary_scope<'t, 'a>(
    resource: &'static str,
    verb: Verb,
    from: Vec<Place>,
    rationale: String,
) -> InferredScope<'t, 'a> {
    InferredScope {
        resource: Text::Borrowed(resource),
        verbs: vec![verb],
        // With several places, no single one decides.
        joint: from.len() != 1,
        from: from.clone(),
        why: "where data goes has no word before 0.3",
        rationale,
        rationale_from: from,
        provider: None,
    }
}

fn network<'t, 'a>(tool: &ToolDescriptor<'a>) -> Option<InferredScope<'t, 'a>> {
    let hosts = RiskProfile::of(tool).network.value()?.clone();
    let permissions = &tool.permissions;
    let allowed = match &permissions.network {
        Some(network) if network.value == Network::Allowlist => Some(network),
        _ => None,
    };
    let called = tool.sourced_call_urls();
    let (rationale, rationale_from) = match (allowed, called.as_slice()) {
        (Some(allowed), _) => {
            let (list, mut from) = list_hosts(&permissions.hosts);
            from.extend(allowed.at);
            (format!("The source's host lets it reach {list}."), from)
        }
        (None, [(url, _)]) if hosts.names.len() == 1 && tool.implementations.is_empty() => {
            let host = hosts.names.concat();
            let says = if is_served(tool) { "The server is at" } else { "Its call goes to" };
            (format!("{says} {host}."), url.at.into_iter().collect())
        }
        (None, [(url, _)]) if is_served(tool) => {
            ("The server is at a URL.".to_owned(), url.at.into_iter().collect())
        }
        _ => ("Its calls reach the network.".to_owned(), Vec::new()),
    };
    let mut from: Vec<Place> = Vec::new();
    let why = match (allowed, called.as_slice()) {
        (Some(_), []) => ALLOWED,
        (Some(_), _) => BOTH,
        (None, [_]) if is_served(tool) => SERVED,
        (None, _) => CALLED,
    };
    if let (None, [(url, call)]) = (allowed, called.as_slice()) {
        from.extend(*call);
        // If an implementation makes the call, any URL has the same effect, so its place is
        // dropped.
        if tool.implementations.is_empty() && url.at != *call {
            from.extend(url.at);
        }
    } else {
        from.extend(allowed.and_then(|allowed| allowed.at));
        for (url, call) in &called {
            from.extend(url.at);
            from.extend(*call);
        }
    }
    Some(InferredScope {
        resource: Text::Borrowed("net.outbound"),
        verbs: vec![Verb::Read, Verb::Send],
        // With several reasons, no single one decides.
        joint: usize::from(allowed.is_some()) + called.len() != 1,
        from,
        why,
        rationale,
        rationale_from,
        provider: None,
    })
}

/// Returns true if a tool belongs to a server at a URL, even if its call is unknown.
fn is_served(tool: &ToolDescriptor<'_>) -> bool {
    let call = tool.invocation.as_deref();
    tool.implementations.is_empty() && matches!(call, None | Some(Invocation::McpTool(_)))
}

/// Returns a text that lists hosts, and the places of the hosts that it names.
fn list_hosts(hosts: &[Sourced<Text<'_>>]) -> (String, Vec<Place>) {
    const ROOM: usize = 200;
    let (mut list, mut from) = (String::new(), Vec::new());
    let mut left = hosts.len();
    for host in hosts {
        if list.chars().count() + host.chars().count() > ROOM {
            break;
        }
        list.push_str(if list.is_empty() { "" } else { ", " });
        list.push_str(host);
        from.extend(host.at);
        left -= 1;
    }
    // A host includes its sub-domains.
    let bare = hosts.iter().any(|host| !host.contains("://") && !host.starts_with("*."));
    let below = if bare { ", with sub-domains" } else { "" };
    match (list.is_empty(), left) {
        (true, _) => ("the network".to_owned(), Vec::new()),
        (false, 0) => (format!("{list}{below}"), from),
        (false, more) => (format!("{list} and {more} more{below}"), from),
    }
}

fn files<'t, 'a>(tool: &ToolDescriptor<'a>) -> Option<InferredScope<'t, 'a>> {
    let allowed = tool.permissions.filesystem.as_ref()?;
    let (verbs, rationale) = match allowed.value {
        Filesystem::None => return None,
        Filesystem::Read => (vec![Verb::Read], "The source's host lets it read files."),
        Filesystem::Write => {
            let rationale = "The source's host lets it read and write files.";
            (vec![Verb::Read, Verb::Write], rationale)
        }
    };
    Some(InferredScope {
        resource: Text::Borrowed("fs.local"),
        verbs,
        from: allowed.at.into_iter().collect(),
        joint: false,
        why: ALLOWED,
        rationale: rationale.to_owned(),
        rationale_from: allowed.at.into_iter().collect(),
        provider: None,
    })
}

fn device<'t, 'a>(device: &'t Sourced<Text<'a>>) -> InferredScope<'t, 'a> {
    InferredScope {
        resource: Text::Owned(format!("device.{}", device.value)),
        verbs: vec![Verb::Execute],
        from: device.at.into_iter().collect(),
        joint: false,
        why: ALLOWED,
        rationale: format!("The source's host lets it use {}.", device.value),
        rationale_from: device.at.into_iter().collect(),
        provider: None,
    }
}

fn credential<'t, 'a>(scope: &'t Sourced<Text<'a>>) -> InferredScope<'t, 'a> {
    let name: &str = scope;
    let last = name.rsplit_once(['.', ':', '/']).map_or(name, |(_, last)| last);
    InferredScope {
        resource: Text::Borrowed(scope.as_ref()),
        verbs: vec![Verb::from_word(last).unwrap_or(Verb::Admin)],
        from: scope.at.into_iter().collect(),
        joint: false,
        why: "what the scope lets a tool do is taken from its name",
        rationale: "The credentials of a call must grant this.".to_owned(),
        rationale_from: Vec::new(),
        provider: Some(scope),
    }
}
