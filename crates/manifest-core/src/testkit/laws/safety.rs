//! The law that conversion never makes a tool look safer, nor grants it more.

use super::{Law, converted, open, words};
use crate::convert::Options;
use crate::descriptor::{Filesystem, Network, SideEffects, Trust};
use crate::{Format, Limits, ToolDescriptor};

/// What a target says about its tools is never safer than what the source says,
/// and never wider.
pub fn never_safer(from: &'static Format, to: &'static Format, text: &str) -> Law {
    let limits = Limits::default();
    let conversion = converted(from, to, text, &Options::default())?;
    let (source, target) = (open(text)?, open(&conversion.text)?);
    let source = from.lift(&source, &limits).map_err(|r| words(&r))?;
    let target = to.lift(&target, &limits).map_err(|r| words(&r))?;
    match safer(&source.tools, &target.tools) {
        None => Ok(()),
        Some(claim) => Err(format!("{claim}\n{}", conversion.text)),
    }
}

/// The first claim in which a tool of `target` looks safer than its source, or
/// may do more. What is absent counts as the cautious value: unknown effects are
/// the worst, unknown trust is none, and nothing is granted.
pub fn safer(source: &[ToolDescriptor<'_>], target: &[ToolDescriptor<'_>]) -> Option<String> {
    if source.len() != target.len() {
        return Some(format!("{} tools became {}", source.len(), target.len()));
    }
    let claims = source.iter().zip(target).map(|(source, target)| {
        let claim = claim(source, target)?;
        Some(format!("{} {claim}", crate::quoted(&source.id)))
    });
    claims.flatten().next()
}

fn claim(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> Option<&'static str> {
    let effects = |tool: &ToolDescriptor<'_>| tool.side_effects.unwrap_or(SideEffects::Destructive);
    let approval = |tool: &ToolDescriptor<'_>| tool.requires_approval.unwrap_or(true);
    let trust = |tool: &ToolDescriptor<'_>| tool.trust.unwrap_or(Trust::Untrusted);
    let idempotent = |tool: &ToolDescriptor<'_>| tool.idempotent.unwrap_or(false);
    // Formats that cannot switch a tool off do not say that it is on.
    let on = |tool: &ToolDescriptor<'_>| tool.enabled != Some(false);
    if effects(target) < effects(source) {
        return Some("has milder side effects");
    }
    if approval(source) && !approval(target) {
        return Some("needs no approval any more");
    }
    if trust(target) > trust(source) {
        return Some("is trusted more");
    }
    if idempotent(target) && !idempotent(source) {
        return Some("became idempotent");
    }
    if on(target) && target.enabled.is_some() && !on(source) {
        return Some("is switched on");
    }
    let secret = |tool: &ToolDescriptor<'_>, name: &str| {
        let variable = tool.env.get(name);
        variable.is_none_or(|variable| variable.secret.unwrap_or(true))
    };
    let mut names = target.env.iter().map(|(name, _)| name);
    if names.any(|name| secret(source, name) && !secret(target, name)) {
        return Some("has a variable that is no secret any more");
    }
    wider(source, target)
}

/// A permission that the target grants and the source does not.
fn wider(source: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>) -> Option<&'static str> {
    let (had, has) = (source.permissions.as_ref(), target.permissions.as_ref());
    let network = |p: &crate::descriptor::Permissions<'_>| p.network.unwrap_or(Network::Deny);
    let files = |p: &crate::descriptor::Permissions<'_>| p.filesystem.unwrap_or(Filesystem::None);
    if has.map_or(Network::Deny, network) > had.map_or(Network::Deny, network) {
        return Some("may use the network");
    }
    if has.map_or(Filesystem::None, files) > had.map_or(Filesystem::None, files) {
        return Some("may do more with files");
    }
    if has.is_some_and(|has| {
        let known = |host| had.is_some_and(|had| had.hosts.contains(host));
        !has.hosts.iter().all(known)
    }) {
        return Some("may reach another host");
    }
    if has.is_some_and(|has| {
        let known = |device| had.is_some_and(|had| had.devices.contains(device));
        !has.devices.iter().all(known)
    }) {
        return Some("may use another device");
    }
    let granted = |(resource, scope): (&str, &crate::descriptor::Scope<'_>)| {
        let had = source.scopes.get(resource);
        let known = |action| had.is_some_and(|had| had.actions.contains(action));
        had.is_some() && scope.actions.iter().all(known)
    };
    if !target.scopes.iter().all(granted) {
        return Some("has a wider scope");
    }
    let scopes = |tool: &ToolDescriptor<'_>| {
        let auth = tool.auth.iter();
        auth.flat_map(|auth| auth.scopes.clone())
            .map(std::borrow::Cow::into_owned)
            .collect::<Vec<_>>()
    };
    let had = scopes(source);
    if !scopes(target).iter().all(|scope| had.contains(scope)) {
        return Some("asks for credentials that grant more");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::Permissions;

    fn tool() -> ToolDescriptor<'static> {
        ToolDescriptor::default()
    }

    #[test]
    fn absence_is_the_cautious_value() {
        let read = ToolDescriptor { side_effects: Some(SideEffects::Read), ..tool() };
        let free = ToolDescriptor { requires_approval: Some(false), ..tool() };
        let trusted = ToolDescriptor { trust: Some(Trust::Community), ..tool() };
        let network = Permissions { network: Some(Network::Allowlist), ..Permissions::default() };
        let network = ToolDescriptor { permissions: Some(network), ..tool() };
        let off = ToolDescriptor { enabled: Some(false), ..tool() };
        let on = ToolDescriptor { enabled: Some(true), ..tool() };
        for bold in [read, free, trusted, network] {
            assert!(safer(&[tool()], std::slice::from_ref(&bold)).is_some(), "{bold:?}");
            assert_eq!(safer(std::slice::from_ref(&bold), &[tool()]), None, "{bold:?}");
            assert_eq!(safer(std::slice::from_ref(&bold), std::slice::from_ref(&bold)), None);
        }
        assert!(safer(&[off], &[on]).is_some());
        assert!(safer(&[tool()], &[]).is_some());
    }
}
