//! What a tool may reach: permissions and secrets.
//!
//! What a source declares, or its call implies, is declared here; nothing that it was
//! not granted is granted. What nobody says is denied, which the host takes most
//! strictly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use manifest_core::convert::{UNKNOWN_HOST, Writer};
use manifest_core::descriptor::{Caution, EnvVar, Filesystem, Network, Permissions, Scope};
use manifest_core::json::Raw;
use manifest_core::{Place, Sourced, Text, ToolDescriptor, is_plain_text, secret, url};

use crate::grammar;

/// Permissions as the source's own format has them.
pub(super) fn own_permissions(w: &mut Writer<'_>, permissions: &Permissions<'_>) {
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
        w.member("devices").assume(&Raw::constant("[]"), DEVICES_UNKNOWN);
    }
    w.copy_all("devices", devices);
    w.copy_all("network_allowlist", hosts);
}

const NETWORK_UNKNOWN: &str = "the source does not say whether it uses the network";
const FILES_UNKNOWN: &str = "the source does not say what it does with files";
const DEVICES_UNKNOWN: &str = "the source does not say which devices it uses";

/// Permissions by what is known of a tool.
pub(super) fn permissions(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let caution = Caution::of(tool);
    let Permissions { network, hosts: _, filesystem, devices } = &tool.permissions;
    let reach = caution.network.value().map(|_| Reach::of(tool));
    match (&reach, network) {
        (Some(Reach { listed: Some(allowed), .. }), _) => w.member("network").copy(allowed),
        (Some(reach), _) => {
            let why = "it uses the network, and that is a list of hosts here";
            w.member("network").approximate("allowlist", &reach.decide(), why);
        }
        (None, Some(denied)) => w.member("network").copy(denied),
        (None, None) => w.member("network").assume("deny", NETWORK_UNKNOWN),
    }
    match (caution.files.value(), filesystem) {
        (None, Some(none)) => w.member("filesystem").copy(none),
        (None, None) => w.member("filesystem").assume("none", FILES_UNKNOWN),
        (Some(widest), Some(said)) if said.value == *widest => w.member("filesystem").copy(said),
        (Some(widest), _) => {
            let why = "the widest that a scope of files says";
            w.member("filesystem").approximate(widest, &files_decide(tool, *widest), why);
        }
    }
    if caution.devices.is_unknown() {
        w.member("devices").assume(&Raw::constant("[]"), DEVICES_UNKNOWN);
    } else {
        w.member("devices").list(|w| {
            devices.iter().filter(|device| is_plain_text(device)).for_each(|d| w.item().copy(d));
            write_devices(w, tool);
        });
    }
    if let Some(reach) = reach {
        w.member("network_allowlist").list(|w| reach.write(w, tool));
    }
}

fn write_devices(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let mut seen = BTreeSet::new();
    let declared = tool.scopes_of(Scope::DEVICES);
    let declared = declared.into_iter().map(|(scope, places)| (scope.device(), places));
    let used = tool.undeclared(Scope::DEVICES);
    let used = used.into_iter().map(|one| (Scope::device_of(one), one.at.into_iter().collect()));
    for (device, places) in declared.chain(used) {
        let device = Some(device).filter(|device| is_plain_text(device)).unwrap_or("any");
        if seen.insert(device) {
            w.item().approximate(device, &places, "a scope names it");
        }
    }
}

/// The places that each decide how far a tool reaches into files. Where two scopes or
/// two verbs say the same, neither does.
fn files_decide(tool: &ToolDescriptor<'_>, widest: Filesystem) -> Vec<Place> {
    // Nobody says what is done with what is not declared: it may be written.
    let used = tool.undeclared(Scope::FILES);
    let mut used = used.into_iter().filter(|_| widest == Filesystem::Write);
    let scopes = tool.scopes_of(Scope::FILES);
    let mut widest_scopes = scopes.into_iter().filter(|(scope, _)| scope.files() == Some(widest));
    let (scope, mut places) = match (widest_scopes.next(), used.next()) {
        (Some(scope), None) => scope,
        (None, Some(only)) if used.next().is_none() => return only.at.into_iter().collect(),
        _ => return Vec::new(),
    };
    if widest_scopes.next().is_some() {
        return Vec::new();
    }
    if widest == Filesystem::Read {
        // Were it not declared, it would be more than reading.
        places.extend(scope.resource.at);
    }
    let mut verbs = scope.actions.iter().filter(|verb| Scope::file_verb(verb) == widest);
    if let (Some(verb), None) = (verbs.next(), verbs.next()) {
        places.extend(verb.at);
    }
    places
}

