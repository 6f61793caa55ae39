//! Never safer, as the reader and the host of the target would judge: what a document
//! says about danger, read from its text alone.

use std::collections::BTreeSet;

use serde_json::Value;
use toolglot::core::testkit::{Rng, laws};
use toolglot::json::Document;
use toolglot::{Accept, FormatName, Limits, Options, convert};

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
    /// Files, from 0 to 2 (writes).
    files: u8,
    devices: bool,
    secrets: BTreeSet<String>,
    /// It is paid for.
    pays: bool,
}

fn texts(list: &Value) -> BTreeSet<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

fn said(format: FormatName, document: &Value) -> Vec<Dangers> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match format {
        FormatName::ToolsJson => list(&document["tools"]).iter().map(tools_json).collect(),
        FormatName::Mcpkg => vec![mcpkg(document)],
        FormatName::Capability => match document.get("capabilities") {
            Some(entries) => list(entries).iter().map(capability).collect(),
            None => vec![capability(document)],
        },
        FormatName::Jumith => vec![jumith(document)],
        FormatName::InstallManifest => match list(&document["actions"]).as_slice() {
            [] => vec![install(document, &Value::Null)],
            actions => actions.iter().map(|action| install(document, action)).collect(),
        },
    }
}

fn tools_json(tool: &Value) -> Dangers {
    let upper = |name: String| name.trim().to_uppercase();
    Dangers {
        secrets: texts(&tool["envPassthrough"]).into_iter().map(upper).collect(),
        ..Dangers::default()
    }
}

fn mcpkg(manifest: &Value) -> Dangers {
    let endpoints = manifest["implementations"].as_array().into_iter().flatten();
    let mut endpoints = endpoints.map(|one| &one["endpoint"]).chain([&manifest["endpoint"]]);
    Dangers {
        network: endpoints.any(|endpoint| endpoint["type"] == "http"),
        secrets: texts(&manifest["auth"]["configHints"]["env"]),
        ..Dangers::default()
    }
}

fn capability(manifest: &Value) -> Dangers {
    let permissions = &manifest["permissions"];
    let secrets = manifest["secrets"].as_array().into_iter().flatten();
    let kind = manifest["implementation"]["kind"].as_str().unwrap_or_default();
    let block = match kind {
        "mcp_tool" => "mcp",
        "a2a_rpc" => "a2a",
        _ => "",
    };
    Dangers {
        off: manifest["enabled"] == false,
        network: permissions["network"] == "allowlist"
            || manifest["implementation"].get(block).is_some(),
        files: match permissions["filesystem"].as_str() {
            Some("read") => 1,
            Some("write") => 2,
            _ => 0,
        },
        devices: !texts(&permissions["devices"]).is_empty(),
        secrets: secrets.filter_map(|one| one["name"].as_str()).map(str::to_owned).collect(),
        ..Dangers::default()
    }
}

fn jumith(manifest: &Value) -> Dangers {
    Dangers {
        asks: manifest["requiresApproval"].as_bool(),
        secrets: texts(&manifest["requiredSecrets"]),
        pays: manifest["usesPayment"] == true,
        ..Dangers::default()
    }
}

fn install(manifest: &Value, action: &Value) -> Dangers {
    let effects = ["none", "read", "write", "destructive"];
    let effects = effects.iter().position(|word| action["side_effects"] == *word);
    let used = texts(&action["scopes_used"]);
    let mut dangers = Dangers {
        asks: (effects == Some(3)).then_some(true),
        effects: effects.and_then(|level| u8::try_from(level).ok()),
        network: (action.is_null() && manifest["runtime"].get("endpoint_url").is_some())
            || action["invocation"]["kind"] == "http"
            || (action["invocation"]["kind"] == "mcp-tool"
                && manifest["runtime"].get("endpoint_url").is_some()),
        ..Dangers::default()
    };
    for scope in manifest["scopes"].as_array().into_iter().flatten() {
        let resource = scope["resource"].as_str().unwrap_or_default();
        if !used.is_empty() && !used.contains(resource) {
            continue;
        }
        match resource.split('.').next().unwrap_or_default() {
            "net" => dangers.network = true,
            "fs" => {
                let reads = |verb: &String| verb == "read";
                let level = if texts(&scope["actions"]).iter().all(reads) { 1 } else { 2 };
                dangers.files = dangers.files.max(level);
            }
            "device" => dangers.devices = true,
            _ => {}
        }
    }
    let boundary = &manifest["data_boundary"];
    // Sent to others, or to the author's own cloud; kept where the tool runs.
    dangers.network |= boundary["transmits"].as_array().is_some_and(|list| !list.is_empty());
    for kept in boundary["persists"].as_array().into_iter().flatten() {
        dangers.network |= kept["where"] == "tool_cloud";
        dangers.files = dangers.files.max(if kept["where"] == "tool_local" { 2 } else { 0 });
    }
    for variable in manifest["env"].as_array().into_iter().flatten() {
        if variable["secret"] == true {
            dangers.secrets.extend(variable["name"].as_str().map(str::to_owned));
        }
    }
    let cost = &manifest["cost"];
    let fee = |name: &str| cost[name].as_f64().is_some_and(|fee| fee > 0.0);
    let model = cost["usage_model"].as_str();
    dangers.pays = fee("install_fee_cents")
        || fee("monthly_fee_cents")
        || model.is_some_and(|model| model != "none");
    dangers
}

