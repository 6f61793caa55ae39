//! From descriptors to manifests.

use manifest_core::convert::{self, Tool, Unit, Writer};
use manifest_core::descriptor::{Caution, Http, Package, SideEffects};
use manifest_core::json::Raw;
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor};

use super::call::{self, Way, is_manifest, is_whole, way};
use super::renames::Renames;
use super::runtime::Runtime;
use super::{checks, fit, parts, runtime, scopes};
use crate::grammar;
use crate::words::Version;

/// Writes a manifest.
pub(super) fn frame(w: &mut Writer<'_>, unit: &Unit<'_, '_>) -> Result<(), Diagnostic> {
    let Some(first) = unit.tools.first() else { return Ok(()) };
    let shared = Runtime::of(unit, first)?;
    let version = runtime::version(unit);
    let own = unit.context.own;
    let renames = Renames::of(unit.context, &first.package);
    let Package {
        env,
        cost,
        support,
        verify,
        data_boundary,
        // Written below "tool".
        id: _,
        namespace: _,
        title: _,
        summary: _,
        description: _,
        version: _,
        tags: _,
        publisher: _,
        homepage: _,
        license: _,
        // Written below "runtime".
        acquisition: _,
        command: _,
        cwd: _,
        url: _,
        // Written with what permissions and the call add to them.
        scopes: _,
        // Written as far as the actions and the version allow.
        smoke: _,
        revocation: _,
        // No home here.
        at: _,
        labels: _,
    } = first.package.as_ref();
    write_version(w, unit, version);
    w.member("tool").object(|w| write_tool(w, unit, first, version));
    shared.write(w);
    parts::write_env(w, env, first, version, own);
    scopes::write(w, first);
    if !is_whole(first) {
        w.member("actions").list(|w| {
            for tool in unit.tools {
                w.item().object(|w| write_action(w, tool, shared.way_of(tool), &renames, own));
            }
        });
    }
    w.copy("verify", verify.as_ref().filter(|_| version >= Version::V0_3));
    if version >= Version::V0_3 {
        let private = scopes::is_private(first);
        checks::write_boundary(w, unit.context, data_boundary.as_ref(), private, version);
    }
    checks::write_smoke(w, unit, &shared, &renames, version);
    checks::write_switch(w, unit, first, version);
    parts::write_cost(w, cost);
    parts::write_support(w, support);
    Ok(())
}

/// Which version it is.
fn write_version(w: &mut Writer<'_>, unit: &Unit<'_, '_>, version: Version) {
    let Unit { tools, context } = unit;
    let at = tools.first().and_then(|tool| tool.package.at).filter(|_| context.own);
    let at = at.and_then(|at| Some(at.of(context.node(at)?.get("manifest_version")?)));
    w.member("manifest_version").same(version.word(), at.as_slice());
}

/// A name as it is written, and where it comes from.
pub(super) enum Named<'t, 'a> {
    /// As it was.
    Copied(&'t Sourced<Text<'a>>),
    /// Taken from a longer one.
    Taken(Text<'t>, Option<Place>),
    /// Nearly as it was, and why.
    Near(Text<'t>, Vec<Place>, &'static str),
}

impl Named<'_, '_> {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Copied(text) => text,
            Self::Taken(text, _) | Self::Near(text, ..) => text,
        }
    }

    fn write(&self, w: &mut Writer<'_>, member: &str) {
        match self {
            Self::Copied(text) => w.member(member).copy(text),
            Self::Taken(text, at) => w.member(member).same(text, at.as_slice()),
            Self::Near(text, at, why) => w.member(member).approximate(text, at, why),
        }
    }
}

