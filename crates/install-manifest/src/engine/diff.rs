//! Compares two manifests of a tool, and classifies each change by its effect on users.
//!
//! ```
//! use toolglot_install_manifest::engine::diff::{Class, diff};
//! use toolglot_install_manifest::Manifest;
//! use manifest_core::{Limits, json::Document};
//!
//! # let text = |version: &str, scopes: &str| format!(r#"{{
//! #   "manifest_version": "0.2",
//! #   "tool": {{"id": "tiny", "version": "{version}", "name": "Tiny", "summary": "Tiny.",
//! #     "homepage": "https://example.com"}},
//! #   "runtime": {{"kind": "mcp-stdio", "install": {{"method": "pip", "package": "tiny"}}}},
//! #   "scopes": [{scopes}],
//! #   "smoke": {{"kind": "shell", "command": ["tiny"], "success": {{}}}},
//! #   "kill_switch": {{"kind": "manual", "instructions_url": "https://example.com"}}
//! # }}"#);
//! let limits = Limits::default();
//! let old = text("1.0.0", "");
//! let new = text("1.1.0", r#"{"resource": "fs.local", "actions": ["read"], "rationale": "r"}"#);
//! let old = Document::parse(old.as_bytes(), &limits)?;
//! let new = Document::parse(new.as_bytes(), &limits)?;
//! let (old, new) = (Manifest::read(&old).ok_or("old")?, Manifest::read(&new).ok_or("new")?);
//!
//! let diff = diff(&old, &new, &limits);
//! assert!(diff.is_upgrade_safe());
//! assert!(diff.needs_consent());
//! let scope = diff.changes.iter().find(|change| change.kind == "scope-added");
//! assert_eq!(scope.map(|change| change.class), Some(Class::Additive));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::Manifest;
use compare::{Record, equal_json};
use manifest_core::version::parse_exact;
use manifest_core::{Limits, quoted};

mod action;
mod change;
mod data;
mod schema;
mod tool;

pub use change::{Change, Class, Diff};

/// Returns the changes from an old manifest to a new one. The two may follow different
/// versions of the specification.
pub fn diff<'a>(old: &Manifest<'a>, new: &Manifest<'a>, limits: &Limits) -> Diff {
    let mut diff = Diff::default();
    let same_version = old.tool.version == new.tool.version;
    if same_version && !equal_json(&old.to_json(), &new.to_json()) {
        let message = format!("{} is now something else", quoted(&new.tool.version));
        diff.breaking("version-mutation", "/tool/version", message);
    }
    if old.manifest_version != new.manifest_version {
        let message = format!("{} to {}", old.manifest_version.word(), new.manifest_version.word());
        diff.cosmetic("manifest-version-changed", "/manifest_version", message);
    }
    if !same_version {
        let message = format!("{} to {}", quoted(&old.tool.version), quoted(&new.tool.version));
        match (parse_exact(&old.tool.version), parse_exact(&new.tool.version)) {
            (Ok(before), Ok(after)) if after < before => {
                diff.breaking("tool-version-lowered", "/tool/version", message);
            }
            _ => {
                diff.cosmetic("tool-version-bumped", "/tool/version", message);
            }
        }
    }
    let versions = diff.changes.len();
    tool::tool(old, new, &mut diff);
    tool::runtime(old, new, &mut diff);
    data::env(old, new, &mut diff);
    data::scopes(old, new, &mut diff);
    action::actions(old, new, limits, &mut diff);
    data::boundary(old, new, &mut diff);
    tool::smoke(old, new, &mut diff);
    tool::kill_switch(old, new, &mut diff);
    tool::cost(old, new, &mut diff);
    // If no check above found a change, reports any other difference. Most of these matter
    // to no user.
    if diff.changes.len() == versions {
        let mut alike = new.clone();
        alike.manifest_version = old.manifest_version;
        alike.tool.version.clone_from(&old.tool.version);
        if !equal_json(&old.to_json(), &alike.to_json()) {
            diff.cosmetic("other-change", "", "something else is written differently");
        }
    }
    diff
}
