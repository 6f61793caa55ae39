//! The `tool` member, and the names in a manifest.

use manifest_core::format;
use manifest_core::format::{AcceptedLoss, Context, ToolGroup, Writer};
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor, quoted, rules};

use super::call::{has_no_actions, is_from_manifest};
use super::fit::limit_unless_own;
use super::{fit, parts};
use crate::enums::Version;
use crate::grammar;

/// A name to write, and its provenance.
pub(super) enum FittedName<'t, 'a> {
    /// Unchanged.
    Source(&'t Sourced<Text<'a>>),
    /// A part of a longer name.
    Part(Text<'t>, Option<Place>),
    /// Approximated, with the reason.
    Approximation(Text<'t>, Vec<Place>, &'static str),
}

impl FittedName<'_, '_> {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Source(text) => text,
            Self::Part(text, _) | Self::Approximation(text, ..) => text,
        }
    }

    fn places(&self) -> Vec<Place> {
        match self {
            Self::Source(text) => text.at.into_iter().collect(),
            Self::Part(_, at) => at.iter().copied().collect(),
            Self::Approximation(_, at, _) => at.clone(),
        }
    }

    pub(super) fn write(&self, w: &mut Writer<'_>, member: &str) {
        match self {
            Self::Source(text) => w.member(member).copy(text),
            Self::Part(text, at) => w.member(member).equivalent(text, at.as_slice()),
            Self::Approximation(text, at, why) => w.member(member).approximate(text, at, why),
        }
    }
}

/// Returns the id of the manifest's tool.
pub(super) fn tool_id<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> FittedName<'t, 'a> {
    match &tool.package.id {
        _ if own && has_no_actions(tool) => return FittedName::Source(&tool.id),
        Some(id) if own || grammar::TOOL_ID.matches(id) => return FittedName::Source(id),
        _ => {}
    }
    match format::fit(&tool.id, &fit::TOOL_ID) {
        Text::Borrowed(_) => FittedName::Source(&tool.id),
        fitted @ Text::Owned(_) => {
            let why = "ids have 3 to 64 lower-case letters, digits and hyphens";
            FittedName::Approximation(fitted, tool.id_places(), why)
        }
    }
}

/// Returns the name of an action.
pub(super) fn action_name<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> FittedName<'t, 'a> {
    let grammar = "names have up to 63 lower-case letters, digits and underscores";
    if let Some(name) = edited_action_name(tool) {
        let at = tool.id.at;
        if own || grammar::ACTION_NAME.matches(name) {
            return FittedName::Part(Text::Borrowed(name), at);
        }
        let fitted = fit::fit_action_name(name);
        return FittedName::Approximation(fitted, at.into_iter().collect(), grammar);
    }
    let name = tool.callable_name();
    let at = name.at.into_iter().collect();
    match (&tool.name, fit::fit_action_name(name.value)) {
        (Some(name), _) if own || grammar::ACTION_NAME.matches(name) => FittedName::Source(name),
        (None, Text::Borrowed(name)) if name == tool.id.as_ref() => FittedName::Source(&tool.id),
        (None, Text::Borrowed(name)) => {
            FittedName::Approximation(Text::Borrowed(name), at, "the last part of the id")
        }
        (_, fitted) => FittedName::Approximation(fitted, at, grammar),
    }
}

/// Returns the action's part of an id that no longer ends with the action's name. Other
/// formats have only the whole id, and rename that.
fn edited_action_name<'t>(tool: &'t ToolDescriptor<'_>) -> Option<&'t str> {
    let (package, name) = (tool.package.id.as_deref()?, tool.name.as_deref()?);
    if tool.id.strip_suffix(name.as_ref()).is_some_and(|head| head.ends_with('.')) {
        return None;
    }
    let tail = tool.id.strip_prefix(package.as_ref()).and_then(|tail| tail.strip_prefix('.'));
    Some(tail.unwrap_or(&tool.id))
}

/// Writes the members of `tool`.
pub(super) fn write_tool_member(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
    tool: &ToolDescriptor<'_>,
    written: Version,
) {
    let own = unit.context.same_format;
    let package = &tool.package;
    if let Some(namespace) = &package.namespace
        && written >= Version::V0_3_1
        && (own || grammar::NAMESPACE.matches(namespace))
    {
        w.member("namespace").copy(namespace);
    }
    tool_id(tool, own).write(w, "id");
    write_tool_version(w, unit, package.version.as_ref());
    if let Some(title) = package.title.as_ref().or(tool.title.as_ref())
        && !title.is_empty()
    {
        fit::write_text(w, "name", title, limit_unless_own(80, own));
    } else {
        let (name, at) = display_name(tool, 80);
        w.member("name").approximate(name, at.as_slice(), "the source has no title");
    }
    write_summary(w, package.summary.as_ref().or(tool.summary.as_ref()), tool, own);
    let description = match &tool.description {
        Some(description) if has_no_actions(tool) => Some(description),
        _ => package.description.as_ref(),
    };
    if let Some(description) = description {
        fit::write_text(w, "description", description, limit_unless_own(4000, own));
    }
    let page = Page::choose(unit, tool);
    if let Some(said) = page.source {
        w.member("homepage").copy(said);
    } else {
        let why = match &package.homepage {
            Some(_) => "what the source names as its page is no URI: this one is made from the id",
            None => "the source names no page: this one is made from the id",
        };
        w.member("homepage").approximate(&page.fallback, &page.from, why);
    }
    parts::write_author(w, &package.publisher, own);
    match &package.license {
        // Besides SPDX identifiers, the specification permits only this text.
        Some(license) if !own && is_misspelled_proprietary(license) => {
            let why = "PROPRIETARY is the word for closed tools here";
            w.member("license").approximate("PROPRIETARY", license.at.as_slice(), why);
        }
        license => w.copy("license", license.as_ref()),
    }
    // In this format tags are for people, as labels are.
    if own {
        return w.copy_all("tags", &package.tags);
    }
    let words = package.keywords().into_iter().filter(|(tag, _)| grammar::TAG.matches(tag));
    w.tags("tags", words.take(16));
}

