//! The generators of one format.

use diagnostic::Rule;
use manifest_core::Format;

use crate::change::Vocabulary;
use crate::rng::Rng;

/// The generators of one format.
#[derive(Debug)]
pub struct Testkit {
    /// The format.
    pub format: &'static Format,
    /// Generates a valid document of a [size](crate#documents). A larger size gives a larger
    /// document on average.
    pub generate: fn(&mut Rng, usize) -> String,
    /// Generates a document that breaks a rule and, if possible, no other.
    pub defect: fn(&mut Rng, &'static Rule) -> Option<String>,
    /// The member names of the format.
    pub vocabulary: &'static Vocabulary,
}
