//! What a surface says of an input.

use std::collections::BTreeSet;

use toolglot::{Diagnostic, Severity};

/// Rules that refuse, and in brackets rules that remark.
pub(crate) type Answer = BTreeSet<String>;

/// What is said, as rows say it. Nothing that is said is long, or acts on a terminal.
pub(crate) fn said<'d>(found: impl IntoIterator<Item = &'d Diagnostic>) -> Answer {
    let code = |found: &Diagnostic| {
        let shown = found.to_string();
        assert!(shown.len() <= 4096, "{} bytes: {shown:.200}", shown.len());
        let plain = !shown.contains(|c: char| c.is_control() && c != '\n');
        assert!(plain, "{shown:?}");
        let code = found.rule.code;
        if found.severity == Severity::Error { code.to_owned() } else { format!("({code})") }
    };
    found.into_iter().map(code).collect()
}
