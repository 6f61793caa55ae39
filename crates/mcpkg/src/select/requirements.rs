//! Checks of the requirements that an implementation has on its host.

use manifest_core::json::Node;
use manifest_core::quoted;

use super::host::{Host, Reason, Software};
use super::packages::{self, Ecosystem};
use super::version::{LooseVersion, runtime_name};
use crate::manifest::Implementation;

/// Checks every requirement. An unknown requirement is a reason too, because the host may
/// not meet it.
pub(super) fn check(
    requirements: Node<'_>,
    implementation: &Implementation<'_>,
    host: &Host,
    reasons: &mut Vec<Reason>,
) {
    for member in requirements.members() {
        let name = member.name();
        let value = member.value;
        match name.as_ref() {
            "packages" => check_each(value, &name, reasons, |text| {
                let ecosystem = Ecosystem::of(implementation);
                let ecosystem = ecosystem.ok_or_else(|| {
                    let message = format!("it is not known whose package {} is", quoted(text));
                    Reason::Unknown(message)
                })?;
                packages::check(text, ecosystem, host)
            }),
            "tools" | "commands" | "binaries" => {
                check_each(value, &name, reasons, |text| check_program(text, &host.tools));
            }
            "gpu" => match value.bool() {
                Some(true) if !host.gpu => {
                    reasons.push(Reason::Missing("there is no GPU".to_owned()));
                }
                Some(_) => {}
                None => reasons.push(unknown_requirement(&name)),
            },
            _ => match parse_bound(&name) {
                Some((runtime, lower)) => {
                    let text = value.text();
                    let wanted = text.as_deref().and_then(LooseVersion::parse);
                    reasons.extend(match wanted {
                        Some(wanted) => check_version(&runtime, &wanted, lower, value.raw(), host),
                        None => Some(unknown_requirement(&name)),
                    });
                }
                None => reasons.push(unknown_requirement(&name)),
            },
        }
    }
}

fn unknown_requirement(name: &str) -> Reason {
    Reason::Unknown(format!("the requirement {} is not understood", quoted(name)))
}

/// Checks each text of a list.
fn check_each(
    list: Node<'_>,
    name: &str,
    reasons: &mut Vec<Reason>,
    check: impl Fn(&str) -> Result<(), Reason>,
) {
    if !list.is_array() || list.elements().any(|element| element.text().is_none()) {
        reasons.push(unknown_requirement(name));
        return;
    }
    let texts = list.elements().filter_map(Node::text);
    reasons.extend(texts.filter_map(|text| check(&text).err()));
}

/// Parses the name of a version bound. `minNodeVersion` is a lower bound on `node`,
/// `maxPythonVersion` an upper bound on `python`. The flag is true if the bound is a lower
/// one.
fn parse_bound(name: &str) -> Option<(String, bool)> {
    let (rest, lower) = match (name.strip_prefix("min"), name.strip_prefix("max")) {
        (Some(rest), _) => (rest, true),
        (_, Some(rest)) => (rest, false),
        _ => return None,
    };
    let runtime = rest.strip_suffix("Version")?;
    let is_name = runtime.starts_with(|c: char| c.is_ascii_uppercase());
    is_name.then(|| (runtime.to_ascii_lowercase(), lower))
}

fn check_version(
    runtime: &str,
    wanted: &LooseVersion,
    lower: bool,
    shown: &str,
    host: &Host,
) -> Option<Reason> {
    let runtime = runtime_name(runtime);
    let mut known = host.runtimes.iter().chain(&host.tools);
    let fits = |software: &Software| {
        let name = software.name.to_ascii_lowercase();
        let version = software.version.as_deref().and_then(LooseVersion::parse);
        let is_within =
            |version: LooseVersion| if lower { version >= *wanted } else { version <= *wanted };
        runtime_name(&name) == runtime && version.is_some_and(is_within)
    };
    if known.any(fits) {
        return None;
    }
    let side = if lower { "at least" } else { "at most" };
    let shown = manifest_core::printable(shown, 64);
    Some(Reason::Missing(format!("there is no {} of version {side} {shown}", quoted(runtime))))
}

/// Checks a program with an optional minimum version: `ffmpeg`, `ffmpeg>=6.0`.
fn check_program(text: &str, tools: &[Software]) -> Result<(), Reason> {
    let (name, least) = match text.split_once(">=") {
        Some((name, least)) => (name.trim(), Some(least.trim())),
        None => (text.trim(), None),
    };
    let wanted = least.map(|least| {
        LooseVersion::parse(least).ok_or_else(|| {
            Reason::Unknown(format!("the requirement {} is not understood", quoted(text)))
        })
    });
    let wanted = wanted.transpose()?;
    let fits = |software: &&Software| {
        let version = || software.version.as_deref().and_then(LooseVersion::parse);
        let is_new = |wanted: &LooseVersion| version().is_some_and(|version| version >= *wanted);
        software.name == name && wanted.as_ref().is_none_or(is_new)
    };
    match tools.iter().find(fits) {
        Some(_) => Ok(()),
        None => Err(Reason::Missing(format!("there is no program {}", quoted(text)))),
    }
}
