//! Decides if a tool may be called: yes, after approval, or no.
//!
//! Grants come from the person, never from a document. If a manifest declares a tool
//! switched off, destructive or subject to approval, the call is refused or a person is
//! asked. If the effects are unknown, a person is asked too, if possible. A person who
//! starts a server on a file agrees to unknown effects.

use std::collections::BTreeSet;

use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Channel, EnvVar, Filesystem, RiskProfile, SideEffects, Trust};
use manifest_core::format::HostRules;
use serde::{Deserialize, Serialize};

/// The grants of a person.
///
/// ```
/// use toolglot_call::{Grant, Policy, Verdict};
/// use manifest_core::ToolDescriptor;
/// use manifest_core::format::HostRules;
///
/// // Nothing is known of this tool, so a person is asked.
/// let tool = ToolDescriptor { id: "rm-old-files".into(), ..ToolDescriptor::default() };
/// assert!(matches!(Policy::default().judge(&tool, &HostRules::PLAIN), Verdict::Ask(_)));
/// // Who starts a server on a file has agreed to what the file does not say.
/// let named = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
/// assert_eq!(named.judge(&tool, &HostRules::PLAIN), Verdict::Allow);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// The grants by name.
    pub grants: BTreeSet<Grant>,
    /// The most serious side effects that need no approval. Defaults to
    /// [`SideEffects::Read`].
    pub effects: Option<SideEffects>,
    /// The widest access to files that needs no approval. If it is missing, all access is
    /// allowed.
    pub files: Option<Filesystem>,
    /// The hosts that tools may reach without approval. If it is missing, all are allowed.
    pub hosts: Option<BTreeSet<String>>,
    /// The devices that tools may use without approval.
    pub devices: BTreeSet<String>,
    /// The channels that tools may use, besides the programmatic one.
    pub channels: BTreeSet<Channel>,
}

/// A grant by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// Calls that require approval: the person gave it, now or earlier.
    Approved,
    /// Calls of tools with unknown effects.
    Unknown,
    /// Calls of tools that are switched off.
    Disabled,
    /// Calls of tools that are declared untrusted.
    Untrusted,
}

/// The decision of a policy about the calls of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The call may be made.
    Allow,
    /// The call may be made if a person agrees in view of these concerns.
    Ask(Vec<Concern>),
    /// The call must not be made, for these concerns.
    Refuse(Vec<Concern>),
}

/// A reason to ask a person, or to refuse a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    /// The tool is switched off.
    Disabled,
    /// The manifest declares the tool untrusted.
    Untrusted,
    /// The tool uses a channel that was not granted.
    Channel,
    /// The tool needs a sign-in with OAuth, and declares no secret for it.
    SignIn,
    /// The manifest requires approval.
    Approval,
    /// The effects of the tool cannot be undone.
    Destructive,
    /// It changes something.
    Changes,
    /// Calls cost money.
    Payment,
    /// It reaches hosts that were not granted.
    Network,
    /// It does more with files than was granted.
    Files,
    /// It uses devices that were not granted.
    Devices,
    /// It is given secrets.
    Secrets,
    /// The manifest does not declare the side effects.
    UnknownEffects,
}

impl Concern {
    /// Returns the message for a person.
    pub const fn message(self) -> &'static str {
        match self {
            Self::Disabled => "the manifest switches this tool off",
            Self::Untrusted => "the manifest calls this tool untrusted",
            Self::Channel => "this tool is driven at a screen or over a private network (vdi_vpn)",
            Self::SignIn => {
                "this tool needs a sign-in with OAuth, and its manifest has no secret for it"
            }
            Self::Approval => "the manifest asks for approval before each call",
            Self::Destructive => "what this tool does cannot be undone",
            Self::Changes => "this tool changes something",
            Self::Payment => "calls of this tool cost money",
            Self::Network => "this tool reaches hosts that were not granted",
            Self::Files => "this tool does more with files than was granted",
            Self::Devices => "this tool uses devices that were not granted",
            Self::Secrets => "this tool is given secrets of yours",
            Self::UnknownEffects => "the manifest does not say what this tool changes",
        }
    }

    /// Returns true if approval is not enough: the call is refused without another grant.
    const fn refuses(self) -> bool {
        matches!(self, Self::Disabled | Self::Untrusted | Self::Channel | Self::SignIn)
    }

    /// Returns true if no grant helps, only another manifest.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::SignIn)
    }
}

