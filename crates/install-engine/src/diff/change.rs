//! What a change is, and what it means.

use manifest_core::Pointer;
use serde::Serialize;

/// What a change means for those who use a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// What worked may not work any more.
    Breaking,
    /// A model reads it, and may act otherwise.
    Prompt,
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
    /// Whether the owner must agree anew: the tool may do, see or cost more, or a
    /// model is told something else of it.
    pub consent: bool,
    /// Where: in the new manifest or, for what is gone, in the old one.
    pub pointer: Pointer,
    /// What changed, in one line.
    pub message: String,
}

impl Change {
    /// Whether the place is one of the old manifest: an element of a list that is gone.
    pub fn is_gone(&self) -> bool {
        matches!(self.kind, "action-removed" | "env-removed" | "scope-removed")
    }
}

/// Everything that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The changes, in the order of the manifest.
    pub changes: Vec<Change>,
}

impl Diff {
    /// Whether nothing that worked breaks, and no model is told anything else.
    pub fn is_upgrade_safe(&self) -> bool {
        let safe = |change: &Change| matches!(change.class, Class::Additive | Class::Cosmetic);
        self.changes.iter().all(safe)
    }

    /// Whether the owner must agree anew.
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

    /// Marks the last change as one to agree to.
    pub(super) fn ask(&mut self) {
        self.ask_if(true);
    }

    pub(super) fn ask_if(&mut self, ask: bool) {
        if let Some(last) = self.changes.last_mut() {
            last.consent = ask;
        }
    }
}
