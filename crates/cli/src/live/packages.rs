//! MCPKG packages, for the verbs that install and use them.

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

/// The first bytes of a ZIP archive.
const ARCHIVE: &[u8] = b"PK\x03\x04";
/// The maximum number of tools that are checked for a chain.
const MOST_STEPS: usize = 1_000;

/// Reads the package in a file. Returns `None` if the file is not an archive, or is an MCP
/// bundle.
pub(crate) fn archive(file: &Path, terminal: &Terminal) -> Result<Option<Input>, Failure> {
    if !file.is_file() {
        return Ok(None);
    }
    let input = package::load(file, terminal)?;
    let is_package = input.bytes().starts_with(ARCHIVE)
        && Bundle::open(input.bytes(), &limits::usual()).is_none();
    Ok(is_package.then_some(input))
}

/// Returns the keys that the user trusts. For the publisher of this id, adds those in
/// `files`.
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

/// Returns the id of the tool in a package, or an empty text if it has no readable
/// manifest.
pub(crate) fn id(content: &toolglot::mcpkg::package::Package<'_>) -> String {
    let document = content.document(&limits::usual());
    document.map(|document| Manifest::read(&document).tool_id.to_string()).unwrap_or_default()
}

/// Returns the package that is installed as `ID` or `ID@VERSION`.
pub(crate) fn held(name: &str, terminal: &Terminal) -> Result<Option<Held>, Failure> {
    let find = |id: &str| Packages::here().find(id).map_err(|error| failed(&error, terminal));
    if let Some(held) = find(name)? {
        return Ok(Some(held));
    }
    let Some((id, version)) = name.rsplit_once('@') else { return Ok(None) };
    Ok(find(id)?.filter(|held| held.info.version == version))
}

/// Returns the path of a manifest, given that path or the id of an installed package.
pub(crate) fn manifest(file: &Path, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let name = file.to_str().filter(|_| !file.exists());
    let held = name.map(|name| held(name, terminal)).transpose()?.flatten();
    Ok(held.map_or_else(|| file.to_owned(), |held| held.folder().join("manifest.json")))
}

/// Verifies a tool before a call, if it was installed from a package, and all tools that it
/// calls as a chain. Prints the state of the tool's signature. Fails if a tool differs from
/// the agreed one.
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

/// Returns the state of a package's signature. Fails if the package differs from the agreed
/// one.
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

/// Verifies all tools that a chain reaches.
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

/// Returns the tools that a manifest calls as a chain. The list is empty if the file is not
/// such a manifest, or not a regular file: a pipe can be read only once, by the call
/// itself.
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

/// Shows an error of the package store.
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
