//! The summary that the owner of an agent approves before a tool is installed.
//!
//! [`Summary`] is data, for a host with its own user interface. [`Summary::text`] and
//! [`Summary::markdown`] render it. All texts in it were written by strangers, so the
//! renderings escape everything that a terminal or a Markdown reader would interpret.

use crate::installer::{has_digest, is_commit};
use crate::{
    Cost, DataBoundary, EnvVar, Install, KillSwitch, Manifest, Place, Scope, Sensitivity,
    SmokeKind, Support, ThirdPartyRetention, Tool, Verb,
};
use manifest_core::descriptor::SideEffects;
use manifest_core::{Text, quoted, url, version};
use serde::Serialize;

use crate::engine::estimate::Estimate;

mod render;

/// The facts that the owner of an agent approves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary<'m> {
    /// The id of the tool in registries.
    pub canonical_id: Text<'m>,
    /// The identity and the texts of the tool.
    pub tool: &'m Tool<'m>,
    /// The method of installation.
    pub install: &'m Install<'m>,
    /// The permissions that the tool requires.
    pub scopes: &'m [Scope<'m>],
    /// The variables that the owner is asked for.
    pub env: &'m [EnvVar<'m>],
    /// The cost, if the manifest declares it.
    pub cost: Option<&'m Cost<'m>>,
    /// The provider's estimate of the cost, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The smoke test, which runs after the installation without a further question.
    pub smoke: &'m SmokeKind<'m>,
    /// The way to revoke the tool.
    pub kill_switch: &'m KillSwitch<'m>,
    /// The data that the tool reads, sends and keeps, if the manifest declares it.
    pub data_boundary: Option<&'m DataBoundary<'m>>,
    /// The worst side effect of an action. A tool that lists no actions counts as
    /// destructive.
    pub side_effects: SideEffects,
    /// The concerns about the tool.
    pub concerns: Vec<Concern>,
    /// The contacts for help.
    pub support: Option<&'m Support<'m>>,
}

/// A property of a tool that deserves attention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Concern {
    /// The kind of concern, for programs.
    pub kind: &'static str,
    /// A sentence that describes it and is safe to print.
    pub text: String,
}

impl<'m> Summary<'m> {
    /// Summarises a manifest.
    pub fn new(manifest: &'m Manifest<'m>) -> Self {
        let actions = manifest.actions.iter().map(|action| action.side_effects);
        Self {
            canonical_id: manifest.canonical_id(),
            tool: &manifest.tool,
            install: &manifest.runtime.install,
            scopes: &manifest.scopes,
            env: &manifest.env,
            cost: manifest.cost.as_ref(),
            estimate: None,
            smoke: &manifest.smoke.kind,
            kill_switch: &manifest.kill_switch,
            data_boundary: manifest.data_boundary.as_ref(),
            side_effects: actions.max().unwrap_or(SideEffects::Destructive),
            concerns: concerns(manifest),
            support: manifest.support.as_ref(),
        }
    }
}

fn concerns(manifest: &Manifest<'_>) -> Vec<Concern> {
    let mut concerns = Vec::new();
    let mut push = |kind, text: String| concerns.push(Concern { kind, text });
    if manifest.actions.is_empty() {
        push("unknown-actions", "It does not say what its actions are.".to_owned());
    }
    for action in &manifest.actions {
        if action.side_effects == SideEffects::Destructive {
            push("destructive", format!("{} cannot be undone.", quoted(&action.name)));
        }
    }
    for scope in &manifest.scopes {
        for verb in &scope.actions {
            if matches!(verb, Verb::Delete | Verb::Send | Verb::Execute | Verb::Admin) {
                let text = format!("It may {} {}.", verb.word(), quoted(&scope.resource));
                push("strong-scope", text);
            }
        }
    }
    if let Some(boundary) = &manifest.data_boundary {
        boundary_concerns(boundary, &mut push);
    }
    if !is_pinned(&manifest.runtime.install) {
        push("unpinned", "What is installed can change after you agreed.".to_owned());
    }
    let urls = [
        manifest.runtime.endpoint_url.as_deref(),
        match &manifest.smoke.kind {
            SmokeKind::Http { url, .. } => Some(url.as_ref()),
            _ => None,
        },
    ];
    for address in urls.into_iter().flatten() {
        match url::check_http(address) {
            Ok(found) if found.is_private() => {
                push("private-address", format!("It calls {}.", quoted(found.host)));
            }
            Ok(found) if !found.secure => {
                let text = format!("It calls {} without encryption.", quoted(found.host));
                push("not-encrypted", text);
            }
            _ => {}
        }
    }
    match &manifest.kill_switch {
        KillSwitch::None {} => push("no-kill-switch", "There is no way to revoke it.".to_owned()),
        KillSwitch::Manual { .. } => {
            push("manual-kill-switch", "It can be revoked by hand only.".to_owned());
        }
        KillSwitch::Url { .. } | KillSwitch::Shell { .. } => {}
    }
    concerns
}

/// Returns true if the manifest pins a version, commit or digest. A preinstalled tool
/// counts as pinned.
fn is_pinned(install: &Install<'_>) -> bool {
    match install {
        Install::Pip { version_spec: None, .. } | Install::Npm { version_spec: None, .. } => false,
        Install::Pip { version_spec: Some(spec), .. } => spec.trim_start().starts_with("=="),
        Install::Npm { version_spec: Some(spec), .. } => version::parse_exact(spec).is_ok(),
        Install::Git { reference, .. } => is_commit(reference),
        Install::Container { image } => has_digest(image),
        Install::Url { .. } | Install::Preinstalled { .. } => true,
    }
}

fn boundary_concerns(boundary: &DataBoundary<'_>, push: &mut impl FnMut(&'static str, String)) {
    for read in &boundary.reads {
        if read.sensitivity == Sensitivity::High {
            let text = format!("It reads {}, which is very sensitive.", quoted(&read.resource));
            push("sensitive-data", text);
        }
    }
    for sent in &boundary.transmits {
        let Some(to) = &sent.to else {
            let text = "It sends data to whom the agent chooses in each call.".to_owned();
            push("any-recipient", text);
            continue;
        };
        let kept = match sent.third_party_retention {
            ThirdPartyRetention::PersistentIndefinite => "for ever",
            ThirdPartyRetention::Unknown => "for nobody knows how long",
            _ => continue,
        };
        push("kept-by-others", format!("{} keeps what it is sent {kept}.", quoted(to)));
    }
    if boundary.persists.iter().any(|kept| kept.location == Place::ToolCloud) {
        push("kept-by-author", "Its author keeps data.".to_owned());
    }
}
