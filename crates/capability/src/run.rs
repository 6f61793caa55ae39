//! Running a capability: the call, and what a host needs to know around it.

use call::{Facts, Grant, Next, Outcome, Step};
use manifest_core::descriptor::{Filesystem, Invocation, SideEffects, Trust};
use manifest_core::json::Document;
use manifest_core::{Limits, ToolDescriptor};

use crate::catalog::CatalogEntry;
use crate::layers::Layers;
use crate::lens::FORMAT;
use crate::manifest::{Channel, Manifest, Sandbox, Secret};
use crate::policy::{Decision, Denial, Policy};
use crate::rules;

/// What a host is to do for one call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Run<'a> {
    /// What to run or send, and how to judge what comes of it.
    pub plan: call::Plan,
    /// The sandbox to call it in.
    pub sandbox: Sandbox,
    /// CPU, in the host's words.
    pub cpu: &'a str,
    /// Memory, in the host's words.
    pub memory: &'a str,
    /// Secrets to look up where they are kept, and to pass under their names.
    pub secrets: &'a [Secret<'a>],
    /// What it may do with files.
    pub filesystem: Filesystem,
    /// The devices that it may use.
    pub devices: Vec<&'a str>,
    manifest: &'a Manifest<'a>,
}

/// Plans a call of a capability that a catalog declares, with these arguments, which are JSON.
pub fn plan_declared<'l>(
    layers: &'l Layers,
    id: &str,
    arguments: &str,
    channel: Channel,
    policy: &Policy,
) -> Result<Run<'l>, Denial> {
    match layers.get(id) {
        Some(shown) => plan(shown.entry, arguments, channel, policy),
        None => Err(Denial::new(&rules::POLICY_UNDECLARED, "capability not declared")),
    }
}

/// Whether a capability may be called over a channel, and reach what it calls, whatever its
/// arguments are.
pub fn permit(entry: &CatalogEntry, channel: Channel, policy: &Policy) -> Decision {
    let document = parsed(entry)?;
    permitted(&document, entry.manifest(), channel, policy).map(drop)
}

fn parsed(entry: &CatalogEntry) -> Result<Document<'_>, Denial> {
    Document::parse(entry.text().as_bytes(), &Limits::default())
        .map_err(|found| Denial::new(found.rule, found.message.clone()))
}

/// The tool of a capability, if policy allows to call it.
fn permitted<'d>(
    document: &'d Document<'d>,
    manifest: &Manifest<'_>,
    channel: Channel,
    policy: &Policy,
) -> Result<ToolDescriptor<'d>, Denial> {
    policy.may_run(manifest, channel)?;
    let tool = FORMAT.read_as(document, 0).tools.into_iter().next().ok_or_else(silent)?;
    match tool.invocation.as_deref().ok_or_else(silent)? {
        Invocation::RegistryTool(registry) => policy.may_connect(manifest, &registry.registry)?,
        Invocation::A2a(endpoint) => policy.may_connect(manifest, endpoint)?,
        _ => {}
    }
    Ok(tool)
}

fn silent() -> Denial {
    let reason = "the capability does not say how it is called";
    Denial::new(&rules::POLICY_IMPLEMENTATION, reason)
}

/// Plans a call of a capability, if policy allows it.
pub fn plan<'e>(
    entry: &'e CatalogEntry,
    arguments: &str,
    channel: Channel,
    policy: &Policy,
) -> Result<Run<'e>, Denial> {
    let (manifest, limits) = (entry.manifest(), Limits::default());
    let document = parsed(entry)?;
    let tool = permitted(&document, manifest, channel, policy)?;
    let granted = call::Policy::from(policy);
    let facts = Facts { has: &|_| true, implementation: None, installed: true, policy: &granted };
    let contract = (FORMAT.contract)(&tool);
    let plan = call::plan(&tool, &contract, arguments, &facts, &limits).map_err(|report| {
        let first = report.diagnostics.into_iter().next();
        first.map_or_else(silent, |found| Denial::new(found.rule, found.message.clone()))
    })?;
    let runtime = &manifest.runtime;
    Ok(Run {
        plan,
        sandbox: runtime.sandbox,
        cpu: &runtime.resources.cpu,
        memory: &runtime.resources.memory,
        secrets: &manifest.secrets,
        filesystem: manifest.permissions.filesystem,
        devices: manifest.permissions.devices.iter().map(AsRef::as_ref).collect(),
        manifest,
    })
}

impl Run<'_> {
    /// What comes after the step of the plan. Where a registry says that the call goes to
    /// another server, policy is asked again.
    pub fn next(
        &self,
        outcome: &Outcome,
        policy: &Policy,
        limits: &Limits,
    ) -> Result<Next, Denial> {
        let next = self.plan.next(outcome, limits);
        if let Next::Go(plan) = &next
            && let Step::Send(request) = &plan.step
        {
            policy.may_connect(self.manifest, &request.url.to_string())?;
        }
        Ok(next)
    }
}

/// What this policy grants to a call of any format. What a tool changes has no word in this
/// format: whoever trusts a capability agrees to it.
impl From<&Policy> for call::Policy {
    fn from(policy: &Policy) -> Self {
        let untrusted = policy.trust.contains(&Trust::Untrusted).then_some(Grant::Untrusted);
        let grants = [Grant::Approved, Grant::Unknown].into_iter().chain(untrusted);
        Self {
            grants: grants.collect(),
            effects: Some(SideEffects::Destructive),
            files: Some(policy.filesystem),
            hosts: None,
            devices: policy.devices.clone(),
            channels: policy.channels.iter().map(|channel| (*channel).into()).collect(),
        }
    }
}
