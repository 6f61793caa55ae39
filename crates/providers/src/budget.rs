//! What one schema of a stranger may cost on its way to a target.

use diagnostic::{Diagnostic, Pointer};
use manifest_core::Limits;

use crate::rules;

/// What may be spent yet, in bytes that are read or written.
///
/// A schema that is said in fewer words can grow: what applies to all alternatives is said in
/// each, and where there are no references, what is used often is written often.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    whole: usize,
    left: Option<usize>,
}

impl Budget {
    /// All that limits allow.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { whole: limits.work, left: Some(limits.work) }
    }

    /// Spends some, and tells whether that much was left.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
        self.left.is_some()
    }

    /// Whether more was asked for than there was.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.is_none()
    }

    /// What to say then.
    pub(crate) fn refusal(&self, at: Pointer) -> Diagnostic {
        let message = format!("more than {} bytes are needed to say this", self.whole);
        rules::LIMIT.at_pointer(at, message)
    }
}
