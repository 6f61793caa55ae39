//! The risk profile of a tool, and the meaning of absent values.
//!
//! The meaning of absence is defined only here, for lowering, diff, digest, policy and the
//! laws. Decisions treat an unknown value as the worst case. It never counts as declared.

use super::boundary::Boundary;
use super::call::{Command, Invocation};
use super::{Cost, EnvVar, Filesystem, Network, Scope, SideEffects, ToolDescriptor, Trust};
use crate::provenance::{Place, Sourced};
use crate::url;
use json_text::Text;

/// A property of a tool that is declared, implied by other values, or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<T> {
    /// The source declares the value at these places.
    Declared(T, Vec<Place>),
    /// Other values imply the value, for example the call. The places are those of these
    /// values.
    Implied(T, Vec<Place>),
    /// Neither declared nor implied.
    Unknown,
}

impl<T> Claim<T> {
    /// Returns the value, or `None` if it is unknown.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Declared(value, _) | Self::Implied(value, _) => Some(value),
            Self::Unknown => None,
        }
    }

    /// Returns the places that declare or imply the value.
    pub fn places(&self) -> &[Place] {
        match self {
            Self::Declared(_, at) | Self::Implied(_, at) => at,
            Self::Unknown => &[],
        }
    }

    /// Returns the value, or `worst` if it is unknown.
    fn or_worst(&self, worst: T) -> T
    where
        T: Clone,
    {
        self.value().cloned().unwrap_or(worst)
    }

    /// Returns true if the value is neither declared nor implied.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown)
    }

    fn from_declaration(value: Option<&Sourced<T>>) -> Self
    where
        T: Clone,
    {
        match value {
            Some(value) => Self::Declared(value.value.clone(), value.at.into_iter().collect()),
            None => Self::Unknown,
        }
    }
}

/// The hosts that a tool is known to reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The names of the known hosts.
    pub names: Vec<String>,
    /// Whether it reaches other hosts, whose names are unknown.
    pub has_unnamed: bool,
}

/// The risk profile of a tool: its declared, implied and unknown effects.
///
/// ```
/// use toolglot_manifest_core::ToolDescriptor;
/// use toolglot_manifest_core::descriptor::{RiskProfile, SideEffects};
///
/// let silent = ToolDescriptor::default();
/// let caution = RiskProfile::of(&silent);
/// assert!(caution.effects.is_unknown());
/// assert_eq!(caution.effects_or_worst(), SideEffects::Destructive);
/// assert!(caution.needs_approval());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RiskProfile {
    /// The side effects.
    pub effects: Claim<SideEffects>,
    /// Whether a person must approve each call.
    pub approval: Claim<bool>,
    /// Whether calling twice is the same as calling once.
    pub idempotent: Claim<bool>,
    /// The network that it uses.
    pub network: Claim<Hosts>,
    /// The access to files.
    pub files: Claim<Filesystem>,
    /// The devices that it uses.
    pub devices: Claim<Vec<String>>,
    /// Whether calls cost money.
    pub payment: Claim<bool>,
    /// The level of trust.
    pub trust: Claim<Trust>,
    /// Whether the tool may run.
    pub enabled: Claim<bool>,
}

impl RiskProfile {
    /// Creates the risk profile of a tool.
    pub fn of(tool: &ToolDescriptor<'_>) -> Self {
        let effects = Claim::from_declaration(tool.side_effects.as_ref());
        let Boundary { recipients: sent, local_storage: kept } = tool.package.boundary();
        Self {
            approval: approval(tool.requires_approval.as_ref(), &effects),
            effects,
            idempotent: Claim::from_declaration(tool.idempotent.as_ref()),
            network: network(tool, sent),
            files: files(tool, kept),
            devices: devices(tool),
            payment: payment(tool),
            trust: Claim::from_declaration(tool.trust.as_ref()),
            enabled: Claim::from_declaration(tool.enabled.as_ref()),
        }
    }

