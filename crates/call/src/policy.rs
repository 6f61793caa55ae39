//! Whether a tool may be called: allowed, after asking, or not.
//!
//! Grants come from the person, never from a document. What a manifest says (switched off,
//! approval, destructive) is asked for or refused. What it does not say is asked where a person
//! can be asked; for a server, naming the file is the consent to it.

use std::collections::BTreeSet;

use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Caution, Channel, EnvVar, Filesystem, SideEffects, Trust};
use manifest_core::format::Calling;
use serde::{Deserialize, Serialize};

/// What a person has granted.
///
/// ```
/// use call::{Grant, Policy, Verdict};
/// use manifest_core::ToolDescriptor;
/// use manifest_core::format::Calling;
///
/// // Nothing is known of this tool, so a person is asked.
/// let tool = ToolDescriptor { id: "rm-old-files".into(), ..ToolDescriptor::default() };
/// assert!(matches!(Policy::default().judge(&tool, &Calling::PLAIN), Verdict::Ask(_)));
/// // Who starts a server on a file has agreed to what the file does not say.
/// let named = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
/// assert_eq!(named.judge(&tool, &Calling::PLAIN), Verdict::Allow);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// What is granted by name.
    pub grants: BTreeSet<Grant>,
    /// The most that tools may change without being asked for.
    pub effects: Option<SideEffects>,
    /// The most that tools may do with files without being asked for; anything, if not said.
    pub files: Option<Filesystem>,
    /// Hosts that tools may reach without being asked for; any, if not said.
    pub hosts: Option<BTreeSet<String>>,
    /// Devices that tools may use without being asked for.
    pub devices: BTreeSet<String>,
    /// Channels that tools may be driven over, beside the programmatic one.
    pub channels: BTreeSet<Channel>,
}

/// What a person can grant by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// Calls that a person would be asked about: the person was asked, or said so before.
    Approved,
    /// Calls of tools of which it is not known what they do.
    Unknown,
    /// Calls of tools that are switched off.
    Disabled,
    /// Calls of tools that nobody trusts.
    Untrusted,
}

/// Whether a tool may be called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Yes.
    Allow,
    /// If a person agrees, who is told this.
    Ask(Vec<Concern>),
    /// No.
    Refuse(Vec<Concern>),
}

/// Why a call is not simply made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Concern {
    /// The tool is switched off.
    Disabled,
    /// The manifest says that the tool is not trusted.
    Untrusted,
    /// It is driven over a channel that was not granted.
    Channel,
    /// It needs a sign-in with OAuth, and names no secret for that.
    SignIn,
    /// The manifest asks for approval.
    Approval,
    /// What it does cannot be undone.
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
    /// Nobody says what it changes.
    UnknownEffects,
}

impl Concern {
    /// What a person is told.
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

    /// Whether no approval helps, only a grant by name, if anything.
    const fn refuses(self) -> bool {
        matches!(self, Self::Disabled | Self::Untrusted | Self::Channel | Self::SignIn)
    }

    /// Whether nothing that a person grants helps, only another manifest.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::SignIn)
    }
}

impl Policy {
    /// Whether a tool may be called, by what its format says around calls.
    pub fn judge(&self, tool: &ToolDescriptor<'_>, calling: &Calling) -> Verdict {
        let concerns = self.concerns(tool, calling);
        if concerns.iter().any(|concern| concern.refuses()) {
            return Verdict::Refuse(concerns);
        }
        let has = |grant| self.grants.contains(&grant);
        let approved = has(Grant::Approved);
        if concerns.is_empty() || approved { Verdict::Allow } else { Verdict::Ask(concerns) }
    }

    /// Everything that speaks against calling a tool, the gravest first.
    pub fn concerns(&self, tool: &ToolDescriptor<'_>, calling: &Calling) -> Vec<Concern> {
        let has = |grant| self.grants.contains(&grant);
        let caution = Caution::of(tool);
        let granted = self.effects.unwrap_or(SideEffects::Read);
        let effects = caution.effects.value().copied();
        let untrusted = caution.trust.value() == Some(&Trust::Untrusted);
        let found = [
            (!caution.is_enabled() && !has(Grant::Disabled), Concern::Disabled),
            (untrusted && !has(Grant::Untrusted), Concern::Untrusted),
            (self.lacks_channel(tool), Concern::Channel),
            (calling.lacks_sign_in(tool), Concern::SignIn),
            (caution.declares_approval(), Concern::Approval),
            (
                effects == Some(SideEffects::Destructive) && granted < SideEffects::Destructive,
                Concern::Destructive,
            ),
            (effects == Some(SideEffects::Write) && granted < SideEffects::Write, Concern::Changes),
            (caution.payment.value() == Some(&true), Concern::Payment),
            (self.is_out_of_reach(&caution), Concern::Network),
            (self.files.is_some_and(|most| caution.files.value() > Some(&most)), Concern::Files),
            (self.lacks_device(&caution), Concern::Devices),
            (tool.package.env.iter().any(EnvVar::is_secret), Concern::Secrets),
            (effects.is_none() && !has(Grant::Unknown), Concern::UnknownEffects),
        ];
        found.into_iter().filter_map(|(is_so, concern)| is_so.then_some(concern)).collect()
    }

    /// Whether a tool is known to reach hosts that were not granted.
    fn is_out_of_reach(&self, caution: &Caution) -> bool {
        let (Some(granted), Some(hosts)) = (&self.hosts, caution.network.value()) else {
            return false;
        };
        hosts.others || hosts.named.iter().any(|host| !granted.contains(host))
    }

    /// Whether a tool says that it is driven over a channel that was not granted.
    fn lacks_channel(&self, tool: &ToolDescriptor<'_>) -> bool {
        tool.channel.as_deref().is_some_and(|channel| {
            *channel != Channel::Programmatic && !self.channels.contains(channel)
        })
    }

    /// Whether a tool is known to use a device that was not granted.
    fn lacks_device(&self, caution: &Caution) -> bool {
        let mut devices = caution.devices.value().into_iter().flatten();
        devices.any(|device| !self.devices.contains(device))
    }
}
