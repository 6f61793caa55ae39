//! A package to install, with the questions for its owner.

use std::path::Path;

use toolglot::Limits;
use toolglot::compare::{self, Change, Diff, Side};
use toolglot::core::version::parse_exact;
use toolglot::mcpkg::meta::ed25519::{Keys, Standing};
use toolglot::mcpkg::meta::format_time;
use toolglot::mcpkg::package::{CheckOptions, Findings, Package};
use toolglot::mcpkg::{FORMAT, Manifest};

use super::error::Error;
use super::held::Held;
use super::info::Info;
use super::places::{INFO, METRICS};

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
    pub standing: Standing,
    /// The installed version.
    pub before: Option<Before>,
    /// Findings of the check that are not errors.
    pub findings: Findings,
    pub(super) package: &'p Package<'p>,
    pub(super) bytes: Vec<u8>,
    about: Info,
}

/// The installed version that an offer would replace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Before {
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
        keys: &Keys,
        options: &CheckOptions,
        find: impl FnOnce(&str) -> Result<Option<Held>, Error>,
    ) -> Result<Self, Error> {
        let findings = package.check(options);
        if !findings.is_valid() {
            return Err(Error::Invalid(findings));
        }
        if let Some(name) = reserved(package) {
            return Err(Error::Reserved(name.to_owned()));
        }
        let limits = &options.validate.limits;
        let standing = keys.standing(package, limits);
        let about = about(package, limits)?;
        let before = match find(&about.tool_id)? {
            None => None,
            Some(held) => {
                let diff = diff(&held.agreed()?, package.manifest(), limits)?;
                let Info { version, digest, .. } = held.info;
                Some(Before { version, digest, diff })
            }
        };
        Ok(Self {
            tool_id: about.tool_id.clone(),
            version: about.version.clone(),
            digest: package.digest(),
            standing,
            before,
            findings,
            package,
            bytes: package.write(limits).map_err(Error::Archive)?,
            about,
        })
    }
}

impl Offer<'_> {
    /// Fails if the signature is invalid. Such a package must not be installed, even with
    /// consent.
    pub fn refused(&self) -> Result<(), Error> {
        match &self.standing {
            Standing::Broken { why } => Err(Error::Signature(why.clone())),
            _ => Ok(()),
        }
    }

    /// Returns true if the same package is already installed.
    pub fn is_there(&self) -> bool {
        self.before.as_ref().is_some_and(|before| before.digest == self.digest)
    }

    /// Returns the changes for the users of the tool.
    pub fn changes(&self) -> &[Change] {
        self.before.as_ref().map_or(&[], |before| &before.diff.changes)
    }

    /// Returns the points that need the owner's consent. There are none for a first
    /// installation or a safe upgrade from a trusted publisher, so that it needs no
    /// question.
    pub fn questions(&self) -> Vec<String> {
        let mut questions = Vec::new();
        if !matches!(self.standing, Standing::Good { .. }) {
            questions.push(format!("the package is {}", self.standing));
        }
        let Some(before) = &self.before else { return questions };
        let versions = (parse_exact(&before.version), parse_exact(&self.version));
        if let (Ok(old), Ok(new)) = versions
            && new < old
        {
            questions.push(format!("it is older than {}, which is installed", before.version));
        }
        if self.version == before.version && !self.is_there() {
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
    pub(super) fn info(&self, now: i64, root: &Path) -> Info {
        Info {
            install_path: root.join(&self.tool_id).display().to_string(),
            installed_at: format_time(now).unwrap_or_default(),
            digest: self.digest.clone(),
            ..self.about.clone()
        }
    }
}

fn about(package: &Package<'_>, limits: &Limits) -> Result<Info, Error> {
    let document = package.document(limits).map_err(Error::Manifest)?;
    let manifest = Manifest::read(&document);
    Ok(Info {
        tool_id: manifest.tool_id.to_string(),
        version: manifest.version.to_string(),
        name: manifest.name.to_string(),
        description: manifest.description.to_string(),
        capabilities: manifest.capabilities.iter().map(ToString::to_string).collect(),
        ..Info::default()
    })
}

/// Returns the changes from one manifest to another.
fn diff(old: &[u8], new: &[u8], limits: &Limits) -> Result<Diff, Error> {
    let parse = |text| toolglot::json::Document::parse(text, limits).map_err(Error::Manifest);
    let (old, new) = (parse(old)?, parse(new)?);
    let (old_tools, new_tools) = (FORMAT.read_as(&old, 0), FORMAT.read_as(&new, 0));
    let old = Side { lifted: &old_tools, source: Some((&FORMAT, &old)) };
    let new = Side { lifted: &new_tools, source: Some((&FORMAT, &new)) };
    Ok(compare::documents(&old, &new, limits))
}

/// Returns the first file of a package whose name is reserved for the store.
fn reserved<'p>(package: &'p Package<'_>) -> Option<&'p str> {
    let mut names = package.entries().iter().map(|entry| entry.name.as_ref());
    names.find(|name| [INFO, METRICS].contains(name))
}
