//! The typed document, one type for all five versions.
//!
//! In a valid document, members that its version lacks are absent. Strings borrow from the
//! text, and embedded schemas stay text.

use manifest_core::Text;
use manifest_core::json::{Document, Node, Number};
use serde::Serialize;

use self::decode::{Decode, decode_members, decode_words};
use crate::enums::{
    Cadence, Layout, Method, Place, RuntimeKind, Sensitivity, ThirdPartyRetention, UsageModel,
    Verb, Version,
};

mod action;
mod boundary;
mod decode;
mod nodes;
mod runtime;
mod trust;

pub use action::{Action, Docs, Example, Invocation, Output};
pub use boundary::{DataBoundary, Persists, Reads, Retention, Transmits};
pub use runtime::{Entrypoint, EnvVar, Install, Locator, Runtime};
pub use trust::{
    DEFAULT_TIMEOUT_SECONDS, KillSwitch, Schedule, Sla, Smoke, SmokeKind, Success, Suite, Verify,
};

pub(crate) use action::{ERROR_ENVELOPES, OUTPUT_FORMATS, SIDE_EFFECTS};
pub(crate) use boundary::TO_KINDS;
pub(crate) use nodes::{ActionNodes, InvocationNodes, ManifestNodes, NodeValue, nearest_node};
pub(crate) use trust::SUITE_FORMATS;

/// An install manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest<'a> {
    /// The version of the specification.
    pub manifest_version: Version,
    /// The identity and texts of the tool.
    pub tool: Tool<'a>,
    /// How the tool is installed and started.
    pub runtime: Runtime<'a>,
    /// Environment variables to collect, in the order to ask for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<EnvVar<'a>>,
    /// The resources that the tool uses on the user's behalf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope<'a>>,
    /// The actions that can be called (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action<'a>>,
    /// How the tool is verified over time (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<Verify<'a>>,
    /// Where data goes (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_boundary: Option<DataBoundary<'a>>,
    /// How an installation is checked.
    pub smoke: Smoke<'a>,
    /// How the tool is revoked.
    pub kill_switch: KillSwitch<'a>,
    /// The price of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost<'a>>,
    /// Links for people who need help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support<'a>>,
}

/// The identity and texts of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tool<'a> {
    /// The namespace that the id belongs to (0.3.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Text<'a>>,
    /// The id of the tool.
    pub id: Text<'a>,
    /// The version of the tool.
    pub version: Text<'a>,
    /// The name for people.
    pub name: Text<'a>,
    /// One sentence about the tool.
    pub summary: Text<'a>,
    /// A longer text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// The URL of the tool's page.
    pub homepage: Text<'a>,
    /// The author of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Author<'a>>,
    /// The licence, as an SPDX identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Text<'a>>,
    /// Keywords for searches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
}

/// The author of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Author<'a> {
    /// The author's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    /// The author's e-mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Text<'a>>,
    /// The author's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
}

/// The operations of a tool on one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scope<'a> {
    /// The resource, for example `gmail.messages`.
    pub resource: Text<'a>,
    /// The operations on it.
    pub actions: Vec<Verb>,
    /// The reason for the scope.
    pub rationale: Text<'a>,
    /// The provider's own name for the scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_scope: Option<Text<'a>>,
}

/// The price of a tool, in US cents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cost<'a> {
    /// Paid once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_fee_cents: Option<Number<'a>>,
    /// Paid every month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_fee_cents: Option<Number<'a>>,
    /// How use is billed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_model: Option<UsageModel>,
    /// The URL that returns an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_url: Option<Text<'a>>,
}

/// Links for people who need help.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Support<'a> {
    /// The URL for bug reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues_url: Option<Text<'a>>,
    /// The e-mail address for security reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_email: Option<Text<'a>>,
    /// The URL of the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. Returns `None` if a required member is missing or a member has the
    /// wrong type. [`validate`](crate::validate()) reports these problems, and others that
    /// this function ignores.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        Self::read_node(document.root())
    }

    /// Reads a manifest from a node, for example an element of a list.
    pub fn read_node(node: Node<'a>) -> Option<Self> {
        Decode::decode(node)
    }

    /// Returns the manifest as JSON.
    pub fn to_json(&self) -> String {
        manifest_core::json::to_json(self)
    }

    /// Returns the tool's name in registries: the id, after the namespace if there is one.
    pub fn canonical_id(&self) -> Text<'a> {
        match &self.tool.namespace {
            Some(namespace) => Text::Owned(format!("{namespace}/{}", self.tool.id)),
            None => self.tool.id.clone(),
        }
    }
}

decode_words!(
    Cadence,
    Layout,
    Method,
    Place,
    RuntimeKind,
    Sensitivity,
    ThirdPartyRetention,
    UsageModel,
    Verb,
    Version,
);
decode_members!(Manifest<'a> {
    required manifest_version, required tool, required runtime, optional env, optional scopes,
    optional actions, optional verify, optional data_boundary, required smoke,
    required kill_switch, optional cost, optional support,
});
decode_members!(Tool<'a> {
    optional namespace, required id, required version, required name, required summary,
    optional description, required homepage, optional author, optional license, optional tags
});
decode_members!(Author<'a> { optional name, optional email, optional url });
decode_members!(Scope<'a> {
    required resource, required actions, required rationale, optional provider_scope
});
decode_members!(Cost<'a> {
    optional install_fee_cents, optional monthly_fee_cents, optional usage_model,
    optional estimate_url
});
decode_members!(Support<'a> { optional issues_url, optional security_email, optional docs_url });
