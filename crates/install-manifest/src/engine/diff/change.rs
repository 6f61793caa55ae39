//! Changes and their effects on the users of a tool.

use manifest_core::Pointer;
use serde::Serialize;

/// The effect of a change on the users of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Uses that worked may fail.
    Breaking,
    /// A model reads another text, and may act differently.
    Prompt,
    /// Something is new or newly possible, and all else still works.
    Additive,
    /// People see it, programs do not.
    Cosmetic,
}

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
        let safe = |change: &Change| matches!(change.class, Class::Additive | Class::Cosmetic);
        self.changes.iter().all(safe)
    }

    /// Returns true if the owner must renew consent.
    pub fn needs_consent(&self) -> bool {
        self.changes.iter().any(|change| change.consent)
    }

    fn push(&mut self, class: Class, kind: &'static str, at: &str, message: impl Into<String>) {
        let pointer = Pointer::parse(at).unwrap_or_default();
        let message = message.into();
        let consent = class == Class::Prompt;
        self.changes.push(Change { kind, class, consent, pointer, message });
    }

    pub(super) fn breaking(
        &mut self,
        kind: &'static str,
        at: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Breaking, kind, at, message);
        self
    }

    pub(super) fn additive(
        &mut self,
        kind: &'static str,
        at: &str,
        message: impl Into<String>,
    ) -> &mut Self {
        self.push(Class::Additive, kind, at, message);
        self
    }

    pub(super) fn prompt(&mut self, kind: &'static str, at: &str, message: impl Into<String>) {
        self.push(Class::Prompt, kind, at, message);
    }

    pub(super) fn cosmetic(&mut self, kind: &'static str, at: &str, message: impl Into<String>) {
        self.push(Class::Cosmetic, kind, at, message);
    }

    /// Marks the last change as one that needs consent.
    pub(super) fn require_consent(&mut self) {
        self.set_consent(true);
    }

    pub(super) fn set_consent(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }
}
