//! Plans calls of capabilities, with the data that a host needs for them.

use std::collections::BTreeSet;

use call::{Grant, HostFacts, Next, Outcome, Refused, Step};
use manifest_core::descriptor::{Invocation, SideEffects, Trust};
use manifest_core::json::Document;
use manifest_core::{Limits, ToolDescriptor};

use crate::catalog::CatalogEntry;
use crate::layers::Layers;
use crate::lens::FORMAT;
use crate::manifest::{Channel, Manifest};
use crate::policy::{Decision, Denial, Policy};
use crate::rules;

/// The plan of one call. The manifest has the sandbox and the secrets for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunPlan<'a> {
    /// The step, and how to judge its outcome.
    pub plan: call::Plan,
    manifest: &'a Manifest,
}

/// Plans a call of a capability that a catalog declares. `arguments` is a JSON object.
/// Fails if no catalog declares it, if policy does not allow the call, or if the call is
/// invalid.
pub fn plan_by_id<'l>(
    layers: &'l Layers,
    id: &str,
    arguments: &str,
    channel: Channel,
    policy: &Policy,
) -> Result<RunPlan<'l>, Denial> {
    match layers.get(id) {
        Some(shown) => plan(shown.entry, arguments, channel, policy),
        None => Err(Denial::new(&rules::POLICY_UNDECLARED, "capability not declared")),
    }
}

/// Checks that a capability may be called over a channel, and may connect to its registry
/// or agent. The arguments of a call do not matter.
pub fn permit(entry: &CatalogEntry, channel: Channel, policy: &Policy) -> Decision {
    let document = parse_entry(entry)?;
    permit_tool(&document, entry.manifest(), channel, policy).map(drop)
}

fn parse_entry(entry: &CatalogEntry) -> Result<Document<'_>, Denial> {
    Document::parse(entry.text().as_bytes(), &Limits::default())
        .map_err(|found| Denial::new(found.rule, found.message.clone()))
}

/// Returns the tool of a capability. Fails if policy does not allow its call.
fn permit_tool<'d>(
    document: &'d Document<'d>,
    manifest: &Manifest,
    channel: Channel,
    policy: &Policy,
) -> Result<ToolDescriptor<'d>, Denial> {
    policy.may_run(manifest, channel)?;
    let Some(tool) = FORMAT.lift_valid(document, 0).tools.into_iter().next() else {
        return Err(no_call_denial());
    };
    match tool.invocation.as_deref() {
        None => return Err(no_call_denial()),
        Some(Invocation::RegistryTool(registry)) => {
            policy.may_connect(manifest, &registry.registry)?;
        }
        Some(Invocation::A2a(endpoint)) => policy.may_connect(manifest, endpoint)?,
        Some(_) => {}
    }
    Ok(tool)
}

fn no_call_denial() -> Denial {
    let reason = "the capability does not say how it is called";
    Denial::new(&rules::POLICY_IMPLEMENTATION, reason)
}

/// Plans a call of a capability. `arguments` is a JSON object. Fails if policy does not
/// allow the call, or if the call is invalid.
pub fn plan<'e>(
    entry: &'e CatalogEntry,
    arguments: &str,
    channel: Channel,
    policy: &Policy,
) -> Result<RunPlan<'e>, Denial> {
    let (manifest, limits) = (entry.manifest(), Limits::default());
    let document = parse_entry(entry)?;
    let tool = permit_tool(&document, manifest, channel, policy)?;
    let granted = call::Policy::from(policy);
    let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&granted) };
    let contract = (FORMAT.contract)(&tool);
    match call::plan(&tool, &contract, arguments, &facts, &limits).ready() {
        Ok(plan) => Ok(RunPlan { plan, manifest }),
        Err(refused) => Err(denial(&refused)),
    }
}

/// Returns the first reason of a refusal.
fn denial(refused: &Refused) -> Denial {
    match refused.report().and_then(|report| report.diagnostics.first()) {
        Some(first) => Denial::new(first.rule, first.message.clone()),
        None => Denial::new(&rules::POLICY_IMPLEMENTATION, refused.to_string()),
    }
}

impl RunPlan<'_> {
    /// Returns the result of the call, or its next step. If a registry provides the URL of
    /// the call, policy must allow that URL too.
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

/// Converts to grants for calls of any format. The format cannot declare side effects, so
/// trust in a capability includes consent to its effects.
impl From<&Policy> for call::Policy {
    fn from(policy: &Policy) -> Self {
        let mut grants: BTreeSet<Grant> = [Grant::Approved, Grant::Unknown].into();
        if policy.trust.contains(&Trust::Untrusted) {
            grants.insert(Grant::Untrusted);
        }
        Self {
            grants,
            effects: Some(SideEffects::Destructive),
            files: Some(policy.filesystem),
            hosts: None,
            devices: policy.devices.clone(),
            channels: policy.channels.iter().map(|channel| (*channel).into()).collect(),
        }
    }
}
