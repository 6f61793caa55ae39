//! Test documents, and the laws of conversion.
//!
//! # What to type first
//!
//! For the formats of this repository, every law is one test program:
//!
//! ```sh
//! cargo test --test laws                                    # every pair of formats
//! cargo test --test laws mcpkg_to_jumith                    # one pair
//! TOOLGLOT_SEED=7 cargo test --test laws mcpkg_to_jumith    # one document, again
//! ```
//!
//! For a format of your own, write a [`Testkit`], which generates its documents from its table
//! ([`generate_object`]), and a test that calls [`check_laws`]:
//!
//! ```
//! use toolglot_testkit::{Testkit, check_laws};
//!
//! /// Checks every law both ways, on 64 documents each.
//! fn laws_hold(mine: &Testkit, other: &Testkit) {
//!     let onwards = [mine.format, other.format];
//!     for (from, to) in [(mine, mine), (mine, other), (other, mine)] {
//!         if let Err(broken) = check_laws(from, to.format, &onwards, 0..64) {
//!             panic!("{broken}");
//!         }
//!     }
//! }
//! ```
//!
//! The message has every law that was broken, each once, with the two formats and a seed. To run
//! that case alone, give its seed as the range: `7..8`. `docs/new-format.md` goes through two
//! formats and their tests.
//!
//! # The laws
//!
//! [`Law`](laws::Law) lists them, and each is a function of [`laws`]:
//!
//! - **valid source**: The generator makes valid documents.
//! - **tree fidelity**: A format writes every value that it reads, at the same place and in the same spelling.
//! - **round trip**: Converting and restoring returns the source, byte for byte.
//! - **path independence**: Converting through another format, with the residue, is converting directly.
//! - **complete ledger**: The ledger lists every value of source and target once, and native values are what it calls native.
//! - **true ledger**: A changed value of the source changes the target where the ledger names it, and nowhere else.
//! - **valid output**: A valid document converts to valid ones, and strict mode refuses exactly what is assumed or bridged.
//! - **determinism**: Converting twice gives the same bytes.
//! - **another layout**: A target in another layout restores the source unchanged.
//! - **edit survives**: An edit of a target reaches the source, or is reported as lost, and nothing else changes.
//! - **edit goes on**: An edit of a target reaches a third format as if the source had been edited.
//!
//! [`stream::check_laws`] checks the laws of streams, for any bytes.
//!
//! # Documents
//!
//! Everything is generated from a seed ([`Rng`]), so a failure can be reproduced. Fuzzers and
//! benchmarks use this crate too. The `testkit` of a format generates valid documents, and
//! documents with one defect. [`inject_members`], [`relayout`] and [`edit`](fn@edit) change any
//! document, and [`Coverage`] shows which members of a table no document has had.
//!
//! The **size** of a document is a number of things in it: a list of objects (tools, packages,
//! steps) has up to so many, and a JSON Schema up to so many properties. A larger size gives a
//! larger document on average, in every format: a list of tools grows in both ways, a manifest of
//! one tool in its schemas. Sizes 1 to 4 make documents that a person can read. A format may
//! generate no fewer than a few things at any size (MCPKG: three).
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

mod broken_laws;
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

pub use broken_laws::{BrokenLaw, BrokenLaws};
pub use change::{Vocabulary, edit, inject_members, relayout};
pub use check_laws::check_laws;
pub use coverage::{Coverage, UncoveredPart};
pub use defect::{Defect, Mutation, apply_defect, break_json};
pub use generate::{Hints, Sample, generate_object};
pub use json_text::parsed_bytes;
pub use kit::Testkit;
pub use rng::Rng;
pub use tree::{Tree, difference, member};
