//! Never safer, as the reader and the host of the target would judge: what a document
//! says about danger, read from its text alone. A danger is said in the target, or a notice
//! says that it is not; and there is no notice but those that the two documents call for.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use toolglot::FormatName::{
    Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};
use toolglot::json::Document;
use toolglot::testkit::{Rng, laws};
use toolglot::{AcceptedLoss, FormatName, Limits, Options, convert};

use crate::asked::listed;
use crate::fixtures;

/// How many generated documents of each format are converted.
const SEEDS: u64 = 96;

/// What a document says of one tool.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // a list of questions, each answered by itself
struct Dangers {
    /// It is written that the tool is switched off.
    off: bool,
    /// It is written that a person must be asked.
    asks: Option<bool>,
    /// Side effects, from 0 (none) to 3 (destructive).
    effects: Option<u8>,
    /// It uses the network: said, or because it is called over it.
    network: bool,
    /// It is called over the network.
    called: bool,
    /// It says what its host grants.
    grants: bool,
    /// The hosts that are named, by it or by its call.
    hosts: BTreeSet<String>,
    /// Files, from 0 to 2 (writes).
    files: u8,
    devices: BTreeSet<String>,
    /// The variables that it is given, and whether they are known to be secret or not.
    given: BTreeMap<String, Option<bool>>,
    /// Calls need a credential, whatever it is called.
    credential: bool,
    /// What it uses besides, or what its credentials must grant; and what the provider
    /// calls it, where that is said.
    scopes: Vec<(String, Option<String>)>,
    /// It is paid for.
    pays: bool,
    /// What its host keeps it from.
    kept: Vec<String>,
}

/// What the first part of an install manifest's scope is about. Resources are free texts
/// (`fs.local` and `net.outbound` are the specification's): these are the words for the
/// three things that capabilities have permissions for. All others are a provider's.
const SCOPES: &[(&str, &[&str])] = &[
    ("network", &["net", "network", "http", "https", "internet"]),
    ("files", &["fs", "filesystem", "file", "files"]),
    ("devices", &["device", "devices"]),
];

