//! The typed document, for all five versions.
//!
//! A member that a version does not have is absent in a valid document of that
//! version. Strings borrow from the text; embedded schemas stay text.

use manifest_core::json::{Document, Node, Number};
use manifest_core::{Text, certain};
use serde::Serialize;

use crate::words::{UsageModel, Verb, Version};

mod action;
mod boundary;
mod env_var;
mod install;
mod kill_switch;
mod parts;
mod runtime;
mod smoke;
mod take;
mod verify;

pub use action::{Action, Docs, Example, Invocation, Output};
pub use boundary::{DataBoundary, Persists, Reads, Retention, Transmits};
pub use env_var::EnvVar;
pub use install::{Install, Locator};
pub use kill_switch::KillSwitch;
pub use runtime::{Entrypoint, Runtime};
pub use smoke::{DEFAULT_TIMEOUT_SECONDS, Smoke, SmokeKind, Success};
pub use verify::{Schedule, Sla, Suite, Verify};

pub(crate) use action::{ERROR_ENVELOPES, OUTPUT_FORMATS, SIDE_EFFECTS, side_effects};
pub(crate) use boundary::TO_KINDS;
pub(crate) use parts::{ActionParts, Call, Parts, Placed, nearest};
pub(crate) use verify::SUITE_FORMATS;

/// An install manifest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Manifest<'a> {
    /// The version of the specification.
    pub manifest_version: Version,
    /// What the tool is.
    pub tool: Tool<'a>,
    /// How it gets there, and how it is called.
    pub runtime: Runtime<'a>,
    /// Environment variables to collect, in the order to ask for them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<EnvVar<'a>>,
    /// What it does on the user's behalf.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope<'a>>,
    /// What it can be asked to do (0.2).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action<'a>>,
    /// How it is checked over time (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verify: Option<Verify<'a>>,
    /// Where data goes (0.3).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_boundary: Option<DataBoundary<'a>>,
    /// How an installation is checked.
    pub smoke: Smoke<'a>,
    /// How it is revoked.
    pub kill_switch: KillSwitch<'a>,
    /// What it costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost<'a>>,
    /// Where people get help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<Support<'a>>,
}

/// What a tool is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tool<'a> {
    /// Who the id belongs to (0.3.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Text<'a>>,
    /// Identifies the tool.
    pub id: Text<'a>,
    /// Its version.
    pub version: Text<'a>,
    /// What people call it.
    pub name: Text<'a>,
    /// One sentence.
    pub summary: Text<'a>,
    /// The longer text, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// Where people read about it.
    pub homepage: Text<'a>,
    /// Who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Author<'a>>,
    /// The licence, as an SPDX identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<Text<'a>>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
}

/// Who wrote a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Author<'a> {
    /// Their name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Text<'a>>,
    /// Their address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<Text<'a>>,
    /// Their page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Text<'a>>,
}

/// What a tool does with one resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Scope<'a> {
    /// The resource, such as `gmail.messages`.
    pub resource: Text<'a>,
    /// What is done with it.
    pub actions: Vec<Verb>,
    /// Why.
    pub rationale: Text<'a>,
    /// The provider's own name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_scope: Option<Text<'a>>,
}

/// What a tool costs, in US cents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cost<'a> {
    /// Once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub install_fee_cents: Option<Number<'a>>,
    /// Every month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub monthly_fee_cents: Option<Number<'a>>,
    /// How use is billed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage_model: Option<UsageModel>,
    /// Where to ask for an estimate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate_url: Option<Text<'a>>,
}

