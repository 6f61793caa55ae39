//! Chains as Mermaid flowcharts.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::jsonpath::Query;
use manifest_core::{Limits, printable};

use crate::manifest::{INPUT, Manifest};

/// Draws a chain as a Mermaid flowchart, with a box for each step and arrows for the
/// arguments.
///
/// ```
/// # let limits = manifest_core::Limits::default();
/// # let document = manifest_core::json::Document::parse(br#"{"chain": [
/// #   {"step": "read", "tool": "demo.read", "inputMapping": {"path": "$.input.file"}}]}"#, &limits)?;
/// let picture = toolglot_mcpkg::chain::mermaid(&toolglot_mcpkg::Manifest::read(&document), &limits);
/// assert_eq!(picture, "\
/// flowchart TD
///   input([input])
///   step0[\"read<br/>demo.read\"]
///   output([output])
///   input -->|path| step0
///   step0 --> output
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Names from the manifest are escaped, so that they cannot add Mermaid syntax.
pub fn mermaid(manifest: &Manifest<'_>, limits: &Limits) -> String {
    let steps = manifest.chain.get(..limits.chain_steps).unwrap_or(&manifest.chain);
    let mut lines = vec!["flowchart TD".to_owned(), "  input([input])".to_owned()];
    let mut names = BTreeMap::from([(INPUT, "input".to_owned())]);
    let mut arrows = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        let id = format!("step{index}");
        let name = label(step.display_name());
        lines.push(format!("  {id}[\"{name}<br/>{}\"]", label(&step.tool)));
        // One arrow for all arguments from the same source.
        let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (argument, path) in step.input_mapping.iter() {
            let query = Query::parse(path, limits);
            let source = match query.as_ref().map(Query::first_name) {
                Ok(Some(name)) => names.get(name),
                _ => None,
            };
            let source = source.map_or("unknown", String::as_str);
            sources.entry(source.to_owned()).or_default().push(label(argument));
        }
        if sources.is_empty() {
            let before = match index.checked_sub(1) {
                Some(before) => format!("step{before}"),
                None => INPUT.to_owned(),
            };
            arrows.push(format!("  {before} -.-> {id}"));
        }
        for (from, arguments) in sources {
            arrows.push(format!("  {from} -->|{}| {id}", arguments.join(", ")));
        }
        if let Some(key) = step.key() {
            names.entry(key).or_insert(id);
        }
    }
    lines.push("  output([output])".to_owned());
    lines.extend(arrows);
    if let Some(last) = steps.len().checked_sub(1) {
        lines.push(format!("  step{last} --> output"));
    }
    lines.join("\n") + "\n"
}

/// Escapes a text so that Mermaid shows it as it is. All but plain characters become
/// numbers.
fn label(text: &str) -> String {
    let mut escaped = String::new();
    for c in printable(text, 64).chars() {
        if c.is_alphanumeric() || matches!(c, '_' | '.' | '-') {
            escaped.push(c);
        } else {
            // Writing to a string does not fail.
            let _ = write!(escaped, "#{};", u32::from(c));
        }
    }
    escaped
}
