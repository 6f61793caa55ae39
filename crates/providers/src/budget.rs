//! A limit on the work that one schema may cause.

use diagnostic::{Diagnostic, Pointer};
use manifest_core::Limits;

use crate::rules;

/// The work that is left, in bytes read or written.
///
/// A schema can grow when it is lowered: a constraint on all alternatives is repeated in
/// each, and without references, a part is written once for each use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    limit: usize,
    left: Option<usize>,
}

impl Budget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { limit: limits.work, left: Some(limits.work) }
    }

    /// Spends some bytes. Returns false if that was more than was left.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        if let Some(left) = self.left {
            self.left = left.checked_sub(bytes);
        }
        self.left.is_some()
    }

    /// Returns true if more was spent than there was.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.is_none()
    }

    /// Returns the diagnostic for a spent budget.
    pub(crate) fn diagnostic(&self, at: Pointer) -> Diagnostic {
        let message = format!("more than {} bytes are needed to say this", self.limit);
        rules::LIMIT.at_pointer(at, message)
    }
}
