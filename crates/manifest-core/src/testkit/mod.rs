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
mod defect;
pub mod laws;
mod rng;
pub mod stream;
mod tree;
pub mod value;

pub use change::{Vocabulary, edit, inject, relayout};
pub use defect::defect;
pub use rng::Rng;
pub use tree::{Tree, difference, member};