    /// Returns the side effects, or [`Destructive`](SideEffects::Destructive) if they are
    /// unknown.
    pub fn effects_or_worst(&self) -> SideEffects {
        self.effects.or_worst(SideEffects::Destructive)
    }

    /// Returns true unless the tool is known to need no approval.
    pub fn needs_approval(&self) -> bool {
        self.approval.or_worst(true)
    }

    /// Returns true if the source requires approval: directly, or by destructive effects.
    pub fn declares_approval(&self) -> bool {
        matches!(self.approval, Claim::Declared(true, _))
    }

    /// Returns true unless the source disables the tool.
    pub fn is_enabled(&self) -> bool {
        self.enabled.value().copied().unwrap_or(true)
    }

    /// Returns true if the source declares that a call may be repeated.
    pub fn is_idempotent(&self) -> bool {
        self.idempotent.or_worst(false)
    }

    /// Returns the level of trust, or [`Untrusted`](Trust::Untrusted) if it is unknown.
    pub fn trust_or_worst(&self) -> Trust {
        self.trust.or_worst(Trust::Untrusted)
    }
}

impl EnvVar<'_> {
    /// Returns true unless the value is declared not to be secret.
    pub fn is_secret(&self) -> bool {
        self.secret.as_ref().is_none_or(|secret| secret.value)
    }
}

/// Uses declared effects if approval is not declared: destructive ones require it, harmless
/// ones imply that it is not needed.
fn approval(written: Option<&Sourced<bool>>, effects: &Claim<SideEffects>) -> Claim<bool> {
    match (Claim::from_declaration(written), effects) {
        (said @ Claim::Declared(..), _) => said,
        (_, Claim::Declared(SideEffects::Destructive, at)) => Claim::Declared(true, at.clone()),
        (_, Claim::Declared(SideEffects::None | SideEffects::Read, at)) => {
            Claim::Implied(false, at.clone())
        }
        _ => Claim::Unknown,
    }
}

fn network(tool: &ToolDescriptor<'_>, sent: Vec<(Option<String>, Option<Place>)>) -> Claim<Hosts> {
    let (mut hosts, mut declared, mut implied) = (Hosts::default(), Vec::new(), Vec::new());
    let mut said = false;
    for (_, at) in tool.used_scopes_of(Scope::NETWORK) {
        said = true;
        hosts.has_unnamed = true;
        declared.extend(at);
    }
    for used in tool.undeclared_resources_of(Scope::NETWORK) {
        said = true;
        hosts.has_unnamed = true;
        declared.extend(used.at);
    }
    if let Some(network) = &tool.permissions.network
        && network.value == Network::Allowlist
    {
        said = true;
        declared.extend(network.at);
        for host in &tool.permissions.hosts {
            hosts.names.push(host.to_string());
            declared.extend(host.at);
        }
    }
    for (host, at) in sent {
        said = true;
        declared.extend(at);
        match host {
            Some(host) => hosts.names.push(host),
            None => hosts.has_unnamed = true,
        }
    }
    let mut reached = false;
    for address in tool.call_urls() {
        reached = true;
        implied.extend(address.at);
        match url::check_http(&address.value) {
            Ok(url) => hosts.names.push(url.normal_host()),
            // A template, or another scheme.
            Err(_) => hosts.has_unnamed = true,
        }
    }
    hosts.names.dedup();
    match (said, reached) {
        (true, _) => Claim::Declared(hosts, [declared, implied].concat()),
        (false, true) => Claim::Implied(hosts, implied),
        (false, false) => Claim::Unknown,
    }
}

