//! The law "never safer": the safety notices of a conversion, and the check of its output.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer, quoted};
use json_text::Text;
use manifest_core::descriptor::{
    Channel, Claim, Filesystem, Invocation, Network, Permissions, RiskProfile, SideEffects,
    ToolDescriptor, Trust, UNKNOWN_NAME,
};
use manifest_core::format::Format;
use manifest_core::{Sourced, rules, url};
use serde::{Deserialize, Serialize};

/// The subject of a safety notice, most serious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Concern {
    /// The target's host does not enforce a restriction of the source.
    Unenforced,
    /// A danger was accepted by name.
    Accepted,
    /// The target format cannot express a danger that the source declares or its call
    /// implies.
    Unsaid,
    /// The source does not declare whether there is a danger.
    Unknown,
}

impl Concern {
    /// Returns the name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unenforced => "unenforced",
            Self::Accepted => "accepted",
            Self::Unsaid => "unsaid",
            Self::Unknown => "unknown",
        }
    }
}

/// A safety notice.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Notice {
    /// The subject.
    pub concern: Concern,
    /// The message, in one line.
    pub message: String,
    /// The tools that it affects, by their ids in the source.
    pub tools: Vec<String>,
}

/// The safety notices of a conversion, most serious first.
#[derive(Default)]
pub(crate) struct Notices {
    by_message: BTreeMap<(Concern, String), Vec<String>>,
    /// The bytes of all notices, counted for each tool. They have a budget, because a
    /// package with many secrets and many tools has very many notices.
    pub(crate) bytes: usize,
}

