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
    let caution = RiskProfile::of(tool);
    let Permissions { network, hosts: _, filesystem, devices } = &tool.permissions;
    let reach = caution.network.value().map(|_| NetworkEvidence::of(tool));
    match (&reach, network) {
        (Some(NetworkEvidence { allowlist: Some(allowed), .. }), _) => {
            w.member("network").copy(allowed);
        }
        (Some(reach), _) => {
            let why = "it uses the network, and that is a list of hosts here";
            let (slot, says) = (w.member("network"), reach.place_groups());
            write_implied(slot, "allowlist", &says, why);
        }
        (None, _) if gateway.is_some() => w.member("network").bridge("allowlist"),
        (None, Some(denied)) => w.member("network").copy(denied),
        (None, None) => w.member("network").assume("deny", NETWORK_UNKNOWN),
    }
    match (caution.files.value(), filesystem) {
        (None, Some(none)) => w.member("filesystem").copy(none),
        (None, None) => w.member("filesystem").assume("none", FILES_UNKNOWN),
        (Some(widest), Some(said)) if said.value == *widest => w.member("filesystem").copy(said),
        (Some(widest), _) => {
            let why = "the widest that the source says of files";
            let (says, joint) = file_access_places(tool, *widest);
            match says.as_slice() {
                [places] if !joint => {
                    w.member("filesystem").approximate(widest.word(), places, why);
                }
                says => {
                    w.member("filesystem").approximate_joint(widest.word(), &says.concat(), why);
                }
            }
        }
    }
    if caution.devices.is_unknown() {
        w.member("devices").assume(&Raw::from_static("[]"), DEVICES_UNKNOWN);
    } else {
        w.member("devices").list(|w| {
            devices.iter().filter(|device| is_plain_text(device)).for_each(|d| w.item().copy(d));
            write_devices(w, tool);
        });
    }
    if reach.is_some() || gateway.is_some() {
        w.member("network_allowlist").list(|w| {
            if let Some(reach) = &reach {
                reach.write_hosts(w, tool);
            }
            if let Some(gateway) = gateway {
                w.item().bridge(gateway);
            }
        });
    }
}

/// Writes a value that each group of places implies by itself. If there are several groups,
/// no single place decides the value.
fn write_implied(slot: Slot<'_, '_>, value: &str, says: &[Vec<Place>], why: &'static str) {
    match says {
        [places] => slot.approximate(value, places, why),
        says => slot.approximate_joint(value, &says.concat(), why),
    }
}

fn write_devices(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let declared = tool.used_scopes_of(Scope::DEVICES).into_iter();
    let declared = declared.map(|(scope, places)| (scope.resource.as_ref(), places));
    let used = tool.undeclared_resources_of(Scope::DEVICES).into_iter();
    let used = used.map(|used| (used.as_ref(), used.at.into_iter().collect()));
    let mut devices: Vec<(&str, Vec<Vec<Place>>)> = Vec::new();
    let mut known = BTreeMap::new();
    for (resource, places) in declared.chain(used) {
        let device = Some(Scope::device(resource)).filter(|device| is_plain_text(device));
        let device = device.unwrap_or(UNKNOWN_NAME);
        let at = *known.entry(device).or_insert(devices.len());
        match devices.get_mut(at) {
            Some((_, says)) => says.push(places),
            None => devices.push((device, vec![places])),
        }
    }
    for (device, says) in devices {
        write_implied(w.item(), device, &says, "a scope names it");
    }
}

