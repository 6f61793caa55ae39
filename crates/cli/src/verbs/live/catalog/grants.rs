//! Grants to capabilities on the command line.

use std::collections::BTreeSet;

use clap::ValueEnum;
use toolglot::call;
use toolglot::capability::{Channel, Policy};
use toolglot::descriptor::{Filesystem, Trust};

use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::policy_file::PolicyFile;

/// A trust level beside local and verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TrustLevel {
    /// Trusted by others
    Community,
    /// Not trusted at all
    Untrusted,
}

impl TrustLevel {
    const fn trust(self) -> Trust {
        match self {
            Self::Community => Trust::Community,
            Self::Untrusted => Trust::Untrusted,
        }
    }
}

/// Returns the default policy with these trust levels added.
pub(super) fn trust_policy(levels: &[TrustLevel]) -> Policy {
    let mut policy = Policy::default();
    policy.trust.extend(levels.iter().map(|level| level.trust()));
    policy
}

/// What a call is granted.
#[derive(clap::Args)]
pub(super) struct Grants {
    /// A trust level to accept beside local and verified, or where requests may go
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
    /// The most that the capability may do with files
    #[arg(long, value_name = "MOST", default_value = "none")]
    files: FileAccess,
    /// A device that the capability may use; may be given several times
    #[arg(long, value_name = "NAME")]
    device: Vec<String>,
    /// The channel to call it over, which must be the one that it declares
    #[arg(long, value_name = "CHANNEL", default_value = "programmatic")]
    channel: CallChannel,
    /// Approve what is asked: hosts that were not granted, and the use of secrets
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    policy: PolicyFile,
}

/// What can be granted by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Allow {
    /// Capabilities that others trust
    Community,
    /// Capabilities that nobody trusts
    Untrusted,
    /// Requests to this machine and to private networks
    Private,
    /// Requests over plain http
    Http,
}

/// What may be done with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FileAccess {
    /// Nothing
    None,
    /// They may be read
    Read,
    /// They may be changed
    Write,
}

/// How a capability is driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CallChannel {
    /// By a program
    Programmatic,
    /// At a screen, or through a network of its own
    #[value(name = "vdi_vpn")]
    VdiVpn,
}

/// The grants, as the two policies that are checked.
pub(super) struct GrantedPolicies {
    /// The policy for the checks of the capability format.
    pub(super) capability: Policy,
    /// The policy for the call, as in any format.
    pub(super) call: call::Policy,
    pub(super) channel: Channel,
    pub(super) private_addresses: bool,
}

impl GrantedPolicies {
    /// Returns the policy for the tool of the source, if the capability is a bridge. Trust
    /// in the capability is not consent to the effects that the source declares.
    pub(super) fn for_source(&self) -> call::Policy {
        let mut another =
            call::Policy { hosts: self.call.hosts.clone(), ..call::Policy::default() };
        if self.call.grants.contains(&call::Grant::Approved) {
            another.grants.insert(call::Grant::Approved);
        }
        another
    }
}

impl Grants {
    /// Combines the grants of the options and the policy file.
    pub(super) fn read(&self, terminal: &Terminal) -> Result<GrantedPolicies, Failure> {
        let file = self.policy.read(terminal)?;
        let has = |allow| self.allow.contains(&allow);
        let most = match self.files {
            FileAccess::None => Filesystem::None,
            FileAccess::Read => Filesystem::Read,
            FileAccess::Write => Filesystem::Write,
        };
        let channel = match self.channel {
            CallChannel::Programmatic => Channel::Programmatic,
            CallChannel::VdiVpn => Channel::VdiVpn,
        };
        let mut capability = Policy {
            channels: BTreeSet::from([channel]),
            filesystem: file.files.map_or(most, |files| files.max(most)),
            devices: self.device.iter().chain(&file.devices).cloned().collect(),
            private_network: has(Allow::Private),
            insecure: has(Allow::Http),
            ..Policy::default()
        };
        if has(Allow::Community) {
            capability.trust.insert(Trust::Community);
        }
        if has(Allow::Untrusted) || file.grants.contains(&call::Grant::Untrusted) {
            capability.trust.insert(Trust::Untrusted);
        }
        let mut call = call::Policy::from(&capability);
        call.hosts = file.hosts;
        // Trust is consent to the effects that a capability declares. Secrets and hosts
        // need a person's approval.
        if !self.yes && !file.grants.contains(&call::Grant::Approved) {
            call.grants.remove(&call::Grant::Approved);
        }
        Ok(GrantedPolicies { capability, call, channel, private_addresses: has(Allow::Private) })
    }
}
