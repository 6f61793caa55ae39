//! The variables of a server, and the settings that the user is asked for.
//!
//! A variable whose value is exactly one setting has the description, default, and
//! `required` and `sensitive` of that setting. A constant is not lifted, because it is
//! already given. Any other value is lifted by its name alone.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::descriptor::EnvVar;
use manifest_core::format::{Reader, Writer};
use manifest_core::json::{Member, MemberIndex, Node, Raw};
use manifest_core::table::member_values_if_any;
use manifest_core::{Place, Sourced, Text};

use crate::mcpb::table::SETTING;
use crate::mcpb::variables::{is_constant, sole_setting};

type Entry<'a> = Option<Node<'a>>;

/// Lifts the variables that must be given. A bridge has a setting for each of its
/// variables, so its settings count too: a removed variable is only gone if its setting is
/// removed as well.
pub(super) fn lift_variables<'a>(
    reader: &mut Reader<'a>,
    env: Entry<'a>,
    settings: Entry<'a>,
    is_bridge: bool,
) -> Vec<EnvVar<'a>> {
    let given = |one: &Member<'a>| !one.value.text().is_some_and(|value| is_constant(&value));
    let names = [env, settings.filter(|_| is_bridge)].into_iter().flatten().flat_map(Node::members);
    let mut known = BTreeSet::new();
    let new = |one: &Member<'a>| known.insert(one.name());
    let named: Vec<Member<'a>> = names.filter(given).filter(new).collect();
    let settings = settings.map(Node::index_members);
    named.into_iter().map(|one| lift_variable(reader, one, settings.as_ref())).collect()
}

/// Lifts a variable. If its value is exactly one setting, the fields come from that
/// setting.
fn lift_variable<'a>(
    reader: &mut Reader<'a>,
    one: Member<'a>,
    settings: Option<&MemberIndex<'a>>,
) -> EnvVar<'a> {
    let value = one.value.text();
    let key = value.as_deref().and_then(sole_setting);
    let asked = settings.zip(key).and_then(|(settings, key)| settings.get(key));
    let asked = asked.or(Some(one.value).filter(|value| value.is_object()));
    let [_type, _title, description, required, default, _multiple, sensitive, _min, _max] =
        member_values_if_any(asked, &SETTING);
    // The value only selects the setting.
    let by = reader.add_influences([one.value]);
    // A default is only passed on if it is not a secret, so `sensitive` influences it too.
    let told = reader.add_influences([one.value].into_iter().chain(sensitive));
    let default = default.and_then(|default| lift_default(reader, default));
    EnvVar {
        name: reader.inferred(one.value, one.name()).with_influence(by),
        prompt: reader.text(description).map(|said| said.with_influence(by)),
        secret: reader.boolean(sensitive).map(|said| said.with_influence(by)),
        required: reader.boolean(required).map(|said| said.with_influence(by)),
        pattern: None,
        default: default.map(|said| said.with_influence(told)),
        obtain_url: None,
        reference: None,
    }
}

/// Lifts the value of a variable for users who give none, if it is the same for all of
/// them.
fn lift_default<'a>(reader: &mut Reader<'a>, default: Node<'a>) -> Option<Sourced<Text<'a>>> {
    let text = default_text(default)?;
    match default.text() {
        Some(_) => reader.text(Some(default)),
        None => Some(reader.derived(default, text)),
    }
}

