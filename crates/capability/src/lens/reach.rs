//! What a tool may reach: permissions and secrets.
//!
//! What a source declares, or its call implies, is declared here; nothing that it was
//! not granted is granted. What nobody says is denied, which the host takes most
//! strictly.

use std::collections::BTreeSet;

use manifest_core::convert::{UNKNOWN_HOST, Writer};
use manifest_core::descriptor::{Caution, EnvVar, Network, Permissions};
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
    let Permissions { network, hosts, filesystem, devices } = &tool.permissions;
    let allowed = network.as_ref().filter(|network| network.value == Network::Allowlist);
    let known = caution.network.value();
    match (known, allowed, network) {
        (Some(_), Some(allowed), _) => w.member("network").copy(allowed),
        (Some(_), None, _) => {
            let why = "it uses the network, and that is a list of hosts here";
            w.member("network").approximate("allowlist", &network_places(tool, &caution), why);
        }
        (None, _, Some(denied)) => w.member("network").copy(denied),
        (None, _, None) => w.member("network").assume("deny", NETWORK_UNKNOWN),
    }
    match (caution.files.value(), filesystem) {
        (None, Some(none)) => w.member("filesystem").copy(none),
        (None, None) => w.member("filesystem").assume("none", FILES_UNKNOWN),
        (Some(widest), Some(said)) if said.value == *widest => w.member("filesystem").copy(said),
        (Some(widest), _) => {
            let why = "the widest that a scope of files says";
            w.member("filesystem").approximate(widest, caution.files.at(), why);
        }
    }
    match caution.devices.value() {
        None => w.member("devices").assume(&Raw::constant("[]"), DEVICES_UNKNOWN),
        Some(known) if known.len() == devices.len() => w.copy_all("devices", devices),
        Some(known) => w.member("devices").list(|w| {
            for device in known.iter().collect::<BTreeSet<_>>() {
                let shown = if is_plain_text(device) { device.as_str() } else { "any" };
                w.item().approximate(shown, caution.devices.at(), "a scope names it");
            }
        }),
    }
    if known.is_some() {
        let hosts = if allowed.is_some() { hosts.as_slice() } else { &[] };
        w.member("network_allowlist").list(|w| allowlist(w, tool, &caution, hosts));
    }
}

/// The places that say that a tool uses the network, whatever the host.
fn network_places(tool: &ToolDescriptor<'_>, caution: &Caution) -> Vec<Place> {
    let addresses = tool.addresses();
    let is_address = |place: &&Place| addresses.iter().any(|url| url.at == Some(**place));
    let mut places: Vec<Place> =
        caution.network.at().iter().filter(|place| !is_address(place)).copied().collect();
    if !addresses.is_empty() {
        let others = tool.implementations.iter().filter_map(|one| one.invocation.as_ref());
        places.extend(tool.invocation.iter().chain(others).filter_map(|call| call.at));
    }
    places
}

/// The hosts: those that the source lists, those of its calls, and one for those that
/// nobody names.
fn allowlist(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    caution: &Caution,
    listed: &[Sourced<Text<'_>>],
) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for host in listed.iter().filter(|host| is_plain_text(host)) {
        seen.insert(host.to_string());
        w.item().copy(host);
    }
    let mut nameless = Vec::new();
    for address in tool.addresses() {
        let host = url::check_http(address).map(|url| url.normal_host());
        match host.ok().filter(|host| is_plain_text(host)) {
            Some(host) if seen.contains(&host) => {}
            Some(host) => {
                w.item().approximate(&host, address.at.as_slice(), "only the host of the URL");
                seen.insert(host);
            }
            None => nameless.extend(address.at),
        }
    }
    if seen.is_empty() || caution.network.value().is_some_and(|hosts| hosts.others) {
        nameless.extend(network_places(tool, caution));
        let why = "it reaches hosts that nobody names; this one stands for them, and is none";
        w.item().approximate(UNKNOWN_HOST, &nameless, why);
    }
}

/// The secrets that a tool is given, by where they are kept.
pub(super) fn secrets(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    let fits = |variable: &&EnvVar<'_>| {
        let name = &variable.name;
        variable.is_secret() && (own || !name.is_empty() && is_plain_text(name))
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
    match reference.as_ref().filter(fits) {
        Some(reference) => w.member("ref").copy(reference),
        None => {
            // That it is a secret decides whether it stands here.
            let flag = flag.as_ref().and_then(|flag| flag.at);
            let places: Vec<Place> = name.at.into_iter().chain(flag).collect();
            w.member("ref").same(&format!("env://{}", visible(name)), &places);
        }
    }
}

/// A name without white space, which no reference has.
fn visible(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_whitespace() || c.is_control() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                text.push_str(&format!("%{byte:02X}"));
            }
        } else {
            text.push(c);
        }
    }
    text
}
