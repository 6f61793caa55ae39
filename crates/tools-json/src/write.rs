//! Writing a manifest, anew or into a file that is there.

use std::collections::BTreeMap;

use manifest_core::json::{Document, patch};
use manifest_core::{Defaults, Diagnostic, Lifted, Limits, Profile, Report};

use crate::FORMAT;

/// Writes tools as a new manifest, laid out for people.
///
/// ```
/// use manifest_core::{Defaults, Lifted, Limits, ToolDescriptor};
///
/// let tool = ToolDescriptor { id: "add".into(), ..ToolDescriptor::default() };
/// let lifted = Lifted { tools: vec![tool], ..Lifted::default() };
/// let text = tools_json::write(&lifted, &Defaults::default(), &Limits::default())?;
/// assert!(text.starts_with("{\n  \"tools\": [\n    {\n      \"name\": \"add\","));
/// # Ok::<(), manifest_core::Diagnostic>(())
/// ```
pub fn write(
    lifted: &Lifted<'_>,
    defaults: &Defaults,
    limits: &Limits,
) -> Result<String, Diagnostic> {
    FORMAT.lower(lifted, defaults, limits)
}

/// Writes tools into a manifest that is there, and changes only what says
/// something else now.
///
/// Tools are recognised by their name. What a descriptor has no word for, such
/// as a member that the specification does not know, stays as it is.
///
/// ```
/// use manifest_core::{Defaults, Limits, json::Document};
///
/// let limits = Limits::default();
/// let text = br#"{ "tools":[ {"name":"add", "command":[ "./tools/bin/add" ]} ] }"#;
/// let base = Document::parse(text, &limits)?;
/// let mut lifted = tools_json::FORMAT.lift(&base, &limits).expect("a valid manifest");
/// lifted.tools[0].description = Some("Adds.".into());
///
/// let text = tools_json::update(&base, &lifted, &Defaults::default(), &limits);
/// assert_eq!(
///     text.expect("a valid manifest"),
///     r#"{ "tools":[ {"name":"add", "description":"Adds.", "command":[ "./tools/bin/add" ]} ] }"#,
/// );
/// # Ok::<(), manifest_core::Diagnostic>(())
/// ```
pub fn update(
    base: &Document<'_>,
    lifted: &Lifted<'_>,
    defaults: &Defaults,
    limits: &Limits,
) -> Result<String, Report> {
    let there = FORMAT.lift(base, limits)?;
    let mut by_name = BTreeMap::new();
    for tool in &there.tools {
        by_name.insert(tool.id.as_ref(), tool);
    }
    let mut lifted = lifted.clone();
    if !lifted.extras.contains_key(FORMAT.name) {
        lifted.extras.extend(there.extras.clone());
    }
    for tool in &mut lifted.tools {
        if tool.extras.contains_key(FORMAT.name) {
            continue;
        }
        if let Some(same) = by_name.get(tool.id.as_ref()) {
            tool.extras.extend(same.extras.clone());
        }
    }
    let one = |diagnostic: Diagnostic| {
        let mut report = Report::new(Profile::Spec, 1);
        report.push(diagnostic);
        report
    };
    let text = write(&lifted, defaults, limits).map_err(one)?;
    let target = Document::parse(text.as_bytes(), limits).map_err(one)?;
    Ok(patch(base, target.root(), FORMAT.identity))
}
