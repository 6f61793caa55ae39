//! Checks that a module exports a tool. The host loads the module and reports its exports.
//!
//! ```
//! use jumith::contract::{Export, check_module};
//! use jumith::Manifest;
//! use manifest_core::Profile;
//!
//! let manifest = Manifest { name: "add".into(), ..Manifest::default() };
//! let exports = [Export {
//!     export: "tool",
//!     name: Some("add"),
//!     description: Some("Adds"),
//!     has_execute: true,
//!     ..Export::default()
//! }];
//! let agreed = check_module(&manifest, &exports, Profile::Spec).unwrap();
//! assert_eq!(agreed.export, "tool");
//! assert!(agreed.requires_approval, "nobody said that calls are harmless");
//! ```

use manifest_core::{Diagnostic, Pointer, Profile, Report, Rule, quoted};

use crate::manifest::Manifest;
use crate::{names, rules};

/// One export of a module, as the host found it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export<'h> {
    /// The name of the export.
    pub export: &'h str,
    /// Its `name`, if that is a string.
    pub name: Option<&'h str>,
    /// Its `description`, if that is a string.
    pub description: Option<&'h str>,
    /// True if its `execute` is a function.
    pub has_execute: bool,
    /// The strings in its `requiredSecrets`.
    pub required_secrets: Vec<&'h str>,
    /// Its `requiresApproval`, if that is a boolean.
    pub requires_approval: Option<bool>,
    /// True if its `getApprovalMessage` is a function.
    pub has_approval_message: bool,
}

/// The tool that manifest and module agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleTool {
    /// The export whose `execute` is called.
    pub export: String,
    /// The tool's name. The keys of its secrets begin with it.
    pub name: String,
    /// The tool's description.
    pub description: String,
    /// The names of the secrets to give to the tool.
    pub secrets: Vec<String>,
    /// True if a person must approve each call.
    pub requires_approval: bool,
    /// True if the module provides the message for that approval.
    pub has_approval_message: bool,
    /// Warnings. An error makes [`check_module`] fail instead.
    pub report: Report,
}

/// Returns the export that is the tool. It is the export that the manifest names. If the
/// manifest names no export, it is `tool` or else `default`. Under the `reference` profile,
/// those two are also tried if the named export is missing.
pub fn find_export<'e, 'h>(
    wanted: Option<&str>,
    exports: &'e [Export<'h>],
    profile: Profile,
) -> Option<&'e Export<'h>> {
    let find = |name: &str| exports.iter().find(|found| found.export == name);
    match wanted {
        Some(name) if profile != Profile::Reference => find(name),
        Some(name) => find(name).or_else(|| find("tool")).or_else(|| find("default")),
        None => find("tool").or_else(|| find("default")),
    }
}

/// Finds the tool among the exports of a module and checks it against the manifest, which
/// is what people have reviewed.
pub fn check_module(
    manifest: &Manifest<'_>,
    exports: &[Export<'_>],
    profile: Profile,
) -> Result<ModuleTool, Report> {
    let mut report = Report::new(profile, 100);
    let at = |rule: &'static Rule, place: &[&str], message: String| -> Diagnostic {
        let pointer = place.iter().fold(Pointer::root(), |pointer, name| pointer.push(name));
        rule.at_pointer(pointer, message)
    };
    let wanted = manifest.entry.export.as_deref();
    let Some(found) = find_export(wanted, exports, profile) else {
        let names = wanted.map_or_else(|| "\"tool\" or \"default\"".to_owned(), quoted);
        let message = format!("the module does not export {names}");
        report.push(at(&rules::EXPORT_MISSING, &["entry", "export"], message));
        return Err(report);
    };
    let said = |text: Option<&'_ str>| text.is_some_and(|text| !names::is_blank(text));
    let reference = profile == Profile::Reference;
    // The published client requires strings, but accepts empty ones.
    let has = |text: Option<&str>| if reference { text.is_some() } else { said(text) };
    for (what, is_there) in [
        ("name", has(found.name)),
        ("description", has(found.description)),
        ("function execute", found.has_execute),
    ] {
        if !is_there {
            let message = format!("the export {} has no {what}", quoted(found.export));
            report.push(at(&rules::TOOL_CONTRACT, &["entry", "export"], message));
        }
    }
    let declared: Vec<&str> = manifest.required_secrets.iter().map(AsRef::as_ref).collect();
    if !reference {
        for secret in found.required_secrets.iter().filter(|secret| !declared.contains(secret)) {
            let message = format!("the module asks for {} too", quoted(secret));
            report.push(at(&rules::UNDECLARED_SECRET, &["requiredSecrets"], message));
        }
        if let Some(name) = found.name.filter(|name| *name != manifest.name) {
            let message = format!("the module calls the tool {}", quoted(name));
            report.push(at(&rules::TOOL_NAME, &["name"], message));
        }
        let both = found.requires_approval.zip(manifest.requires_approval);
        if both.is_some_and(|(module, manifest)| module != manifest) {
            let message = "the module says otherwise".to_owned();
            report.push(at(&rules::UNDECLARED_APPROVAL, &["requiresApproval"], message));
        }
    }
    if !report.is_valid() {
        return Err(report);
    }
    let claims = [found.requires_approval, manifest.requires_approval];
    let secrets = if reference && !found.required_secrets.is_empty() {
        &found.required_secrets
    } else {
        &declared
    };
    Ok(ModuleTool {
        export: found.export.to_owned(),
        name: found.name.unwrap_or(&manifest.name).to_owned(),
        description: found.description.unwrap_or(&manifest.description).to_owned(),
        secrets: secrets.iter().map(|secret| (*secret).to_owned()).collect(),
        // Approval is required if one of them requires it, or if both declare nothing.
        requires_approval: claims.contains(&Some(true)) || claims == [None, None],
        has_approval_message: found.has_approval_message,
        report,
    })
}
