//! Test documents, and the laws of conversion.
//!
//! Everything is generated from a seed, so a failure can be reproduced. Fuzzers and
//! benchmarks use this crate too. Each format has a `testkit` of its own, which generates
//! valid documents and documents with one defect.
//!
//! ```
//! use toolglot_testkit::{Rng, Tree, relayout, value};
//!
//! let mut rng = Rng::new(1);
//! let schema = value::schema(&mut rng, 4).render();
//! let spelled = relayout(&schema, &mut rng);
//! let normalized = |text| Tree::parse(text).map(|tree| tree.normalized());
//! assert_eq!(normalized(&schema), normalized(&spelled));
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod change;
mod check_laws;
mod coverage;
mod defect;
mod generate;
mod kit;
pub mod laws;
mod rng;
pub mod stream;
mod tree;
pub mod value;

pub use change::{Vocabulary, edit, inject_members, relayout};
pub use check_laws::check_laws;
pub use coverage::{Coverage, UncoveredPart};
pub use defect::{Defect, Mutation, apply_defect, break_json};
pub use generate::{Hints, Sample, generate_object};
pub use json_text::parsed_bytes;
pub use kit::Testkit;
pub use rng::Rng;
pub use tree::{Tree, difference, member};
