//! MCP bundles, for the verbs about packages.

use serde_json::json;
use toolglot::core::SourceText;
use toolglot::mcpb::Bundle;
use toolglot::{Profile, Validate};

use console::limits;
use console::problem::{FindingStyle, Problem, json_line};
use console::sarif;
use console::terminal::{Failure, Terminal};

/// The manifest of a bundle, for messages.
pub(crate) fn manifest<'b>(bundle: &'b Bundle<'_>) -> SourceText<'b> {
    SourceText { name: "manifest.json", bytes: bundle.manifest() }
}

/// Prints what is in a bundle, and what is wrong with it.
pub(crate) fn inspect(
    bundle: &Bundle<'_>,
    file: &str,
    (profile, style): (Profile, FindingStyle),
    terminal: &Terminal,
) -> Result<(), Failure> {
    let report = bundle.check(&Validate { profile, ..Validate::default() });
    let names: Vec<&str> = bundle.entries().iter().map(|entry| entry.name.as_ref()).collect();
    let source = manifest(bundle);
    let found: Vec<_> = report.diagnostics.iter().map(|one| Problem::new(one, &source)).collect();
    terminal.print(&match style {
        FindingStyle::Text => {
            terminal.show(&report, Some(&source));
            bundle.described(&limits::usual()).join("\n") + "\n"
        }
        FindingStyle::Sarif => sarif::log(&sarif::findings_within(file, &report, &source), true),
        FindingStyle::Json => json_line(&json!({
            "file": file, "files": names, "valid": report.is_valid(), "diagnostics": found,
        })),
    })?;
    if report.is_valid() { Ok(()) } else { Err(Failure::Invalid) }
}