/// Returns true if a licence is `PROPRIETARY` in another case.
fn is_misspelled_proprietary(license: &str) -> bool {
    license != "PROPRIETARY" && license.eq_ignore_ascii_case("PROPRIETARY")
}

/// Fails if this format cannot express the tool's version and the user did not accept a
/// change.
pub(super) fn check_version(
    unit: &ToolGroup<'_, '_>,
    tool: &ToolDescriptor<'_>,
) -> Result<(), Diagnostic> {
    let context = &unit.context;
    let Some(said) = &tool.package.version else { return Ok(()) };
    if grammar::VERSION.matches(said)
        || context.same_format
        || context.accept.contains(&AcceptedLoss::Version)
    {
        return Ok(());
    }
    let message = format!("install-manifest has no words for the version {}", quoted(said));
    let instead = fit::fit_version(said).unwrap_or_else(|| default_version(context));
    let help = format!("give the source another version, or accept {} by name", quoted(&instead));
    Err(context.error_at(&rules::TOOL_VERSION, said.at, message).help(help))
}

/// Returns the version of a tool whose own version is missing or does not fit.
fn default_version<'c>(context: &Context<'c>) -> Text<'c> {
    fit::fit_version(&context.defaults.version).unwrap_or(Text::Borrowed("0.0.0"))
}

fn write_tool_version(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
    said: Option<&Sourced<Text<'_>>>,
) {
    let slot = w.member("version");
    let Some(said) = said else {
        return slot.assume(&default_version(&unit.context), "the source has no version");
    };
    match fit::fit_version(said) {
        _ if unit.context.same_format => slot.copy(said),
        Some(Text::Borrowed(_)) => slot.copy(said),
        Some(fitted) => {
            let why = "versions have no build, and no capitals";
            slot.approximate(&fitted, said.at.as_slice(), why);
        }
        None => {
            let why = "the source has no version that fits";
            slot.assume(&default_version(&unit.context), why);
        }
    }
}

/// Writes a summary: the given text, else the first sentence of the description, else the
/// name.
pub(super) fn write_summary(
    w: &mut Writer<'_>,
    said: Option<&Sourced<Text<'_>>>,
    tool: &ToolDescriptor<'_>,
    own: bool,
) {
    if let Some(said) = said
        && (own || !said.is_empty())
    {
        return fit::write_text(w, "summary", said, limit_unless_own(280, own));
    }
    if let Some(description) = &tool.description
        && let sentence = format::first_sentence(description)
        && !sentence.is_empty()
    {
        let (text, why) = match fit::truncate(sentence, 280) {
            Some(cut) => (cut, fit::TOO_LONG),
            None => (sentence, "the first sentence of the description"),
        };
        return w.member("summary").approximate(text, description.at.as_slice(), why);
    }
    let (name, at) = display_name(tool, 280);
    w.member("summary").approximate(name, at.as_slice(), "the source says nothing about it");
}

/// Returns the callable name of a tool, cut to `most` characters.
fn display_name<'t>(tool: &'t ToolDescriptor<'_>, most: usize) -> (&'t str, Option<Place>) {
    let name = tool.callable_name();
    let text = if name.value.is_empty() { "tool" } else { name.value };
    (fit::truncate(text, most).unwrap_or(text), name.at)
}

/// The page of a tool: the source's, or one made from the id.
pub(super) struct Page<'t, 'a> {
    pub(super) source: Option<&'t Sourced<Text<'a>>>,
    pub(super) fallback: String,
    /// The places of the id that the page was made from.
    pub(super) from: Vec<Place>,
}

impl<'t, 'a> Page<'t, 'a> {
    pub(super) fn choose(unit: &ToolGroup<'_, '_>, tool: &'t ToolDescriptor<'a>) -> Self {
        let own = unit.context.same_format;
        if let Some(page) = &tool.package.homepage
            && (own || is_from_manifest(&tool.package) || grammar::is_uri(page))
        {
            return Self { source: Some(page), fallback: String::new(), from: Vec::new() };
        }
        let id = tool_id(tool, own);
        let made = format!("{}{}", unit.context.defaults.homepage, id.text());
        Self { source: None, fallback: made, from: id.places() }
    }
}
