//! Changes between two manifests.

use std::collections::BTreeMap;

pub use compare::Class;
use compare::Record;
use manifest_core::Pointer;
use serde::Serialize;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The kind of the change, such as `scope-added`. Kinds that the published tool also
    /// reports have the same names there.
    pub kind: &'static str,
    /// The effect of the change.
    pub class: Class,
    /// True if the owner must renew consent, because the tool may do, see or cost more, or
    /// because a model reads another text about it.
    pub consent: bool,
    /// The place in the new manifest, or in the old one if [`is_removed`](Self::is_removed)
    /// returns true. If a member was removed, the new manifest lacks this place.
    pub pointer: Pointer,
    /// A message of one line.
    pub message: String,
}

impl Change {
    /// Returns true if the pointer leads into the old manifest, to a list element that was
    /// removed.
    pub fn is_removed(&self) -> bool {
        matches!(self.kind, "action-removed" | "env-removed" | "scope-removed")
    }
}

/// All changes between two manifests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The changes, in the order of the manifest.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Returns true if all changes are additive or cosmetic: uses that worked still work,
    /// and models read the same texts.
    pub fn is_upgrade_safe(&self) -> bool {
        self.changes.iter().all(|change| change.class.is_upgrade_safe())
    }

    /// Returns true if the owner must renew consent.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }
}

impl Record for Diff {
    fn push(
        &mut self,
        class: Class,
        kind: &'static str,
        at: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        let pointer = Pointer::from_trusted(at);
        let consent = class == Class::Prompt;
        self.changes.push(Change { kind, class, consent, pointer, message: message.into() });
        self
    }

    fn set_consent(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }
}

/// Maps the entries of a list by name. Comparing all pairs would take quadratic time.
pub(super) fn by_name<'l, T>(
    list: &'l [T],
    name: impl Fn(&'l T) -> &'l str,
) -> BTreeMap<&'l str, &'l T> {
    // If two entries have the same name, the first one is kept.
    list.iter().rev().map(|entry| (name(entry), entry)).collect()
}