impl Notices {
    /// Adds the notices about one tool and its conversion.
    pub(crate) fn add(
        &mut self,
        [source, target]: [&ToolDescriptor<'_>; 2],
        [from, to]: [&Format; 2],
    ) {
        let (before, after) = (RiskProfile::of(source), RiskProfile::of(target));
        if from.safety_features.enforces_reach && !to.safety_features.enforces_reach {
            for (limit, what) in restrictions(source) {
                let message = format!("{limit}; the host of {} has no such {what}", to.name);
                self.push(source, Concern::Unenforced, message);
            }
        }
        // Without acceptance, the conversion would have been refused before.
        if !before.is_enabled() && !to.safety_features.disabled {
            let message = format!("switched off in the source, callable in {}", to.name);
            self.push(source, Concern::Accepted, message);
        }
        if before.declares_approval() && !to.safety_features.approval {
            let message = format!("needs approval in the source, and {} does not ask", to.name);
            self.push(source, Concern::Accepted, message);
        }
        for danger in undeclared_dangers([source, target], [&before, &after], to) {
            self.push(
                source,
                Concern::Unsaid,
                format!("{danger}; {} has no word for that", to.name),
            );
        }
        for variable in (to.undeclared_secrets)(source) {
            let what = if variable.secret.is_some() { "secret" } else { "variable" };
            let name = quoted(&variable.name);
            let message = format!("is given the {what} {name}, which {} does not name", to.name);
            self.push(source, Concern::Unsaid, message);
        }
        for what in unknown_effects(source, &before) {
            self.push(source, Concern::Unknown, format!("the source does not say {what}"));
        }
    }

    fn push(&mut self, source: &ToolDescriptor<'_>, concern: Concern, message: String) {
        self.bytes = self.bytes.saturating_add(message.len() + source.id.len());
        self.by_message.entry((concern, message)).or_default().push(source.id.to_string());
    }

    pub(crate) fn into_list(self) -> Vec<Notice> {
        let mut notices = Vec::new();
        for ((concern, message), tools) in self.by_message {
            notices.push(Notice { concern, message, tools });
        }
        notices
    }
}

/// Returns the restrictions by the source or its host, each with a noun for it.
fn restrictions(source: &ToolDescriptor<'_>) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    // The host makes these calls itself, and checks the permissions. It starts programs and
    // functions without restriction.
    let call = source.invocation.as_deref();
    let enforced = matches!(call, Some(Invocation::RegistryTool(_) | Invocation::A2a(_)));
    let Permissions { network, hosts, filesystem, devices } = &source.permissions;
    match network.as_deref() {
        Some(Network::Deny) if enforced => {
            let refuses = "the source grants it no network, so that its host refuses every call";
            found.push(refuses.to_owned());
        }
        Some(Network::Deny) => found.push("the source grants it no network".to_owned()),
        Some(Network::Allowlist) => {
            let grants = if enforced { "the source's host lets it" } else { "the source lets it" };
            found.push(format!("{grants} reach only {}", format_hosts(hosts)));
        }
        None => {}
    }
    match filesystem.as_deref() {
        Some(Filesystem::None) => found.push("the source grants it no files".to_owned()),
        Some(Filesystem::Read) => found.push("the source lets it only read files".to_owned()),
        Some(Filesystem::Write) | None => {}
    }
    if network.is_some() && devices.is_empty() {
        found.push("the source grants it no devices".to_owned());
    }
    if let Some(trust @ (Trust::Untrusted | Trust::Community)) = source.trust.as_deref() {
        let word = trust.word();
        found.push(format!("the source calls it {word}, which its host refuses by default"));
    }
    if source.sandbox.kind.as_deref().is_some_and(|kind| kind == "container") {
        found.push("the source asks for a container".to_owned());
    }
    for (what, limit) in [("processors", &source.sandbox.cpu), ("memory", &source.sandbox.memory)] {
        if let Some(limit) = limit.as_deref()
            && limit != "default"
        {
            found.push(format!("the source limits its {what} to {}", quoted(limit)));
        }
    }
    // The target format may declare OAuth, and its host still calls without it.
    if source.auth.scheme.as_deref().is_some_and(|scheme| scheme == "oauth2") {
        found.push("the source's host refuses it until OAuth is set up".to_owned());
    }
    let mut found: Vec<_> = found.into_iter().map(|limit| (limit, "limit")).collect();
    if source.channel.as_deref() == Some(&Channel::VdiVpn) {
        let asks = "the source asks for a virtual desktop or private network".to_owned();
        found.push((asks, "channel"));
    }
    found
}

/// Formats the first hosts of a list. A bare host includes its sub-domains.
fn format_hosts(hosts: &[Sourced<Text<'_>>]) -> String {
    let shown: Vec<String> = hosts.iter().take(4).map(|host| quoted(host)).collect();
    let more =
        if hosts.len() > 4 { format!(" and {} more", hosts.len() - 4) } else { String::new() };
    let has_bare = hosts.iter().any(|host| !host.contains("://") && !host.starts_with("*."));
    let below = if has_bare { ", with sub-domains" } else { "" };
    format!("{}{more}{below}", shown.join(", "))
}

/// Returns the dangers of a tool that its conversion does not declare.
fn undeclared_dangers(
    [source, target]: [&ToolDescriptor<'_>; 2],
    [before, after]: [&RiskProfile; 2],
    to: &Format,
) -> Vec<String> {
    let mut dangers = Vec::new();
    if before.network.value().is_some() && after.network.value().is_none() {
        let called = !source.call_urls().is_empty();
        dangers.push(if called { "uses the network" } else { "may use the network" }.to_owned());
    }
    if after.files.value() < before.files.value() {
        let writes = before.files.value() == Some(&Filesystem::Write);
        dangers.push(if writes { "may write files" } else { "may read files" }.to_owned());
    }
    if before.devices.value().is_some() && after.devices.value().is_none() {
        dangers.push("may use devices".to_owned());
    }
    if !to.safety_features.approval
        && matches!(before.effects, Claim::Declared(SideEffects::Write, _))
    {
        dangers.push("changes state".to_owned());
    }
    if before.payment.value() == Some(&true) && after.payment.value() != Some(&true) {
        dangers.push("costs money".to_owned());
    }
    if source.needs_undeclared_credential()
        && target.package.env.is_empty()
        && !target.needs_undeclared_credential()
    {
        dangers.push("calls need a credential that nobody names".to_owned());
    }
    let declared: BTreeSet<&str> = target.other_uses().into_iter().map(|(name, _)| name).collect();
    for (name, provider) in source.other_uses() {
        if !declared.contains(name) && provider.is_none_or(|name| !declared.contains(name)) {
            dangers.push(format!("may use {}", quoted(name)));
        }
    }
    dangers
}

/// Returns the effects that are unknown. A permission for an effect counts as a
/// declaration, because the host enforces it.
fn unknown_effects(tool: &ToolDescriptor<'_>, caution: &RiskProfile) -> Vec<&'static str> {
    let Permissions { network, hosts: _, filesystem, devices: _ } = &tool.permissions;
    let silent = [
        (caution.effects.is_unknown(), "what it changes"),
        (caution.network.is_unknown() && network.is_none(), "whether it uses the network"),
        (caution.files.is_unknown() && filesystem.is_none(), "what it does with files"),
        (caution.devices.is_unknown() && network.is_none(), "whether it uses devices"),
    ];
    silent.into_iter().filter(|(silent, _)| *silent).map(|(_, what)| what).collect()
}

/// Fails if the target has another number of tools, or a tool that looks safer than its
/// source.
pub(crate) fn check_never_safer(
    source: &[ToolDescriptor<'_>],
    target: &[ToolDescriptor<'_>],
    to: &Format,
    gateway: Option<&str>,
) -> Result<(), Diagnostic> {
    if source.len() != target.len() {
        let message = format!("{} tools would become {}", source.len(), target.len());
        return Err(rules::SAFER.at_pointer(Pointer::root(), message));
    }
    for (source, target) in source.iter().zip(target) {
        if let Some(claim) = safer_claim(source, target, to, gateway) {
            let message = format!("{} would {claim}", quoted(&source.id));
            return Err(rules::SAFER.at_pointer(Pointer::root(), message));
        }
    }
    Ok(())
}

/// Returns how a target would look safer than its source or be granted more, if it would.
fn safer_claim(
    source: &ToolDescriptor<'_>,
    target: &ToolDescriptor<'_>,
    to: &Format,
    gateway: Option<&str>,
) -> Option<&'static str> {
    let (before, after) = (RiskProfile::of(source), RiskProfile::of(target));
    if after.effects.value().is_some_and(|effects| *effects < before.effects_or_worst()) {
        return Some("seem to change less");
    }
    if after.approval.value() == Some(&false) && before.needs_approval() {
        return Some("seem to need no approval");
    }
    if to.safety_features.approval && before.declares_approval() && !after.needs_approval() {
        return Some("lose its need of approval");
    }
    if after.trust_or_worst() > before.trust_or_worst() {
        return Some("be trusted more");
    }
    if after.is_idempotent() && !before.is_idempotent() {
        return Some("seem idempotent");
    }
    if to.safety_features.disabled && !before.is_enabled() && after.is_enabled() {
        return Some("be switched on");
    }
    if to.safety_features.reach {
        if before.network.value().is_some() && after.network.value().is_none() {
            return Some("seem not to use the network");
        }
        if after.files.value() < before.files.value() {
            return Some("seem to do less with files");
        }
        if before.devices.value().is_some() && after.devices.value().is_none() {
            return Some("seem to use no device");
        }
    }
    if count_secrets(target) + (to.undeclared_secrets)(source).len() < count_secrets(source) {
        return Some("seem to be given fewer secrets");
    }
    if to.safety_features.enforces_reach { added_grant(&before, &after, gateway) } else { None }
}

/// Returns the number of variables of a tool that are not known to be public.
fn count_secrets(tool: &ToolDescriptor<'_>) -> usize {
    tool.package.env.iter().filter(|variable| variable.is_secret()).count()
}

/// Returns a permission that the target grants and the source does not. The target may
/// always reach the gateway that makes its call.
fn added_grant(
    before: &RiskProfile,
    after: &RiskProfile,
    gateway: Option<&str>,
) -> Option<&'static str> {
    let gateway_host = match gateway.map(url::check_http) {
        Some(Ok(url)) => Some(url.normal_host()),
        Some(Err(_)) | None => None,
    };
    if let Some(hosts) = after.network.value() {
        let mut known: BTreeSet<&str> = BTreeSet::from([UNKNOWN_NAME]);
        known.extend(gateway);
        known.extend(gateway_host.as_deref());
        if let Some(hosts) = before.network.value() {
            known.extend(hosts.names.iter().map(String::as_str));
        }
        if !hosts.names.iter().all(|host| known.contains(host.as_str())) {
            return Some("be allowed to reach another host");
        }
    }
    if let Some(devices) = after.devices.value() {
        let mut known: BTreeSet<&str> = BTreeSet::from([UNKNOWN_NAME]);
        if let Some(devices) = before.devices.value() {
            known.extend(devices.iter().map(String::as_str));
        }
        if !devices.iter().all(|device| known.contains(device.as_str())) {
            return Some("be allowed to use another device");
        }
    }
    if after.files.value() > before.files.value() {
        return Some("be allowed to do more with files");
    }
    None
}

#[cfg(test)]
mod tests {
    use manifest_core::descriptor::SideEffects;
    use manifest_core::format::{CallSupport, Cardinality, Contract, SafetyFeatures};

    use super::*;

    /// A format that can express every danger.
    static ALL: Format = Format {
        name: "all",
        versions: &[],
        tables: &[],
        rules: &[],
        cardinality: Cardinality::Tool,
        catalog: None,
        keys: &[],
        safety_features: SafetyFeatures {
            disabled: true,
            approval: true,
            reach: true,
            payment: true,
            enforces_reach: true,
        },
        detect: |_| None,
        look_alike: |_| None,
        check: |_, options| options.new_report(),
        read: |_| <_>::default(),
        call_support: |_| CallSupport::Exact,
        undeclared_secrets: |_| Vec::new(),
        contract: |_| Contract {
            extra_arguments: "",
            examples: "",
            fills_defaults: false,
            keeps_timeout: false,
            environment: "",
            directory: "",
            timeout: "",
            result: "",
            failure: "",
            host_rules: manifest_core::format::HostRules::PLAIN,
        },
        bridge_needs: "",
        host_needs: "",
        file_name: |_| String::new(),
        write_document: |_, _| Ok(()),
        write_tool: |_, _| Ok(()),
    };

    #[test]
    fn what_looks_safer_is_refused() {
        let silent = ToolDescriptor::default;
        let milder = ToolDescriptor { side_effects: Some(SideEffects::Read.into()), ..silent() };
        let free = ToolDescriptor { requires_approval: Some(false.into()), ..silent() };
        let once = ToolDescriptor { idempotent: Some(true.into()), ..silent() };
        let off = ToolDescriptor { enabled: Some(false.into()), ..silent() };
        for (source, target) in
            [(silent(), milder), (silent(), free), (silent(), once), (off, silent())]
        {
            let refused = check_never_safer(std::slice::from_ref(&source), &[target], &ALL, None)
                .unwrap_err();
            assert_eq!(refused.rule.code, "convert/safer");
            assert!(
                check_never_safer(
                    std::slice::from_ref(&source),
                    std::slice::from_ref(&source),
                    &ALL,
                    None
                )
                .is_ok()
            );
        }
        assert!(check_never_safer(&[silent()], &[], &ALL, None).is_err());
    }
}
