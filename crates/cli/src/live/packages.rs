//! MCPKG packages, as the verbs that install and use them need them.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use installer::packages::{Error, Held, Packages};
use installer::{Check, Trust};
use toolglot::core::{printable, quoted};
use toolglot::json::Document;
use toolglot::mcpb::Bundle;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::meta::ed25519::Keys;

use crate::package;
use console::input::{Input, shown};
use console::limits;
use console::terminal::{Failure, Terminal};

/// How an archive begins.
const ARCHIVE: &[u8] = b"PK\x03\x04";
/// Tools that a chain may come to.
const MOST_STEPS: usize = 1_000;

/// The package in a file, as it is. Nothing, if the file is no archive, or an MCP bundle.
pub(crate) fn archive(file: &Path, terminal: &Terminal) -> Result<Option<Input>, Failure> {
    if !file.is_file() {
        return Ok(None);
    }
    let input = package::load(file, terminal)?;
    let is_package = input.bytes().starts_with(ARCHIVE)
        && Bundle::open(input.bytes(), &limits::usual()).is_none();
    Ok(is_package.then_some(input))
}

/// The keys that the user trusts, and for a package of this publisher those in files.
pub(crate) fn keys(files: &[PathBuf], id: &str, terminal: &Terminal) -> Result<Keys, Failure> {
    let mut keys = match Trust::of_user() {
        Some(trust) => trust.keys().map_err(|error| terminal.trouble(&error.to_string()))?,
        None => Keys::default(),
    };
    let publisher = id.split('.').next().unwrap_or_default();
    for file in files {
        let key = installer::public_key(file);
        let key = key.map_err(|error| terminal.trouble(&format!("{}: {error}", shown(file))))?;
        keys.trust(publisher, key);
    }
    Ok(keys)
}

/// The id of the tool in a package.
pub(crate) fn id(content: &toolglot::mcpkg::package::Package<'_>) -> String {
    let document = content.document(&limits::usual());
    document.map(|document| Manifest::read(&document).tool_id.to_string()).unwrap_or_default()
}

/// The package that is installed as `ID` or `ID@VERSION`.
pub(crate) fn held(name: &str, terminal: &Terminal) -> Result<Option<Held>, Failure> {
    let find = |id: &str| Packages::here().find(id).map_err(|error| failed(&error, terminal));
    if let Some(held) = find(name)? {
        return Ok(Some(held));
    }
    let Some((id, version)) = name.rsplit_once('@') else { return Ok(None) };
    Ok(find(id)?.filter(|held| held.info.version == version))
}

/// The manifest that a file or the id of an installed package names.
pub(crate) fn manifest(file: &Path, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let name = file.to_str().filter(|_| !file.exists());
    let held = name.map(|name| held(name, terminal)).transpose()?.flatten();
    Ok(held.map_or_else(|| file.to_owned(), |held| held.folder().join("manifest.json")))
}

/// Says how a tool stands that is called, if it was installed from a package, and how those stand
/// that it calls as a chain. One that is not what was agreed to is refused.
pub(crate) fn vouched(file: &Path, terminal: &Terminal) -> Result<(), Failure> {
    let Some((packages, id)) = Packages::of_manifest(file) else {
        return chained(&Packages::here(), steps(file), terminal);
    };
    if let Some(held) = packages.find(&id).map_err(|error| failed(&error, terminal))? {
        let found = agreed(&held, terminal)?;
        let [id, version] =
            [&held.info.tool_id, &held.info.version].map(|text| printable(text, 128));
        terminal.say(&format!("note: {id} {version} is {found}\n"));
    }
    chained(&packages, steps(file), terminal)
}

/// How the signature of a package stands that is what was agreed to; others are refused.
pub(crate) fn agreed(held: &Held, terminal: &Terminal) -> Result<String, Failure> {
    let keys = keys(&[], &held.info.tool_id, terminal)?;
    let checks = held.verify(&keys).map_err(|error| failed(&error, terminal))?;
    if let Some(broken) = checks.iter().find(|check| check.holds == Some(false)) {
        let id = quoted(&held.info.tool_id);
        terminal.error(&format!(
            "{id} is not what was agreed to: {} ({}); `toolglot verify` tells more",
            broken.what, broken.found
        ));
        return Err(Failure::Refused);
    }
    let signature = |check: Check| (check.what == "signature").then_some(check.found);
    Ok(checks.into_iter().find_map(signature).unwrap_or_default())
}

/// Looks at all that a chain comes to.
fn chained(packages: &Packages, first: Vec<String>, terminal: &Terminal) -> Result<(), Failure> {
    let (mut open, mut seen) = (VecDeque::from(first), BTreeSet::new());
    while let Some(id) = open.pop_front() {
        if seen.len() >= MOST_STEPS || !seen.insert(id.clone()) {
            continue;
        }
        let held = packages.find(&id).map_err(|error| failed(&error, terminal))?;
        if let Some(held) = held {
            agreed(&held, terminal)?;
            open.extend(steps(&held.folder().join("manifest.json")));
        }
    }
    Ok(())
}

/// The tools that a manifest calls as a chain. What is no such manifest calls none, and what can be
/// read only once is left to whoever calls.
fn steps(file: &Path) -> Vec<String> {
    let limits = limits::usual();
    if !file.is_file() {
        return Vec::new();
    }
    let Ok(input) = Input::open(file, limits.document_bytes) else { return Vec::new() };
    let Ok(document) = Document::parse(input.bytes(), &limits) else { return Vec::new() };
    let manifest = Manifest::read(&document);
    manifest.chain.iter().map(|step| step.tool.to_string()).collect()
}

/// Says why something was not done.
pub(crate) fn failed(error: &Error, terminal: &Terminal) -> Failure {
    terminal.error(&error.to_string());
    match error {
        Error::Invalid(_) | Error::Archive(_) | Error::Manifest(_) | Error::Reserved(_) => {
            Failure::Invalid
        }
        Error::Store(_) | Error::Exchange(_) => Failure::Trouble,
        _ => Failure::Refused,
    }
}
