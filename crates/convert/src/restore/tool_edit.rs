//! Applies the edit of one tool to the descriptor in the source: names, titles and texts,
//! which a tool and its package share differently in each format.

use std::sync::Arc;

use json_text::Text;
use manifest_core::descriptor::{Package, ToolDescriptor};
use manifest_core::{Place, Sourced, last_part};

use super::overlay::{ApplyEdit, EditLog, OTHER_TEXT};

/// Applies an edit: `before` and `after` are the tool in the target as it was written and
/// as it is now. The package of `tool` does not have its edits yet.
pub(crate) fn apply_tool_edit<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    let old = OldName {
        id: tool.id.clone(),
        is_nameless: tool.name.is_none(),
        is_package: is_package_itself(tool),
        is_independent: has_independent_name(tool, before),
    };
    tool.apply(&[(before, after)], log);
    // A tool that is its package has no name within it.
    if old.is_package {
        tool.name = None;
    }
    apply_name_edit(tool, old, before, after);
    apply_title_edit(tool, before, after, log);
    apply_package_texts(tool, before, after, log);
}

/// The id and the name of a tool of the source before the edit.
struct OldName<'a> {
    id: Sourced<Text<'a>>,
    is_nameless: bool,
    is_package: bool,
    /// See [`has_independent_name`].
    is_independent: bool,
}

/// Derives the id and the name of a tool from an edit of its name or of its package's.
fn apply_name_edit<'a>(
    tool: &mut ToolDescriptor<'a>,
    old: OldName<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
) {
    if let (Some(was), Some(is)) = (&before.package.id, &after.package.id)
        && before.id != after.id
    {
        if was != is && before.name == after.name && tool.package.id.is_some() {
            // The package was renamed, and the tool keeps its name within it.
            let id = match &tool.name {
                Some(name) => format!("{}.{}", is.value, name.value),
                None => is.value.to_string(),
            };
            tool.id = Sourced { value: Text::Owned(id), at: is.at };
            return;
        }
        // The conversion invented the target's package if the source has no package, or one
        // that is the tool itself. Then only an edit of the tool's own name changes its id.
        if was == is && (old.is_package || tool.package.id.is_none()) {
            tool.id = if old.is_independent {
                old.id
            } else {
                let name = after.callable_name().value;
                let id = match old.id.rsplit_once('.') {
                    Some((head, _)) => format!("{head}.{name}"),
                    None => name.to_owned(),
                };
                Text::Owned(id).into()
            };
            if old.is_nameless {
                tool.name = None;
            }
        }
    }
    // The id of a tool in a package ends with its name.
    let (was, is) = (before.callable_name(), after.callable_name());
    let (name, at) = if was != is {
        (is.value, is.at)
    } else if before.id != after.id {
        (last_part(&after.id), after.id.at.map(|at| Place { exact: false, ..at }))
    } else {
        return;
    };
    if let (Some(package), Some(_)) = (&tool.package.id, &tool.name) {
        let id: Text<'a> = Text::Owned(format!("{}.{name}", package.value));
        tool.name = Some(Sourced { value: Text::Owned(name.to_owned()), at });
        tool.id = id.into();
    }
}

/// Returns true if neither the source's name nor the target's is the end of the source's id.
/// Then an edit of the name leaves the id alone. The target may spell the name differently.
fn has_independent_name(tool: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> bool {
    let Some(name) = &tool.name else { return false };
    let end = last_part(&tool.id);
    tool.id.contains('.')
        && **name != *end
        && !ends_with_name(&tool.id, name)
        && *target.callable_name().value != *end
}

/// Returns true if an id ends with a name of several parts.
fn ends_with_name(id: &str, name: &str) -> bool {
    match id.strip_suffix(name) {
        Some(before) => name.contains('.') && (before.is_empty() || before.ends_with(['.', ':'])),
        None => false,
    }
}

/// Applies a title edit to a tool without a package. The target shows such a title as that
/// of the package that the conversion invented.
fn apply_title_edit<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    let untitled = tool.package.id.is_none() && before.title.is_none() && after.title.is_none();
    if untitled && before.package.id.is_some() {
        log.in_field("title", |log| {
            tool.title.apply(&[(&before.package.title, &after.package.title)], log);
        });
    }
}

/// Applies edits of the package's texts to a tool that is its package. Refuses an edit if
/// the tool has another text than the target's package was given.
fn apply_package_texts<'a>(
    tool: &mut ToolDescriptor<'a>,
    before: &ToolDescriptor<'a>,
    after: &ToolDescriptor<'a>,
    log: &mut EditLog,
) {
    if !is_package_itself(tool) {
        return;
    }
    let (was, is) = (&before.package, &after.package);
    for (field, own, was, is) in [
        ("title", &mut tool.title, &was.title, &is.title),
        ("summary", &mut tool.summary, &was.summary, &is.summary),
        ("description", &mut tool.description, &was.description, &is.description),
    ] {
        if was == is || own == is {
            continue;
        }
        if own.is_none() || own == was {
            own.clone_from(is);
        } else {
            let at = is.as_ref().and_then(|text| text.at);
            log.refuse_in(field, OTHER_TEXT, at.into_iter().collect());
        }
    }
}

/// Returns true if a tool is its package itself: it has no name within it.
pub(crate) fn is_package_itself(tool: &ToolDescriptor<'_>) -> bool {
    tool.name.is_none() && tool.package.id.is_some()
}

/// Drops the identity, texts and call of a package if the source's tool has no package. An
/// edit does not put a tool into one.
pub(crate) fn strip_package_identity<'a>(
    package: Package<'a>,
    before: &Package<'a>,
) -> Package<'a> {
    if before.id.is_some() {
        return package;
    }
    Package {
        id: None,
        namespace: None,
        title: None,
        summary: None,
        description: None,
        command: <_>::default(),
        cwd: None,
        url: None,
        ..package
    }
}

/// Moves the texts of a sole tool to its package if the document has lost its list of
/// tools: the package is still named and described. `before` are the tools as written.
pub(crate) fn promote_sole_tool(tools: &mut [ToolDescriptor<'_>], before: &[ToolDescriptor<'_>]) {
    let [whole] = tools else { return };
    if !is_package_itself(whole) || before.iter().all(|tool| tool.name.is_none()) {
        return;
    }
    let mut package = Package::clone(&whole.package);
    package.title = whole.title.take().or(package.title);
    package.summary = whole.summary.take().or(package.summary);
    package.description = whole.description.take().or(package.description);
    whole.package = Arc::new(package);
}