/// The id of the tool that a manifest is about.
pub(super) fn tool_id<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Named<'t, 'a> {
    match &tool.package.id {
        _ if own && is_whole(tool) => return Named::Copied(&tool.id),
        Some(id) if own || grammar::TOOL_ID.matches(id) => return Named::Copied(id),
        _ => {}
    }
    match convert::fit(&tool.id, &fit::TOOL_ID) {
        Text::Borrowed(_) => Named::Copied(&tool.id),
        fitted => {
            let why = "ids have 3 to 64 lower-case letters, digits and hyphens";
            Named::Near(fitted, tool.id_places(), why)
        }
    }
}

/// The name of an action.
pub(super) fn action_name<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Named<'t, 'a> {
    let grammar = "names have up to 63 lower-case letters, digits and underscores";
    let literal = |name: &str| own || grammar::ACTION_NAME.matches(name);
    if let Some(name) = renamed(tool) {
        let at = tool.id.at;
        return match fit::action_name(name) {
            fitted if !literal(name) => Named::Near(fitted, at.into_iter().collect(), grammar),
            _ => Named::Taken(Text::Borrowed(name), at),
        };
    }
    let name = tool.callable_name();
    let at = name.at.into_iter().collect();
    match (&tool.name, fit::action_name(name.value)) {
        (Some(name), _) if literal(name) => Named::Copied(name),
        (None, Text::Borrowed(name)) if name == tool.id.as_ref() => Named::Copied(&tool.id),
        (None, Text::Borrowed(name)) => {
            Named::Near(Text::Borrowed(name), at, "the last part of the id")
        }
        (_, fitted) => Named::Near(fitted, at, grammar),
    }
}

/// The action's part of an id that is no longer made of the names of the tool and of the
/// action: other formats rename the whole.
fn renamed<'t>(tool: &'t ToolDescriptor<'_>) -> Option<&'t str> {
    let (package, name) = (tool.package.id.as_deref()?, tool.name.as_deref()?);
    let tail = |id: &'t str, head: &str| id.strip_prefix(head)?.strip_prefix('.');
    let kept = tool.id.strip_suffix(name.as_ref()).is_some_and(|head| head.ends_with('.'));
    (!kept).then(|| tail(&tool.id, package).unwrap_or(&tool.id))
}

/// What a manifest says about its tool.
fn write_tool(
    w: &mut Writer<'_>,
    unit: &Unit<'_, '_>,
    tool: &ToolDescriptor<'_>,
    written: Version,
) {
    let own = unit.context.own;
    let package = &tool.package;
    let namespace = package.namespace.as_ref();
    let namespace = namespace.filter(|_| written >= Version::V0_3_1);
    w.copy("namespace", namespace.filter(|name| own || grammar::NAMESPACE.matches(name)));
    tool_id(tool, own).write(w, "id");
    write_tool_version(w, unit, package.version.as_ref());
    let title = package.title.as_ref().or(tool.title.as_ref());
    match title.filter(|title| !title.is_empty()) {
        Some(title) => fit::text(w, "name", title, most(80, own)),
        None => {
            let name = tool.callable_name();
            let text = Some(name.value).filter(|name| !name.is_empty()).unwrap_or("tool");
            let text = fit::beginning(text, 80).unwrap_or(text);
            w.member("name").approximate(text, name.at.as_slice(), "the source has no title");
        }
    }
    let whole = is_whole(tool);
    match (&package.summary, &tool.summary) {
        (Some(summary), _) => write_summary(w, Some(summary), tool, own),
        (None, Some(summary)) if !whole && fit::beginning(summary, 280).is_none() => {
            // An action says the same below.
            w.member("summary").same(&summary.value, summary.at.as_slice());
        }
        (None, summary) => write_summary(w, summary.as_ref(), tool, own),
    }
    let description = if whole { &tool.description } else { &package.description };
    if let Some(description) = description {
        fit::text(w, "description", description, most(4000, own));
    }
    let page = Page::of(unit, tool);
    match page.said {
        Some(said) => w.member("homepage").copy(said),
        None => w.member("homepage").assume(&page.made, "the source names no page"),
    }
    parts::write_author(w, &package.publisher, own);
    w.copy("license", package.license.as_ref());
    let tags = package.tags.iter().filter(|tag| own || grammar::TAG.matches(tag));
    w.copy_all("tags", tags.take(most(16, own)));
}

