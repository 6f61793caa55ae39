//! Installing and upgrading MCPKG packages.

use std::path::{Path, PathBuf};

use installer::packages::{Error, Offer, PackageInfo, PackageStore};
use toolglot::Profile;
use toolglot::compare::Change;
use toolglot::core::printable;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::package::Package;

use crate::files::input::Input;
use crate::files::limits;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;
use crate::verbs::diff;
use crate::verbs::live::{inspect, packages};

/// A request to install a package.
pub(crate) struct InstallRequest<'a> {
    /// A file, or `ID@VERSION` of a stored package.
    pub(crate) name: &'a str,
    /// Files with public keys of its publisher.
    pub(crate) keys: &'a [PathBuf],
    /// True to agree to everything without being asked.
    pub(crate) yes: bool,
}

impl InstallRequest<'_> {
    /// Reads the package. Returns `None` if `place` does not name one.
    pub(crate) fn read_package(&self, terminal: &Terminal) -> Result<Option<Input>, Failure> {
        let file = Path::new(self.name);
        if let Some(input) = packages::read_archive(file, terminal)? {
            return Ok(Some(input));
        }
        let Some((id, version)) = self.name.rsplit_once('@').filter(|_| !file.exists()) else {
            return Ok(None);
        };
        let fail = |error| packages::show_error(&error, terminal);
        let Some(held) = PackageStore::in_working_directory().find(id).map_err(fail)? else {
            return Ok(None);
        };
        let kept =
            held.stored_packages().map_err(fail)?.into_iter().rfind(|kept| kept.version == version);
        Ok(kept.map(|kept| Input::new(file, kept.bytes)))
    }

    /// Installs the package, after the user has agreed.
    pub(crate) fn install(&self, input: &Input, terminal: &Terminal) -> Result<(), Failure> {
        let content = package::open(input, terminal)?;
        let keys = packages::trusted_keys(self.keys, &packages::tool_id(&content), terminal)?;
        let store = PackageStore::in_working_directory();
        let options = package::check_options(Profile::Spec, None);
        // A clock before 1970 is taken for 1970.
        let now = options.now.unwrap_or(0);
        let offer = store.offer(&content, &keys, &options).map_err(|error| {
            if let Error::Invalid(findings) = &error {
                package::show_findings(findings, &content, terminal);
            }
            packages::show_error(&error, terminal)
        })?;
        package::show_findings(&offer.findings, &content, terminal);
        terminal.status(&describe_offer(&offer, &content));
        offer.check_signature().map_err(|error| packages::show_error(&error, terminal))?;
        self.ask_consent(&offer, terminal)?;
        let mut hears = |line: &str| terminal.status(&format!("now: {line}\n"));
        let info = store.install(&offer, now, &mut hears);
        let info = info.map_err(|error| packages::show_error(&error, terminal))?;
        let PackageInfo { tool_id, version, install_path, .. } = &info;
        let [id, version, path] = [tool_id, version, install_path].map(|text| printable(text, 512));
        terminal.print(&format!("installed {id} {version} in {path}\n"))
    }

    fn ask_consent(&self, offer: &Offer<'_>, terminal: &Terminal) -> Result<(), Failure> {
        let questions = offer.questions();
        for question in &questions {
            terminal.status(&format!("note: {question}\n"));
        }
        if questions.is_empty() || self.yes || person::confirm("Install it?", terminal) {
            return Ok(());
        }
        terminal.error("installing needs consent: read this, and agree with --yes");
        Err(Failure::Refused)
    }
}

/// Describes an offer: the tool, its calls, and the changes.
fn describe_offer(offer: &Offer<'_>, content: &Package<'_>) -> String {
    let [id, version] = [&offer.tool_id, &offer.version].map(|text| printable(text, 128));
    let mut lines = vec![format!("{id} {version}, {}", offer.standing)];
    if let Ok(document) = content.document(&limits::document()) {
        let calls = inspect::describe_calls(&Manifest::read(&document));
        lines.extend(calls.iter().map(|call| format!("calls {}", printable(call, 256))));
    }
    if let Some(before) = &offer.previous {
        let same = if offer.is_installed() { ", the same package" } else { "" };
        lines.push(format!("in the place of {}{same}", printable(&before.version, 128)));
    }
    let changes: Vec<&Change> = offer.changes().iter().collect();
    lines.join("\n") + "\n" + &diff::format_changes(&changes, false)
}
