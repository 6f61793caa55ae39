//! What a change is, and what it means.

use manifest_core::Pointer;
use serde::Serialize;

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
