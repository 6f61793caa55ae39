//! Signatures. The scheme is the host's: a [`Verifier`] judges, and this module says
//! what is signed.

use manifest_core::{Diagnostic, Limits, Pointer, Profile, Report, Rule};

use crate::Manifest;
use crate::package::{MANIFEST, Package, SIGNATURE, rules};

/// The first line of what is signed.
const STATEMENT: &str = "mcpkg-signature-v1";

/// What a signature is over.
#[derive(Clone, Debug)]
pub struct Signed<'p> {
    package: &'p Package<'p>,
    tool_id: String,
    version: String,
}

impl<'p> Signed<'p> {
    /// What the signature of this package is over. The error is that of a manifest
    /// that is not JSON.
    pub fn new(package: &'p Package<'p>, limits: &Limits) -> Result<Self, Diagnostic> {
        let document = package.document(limits)?;
        let manifest = Manifest::read(&document);
        let tool_id = manifest.tool_id.into_owned();
        Ok(Self { package, tool_id, version: manifest.version.into_owned() })
    }

    /// The tool that the signature is for.
    pub fn tool_id(&self) -> &str {
        &self.tool_id
    }

    /// The bytes that a publisher signs, to cover the whole package.
    ///
    /// ```text
    /// mcpkg-signature-v1
    /// <toolId> <version>
    /// <SHA-256 of the file, in hexadecimal> <its length> <its name>
    /// …
    /// ```
    ///
    /// One line for each file but the signature itself, by name. Each line ends
    /// with a line feed. Files count as their bytes: a manifest that is written
    /// anew, with the same meaning, is another manifest. The id and the version
    /// bind the signature to one release.
    pub fn statement(&self) -> Vec<u8> {
        let files = self.package.listing(|entry| entry.name != SIGNATURE);
        format!("{STATEMENT}\n{} {}\n{files}", self.tool_id, self.version).into_bytes()
    }

    /// The bytes of a file, for schemes that sign single files.
    pub fn file(&self, name: &str) -> Option<&'p [u8]> {
        self.package.file(name)
    }
}

/// What a signature covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coverage {
    /// All files but the signature.
    Package,
    /// These files.
    Files(Vec<String>),
}

/// A scheme of signatures.
pub trait Verifier {
    /// Judges a signature: what it covers, or why it is not good.
    fn verify(&self, signature: &[u8], signed: &Signed<'_>) -> Result<Coverage, String>;
}

/// Checks the signature of a package.
///
/// With `required`, a package without a signature is refused: otherwise whoever
/// changes a package could strip the signature with it. A signature that is there
/// must be good in any case.
pub fn verify(
    package: &Package<'_>,
    verifier: &dyn Verifier,
    required: bool,
    limits: &Limits,
) -> Report {
    let mut report = Report::new(Profile::Spec, limits.diagnostics);
    let Some(signature) = package.file(SIGNATURE) else {
        if required {
            let message = "the package is not signed, and a signature is required";
            report.push(rules::SIGNATURE_MISSING.at_pointer(Pointer::root(), message));
        }
        return report;
    };
    if let Err((rule, message)) = check_size(signature, limits) {
        report.push(rule.at_pointer(Pointer::root(), message));
        return report;
    }
    let signed = match Signed::new(package, limits) {
        Ok(signed) => signed,
        Err(diagnostic) => {
            report.push(diagnostic);
            return report;
        }
    };
    let covered = match verifier.verify(signature, &signed) {
        Ok(Coverage::Package) => return report,
        Ok(Coverage::Files(files)) => files,
        Err(message) => {
            let message = manifest_core::printable(&message, 256);
            report.push(rules::SIGNATURE.at_pointer(Pointer::root(), message));
            return report;
        }
    };
    for entry in package.entries() {
        if entry.name == SIGNATURE || covered.iter().any(|name| *name == entry.name) {
            continue;
        }
        let message = format!("{} is not signed", manifest_core::quoted(&entry.name));
        let rule =
            if entry.name == MANIFEST { &rules::SIGNATURE } else { &rules::SIGNATURE_COVERAGE };
        report.push(rule.at_pointer(Pointer::root(), message));
    }
    report
}

/// A signature that is none, or that is too large to be one.
pub(crate) fn check_size(signature: &[u8], limits: &Limits) -> Result<(), (&'static Rule, String)> {
    let limit = limits.signature_bytes;
    match signature.len() {
        0 => Err((&rules::SIGNATURE, "the signature is empty".to_owned())),
        found if found > limit => {
            let message = format!("{found} bytes, more than the {limit} allowed");
            Err((&rules::SIGNATURE_SIZE, message))
        }
        _ => Ok(()),
    }
}