/// Returns a default as the text that hosts make of it. Returns `None` if it contains
/// variables, is a list, or is a number that is not a plain integer: hosts convert those in
/// their own ways.
fn default_text(default: Node<'_>) -> Option<Text<'_>> {
    if let Some(text) = default.text() {
        return Some(text).filter(|text| is_constant(text));
    }
    let told = default.bool().is_some() || is_plain_integer(default.raw());
    told.then(|| Text::Borrowed(default.raw()))
}

/// Returns true if a text is an integer of up to 15 digits that every host prints alike.
fn is_plain_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = text == "0" || !digits.starts_with('0');
    plain && (1..16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes the settings of the source with the current values of their variables. A setting
/// of several variables is changed only if all of them agree.
pub(super) fn write_source_settings(
    w: &mut Writer<'_>,
    root: Node<'_>,
    at: Place,
    env: &[EnvVar<'_>],
) {
    let Some(settings) = root.get("user_config") else { return };
    let by_name: BTreeMap<&str, &EnvVar<'_>> =
        env.iter().map(|variable| (variable.name.as_ref() as &str, variable)).collect();
    let config = root.get("server").and_then(|server| server.get("mcp_config"));
    let values = config.and_then(|config| config.get("env")).into_iter().flat_map(Node::members);
    let mut asked: BTreeMap<String, Vec<&EnvVar<'_>>> = BTreeMap::new();
    for value in values {
        let text = value.value.text();
        if let Some(key) = text.as_deref().and_then(sole_setting)
            && let Some(variable) = by_name.get(value.name().as_ref())
        {
            asked.entry(key.to_owned()).or_default().push(variable);
        }
    }
    w.member("user_config").object(|w| {
        for member in settings.members() {
            let name = member.name();
            match asked.get(name.as_ref()).and_then(|variables| common_variable(variables)) {
                Some(variable) if member.value.is_object() => {
                    w.member(&name).object(|w| write_setting(w, member.value, at, variable));
                }
                _ => copy_member(w, &name, member.value, at),
            }
        }
    });
}

/// Returns the first of the variables of one setting, if all of them agree.
fn common_variable<'v, 'a>(variables: &[&'v EnvVar<'a>]) -> Option<&'v EnvVar<'a>> {
    let (first, others) = variables.split_first()?;
    let said = |one: &EnvVar<'a>| {
        let EnvVar { prompt, secret, required, default, .. } = one.clone();
        (prompt, secret, required, default)
    };
    others.iter().all(|other| said(other) == said(first)).then_some(*first)
}

fn write_setting(w: &mut Writer<'_>, setting: Node<'_>, at: Place, variable: &EnvVar<'_>) {
    let EnvVar { name: _, prompt, secret, required, default, .. } = variable;
    for member in setting.members() {
        let name = member.name();
        match name.as_ref() {
            "description" => w.copy("description", prompt.as_ref()),
            "required" => w.copy("required", required.as_ref()),
            "sensitive" => w.copy("sensitive", secret.as_ref()),
            "default" => write_default(w, member.value, at, default.as_ref()),
            _ => copy_member(w, &name, member.value, at),
        }
    }
    for (name, said) in [("required", required), ("sensitive", secret)] {
        w.copy(name, said.as_ref().filter(|_| setting.get(name).is_none()));
    }
    w.copy("default", default.as_ref().filter(|_| setting.get("default").is_none()));
}

/// Writes a default with the JSON type that it had in the source.
fn write_default(
    w: &mut Writer<'_>,
    was: Node<'_>,
    at: Place,
    default: Option<&Sourced<Text<'_>>>,
) {
    let now = default.map(|default| default.as_ref() as &str);
    if default_text(was).as_deref() == now {
        return copy_member(w, "default", was, at);
    }
    let Some(default) = default else { return };
    let is_number = was.text().is_none() && was.bool().is_none() && is_plain_integer(default);
    let is_bool = was.bool().is_some() && matches!(default.as_ref() as &str, "true" | "false");
    if is_number || is_bool {
        let value = Raw::from_trusted(default.to_string());
        w.member("default").equivalent(&value, default.at.as_slice());
    } else {
        w.member("default").copy(default);
    }
}

fn copy_member(w: &mut Writer<'_>, name: &str, node: Node<'_>, at: Place) {
    w.member(name).copy(&Sourced { value: Raw::from_node(node), at: Some(at.with_node(node)) });
}