impl<'a> ToolDescriptor<'a> {
    /// Returns the URLs that its calls go to.
    pub fn call_urls(&self) -> Vec<&Sourced<Text<'a>>> {
        self.sourced_call_urls().into_iter().map(|(address, _)| address).collect()
    }

    /// Returns the URLs that its calls go to, each with the place that makes it a network
    /// call.
    pub fn sourced_call_urls(&self) -> Vec<(&Sourced<Text<'a>>, Option<Place>)> {
        let mut urls = Vec::new();
        let others = self.implementations.iter().filter_map(|one| one.invocation.as_ref());
        for call in self.invocation.iter().chain(others) {
            if let Some(url) = call.value.url() {
                urls.push((url, call.at));
            }
        }
        // A server whose tools are unknown is still reached at its URL.
        if self.invocation.is_none()
            && self.implementations.is_empty()
            && let Some(url) = &self.package.url
        {
            urls.push((url, url.at));
        }
        urls
    }
}

impl<'a> Invocation<'a> {
    fn url(&self) -> Option<&Sourced<Text<'a>>> {
        match self {
            Self::Http(http) => Some(&http.url),
            Self::McpTool(tool) => tool.url.as_ref(),
            Self::RegistryTool(tool) => Some(&tool.registry),
            Self::A2a(endpoint) => Some(endpoint),
            Self::Command(Command { argv: _, cwd: _, input: _ })
            | Self::CommandLine(_)
            | Self::Python(_)
            | Self::Node(_) => None,
        }
    }
}

fn files(tool: &ToolDescriptor<'_>, kept: Vec<Option<Place>>) -> Claim<Filesystem> {
    let (mut widest, mut at) = (None, Vec::new());
    for (scope, places) in tool.used_scopes_of(Scope::FILES) {
        at.extend(places);
        at.extend(scope.actions.iter().filter_map(|verb| verb.at));
        widest = widest.max(scope.file_access());
    }
    for used in tool.undeclared_resources_of(Scope::FILES) {
        at.extend(used.at);
        widest = Some(Filesystem::Write);
    }
    if let Some(files) = &tool.permissions.filesystem
        && files.value > Filesystem::None
    {
        at.extend(files.at);
        widest = widest.max(Some(files.value));
    }
    for kept in kept {
        at.extend(kept);
        widest = Some(Filesystem::Write);
    }
    match widest {
        Some(widest) => Claim::Declared(widest, at),
        None => Claim::Unknown,
    }
}

fn devices(tool: &ToolDescriptor<'_>) -> Claim<Vec<String>> {
    let (mut devices, mut at) = (Vec::new(), Vec::new());
    for (scope, places) in tool.used_scopes_of(Scope::DEVICES) {
        at.extend(places);
        devices.push(Scope::device(&scope.resource).to_owned());
    }
    for used in tool.undeclared_resources_of(Scope::DEVICES) {
        at.extend(used.at);
        devices.push(Scope::device(used).to_owned());
    }
    for device in &tool.permissions.devices {
        at.extend(device.at);
        devices.push(device.to_string());
    }
    if devices.is_empty() { Claim::Unknown } else { Claim::Declared(devices, at) }
}

/// A fee, a usage model or the `payment` flag declares whether calls cost money.
fn payment(tool: &ToolDescriptor<'_>) -> Claim<bool> {
    let Cost { install_fee_cents, monthly_fee_cents, usage_model, estimate_url: _, payment } =
        &tool.package.cost;
    let (mut paid, mut free) = (Vec::new(), Vec::new());
    for fee in [install_fee_cents, monthly_fee_cents].into_iter().flatten() {
        if fee.is_positive() { paid.push(fee.at) } else { free.push(fee.at) }
    }
    if let Some(model) = usage_model {
        if model.value == "none" { free.push(model.at) } else { paid.push(model.at) }
    }
    if let Some(payment) = payment {
        if payment.value { paid.push(payment.at) } else { free.push(payment.at) }
    }
    // Only the places that agree with the result belong to the claim.
    match (paid.is_empty(), free.is_empty()) {
        (true, true) => Claim::Unknown,
        (false, _) => Claim::Declared(true, paid.into_iter().flatten().collect()),
        (true, false) => Claim::Declared(false, free.into_iter().flatten().collect()),
    }
}
