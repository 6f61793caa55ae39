//! What a format brings along to be tested by.

use diagnostic::Rule;
use manifest_core::Format;

use crate::change::Vocabulary;
use crate::rng::Rng;

/// What makes documents of one format.
#[derive(Debug)]
pub struct Testkit {
    /// The format.
    pub format: &'static Format,
    /// Makes a valid document, larger for larger sizes.
    pub generate: fn(&mut Rng, usize) -> String,
    /// Makes a document that breaks a rule and no other, where that is possible.
    pub defect: fn(&mut Rng, &'static Rule) -> Option<String>,
    /// The words of the format.
    pub vocabulary: &'static Vocabulary,
}
