//! Lowers descriptors to a manifest.

use manifest_core::descriptor::{EnvVar, Publisher};
use manifest_core::format::{BridgeArg, ToolContext, ToolGroup, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor, quoted, version};

use super::settings;
use crate::mcpb::rules;
use crate::mcpb::table::{NEWEST, VERSIONS};
use crate::shared::write_tool_name;

pub(super) fn write_document(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
) -> Result<(), Diagnostic> {
    let Some(tool) = unit.tools.first() else { return Ok(()) };
    let (package, own) = (&tool.package, unit.context.same_format);
    let whole = own && tool.name.is_none();
    let server = whole && !lists_tools(unit);
    if own {
        copy_members(w, unit, &["dxt_version", "manifest_version"]);
    } else {
        let version = unit.context.version.and_then(|version| VERSIONS.get(version));
        let version = version.copied().unwrap_or(NEWEST);
        w.member("manifest_version").assume(version, "it is the version that is written");
    }
    match &package.id {
        Some(_) if server => w.member("name").copy(&tool.id),
        Some(id) => w.member("name").copy(id),
        None => w.member("name").id(tool),
    }
    if let Some(version) = package.version.as_ref().filter(|text| !own && !is_exact(text)) {
        let message = format!("{} is not SemVer, and a bundle takes no other", quoted(version));
        return Err(unit.context.error_at(&rules::VERSION, version.at, message));
    }
    let (version, why) = (&unit.context.defaults.version, "the source has no version");
    write_required(w, "version", package.version.as_ref(), own, (version, why));
    write_about(w, tool, own, server);
    w.object_if_any("author", |w| {
        let Publisher { id, name, url, email } = &package.publisher;
        let name = name.as_ref().or(id.as_ref().filter(|_| !own));
        write_required(w, "name", name, own, ("unknown", "the source names no author"));
        w.copy("email", email.as_ref());
        w.copy("url", url.as_ref());
    });
    w.copy("homepage", package.homepage.as_ref());
    w.copy("documentation", package.support.docs_url.as_ref());
    w.copy("support", package.support.issues_url.as_ref());
    if own {
        copy_members(w, unit, &["server"]);
    } else {
        w.member("server").object(|w| write_server(w, unit));
    }
    if !whole {
        unit.write_list(w, "tools")?;
    }
    if own {
        w.copy_all("keywords", &package.tags);
    } else {
        w.tags("keywords", package.keywords());
    }
    w.copy("license", package.license.as_ref());
    if own {
        if let Some((root, at)) = source_root(unit) {
            settings::write_source_settings(w, root, at, &package.env);
        }
    } else {
        w.object_if_any("user_config", |w| {
            for variable in askable_variables(&package.env) {
                w.member(&variable.name).object(|w| write_setting(w, variable));
            }
        });
    }
    Ok(())
}

/// Returns true if hosts can compare the version.
fn is_exact(text: &str) -> bool {
    version::parse_exact(text).is_ok()
}

/// Writes a required member. In the source's own format nothing is assumed: an edit may
/// have removed the value.
fn write_required(
    w: &mut Writer<'_>,
    name: &str,
    said: Option<&Sourced<Text<'_>>>,
    own: bool,
    (assumed, why): (&str, &'static str),
) {
    match said {
        None if !own => w.member(name).assume(assumed, why),
        said => w.copy(name, said),
    }
}

/// Returns true if the source lists tools. Name and texts are then those of the bundle,
/// even if an edit merged the tools into one.
fn lists_tools(unit: &ToolGroup<'_, '_>) -> bool {
    let at = unit.tools.first().and_then(|tool| tool.package.at);
    let tools = at.and_then(|at| unit.context.node(at)?.get("tools"));
    tools.is_some_and(|tools| tools.elements().next().is_some())
}

/// Writes the texts of the bundle. A tool without a package provides them itself, and so
/// does a server.
fn write_about(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool, server: bool) {
    let package = &tool.package;
    let lone = if own { server } else { tool.name.is_none() || package.id.is_none() };
    let name = tool.callable_name();
    let title = package.title.as_ref().or(tool.title.as_ref().filter(|_| lone));
    let summary = package.summary.as_ref().or(tool.summary.as_ref().filter(|_| lone));
    for (member, said, needed) in [("display_name", title, lone), ("description", summary, true)] {
        if said.is_some() || own || !needed {
            w.copy(member, said);
        } else {
            // The description of the tool is not used here: an edit that removes it there
            // would have to remove it here.
            let why = "the source has no such line: this is the name of the tool";
            w.member(member).approximate(name.value, name.at.as_slice(), why);
        }
    }
    let long = tool.description.as_ref().filter(|_| own && lone);
    w.copy("long_description", package.description.as_ref().or(long));
}

/// Returns the manifest of the source and its place, for a target of the same format.
fn source_root<'u>(unit: &ToolGroup<'u, '_>) -> Option<(Node<'u>, Place)> {
    let at = unit.tools.first()?.package.at?;
    Some((unit.context.node(at)?, at))
}

