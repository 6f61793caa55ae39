//! Writes the texts of a manifest: name, summary, description and provider.

use manifest_core::descriptor::Publisher;
use manifest_core::format::{IdGrammar, Writer, first_sentence, fit};
use manifest_core::{Place, Sourced, Text, ToolDescriptor, has_control};

use crate::names;

/// Ids are free text. A fitted id has the form of the specification's examples.
pub(super) static ID: IdGrammar = IdGrammar {
    fits: names::is_id,
    keeps: |c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '-'),
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "tool:",
    max_bytes: names::ID_BYTES,
};

/// Returns the name for a manifest of the source's own format. `name` and `title` both lift
/// from it, so an edit of either is an edit of the name.
pub(super) fn edited_name<'t, 'a>(
    name: Option<&'t Sourced<Text<'a>>>,
    title: Option<&'t Sourced<Text<'a>>>,
) -> Option<&'t Sourced<Text<'a>>> {
    if let Some(title) = title
        && title.at.is_none_or(|at| at.document > 0)
        && name != Some(title)
    {
        return Some(title);
    }
    name
}

/// Writes the name and returns it with the places it came from.
pub(super) fn write_name(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) -> (String, Vec<Place>) {
    for name in [&tool.name, &tool.title].into_iter().flatten() {
        if is_name(name) {
            w.member("name").copy(name);
            return (name.to_string(), name.at.into_iter().collect());
        }
    }
    let has_name = tool.name.is_some() || tool.title.is_some();
    let last = tool.callable_name();
    let (name, places) = if is_name(&last) {
        (Text::Borrowed(last.value), last.at.into_iter().collect())
    } else {
        (fit(&tool.id, &ID), tool.id_places())
    };
    let why = if has_name {
        "the source has no name that fits: this is from the id"
    } else if !is_name(&last) {
        "the source has no name: this is from the id"
    } else if last.value == tool.id.as_ref() {
        "the source has no name for people: this is what it is called by"
    } else {
        "the source has no name: the last part of its id"
    };
    w.member("name").approximate(&name, &places, why);
    (name.into_owned(), places)
}

fn is_name(text: &str) -> bool {
    !names::is_blank(text) && !has_control(text)
}

/// The texts of a tool: its summary and description, and those of its package.
type Texts<'t, 'a> = [Option<&'t Sourced<Text<'a>>>; 4];

/// Writes the summary or, if it is missing, the best substitute.
pub(super) fn write_summary(
    w: &mut Writer<'_>,
    [summary, description, shared, long]: Texts<'_, '_>,
    name: &(String, Vec<Place>),
) {
    let candidates = [
        (summary, None),
        (description, Some(("the first sentence of the description", true))),
        (shared, Some(("the tool itself has no summary: that of the package", false))),
        (long, Some(("the first sentence of the description of the package", true))),
    ];
    write_text(w, "summary", candidates, name);
}

/// Writes the description or, if it is missing, the best substitute.
pub(super) fn write_description(
    w: &mut Writer<'_>,
    [summary, description, shared, long]: Texts<'_, '_>,
    name: &(String, Vec<Place>),
) {
    let summary_why = "the tool itself has no description: this is its summary";
    let long_why = "the tool itself has no description: that of the package";
    let shared_why = "the tool itself has no description: the summary of the package";
    let candidates = [
        (description, None),
        (summary, Some((summary_why, false))),
        (long, Some((long_why, false))),
        (shared, Some((shared_why, false))),
    ];
    write_text(w, "description", candidates, name);
}

/// A text that may be written. For a substitute: the reason, and true if only its first
/// sentence is written.
type Candidate<'t, 'a> = (Option<&'t Sourced<Text<'a>>>, Option<(&'static str, bool)>);

/// Writes the first text that is not blank, or the name.
fn write_text(
    w: &mut Writer<'_>,
    member: &'static str,
    texts: [Candidate<'_, '_>; 4],
    (name, at): &(String, Vec<Place>),
) {
    let slot = w.member(member);
    for (text, substitute) in texts {
        let Some(text) = text else { continue };
        if names::is_blank(text) {
            continue;
        }
        let Some((why, first_only)) = substitute else { return slot.copy(text) };
        let shown = if first_only { first_sentence(text) } else { text.as_ref() };
        return slot.approximate(shown, text.at.as_slice(), why);
    }
    slot.approximate(name, at, "the source has no text: the name stands for it");
}

/// Writes the first text that names the publisher. In the source's own format, any text is
/// written.
pub(super) fn write_provider(
    w: &mut Writer<'_>,
    Publisher { id, name, url: _, email: _ }: &Publisher<'_>,
    namespace: Option<&Sourced<Text<'_>>>,
    same_format: bool,
) {
    let candidates = [
        (id.as_ref(), ""),
        (namespace, "the namespace stands for the publisher's name"),
        (name.as_ref(), "the target has one word for who publishes it"),
    ];
    for (text, why) in candidates {
        let Some(text) = text else { continue };
        if !same_format && has_control(text) {
            continue;
        }
        let slot = w.member("provider");
        if why.is_empty() {
            return slot.copy(text);
        }
        return slot.approximate(&text.value, text.at.as_slice(), why);
    }
}
