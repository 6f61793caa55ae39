//! The package of a tool, and the smaller parts of a descriptor.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::call::Acquisition;
use super::enums::{Filesystem, Network};
use super::shared_argv::SharedArgv;
use crate::provenance::{Place, Sourced};
use json_text::Text;
use json_text::{Number, Raw, deserialize_present};

pub(super) fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}

/// The values that the tools of one installable unit share. A tool outside of any unit has
/// a package of its own, without an id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Package<'a> {
    /// The package's place in the document that it was lifted from.
    #[serde(skip)]
    pub at: Option<Place>,
    /// The id of the unit, unless the unit is the tool itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Sourced<Text<'a>>>,
    /// The owner of the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Sourced<Text<'a>>>,
    /// The name of the unit for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Sourced<Text<'a>>>,
    /// One sentence about the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Sourced<Text<'a>>>,
    /// The longer text about the unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Sourced<Text<'a>>>,
    /// The version, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Sourced<Text<'a>>>,
    /// Search terms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Sourced<Text<'a>>>,
    /// More search terms, for formats with two lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Sourced<Text<'a>>>,
    /// The publisher.
    #[serde(skip_serializing_if = "is_default")]
    pub publisher: Publisher<'a>,
    /// The web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Sourced<Text<'a>>>,
    /// The licence, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Sourced<Text<'a>>>,
    /// The contacts for help.
    #[serde(skip_serializing_if = "is_default")]
    pub support: Support<'a>,
    /// The installation of its program. The place is that of the value that selects the
    /// kind of installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquisition: Option<Sourced<Acquisition<'a>>>,
    /// The beginning that the commands of its tools share.
    #[serde(skip_serializing_if = "super::call::is_empty_argv")]
    pub command: SharedArgv<'a>,
    /// The working directory of those commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Sourced<Text<'a>>>,
    /// The beginning that the URLs of its tools share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
    /// The environment variables and secrets that its tools receive.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<EnvVar<'a>>,
    /// The access of its tools on the user's behalf, by resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope<'a>>,
    /// The smoke test of an installation, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub smoke: Option<Sourced<Raw<'a>>>,
    /// The repeated checks of the installed tools, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub verify: Option<Sourced<Raw<'a>>>,
    /// The instructions to revoke it, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub revocation: Option<Sourced<Raw<'a>>>,
    /// The cost.
    #[serde(skip_serializing_if = "is_default")]
    pub cost: Cost<'a>,
    /// The data boundary (what is read, sent and stored, and where), as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub data_boundary: Option<Sourced<Raw<'a>>>,
}

impl<'a> Package<'a> {
    /// Returns its tags, then the labels that are not tags, for formats with one list for
    /// both. The second value has the places of a term that is in both lists, and is empty
    /// for any other term.
    pub fn keywords(&self) -> Vec<(&Sourced<Text<'a>>, Vec<Place>)> {
        let mut twins: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
        for label in &self.labels {
            twins.entry(label.as_ref()).or_default().extend(label.at);
        }
        let known: BTreeSet<&str> = self.tags.iter().map(|tag| tag.as_ref() as &str).collect();
        let tags = self.tags.iter().map(|tag| {
            let twins = twins.remove(tag.as_ref() as &str).unwrap_or_default();
            (tag, if twins.is_empty() { twins } else { tag.at.into_iter().chain(twins).collect() })
        });
        let mut words: Vec<_> = tags.collect();
        let own = self.labels.iter().filter(|label| !known.contains(label.as_ref() as &str));
        words.extend(own.map(|label| (label, Vec::new())));
        words
    }
}

/// The cost of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Cost<'a> {
    /// The price of the installation, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_fee_cents: Option<Sourced<Number<'a>>>,
    /// The price of a month, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_fee_cents: Option<Sourced<Number<'a>>>,
    /// The billing model: `none`, `per-call`, `per-token` or `external`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_model: Option<Sourced<Text<'a>>>,
    /// The URL that estimates the cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_url: Option<Sourced<Text<'a>>>,
    /// Whether calls cost money, if nothing more precise is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<Sourced<bool>>,
}

/// The publisher of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Publisher<'a> {
    /// The publisher's id in a registry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Sourced<Text<'a>>>,
    /// The publisher's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Sourced<Text<'a>>>,
    /// The publisher's web page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
    /// The publisher's e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Sourced<Text<'a>>>,
}

/// The contacts for help.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Support<'a> {
    /// The URL of the bug tracker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues_url: Option<Sourced<Text<'a>>>,
    /// The e-mail address for security problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_email: Option<Sourced<Text<'a>>>,
    /// The URL of the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Sourced<Text<'a>>>,
}

/// An example call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Example<'a> {
    /// The purpose of the example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Sourced<Text<'a>>>,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub input: Option<Sourced<Raw<'a>>>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub output: Option<Sourced<Raw<'a>>>,
}

/// An environment variable that a tool receives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct EnvVar<'a> {
    /// The name, unique within the tool.
    pub name: Sourced<Text<'a>>,
    /// The question for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Sourced<Text<'a>>>,
    /// Whether the value is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<Sourced<bool>>,
    /// Whether the tool requires the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Sourced<bool>>,
    /// The ECMAScript pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Sourced<Text<'a>>>,
    /// The value if the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Sourced<Text<'a>>>,
    /// The URL where the user can get a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Sourced<Text<'a>>>,
    /// A reference to the stored value, never the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Sourced<Text<'a>>>,
}

/// The authentication of calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Auth<'a> {
    /// The scheme: `none`, `bearer`, `api_key`, `oauth2`, or another one of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Sourced<Text<'a>>>,
    /// The scopes that the credentials must grant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Sourced<Text<'a>>>,
    /// The URL that explains how to get credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Sourced<Text<'a>>>,
}

/// The access that a host grants to a tool. A grant is not a claim: a tool that is denied
/// the network here may still use it on another host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Permissions<'a> {
    /// The network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Sourced<Network>>,
    /// The hosts, if the network is limited to a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Sourced<Text<'a>>>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filesystem: Option<Sourced<Filesystem>>,
    /// Devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Sourced<Text<'a>>>,
}

/// The actions of a tool on one resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Scope<'a> {
    /// The resource, such as `fs.local` or `net.outbound`.
    pub resource: Sourced<Text<'a>>,
    /// The verbs: `read`, `write`, `delete`, `send`, `execute`, `admin`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Sourced<Text<'a>>>,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Sourced<Text<'a>>>,
    /// The provider's name for the scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_scope: Option<Sourced<Text<'a>>>,
}

/// The sandbox that a tool runs in.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Sandbox<'a> {
    /// The kind of sandbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Sourced<Text<'a>>>,
    /// CPU limit, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<Sourced<Text<'a>>>,
    /// Memory limit, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Sourced<Text<'a>>>,
}

/// The origin of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Origin<'a> {
    /// The kind of source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Sourced<Text<'a>>>,
    /// The URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
    /// The path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Sourced<Text<'a>>>,
    /// The SHA-256 digest, in lower-case hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Sourced<Text<'a>>>,
    /// The signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<Sourced<Text<'a>>>,
}
