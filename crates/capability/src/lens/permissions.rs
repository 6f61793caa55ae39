//! Lowers permissions and secrets.
//!
//! The target declares the access that the source declares or its call implies, and grants
//! no more. Unknown access is denied, because the host treats that most strictly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use manifest_core::descriptor::{
    EnvVar, Filesystem, Network, Permissions, RiskProfile, Scope, UNKNOWN_NAME,
};
use manifest_core::format::{Slot, ToolContext, Writer};
use manifest_core::json::Raw;
use manifest_core::{Place, Sourced, Text, ToolDescriptor, is_plain_text, secret, url};

use crate::grammar;

/// Writes the permissions of a tool.
pub(super) fn write_permissions(w: &mut Writer<'_>, lowered: &ToolContext<'_, '_>) {
    if lowered.context.same_format {
        copy_permissions(w, &lowered.tool.permissions);
    } else {
        derive_permissions(w, lowered.tool, lowered.gateway_origin().as_deref());
    }
}

/// Writes permissions for the source's own format.
fn copy_permissions(w: &mut Writer<'_>, permissions: &Permissions<'_>) {
    let Permissions { network, hosts, filesystem, devices } = permissions;
    match network {
        Some(network) => w.member("network").copy(network),
        None => w.member("network").assume("deny", NETWORK_UNKNOWN),
    }
    match filesystem {
        Some(files) => w.member("filesystem").copy(files),
        None => w.member("filesystem").assume("none", FILES_UNKNOWN),
    }
    if devices.is_empty() {
        w.member("devices").assume(&Raw::from_static("[]"), DEVICES_UNKNOWN);
    }
    w.copy_all("devices", devices);
    w.copy_all("network_allowlist", hosts);
}

const NETWORK_UNKNOWN: &str = "the source does not say whether it uses the network";
const FILES_UNKNOWN: &str = "the source does not say what it does with files";
const DEVICES_UNKNOWN: &str = "the source does not say which devices it uses";

/// Writes permissions by the risk profile of a tool.
fn derive_permissions(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, gateway: Option<&str>) {
    let profile = RiskProfile::of(tool);
    let evidence = profile.network.value().map(|_| NetworkEvidence::of(tool));
    write_network(w, tool, evidence.as_ref(), gateway);
    write_filesystem(w, tool, profile.files.value().copied());
    if profile.devices.is_unknown() {
        w.member("devices").assume(&Raw::from_static("[]"), DEVICES_UNKNOWN);
    } else {
        w.member("devices").list(|w| write_devices(w, tool));
    }
    if evidence.is_some() || gateway.is_some() {
        w.member("network_allowlist").list(|w| {
            if let Some(evidence) = &evidence {
                evidence.write_hosts(w, tool);
            }
            if let Some(gateway) = gateway {
                w.item().bridge(gateway);
            }
        });
    }
}

fn write_network(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    evidence: Option<&NetworkEvidence<'_, '_>>,
    gateway: Option<&str>,
) {
    let slot = w.member("network");
    if let Some(evidence) = evidence {
        if let Some(allowlist) = evidence.allowlist {
            return slot.copy(allowlist);
        }
        let why = "it uses the network, and that is a list of hosts here";
        return write_implied(slot, "allowlist", &evidence.place_groups(), why);
    }
    if gateway.is_some() {
        return slot.bridge("allowlist");
    }
    match &tool.permissions.network {
        Some(denied) => slot.copy(denied),
        None => slot.assume("deny", NETWORK_UNKNOWN),
    }
}

/// Writes the access to files. `widest` is the widest access that the tool declares or
/// implies.
fn write_filesystem(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, widest: Option<Filesystem>) {
    let slot = w.member("filesystem");
    let Some(widest) = widest else {
        return match &tool.permissions.filesystem {
            Some(none) => slot.copy(none),
            None => slot.assume("none", FILES_UNKNOWN),
        };
    };
    if let Some(declared) = &tool.permissions.filesystem
        && declared.value == widest
    {
        return slot.copy(declared);
    }
    let why = "the widest that the source says of files";
    let (groups, is_joint) = file_access_places(tool, widest);
    if is_joint {
        slot.approximate_joint(widest.word(), &groups.concat(), why);
    } else {
        write_implied(slot, widest.word(), &groups, why);
    }
}

/// Writes a value that each group of places implies by itself. If there are several groups,
/// no single place decides the value.
fn write_implied(slot: Slot<'_, '_>, value: &str, groups: &[Vec<Place>], why: &'static str) {
    match groups {
        [places] => slot.approximate(value, places, why),
        groups => slot.approximate_joint(value, &groups.concat(), why),
    }
}

