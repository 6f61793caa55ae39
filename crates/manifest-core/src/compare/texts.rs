//! What people read, and who is behind a tool.

use std::collections::BTreeSet;

use super::Findings;
use crate::descriptor::{Package, Publisher};
use crate::read::Text;

/// A field that people read, and programs do not.
pub(super) fn changed(field: &'static str, differs: bool, found: &mut Findings<'_>) {
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
    found.cosmetic(kind, &format!("/{field}"), message);
}

/// Words to find a tool by, in any order.
pub(super) fn list(
    field: &'static str,
    old: &[Text<'_>],
    new: &[Text<'_>],
    found: &mut Findings<'_>,
) {
    let (before, after): (BTreeSet<_>, BTreeSet<_>) = (old.iter().collect(), new.iter().collect());
    if before != after {
        let kind = if field == "tags" { "tags-changed" } else { "labels-changed" };
        found.cosmetic(kind, &format!("/{field}"), "the words to find it by are others");
    } else if old != new {
        let message = "the words to find it by are in another order";
        found.cosmetic("words-reordered", &format!("/{field}"), message);
    }
}

pub(super) fn publisher(
    old: Option<&Publisher<'_>>,
    new: Option<&Publisher<'_>>,
    found: &mut Findings<'_>,
) {
    let nobody = Publisher::default();
    let Publisher { id, name, url, email } = old.unwrap_or(&nobody);
    let new = new.unwrap_or(&nobody);
    let another = |old: &Option<Text<'_>>, new: &Option<Text<'_>>| old.is_some() && old != new;
    if another(id, &new.id) || another(name, &new.name) {
        let message = "somebody else publishes it";
        found.cosmetic("publisher-changed", "/publisher", message).ask();
    } else if (id, name, url, email) != (&new.id, &new.name, &new.url, &new.email) {
        let message = "it says something else of its publisher";
        found.cosmetic("publisher-stated", "/publisher", message);
    }
}

pub(super) fn package(
    old: Option<&Package<'_>>,
    new: Option<&Package<'_>>,
    found: &mut Findings<'_>,
) {
    let none = Package::default();
    let Package { id, namespace, title, summary, description, argv, url, cwd } =
        old.unwrap_or(&none);
    let after = new.unwrap_or(&none);
    let said = old.is_some() && new.is_some();
    if (id, namespace) != (&after.id, &after.namespace) {
        if said {
            let message = "it is part of another package";
            found.breaking("package-changed", "/package/id", message).ask();
        } else {
            found.cosmetic("package-stated", "/package", "it says something else of its package");
        }
    }
    if (title, summary, description) != (&after.title, &after.summary, &after.description) {
        let message = "its package is described in other words";
        found.cosmetic("package-text-changed", "/package", message);
    }
    if (argv, url, cwd) != (&after.argv, &after.url, &after.cwd) {
        let message = "its package is called in another way";
        found.undecided("package-call-changed", "/package", message).ask();
    }
}
