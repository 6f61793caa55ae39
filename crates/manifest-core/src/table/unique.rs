//! Texts that must differ between the elements of a list.

use std::collections::BTreeSet;

use diagnostic::{Report, Rule, quoted};
use json_text::Node;

/// Checks that no two elements of a list have the same text in a member: the names of tools, for
/// example. Reports each text that an earlier element has. A list that is missing, and elements
/// without the member, are left to [`check`](super::check()).
///
/// ```
/// use diagnostic::{Depth, Profile, Report, Rule, Severity};
/// use json_text::Document;
/// use toolglot_manifest_core::{Limits, table};
///
/// static TWICE: Rule = Rule {
///     code: "example/twice",
///     severity: Severity::Error,
///     depth: Depth::Semantics,
///     summary: "tools must have different names",
///     explanation: "",
/// };
/// let text = br#"{"tools": [{"name": "a"}, {"name": "b"}, {"name": "a"}]}"#;
/// let document = Document::parse(text, &Limits::default())?;
/// let mut report = Report::new(Profile::Spec, 10);
/// table::check_unique(document.root().get("tools"), "name", &TWICE, &mut report);
/// let found = &report.diagnostics[0];
/// assert_eq!(found.pointer.as_str(), "/tools/2/name");
/// assert_eq!(found.message, "an earlier element has the name \"a\" too");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_unique(
    list: Option<Node<'_>>,
    member: &str,
    rule: &'static Rule,
    report: &mut Report,
) {
    let mut seen = BTreeSet::new();
    for element in list.into_iter().flat_map(Node::elements) {
        let Some(node) = element.get(member) else { continue };
        let Some(text) = node.text() else { continue };
        if seen.contains(&text) {
            let message = format!("an earlier element has the {member} {} too", quoted(&text));
            report.add(rule, node, message);
        }
        seen.insert(text);
    }
}
