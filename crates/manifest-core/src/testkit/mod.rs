//! Documents to test with, and the laws to test them by.
//!
//! Everything is made from a seed, so that a failure can be made again. Fuzzers
//! and benchmarks are users too: each format has a `testkit` of its own, with
//! documents that are valid, or have one defect.
//!
//! ```
//! use manifest_core::testkit::{Rng, Tree, relayout, value};
//!
//! let mut rng = Rng::new(1);
//! let schema = value::schema(&mut rng, 4).render();
//! let spelled = relayout(&schema, &mut rng);
//! let normal = |text| Tree::parse(text).map(|tree| tree.normal());
//! assert_eq!(normal(&schema), normal(&spelled));
//! ```

mod change;
mod coverage;
mod defect;
pub mod laws;
mod parsed;
mod rng;
pub mod stream;
mod tree;
pub mod value;

pub use change::{Vocabulary, edit, inject, relayout};
pub use coverage::{Coverage, Undrawn};
pub use defect::defect;
pub(crate) use parsed::count_parsed;
pub use parsed::parsed_bytes;
pub use rng::Rng;
pub use tree::{Tree, difference, member};

use crate::table::Table;
use crate::{Format, Rule};

/// What makes documents of one format.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // every format writes it out in full
pub struct Testkit {
    /// The format.
    pub format: &'static Format,
    /// Makes a valid document, larger for larger sizes.
    pub generate: fn(&mut Rng, usize) -> String,
    /// Makes a document that breaks a rule and no other, where that is possible.
    pub defect: fn(&mut Rng, &'static Rule) -> Option<String>,
    /// What its documents look like: one table for each kind of document.
    pub tables: &'static [&'static Table],
    /// The words of the format.
    pub vocabulary: &'static Vocabulary,
}
