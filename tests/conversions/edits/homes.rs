//! Where each thing that can be edited stands in each format, by hand.

#![allow(clippy::too_many_lines)] // a table of places

use serde_json::Value;
use toolglot::FormatName::{
    self, Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};

/// Something that a format may have a word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Title,
    Summary,
    Description,
    PackageSummary,
    PackageDescription,
    Tags,
    Labels,
    Version,
    Homepage,
    Licence,
    PublisherId,
    PublisherName,
    PublisherUrl,
    PublisherMail,
    Input,
    Output,
    Variables,
    Timeout,
    SideEffects,
    Idempotent,
    ErrorEnvelope,
    Approval,
    Payment,
    Fee,
    SupportUrl,
    Enabled,
    Trust,
    Channel,
    Network,
    Filesystem,
    Hosts,
    Devices,
    Sandbox,
    OriginUrl,
    AuthScopes,
    AuthDocs,
    TestFiles,
    ExampleFiles,
}

/// Whether an install manifest describes its program and no actions.
fn is_whole(document: &Value) -> bool {
    document.get("actions").and_then(Value::as_array).is_none_or(Vec::is_empty)
}

/// Whether a bundle lists no tools.
fn is_server(document: &Value) -> bool {
    document.get("tools").and_then(Value::as_array).is_none_or(Vec::is_empty)
}

/// Where a server lists its tools.
const LISTED: &str =
    "/_meta/io.modelcontextprotocol.registry~1publisher-provided/invalid.toolglot~1tools";

/// The entries of the tools of a document, as pointers.
pub(crate) fn tools(format: FormatName, document: &Value) -> Vec<String> {
    let list = match format {
        InstallManifest if is_whole(document) => return vec![String::new()],
        InstallManifest => "actions",
        Mcpb if is_server(document) => return vec![String::new()],
        Mcpb => "tools",
        ServerJson => {
            let count = document.pointer(LISTED).and_then(Value::as_array).map_or(0, Vec::len);
            let listed = (0..count).map(|index| format!("{LISTED}/{index}")).collect();
            return if count == 0 { vec![String::new()] } else { listed };
        }
        ToolList => return listed(document),
        ToolsJson => {
            let name = spelled(document, "", "tools");
            let count = document[&name].as_array().map_or(0, Vec::len);
            return (0..count).map(|index| format!("/{name}/{index}")).collect();
        }
        Capability if document.get("capabilities").is_some() => "capabilities",
        _ => return vec![String::new()],
    };
    let count = document[list].as_array().map_or(0, Vec::len);
    (0..count).map(|index| format!("/{list}/{index}")).collect()
}

/// Whether a format says something once for all tools of a document.
pub(crate) fn is_shared(format: FormatName, field: Field) -> bool {
    let own = matches!(
        field,
        Field::Summary
            | Field::Description
            | Field::Input
            | Field::Output
            | Field::SideEffects
            | Field::Idempotent
            | Field::ErrorEnvelope
    );
    match format {
        InstallManifest => !own,
        Mcpb | ServerJson => field != Field::Description,
        _ => false,
    }
}

/// Where something stands for the tool at that entry; nothing, if there is no word for it.
pub(crate) fn home(
    format: FormatName,
    document: &Value,
    entry: &str,
    field: Field,
) -> Option<String> {
    let path = match format {
        InstallManifest => return install(document, entry, field),
        Mcpb => return mcpb(document, entry, field),
        ServerJson => return server_json(document, entry, field),
        ToolList => return tool_list(document, entry, field),
        ToolsJson => match field {
            Field::Description => "description",
            Field::Input => "schema",
            Field::Variables => "envPassthrough",
            Field::Timeout => "timeoutSec",
            _ => return None,
        },
        Mcpkg => match field {
            Field::Title => "name",
            Field::Description => "description",
            Field::Tags => "capabilities",
            Field::Labels => "meta/tags",
            Field::Version => "version",
            Field::Homepage => "meta/homepage",
            Field::Licence => "meta/license",
            Field::PublisherId => "meta/publisher/id",
            Field::PublisherName => "meta/publisher/name",
            Field::PublisherUrl => "meta/publisher/website",
            Field::Input => "input_schema",
            Field::Output => "output_schema",
            Field::Variables => "auth/configHints/env",
            Field::Timeout => "endpoint/timeoutMs",
            Field::AuthScopes => "auth/scopes",
            Field::AuthDocs => "auth/configHints/docsUrl",
            Field::TestFiles => "tests",
            Field::ExampleFiles => "examples",
            _ => return None,
        },
        Capability => match field {
            Field::Description => "description",
            Field::Version => "version",
            Field::Input => "interfaces/inputs",
            Field::Output => "interfaces/outputs",
            Field::Variables => "secrets",
            Field::Timeout => "runtime/timeout_seconds",
            Field::Enabled => "enabled",
            Field::Trust => "trust_level",
            Field::Channel => "execution/channel",
            Field::Network => "permissions/network",
            Field::Filesystem => "permissions/filesystem",
            Field::Hosts => "permissions/network_allowlist",
            Field::Devices => "permissions/devices",
            Field::Sandbox => "runtime/sandbox",
            Field::OriginUrl => "origin/url",
            _ => return None,
        },
        Jumith => match field {
            Field::Title => "name",
            Field::Summary => "summary",
            Field::Description => "description",
            Field::Tags => "tags",
            Field::Version => "version",
            Field::PublisherId => "provider",
            Field::Input => "schema/input",
            Field::Output => "schema/output",
            Field::Variables => "requiredSecrets",
            Field::Approval => "requiresApproval",
            Field::Payment => "usesPayment",
            _ => return None,
        },
        other => panic!("{other} is a new format"),
    };
    let path = if format == ToolsJson { spelled(document, entry, path) } else { path.to_owned() };
    Some(format!("{entry}/{path}"))
}

