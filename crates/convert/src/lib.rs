//! Conversion between manifest formats, with a record of every value.
//!
//! A [`Format`](manifest_core::Format) [reads](manifest_core::Format::read) its documents
//! into descriptors and [writes](manifest_core::Format::write_tool) descriptors as documents.
//! Reading marks every entry that it consumed. Writing records, for each value, the places
//! that it came from and how. These records are the [`Ledger`], which is never
//! reconstructed afterwards.
//!
//! ```text
//! source ── lift ──> descriptors ── lower ──> documents ── checked, read again ──> done
//!            marks                   records
//! ```
//!
//! The [`Residue`] is the source and the options that it was converted with. [`restore`]
//! converts the source again, compares the result with the target as it is now, and applies
//! the difference to the source.
//!
//! [`stream`] cuts catalogs that are too large to hold in memory into entries, and converts
//! each.
//!
//! Formats are values, so a function can work with any two of them:
//!
//! ```
//! use toolglot_convert::{Options, RestoreOptions, Target, convert, restore};
//! use json_text::Document;
//! use manifest_core::{Format, Formats, Limits};
//!
//! /// Converts, and shows that the way back gives the very text.
//! fn there_and_back(
//!     text: &str,
//!     from: &'static Format,
//!     to: &'static Format,
//! ) -> Result<bool, Box<dyn std::error::Error>> {
//!     let source = Document::parse(text.as_bytes(), &Limits::default())?;
//!     let converted = convert(&source, from, to, &Options::default())?;
//!     println!("{}", converted.report().text());
//!     let residue = converted.residue();
//!     let documents: Vec<_> = converted.documents.iter().map(|one| one.open()).collect();
//!     let targets: Vec<_> =
//!         documents.iter().map(|document| Target { name: None, document }).collect();
//!     let formats = [from, to];
//!     let options = RestoreOptions::default();
//!     let back = restore(&targets, &residue, Formats::new(&formats), &options)?;
//!     Ok(back.text == text)
//! }
//! ```

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod conversion;
mod convert;
mod files;
mod host_differences;
mod in_band;
mod ledger;
mod needs;
mod options;
mod output;
mod report_text;
mod residue;
mod restore;
mod restored;
mod safety;
pub mod stream;
mod via;

pub use conversion::Conversion;
pub use convert::convert;
pub use files::{ConversionFiles, FileCopy, FileKind, FileOptions, OutputFile};
pub use in_band::{carried_residue, has_residue, strip_residue};
pub use ledger::{
    Class, ConversionReport, Ledger, SourceLeaf, SourcePlace, TargetLeaf, TargetPlace,
};
pub use manifest_core::format::{AcceptedLoss, Derivation};
pub use needs::{Need, NeedKind};
pub use options::{Options, ToolFilter};
pub use output::{HostDifference, OutputDocument, RunMode, ToolOutcome};
pub use residue::{Residue, SavedOptions};
pub use restore::{
    DocumentKey, ResidueIndex, ResidueMatch, restore, restore_and_merge, restore_without_residue,
};
pub use restored::{LostEdit, RestoreOptions, RestoredSource, Target};
pub use safety::{Concern, Notice};
pub use via::convert_via;
