//! From one version to another.
//!
//! Each version is a format of its own to conversion: what it cannot say goes to
//! the residue, and what it requires and the source does not say is assumed.
//!
//! | to | what is assumed or given up |
//! |---|---|
//! | 0.1 | one manifest for each action; the entrypoint with `--version` for a smoke test that calls an action |
//! | from 0.1 | an action that reads its input from standard input, and is destructive |
//! | up to 0.2 | no `verify`, `data_boundary`, `docs`, `runtime_telemetry` |
//! | from 0.3 on | with private scopes, a data boundary that sends everything to somebody unknown |
//! | up to 0.3 | no namespace, no layout, no JSON Pointers but `json_pointer_equals`; manual revocation at the homepage instead of none or inline instructions |
//! | up to 0.3.1 | a git reference that cannot resolve instead of `preinstalled`; a recipient in words instead of `agent-supplied` |

use manifest_core::json::{Document, Edit, Node, Raw, apply};
use manifest_core::{Format, Limits, Pointer, Text, ToolDescriptor};

use super::lower::{Written, WrittenInstall, built, member};
use super::{FORMAT, MAPPING, detect, lift, lower};
use crate::conditions::is_private;
use crate::manifest::{Action, Docs, Install};
use crate::words::{RuntimeKind, Version};
use crate::{check, rules};

/// The format of one version, for conversion to it or from it.
///
/// ```
/// use install_manifest::{Version, format_of};
///
/// assert_eq!(format_of(Version::V0_3_1).name, "install-manifest-0.3.1");
/// ```
pub fn format_of(version: Version) -> &'static Format {
    match version {
        Version::V0_1 => &V0_1,
        Version::V0_2 => &V0_2,
        Version::V0_3 => &V0_3,
        Version::V0_3_1 => &V0_3_1,
        Version::V0_4 => &V0_4,
    }
}

/// A format that differs from [`FORMAT`] in its name and in what it writes.
macro_rules! version_format {
    ($name:ident, $word:literal) => {
        static $name: Format = Format {
            name: concat!("install-manifest-", $word),
            mapping: MAPPING,
            rules: rules::RULES,
            list: true,
            catalog: None,
            identity: FORMAT.identity,
            detect,
            validate: check::validate,
            read: lift::read,
            write: |lifted, defaults| lower::write(lifted, defaults, Some(Version::$name)),
        };
    };
}

version_format!(V0_1, "0.1");
version_format!(V0_2, "0.2");
version_format!(V0_3, "0.3");
version_format!(V0_3_1, "0.3.1");
version_format!(V0_4, "0.4");

/// The lowest version that can say what a manifest says.
pub(super) fn lowest(manifest: &Written<'_>) -> Version {
    let whole = manifest.actions.is_empty() && manifest.runtime.kind != RuntimeKind::McpStdio;
    let mut lowest = if whole { Version::V0_1 } else { Version::V0_2 };
    let mut need = |version: Version, needed: bool| {
        if needed {
            lowest = lowest.max(version);
        }
    };
    need(Version::V0_3, manifest.verify.is_some() || manifest.data_boundary.is_some());
    let layout = matches!(
        manifest.runtime.install,
        WrittenInstall::Typed(Install::Git { layout: Some(_), .. })
    );
    need(Version::V0_3_1, manifest.tool.namespace.is_some() || layout);
    if let Some(switch) = &manifest.kill_switch {
        let none = member(switch, "kind").as_deref() == Some("none");
        need(Version::V0_3_1, none || member(switch, "instructions").is_some());
    }
    if let Some(smoke) = &manifest.smoke {
        let document = Document::parse(smoke.as_str().as_bytes(), &Limits::default());
        let success = |name: &str| {
            let document = document.as_ref().ok()?;
            document.root().get("success")?.get(name).map(Node::span)
        };
        let newer = ["json_pointer_in", "json_pointer_exists", "json_pointer_present"];
        need(Version::V0_3_1, newer.iter().any(|name| success(name).is_some()));
    }
    need(
        Version::V0_4,
        matches!(manifest.runtime.install, WrittenInstall::Preinstalled { .. })
            || manifest.data_boundary.as_ref().is_some_and(|boundary| {
                let document = Document::parse(boundary.as_str().as_bytes(), &Limits::default());
                document.is_ok_and(|boundary| {
                    let transmits = boundary.root().get("transmits").into_iter();
                    transmits.flat_map(Node::elements).any(|one| {
                        one.get("to_kind").is_some() || one.get("to_constraint").is_some()
                    })
                })
            }),
    );
    lowest
}