/// Writes the devices of the source, then those that its scopes imply. Each implied device
/// is written once, with all scopes that imply it.
fn write_devices(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    for device in &tool.permissions.devices {
        if is_plain_text(device) {
            w.item().copy(device);
        }
    }
    let mut implied: Vec<(&str, Vec<Place>)> = Vec::new();
    for (scope, places) in tool.used_scopes_of(Scope::DEVICES) {
        implied.push((scope.resource.as_ref(), places));
    }
    for used in tool.undeclared_resources_of(Scope::DEVICES) {
        implied.push((used.as_ref(), used.at.into_iter().collect()));
    }
    let mut devices: Vec<(&str, Vec<Vec<Place>>)> = Vec::new();
    let mut indices = BTreeMap::new();
    for (resource, places) in implied {
        let device = Scope::device(resource);
        let device = if is_plain_text(device) { device } else { UNKNOWN_NAME };
        let index = *indices.entry(device).or_insert(devices.len());
        match devices.get_mut(index) {
            Some((_, groups)) => groups.push(places),
            None => devices.push((device, vec![places])),
        }
    }
    for (device, groups) in devices {
        write_implied(w.item(), device, &groups, "a scope names it");
    }
}

/// Returns the groups of places that imply the widest access to files. Also returns true if
/// one group implies it more than once.
fn file_access_places(tool: &ToolDescriptor<'_>, widest: Filesystem) -> (Vec<Vec<Place>>, bool) {
    let mut groups = Vec::new();
    let mut is_joint = false;
    for (scope, mut places) in tool.used_scopes_of(Scope::FILES) {
        if scope.file_access() != Some(widest) {
            continue;
        }
        if let Some(at) = scope.resource.at
            && widest == Filesystem::Read
            && !places.contains(&at)
        {
            // If the resource were not declared, its use would count as writing.
            places.push(at);
        }
        let mut verb_count = 0;
        for verb in &scope.actions {
            if Scope::file_access_of(verb) == widest {
                verb_count += 1;
                places.extend(verb.at);
            }
        }
        // If two actions imply the same, neither decides it alone.
        is_joint |= verb_count > 1;
        groups.push(places);
    }
    // The actions on undeclared resources are unknown, so they may write.
    for used in tool.undeclared_resources_of(Scope::FILES) {
        groups.push(used.at.into_iter().collect());
    }
    // A tool that stores data writes files.
    for at in tool.package.boundary().local_storage {
        groups.push(at.into_iter().collect());
    }
    (groups, is_joint)
}

/// The evidence that a tool uses the network.
struct NetworkEvidence<'t, 'a> {
    /// The declared limit to a list of hosts.
    allowlist: Option<&'t Sourced<Network>>,
    /// The places of each scope for the network.
    scopes: Vec<Vec<Place>>,
    /// The recipients of its data: the host if it is known, and the place.
    recipients: Vec<(Option<String>, Option<Place>)>,
    /// The URLs of its calls, each with the place that makes it a network call.
    calls: Vec<(&'t Sourced<Text<'a>>, Option<Place>)>,
}

impl<'t, 'a> NetworkEvidence<'t, 'a> {
    fn of(tool: &'t ToolDescriptor<'a>) -> Self {
        let mut scopes = Vec::new();
        for (_, places) in tool.used_scopes_of(Scope::NETWORK) {
            scopes.push(places);
        }
        for used in tool.undeclared_resources_of(Scope::NETWORK) {
            scopes.push(used.at.into_iter().collect());
        }
        let declared = tool.permissions.network.as_ref();
        Self {
            allowlist: declared.filter(|network| network.value == Network::Allowlist),
            scopes,
            recipients: tool.package.boundary().recipients,
            calls: tool.sourced_call_urls(),
        }
    }

    /// Returns the groups of places that imply use of the network: scopes, recipients of
    /// data, and calls.
    fn place_groups(&self) -> Vec<Vec<Place>> {
        let mut groups = self.scopes.clone();
        for (_, at) in &self.recipients {
            groups.push(at.iter().copied().collect());
        }
        for (_, at) in &self.calls {
            groups.push(at.iter().copied().collect());
        }
        groups
    }

    /// Returns the hosts that data or calls are sent to: the name if it is known, the
    /// places, and the reason for listing it.
    fn implied_hosts(&self) -> Vec<(Option<String>, Vec<Place>, &'static str)> {
        let mut implied = Vec::new();
        for (host, at) in &self.recipients {
            implied.push((host.clone(), at.iter().copied().collect(), RECIPIENT_REASON));
        }
        let mut hosts: Vec<Option<String>> = Vec::new();
        let mut counts: BTreeMap<Option<String>, usize> = BTreeMap::new();
        for (address, _) in &self.calls {
            let host = url::check_http(address).ok().map(|url| url.normal_host());
            *counts.entry(host.clone()).or_default() += 1;
            hosts.push(host);
        }
        for ((address, call), host) in self.calls.iter().zip(hosts) {
            let mut places: Vec<Place> = address.at.into_iter().collect();
            // If two calls go to the same host, it is listed even without one of them.
            if counts.get(&host) == Some(&1) && address.at != *call {
                places.extend(*call);
            }
            implied.push((host, places, CALL_REASON));
        }
        implied
    }

