//! A package to install, with the questions for its owner.

use std::path::Path;

use toolglot::Limits;
use toolglot::compare::{self, Change, Diff, Side};
use toolglot::core::version::parse_exact;
use toolglot::json::Document;
use toolglot::mcpkg::meta::ed25519::{SignatureStatus, TrustedKeys};
use toolglot::mcpkg::meta::format_time;
use toolglot::mcpkg::package::{CheckOptions, Findings, Package};
use toolglot::mcpkg::{FORMAT, Manifest};

use super::error::Error;
use super::installed::InstalledPackage;
use super::layout::{INFO, METRICS, PackageInfo};

/// A package that could be installed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Offer<'p> {
    /// The id of the tool.
    pub tool_id: String,
    /// Its version.
    pub version: String,
    /// The digest of its content.
    pub digest: String,
    /// The result of checking its signature.
    pub standing: SignatureStatus,
    /// The installed version.
    pub previous: Option<PreviousVersion>,
    /// Findings of the check that are not errors.
    pub findings: Findings,
    pub(super) package: &'p Package<'p>,
    pub(super) bytes: Vec<u8>,
    info: PackageInfo,
}

/// The installed version that an offer would replace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreviousVersion {
    /// Its version.
    pub version: String,
    /// The digest of its content.
    pub digest: String,
    /// The changes from its manifest to that of the offer.
    pub diff: Diff,
}

impl<'p> Offer<'p> {
    /// Checks a package. `find` returns the installed package with an id.
    pub(super) fn new(
        package: &'p Package<'p>,
        keys: &TrustedKeys,
        options: &CheckOptions,
        find: impl FnOnce(&str) -> Result<Option<InstalledPackage>, Error>,
    ) -> Result<Self, Error> {
        let findings = package.check(options);
        if !findings.is_valid() {
            return Err(Error::Invalid(findings));
        }
        if let Some(name) = reserved_file(package) {
            return Err(Error::Reserved(name.to_owned()));
        }
        let limits = &options.validate.limits;
        let standing = keys.signature_status(package, limits);
        let about = read_info(package, limits)?;
        let before = match find(&about.tool_id)? {
            None => None,
            Some(held) => {
                let diff = diff(&held.approved_manifest()?, package.manifest(), limits)?;
                let PackageInfo { version, digest, .. } = held.info;
                Some(PreviousVersion { version, digest, diff })
            }
        };
        Ok(Self {
            tool_id: about.tool_id.clone(),
            version: about.version.clone(),
            digest: package.digest(),
            standing,
            previous: before,
            findings,
            package,
            bytes: package.write(limits).map_err(Error::Archive)?,
            info: about,
        })
    }
}

impl Offer<'_> {
    /// Fails if the signature is invalid. Such a package must not be installed, even with
    /// consent.
    pub fn check_signature(&self) -> Result<(), Error> {
        match &self.standing {
            SignatureStatus::Broken { why } => Err(Error::Signature(why.clone())),
            _ => Ok(()),
        }
    }

    /// Returns true if the same package is already installed.
    pub fn is_installed(&self) -> bool {
        self.previous.as_ref().is_some_and(|before| before.digest == self.digest)
    }

    /// Returns the changes for the users of the tool.
    pub fn changes(&self) -> &[Change] {
        self.previous.as_ref().map_or(&[], |before| &before.diff.changes)
    }

    /// Returns the points that need the owner's consent. There are none for a first
    /// installation or a safe upgrade from a trusted publisher, so that it needs no
    /// question.
    pub fn questions(&self) -> Vec<String> {
        let mut questions = Vec::new();
        if !matches!(self.standing, SignatureStatus::Good { .. }) {
            questions.push(format!("the package is {}", self.standing));
        }
        let Some(before) = &self.previous else { return questions };
        if let Ok(old) = parse_exact(&before.version)
            && let Ok(new) = parse_exact(&self.version)
            && new < old
        {
            questions.push(format!("it is older than {}, which is installed", before.version));
        }
        if self.version == before.version && !self.is_installed() {
            questions
                .push("its version is the one that is installed, with other content".to_owned());
        }
        if !before.diff.is_upgrade_safe() {
            questions.push("what worked may not work any more".to_owned());
        } else if before.diff.needs_consent() {
            questions.push("the tool may do more than was agreed to".to_owned());
        }
        questions
    }

    /// Returns the record of the offer, as installed below this folder.
    pub(super) fn to_info(&self, now: i64, root: &Path) -> PackageInfo {
        PackageInfo {
            install_path: root.join(&self.tool_id).display().to_string(),
            // Empty if the clock is at a time that cannot be written.
            installed_at: format_time(now).unwrap_or_default(),
            digest: self.digest.clone(),
            ..self.info.clone()
        }
    }
}

fn read_info(package: &Package<'_>, limits: &Limits) -> Result<PackageInfo, Error> {
    let document = package.document(limits).map_err(Error::Manifest)?;
    let manifest = Manifest::read(&document);
    Ok(PackageInfo {
        tool_id: manifest.tool_id.to_string(),
        version: manifest.version.to_string(),
        name: manifest.name.to_string(),
        description: manifest.description.to_string(),
        capabilities: manifest.capabilities.iter().map(ToString::to_string).collect(),
        ..PackageInfo::default()
    })
}

/// Returns the changes from one manifest to another.
fn diff(old: &[u8], new: &[u8], limits: &Limits) -> Result<Diff, Error> {
    let old = Document::parse(old, limits).map_err(Error::Manifest)?;
    let new = Document::parse(new, limits).map_err(Error::Manifest)?;
    let (old_tools, new_tools) = (FORMAT.lift_valid(&old, 0), FORMAT.lift_valid(&new, 0));
    let old = Side { lifted: &old_tools, source: Some((&FORMAT, &old)) };
    let new = Side { lifted: &new_tools, source: Some((&FORMAT, &new)) };
    Ok(compare::documents(&old, &new, limits))
}

/// Returns the first file of a package whose name is reserved for the store.
fn reserved_file<'p>(package: &'p Package<'_>) -> Option<&'p str> {
    let mut names = package.entries().iter().map(|entry| entry.name.as_ref());
    names.find(|name| [INFO, METRICS].contains(name))
}
