//! The policy of a host. Everything that it does not allow is denied, with a reason.

use std::collections::BTreeSet;
use std::fmt;

use manifest_core::descriptor::{Filesystem, Network, Trust};
use manifest_core::url::{HttpUrl, check_http};
use manifest_core::{Destination, Rule, is_host, printable, quoted};

use crate::manifest::{Channel, Manifest};
use crate::rules;

/// The policy of a host. The default allows very little.
///
/// ```
/// use toolglot_capability::{Manifest, Policy};
///
/// let unknown = Manifest::default();
/// let denial = Policy::default().may_install(&unknown).unwrap_err();
/// assert_eq!(denial.rule.code, "capability/policy-trust");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The levels of trust at which capabilities are installed and run.
    pub trust: BTreeSet<Trust>,
    /// The channels over which capabilities may be driven.
    pub channels: BTreeSet<Channel>,
    /// The widest access to files that a capability may have.
    pub filesystem: Filesystem,
    /// The devices that capabilities may use.
    pub devices: BTreeSet<String>,
    /// True if requests may go to this machine and to private networks.
    pub private_network: bool,
    /// True if requests may use plain http.
    pub insecure: bool,
    /// The allow-list for requests of the resolver itself.
    pub egress: Vec<String>,
    /// The allow-list of verified registries.
    pub verified_registries: Vec<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            trust: BTreeSet::from([Trust::Local, Trust::Verified]),
            channels: BTreeSet::from([Channel::Programmatic]),
            filesystem: Filesystem::None,
            devices: BTreeSet::new(),
            private_network: false,
            insecure: false,
            egress: Vec::new(),
            verified_registries: Vec::new(),
        }
    }
}

/// The reason why something is denied.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Denial {
    /// The rule.
    pub rule: &'static Rule,
    /// The reason, in one line.
    pub reason: String,
}

impl Denial {
    pub(crate) fn new(rule: &'static Rule, reason: impl Into<String>) -> Self {
        Self { rule, reason: reason.into() }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.reason, self.rule.code)
    }
}

impl std::error::Error for Denial {}

/// A permission, or the reason for a denial.
pub type Decision = Result<(), Denial>;

fn deny<T>(rule: &'static Rule, reason: impl Into<String>) -> Result<T, Denial> {
    Err(Denial::new(rule, reason))
}

impl Policy {
    /// Checks that a capability may be installed. Its manifest must have been validated.
    pub fn may_install(&self, manifest: &Manifest) -> Decision {
        self.check_trust(manifest)
    }

    /// Checks that a capability may run over a channel. Use [`Policy::may_connect`] for
    /// each of its requests.
    pub fn may_run(&self, manifest: &Manifest, channel: Channel) -> Decision {
        if !manifest.is_enabled() {
            return deny(&rules::POLICY_DISABLED, "capability disabled");
        }
        self.check_trust(manifest)?;
        if manifest.requires_oauth == Some(true) && !manifest.has_oauth_secret() {
            return deny(&rules::POLICY_OAUTH, "capability requires oauth onboarding");
        }
        let declared = manifest.channel;
        if channel != declared {
            let reason = format!("the capability declares the channel {}", declared.word());
            return deny(&rules::POLICY_CHANNEL, reason);
        }
        if !self.channels.contains(&channel) {
            let reason = format!("channel not allowed by policy: {}", channel.word());
            return deny(&rules::POLICY_CHANNEL, reason);
        }
        let permissions = &manifest.permissions;
        if permissions.filesystem > self.filesystem {
            return deny(&rules::POLICY_FILESYSTEM, "file access not allowed by policy");
        }
        for device in &permissions.devices {
            if !self.devices.contains(device) {
                let reason = format!("device not allowed by policy: {}", quoted(device));
                return deny(&rules::POLICY_DEVICE, reason);
            }
        }
        Ok(())
    }

    /// Checks that a running capability may send a request to a URL. A host must check
    /// every request, including redirects.
    pub fn may_connect(&self, manifest: &Manifest, url: &str) -> Decision {
        let permissions = &manifest.permissions;
        if permissions.network == Network::Deny {
            return deny(&rules::POLICY_NETWORK, "network denied by capability permissions");
        }
        if permissions.network_allowlist.is_empty() {
            let reason = "network allowlist required when permissions.network=allowlist";
            return deny(&rules::POLICY_NETWORK, reason);
        }
        let url = self.check_destination(url)?;
        check_allowlist(&url, &permissions.network_allowlist)
    }

    /// Checks that the resolver itself may fetch from a URL. Only https is allowed.
    pub fn may_fetch(&self, url: &str) -> Decision {
        let url = self.check_destination(url)?;
        if !url.secure {
            return deny(&rules::POLICY_DESTINATION, "registries are https only");
        }
        check_allowlist(&url, &self.egress)
    }

    /// Returns the effective trust in a manifest from a registry. It is untrusted unless
    /// the registry is verified. Otherwise it is the claimed trust, but at most
    /// [`Trust::Verified`].
    pub fn effective_trust(&self, registry: &str, claimed: Trust) -> Trust {
        if let Ok(url) = check_http(registry)
            && url.secure
            && check_allowlist(&url, &self.verified_registries).is_ok()
        {
            return claimed.min(Trust::Verified);
        }
        Trust::Untrusted
    }

    fn check_trust(&self, manifest: &Manifest) -> Decision {
        let level = manifest.trust_level;
        if self.trust.contains(&level) {
            return Ok(());
        }
        deny(&rules::POLICY_TRUST, format!("trust_level not allowed by policy: {}", level.word()))
    }

    /// Parses a URL. Fails if no request may go there.
    fn check_destination<'u>(&self, text: &'u str) -> Result<HttpUrl<'u>, Denial> {
        let rule = &rules::POLICY_DESTINATION;
        let url = check_http(text).map_err(|error| Denial::new(rule, error.to_string()))?;
        if !is_host(url.host) {
            return deny(rule, "the host must be written in ASCII letters");
        }
        if !url.secure && !self.insecure {
            return deny(rule, "plain http is not allowed by policy");
        }
        if url.is_private() && !self.private_network {
            return deny(rule, "private networks are not allowed by policy");
        }
        Ok(url)
    }
}

fn check_allowlist(url: &HttpUrl<'_>, allowlist: &[String]) -> Decision {
    for entry in allowlist {
        if let Some(destination) = Destination::parse(entry)
            && destination.allows(url)
        {
            return Ok(());
        }
    }
    let host = printable(url.host, 64);
    deny(&rules::POLICY_DESTINATION, format!("not on the allow-list: {host}"))
}