/// A member of `tools.json` as it is spelled: capitals do not matter there.
fn spelled(document: &Value, entry: &str, name: &str) -> String {
    let members = document.pointer(entry).and_then(Value::as_object);
    let mut names = members.into_iter().flat_map(|members| members.keys());
    let found = names.find(|own| own.eq_ignore_ascii_case(name));
    found.map_or_else(|| name.to_owned(), Clone::clone)
}

fn install(document: &Value, entry: &str, field: Field) -> Option<String> {
    let whole = is_whole(document);
    let own = |path: &str| (!whole).then(|| format!("{entry}/{path}"));
    let shared = match field {
        Field::Title => "/tool/name",
        Field::Summary if whole => "/tool/summary",
        Field::Description if whole => "/tool/description",
        Field::PackageSummary if !whole => "/tool/summary",
        Field::PackageDescription if !whole => "/tool/description",
        Field::Tags => "/tool/tags",
        Field::Version => "/tool/version",
        Field::Homepage => "/tool/homepage",
        Field::Licence => "/tool/license",
        Field::PublisherName => "/tool/author/name",
        Field::PublisherUrl => "/tool/author/url",
        Field::PublisherMail => "/tool/author/email",
        Field::Variables => "/env",
        Field::Fee => "/cost/monthly_fee_cents",
        Field::SupportUrl => "/support/issues_url",
        Field::Summary => return own("summary"),
        Field::Description => return own("description"),
        Field::Input => return own("input"),
        Field::Output => return own("output/schema"),
        Field::SideEffects => return own("side_effects"),
        Field::Idempotent => return own("idempotent"),
        Field::ErrorEnvelope => return own("error_envelope"),
        _ => return None,
    };
    Some(shared.to_owned())
}

fn mcpb(document: &Value, entry: &str, field: Field) -> Option<String> {
    let server = is_server(document);
    let path = match field {
        Field::Title => "/display_name",
        Field::Summary if server => "/description",
        Field::Description if server => "/long_description",
        Field::Description => return Some(format!("{entry}/description")),
        Field::PackageSummary if !server => "/description",
        Field::PackageDescription if !server => "/long_description",
        Field::Tags => "/keywords",
        Field::Version => "/version",
        Field::Homepage => "/homepage",
        Field::Licence => "/license",
        Field::PublisherName => "/author/name",
        Field::PublisherUrl => "/author/url",
        Field::PublisherMail => "/author/email",
        Field::SupportUrl => "/support",
        _ => return None,
    };
    Some(path.to_owned())
}

fn server_json(document: &Value, entry: &str, field: Field) -> Option<String> {
    let server = entry.is_empty();
    let snake = document["$schema"].as_str().is_some_and(|schema| schema.contains("2025-07-09"));
    let path = match field {
        Field::Title if !snake => "/title",
        Field::Summary if server => "/description",
        Field::Description if !server => return Some(format!("{entry}/description")),
        Field::PackageSummary if !server => "/description",
        Field::Version if document.get("version_detail").is_some() => "/version_detail/version",
        Field::Version => "/version",
        Field::Homepage if !snake => "/websiteUrl",
        Field::Variables => {
            let package = document["packages"].get(0)?;
            let old = package.get("environment_variables").is_some();
            let new = package.get("environmentVariables").is_some();
            let is_old = old || snake && !new;
            let name = if is_old { "environment_variables" } else { "environmentVariables" };
            return Some(format!("/packages/0/{name}"));
        }
        _ => return None,
    };
    Some(path.to_owned())
}

/// The entries of a list, in an answer or by itself, and those of lists in it.
fn listed(document: &Value) -> Vec<String> {
    let list = list_of(document);
    let entries = document.pointer(list).and_then(Value::as_array).into_iter().flatten();
    let entry = |(index, entry): (usize, &Value)| {
        let at = format!("{list}/{index}");
        let name = GROUPS.iter().find(|name| entry.get(name).is_some());
        match name.map(|name| (name, entry[name].as_array().map_or(0, Vec::len))) {
            None => vec![at],
            Some((name, count)) => (0..count).map(|one| format!("{at}/{name}/{one}")).collect(),
        }
    };
    entries.enumerate().flat_map(entry).collect()
}

