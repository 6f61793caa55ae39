//! MCPKG packages, for the verbs that install and use them.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use installer::packages::{Error, InstalledPackage, PackageStore};
use installer::{Check, TrustStore};
use toolglot::core::{printable, quoted, some_or_bug};
use toolglot::json::Document;
use toolglot::mcpb::Bundle;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::meta::ed25519::TrustedKeys;

use crate::files::input::{Input, display_path};
use crate::files::limits;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};

/// The first bytes of a ZIP archive.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
/// The maximum number of tools that are checked for a chain.
const MAX_CHAIN_TOOLS: usize = 1_000;

/// Reads the package in a file. Returns `None` if the file is not an archive, or is an MCP
/// bundle.
pub(crate) fn read_archive(file: &Path, terminal: &Terminal) -> Result<Option<Input>, Failure> {
    if !file.is_file() {
        return Ok(None);
    }
    let input = package::load(file, terminal)?;
    let is_package = input.bytes().starts_with(ZIP_MAGIC)
        && Bundle::detect(input.bytes(), &limits::document()).is_none();
    Ok(is_package.then_some(input))
}

/// Returns the keys that the user trusts. For the publisher of this id, adds those in
/// `files`.
pub(crate) fn trusted_keys(
    files: &[PathBuf],
    id: &str,
    terminal: &Terminal,
) -> Result<TrustedKeys, Failure> {
    let mut keys = match TrustStore::of_user() {
        Some(trust) => trust.keys().map_err(|error| terminal.usage_error(&error.to_string()))?,
        None => TrustedKeys::default(),
    };
    let publisher = id.split_once('.').map_or(id, |(publisher, _)| publisher);
    for file in files {
        let key = installer::read_public_key(file);
        let key =
            key.map_err(|error| terminal.usage_error(&format!("{}: {error}", display_path(file))))?;
        keys.trust(publisher, key);
    }
    Ok(keys)
}

/// Returns the id of the tool in a package, or an empty text if it has no readable
/// manifest.
pub(crate) fn tool_id(content: &toolglot::mcpkg::package::Package<'_>) -> String {
    match content.document(&limits::document()) {
        Ok(document) => Manifest::read(&document).tool_id.to_string(),
        Err(_) => String::new(),
    }
}

/// Returns the package that is installed as `ID` or `ID@VERSION`.
pub(crate) fn find_installed(
    name: &str,
    terminal: &Terminal,
) -> Result<Option<InstalledPackage>, Failure> {
    let find = |id: &str| {
        PackageStore::in_working_directory().find(id).map_err(|error| show_error(&error, terminal))
    };
    if let Some(held) = find(name)? {
        return Ok(Some(held));
    }
    let Some((id, version)) = name.rsplit_once('@') else { return Ok(None) };
    Ok(find(id)?.filter(|held| held.info.version == version))
}

/// Returns the path of a manifest, given that path or the id of an installed package.
pub(crate) fn manifest_path(file: &Path, terminal: &Terminal) -> Result<PathBuf, Failure> {
    let name = file.to_str().filter(|_| !file.exists());
    let held = name.map(|name| find_installed(name, terminal)).transpose()?.flatten();
    Ok(held.map_or_else(|| file.to_owned(), |held| held.folder().join("manifest.json")))
}

/// Verifies a tool before a call, if it was installed from a package, and all tools that it
/// calls as a chain. Prints the state of the tool's signature. Fails if a tool differs from
/// the agreed one.
pub(crate) fn verify_before_call(file: &Path, terminal: &Terminal) -> Result<(), Failure> {
    let Some((packages, id)) = PackageStore::of_manifest(file) else {
        return verify_chain(&PackageStore::in_working_directory(), chain_steps(file), terminal);
    };
    if let Some(held) = packages.find(&id).map_err(|error| show_error(&error, terminal))? {
        let found = verify_installed(&held, terminal)?;
        let [id, version] =
            [&held.info.tool_id, &held.info.version].map(|text| printable(text, 128));
        terminal.status(&format!("note: {id} {version} is {found}\n"));
    }
    verify_chain(&packages, chain_steps(file), terminal)
}

/// Returns the state of a package's signature. Fails if the package differs from the agreed
/// one.
pub(crate) fn verify_installed(
    held: &InstalledPackage,
    terminal: &Terminal,
) -> Result<String, Failure> {
    let keys = trusted_keys(&[], &held.info.tool_id, terminal)?;
    let checks = held.verify(&keys).map_err(|error| show_error(&error, terminal))?;
    if let Some(broken) = checks.iter().find(|check| check.holds == Some(false)) {
        let id = quoted(&held.info.tool_id);
        terminal.error(&format!(
            "{id} is not what was agreed to: {} ({}); `toolglot verify` tells more",
            broken.what, broken.found
        ));
        return Err(Failure::Refused);
    }
    let signature = |check: Check| (check.what == "signature").then_some(check.found);
    Ok(some_or_bug(checks.into_iter().find_map(signature)))
}

/// Verifies all tools that a chain reaches.
fn verify_chain(
    packages: &PackageStore,
    first: Vec<String>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let (mut open, mut seen) = (VecDeque::from(first), BTreeSet::new());
    while let Some(id) = open.pop_front() {
        if seen.len() >= MAX_CHAIN_TOOLS || !seen.insert(id.clone()) {
            continue;
        }
        let held = packages.find(&id).map_err(|error| show_error(&error, terminal))?;
        if let Some(held) = held {
            verify_installed(&held, terminal)?;
            open.extend(chain_steps(&held.folder().join("manifest.json")));
        }
    }
    Ok(())
}

/// Returns the tools that a manifest calls as a chain. The list is empty if the file is not
/// such a manifest, or not a regular file: a pipe can be read only once, by the call
/// itself.
fn chain_steps(file: &Path) -> Vec<String> {
    let limits = limits::document();
    if !file.is_file() {
        return Vec::new();
    }
    let Ok(input) = Input::open(file, limits.document_bytes) else { return Vec::new() };
    let Ok(document) = Document::parse(input.bytes(), &limits) else { return Vec::new() };
    let manifest = Manifest::read(&document);
    manifest.chain.iter().map(|step| step.tool.to_string()).collect()
}

/// Shows an error of the package store.
pub(crate) fn show_error(error: &Error, terminal: &Terminal) -> Failure {
    terminal.error(&error.to_string());
    match error {
        Error::Invalid(_) | Error::Archive(_) | Error::Manifest(_) | Error::Reserved(_) => {
            Failure::Invalid
        }
        Error::Store(_) | Error::Exchange(_) => Failure::Usage,
        _ => Failure::Refused,
    }
}