fn texts(list: &Value) -> BTreeSet<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn each(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The host of a URL that names one.
fn host(url: &Value) -> Option<String> {
    let (_, rest) = url.as_str()?.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    // A port follows the last colon, unless that is within an address.
    let port = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
    let host = port.map_or(host, |(host, _)| host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

fn said(format: FormatName, document: &Value) -> Vec<Dangers> {
    match format {
        ToolsJson => each(&document["tools"]).map(tools_json).collect(),
        Mcpkg => vec![mcpkg(document)],
        Capability => match document.get("capabilities") {
            Some(entries) => each(entries).map(capability).collect(),
            None => vec![capability(document)],
        },
        Jumith => vec![jumith(document)],
        InstallManifest => match document["actions"].as_array().map(Vec::as_slice) {
            None | Some([]) => vec![install(document, &Value::Null)],
            Some(actions) => actions.iter().map(|action| install(document, action)).collect(),
        },
        Mcpb => {
            let tools = document["tools"].as_array().map_or(1, |tools| tools.len().max(1));
            (0..tools).map(|_| mcpb(document)).collect()
        }
        ServerJson => {
            let tools = &document["_meta"]["io.modelcontextprotocol.registry/publisher-provided"];
            let tools = tools["invalid.toolglot/tools"].as_array();
            let tools = tools.map_or(1, |tools| tools.len().max(1));
            (0..tools).map(|_| server_json(document)).collect()
        }
        ToolList => listed(document).into_iter().map(|tool| tool_list(tool, document)).collect(),
        other => panic!("{other} is a new format"),
    }
}

/// A variable may be put together from several settings: whether it is secret is not said of it.
/// One that is a setting and nothing else is as secret as that. A constant is there for all to read.
fn mcpb(manifest: &Value) -> Dangers {
    let env = manifest["server"]["mcp_config"]["env"].as_object().into_iter().flatten();
    let env = env.filter(|(_, value)| value.as_str().is_some_and(|text| text.contains("${")));
    let secret = |value: &Value| {
        let key = value.as_str()?.strip_prefix("${user_config.")?.strip_suffix('}')?;
        manifest["user_config"].get(key)?["sensitive"].as_bool()
    };
    let given = env.map(|(name, value)| (name.clone(), secret(value))).collect();
    Dangers { given, ..Dangers::default() }
}

/// Hints are for tools of MCP, and so is the server. What is not hinted is not said.
fn tool_list(tool: &Value, list: &Value) -> Dangers {
    if tool.get("inputSchema").is_none() {
        return Dangers::default();
    }
    let (hints, url) = (&tool["annotations"], list["server"].get("url"));
    let effects = match (&hints["readOnlyHint"], &hints["destructiveHint"]) {
        (_, Value::Bool(true)) => Some(3),
        (Value::Bool(true), _) => Some(1),
        (_, Value::Bool(false)) => Some(2),
        _ => None,
    };
    Dangers {
        asks: (effects == Some(3)).then_some(true),
        effects,
        network: url.is_some(),
        called: url.is_some(),
        hosts: url.and_then(host).into_iter().collect(),
        ..Dangers::default()
    }
}

/// A variable without a value is asked for; one whose value has variables may be anything.
fn server_json(server: &Value) -> Dangers {
    let package = &server["packages"][0];
    let either = |at: &Value, names: [&str; 2]| names.iter().find_map(|name| at.get(name)).cloned();
    let env = either(package, ["environmentVariables", "environment_variables"]);
    let mut given = BTreeMap::new();
    for variable in env.iter().flat_map(each) {
        let fixed = variable.get("value").is_some();
        let secret = |at: &Value| either(at, ["isSecret", "is_secret"])?.as_bool();
        let made_of = variable["variables"].as_object().into_iter().flatten();
        // What is made of a secret is one, and what is made of none but known others is none.
        let parts: Vec<Option<bool>> = made_of.map(|(_, inner)| secret(inner)).collect();
        let inner = parts.contains(&Some(true)).then_some(true);
        let open = !parts.is_empty() && parts.iter().all(|part| *part == Some(false));
        let name = variable["name"].as_str().unwrap_or_default().to_owned();
        if !fixed || variable.get("variables").is_some() {
            let told = inner.or(secret(variable)).or(open.then_some(false));
            given.entry(name).or_insert(told);
        }
    }
    let remote = &server["remotes"][0];
    // A server is at its address, whoever calls it, and whatever a client fills in.
    let url = Some(&remote["url"]).filter(|url| url.is_string());
    let named = |url: &str| !url.split('/').take(3).any(|part| part.contains('{'));
    let plain = url.filter(|url| url.as_str().is_some_and(named));
    Dangers {
        network: url.is_some(),
        called: url.is_some(),
        hosts: plain.and_then(host).into_iter().collect(),
        given,
        ..Dangers::default()
    }
}

fn tools_json(tool: &Value) -> Dangers {
    let upper = |name: String| (name.trim().to_uppercase(), None);
    Dangers {
        given: texts(&tool["envPassthrough"]).into_iter().map(upper).collect(),
        ..Dangers::default()
    }
}

fn mcpkg(manifest: &Value) -> Dangers {
    let others = each(&manifest["implementations"]).map(|one| &one["endpoint"]);
    let endpoints: Vec<&Value> = others.chain([&manifest["endpoint"]]).collect();
    let requests = || endpoints.iter().filter(|endpoint| endpoint["type"] == "http");
    let auth = &manifest["auth"];
    let env = &auth["configHints"]["env"];
    // Hints are free in form: what is no list of names is none.
    let names = if each(env).all(Value::is_string) { texts(env) } else { BTreeSet::new() };
    Dangers {
        network: requests().next().is_some(),
        called: requests().next().is_some(),
        hosts: requests().filter_map(|endpoint| host(&endpoint["url"])).collect(),
        given: names.into_iter().map(|name| (name, None)).collect(),
        credential: matches!(auth["type"].as_str(), Some("bearer" | "api_key" | "oauth2")),
        scopes: texts(&auth["scopes"]).into_iter().map(|one| (one, None)).collect(),
        ..Dangers::default()
    }
}

fn capability(manifest: &Value) -> Dangers {
    let permissions = &manifest["permissions"];
    let implementation = &manifest["implementation"];
    let address = match implementation["kind"].as_str() {
        Some("mcp_tool") => implementation["mcp"].get("registry_url"),
        Some("a2a_rpc") => implementation["a2a"].get("endpoint"),
        _ => None,
    };
    let listed = permissions["network"] == "allowlist";
    let mut hosts: BTreeSet<String> = address.and_then(host).into_iter().collect();
    hosts.extend(texts(&permissions["network_allowlist"]).into_iter().filter(|_| listed));
    let secrets = each(&manifest["secrets"]).filter_map(|one| one["name"].as_str());
    Dangers {
        off: manifest["enabled"] == false,
        network: listed || address.is_some(),
        called: address.is_some(),
        grants: true,
        hosts,
        files: match permissions["filesystem"].as_str() {
            Some("read") => 1,
            Some("write") => 2,
            _ => 0,
        },
        devices: texts(&permissions["devices"]),
        given: secrets.map(|name| (name.to_owned(), Some(true))).collect(),
        credential: manifest["requires_oauth"] == true,
        kept: kept(manifest, address.is_some()),
        ..Dangers::default()
    }
}

/// What a capability is not granted, and what Unison refuses. It looks at the network for
/// the calls that it makes itself, and starts programs and functions as they are. After a
/// semicolon, the word for what no other host has.
fn kept(manifest: &Value, called: bool) -> Vec<String> {
    let permissions = &manifest["permissions"];
    let mut kept = Vec::new();
    match permissions["network"].as_str() {
        Some("deny") if called => kept.push(
            "the source grants it no network, so that its host refuses every call".to_owned(),
        ),
        Some("deny") => kept.push("the source grants it no network".to_owned()),
        Some("allowlist") => {
            let hosts: Vec<&Value> = each(&permissions["network_allowlist"]).collect();
            let named: Vec<String> = hosts.iter().take(4).map(ToString::to_string).collect();
            let more = match hosts.len().saturating_sub(4) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let mut names = hosts.iter().filter_map(|host| host.as_str());
            let bare = names.any(|host| !host.contains("://") && !host.starts_with("*."));
            let below = if bare { ", with sub-domains" } else { "" };
            let who = if called { "the source's host" } else { "the source" };
            let named = named.join(", ");
            kept.push(format!("{who} lets it reach only {named}{more}{below}"));
        }
        _ => {}
    }
    match permissions["filesystem"].as_str() {
        Some("none") => kept.push("the source grants it no files".to_owned()),
        Some("read") => kept.push("the source lets it only read files".to_owned()),
        _ => {}
    }
    if texts(&permissions["devices"]).is_empty() {
        kept.push("the source grants it no devices".to_owned());
    }
    for word in ["untrusted", "community"] {
        if manifest["trust_level"] == word {
            kept.push(format!("the source calls it {word}, which its host refuses by default"));
        }
    }
    if manifest["runtime"]["sandbox"] == "container" {
        kept.push("the source asks for a container".to_owned());
    }
    if manifest["requires_oauth"] == true {
        kept.push("the source's host refuses it until OAuth is set up".to_owned());
    }
    for (name, what) in [("cpu", "processors"), ("memory", "memory")] {
        let limit = &manifest["runtime"]["resources"][name];
        if limit != "default" {
            kept.push(format!("the source limits its {what} to {limit}"));
        }
    }
    let mut kept: Vec<String> = kept.iter().map(|kept| format!("{kept};limit")).collect();
    if manifest["execution"]["channel"] == "vdi_vpn" {
        kept.push("the source asks for a virtual desktop or private network;channel".to_owned());
    }
    kept
}

/// What MCPKG has a word for.
fn jumith(manifest: &Value) -> Dangers {
    Dangers {
        asks: manifest["requiresApproval"].as_bool(),
        given: texts(&manifest["requiredSecrets"]).into_iter().map(|n| (n, Some(true))).collect(),
        pays: manifest["usesPayment"] == true,
        ..Dangers::default()
    }
}

fn install(manifest: &Value, action: &Value) -> Dangers {
    let effects = ["none", "read", "write", "destructive"];
    let effects = effects.iter().position(|word| action["side_effects"] == *word);
    let url = manifest["runtime"].get("endpoint_url");
    let kind = action["invocation"]["kind"].as_str();
    let address = url.filter(|_| action.is_null() || matches!(kind, Some("http" | "mcp-tool")));
    let cost = &manifest["cost"];
    let fee = |name: &str| cost[name].as_f64().is_some_and(|fee| fee > 0.0);
    let mut dangers = Dangers {
        asks: (effects == Some(3)).then_some(true),
        effects: effects.and_then(|level| u8::try_from(level).ok()),
        network: address.is_some() || kind == Some("http"),
        called: address.is_some() || kind == Some("http"),
        hosts: address.and_then(host).into_iter().collect(),
        pays: fee("install_fee_cents")
            || fee("monthly_fee_cents")
            || cost["usage_model"].as_str().is_some_and(|model| model != "none"),
        ..Dangers::default()
    };
    let used = texts(&action["scopes_used"]);
    let mut declared = BTreeSet::new();
    for scope in each(&manifest["scopes"]) {
        let resource = scope["resource"].as_str().unwrap_or_default();
        declared.insert(resource.to_owned());
        if used.is_empty() || used.contains(resource) {
            let reads = texts(&scope["actions"]).iter().all(|verb| verb == "read");
            uses(&mut dangers, resource, if reads { 1 } else { 2 }, &scope["provider_scope"]);
        }
    }
    let boundary = &manifest["data_boundary"];
    // Sent to others, or to the author's own cloud; kept where the tool runs.
    for sent in each(&boundary["transmits"]) {
        dangers.network = true;
        // A name without a dot is no host, and neither is a pattern.
        let to = sent["to"].as_str().filter(|to| to.contains('.') && !to.contains(['*', ' ']));
        dangers.hosts.extend(to.map(str::to_ascii_lowercase));
    }
    for kept in each(&boundary["persists"]) {
        dangers.network |= kept["where"] == "tool_cloud";
        dangers.files = dangers.files.max(if kept["where"] == "tool_local" { 2 } else { 0 });
    }
    // What nobody declares is used all the same, and nobody says how.
    for resource in used.difference(&declared) {
        uses(&mut dangers, resource, 2, &Value::Null);
    }
    for variable in each(&manifest["env"]) {
        let name = variable["name"].as_str().unwrap_or_default().to_owned();
        dangers.given.insert(name, variable["secret"].as_bool());
    }
    dangers
}

/// What a scope stands for.
fn uses(dangers: &mut Dangers, resource: &str, files: u8, provider: &Value) {
    let mut parts = resource.splitn(2, ['.', ':', '/']);
    let first = parts.next().unwrap_or_default().to_lowercase();
    let about = SCOPES.iter().find(|(_, words)| words.contains(&first.as_str()));
    match about.map(|(about, _)| *about) {
        Some("network") => dangers.network = true,
        Some("files") => dangers.files = dangers.files.max(files),
        Some("devices") => {
            dangers.devices.insert(parts.next().unwrap_or("unknown.invalid").to_owned());
        }
        _ => {
            let provider = provider.as_str().map(str::to_owned);
            dangers.scopes.push((resource.to_owned(), provider));
        }
    }
}

/// A name that the target's own grammar for variables or secrets takes.
fn takes_name(to: FormatName, name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    match to {
        ToolsJson => {
            let first = |b: u8| b.is_ascii_uppercase() || b == b'_';
            name.bytes().next().is_some_and(first)
                && name.bytes().all(|b| plain(b) && !b.is_ascii_lowercase())
        }
        // Other names are made to fit: all secrets are there, under some name.
        InstallManifest => {
            name.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
                && name.bytes().all(|b| plain(b) && !b.is_ascii_lowercase())
        }
        Jumith | Mcpb => !name.is_empty() && name.bytes().all(plain),
        // There is no package that could be given any.
        ServerJson | ToolList => false,
        Mcpkg | Capability => !name.is_empty() && !name.chars().any(char::is_control),
        other => panic!("{other} is a new format"),
    }
}

impl Dangers {
    /// The names of what is not known to be public.
    fn secrets(&self) -> impl Iterator<Item = &String> {
        let secret = |(_, secret): &(&String, &Option<bool>)| **secret != Some(false);
        self.given.iter().filter(secret).map(|(name, _)| name)
    }

    /// Whether a scope is among these, by one of its names.
    fn says(&self, (resource, provider): &(String, Option<String>)) -> bool {
        self.scopes.iter().any(|(name, _)| name == resource || Some(name) == provider.as_ref())
    }
}

/// In what the target looks safer than the source, judged as its reader would.
fn safer(to: FormatName, source: &Dangers, target: &Dangers, http: bool) -> Option<String> {
    let reach = matches!(to, Capability | InstallManifest);
    if reach && source.network && !target.network {
        return Some("the network is gone".to_owned());
    }
    if reach && target.files < source.files {
        return Some("files are gone".to_owned());
    }
    if reach && target.devices.len() < source.devices.len() {
        return Some("devices are gone".to_owned());
    }
    if to == InstallManifest {
        let wanted = if source.asks == Some(true) { 3 } else { source.effects.unwrap_or(3) };
        if target.effects < Some(wanted) {
            return Some("the effects are milder".to_owned());
        }
        if target.secrets().count() < source.secrets().count().min(32) {
            return Some("a secret is gone".to_owned());
        }
        if !source.scopes.iter().take(32).all(|scope| target.says(scope)) {
            return Some("a scope is gone".to_owned());
        }
    }
    if to == ToolList {
        let wanted = if source.asks == Some(true) { 3 } else { source.effects.unwrap_or(3) };
        // Clients reckon with the worst where nothing is hinted.
        if target.effects.unwrap_or(3) < wanted {
            return Some("the effects are milder".to_owned());
        }
    }
    if to == Jumith {
        let reads = source.effects.is_some_and(|effects| effects <= 1);
        let free = source.asks == Some(false) || (source.asks.is_none() && reads);
        if target.asks != Some(true) && !free {
            return Some("nobody is asked".to_owned());
        }
    }
    if matches!(to, Jumith | InstallManifest) && source.pays && !target.pays {
        return Some("it costs nothing".to_owned());
    }
    if to == ToolsJson && target.given.len() < source.given.len() {
        return Some("a variable is gone".to_owned());
    }
    let says_credential = matches!(to, Mcpkg | Capability | Jumith);
    let names_credential = target.credential || !target.given.is_empty();
    if says_credential && source.credential && !names_credential {
        return Some("no credential is needed".to_owned());
    }
    // A variable that an MCPKG request would send is only named where it is sent.
    let named = !(to == Mcpkg && http);
    let mut missing = source.secrets().filter(|name| !target.given.contains_key(*name));
    let missing = missing.find(|name| named && takes_name(to, name));
    missing.map(|name| format!("the secret {name} is gone"))
}

/// What the target grants and the source did not. Unison gives what is written; agentcli and
/// Jumith hand out the variables that are named.
fn granted(to: FormatName, source: &Dangers, target: &Dangers) -> Option<String> {
    const NOBODY: &str = "unknown.invalid";
    if to == Capability {
        let known = |host: &&String| source.hosts.contains(*host) || *host == NOBODY;
        if let Some(host) = target.hosts.iter().find(|host| !known(host)) {
            return Some(format!("it may reach {host}"));
        }
        let known = |device: &&String| source.devices.contains(*device) || *device == NOBODY;
        if let Some(device) = target.devices.iter().find(|device| !known(device)) {
            return Some(format!("it may use {device}"));
        }
        if target.files > source.files || (target.network && !source.network) {
            return Some("it may do more with files or the network".to_owned());
        }
    }
    // Who needs a credential that nobody names needs one by some name.
    let nameless = source.credential && !matches!(to, ToolsJson | InstallManifest);
    let known = |name: &&String| source.given.contains_key(*name) || nameless;
    let fits = |name: &&String| takes_name(to, name);
    // Names that are none there are made to fit, one for each.
    let made = match to {
        ToolsJson => source.given.keys().filter(|name| !takes_name(to, name)).count(),
        _ => 0,
    };
    let mut names = target.given.keys().filter(|name| to != InstallManifest && !known(name));
    let more = names.by_ref().skip(made).find(fits);
    more.map(|name| format!("it is given {name}"))
}

/// The notices that two documents call for, and no others.
fn notices(to: FormatName, source: &Dangers, target: &Dangers) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for kept in source.kept.iter().filter(|_| to != Capability) {
        let (kept, what) = kept.rsplit_once(';').unwrap();
        found.insert(format!("unenforced {kept}; the host of {to} has no such {what}"));
    }
    if source.off && to != Capability {
        found.insert(format!("accepted switched off in the source, callable in {to}"));
    }
    let asks = matches!(to, Jumith | InstallManifest | ToolList);
    if source.asks == Some(true) && !asks {
        found.insert(format!("accepted needs approval in the source, and {to} does not ask"));
    }
    let unsaid = [
        (source.called && !target.network, "uses the network"),
        (source.network && !source.called && !target.network, "may use the network"),
        (source.files == 2 && target.files < 2, "may write files"),
        (source.files == 1 && target.files < 1, "may read files"),
        (!source.devices.is_empty() && target.devices.is_empty(), "may use devices"),
        (source.effects == Some(2) && !asks, "changes state"),
        (source.pays && !target.pays, "costs money"),
        (
            source.credential
                && source.given.is_empty()
                && !target.credential
                && target.given.is_empty(),
            "calls need a credential that nobody names",
        ),
    ];
    for (_, danger) in unsaid.iter().filter(|(unsaid, _)| *unsaid) {
        found.insert(format!("unsaid {danger}; {to} has no word for that"));
    }
    for scope in source.scopes.iter().filter(|scope| !target.says(scope)) {
        let resource = json!(scope.0);
        found.insert(format!("unsaid may use {resource}; {to} has no word for that"));
    }
    // Names that are none there are made to fit.
    for name in source.secrets().filter(|_| !matches!(to, InstallManifest | ToolsJson)) {
        if !target.given.contains_key(name) {
            let known = source.given[name] == Some(true);
            let (what, name) = (if known { "secret" } else { "variable" }, json!(name));
            found.insert(format!("unsaid is given the {what} {name}, which {to} does not name"));
        }
    }
    let unknown = [
        (source.effects.is_none(), "what it changes"),
        (!source.network && !source.grants, "whether it uses the network"),
        (source.files == 0 && !source.grants, "what it does with files"),
        (source.devices.is_empty() && !source.grants, "whether it uses devices"),
    ];
    for (_, what) in unknown.iter().filter(|(unknown, _)| *unknown) {
        found.insert(format!("unknown the source does not say {what}"));
    }
    found
}

/// What the bridge is told for each tool of a source: what its target has no word for.
pub(crate) fn accepted(from: FormatName, to: FormatName, source: &Value) -> Vec<Vec<String>> {
    let words = |dangers: Dangers| {
        let asks = dangers.asks == Some(true) && !matches!(to, Jumith | InstallManifest | ToolList);
        let off = dangers.off && to != Capability;
        let words = [(off, "disabled"), (asks, "approval")];
        let words = words.iter().filter(|(accepted, _)| *accepted);
        words.flat_map(|(_, word)| ["--accept".to_owned(), (*word).to_owned()]).collect()
    };
    said(from, source).into_iter().map(words).collect()
}

fn refusals(from: FormatName, to: FormatName, text: &str, before: &[Dangers]) {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let off = before.iter().any(|one| one.off);
    let asks = before.iter().any(|one| one.asks == Some(true));
    let refused = |code: &str, options: &Options| {
        let report = convert(&source, from, to, options).err();
        report.is_some_and(|report| report.errors().any(|found| found.rule.code == code))
    };
    let without = |accept: AcceptedLoss| {
        let mut options = laws::accept_all();
        options.accept.remove(&accept);
        options
    };
    let refuses = refused("convert/disabled", &without(AcceptedLoss::Disabled));
    assert_eq!(refuses, off && to != Capability, "{from} to {to}\n{text}");
    let refuses = refused("convert/approval", &without(AcceptedLoss::Approval));
    let says = matches!(to, Jumith | InstallManifest | ToolList);
    assert_eq!(refuses, asks && !says, "{from} to {to}\n{text}");
}

fn check(from: FormatName, to: FormatName, text: &str) {
    // Some numbers are larger than the other reader takes.
    let Ok(before) = serde_json::from_str(text) else { return };
    let before = said(from, &before);
    refusals(from, to, text, &before);
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let Ok(conversion) = convert(&source, from, to, &laws::accept_all()) else { return };
    let after: Vec<(Dangers, Value)> = conversion
        .documents
        .iter()
        .flat_map(|document| {
            let value: Value = serde_json::from_str(&document.text).unwrap();
            said(to, &value).into_iter().map(move |dangers| (dangers, value.clone()))
        })
        .collect();
    assert_eq!(before.len(), after.len(), "{from} to {to}\n{text}");
    let tools = conversion.tools.iter();
    for ((before, (after, document)), tool) in before.iter().zip(&after).zip(tools) {
        let what = || format!("{from} to {to}: {before:?}\n{after:?}\n{text}\n{document:#}");
        let http = document["endpoint"]["type"] == "http";
        let claim = safer(to, before, after, http).or_else(|| granted(to, before, after));
        if let Some(claim) = claim {
            panic!("{claim}: {}", what());
        }
        assert!(!(before.off && to == Capability && !after.off), "{}", what());
        assert!(document["trust_level"].as_str().is_none_or(|word| word == "untrusted"));
        let said = conversion.safety.iter().filter(|one| one.tools.contains(&tool.id));
        let said: BTreeSet<String> =
            said.map(|one| format!("{} {}", one.concern.as_str(), one.message)).collect();
        let wanted = notices(to, before, after);
        let (missing, false_): (Vec<_>, Vec<_>) =
            (wanted.difference(&said).collect(), said.difference(&wanted).collect());
        assert!(
            missing.is_empty() && false_.is_empty(),
            "missing: {missing:#?}\nnot so: {false_:#?}\n{}",
            what()
        );
    }
}

/// Row L05 of the catalogue of attacks.
#[test]
fn nothing_looks_safer() {
    let fixtures = fixtures();
    for from in FormatName::ALL.iter().copied() {
        let generated =
            (0..SEEDS).map(|seed| (from.testkit().unwrap().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == from);
        let texts: Vec<String> = generated.chain(own.map(|fixture| fixture.text.clone())).collect();
        for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
            for text in &texts {
                check(from, to, text);
            }
        }
    }
}
