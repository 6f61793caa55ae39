//! Checks that a module exports a tool. The host loads the module and reports its exports.
//!
//! ```
//! use toolglot_jumith::contract::{Export, check_module};
//! use toolglot_jumith::Manifest;
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

use manifest_core::{Pointer, Profile, Report, quoted};

use crate::manifest::Manifest;
use crate::structure::is_reference;
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
    let names = match wanted {
        Some(name) if is_reference(profile) => vec![name, "tool", "default"],
        Some(name) => vec![name],
        None => vec!["tool", "default"],
    };
    names.iter().find_map(|name| exports.iter().find(|found| found.export == *name))
}

/// Finds the tool among the exports of a module and checks it against the manifest, which
/// is what people have reviewed.
pub fn check_module(
    manifest: &Manifest<'_>,
    exports: &[Export<'_>],
    profile: Profile,
) -> Result<ModuleTool, Report> {
    let mut report = Report::new(profile, 100);
    let reference = is_reference(profile);
    let place = Pointer::root().push("entry").push("export");
    let wanted = manifest.entry.export.as_deref();
    let Some(found) = find_export(wanted, exports, profile) else {
        let names = wanted.map_or_else(|| "\"tool\" or \"default\"".to_owned(), quoted);
        let message = format!("the module does not export {names}");
        report.push(rules::EXPORT_MISSING.at_pointer(place, message));
        return Err(report);
    };
    for (what, is_there) in [
        ("name", has_text(found.name, reference)),
        ("description", has_text(found.description, reference)),
        ("function execute", found.has_execute),
    ] {
        if !is_there {
            let message = format!("the export {} has no {what}", quoted(found.export));
            report.push(rules::TOOL_CONTRACT.at_pointer(place.clone(), message));
        }
    }
    if !reference {
        compare(manifest, found, &mut report);
    }
    if !report.is_valid() {
        return Err(report);
    }
    let mut secrets: Vec<String> =
        manifest.required_secrets.iter().map(ToString::to_string).collect();
    if reference && !found.required_secrets.is_empty() {
        secrets = found.required_secrets.iter().map(ToString::to_string).collect();
    }
    let claims = [found.requires_approval, manifest.requires_approval];
    Ok(ModuleTool {
        export: found.export.to_owned(),
        name: found.name.unwrap_or(&manifest.name).to_owned(),
        description: found.description.unwrap_or(&manifest.description).to_owned(),
        secrets,
        // Approval is required if one of them requires it, or if both declare nothing.
        requires_approval: claims.contains(&Some(true)) || claims == [None, None],
        has_approval_message: found.has_approval_message,
        report,
    })
}

/// Returns true if a text is there and not blank. The published client accepts blank ones.
fn has_text(text: Option<&str>, reference: bool) -> bool {
    text.is_some_and(|text| reference || !names::is_blank(text))
}

/// Reports the differences between a manifest and the tool that its module exports.
fn compare(manifest: &Manifest<'_>, found: &Export<'_>, report: &mut Report) {
    for secret in &found.required_secrets {
        if !manifest.required_secrets.iter().any(|declared| declared == secret) {
            let message = format!("the module asks for {} too", quoted(secret));
            let place = Pointer::root().push("requiredSecrets");
            report.push(rules::UNDECLARED_SECRET.at_pointer(place, message));
        }
    }
    if let Some(name) = found.name
        && name != manifest.name
    {
        let message = format!("the module calls the tool {}", quoted(name));
        report.push(rules::TOOL_NAME.at_pointer(Pointer::root().push("name"), message));
    }
    if let (Some(module), Some(declared)) = (found.requires_approval, manifest.requires_approval)
        && module != declared
    {
        let place = Pointer::root().push("requiresApproval");
        report.push(rules::UNDECLARED_APPROVAL.at_pointer(place, "the module says otherwise"));
    }
}
