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
#![cfg_attr(all(feature = "convert", feature = "mcpkg", feature = "tools-json"), doc = "```")]
#![cfg_attr(
    not(all(feature = "convert", feature = "mcpkg", feature = "tools-json")),
    doc = "```ignore"
)]
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
//! # Ok::<(), toolglot::Error>(())
//! ```
//!
//! Functions take a format by value ([`Format`], as [`detect`] returns it) or by name
//! ([`FormatName`], which is parsed from text). [`stream`] processes catalogs
//! that are too large for memory, and [`compare`] compares two tools of any formats. A
//! [`Toolbox`] is what a host of an agent keeps: the tools of many documents, offered to a
//! model provider and planned when it calls them. [`Error`] is the one error of all of them:
//! `?` makes it, and it displays the file, the line and the column of each problem.
//!
//! The crate does no I/O: it opens no file or socket, and reads no clock and no environment
//! variable.
//!
//! # Features
//!
//! To detect and to validate documents of one format takes nothing but the feature of that
//! format: `default-features = false, features = ["mcpkg"]`. Everything else is a feature of its
//! own.
//!
//! | feature | default | what it adds | crates that it adds |
//! |---|---|---|---|
//! | (none) | | documents, diagnostics, and the model of all formats | 28 of others |
//! | `capability`, `install-manifest`, `jumith`, `mcpkg`, `tools-json` | yes | the format of that name | one |
//! | `mcpb`, `server-json`, `tool-list` | yes | a format of the MCP world | one, and `providers` for `tool-list` |
//! | `convert` | yes | [`convert()`], [`restore`], [`stream`] | one |
//! | `compare` | yes | [`compare`] | one |
//! | `call` | yes | [`call`](mod@call), and the engines of formats that plan calls | one, and `compare` for `install-manifest` |
//! | `providers` | yes | [`providers`] | one |
//! | `schema` | yes | checks of arguments and results against the schemas of a tool | 44 of others, for `jsonschema` |
//! | `acquire` | yes | plans of installations from install manifests | 5 of others, for versions of Python and npm |
//! | `select` | yes | the choice of an implementation of an MCPKG tool | the same 5 |
//! | `ed25519` | | signatures of MCPKG packages | one of others |
//! | `schemars` | | JSON Schemas of descriptors, plans and residues | 6 of others |
//! | `reference` | | the verdicts of published implementations, for tests | none |
//! | `testkit` | | generated documents, and the laws of conversion | two |
//!
//! Of `serde_json`, the libraries turn on `std` and `raw_value`, which keeps values as they were
//! written. None turns on `preserve_order` or `arbitrary_precision`, which change what
//! `serde_json::Value` does in other crates.
//!
//! From an empty folder, one format takes 50 seconds of CPU to build without optimisation.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

#[cfg(feature = "call")]
pub use ::call;
#[cfg(feature = "compare")]
pub use ::compare;
#[cfg(feature = "convert")]
pub use ::convert::{self, stream};
#[cfg(feature = "providers")]
pub use ::providers;
#[cfg(feature = "convert")]
pub use convert::{
    AcceptedLoss, Class, Conversion, ConversionReport, Derivation, FileOptions, Options, Residue,
    RestoreOptions, RestoredSource, RunMode, Target, ToolFilter,
};
pub use manifest_core::{
    Defaults, Depth, DetectError, Detection, Diagnostic, Format, Formats, LiftedDocument, Limits,
    Manifest, ManifestError, Pointer, Profile, Report, Rule, Severity, ToolDescriptor,
    ValidateOptions, descriptor, json,
};

#[cfg(feature = "testkit")]
pub use ::testkit;
#[cfg(feature = "capability")]
pub use capability;
#[cfg(feature = "install-manifest")]
pub use install_manifest;
#[cfg(all(feature = "install-manifest", feature = "call"))]
pub use install_manifest::engine as install_engine;
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

mod by_name;
mod error;
mod formats;
mod name;
#[cfg(all(feature = "call", feature = "providers", feature = "schema"))]
pub mod toolbox;

pub use by_name::validate;
#[cfg(feature = "convert")]
pub use by_name::{convert, convert_via, restore, restore_and_merge, restore_without_residue};
pub use error::Error;
#[cfg(feature = "testkit")]
pub use formats::testkits;
pub use formats::{FORMATS, detect, format};
pub use name::{FormatName, UnknownFormat};
#[cfg(all(feature = "call", feature = "providers", feature = "schema"))]
pub use toolbox::Toolbox;

/// Rules that formats share.
static SHARED_RULES: &[&[&Rule]] = &[
    json::rules::RULES,
    core::schema::rules::RULES,
    core::rules::RULES,
    #[cfg(feature = "call")]
    call::rules::RULES,
    #[cfg(feature = "providers")]
    providers::rules::RULES,
    core::names::RULES,
    core::prose::RULES,
    #[cfg(feature = "convert")]
    stream::rules::RULES,
    #[cfg(all(feature = "call", feature = "providers", feature = "schema"))]
    toolbox::rules::RULES,
    &[&name::UNKNOWN_FORMAT],
];

/// Rules about archives, packages and installations, which are not part of any format's
/// rules.
static NON_FORMAT_RULES: &[&[&Rule]] = &[
    #[cfg(feature = "mcpkg")]
    mcpkg::archive::rules::RULES,
    #[cfg(feature = "mcpkg")]
    mcpkg::package::rules::RULES,
    #[cfg(feature = "mcpb")]
    mcp::mcpb::rules::BUNDLE_RULES,
    #[cfg(all(feature = "install-manifest", feature = "call"))]
    install_engine::rules::RULES,
];

/// Returns every rule of the formats that are compiled in, and the rules that they share.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let shared = SHARED_RULES.iter().copied();
    let formats = FORMATS.iter().map(|format| format.rules);
    shared.chain(formats).chain(NON_FORMAT_RULES.iter().copied()).flatten().copied()
}

/// Runs the Rust examples of the README.
#[cfg(all(doctest, feature = "convert", feature = "mcpkg", feature = "tools-json"))]
#[doc = include_str!("../README.md")]
pub mod readme {}