/// What says that a tool uses the network.
struct Reach<'t, 'a> {
    /// The source limits it to a list.
    listed: Option<&'t Sourced<Network>>,
    /// The places of each scope that says so.
    scopes: Vec<Vec<Place>>,
    /// The URLs of its calls.
    addresses: Vec<&'t Sourced<Text<'a>>>,
    /// What says that it is called over the network, where one place does.
    called: Option<Place>,
}

impl<'t, 'a> Reach<'t, 'a> {
    fn of(tool: &'t ToolDescriptor<'a>) -> Self {
        let listed = tool.permissions.network.as_ref();
        let scopes = tool.scopes_of(Scope::NETWORK).into_iter().map(|(_, places)| places);
        let used = tool.undeclared(Scope::NETWORK).into_iter();
        let scopes = scopes.chain(used.map(|one| one.at.into_iter().collect()));
        let only = tool.implementations.is_empty();
        Self {
            listed: listed.filter(|network| network.value == Network::Allowlist),
            scopes: scopes.collect(),
            addresses: tool.addresses(),
            called: tool.invocation.as_ref().filter(|_| only).and_then(|call| call.at),
        }
    }

    /// The places that each decide whether the network is used. Where two say so,
    /// neither does.
    fn decide(&self) -> Vec<Place> {
        match (self.scopes.as_slice(), self.addresses.is_empty()) {
            ([scope], true) => scope.clone(),
            ([], false) => self.called.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The hosts: those that the source lists, those of its calls, and one for those
    /// that nobody names.
    fn write(&self, w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let listed = if self.listed.is_some() { tool.permissions.hosts.as_slice() } else { &[] };
        for host in listed.iter().filter(|host| is_plain_text(host)) {
            seen.insert(host.to_string());
            w.item().copy(host);
        }
        let mut nameless = self.scopes.clone();
        let requests = tool.requests();
        let host = |address: &str| url::check_http(address).map(|url| url.normal_host()).ok();
        let mut calls: BTreeMap<String, usize> = BTreeMap::new();
        for host in requests.iter().filter_map(|(address, _)| host(address)) {
            *calls.entry(host).or_default() += 1;
        }
        for (address, call) in &requests {
            match host(address).filter(|host| is_plain_text(host)) {
                Some(host) if seen.contains(&host) => {}
                Some(host) => {
                    // Where two calls go there, the kind of one does not decide.
                    let call = call.filter(|_| calls.get(&host) == Some(&1));
                    let places: Vec<Place> = address.at.into_iter().chain(call).collect();
                    w.item().approximate(&host, &places, "only the host of the URL");
                    seen.insert(host);
                }
                None => nameless.push(address.at.into_iter().collect()),
            }
        }
        if seen.is_empty() || !nameless.is_empty() {
            // Where two say so, neither decides.
            let places = if let [places] = nameless.as_slice() { places.as_slice() } else { &[] };
            let why = "it reaches hosts that nobody names; this one stands for them, and is none";
            w.item().approximate(UNKNOWN_HOST, places, why);
        }
    }
}

/// The secrets that a tool is given, by where they are kept.
pub(super) fn secrets(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    let fits = |variable: &&EnvVar<'_>| {
        let name = &variable.name;
        own || (variable.is_secret() && !name.is_empty() && is_plain_text(name))
    };
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
            w.item().object(|w| write_secret(w, variable));
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

fn write_secret(w: &mut Writer<'_>, variable: &EnvVar<'_>) {
    let EnvVar {
        name,
        secret: flag,
        reference,
        // No home here.
        prompt: _,
        required: _,
        pattern: _,
        default: _,
        obtain_url: _,
    } = variable;
    w.member("name").copy(name);
    let fits = |place: &&Sourced<Text<'_>>| {
        grammar::is_secret_reference(place) && secret::find_named(name, place).is_none()
    };
    if let Some(reference) = reference.as_ref().filter(fits) {
        w.member("ref").copy(reference);
    } else {
        // That it is a secret decides whether it stands here.
        let flag = flag.as_ref().and_then(|flag| flag.at);
        let places: Vec<Place> = name.at.into_iter().chain(flag).collect();
        w.member("ref").same(&format!("env://{}", visible(name)), &places);
    }
}

/// A name without white space, which no reference has.
fn visible(name: &str) -> String {
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
