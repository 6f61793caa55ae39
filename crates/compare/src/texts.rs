//! Compares texts, tags, labels and publishers.

use std::collections::BTreeSet;

use super::change::{Findings, Record};
use json_text::Text;
use manifest_core::Sourced;
use manifest_core::descriptor::Publisher;

/// Reports the change of a field that models or people read, but programs do not.
pub(super) fn report_text(field: &'static str, differs: bool, found: &mut Findings<'_>) {
    if !differs {
        return;
    }
    let (kind, message) = match field {
        "title" => ("title-changed", "the title is another one"),
        "summary" => ("summary-changed", "the summary is another one"),
        "description" => ("description-changed", "the description is another one"),
        "homepage" => ("homepage-changed", "the homepage is another one"),
        "support" => ("support-changed", "support is somewhere else"),
        "examples" => ("examples-changed", "the examples are others"),
        "example_files" => ("example-files-changed", "the files with examples are others"),
        _ => ("test-files-changed", "the files with tests are others"),
    };
    let at = format!("/{field}");
    match field {
        "title" | "summary" | "description" | "examples" => found.prompt(kind, &at, message),
        _ => found.cosmetic(kind, &at, message),
    };
}

/// The kind of a change of order only.
pub(super) const REORDERED: &str = "words-reordered";

/// Compares tags or labels.
pub(super) fn compare_word_lists(
    field: &'static str,
    old: &[Sourced<Text<'_>>],
    new: &[Sourced<Text<'_>>],
    found: &mut Findings<'_>,
) {
    if as_set(old) != as_set(new) {
        let kind = if field == "tags" { "tags-changed" } else { "labels-changed" };
        found.cosmetic(kind, &format!("/{field}"), "the words to find it by are others");
    } else if old != new {
        let message = "the words to find it by are in another order";
        found.cosmetic(REORDERED, &format!("/{field}"), message);
    }
}

pub(super) fn as_set<'l>(list: &'l [Sourced<Text<'_>>]) -> BTreeSet<&'l str> {
    list.iter().map(|word| word.value.as_ref()).collect()
}

pub(super) fn compare_publishers(
    old: &Publisher<'_>,
    new: &Publisher<'_>,
    found: &mut Findings<'_>,
) {
    let Publisher { id, name, url, email } = old;
    if id.is_some() && id != &new.id || name.is_some() && name != &new.name {
        let message = "somebody else publishes it";
        found.cosmetic("publisher-changed", "/publisher", message).require_consent();
    } else if (id, name, url, email) != (&new.id, &new.name, &new.url, &new.email) {
        let message = "it says something else of its publisher";
        found.cosmetic("publisher-stated", "/publisher", message);
    }
}
