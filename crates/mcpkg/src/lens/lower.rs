//! Lowers a descriptor to a manifest.

use manifest_core::descriptor::{Package, Publisher};
use manifest_core::format::{Context, ToolContext, Writer};
use manifest_core::json::Raw;
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor, has_control, quoted};

use super::{auth, call};
use crate::{id, rules};

pub(super) fn write_tool(
    w: &mut Writer<'_>,
    entry: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let ToolContext { tool, says: _, context } = entry;
    let ToolDescriptor {
        id: _,
        name: _,
        title: _,
        summary: _,
        description: _,
        input_schema,
        output_schema,
        example_files,
        test_files,
        package,
        // Written in `call.rs` and `auth.rs`.
        invocation: _,
        implementations: _,
        chain: _,
        timeout_ms: _,
        auth: _,
        // Used for errors only.
        at: _,
        // Not supported. Examples are files in this format.
        kind: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        permissions: _,
        scopes_used: _,
        sandbox: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
    } = tool;
    write_id(w, tool, context.same_format);
    let name = write_name(w, tool, context.same_format);
    write_version(w, package, context)?;
    write_description(w, tool, name, context.same_format);
    write_capabilities(w, package, context);
    call::write(w, entry)?;
    let any = "the source has no such schema: any object is taken";
    write_schema(w, "input_schema", input_schema.as_ref(), any, context.same_format);
    match (tool.non_json_output_reason(), output_schema) {
        (Some(why), Some(schema)) if !context.same_format && is_schema(schema) => {
            w.member("output_schema").approximate(&schema.value, schema.at.as_slice(), why);
        }
        (Some(why), _) if !context.same_format => {
            write_schema(w, "output_schema", None, why, false);
        }
        (_, schema) => {
            let any = "the source does not say what comes back: any object";
            write_schema(w, "output_schema", schema.as_ref(), any, context.same_format);
        }
    }
    auth::write(w, entry);
    w.copy_all("tests", test_files);
    w.copy_all("examples", example_files);
    write_meta(w, package, context.same_format);
    Ok(())
}

fn write_id(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    match id::fit_id(&tool.id) {
        Text::Owned(fitted) if !own => {
            let why =
                "the published tool takes three or more parts of lower-case letters and digits";
            w.member("toolId").approximate(&fitted, &tool.id_places(), why);
        }
        _ => w.member("toolId").id(tool),
    }
}

/// A text and the places that it came from.
struct TextSource<'t> {
    text: Text<'t>,
    places: Vec<Place>,
}

impl<'t> TextSource<'t> {
    /// Returns `None` if the text is missing or blank.
    fn new(text: Option<&'t Sourced<Text<'_>>>) -> Option<Self> {
        let text = text?;
        if text.trim().is_empty() {
            return None;
        }
        Some(Self { text: Text::Borrowed(text), places: text.at.into_iter().collect() })
    }

    fn is_plain(&self) -> bool {
        !has_control(&self.text)
    }
}

/// Writes the display name, and returns it.
fn write_name<'t>(w: &mut Writer<'_>, tool: &'t ToolDescriptor<'_>, own: bool) -> TextSource<'t> {
    if let Some(title) = &tool.title
        && let Some(source) = TextSource::new(Some(title))
        && (own || source.is_plain())
    {
        w.member("name").copy(title);
        return source;
    }
    let (source, why) = fallback_name(tool);
    w.member("name").approximate(source.text.as_ref(), &source.places, why);
    source
}

/// Returns a display name for a tool without a title that fits, and the reason for it.
fn fallback_name<'t>(tool: &'t ToolDescriptor<'_>) -> (TextSource<'t>, &'static str) {
    let title = TextSource::new(tool.package.title.as_ref()).filter(TextSource::is_plain);
    let name = TextSource::new(tool.name.as_ref()).filter(TextSource::is_plain);
    let nameless = if tool.title.is_some() || tool.package.title.is_some() {
        "the source has no title that fits"
    } else {
        "the source has no title"
    };
    match (title, name) {
        (Some(title), Some(name)) => {
            let text = Text::Owned(format!("{}: {}", title.text, name.text));
            let places = [title.places, name.places].concat();
            (TextSource { text, places }, "the name of the package, and that of the tool in it")
        }
        (Some(title), None) => (title, "the name of the package"),
        (None, Some(name)) => (name, nameless),
        (None, None) => {
            let plain = !tool.id.trim().is_empty() && !has_control(&tool.id);
            let text = if plain { Text::Borrowed(tool.id.as_ref()) } else { id::fit_id(&tool.id) };
            (TextSource { text, places: tool.id_places() }, nameless)
        }
    }
}