const GROUPS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Whether the schema of a listed tool is in words of Gemini's own.
pub(crate) fn is_in_own_words(document: &Value, entry: &str) -> bool {
    let declared = GROUPS.iter().any(|name| entry.contains(name));
    let schemas = ["parametersJsonSchema", "parameters_json_schema"];
    let tool = document.pointer(entry).filter(|_| declared);
    tool.is_some_and(|tool| schemas.iter().all(|name| tool.get(name).is_none()))
}

/// Where a list of tools has its entries.
pub(crate) fn list_of(document: &Value) -> &'static str {
    if document.get("tools").is_some() { "/tools" } else { "/result/tools" }
}

/// Where a listed tool has something depends on the shape that it is in.
fn tool_list(document: &Value, entry: &str, field: Field) -> Option<String> {
    let tool = document.pointer(entry)?;
    let has = |name: &str| tool.get(name).is_some();
    let declared = GROUPS.iter().any(|name| entry.contains(name));
    let mcp = !declared && has("inputSchema");
    let schemas = ["parametersJsonSchema", "parameters_json_schema"];
    let gemini = declared || schemas.into_iter().any(has);
    let path = match field {
        Field::Title if mcp && !has("title") && tool["annotations"].get("title").is_some() => {
            "annotations/title"
        }
        Field::Title if mcp => "title",
        Field::Idempotent if mcp => "annotations/idempotentHint",
        Field::Input if mcp => "inputSchema",
        Field::Output if mcp => "outputSchema",
        Field::Description if has("function") => "function/description",
        Field::Description => "description",
        Field::Input if has("input_schema") => "input_schema",
        Field::Input if has("parametersJsonSchema") => "parametersJsonSchema",
        Field::Input if has("parameters_json_schema") => "parameters_json_schema",
        Field::Input if has("function") => "function/parameters",
        Field::Input if declared && !has("parameters") => "parametersJsonSchema",
        Field::Input => "parameters",
        Field::Output if gemini && has("responseJsonSchema") => "responseJsonSchema",
        Field::Output if gemini && has("response_json_schema") => "response_json_schema",
        Field::Output if gemini && has("response") => "response",
        Field::Output if gemini => "responseJsonSchema",
        Field::Output if !has("input_schema") && !has("function") => "output_schema",
        _ => return None,
    };
    Some(format!("{entry}/{path}"))
}

/// The name of a variable, which some formats have an object for.
pub(crate) fn name_of(variable: &Value) -> Option<&str> {
    variable.as_str().or_else(|| variable.get("name")?.as_str())
}

/// A time-out in milliseconds.
pub(crate) fn milliseconds(format: FormatName, value: &Value) -> Option<f64> {
    let factor = if format == Mcpkg { 1.0 } else { 1000.0 };
    value.as_f64().map(|number| number * factor)
}

/// Whole seconds as a format says them.
pub(crate) fn seconds(format: FormatName, seconds: u64) -> Value {
    (if format == Mcpkg { seconds * 1000 } else { seconds }).into()
}

/// Where the words of a call stand, if it is a program.
pub(crate) fn words(format: FormatName, document: &Value, entry: &str) -> Option<String> {
    let at = match format {
        ToolsJson => format!("{entry}/{}", spelled(document, entry, "command")),
        InstallManifest => "/runtime/entrypoint/command".to_owned(),
        Capability => format!("{entry}/implementation/command/argv"),
        Mcpkg => "/endpoint/command".to_owned(),
        // The line of a server is not that of a tool.
        Jumith | Mcpb | ServerJson | ToolList => return None,
        other => panic!("{other} is a new format"),
    };
    document.pointer(&at).is_some().then_some(at)
}

/// Where a tool is named.
pub(crate) fn id(format: FormatName, document: &Value, entry: &str) -> String {
    match format {
        InstallManifest if entry.is_empty() => "/tool/id".to_owned(),
        ToolsJson => format!("{entry}/{}", spelled(document, entry, "name")),
        ToolList if document.pointer(&format!("{entry}/function")).is_some() => {
            format!("{entry}/function/name")
        }
        InstallManifest | Mcpb | ServerJson | ToolList => format!("{entry}/name"),
        Mcpkg => "/toolId".to_owned(),
        Capability | Jumith => format!("{entry}/id"),
        other => panic!("{other} is a new format"),
    }
}

/// The parts of a source that belong to the call of a tool.
pub(crate) fn call(format: FormatName, document: &Value, entry: &str) -> Vec<String> {
    match format {
        ToolsJson => vec![format!("{entry}/{}", spelled(document, entry, "command"))],
        InstallManifest => vec!["/runtime".to_owned(), format!("{entry}/invocation")],
        Capability => vec![format!("{entry}/implementation")],
        Mcpkg => vec!["/endpoint".to_owned()],
        Jumith => vec!["/entry".to_owned()],
        ServerJson => vec!["/remotes".to_owned(), format!("{entry}/calls")],
        Mcpb | ToolList => vec!["/server".to_owned()],
        other => panic!("{other} is a new format"),
    }
}
