//! One tool, and the tools of a document.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::call::{Credential, Implementation, Invocation, Step};
use super::enums::{Channel, ErrorEnvelope, Kind, OutputFormat, SideEffects, Trust};
use super::parts::{Auth, Example, Origin, Package, Permissions, Sandbox, is_default};
use crate::Limits;
use crate::provenance::{Influences, Marks, Place, Sourced};
use diagnostic::secret;
use json_text::{Document, Number, Raw, Text, deserialize_present};

/// The result of lifting a document.
#[derive(Clone, Debug, Default)]
pub struct LiftedDocument<'a> {
    /// The tools, in the order of the document. Neighbours that share their [`Package`] in
    /// memory are one package.
    pub tools: Vec<ToolDescriptor<'a>>,
    /// Whether the document is a list of tools, even if it contains only one.
    pub is_list: bool,
    /// The entries of the document that were read into the descriptors. Descriptors cannot
    /// express the others.
    pub marks: Marks,
    /// The influences: entries that affected values read from other entries.
    pub influences: Influences,
}

impl<'a> LiftedDocument<'a> {
    /// Returns the tools of each package, in order.
    pub fn packages(&self) -> impl Iterator<Item = &[ToolDescriptor<'a>]> {
        self.tools.chunk_by(|one, next| Arc::ptr_eq(&one.package, &next.package))
    }
}

/// Ignores the place of the package.
fn is_empty_package(package: &Arc<Package<'_>>) -> bool {
    **package == Package { at: package.at, ..Package::default() }
}

/// One callable tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ToolDescriptor<'a> {
    /// The tool's place in the document that it was lifted from.
    #[serde(skip)]
    pub at: Option<Place>,
    /// The id, unique among all tools of its kind.
    pub id: Sourced<Text<'a>>,
    /// The name that callers use, if it is not the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Sourced<Text<'a>>>,
    /// The name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Sourced<Text<'a>>>,
    /// The kind of resource that the tool is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Sourced<Kind>>,
    /// One sentence for people and models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Sourced<Text<'a>>>,
    /// The longer text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Sourced<Text<'a>>>,
    /// JSON Schema of the arguments, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub input_schema: Option<Sourced<Raw<'a>>>,
    /// JSON Schema of the result, as written.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "deserialize_present")]
    pub output_schema: Option<Sourced<Raw<'a>>>,
    /// The format of the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_format: Option<Sourced<OutputFormat>>,
    /// The form of errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_envelope: Option<Sourced<ErrorEnvelope>>,
    /// Example calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example<'a>>,
    /// Files with examples, next to the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub example_files: Vec<Sourced<Text<'a>>>,
    /// Files with tests, next to the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test_files: Vec<Sourced<Text<'a>>>,
    /// The call. The place is that of the value that selects the kind of call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocation: Option<Sourced<Invocation<'a>>>,
    /// Calls that depend on the host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implementations: Vec<Implementation<'a>>,
    /// The tools that it calls in turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chain: Vec<Step<'a>>,
    /// The time-out of a call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Sourced<Number<'a>>>,
    /// The authentication of calls.
    #[serde(skip_serializing_if = "is_default")]
    pub auth: Auth<'a>,
    /// The access that its host grants.
    #[serde(skip_serializing_if = "is_default")]
    pub permissions: Permissions<'a>,
    /// The scopes of its package that it uses, by resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes_used: Vec<Sourced<Text<'a>>>,
    /// The sandbox that it runs in.
    #[serde(skip_serializing_if = "is_default")]
    pub sandbox: Sandbox<'a>,
    /// The side effects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side_effects: Option<Sourced<SideEffects>>,
    /// Whether calling twice is the same as calling once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<Sourced<bool>>,
    /// Whether a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<Sourced<bool>>,
    /// The origin of the manifest.
    #[serde(skip_serializing_if = "is_default")]
    pub origin: Origin<'a>,
    /// The level of trust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Sourced<Trust>>,
    /// Whether it may run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<Sourced<bool>>,
    /// The way that it is driven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Sourced<Channel>>,
    /// The values that it shares with the other tools of its package.
    #[serde(skip_serializing_if = "is_empty_package")]
    pub package: Arc<Package<'a>>,
}

impl<'a> ToolDescriptor<'a> {
    /// Returns a tool of a package, without any value of its own. All fields are listed, so
    /// that a new field must be decided here for the tools of servers.
    pub fn empty(package: Arc<Package<'a>>) -> Self {
        Self {
            at: None,
            id: <_>::default(),
            name: None,
            title: None,
            kind: None,
            summary: None,
            description: None,
            input_schema: None,
            output_schema: None,
            output_format: None,
            error_envelope: None,
            examples: Vec::new(),
            example_files: Vec::new(),
            test_files: Vec::new(),
            invocation: None,
            implementations: Vec::new(),
            chain: Vec::new(),
            timeout_ms: None,
            auth: <_>::default(),
            permissions: <_>::default(),
            scopes_used: Vec::new(),
            sandbox: <_>::default(),
            side_effects: None,
            idempotent: None,
            requires_approval: None,
            origin: <_>::default(),
            trust: None,
            enabled: None,
            channel: None,
            package,
        }
    }

