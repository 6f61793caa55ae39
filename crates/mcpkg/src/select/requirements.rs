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
        let checked = match name.as_ref() {
            "packages" => {
                check_each(value, &name, reasons, |text| check_package(text, implementation, host))
            }
            "tools" | "commands" | "binaries" => {
                check_each(value, &name, reasons, |text| check_program(text, &host.tools))
            }
            "gpu" => match value.bool() {
                Some(true) if !host.gpu => Err(Reason::Missing("there is no GPU".to_owned())),
                Some(_) => Ok(()),
                None => Err(unknown_requirement(&name)),
            },
            _ => check_version(&name, value, host),
        };
        if let Err(reason) = checked {
            reasons.push(reason);
        }
    }
}

fn unknown_requirement(name: &str) -> Reason {
    Reason::Unknown(format!("the requirement {} is not understood", quoted(name)))
}

/// Checks each text of a list. Fails if it is not a list of texts.
fn check_each(
    list: Node<'_>,
    name: &str,
    reasons: &mut Vec<Reason>,
    check: impl Fn(&str) -> Result<(), Reason>,
) -> Result<(), Reason> {
    if !list.is_array() || list.elements().any(|element| element.text().is_none()) {
        return Err(unknown_requirement(name));
    }
    for text in list.elements().filter_map(Node::text) {
        if let Err(reason) = check(&text) {
            reasons.push(reason);
        }
    }
    Ok(())
}

fn check_package(
    text: &str,
    implementation: &Implementation<'_>,
    host: &Host,
) -> Result<(), Reason> {
    match Ecosystem::of(implementation) {
        Some(ecosystem) => packages::check(text, ecosystem, host),
        None => Err(Reason::Unknown(format!("it is not known whose package {} is", quoted(text)))),
    }
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
    if !runtime.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    Some((runtime.to_ascii_lowercase(), lower))
}

/// Checks a bound on the version of a runtime or a program.
fn check_version(name: &str, value: Node<'_>, host: &Host) -> Result<(), Reason> {
    let Some((runtime, lower)) = parse_bound(name) else { return Err(unknown_requirement(name)) };
    let bound = value.text().and_then(|text| LooseVersion::parse(&text));
    let Some(bound) = bound else { return Err(unknown_requirement(name)) };
    let runtime = runtime_name(&runtime);
    for software in host.runtimes.iter().chain(&host.tools) {
        if runtime_name(&software.name.to_ascii_lowercase()) != runtime {
            continue;
        }
        let Some(version) = software.loose_version() else { continue };
        let is_within = if lower { version >= bound } else { version <= bound };
        if is_within {
            return Ok(());
        }
    }
    let side = if lower { "at least" } else { "at most" };
    let shown = manifest_core::printable(value.raw(), 64);
    Err(Reason::Missing(format!("there is no {} of version {side} {shown}", quoted(runtime))))
}

/// Checks a program with an optional minimum version: `ffmpeg`, `ffmpeg>=6.0`.
fn check_program(text: &str, tools: &[Software]) -> Result<(), Reason> {
    let (name, least) = match text.split_once(">=") {
        Some((name, least)) => (name.trim(), Some(least.trim())),
        None => (text.trim(), None),
    };
    let mut bound = None;
    if let Some(least) = least {
        bound = LooseVersion::parse(least);
        if bound.is_none() {
            return Err(unknown_requirement(text));
        }
    }
    for tool in tools {
        // A version that is unknown is less than any bound.
        if tool.name == name && (bound.is_none() || tool.loose_version() >= bound) {
            return Ok(());
        }
    }
    Err(Reason::Missing(format!("there is no program {}", quoted(text))))
}
