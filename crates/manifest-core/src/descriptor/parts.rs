//! The package of a tool, and the smaller parts of a descriptor.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::call::Acquisition;
use super::enums::{Filesystem, Network};
use super::shared_argv::SharedArgv;
use crate::provenance::{Place, Sourced};
use json_text::{Number, Raw, Text, deserialize_present};

pub(super) fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
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
        let mut keywords = Vec::new();
        for tag in &self.tags {
            let mut places = Vec::new();
            if let Some(labels) = twins.remove(tag.as_ref() as &str)
                && !labels.is_empty()
            {
                places.extend(tag.at);
                places.extend(labels);
            }
            keywords.push((tag, places));
        }
        for label in &self.labels {
            if !known.contains(label.as_ref() as &str) {
                keywords.push((label, Vec::new()));
            }
        }
        keywords
    }
}

/// Declares parts of a descriptor. A value that is absent is not serialized, except those
/// that are `always` there.
macro_rules! parts {
    ($(
        $(#[$about:meta])*
        pub struct $name:ident<$life:lifetime> {
            $(always { $(#[$always_about:meta])* pub $always:ident: $always_type:ty, })?
            $($(#[$field_about:meta])* pub $field:ident: $type:ty,)+
        }
    )+) => {
        $($(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[serde(default, deny_unknown_fields)]
        pub struct $name<$life> {
            $($(#[$always_about])* pub $always: $always_type,)?
            $(
                $(#[$field_about])*
                #[serde(skip_serializing_if = "is_default")]
                pub $field: $type,
            )+
        })+
    };
}

parts! {
    /// The values that the tools of one installable unit share. A tool outside of any unit has
    /// a package of its own, without an id.
    pub struct Package<'a> {
        /// The package's place in the document that it was lifted from.
        #[serde(skip)]
        pub at: Option<Place>,
        /// The id of the unit, unless the unit is the tool itself.
        pub id: Option<Sourced<Text<'a>>>,
        /// The owner of the id.
        pub namespace: Option<Sourced<Text<'a>>>,
        /// The name of the unit for people.
        pub title: Option<Sourced<Text<'a>>>,
        /// One sentence about the unit.
        pub summary: Option<Sourced<Text<'a>>>,
        /// The longer text about the unit.
        pub description: Option<Sourced<Text<'a>>>,
        /// The version, as written.
        pub version: Option<Sourced<Text<'a>>>,
        /// Search terms.
        pub tags: Vec<Sourced<Text<'a>>>,
        /// More search terms, for formats with two lists.
        pub labels: Vec<Sourced<Text<'a>>>,
        /// The publisher.
        pub publisher: Publisher<'a>,
        /// The web page.
        pub homepage: Option<Sourced<Text<'a>>>,
        /// The licence, as written.
        pub license: Option<Sourced<Text<'a>>>,
        /// The contacts for help.
        pub support: Support<'a>,
        /// The installation of its program. The place is that of the value that selects the
        /// kind of installation.
        pub acquisition: Option<Sourced<Acquisition<'a>>>,
        /// The beginning that the commands of its tools share.
        pub command: SharedArgv<'a>,
        /// The working directory of those commands.
        pub cwd: Option<Sourced<Text<'a>>>,
        /// The beginning that the URLs of its tools share.
        pub url: Option<Sourced<Text<'a>>>,
        /// The environment variables and secrets that its tools receive.
        pub env: Vec<EnvVar<'a>>,
        /// The access of its tools on the user's behalf, by resource.
        pub scopes: Vec<Scope<'a>>,
        /// The smoke test of an installation, as written.
        #[serde(deserialize_with = "deserialize_present")]
        pub smoke: Option<Sourced<Raw<'a>>>,
        /// The repeated checks of the installed tools, as written.
        #[serde(deserialize_with = "deserialize_present")]
        pub verify: Option<Sourced<Raw<'a>>>,
        /// The instructions to revoke it, as written.
        #[serde(deserialize_with = "deserialize_present")]
        pub revocation: Option<Sourced<Raw<'a>>>,
        /// The cost.
        pub cost: Cost<'a>,
        /// The data boundary (what is read, sent and stored, and where), as written.
        #[serde(deserialize_with = "deserialize_present")]
        pub data_boundary: Option<Sourced<Raw<'a>>>,
    }

    /// The cost of a tool.
    pub struct Cost<'a> {
        /// The price of the installation, in cents.
        pub install_fee_cents: Option<Sourced<Number<'a>>>,
        /// The price of a month, in cents.
        pub monthly_fee_cents: Option<Sourced<Number<'a>>>,
        /// The billing model: `none`, `per-call`, `per-token` or `external`.
        pub usage_model: Option<Sourced<Text<'a>>>,
        /// The URL that estimates the cost.
        pub estimate_url: Option<Sourced<Text<'a>>>,
        /// Whether calls cost money, if nothing more precise is known.
        pub payment: Option<Sourced<bool>>,
    }

    /// The publisher of a tool.
    pub struct Publisher<'a> {
        /// The publisher's id in a registry.
        pub id: Option<Sourced<Text<'a>>>,
        /// The publisher's name.
        pub name: Option<Sourced<Text<'a>>>,
        /// The publisher's web page.
        pub url: Option<Sourced<Text<'a>>>,
        /// The publisher's e-mail address.
        pub email: Option<Sourced<Text<'a>>>,
    }

    /// The contacts for help.
    pub struct Support<'a> {
        /// The URL of the bug tracker.
        pub issues_url: Option<Sourced<Text<'a>>>,
        /// The e-mail address for security problems.
        pub security_email: Option<Sourced<Text<'a>>>,
        /// The URL of the documentation.
        pub docs_url: Option<Sourced<Text<'a>>>,
    }

    /// An example call.
    pub struct Example<'a> {
        /// The purpose of the example.
        pub description: Option<Sourced<Text<'a>>>,
        /// The arguments.
        #[serde(deserialize_with = "deserialize_present")]
        pub input: Option<Sourced<Raw<'a>>>,
        /// The result.
        #[serde(deserialize_with = "deserialize_present")]
        pub output: Option<Sourced<Raw<'a>>>,
    }

    /// An environment variable that a tool receives.
    pub struct EnvVar<'a> {
        always {
            /// The name, unique within the tool.
            pub name: Sourced<Text<'a>>,
        }
        /// The question for the user.
        pub prompt: Option<Sourced<Text<'a>>>,
        /// Whether the value is secret.
        pub secret: Option<Sourced<bool>>,
        /// Whether the tool requires the variable.
        pub required: Option<Sourced<bool>>,
        /// The ECMAScript pattern of the value.
        pub pattern: Option<Sourced<Text<'a>>>,
        /// The value if the user gives none.
        pub default: Option<Sourced<Text<'a>>>,
        /// The URL where the user can get a value.
        pub obtain_url: Option<Sourced<Text<'a>>>,
        /// A reference to the stored value, never the value.
        pub reference: Option<Sourced<Text<'a>>>,
    }

    /// The authentication of calls.
    pub struct Auth<'a> {
        /// The scheme: `none`, `bearer`, `api_key`, `oauth2`, or another one of the format.
        pub scheme: Option<Sourced<Text<'a>>>,
        /// The scopes that the credentials must grant.
        pub scopes: Vec<Sourced<Text<'a>>>,
        /// The URL that explains how to get credentials.
        pub docs_url: Option<Sourced<Text<'a>>>,
    }

    /// The access that a host grants to a tool. A grant is not a claim: a tool that is denied
    /// the network here may still use it on another host.
    pub struct Permissions<'a> {
        /// The network.
        pub network: Option<Sourced<Network>>,
        /// The hosts, if the network is limited to a list.
        pub hosts: Vec<Sourced<Text<'a>>>,
        /// Files.
        pub filesystem: Option<Sourced<Filesystem>>,
        /// Devices.
        pub devices: Vec<Sourced<Text<'a>>>,
    }

    /// The actions of a tool on one resource.
    pub struct Scope<'a> {
        always {
            /// The resource, such as `fs.local` or `net.outbound`.
            pub resource: Sourced<Text<'a>>,
        }
        /// The verbs: `read`, `write`, `delete`, `send`, `execute`, `admin`.
        pub actions: Vec<Sourced<Text<'a>>>,
        /// The reason.
        pub rationale: Option<Sourced<Text<'a>>>,
        /// The provider's name for the scope.
        pub provider_scope: Option<Sourced<Text<'a>>>,
    }

    /// The sandbox that a tool runs in.
    pub struct Sandbox<'a> {
        /// The kind of sandbox.
        pub kind: Option<Sourced<Text<'a>>>,
        /// CPU limit, as written.
        pub cpu: Option<Sourced<Text<'a>>>,
        /// Memory limit, as written.
        pub memory: Option<Sourced<Text<'a>>>,
    }

    /// The origin of a manifest.
    pub struct Origin<'a> {
        /// The kind of source.
        pub source: Option<Sourced<Text<'a>>>,
        /// The URL.
        pub url: Option<Sourced<Text<'a>>>,
        /// The path.
        pub path: Option<Sourced<Text<'a>>>,
        /// The SHA-256 digest, in lower-case hexadecimal.
        pub digest: Option<Sourced<Text<'a>>>,
        /// The signature.
        pub signature: Option<Sourced<Text<'a>>>,
    }
}
