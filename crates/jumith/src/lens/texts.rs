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
    let edited = title.filter(|title| title.at.is_none_or(|at| at.document > 0));
    edited.filter(|title| name != Some(title)).or(name)
}

const NAME_FROM_ID: &str = "the source has no name for people: this is what it is called by";

/// Writes the name and returns it with the places it came from.
pub(super) fn write_name(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) -> (String, Vec<Place>) {
    let takes = |text: &str| !names::is_blank(text) && !has_control(text);
    let names = [&tool.name, &tool.title];
    if let Some(name) = names.into_iter().flatten().find(|name| takes(name)) {
        w.member("name").copy(name);
        return (name.to_string(), name.at.into_iter().collect());
    }
    let last = tool.callable_name();
    let named = tool.name.is_some() || tool.title.is_some();
    let (name, places, none) = if takes(&last) {
        let whole = last.value == tool.id.as_ref();
        let none =
            if whole { NAME_FROM_ID } else { "the source has no name: the last part of its id" };
        (Text::Borrowed(last.value), last.at.into_iter().collect(), none)
    } else {
        (fit(&tool.id, &ID), tool.id_places(), "the source has no name: this is from the id")
    };
    let why = if named { "the source has no name that fits: this is from the id" } else { none };
    w.member("name").approximate(&name, &places, why);
    (name.into_owned(), places)
}

/// The texts of a tool: its summary and description, and those of its package.
type Texts<'t, 'a> = [Option<&'t Sourced<Text<'a>>>; 4];

/// Writes the summary or, if it is missing, the best substitute.
pub(super) fn write_summary(
    w: &mut Writer<'_>,
    [summary, description, shared, long]: Texts<'_, '_>,
    name: &(String, Vec<Place>),
) {
    let first = |text| Some(text).map(|text: &'static str| (text, true));
    write_text(
        w,
        "summary",
        [
            (summary, None),
            (description, first("the first sentence of the description")),
            (shared, Some(("the tool itself has no summary: that of the package", false))),
            (long, first("the first sentence of the description of the package")),
        ],
        name,
    );
}

/// Writes the description or, if it is missing, the best substitute.
pub(super) fn write_description(
    w: &mut Writer<'_>,
    [summary, description, shared, long]: Texts<'_, '_>,
    name: &(String, Vec<Place>),
) {
    let whole = |text| Some((text, false));
    write_text(
        w,
        "description",
        [
            (description, None),
            (summary, whole("the tool itself has no description: this is its summary")),
            (long, whole("the tool itself has no description: that of the package")),
            (shared, whole("the tool itself has no description: the summary of the package")),
        ],
        name,
    );
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
    let said = |text: &&Sourced<Text<'_>>| !names::is_blank(text);
    let mut texts = texts.into_iter().filter_map(|(text, why)| Some((text.filter(said)?, why)));
    match texts.next() {
        Some((own, None)) => w.member(member).copy(own),
        Some((other, Some((why, first)))) => {
            let text = if first { first_sentence(other) } else { other.as_ref() };
            w.member(member).approximate(text, other.at.as_slice(), why);
        }
        None => {
            let why = "the source has no text: the name stands for it";
            w.member(member).approximate(name, at, why);
        }
    }
}

pub(super) fn write_provider(
    w: &mut Writer<'_>,
    Publisher { id, name, url: _, email: _ }: &Publisher<'_>,
    namespace: Option<&Sourced<Text<'_>>>,
    shows: impl Fn(&Sourced<Text<'_>>) -> bool,
) {
    if let Some(id) = id.as_ref().filter(|id| shows(id)) {
        w.member("provider").copy(id);
    } else if let Some(namespace) = namespace.filter(|namespace| shows(namespace)) {
        let why = "the namespace stands for the publisher's name";
        w.member("provider").approximate(&namespace.value, namespace.at.as_slice(), why);
    } else if let Some(name) = name.as_ref().filter(|name| shows(name)) {
        let why = "the target has one word for who publishes it";
        w.member("provider").approximate(&name.value, name.at.as_slice(), why);
    }
}