/// Makes a manifest one of a version.
pub(super) fn bring_to(manifest: &mut Written<'_>, wanted: Version) {
    manifest.manifest_version = wanted;
    if wanted < Version::V0_2 {
        for variable in &mut manifest.env {
            let cut = variable.prompt.chars().take(280).collect::<String>();
            variable.prompt = Text::Owned(cut);
        }
    }
    if wanted < Version::V0_3 {
        manifest.verify = None;
        manifest.data_boundary = None;
    } else if manifest.data_boundary.is_none()
        && manifest.scopes.iter().any(|scope| is_private(&scope.resource))
    {
        manifest.data_boundary = Some(Raw::constant(ANYWHERE));
    }
    if wanted < Version::V0_3_1 {
        manifest.tool.namespace = None;
        if let WrittenInstall::Typed(Install::Git { layout, .. }) = &mut manifest.runtime.install {
            *layout = None;
        }
        let newer = ["json_pointer_in", "json_pointer_exists", "json_pointer_present"];
        let newer = newer.map(|name| Pointer::root().push("success").push(name));
        manifest.smoke = manifest.smoke.take().map(|smoke| without(&smoke, &newer));
    }
    if wanted < Version::V0_4 {
        manifest.data_boundary = manifest.data_boundary.take().map(|b| with_recipients(&b));
    }
}

/// What nothing is known about goes anywhere.
const ANYWHERE: &str = r#"{"transmits":[{"to":"unknown","fields":["/"],"purpose":"The source does not say.","third_party_retention":"unknown"}]}"#;

/// Whether a kill switch is one that a version has.
pub(super) fn has_switch(switch: &Raw<'_>, wanted: Option<Version>) -> bool {
    let newer = member(switch, "kind").as_deref() == Some("none")
        || member(switch, "instructions").is_some();
    !newer || wanted.is_none_or(|wanted| wanted >= Version::V0_3_1)
}

/// A value without what is at these places.
fn without(value: &Raw<'_>, places: &[Pointer]) -> Raw<'static> {
    let Ok(document) = Document::parse(value.as_str().as_bytes(), &Limits::default()) else {
        return value.clone().into_owned();
    };
    let there = places.iter().filter(|place| document.root().at(place).is_some());
    let edits: Vec<Edit> = there.cloned().map(Edit::Remove).collect();
    apply(&document, &edits).map_or_else(|_| value.clone().into_owned(), |text| built(&text))
}

/// A data boundary whose recipients all have a name.
fn with_recipients(boundary: &Raw<'_>) -> Raw<'static> {
    let Ok(document) = Document::parse(boundary.as_str().as_bytes(), &Limits::default()) else {
        return boundary.clone().into_owned();
    };
    let transmits = document.root().get("transmits").into_iter().flat_map(Node::elements);
    let mut edits = Vec::new();
    for (index, one) in transmits.enumerate() {
        let place = Pointer::root().push("transmits").push_index(index);
        for name in ["to_kind", "to_constraint"] {
            if one.get(name).is_some() {
                edits.push(Edit::Remove(place.clone().push(name)));
            }
        }
        if one.get("to").is_none() {
            edits.push(Edit::Insert(place.push("to"), "\"whom the agent names\"".to_owned()));
        }
    }
    let unchanged = |_| boundary.clone().into_owned();
    apply(&document, &edits).map_or_else(unchanged, |text| built(&text))
}

/// What an action of another version has, and descriptors have no word for.
pub(super) fn add_extras<'a>(
    action: &mut Action<'a>,
    tool: &'a ToolDescriptor<'_>,
    wanted: Option<Version>,
) {
    if wanted.is_none_or(|wanted| wanted < Version::V0_3) {
        return;
    }
    let ours = tool.extras.iter().filter(|(name, _)| name.starts_with(FORMAT.name));
    for op in ours.flat_map(|(_, ops)| ops).filter(|op| op.was.is_none()) {
        match (op.at.as_str(), &op.value) {
            ("/docs", Some(value)) => action.docs = Some(docs(value)),
            ("/runtime_telemetry", Some(value)) => action.runtime_telemetry = Some(value.clone()),
            _ => {}
        }
    }
}

fn docs(value: &Raw<'_>) -> Docs<'static> {
    let text = |name: &str| member(value, name).map(Text::Owned);
    Docs {
        goal: text("goal"),
        inputs_brief: text("inputs_brief"),
        outputs_brief: text("outputs_brief"),
        errors_brief: text("errors_brief"),
        example: text("example"),
    }
}