/// Copies members of the source that are required and that descriptors lack.
fn copy_members(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>, names: &[&str]) {
    let Some((root, at)) = source_root(unit) else { return };
    for name in names {
        if let Some(node) = root.get(name) {
            w.member(name)
                .copy(&Sourced { value: Raw::from_node(node), at: Some(at.with_node(node)) });
        }
    }
}

/// Writes a server that offers these tools and makes their calls.
fn write_server(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) {
    w.member("type").bridge("binary");
    w.member("entry_point").bridge("toolglot");
    w.member("mcp_config").object(|w| {
        w.member("command").bridge("toolglot");
        // Hosts do not start servers in the folder of the bundle, so the command names it.
        // Format and source follow once, then each tool.
        let mut line = ["mcp", "--folder", "${__dirname}"].map(BridgeArg::fixed).to_vec();
        line.extend(unit.context.bridge_source());
        w.member("args").list(|w| {
            BridgeArg::write_all(&line, w);
            for tool in unit.tools {
                // The shared arguments were written with the reason of a tool with a call.
                // This tool may have no call.
                let before = w.set_bridge_reason(tool.bridge_reason());
                BridgeArg::write_all(&unit.context.bridge_tool(tool), w);
                w.set_bridge_reason(before);
            }
        });
        let env = unit.tools.first().map_or(&[][..], |tool| tool.package.env.as_slice());
        w.object_if_any("env", |w| {
            for EnvVar { name, .. } in askable_variables(env) {
                let value = format!("${{user_config.{}}}", name.value);
                let why = "the host asks for it, and gives it to the server";
                w.member(name).approximate(&value, name.at.as_slice(), why);
            }
        });
    });
}

/// Returns true if a variable can be a key of `user_config` that values refer to.
fn is_key(variable: &EnvVar<'_>) -> bool {
    let name = variable.name.as_bytes();
    !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// Returns the variables that the user can be asked for.
fn askable_variables<'t, 'a>(env: &'t [EnvVar<'a>]) -> impl Iterator<Item = &'t EnvVar<'a>> {
    env.iter().filter(|variable| is_key(variable))
}

/// Returns the secrets that cannot have a setting.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let env = tool.package.env.iter();
    env.filter(|variable| variable.is_secret() && !is_key(variable)).collect()
}

/// Writes the setting of a variable.
fn write_setting(w: &mut Writer<'_>, variable: &EnvVar<'_>) {
    // `pattern`, `obtain_url` and `reference` have no member here.
    let EnvVar { name, prompt, secret, required, pattern: _, default, obtain_url: _, reference: _ } =
        variable;
    let at = name.at.as_slice();
    w.member("type").assume("string", "variables are texts");
    let why = "the source has no title for it";
    w.member("title").approximate(&name.value, at, why);
    if let Some(prompt) = prompt {
        w.member("description").copy(prompt);
    } else {
        let why = "the source does not say what to ask";
        w.member("description").approximate(&name.value, at, why);
    }
    let listed = "it stands among the secrets that the tool must be given";
    if let Some(required) = required {
        match required.at {
            Some(_) => w.member("required").copy(required),
            None => w.member("required").approximate(required.value, at, listed),
        }
    }
    match secret {
        Some(secret) if secret.at.is_some() => w.member("sensitive").copy(secret),
        Some(secret) => w.member("sensitive").approximate(secret.value, at, listed),
        None => {
            let why = "the source does not say whether it is a secret: taken for one";
            w.member("sensitive").assume(true, why);
        }
    }
    w.copy("default", default.as_ref().filter(|_| !variable.is_secret()));
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
pub(super) fn write_tool(w: &mut Writer<'_>, one: &ToolContext<'_, '_>) -> Result<(), Diagnostic> {
    write_tool_name(w, one);
    w.copy("description", one.tool.description.as_ref());
    Ok(())
}
