//! The smaller parts of a descriptor.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::call::Acquisition;
use super::risk::{Filesystem, Network};
use super::words::Words;
use crate::provenance::{Place, Sourced};
use json_text::Text;
use json_text::{Number, Raw, present};

/// Whether a part of a descriptor says nothing.
pub(super) fn is_silent<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}

/// What the tools of one installable unit share, said once. A tool that is no part of
/// a unit has one of its own, without an id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Package<'a> {
    /// Where it stands in the document that it was lifted from.
    #[serde(skip)]
    pub at: Option<Place>,
    /// Identifies the unit, where it is not the tool itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Sourced<Text<'a>>>,
    /// Who the id belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Sourced<Text<'a>>>,
    /// What a person calls the unit.
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
    /// Words to find the tools by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Sourced<Text<'a>>>,
    /// A second list of words, where a format keeps two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Sourced<Text<'a>>>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "is_silent")]
    pub publisher: Publisher<'a>,
    /// Where people read about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<Sourced<Text<'a>>>,
    /// The licence, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Sourced<Text<'a>>>,
    /// Where people get help.
    #[serde(skip_serializing_if = "is_silent")]
    pub support: Support<'a>,
    /// How its program is installed. The place is that of the word that tells which way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acquisition: Option<Sourced<Acquisition<'a>>>,
    /// How the commands of its tools begin.
    #[serde(skip_serializing_if = "super::call::no_words")]
    pub command: Words<'a>,
    /// Where those commands run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<Sourced<Text<'a>>>,
    /// How the URLs of its tools begin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
    /// Environment variables and secrets that its tools are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<EnvVar<'a>>,
    /// What its tools do on the user's behalf, by resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope<'a>>,
    /// How to check an installation, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub smoke: Option<Sourced<Raw<'a>>>,
    /// How to check the tools over time, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub verify: Option<Sourced<Raw<'a>>>,
    /// How to revoke it, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub revocation: Option<Sourced<Raw<'a>>>,
    /// What it costs.
    #[serde(skip_serializing_if = "is_silent")]
    pub cost: Cost<'a>,
    /// Where data goes, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub data_boundary: Option<Sourced<Raw<'a>>>,
}

impl<'a> Package<'a> {
    /// Its tags and, where a format has one list for both, its labels: each word once for
    /// both lists, with the places of a word that both have.
    pub fn words(&self) -> Vec<(&Sourced<Text<'a>>, Vec<Place>)> {
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

/// What a tool costs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Cost<'a> {
    /// What installing costs, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_fee_cents: Option<Sourced<Number<'a>>>,
    /// What a month costs, in cents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_fee_cents: Option<Sourced<Number<'a>>>,
    /// How use is paid for: `none`, `per-call`, `per-token` or `external`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_model: Option<Sourced<Text<'a>>>,
    /// Where to ask what it will cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_url: Option<Sourced<Text<'a>>>,
    /// Whether calls cost money, where no more is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment: Option<Sourced<bool>>,
}

/// Who publishes a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Publisher<'a> {
    /// A registry's name for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Sourced<Text<'a>>>,
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Sourced<Text<'a>>>,
    /// Their page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Sourced<Text<'a>>>,
    /// Their address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Sourced<Text<'a>>>,
}

/// Where people get help.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Support<'a> {
    /// Where to file bugs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues_url: Option<Sourced<Text<'a>>>,
    /// Where to report security problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_email: Option<Sourced<Text<'a>>>,
    /// Where to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Sourced<Text<'a>>>,
}

/// A call to learn from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Example<'a> {
    /// What it shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Sourced<Text<'a>>>,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub input: Option<Sourced<Raw<'a>>>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub output: Option<Sourced<Raw<'a>>>,
}

/// An environment variable that a tool is given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct EnvVar<'a> {
    /// Its name, which no other variable of the tool has.
    pub name: Sourced<Text<'a>>,
    /// What to ask the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Sourced<Text<'a>>>,
    /// Whether the value is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<Sourced<bool>>,
    /// Whether the tool needs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<Sourced<bool>>,
    /// ECMAScript pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Sourced<Text<'a>>>,
    /// The value when the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Sourced<Text<'a>>>,
    /// Where to get a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Sourced<Text<'a>>>,
    /// Where the value is stored, never the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Sourced<Text<'a>>>,
}

/// How calls are authenticated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Auth<'a> {
    /// The scheme: `none`, `bearer`, `api_key` or `oauth2`, or what a format says
    /// besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Sourced<Text<'a>>>,
    /// What the credentials must grant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Sourced<Text<'a>>>,
    /// Where to read how to get credentials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Sourced<Text<'a>>>,
}

/// What a host allows a tool to reach. These are grants, not claims: what is denied
/// here says nothing about what the tool does elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Permissions<'a> {
    /// The network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<Sourced<Network>>,
    /// The hosts, when the network is limited to a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<Sourced<Text<'a>>>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filesystem: Option<Sourced<Filesystem>>,
    /// Devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Sourced<Text<'a>>>,
}

/// What a tool does with one resource.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Scope<'a> {
    /// The resource, such as `fs.local` or `net.outbound`.
    pub resource: Sourced<Text<'a>>,
    /// The verbs: `read`, `write`, `delete`, `send`, `execute`, `admin`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Sourced<Text<'a>>>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Sourced<Text<'a>>>,
    /// The provider's own name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_scope: Option<Sourced<Text<'a>>>,
}

/// What a tool runs in.
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

/// Where a manifest came from.
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
    /// SHA-256, lower-case hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<Sourced<Text<'a>>>,
    /// The signature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<Sourced<Text<'a>>>,
}