    /// Writes the hosts: listed ones, recipients of data and those of calls. Hosts without
    /// a known name share one placeholder.
    fn write_hosts(&self, w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        if self.allowlist.is_some() {
            for host in &tool.permissions.hosts {
                if is_plain_text(host) {
                    seen.insert(host.to_string());
                    w.item().copy(host);
                }
            }
        }
        let mut nameless = self.scopes.clone();
        for (host, places, why) in self.implied_hosts() {
            match host {
                Some(host) if is_plain_text(&host) => {
                    if !seen.contains(&host) {
                        w.item().approximate(&host, &places, why);
                        seen.insert(host);
                    }
                }
                _ => nameless.push(places),
            }
        }
        if seen.is_empty() || !nameless.is_empty() {
            let why = "it reaches hosts that nobody names; this one stands for them, and is none";
            write_implied(w.item(), UNKNOWN_NAME, &nameless, why);
        }
    }
}

const RECIPIENT_REASON: &str =
    "the source says that data is sent there; its sub-domains are allowed with it";
const CALL_REASON: &str = "only the host of the URL; its sub-domains are allowed with it";

/// Returns true if a secret can have this name.
fn is_secret_name(name: &str) -> bool {
    !name.is_empty() && is_plain_text(name)
}

/// Returns the secrets whose names are invalid in this format.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let env = tool.package.env.iter();
    env.filter(|variable| variable.is_secret() && !is_secret_name(&variable.name)).collect()
}

/// Writes the secrets of a tool, each with a reference to its value.
pub(super) fn write_secrets(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, same_format: bool) {
    let mut secrets = Vec::new();
    for variable in &tool.package.env {
        if same_format || (variable.is_secret() && is_secret_name(&variable.name)) {
            secrets.push(variable);
        }
    }
    if !secrets.is_empty() {
        w.member("secrets").list(|w| {
            for secret in secrets {
                w.item().object(|w| write_secret(w, secret, tool));
            }
        });
        return;
    }
    let Some(scheme) = &tool.auth.scheme else { return };
    let name = match scheme.as_ref() {
        "bearer" => "BEARER_TOKEN",
        "api_key" => "API_KEY",
        _ => return,
    };
    w.member("secrets").list(|w| {
        let why = "calls need a secret, and nobody names it";
        w.item().object(|w| {
            w.member("name").approximate(name, scheme.at.as_slice(), why);
            let reference = format!("env://{name}");
            w.member("ref").approximate(&reference, scheme.at.as_slice(), why);
        });
    });
}

fn write_secret(w: &mut Writer<'_>, variable: &EnvVar<'_>, tool: &ToolDescriptor<'_>) {
    let EnvVar {
        name,
        secret: flag,
        reference,
        // The format has no members for these.
        prompt: _,
        required: _,
        pattern: _,
        default: _,
        obtain_url: _,
    } = variable;
    let unknown = if tool.has_single_credential() {
        "the source does not call it a secret, but calls are authenticated by it"
    } else {
        "the source does not say whether it is a secret, and here it must be given"
    };
    match flag {
        Some(_) => w.member("name").copy(name),
        None => w.member("name").approximate(&name.value, name.at.as_slice(), unknown),
    }
    if let Some(reference) = reference
        && grammar::is_secret_reference(reference)
        && secret::find_named(name, reference).is_none()
    {
        return w.member("ref").copy(reference);
    }
    // The flag decides if the variable is listed at all.
    let flag_at = flag.as_ref().and_then(|flag| flag.at);
    let places: Vec<Place> = name.at.into_iter().chain(flag_at).collect();
    let reference = format!("env://{}", escape_invisible(name));
    let slot = w.member("ref");
    if flag.is_none() {
        slot.approximate(&reference, &places, unknown);
    } else if flag_at.is_some() {
        slot.equivalent(&reference, &places);
    } else {
        let why = "the source does not say where it is kept: this is its name";
        slot.approximate(&reference, &places, why);
    }
}

/// Percent-encodes white space and control characters, which a reference must not contain.
fn escape_invisible(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                // Writing to a string does not fail.
                let _ = write!(text, "%{byte:02X}");
            }
        } else {
            text.push(c);
        }
    }
    text
}