    /// Returns the name that callers use: `name`, or else the last part of the id. An id
    /// that contains a secret is not split, because secret detection would miss a part of
    /// one.
    pub fn callable_name(&self) -> Sourced<&str> {
        if let Some(name) = &self.name {
            return Sourced { value: name, at: name.at };
        }
        let last = match self.id.rsplit_once('.') {
            Some((_, last)) if secret::find(&self.id).is_none() => last,
            _ => &self.id,
        };
        let at = self.id.at.map(|at| Place { exact: at.exact && last == *self.id, ..at });
        Sourced { value: last, at }
    }

    /// Returns the places that the id comes from: its own and, for a tool of a package,
    /// that of the package's id.
    pub fn id_places(&self) -> Vec<Place> {
        let mut places = Vec::from_iter(self.id.at);
        if let Some(id) = &self.package.id
            && let Some(at) = id.at
            && places.iter().all(|own| own.entry != at.entry)
        {
            places.push(at);
        }
        places
    }

    /// Returns true if the tool itself or all of its implementations declare a time-out.
    pub fn has_timeout(&self) -> bool {
        if self.implementations.is_empty() {
            return self.timeout_ms.is_some();
        }
        self.timeout_ms.is_some() || self.implementations.iter().all(|one| one.timeout_ms.is_some())
    }

    /// Returns a reason if the source declares that the result is not JSON, so that the
    /// output schema does not describe it.
    pub fn non_json_output_reason(&self) -> Option<&'static str> {
        match self.output_format.as_deref()? {
            OutputFormat::Json => None,
            OutputFormat::NdjsonStream => {
                Some("in the source, many lines come back, each of them JSON")
            }
            OutputFormat::Text => Some("in the source, text comes back, and no JSON"),
            OutputFormat::Binary => Some("in the source, bytes come back, and no JSON"),
            OutputFormat::None => Some("in the source, nothing comes back"),
        }
    }

    /// Returns true if it has examples, tests or a smoke test.
    pub fn has_examples(&self) -> bool {
        let files = !self.example_files.is_empty() || !self.test_files.is_empty();
        files || !self.examples.is_empty() || self.package.smoke.is_some()
    }

    /// Returns true if calls are authenticated and the package has exactly one variable,
    /// which is then the credential.
    pub fn has_single_credential(&self) -> bool {
        let scheme = self.auth.scheme.as_deref();
        self.package.env.len() == 1 && scheme.is_some_and(|scheme| scheme != "none")
    }

    /// Returns all calls: its own, then those of the implementations.
    pub fn invocations(&self) -> impl Iterator<Item = &Invocation<'a>> {
        let others = self.implementations.iter().filter_map(|one| one.invocation.as_deref());
        self.invocation.as_deref().into_iter().chain(others)
    }

    /// Returns true if it is only a chain of other tools. A tool with a call of its own is
    /// called by that, even if it has a chain.
    pub fn is_chain(&self) -> bool {
        self.invocations().next().is_none() && !self.chain.is_empty()
    }

    /// Returns true if its input schema contains a default. A property named `default` does
    /// not count.
    pub fn has_defaults(&self) -> bool {
        let Some(schema) = &self.input_schema else { return false };
        let Some(document) = schema.document() else { return false };
        document.root().descendants().any(|node| {
            if node.get("default").is_none() {
                return false;
            }
            let pointer = node.pointer();
            !pointer.as_str().ends_with("/properties") && !pointer.as_str().ends_with("/$defs")
        })
    }

    /// Returns true if its input schema obviously accepts only the empty object: it is
    /// closed, and has no properties. May return false for a more complicated schema of
    /// that kind.
    pub fn takes_no_arguments(&self) -> bool {
        // Such a schema is small, so parsing of a larger one stops early.
        let limits = Limits { nodes: 16, ..Limits::default() };
        let Some(schema) = &self.input_schema else { return false };
        let Ok(document) = Document::parse(schema.as_str().as_bytes(), &limits) else {
            return false;
        };
        let mut is_closed = false;
        for member in document.root().members() {
            let value = member.value;
            let fits = match &*member.name() {
                "type" => value.text().as_deref() == Some("object"),
                "properties" => value.is_object() && value.members().next().is_none(),
                "required" => value.is_array() && value.elements().next().is_none(),
                "additionalProperties" => {
                    is_closed = true;
                    value.bool() == Some(false)
                }
                // Annotations do not affect validation.
                "$schema" | "$comment" | "title" | "description" => true,
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        is_closed
    }

    /// Returns the header that authenticates its call, if the call is an HTTP request and
    /// the scheme has one.
    pub fn credential(&self) -> Option<Credential<'_, 'a>> {
        match self.invocation.as_deref() {
            Some(Invocation::Http(_)) => self.request_credential(),
            _ => None,
        }
    }

    /// Like [`credential`](Self::credential), but does not check the call: for any HTTP
    /// request, including that of an implementation.
    pub fn request_credential(&self) -> Option<Credential<'_, 'a>> {
        let (header, prefix) = match self.auth.scheme.as_ref()?.as_ref() {
            "bearer" => ("Authorization", "Bearer "),
            "api_key" => ("X-API-Key", ""),
            _ => return None,
        };
        let variables = self.package.env.iter().map(|variable| &variable.name).collect();
        Some(Credential { header, prefix, variables })
    }

    /// Returns true if calls need a credential and the package declares no variable for it.
    pub fn needs_undeclared_credential(&self) -> bool {
        let scheme = self.auth.scheme.as_deref().map(AsRef::as_ref);
        self.package.env.is_empty() && matches!(scheme, Some("bearer" | "api_key" | "oauth2"))
    }
}