/// A limit, which does not count for what a manifest said before.
pub(super) const fn most(limit: usize, own: bool) -> usize {
    if own { usize::MAX } else { limit }
}

fn write_tool_version(w: &mut Writer<'_>, unit: &Unit<'_, '_>, said: Option<&Sourced<Text<'_>>>) {
    let slot = w.member("version");
    match said.map(|said| (said, fit::version(said))) {
        Some((said, _)) if unit.context.own => slot.copy(said),
        Some((said, Some(Text::Borrowed(_)))) => slot.copy(said),
        Some((said, Some(fitted))) => {
            slot.approximate(
                &fitted,
                said.at.as_slice(),
                "versions have no build, and no capitals",
            );
        }
        _ => {
            let default = fit::version(&unit.context.defaults.version);
            let default = default.unwrap_or(Text::Borrowed("0.0.0"));
            slot.assume(&default, "the source has no version that fits");
        }
    }
}

/// One sentence: what is said, else the beginning of the description, else the name.
fn write_summary(
    w: &mut Writer<'_>,
    said: Option<&Sourced<Text<'_>>>,
    tool: &ToolDescriptor<'_>,
    own: bool,
) {
    if let Some(said) = said.filter(|said| own || !said.is_empty()) {
        return fit::text(w, "summary", said, most(280, own));
    }
    let described = tool.description.as_ref().map(|text| (fit::sentence(text), text.at));
    if let Some((sentence, at)) = described.filter(|(sentence, _)| !sentence.is_empty()) {
        let sentence = fit::beginning(sentence, 280).unwrap_or(sentence);
        let why = "the first sentence of the description";
        return w.member("summary").approximate(sentence, at.as_slice(), why);
    }
    let name = tool.callable_name();
    let text = Some(name.value).filter(|name| !name.is_empty()).unwrap_or("tool");
    let text = fit::beginning(text, 280).unwrap_or(text);
    w.member("summary").approximate(text, name.at.as_slice(), "the source says nothing about it");
}

/// The page of a tool: what the source says, or one that is made up.
pub(super) struct Page<'t, 'a> {
    pub(super) said: Option<&'t Sourced<Text<'a>>>,
    pub(super) made: String,
}

impl<'t, 'a> Page<'t, 'a> {
    pub(super) fn of(unit: &Unit<'_, '_>, tool: &'t ToolDescriptor<'a>) -> Self {
        let own = unit.context.own;
        let said = tool.package.homepage.as_ref();
        let made = || format!("{}{}", unit.context.defaults.homepage, tool_id(tool, own).text());
        match said.filter(|page| own || is_manifest(&tool.package) || grammar::is_uri(page)) {
            Some(page) => Self { said: Some(page), made: String::new() },
            None => Self { said: None, made: made() },
        }
    }
}

/// Writes an action by itself. In a manifest, it depends on what it shares with others.
pub(super) fn entry(
    w: &mut Writer<'_>,
    Tool { tool, says: _, context }: &Tool<'_, '_>,
) -> Result<(), Diagnostic> {
    let renames = Renames::of(*context, &tool.package);
    write_action(w, tool, way(tool, context.own), &renames, context.own);
    Ok(())
}