/// Returns the messages of concerns in one line.
pub fn join_concerns(concerns: &[Concern]) -> String {
    let messages: Vec<&str> = concerns.iter().map(|concern| concern.message()).collect();
    messages.join("; ")
}

impl Policy {
    /// Decides if a tool may be called. `calling` contains the host rules of its format.
    pub fn judge(&self, tool: &ToolDescriptor<'_>, calling: &HostRules) -> Verdict {
        let concerns = self.concerns(tool, calling);
        if concerns.iter().any(|concern| concern.refuses()) {
            return Verdict::Refuse(concerns);
        }
        if concerns.is_empty() || self.has(Grant::Approved) {
            Verdict::Allow
        } else {
            Verdict::Ask(concerns)
        }
    }

    /// Returns all concerns about calling a tool, most serious first.
    pub fn concerns(&self, tool: &ToolDescriptor<'_>, calling: &HostRules) -> Vec<Concern> {
        let caution = RiskProfile::of(tool);
        let granted = self.effects.unwrap_or(SideEffects::Read);
        let effects = caution.effects.value().copied();
        let untrusted = caution.trust.value() == Some(&Trust::Untrusted);
        let found = [
            (!caution.is_enabled() && !self.has(Grant::Disabled), Concern::Disabled),
            (untrusted && !self.has(Grant::Untrusted), Concern::Untrusted),
            (self.uses_ungranted_channel(tool), Concern::Channel),
            (calling.lacks_sign_in(tool), Concern::SignIn),
            (caution.declares_approval(), Concern::Approval),
            (
                effects == Some(SideEffects::Destructive) && granted < SideEffects::Destructive,
                Concern::Destructive,
            ),
            (effects == Some(SideEffects::Write) && granted < SideEffects::Write, Concern::Changes),
            (caution.payment.value() == Some(&true), Concern::Payment),
            (self.reaches_ungranted_host(&caution), Concern::Network),
            (self.files.is_some_and(|most| caution.files.value() > Some(&most)), Concern::Files),
            (self.uses_ungranted_device(&caution), Concern::Devices),
            (tool.package.env.iter().any(EnvVar::is_secret), Concern::Secrets),
            (effects.is_none() && !self.has(Grant::Unknown), Concern::UnknownEffects),
        ];
        found.into_iter().filter_map(|(is_so, concern)| is_so.then_some(concern)).collect()
    }

    fn has(&self, grant: Grant) -> bool {
        self.grants.contains(&grant)
    }

    /// Returns true if a tool is known to reach hosts that were not granted.
    fn reaches_ungranted_host(&self, caution: &RiskProfile) -> bool {
        let (Some(granted), Some(hosts)) = (&self.hosts, caution.network.value()) else {
            return false;
        };
        hosts.has_unnamed || hosts.names.iter().any(|host| !granted.contains(host))
    }

    /// Returns true if a tool declares a channel that was not granted.
    fn uses_ungranted_channel(&self, tool: &ToolDescriptor<'_>) -> bool {
        tool.channel.as_deref().is_some_and(|channel| {
            *channel != Channel::Programmatic && !self.channels.contains(channel)
        })
    }

    /// Returns true if a tool is known to use a device that was not granted.
    fn uses_ungranted_device(&self, caution: &RiskProfile) -> bool {
        let mut devices = caution.devices.value().into_iter().flatten();
        devices.any(|device| !self.devices.contains(device))
    }
}