/// A name that the target's own grammar for variables or secrets takes.
fn takes_name(to: FormatName, name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    match to {
        FormatName::ToolsJson => {
            let first = |b: u8| b.is_ascii_uppercase() || b == b'_';
            name.bytes().next().is_some_and(first)
                && name.bytes().all(|b| plain(b) && !b.is_ascii_lowercase())
        }
        // Other names are made to fit: all secrets are there, under some name.
        FormatName::InstallManifest => {
            name.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
                && name.bytes().all(|b| plain(b) && !b.is_ascii_lowercase())
        }
        FormatName::Jumith => !name.is_empty() && name.bytes().all(plain),
        FormatName::Mcpkg | FormatName::Capability => {
            !name.is_empty() && !name.chars().any(char::is_control)
        }
    }
}

/// In what the target looks safer than the source, judged as its reader would.
fn safer(to: FormatName, source: &Dangers, target: &Dangers, http: bool) -> Option<String> {
    let reach = matches!(to, FormatName::Capability | FormatName::InstallManifest);
    if reach && source.network && !target.network {
        return Some("the network is gone".to_owned());
    }
    if reach && target.files < source.files {
        return Some("files are gone".to_owned());
    }
    if reach && source.devices && !target.devices {
        return Some("devices are gone".to_owned());
    }
    if to == FormatName::InstallManifest {
        let wanted = if source.asks == Some(true) { 3 } else { source.effects.unwrap_or(3) };
        if target.effects < Some(wanted) {
            return Some("the effects are milder".to_owned());
        }
    }
    if to == FormatName::Jumith {
        let reads = source.effects.is_some_and(|effects| effects <= 1);
        let free = source.asks == Some(false) || (source.asks.is_none() && reads);
        if target.asks != Some(true) && !free {
            return Some("nobody is asked".to_owned());
        }
        if source.pays && !target.pays {
            return Some("it costs nothing".to_owned());
        }
    }
    if to == FormatName::InstallManifest && source.pays && !target.pays {
        return Some("it costs nothing".to_owned());
    }
    if to == FormatName::InstallManifest && target.secrets.len() < source.secrets.len().min(32) {
        return Some("a secret is gone".to_owned());
    }
    // A variable that an MCPKG request would send is only named where it is sent.
    let named = !(to == FormatName::Mcpkg && http);
    let missing = source.secrets.difference(&target.secrets);
    let mut missing = missing.filter(|name| named && takes_name(to, name));
    missing.next().map(|name| format!("the secret {name} is gone"))
}

fn check(from: FormatName, to: FormatName, text: &str) {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    // Some numbers are larger than the other reader takes.
    let Ok(before) = serde_json::from_str(text) else { return };
    let before = said(from, &before);
    let off = before.iter().any(|one| one.off);
    let asks = before.iter().any(|one| one.asks == Some(true));
    let says_approval = matches!(to, FormatName::Jumith | FormatName::InstallManifest);
    let refused = |code: &str, options: &Options| {
        let report = convert(&source, from, to, options).err();
        report.is_some_and(|report| report.errors().any(|found| found.rule.code == code))
    };
    let without = |accept: Accept| {
        let mut options = laws::accepting();
        options.accept.remove(&accept);
        options
    };
    let what = || format!("{from} to {to}\n{text}");
    let refuses = refused("convert/disabled", &without(Accept::Disabled));
    assert_eq!(refuses, off && to != FormatName::Capability, "{}", what());
    let refuses = refused("convert/approval", &without(Accept::Approval));
    assert_eq!(refuses, asks && !says_approval, "{}", what());
    let Ok(conversion) = convert(&source, from, to, &laws::accepting()) else { return };
    let after: Vec<(Dangers, Value)> = conversion
        .documents
        .iter()
        .flat_map(|document| {
            let value: Value = serde_json::from_str(&document.text).unwrap();
            said(to, &value).into_iter().map(move |dangers| (dangers, value.clone()))
        })
        .collect();
    assert_eq!(before.len(), after.len(), "{}", what());
    for (before, (after, document)) in before.iter().zip(&after) {
        let http = document["endpoint"]["type"] == "http";
        if let Some(claim) = safer(to, before, after, http) {
            panic!("{claim}: {before:?}\n{after:?}\n{}\n{document:#}", what());
        }
        assert!(!(before.off && to == FormatName::Capability && !after.off), "{}", what());
    }
    for document in &conversion.documents {
        let value: Value = serde_json::from_str(&document.text).unwrap();
        if to == FormatName::Capability && from != to {
            assert!(value["trust_level"].as_str().is_none_or(|word| word == "untrusted"));
        }
    }
}

#[test]
fn nothing_looks_safer() {
    let fixtures = fixtures();
    for from in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS).map(|seed| (from.testkit().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == from);
        let texts: Vec<String> = generated.chain(own.map(|fixture| fixture.text.clone())).collect();
        for to in FormatName::ALL.iter().copied().filter(|to| *to != from) {
            for text in &texts {
                check(from, to, text);
            }
        }
    }
}