fn write_version(
    w: &mut Writer<'_>,
    package: &Package<'_>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    let Some(version) = &package.version else {
        let why = "the source has no version";
        w.member("version").assume(&context.defaults.version, why);
        return Ok(());
    };
    if !context.same_format && !rules::is_version(version) {
        let message =
            format!("{} is not a SemVer version, and MCPKG takes no other", quoted(version));
        return Err(context.error_at(&rules::VERSION, version.at, message));
    }
    w.member("version").copy(version);
    Ok(())
}

/// Writes the description. If there is none, writes the best substitute.
fn write_description(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    name: TextSource<'_>,
    own: bool,
) {
    if let Some(description) = &tool.description
        && (own || !description.trim().is_empty())
    {
        return w.member("description").copy(description);
    }
    let package = &tool.package;
    let others = [
        (tool.summary.as_ref(), "the tool itself has no description: this is its summary"),
        (package.description.as_ref(), "the description of the package"),
        (package.summary.as_ref(), "the summary of the package"),
    ];
    let (mut source, mut reason) = (name, "the source has no description");
    for (text, why) in others {
        if let Some(other) = TextSource::new(text) {
            (source, reason) = (other, why);
            break;
        }
    }
    w.member("description").approximate(source.text.as_ref(), &source.places, reason);
}

fn write_capabilities(w: &mut Writer<'_>, package: &Package<'_>, context: &Context<'_>) {
    let tags: Vec<_> =
        package.tags.iter().filter(|tag| context.same_format || !tag.trim().is_empty()).collect();
    let why = match (tags.as_slice(), package.tags.as_slice()) {
        ([_, ..], _) => return w.copy_all("capabilities", tags),
        ([], []) => "the source has no tags",
        ([], _) => "the source has no tags that fit",
    };
    w.member("capabilities").list(|w| w.item().assume(&context.defaults.tag, why));
}

/// Writes a schema as it is, without adding a missing type. Any object is assumed if there
/// is no schema.
fn write_schema(
    w: &mut Writer<'_>,
    name: &str,
    schema: Option<&Sourced<Raw<'_>>>,
    none: &'static str,
    own: bool,
) {
    match schema {
        Some(schema) if own || is_schema(schema) => w.member(name).copy(schema),
        _ => w.member(name).assume(&Raw::from_static(r#"{"type": "object"}"#), none),
    }
}

fn is_schema(schema: &Raw<'_>) -> bool {
    schema.as_str().starts_with(['{', 't', 'f'])
}

fn write_meta(w: &mut Writer<'_>, package: &Package<'_>, own: bool) {
    let Package {
        publisher,
        namespace,
        license,
        homepage,
        labels,
        // Written above.
        version: _,
        title: _,
        summary: _,
        description: _,
        tags: _,
        // Written in the ids of the tools, in their calls, and in `auth.rs`.
        id: _,
        command: _,
        cwd: _,
        url: _,
        env: _,
        scopes: _,
        // Not supported.
        at: _,
        support: _,
        acquisition: _,
        smoke: _,
        verify: _,
        revocation: _,
        cost: _,
        data_boundary: _,
    } = package;
    w.object_if_any("meta", |w| {
        write_publisher(w, publisher, namespace.as_ref(), own);
        w.copy("license", license.as_ref());
        w.copy("homepage", homepage.as_ref());
        w.copy_all("tags", labels);
    });
}

/// The published tool requires both an id and a name, so each can be written for the other.
fn write_publisher(
    w: &mut Writer<'_>,
    publisher: &Publisher<'_>,
    namespace: Option<&Sourced<Text<'_>>>,
    own: bool,
) {
    // An e-mail address is not supported.
    let Publisher { id, name, url, email: _ } = publisher;
    let (id, name) = (id.as_ref(), name.as_ref());
    let mut words = [id, namespace, name].into_iter().flatten();
    let known = words.next();
    let why = match words.next() {
        None => "the source has one word for the publisher, and not two",
        Some(_) => "the namespace stands for the publisher",
    };
    w.object_if_any("publisher", |w| {
        for (member, text) in [("id", id), ("name", name)] {
            if let Some(text) = text {
                w.member(member).copy(text);
            } else if !own && let Some(known) = known {
                w.member(member).approximate(&known.value, known.at.as_slice(), why);
            }
        }
        if own || known.is_some() {
            w.copy("website", url.as_ref());
        }
    });
}
