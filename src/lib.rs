//! Understand agent-tool manifest formats, and convert between them without
//! losing anything.
//!
//! ```
//! use toolglot::{Limits, Options, convert, detect, format, json::Document};
//!
//! let text = br#"{"tools": [{"name": "get_time", "command": ["./tools/bin/get_time"]}]}"#;
//! let source = Document::parse(text, &Limits::default())?;
//! let (from, _) = detect(&source).expect("a format");
//! let to = format("mcpkg").expect("a format");
//!
//! let converted = convert(&source, from, to, &Options::default()).map_err(|r| format!("{r:?}"))?;
//! assert!(converted.text.contains("\"toolId\": \"local.get_time\""));
//! println!("{}", converted.ledger);
//!
//! let target = Document::parse(converted.text.as_bytes(), &Limits::default())?;
//! let back = toolglot::restore(&target, Some(&converted.residue), from, to, &Options::default());
//! assert_eq!(back.unwrap().text.as_bytes(), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Each format is a module behind a feature of the same name; all are on by
//! default. Nothing here opens a file, a socket, a clock or an environment
//! variable.

pub use manifest_core::convert::{
    Class, Conversion, Ledger, Options, Residue, Restored, convert, merge_back, restore,
};
pub use manifest_core::{
    Defaults, Depth, Detected, Diagnostic, Format, Lifted, Limits, Pointer, Profile, Report, Rule,
    Severity, ToolDescriptor, Validate, descriptor, json,
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

mod detect;

pub use detect::{Unknown, detect, look_alike};

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
    let shared = [json::rules::RULES, core::schema::rules::RULES, core::convert::rules::RULES];
    let texts = [core::names::RULES, core::prose::RULES];
    let formats = FORMATS.iter().map(|format| format.rules);
    shared.into_iter().chain(texts).chain(formats).chain(BEYOND.iter().copied()).flatten().copied()
}