fn write_action(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    way: Way<'_, '_>,
    renames: &Renames<'_>,
    own: bool,
) {
    let ToolDescriptor {
        summary,
        description,
        input_schema,
        output_schema,
        output_format,
        error_envelope,
        examples,
        invocation,
        side_effects,
        idempotent,
        requires_approval,
        // Written as the name, where there is no other.
        id: _,
        name: _,
        // Written with the scopes that they stand for.
        auth: _,
        permissions: _,
        scopes_used: _,
        // Written around the actions.
        package: _,
        title: _,
        kind: _,
        // Which of several implementations fits, and what a chain calls, is for the
        // bridge to find out.
        implementations: _,
        chain: _,
        // No home here.
        at: _,
        example_files: _,
        test_files: _,
        timeout_ms: _,
        sandbox: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
    } = tool;
    action_name(tool, own).write(w, "name");
    write_summary(w, summary.as_ref(), tool, own);
    if let Some(description) = description {
        fit::text(w, "description", description, most(4000, own));
    }
    let at = invocation.as_ref().and_then(|call| call.at);
    w.member("invocation").object(|w| write_call(w, tool, way, at, renames));
    match input_schema {
        Some(schema) if own || parts::is_schema(schema) => parts::write_schema(w, "input", schema),
        _ if is_manifest(&tool.package) => {}
        _ => {
            let any = Raw::constant(r#"{"type":"object","additionalProperties":true}"#);
            w.member("input").assume(&any, "without a schema, an action takes no arguments");
        }
    }
    parts::write_output(w, output_format.as_ref(), output_schema.as_ref());
    let slot = w.member("side_effects");
    let approval = requires_approval.as_ref().filter(|approval| approval.value);
    let asks = Caution::of(tool).declares_approval();
    match (side_effects, approval) {
        (Some(effects), None) => slot.copy(effects),
        (Some(effects), _) if effects.value == SideEffects::Destructive => slot.copy(effects),
        (_, Some(approval)) if asks => {
            let why = "the one word here that makes a host ask";
            slot.approximate(&SideEffects::Destructive, approval.at.as_slice(), why);
        }
        _ => slot.assume(&SideEffects::Destructive, "the source does not say what it changes"),
    }
    w.copy("idempotent", idempotent.as_ref());
    scopes::write_used(w, tool);
    w.copy("error_envelope", error_envelope.as_ref());
    parts::write_examples(w, examples, own);
}

fn write_call(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    way: Way<'_, '_>,
    at: Option<Place>,
    renames: &Renames<'_>,
) {
    let mut kind = |word: &str| w.member("kind").same(word, at.as_slice());
    match way {
        Way::Program { command: _, cwd: _, template, stdin } => {
            kind(if stdin { "stdin-json" } else { "subcommand" });
            if !template.is_empty() {
                w.member("argv_template").list(|w| {
                    template.iter().for_each(|word| renames.write(w.item(), word));
                });
            }
        }
        Way::Request(Http { method, url: _, path, headers, body: _ }) => {
            kind("http");
            w.member("method").copy(method);
            if let Some(path) = path {
                renames.write(w.member("path"), path);
            }
            w.some_object("headers", |w| {
                headers.iter().for_each(|(name, value)| renames.write(w.member(name), value));
            });
        }
        Way::Whole { http: Http { method, url, path: _, headers: _, body: _ }, base: _, path } => {
            kind("http");
            w.member("method").copy(method);
            w.member("path").approximate(path, url.at.as_slice(), "the URL from its path on");
            write_credential(w, tool);
        }
        Way::Server(server) => {
            kind("mcp-tool");
            w.member("tool_name").copy(&server.tool);
        }
        Way::AsItWas(node, at) => {
            for one in node.members() {
                let value =
                    Sourced { value: Raw::from_node(one.value), at: Some(at.of(one.value)) };
                w.member(&one.name()).copy(&value);
            }
        }
        // The whole of a manifest has no actions.
        Way::Unsaid | Way::Bridge => w.member("kind").bridge("stdin-json"),
    }
}

/// The header that a request is authenticated by.
fn write_credential(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let Some((credential, variable)) = call::credential(tool) else { return };
    let scheme = tool.auth.scheme.as_ref().and_then(|scheme| scheme.at);
    let places: Vec<Place> = scheme.into_iter().chain(variable.at).collect();
    let value = format!("{}${{env.{}}}", credential.prefix, variable.value);
    w.member("headers").object(|w| w.member(credential.header).same(&value, &places));
}
