//! Comparing manifests of any format with approvals and installations.

use std::collections::BTreeSet;
use std::path::Path;

use disk::sources;
use gateway::{Approval, Approvals};
use installer::Check;
use installer::capabilities::{CapabilityStore, Content};
use toolglot::capability::CatalogEntry;
use toolglot::core::{printable, quoted};
use toolglot::descriptor::Invocation;
use toolglot::{Formats, capability};

use crate::files::input::{self, Input};
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::approve;
use crate::verbs::live::callable::{self, CallableManifest};

/// The checks of a tool or a manifest.
pub(super) struct Verification {
    pub(super) checks: Vec<Check>,
    /// True if there is an approval or an installation to compare with.
    pub(super) has_reference: bool,
}

impl Verification {
    pub(super) const fn with_reference(checks: Vec<Check>) -> Self {
        Self { checks, has_reference: true }
    }
}

/// Returns the named store, or else the user's.
fn store_or_user(store: Option<&Path>) -> Option<CapabilityStore> {
    store.map(|store| CapabilityStore::at(store, None)).or_else(CapabilityStore::of_user)
}

/// Checks a capability of a store. Returns `None` if it is not declared.
pub(super) fn verify_capability(
    id: &str,
    store: Option<&Path>,
    terminal: &Terminal,
) -> Result<Option<Vec<Check>>, Failure> {
    let Some(store) = store_or_user(store) else { return Ok(None) };
    store.verify(id, None).map_err(|error| terminal.usage_error(&error.to_string()))
}

/// Checks a manifest in a file.
pub(super) fn verify_file(
    file: &Path,
    store: Option<&Path>,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<Verification, Failure> {
    callable::with_file(file, formats, terminal, |document| {
        let mut checks = check_approvals(document, file, terminal)?;
        let mut own = Vec::new();
        if document.format.name == capability::FORMAT.name {
            let input = Input::read(file, limits::document().document_bytes, terminal)?;
            // The file may be a catalog. Its entries are verified by id instead.
            if let Ok(text) = std::str::from_utf8(input.bytes())
                && let Ok(entry) = CatalogEntry::parse(text, &limits::validate_options())
            {
                let found = store_or_user(store)
                    .map(|store| store.verify(entry.id(), Some(&entry)))
                    .transpose();
                let found = found.map_err(|error| terminal.usage_error(&error.to_string()))?;
                checks.extend(found.into_iter().flatten().flatten());
                own.extend(input::folder(file).map(|folder| Content::verify(&entry, &folder)));
            }
        }
        own.extend(check_sources(document));
        let agreed = !checks.is_empty();
        checks.extend(own);
        Ok(Verification { checks, has_reference: agreed })
    })
}

/// Checks that the approvals of a manifest's tools are for its current text.
fn check_approvals(
    document: &CallableManifest<'_>,
    file: &Path,
    terminal: &Terminal,
) -> Result<Vec<Check>, Failure> {
    let all = Approvals::of_user().map_or(Ok(Vec::new()), |approvals| approvals.all());
    let all = all.map_err(|error| {
        terminal.usage_error(&format!("what was approved cannot be read: {error}"))
    })?;
    let (digest, name) = (document.digest(), approve::approval_path(file));
    let (now, other): (Vec<&Approval>, Vec<&Approval>) =
        all.iter().partition(|one| one.digest == digest);
    let now: BTreeSet<&str> = now.into_iter().map(|one| one.tool.as_str()).collect();
    let before = other.into_iter().filter(|one| one.file == name && !now.contains(&*one.tool));
    let holds = now.iter().map(|tool| {
        let tool = printable(tool, 128);
        Check::new("approval", true, format!("{tool} is approved as it is now, sha256:{digest}"))
    });
    let broken = before.map(|one| {
        let (tool, agreed) = (printable(&one.tool, 128), printable(&one.digest, 64));
        let found = format!("{tool} was approved of sha256:{agreed}, this is sha256:{digest}");
        Check::new("approval", false, found)
    });
    Ok(holds.chain(broken).collect())
}

/// Checks that the sources of converted tools exist and are unchanged.
fn check_sources(document: &CallableManifest<'_>) -> Vec<Check> {
    let pins = document.tools();
    let pins = pins.iter().flat_map(|tool| tool.tool.invocations().filter_map(Invocation::pin));
    let digests: BTreeSet<String> = pins.map(|pin| pin.source).collect();
    let limit = limits::document().document_bytes;
    let check = |digest: &String| match sources::find(digest, document.folder.as_deref(), limit) {
        Ok(_) => Check::new("source", true, format!("sha256:{digest} is there")),
        Err(error) => Check::new("source", false, format!("{}: {error}", quoted(digest))),
    };
    digests.iter().map(check).collect()
}
