//! Smoke test, kill switch and data boundary: descriptors keep them as raw JSON, and each
//! is written as far as the version supports it.

use manifest_core::format::{BridgeArg, Context, ToolGroup, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Place, Sourced, ToolDescriptor};

use super::call::CallEncoding;
use super::raw::{copy_except, member, part, with_node};
use super::runtime::Runtime;
use super::tool::{Page, action_name};
use crate::enums::Version;

/// Members that 0.3.1 added.
const NEWER_CONDITIONS: &[&str] =
    &["json_pointer_in", "json_pointer_exists", "json_pointer_present"];

/// Writes the smoke test: the source's if it can run, or a test without effects that
/// succeeds if the tool can be called.
pub(super) fn write_smoke(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
    runtime: &Runtime<'_, '_>,
    version: Version,
) {
    let context = unit.context;
    let smoke = runtime.first.package.smoke.as_ref();
    // In the source's own format the test is copied, even if its action is gone: only the
    // author changes it.
    if context.same_format {
        return w.copy("smoke", smoke);
    }
    let Some(smoke) = smoke else { return write_presence_test(w, runtime) };
    // The target may lack the action that the test calls.
    if let Some(name) = member(context, smoke, "action")
        && !unit.tools.iter().any(|tool| action_name(tool, false).text() == name)
    {
        return write_presence_test(w, runtime);
    }
    if version >= Version::V0_3_1 {
        return w.member("smoke").copy(smoke);
    }
    // If all conditions are newer than the version, a test without them always succeeds.
    let mut newer = false;
    with_node(context, smoke, |node, _| {
        if let Some(success) = node.get("success") {
            newer = success.members().next().is_some()
                && success.members().all(|one| NEWER_CONDITIONS.contains(&one.name().as_ref()));
        }
    });
    if newer {
        return write_presence_test(w, runtime);
    }
    w.member("smoke").object(|w| {
        with_node(context, smoke, |node, at| {
            for one in node.members() {
                let name = one.name();
                if name == "success" {
                    w.member("success").object(|w| copy_except(w, one.value, at, NEWER_CONDITIONS));
                } else {
                    w.member(&name).copy(&part(one.value, at));
                }
            }
        });
    });
}

/// Writes a smoke test that succeeds if the program that makes the call is present.
fn write_presence_test(w: &mut Writer<'_>, runtime: &Runtime<'_, '_>) {
    if matches!(runtime.first_call, CallEncoding::Bridge) {
        // The bridge cannot check a missing call.
        let (line, why) = if runtime.first.has_call() {
            let mut line = runtime.context.bridge_argv(runtime.first);
            line.insert(2.min(line.len()), BridgeArg::fixed("--check"));
            (line, "the target requires a check: this is the bridge's own, without effects")
        } else {
            let line = ["toolglot", "--version"].map(BridgeArg::fixed).to_vec();
            (line, "the target requires a check: this one has no effects, and finds the bridge")
        };
        let before = w.set_bridge_reason(why);
        w.member("smoke").object(|w| {
            w.member("kind").bridge("shell");
            w.member("command").list(|w| BridgeArg::write_all(&line, w));
            w.member("success").object(|w| w.member("exit_code").bridge(0));
        });
        w.set_bridge_reason(before);
        return;
    }
    let why = "it has no effects, and succeeds where the program is there";
    w.member("smoke").object(|w| {
        w.member("kind").assume("shell", why);
        w.member("command").list(|w| {
            if let Some(program) = runtime.command.first() {
                w.item().assume("which", why);
                w.item().copy(program);
            } else {
                w.item().assume("toolglot", why);
                w.item().assume("--version", why);
            }
        });
        w.member("success").object(|w| w.member("exit_code").assume(0, why));
    });
}

/// Writes the kill switch: the source's, or manual revocation at the tool's page if it is
/// missing, the version does not support it, or it is `none` although there are variables.
pub(super) fn write_kill_switch(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
    tool: &ToolDescriptor<'_>,
    version: Version,
) {
    let (context, package) = (unit.context, &tool.package);
    let mut why = "nobody says how to revoke it: its page is where to ask";
    if let Some(switch) = &package.revocation {
        let none = member(context, switch, "kind").as_deref() == Some("none");
        let newer = none || member(context, switch, "instructions").is_some();
        let vain = none && !package.env.is_empty();
        if context.same_format || !(vain || newer && version < Version::V0_3_1) {
            return w.member("kill_switch").copy(switch);
        }
        why = match (vain, none) {
            (true, _) => "there are variables to revoke: its page is where to ask",
            (_, true) => "what has nothing to revoke has no word before 0.3.1",
            _ => "instructions in the manifest came with 0.3.1: its page is where to ask",
        };
    }
    let page = Page::choose(unit, tool);
    w.member("kill_switch").object(|w| {
        let unsaid = package.revocation.is_none();
        let kind = if unsaid { "nobody says how to revoke it" } else { why };
        w.member("kind").assume("manual", kind);
        let slot = w.member("instructions_url");
        if let Some(said) = page.source {
            slot.approximate(&said.value, said.at.as_slice(), why);
        } else {
            let why = "nobody says how to revoke it, or names a page: this one is made up";
            slot.approximate(&page.fallback, &page.from, why);
        }
    });
}

/// The data boundary if the source has no information: data may go anywhere.
const ANYWHERE: &str = r#"{"transmits":[{"to":"unknown","fields":["/"],"purpose":"The source does not say.","third_party_retention":"unknown"}]}"#;

/// Writes the data boundary, or an assumed one if it is missing and a scope is private.
pub(super) fn write_boundary(
    w: &mut Writer<'_>,
    context: Context<'_>,
    boundary: Option<&Sourced<Raw<'_>>>,
    private: bool,
    version: Version,
) {
    match boundary {
        Some(boundary) if context.same_format || version >= Version::V0_4 => {
            w.member("data_boundary").copy(boundary);
        }
        Some(boundary) => w.member("data_boundary").object(|w| {
            with_node(context, boundary, |node, at| {
                for one in node.members() {
                    let name = one.name();
                    if name == "transmits" && one.value.elements().next().is_some() {
                        w.member("transmits").list(|w| write_recipients(w, one.value, at));
                    } else {
                        w.member(&name).copy(&part(one.value, at));
                    }
                }
            });
        }),
        None if private => {
            let why = "the source does not say where private data goes";
            w.member("data_boundary").assume(&Raw::from_static(ANYWHERE), why);
        }
        None => {}
    }
}

/// Writes the recipients, each with a name, as versions before 0.4 require.
fn write_recipients(w: &mut Writer<'_>, list: Node<'_>, at: Option<Place>) {
    for one in list.elements() {
        w.item().object(|w| {
            if let (None, Some(kind)) = (one.get("to"), one.get("to_kind")) {
                let from = at.map(|at| at.with_node(kind));
                let why = "recipients that the agent names have no word before 0.4";
                w.member("to").approximate("whom the agent names", from.as_slice(), why);
            }
            copy_except(w, one, at, &["to_kind", "to_constraint"]);
        });
    }
}
