//! Signatures. The host chooses the scheme and supplies a [`Verifier`]. This module defines
//! the bytes to sign.

use manifest_core::{Diagnostic, Limits, Pointer, Profile, Report, Rule};

use crate::Manifest;
use crate::package::{MANIFEST, Package, SIGNATURE, rules};

/// The first line of a statement.
const STATEMENT: &str = "mcpkg-signature-v1";

/// The content that a signature is made for.
#[derive(Clone, Debug)]
pub struct SignedContent<'p> {
    package: &'p Package<'p>,
    tool_id: String,
    version: String,
}

impl<'p> SignedContent<'p> {
    /// Returns the content that the signature of this package is made for. Fails if the
    /// manifest is not JSON.
    pub fn new(package: &'p Package<'p>, limits: &Limits) -> Result<Self, Diagnostic> {
        let document = package.document(limits)?;
        let manifest = Manifest::read(&document);
        let tool_id = manifest.tool_id.into_owned();
        Ok(Self { package, tool_id, version: manifest.version.into_owned() })
    }

    /// Returns the id of the tool that the signature is for.
    pub fn tool_id(&self) -> &str {
        &self.tool_id
    }

    /// Returns the bytes that a publisher signs, to cover the whole package.
    ///
    /// ```text
    /// mcpkg-signature-v1
    /// <toolId> <version>
    /// <SHA-256 of the file, in hexadecimal> <its length> <its name>
    /// …
    /// ```
    ///
    /// There is one line for each file except the signature, ordered by name. Each line
    /// ends with a line feed. Files count as their bytes, so a manifest that is written
    /// anew, with the same meaning, is another manifest. The id and the version bind the
    /// signature to one release.
    pub fn statement(&self) -> Vec<u8> {
        let files = self.package.digest_lines(|entry| entry.name != SIGNATURE);
        format!("{STATEMENT}\n{} {}\n{files}", self.tool_id, self.version).into_bytes()
    }

    /// Returns the bytes of a file, for schemes that sign single files.
    pub fn file(&self, name: &str) -> Option<&'p [u8]> {
        self.package.file(name)
    }
}

/// The files that a signature covers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Coverage {
    /// All files except the signature.
    Package,
    /// These files.
    Files(Vec<String>),
}

/// A signature scheme.
pub trait Verifier {
    /// Verifies a signature. Returns the files that it covers, or the reason why it is
    /// invalid.
    fn verify(&self, signature: &[u8], signed: &SignedContent<'_>) -> Result<Coverage, String>;
}

/// Checks the signature of a package.
///
/// If `required` is true, a package without a signature is refused. Otherwise, anyone who
/// changes a package could also remove its signature. An existing signature must be valid
/// in any case.
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
    let signed = match SignedContent::new(package, limits) {
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

/// Fails if a signature is empty, or too large to be one.
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
