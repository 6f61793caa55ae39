//! Installing and upgrading MCPKG packages.

use std::path::{Path, PathBuf};

use installer::packages::{Error, Info, Offer, Packages};
use toolglot::Profile;
use toolglot::compare::Change;
use toolglot::core::printable;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::package::Package;

use crate::live::{inspect, packages};
use crate::{diff, package};
use console::input::Input;
use console::limits;
use console::person;
use console::terminal::{Failure, Terminal};

/// A request to install a package.
pub(crate) struct Wanted<'a> {
    /// A file, or `ID@VERSION` of a stored package.
    pub(crate) place: &'a str,
    /// Files with public keys of its publisher.
    pub(crate) keys: &'a [PathBuf],
    /// True to agree to everything without being asked.
    pub(crate) yes: bool,
}

impl Wanted<'_> {
    /// Reads the package. Returns `None` if `place` does not name one.
    pub(crate) fn input(&self, terminal: &Terminal) -> Result<Option<Input>, Failure> {
        let file = Path::new(self.place);
        if let Some(input) = packages::archive(file, terminal)? {
            return Ok(Some(input));
        }
        let Some((id, version)) = self.place.rsplit_once('@').filter(|_| !file.exists()) else {
            return Ok(None);
        };
        let fail = |error| packages::failed(&error, terminal);
        let Some(held) = Packages::here().find(id).map_err(fail)? else { return Ok(None) };
        let kept = held.kept().map_err(fail)?.into_iter().rfind(|kept| kept.version == version);
        Ok(kept.map(|kept| Input::new(file, kept.bytes)))
    }

    /// Installs the package, after the user has agreed.
    pub(crate) fn install(&self, input: &Input, terminal: &Terminal) -> Result<(), Failure> {
        let content = package::open(input, terminal)?;
        let keys = packages::keys(self.keys, &packages::id(&content), terminal)?;
        let store = Packages::here();
        let options = package::options(Profile::Spec, None);
        let now = options.now.unwrap_or_default();
        let offer = store.offer(&content, &keys, &options).map_err(|error| {
            if let Error::Invalid(findings) = &error {
                package::show(findings, &content, terminal);
            }
            packages::failed(&error, terminal)
        })?;
        package::show(&offer.findings, &content, terminal);
        terminal.say(&told(&offer, &content));
        offer.refused().map_err(|error| packages::failed(&error, terminal))?;
        self.agreed(&offer, terminal)?;
        let mut hears = |line: &str| terminal.say(&format!("now: {line}\n"));
        let info = store.install(&offer, now, &mut hears);
        let info = info.map_err(|error| packages::failed(&error, terminal))?;
        let Info { tool_id, version, install_path, .. } = &info;
        let [id, version, path] = [tool_id, version, install_path].map(|text| printable(text, 512));
        terminal.print(&format!("installed {id} {version} in {path}\n"))
    }

    fn agreed(&self, offer: &Offer<'_>, terminal: &Terminal) -> Result<(), Failure> {
        let questions = offer.questions();
        for question in &questions {
            terminal.say(&format!("note: {question}\n"));
        }
        if questions.is_empty() || self.yes || person::says_yes("Install it?", terminal) {
            return Ok(());
        }
        terminal.error("installing needs consent: read this, and agree with --yes");
        Err(Failure::Refused)
    }
}

/// Describes an offer: the tool, its calls, and the changes.
fn told(offer: &Offer<'_>, content: &Package<'_>) -> String {
    let [id, version] = [&offer.tool_id, &offer.version].map(|text| printable(text, 128));
    let mut lines = vec![format!("{id} {version}, {}", offer.standing)];
    if let Ok(document) = content.document(&limits::usual()) {
        let calls = inspect::calls(&Manifest::read(&document));
        lines.extend(calls.iter().map(|call| format!("calls {}", printable(call, 256))));
    }
    if let Some(before) = &offer.before {
        let same = if offer.is_there() { ", the same package" } else { "" };
        lines.push(format!("in the place of {}{same}", printable(&before.version, 128)));
    }
    let changes: Vec<&Change> = offer.changes().iter().collect();
    lines.join("\n") + "\n" + &diff::lines(&changes, false)
}
