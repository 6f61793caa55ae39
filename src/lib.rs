//! Understand agent-tool manifest formats, and convert between them without
//! losing anything.
//!
//! ```
//! use toolglot::{
//!     FormatName, Limits, Options, Original, RestoreOptions, Target, convert, detect,
//!     json::Document, restore,
//! };
//!
//! let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
//! let source = Document::parse(text, &Limits::default())?;
//! let (from, _) = detect(&source)?;
//!
//! let converted = convert(&source, from, FormatName::Mcpkg, &Options::default())?;
//! let [mcpkg] = converted.documents.as_slice() else { panic!("one tool, one document") };
//! assert!(mcpkg.text.contains("\"toolId\": \"local.gettime."));
//! for tool in &converted.tools {
//!     println!("{}: {:?}", tool.id, tool.runs);
//! }
//!
//! let target = Target { name: None, document: &mcpkg.open() };
//! let residue = converted.residue(&source);
//! let original = Original::Residue(&residue);
//! let back = restore(&[target], original, from, FormatName::Mcpkg, &RestoreOptions::default())?;
//! assert_eq!(back.text.as_bytes(), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Formats go by value ([`Format`], as [`detect`] finds it) or by name
//! ([`FormatName`], a closed enum, which text parses to). [`validate`] says what is
//! wrong with a document and where; [`Conversion::account`] says where everything
//! went, and [`Conversion::residue`] has what it takes to come back.
//!
//! Each format is a module behind a feature of the same name; all are on by
//! default. Nothing here opens a file, a socket, a clock or an environment
//! variable.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub use manifest_core::convert::{
    Accept, Account, Choice, Class, Conversion, How, Options, Original, Residue, RestoreOptions,
    Restored, Runs, Target,
};
pub use manifest_core::{
    Defaults, Depth, Detected, Diagnostic, Format, Lifted, Limits, Pointer, Profile, Report, Rule,
    Severity, ToolDescriptor, Validate, compare, descriptor, json, stream,
};

#[cfg(feature = "capability")]
pub use capability;
#[cfg(feature = "install-manifest")]
pub use install_manifest;
#[cfg(feature = "jumith")]
pub use jumith;
/// What all formats share.
pub use manifest_core as core;
#[cfg(feature = "mcpkg")]
pub use mcpkg;
#[cfg(feature = "tools-json")]
pub use tools_json;

mod by_name;
mod detect;
mod name;

pub use by_name::{convert, convert_onwards, restore, validate};
pub use detect::{Unknown, detect, look_alike};
pub use name::{FormatName, NoSuchFormat};

/// The formats that are compiled in.
pub static FORMATS: &[&Format] = &[
    #[cfg(feature = "tools-json")]
    &tools_json::FORMAT,
    #[cfg(feature = "mcpkg")]
    &mcpkg::FORMAT,
    #[cfg(feature = "jumith")]
    &jumith::FORMAT,
    #[cfg(feature = "capability")]
    &capability::FORMAT,
    #[cfg(feature = "install-manifest")]
    &install_manifest::FORMAT,
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}

/// What makes documents of every format.
#[cfg(feature = "testkit")]
pub fn testkits() -> impl Iterator<Item = &'static manifest_core::testkit::Testkit> {
    FormatName::ALL.iter().map(|format| format.testkit())
}

/// Rules about archives, packages and calls, which are no part of a document.
static BEYOND: &[&[&Rule]] = &[
    #[cfg(feature = "mcpkg")]
    mcpkg::archive::rules::RULES,
    #[cfg(feature = "mcpkg")]
    mcpkg::package::rules::RULES,
    #[cfg(feature = "install-manifest")]
    install_manifest::plan::rules::RULES,
];

/// Every rule of every format that is compiled in, and of what they share.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let shared = [
        json::rules::RULES,
        core::schema::rules::RULES,
        core::convert::rules::RULES,
        core::names::RULES,
        core::prose::RULES,
        stream::rules::RULES,
    ];
    let formats = FORMATS.iter().map(|format| format.rules);
    shared.into_iter().chain(formats).chain(BEYOND.iter().copied()).flatten().copied()
}
