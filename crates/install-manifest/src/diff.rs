//! What changed between two manifests of a tool, and what it means for those who
//! use it.
//!
//! ```
//! use install_manifest::diff::{Class, diff};
//! use install_manifest::Manifest;
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

use std::collections::BTreeMap;

use manifest_core::json::{Document, Raw};
use manifest_core::{Limits, Pointer, quoted, version};
use serde::Serialize;

use crate::Manifest;

mod action;
mod data;
mod schema;
mod tool;

/// What a change means for those who use a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(clippy::exhaustive_enums)] // the three that there are
pub enum Class {
    /// What worked may not work any more.
    Breaking,
    /// There is more than before.
    Additive,
    /// People see it, programs do not.
    Cosmetic,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// What kind of change, such as `scope-added`. Kinds that the published tool
    /// knows have its names.
    pub kind: &'static str,
    /// What it means.
    pub class: Class,
    /// Whether the owner must agree anew: the tool may do, see or cost more.
    pub consent: bool,
    /// Where: in the new manifest or, for what is gone, in the old one.
    pub pointer: Pointer,
    /// What changed, in one line.
    pub message: String,
}

/// Everything that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The changes, in the order of the manifest.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Whether nothing that worked breaks.
    pub fn is_upgrade_safe(&self) -> bool {
        self.changes.iter().all(|change| change.class != Class::Breaking)
    }

    /// Whether the owner must agree anew.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }

    fn push(&mut self, class: Class, kind: &'static str, at: &str, message: impl Into<String>) {
        let pointer = Pointer::parse(at).unwrap_or_default();
        let message = message.into();
        self.changes.push(Change { kind, class, consent: false, pointer, message });
    }

    fn breaking(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Breaking, kind, at, message);
        self
    }

    fn additive(&mut self, kind: &'static str, at: &str, message: impl Into<String>) -> &mut Self {
        self.push(Class::Additive, kind, at, message);
        self
    }

    fn cosmetic(&mut self, kind: &'static str, at: &str, message: impl Into<String>) {
        self.push(Class::Cosmetic, kind, at, message);
    }

    /// Marks the last change as one to agree to.
    fn ask(&mut self) {
        self.ask_if(true);
    }

    fn ask_if(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }
}

/// What changed from an old manifest to a new one, of the same version of the
/// specification or not.
pub fn diff<'a>(old: &Manifest<'a>, new: &Manifest<'a>, limits: &Limits) -> Diff {
    let mut diff = Diff::default();
    let same_version = old.tool.version == new.tool.version;
    if same_version && !same(old, new, limits) {
        let message = format!("{} is now something else", quoted(&new.tool.version));
        diff.breaking("version-mutation", "/tool/version", message);
    }
    if old.manifest_version != new.manifest_version {
        let message = format!("{} to {}", old.manifest_version.word(), new.manifest_version.word());
        diff.cosmetic("manifest-version-changed", "/manifest_version", message);
    }
    if !same_version {
        let parse = |text| version::parse_exact(text).ok();
        let (before, after) = (parse(&old.tool.version), parse(&new.tool.version));
        let message = format!("{} to {}", quoted(&old.tool.version), quoted(&new.tool.version));
        if before.zip(after).is_some_and(|(before, after)| after < before) {
            diff.breaking("tool-version-lowered", "/tool/version", message);
        } else {
            diff.cosmetic("tool-version-bumped", "/tool/version", message);
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
    // No change goes unseen, though most of what is left matters to nobody.
    if diff.changes.len() == versions {
        let mut alike = new.clone();
        alike.manifest_version = old.manifest_version;
        alike.tool.version.clone_from(&old.tool.version);
        if !same(old, &alike, limits) {
            diff.cosmetic("other-change", "", "something else is written differently");
        }
    }
    diff
}

/// The entries of a list by name. Comparing lists entry by entry would take
/// quadratic time on long ones.
fn by_name<'l, T>(list: &'l [T], name: impl Fn(&'l T) -> &'l str) -> BTreeMap<&'l str, &'l T> {
    // The first of two with the same name is the one that is found by it.
    list.iter().rev().map(|entry| (name(entry), entry)).collect()
}

/// Whether two manifests say the same: numbers by value, members in any order.
fn same(old: &Manifest<'_>, new: &Manifest<'_>, limits: &Limits) -> bool {
    same_json(&old.to_json(), &new.to_json(), limits)
}

fn same_json(old: &str, new: &str, limits: &Limits) -> bool {
    // What is written out again can be a little longer than what was read.
    let limits =
        Limits { document_bytes: limits.document_bytes.saturating_mul(8), ..limits.clone() };
    let parsed = |text: &str, with: &mut dyn FnMut(&Document<'_>)| {
        if let Ok(document) = Document::parse(text.as_bytes(), &limits) {
            with(&document);
        }
    };
    let mut equal = old == new;
    parsed(old, &mut |old| {
        parsed(new, &mut |new| equal = old.root().same_value(new.root()));
    });
    equal
}

/// Whether two embedded values say the same.
fn same_raw(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>, limits: &Limits) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => same_json(old.as_str(), new.as_str(), limits),
        _ => false,
    }
}