/// Returns the groups of places that imply the widest access to files. Also returns true if
/// one group implies it more than once.
fn file_access_places(tool: &ToolDescriptor<'_>, widest: Filesystem) -> (Vec<Vec<Place>>, bool) {
    let mut joint = false;
    let says = |(scope, mut places): (&Scope<'_>, Vec<Place>)| {
        let verbs = scope.actions.iter().filter(|verb| Scope::file_access_of(verb) == widest);
        let verbs: Vec<&Sourced<Text<'_>>> = verbs.collect();
        if widest == Filesystem::Read {
            // If the resource were not declared, its use would count as writing.
            places.extend(scope.resource.at.filter(|at| !places.contains(at)));
        }
        // If two actions imply the same, neither decides it alone.
        joint |= verbs.len() > 1;
        places.extend(verbs.iter().filter_map(|verb| verb.at));
        places
    };
    let scopes = tool.used_scopes_of(Scope::FILES).into_iter();
    let scopes = scopes.filter(|(scope, _)| scope.file_access() == Some(widest)).map(says);
    // The actions on undeclared resources are unknown, so they may write.
    let used = tool.undeclared_resources_of(Scope::FILES).into_iter();
    // A tool that stores data writes files.
    let kept = tool.package.boundary().local_storage.into_iter().map(|at| at.into_iter().collect());
    let used = used.map(|used| used.at.into_iter().collect());
    let says = scopes.chain(used).chain(kept).collect();
    (says, joint)
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
        let listed = tool.permissions.network.as_ref();
        let scopes = tool.used_scopes_of(Scope::NETWORK).into_iter().map(|(_, places)| places);
        let used = tool.undeclared_resources_of(Scope::NETWORK).into_iter();
        let scopes = scopes.chain(used.map(|used| used.at.into_iter().collect()));
        Self {
            allowlist: listed.filter(|network| network.value == Network::Allowlist),
            scopes: scopes.collect(),
            recipients: tool.package.boundary().recipients,
            calls: tool.sourced_call_urls(),
        }
    }

    /// Returns the groups of places that imply use of the network: scopes, recipients of
    /// data, and calls.
    fn place_groups(&self) -> Vec<Vec<Place>> {
        let mut says = self.scopes.clone();
        says.extend(self.recipients.iter().map(|(_, at)| at.iter().copied().collect()));
        says.extend(self.calls.iter().map(|(_, at)| at.iter().copied().collect()));
        says
    }

    /// Writes the hosts: listed ones, recipients of data and those of calls. Hosts without
    /// a known name share one placeholder.
    fn write_hosts(&self, w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let listed = if self.allowlist.is_some() { tool.permissions.hosts.as_slice() } else { &[] };
        for host in listed.iter().filter(|host| is_plain_text(host)) {
            seen.insert(host.to_string());
            w.item().copy(host);
        }
        let sent =
            self.recipients.iter().map(|(host, at)| (host.clone(), [*at, None], RECIPIENT_REASON));
        let host_of = |address: &str| url::check_http(address).map(|url| url.normal_host()).ok();
        let hosts: Vec<_> = self.calls.iter().map(|(address, _)| host_of(address)).collect();
        let mut calls: BTreeMap<&Option<String>, usize> = BTreeMap::new();
        for host in &hosts {
            *calls.entry(host).or_default() += 1;
        }
        let called = self.calls.iter().zip(&hosts).map(|((address, call), host)| {
            // If two calls go to the same host, it is listed even without one of them.
            let only = calls.get(host) == Some(&1) && address.at != *call;
            (host.clone(), [address.at, call.filter(|_| only)], CALL_REASON)
        });
        let mut nameless = self.scopes.clone();
        for (host, at, why) in sent.chain(called) {
            let at: Vec<Place> = at.into_iter().flatten().collect();
            match host.filter(|host| is_plain_text(host)) {
                Some(host) if seen.contains(&host) => {}
                Some(host) => {
                    w.item().approximate(&host, &at, why);
                    seen.insert(host);
                }
                None => nameless.push(at),
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
pub(super) fn write_secrets(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    let fits =
        |variable: &&EnvVar<'_>| own || (variable.is_secret() && is_secret_name(&variable.name));
    let variables: Vec<&EnvVar<'_>> = tool.package.env.iter().filter(fits).collect();
    let scheme = tool.auth.scheme.as_ref();
    let nameless = scheme.and_then(|scheme| match scheme.as_ref() {
        "bearer" => Some(("BEARER_TOKEN", scheme)),
        "api_key" => Some(("API_KEY", scheme)),
        _ => None,
    });
    let nameless = nameless.filter(|_| variables.is_empty());
    if variables.is_empty() && nameless.is_none() {
        return;
    }
    w.member("secrets").list(|w| {
        for variable in variables {
            w.item().object(|w| write_secret(w, variable, tool));
        }
        if let Some((name, scheme)) = nameless {
            let why = "calls need a secret, and nobody names it";
            w.item().object(|w| {
                w.member("name").approximate(name, scheme.at.as_slice(), why);
                let place = format!("env://{name}");
                w.member("ref").approximate(&place, scheme.at.as_slice(), why);
            });
        }
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
    let fits = |place: &&Sourced<Text<'_>>| {
        grammar::is_secret_reference(place) && secret::find_named(name, place).is_none()
    };
    if let Some(reference) = reference.as_ref().filter(fits) {
        w.member("ref").copy(reference);
    } else {
        // The flag decides if the variable is listed at all.
        let flag_at = flag.as_ref().and_then(|flag| flag.at);
        let places: Vec<Place> = name.at.into_iter().chain(flag_at).collect();
        let place = format!("env://{}", escape_invisible(name));
        match (flag, flag_at) {
            (Some(_), Some(_)) => w.member("ref").equivalent(&place, &places),
            (Some(_), None) => {
                let why = "the source does not say where it is kept: this is its name";
                w.member("ref").approximate(&place, &places, why);
            }
            (None, _) => w.member("ref").approximate(&place, &places, unknown),
        }
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
