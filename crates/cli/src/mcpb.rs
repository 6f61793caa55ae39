//! MCP bundles, for the verbs about packages.

use toolglot::core::SourceText;
use toolglot::json::Document;
use toolglot::mcpb::{Bundle, FORMAT};
use toolglot::{Limits, Validate};

use crate::input::Input;
use crate::terminal::Terminal;

/// The bundle in a file, if it is one: an archive whose manifest is of that format.
pub(crate) fn open(input: &Input) -> Option<Bundle<'_>> {
    let bundle = Bundle::read(input.bytes(), &Limits::default()).ok()?;
    let document = Document::parse(bundle.manifest(), &Limits::default()).ok()?;
    (FORMAT.detect)(document.root())?;
    Some(bundle)
}

/// Whether a bundle is valid. What is wrong with it is shown.
pub(crate) fn is_valid(bundle: &Bundle<'_>, terminal: &Terminal) -> bool {
    let report = bundle.check(&Validate::default());
    if !report.is_valid() {
        let source = SourceText { name: "manifest.json", bytes: bundle.manifest() };
        terminal.show(&report, Some(&source));
    }
    report.is_valid()
}