/// Where people get help.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Support<'a> {
    /// Where to file bugs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issues_url: Option<Text<'a>>,
    /// Where to report security problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security_email: Option<Text<'a>>,
    /// Where to read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<Text<'a>>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. A required member that is missing, or a member of the
    /// wrong type, leaves nothing to work with: use
    /// [`validate`](crate::validate()) to hear about it, and about all that this
    /// function does not look at.
    pub fn read(document: &'a Document<'a>) -> Option<Self> {
        Self::read_node(document.root())
    }

    /// Reads one manifest of a list.
    pub fn read_node(node: Node<'a>) -> Option<Self> {
        let [
            version,
            tool,
            runtime,
            env,
            scopes,
            actions,
            verify,
            boundary,
            smoke,
            kill_switch,
            cost,
            support,
        ] = take::members(
            node,
            &[
                "manifest_version",
                "tool",
                "runtime",
                "env",
                "scopes",
                "actions",
                "verify",
                "data_boundary",
                "smoke",
                "kill_switch",
                "cost",
                "support",
            ],
        )?;
        Some(Self {
            manifest_version: take::word(version?, Version::from_word)?,
            tool: Tool::read(tool?)?,
            runtime: Runtime::read(runtime?)?,
            env: take::list(env, EnvVar::read)?,
            scopes: take::list(scopes, Scope::read)?,
            actions: take::list(actions, Action::read)?,
            verify: take::maybe(verify, Verify::read)?,
            data_boundary: take::maybe(boundary, DataBoundary::read)?,
            smoke: Smoke::read(smoke?)?,
            kill_switch: KillSwitch::read(kill_switch?)?,
            cost: take::maybe(cost, Cost::read)?,
            support: take::maybe(support, Support::read)?,
        })
    }

    /// The manifest as JSON.
    pub fn to_json(&self) -> String {
        certain(serde_json::to_string(self)).unwrap_or_default()
    }

    /// The name that registries know the tool by: the namespace, if there is
    /// one, and the id.
    pub fn canonical_id(&self) -> Text<'a> {
        match &self.tool.namespace {
            Some(namespace) => Text::Owned(format!("{namespace}/{}", self.tool.id)),
            None => self.tool.id.clone(),
        }
    }

    /// The action of that name.
    pub fn action(&self, name: &str) -> Option<&Action<'a>> {
        self.actions.iter().find(|action| action.name == name)
    }

    /// The environment variable of that name.
    pub fn env_var(&self, name: &str) -> Option<&EnvVar<'a>> {
        self.env.iter().find(|variable| variable.name == name)
    }

    /// The scope of that resource.
    pub fn scope(&self, resource: &str) -> Option<&Scope<'a>> {
        self.scopes.iter().find(|scope| scope.resource == resource)
    }
}

impl<'a> Tool<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [namespace, id, version, name, summary, description, homepage, author, license, tags] =
            take::members(
                node,
                &[
                    "namespace",
                    "id",
                    "version",
                    "name",
                    "summary",
                    "description",
                    "homepage",
                    "author",
                    "license",
                    "tags",
                ],
            )?;
        Some(Self {
            namespace: take::text(namespace)?,
            id: id?.text()?,
            version: version?.text()?,
            name: name?.text()?,
            summary: summary?.text()?,
            description: take::text(description)?,
            homepage: homepage?.text()?,
            author: take::maybe(author, Author::read)?,
            license: take::text(license)?,
            tags: take::texts(tags)?,
        })
    }
}

impl<'a> Author<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [name, email, url] = take::members(node, &["name", "email", "url"])?;
        Some(Self { name: take::text(name)?, email: take::text(email)?, url: take::text(url)? })
    }
}

impl<'a> Scope<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [resource, actions, rationale, provider_scope] =
            take::members(node, &["resource", "actions", "rationale", "provider_scope"])?;
        Some(Self {
            resource: resource?.text()?,
            actions: take::list(Some(actions?), |node| take::word(node, Verb::from_word))?,
            rationale: rationale?.text()?,
            provider_scope: take::text(provider_scope)?,
        })
    }
}

impl<'a> Cost<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let names = ["install_fee_cents", "monthly_fee_cents", "usage_model", "estimate_url"];
        let [install, monthly, usage, estimate] = take::members(node, &names)?;
        Some(Self {
            install_fee_cents: take::number(install)?,
            monthly_fee_cents: take::number(monthly)?,
            usage_model: take::maybe(usage, |node| take::word(node, UsageModel::from_word))?,
            estimate_url: take::text(estimate)?,
        })
    }
}

impl<'a> Support<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [issues, security, docs] =
            take::members(node, &["issues_url", "security_email", "docs_url"])?;
        Some(Self {
            issues_url: take::text(issues)?,
            security_email: take::text(security)?,
            docs_url: take::text(docs)?,
        })
    }
}
