//! Understand agent-tool manifest formats, and convert between them without losing
//! anything.
//!
//! Every agent framework has its own file that describes a tool: its name, its arguments,
//! how it is called, and its permissions. This crate detects the format of such a file
//! ([`detect`]), reports problems with their location ([`validate`]), and converts one
//! format into another ([`convert()`]). A conversion returns documents, an [`ConversionReport`] of
//! every value that went in and came out, and a [`Residue`]. With the residue, [`restore`]
//! returns the source byte for byte, with the edits that were made to the target since.
//!
//! ```
//! use toolglot::{
//!     Class, FormatName, Limits, Options, RestoreOptions, RunMode, Target, convert, detect,
//!     json::Document, restore,
//! };
//!
//! let text = r#"{"tools": [{
//!     "name": "get_time", "description": "Tells the time.", "command": ["./tools/bin/get_time"]
//! }]}"#;
//! let limits = Limits::default();
//! let source = Document::parse(text.as_bytes(), &limits)?;
//! let (from, _) = detect(&source)?;
//!
//! let converted = convert(&source, from, FormatName::Mcpkg, &Options::default())?;
//! let [mcpkg] = converted.documents.as_slice() else { panic!("one tool, one document") };
//! assert!(mcpkg.text.contains("\"toolId\": \"local.gettime."));
//!
//! // Where everything went: MCPKG has no word for this call, so a bridge makes it.
//! let report = converted.report();
//! assert_eq!(report.tools[0].runs, RunMode::ThroughTheBridge);
//! let [name, description, command] = report.source.as_slice() else { panic!("three values") };
//! assert_eq!(name.class, Class::Approximated);
//! assert_eq!(description.class, Class::Native);
//! assert_eq!(command.class, Class::ResidueOnly);
//!
//! // The way back, after an edit.
//! let edited = mcpkg.text.replace("Tells the time.", "Tells the time of day.");
//! let edited = Document::parse(edited.as_bytes(), &limits)?;
//! let target = Target { name: Some(&mcpkg.name), document: &edited };
//! let back = restore(&[target], &converted.residue(), &RestoreOptions::default())?;
//! assert_eq!(back.text, text.replace("Tells the time.", "Tells the time of day."));
//! assert!(back.lost_edits.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Functions take a format by value ([`Format`], as [`detect`] returns it) or by name
//! ([`FormatName`], a closed enum that is parsed from text). [`stream`] processes catalogs
//! that are too large for memory, and [`compare`] compares two tools of any formats.
//!
//! Each format is a module behind a feature of the same name. All features of formats are
//! on by default. The crate does no I/O: it opens no file or socket, and reads no clock and
//! no environment variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub use ::convert::stream;
pub use convert::{
    AcceptedLoss, Class, Conversion, ConversionReport, Derivation, FileOptions, Options, Residue,
    RestoreOptions, RestoredSource, RunMode, Target, ToolFilter,
};
pub use manifest_core::{
    Defaults, Depth, DetectError, Detection, Diagnostic, Format, Formats, LiftedDocument, Limits,
    Pointer, Profile, Report, Rule, Severity, ToolDescriptor, ValidateOptions, descriptor, json,
};
pub use {::call, ::compare, ::convert, ::providers};

#[cfg(feature = "testkit")]
pub use ::testkit;
#[cfg(feature = "capability")]
pub use capability;
#[cfg(feature = "jumith")]
pub use jumith;
/// The types that all formats share.
pub use manifest_core as core;
#[cfg(feature = "mcpb")]
pub use mcp::mcpb;
#[cfg(feature = "server-json")]
pub use mcp::server_json;
#[cfg(feature = "tool-list")]
pub use mcp::tool_list;
#[cfg(feature = "mcpkg")]
pub use mcpkg;
#[cfg(feature = "tools-json")]
pub use tools_json;
#[cfg(feature = "install-manifest")]
pub use {install_manifest, install_manifest::engine as install_engine};

mod by_name;
mod formats;
mod name;

pub use by_name::{
    convert, convert_via, restore, restore_and_merge, restore_without_residue, validate,
};
pub use formats::{FORMATS, detect, format};
pub use name::{FormatName, UnknownFormat};

/// Returns the generators of documents of every format.
#[cfg(feature = "testkit")]
pub fn testkits() -> impl Iterator<Item = &'static testkit::Testkit> {
    FormatName::ALL.iter().map(|format| format.testkit())
}

/// Rules about archives, packages and installations, which are not part of any format's
/// rules.
static NON_FORMAT_RULES: &[&[&Rule]] = &[
    #[cfg(feature = "mcpkg")]
    mcpkg::archive::rules::RULES,
    #[cfg(feature = "mcpkg")]
    mcpkg::package::rules::RULES,
    #[cfg(feature = "mcpb")]
    mcp::mcpb::rules::BUNDLE_RULES,
    #[cfg(feature = "install-manifest")]
    install_engine::rules::RULES,
];

/// Returns every rule of the formats that are compiled in, and the rules that they share.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let shared = [
        json::rules::RULES,
        core::schema::rules::RULES,
        core::rules::RULES,
        call::rules::RULES,
        providers::rules::RULES,
        core::names::RULES,
        core::prose::RULES,
        stream::rules::RULES,
    ];
    let formats = FORMATS.iter().map(|format| format.rules);
    shared.into_iter().chain(formats).chain(NON_FORMAT_RULES.iter().copied()).flatten().copied()
}

/// Runs the Rust examples of the README.
#[cfg(all(doctest, feature = "mcpkg", feature = "tools-json"))]
#[doc = include_str!("../README.md")]
pub mod readme {}
