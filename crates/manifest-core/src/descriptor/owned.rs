//! Descriptors that outlive the document they were read from.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::call::{
    Acquisition, Body, Command, CommandInput, Http, Implementation, Invocation, McpTool, Node,
    RegistryTool, Step,
};
use super::enums::{
    Channel, ErrorEnvelope, Filesystem, Kind, Network, OutputFormat, SideEffects, Trust,
};
use super::parts::{
    Auth, Cost, EnvVar, Example, Origin, Package, Permissions, Publisher, Sandbox, Scope, Support,
};
use super::shared_argv::SharedArgv;
use super::tool::{LiftedDocument, ToolDescriptor};
use crate::provenance::{Place, Sourced};
use json_text::{KeyedList, Number, Raw, Text};

impl ToolDescriptor<'_> {
    /// Returns the same tool with its own copy of every text, so that it outlives its
    /// document. Its values keep their places.
    ///
    /// To keep all tools of a document, use [`LiftedDocument::into_owned`]: its tools go on
    /// sharing their packages.
    ///
    /// ```
    /// use toolglot_manifest_core::ToolDescriptor;
    ///
    /// fn keep(name: &str) -> ToolDescriptor<'static> {
    ///     ToolDescriptor { id: name.into(), ..ToolDescriptor::default() }.into_owned()
    /// }
    /// assert_eq!(*keep(&"find".to_owned()).id, "find");
    /// ```
    pub fn into_owned(self) -> ToolDescriptor<'static> {
        self.detach(&mut SharedParts::default())
    }
}

impl LiftedDocument<'_> {
    /// Returns the same tools with their own copy of every text, so that they outlive the
    /// document. Values keep their places, and tools that share a package still do.
    pub fn into_owned(self) -> LiftedDocument<'static> {
        let Self { tools, is_list, marks, influences } = self;
        let tools = tools.detach(&mut SharedParts::default());
        LiftedDocument { tools, is_list, marks, influences }
    }
}

/// The parts that tools share in memory, by their address, with their copies. A shared part
/// is copied once. The originals are kept, so that no address is used twice.
#[derive(Default)]
struct SharedParts<'a> {
    packages: BTreeMap<usize, (Arc<Package<'a>>, Arc<Package<'static>>)>,
    command_lines: BTreeMap<usize, (SharedArgv<'a>, SharedArgv<'static>)>,
}

/// A value that can be copied out of the document that it was read from.
trait Detach<'a> {
    /// The copy, which borrows nothing.
    type Owned;

    /// Returns the copy.
    fn detach(self, shared: &mut SharedParts<'a>) -> Self::Owned;
}

impl<'a> Detach<'a> for Text<'a> {
    type Owned = Text<'static>;

    fn detach(self, _: &mut SharedParts<'a>) -> Text<'static> {
        Text::Owned(self.into_owned())
    }
}

impl<'a> Detach<'a> for Raw<'a> {
    type Owned = Raw<'static>;

    fn detach(self, _: &mut SharedParts<'a>) -> Raw<'static> {
        self.into_owned()
    }
}

impl<'a> Detach<'a> for Number<'a> {
    type Owned = Number<'static>;

    fn detach(self, _: &mut SharedParts<'a>) -> Number<'static> {
        self.into_owned()
    }
}

impl<'a, T: Detach<'a>> Detach<'a> for Sourced<T> {
    type Owned = Sourced<T::Owned>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Self::Owned {
        let Self { value, at } = self;
        Sourced { value: value.detach(shared), at }
    }
}

impl<'a, T: Detach<'a>> Detach<'a> for Option<T> {
    type Owned = Option<T::Owned>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Self::Owned {
        self.map(|value| value.detach(shared))
    }
}

impl<'a, T: Detach<'a>> Detach<'a> for Vec<T> {
    type Owned = Vec<T::Owned>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Self::Owned {
        self.into_iter().map(|value| value.detach(shared)).collect()
    }
}

impl<'a, T: Detach<'a>> Detach<'a> for KeyedList<'a, T> {
    type Owned = KeyedList<'static, T::Owned>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Self::Owned {
        let entries = self.into_iter();
        entries.map(|(name, value)| (name.detach(shared), value.detach(shared))).collect()
    }
}

impl<'a> Detach<'a> for SharedArgv<'a> {
    type Owned = SharedArgv<'static>;

    fn detach(self, shared: &mut SharedParts<'a>) -> SharedArgv<'static> {
        let address = self.memory_address();
        if let Some((_, copy)) = shared.command_lines.get(&address) {
            return copy.clone();
        }
        let copy = SharedArgv::from(self.to_vec().detach(shared));
        shared.command_lines.insert(address, (self, copy.clone()));
        copy
    }
}

impl<'a> Detach<'a> for Arc<Package<'a>> {
    type Owned = Arc<Package<'static>>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Arc<Package<'static>> {
        let address = Self::as_ptr(&self).addr();
        if let Some((_, copy)) = shared.packages.get(&address) {
            return Arc::clone(copy);
        }
        let copy = Arc::new(Package::clone(&self).detach(shared));
        shared.packages.insert(address, (self, Arc::clone(&copy)));
        copy
    }
}

/// Implements [`Detach`] for types that borrow nothing.
macro_rules! borrow_nothing {
    ($($name:ty),+ $(,)?) => {$(
        impl Detach<'_> for $name {
            type Owned = Self;

            fn detach(self, _: &mut SharedParts<'_>) -> Self {
                self
            }
        }
    )+};
}

borrow_nothing! {
    bool, Place, Body, Channel, ErrorEnvelope, Filesystem, Kind, Network, OutputFormat, SideEffects,
    Trust,
}

/// Implements [`Detach`] for structs. All fields are listed, so that a new field must be
/// decided here.
macro_rules! detach_fields {
    ($($name:ident { $($field:ident),+ $(,)? })+) => {$(
        impl<'a> Detach<'a> for $name<'a> {
            type Owned = $name<'static>;

            fn detach(self, shared: &mut SharedParts<'a>) -> $name<'static> {
                let Self { $($field),+ } = self;
                $name { $($field: $field.detach(shared)),+ }
            }
        }
    )+};
}

detach_fields! {
    ToolDescriptor {
        at, id, name, title, kind, summary, description, input_schema, output_schema, output_format,
        error_envelope, examples, example_files, test_files, invocation, implementations, chain,
        timeout_ms, auth, permissions, scopes_used, sandbox, side_effects, idempotent,
        requires_approval, origin, trust, enabled, channel, package,
    }
    Package {
        at, id, namespace, title, summary, description, version, tags, labels, publisher, homepage,
        license, support, acquisition, command, cwd, url, env, scopes, smoke, verify, revocation,
        cost, data_boundary,
    }
    Cost { install_fee_cents, monthly_fee_cents, usage_model, estimate_url, payment }
    Publisher { id, name, url, email }
    Support { issues_url, security_email, docs_url }
    Example { description, input, output }
    EnvVar { name, prompt, secret, required, pattern, default, obtain_url, reference }
    Auth { scheme, scopes, docs_url }
    Permissions { network, hosts, filesystem, devices }
    Scope { resource, actions, rationale, provider_scope }
    Sandbox { kind, cpu, memory }
    Origin { source, url, path, digest, signature }
    Command { argv, cwd, input }
    Http { method, url, path, headers, body }
    McpTool { tool, argv, cwd, url }
    RegistryTool { registry, tool, server }
    Node { main, export }
    Implementation { id, language, runtime, platforms, requirements, invocation, timeout_ms }
    Step { step, tool, input_mapping, output_key }
}

impl<'a> Detach<'a> for Invocation<'a> {
    type Owned = Invocation<'static>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Invocation<'static> {
        match self {
            Self::Command(call) => Invocation::Command(call.detach(shared)),
            Self::CommandLine(line) => Invocation::CommandLine(line.detach(shared)),
            Self::Http(call) => Invocation::Http(call.detach(shared)),
            Self::McpTool(call) => Invocation::McpTool(call.detach(shared)),
            Self::RegistryTool(call) => Invocation::RegistryTool(call.detach(shared)),
            Self::Python(function) => Invocation::Python(function.detach(shared)),
            Self::Node(call) => Invocation::Node(call.detach(shared)),
            Self::A2a(url) => Invocation::A2a(url.detach(shared)),
        }
    }
}

impl<'a> Detach<'a> for CommandInput<'a> {
    type Owned = CommandInput<'static>;

    fn detach(self, shared: &mut SharedParts<'a>) -> CommandInput<'static> {
        match self {
            Self::Extra => CommandInput::Extra,
            Self::Stdin => CommandInput::Stdin,
            Self::Argument => CommandInput::Argument,
            Self::Templates(words) => CommandInput::Templates(words.detach(shared)),
            Self::TemplatesAndStdin(words) => CommandInput::TemplatesAndStdin(words.detach(shared)),
        }
    }
}

impl<'a> Detach<'a> for Acquisition<'a> {
    type Owned = Acquisition<'static>;

    fn detach(self, shared: &mut SharedParts<'a>) -> Acquisition<'static> {
        match self {
            Self::Pip { package, version_spec } => Acquisition::Pip {
                package: package.detach(shared),
                version_spec: version_spec.detach(shared),
            },
            Self::Npm { package, version_spec } => Acquisition::Npm {
                package: package.detach(shared),
                version_spec: version_spec.detach(shared),
            },
            Self::Git { url, reference, subpath, layout } => Acquisition::Git {
                url: url.detach(shared),
                reference: reference.detach(shared),
                subpath: subpath.detach(shared),
                layout: layout.detach(shared),
            },
            Self::Container { image } => Acquisition::Container { image: image.detach(shared) },
            Self::Download { url, sha256 } => {
                Acquisition::Download { url: url.detach(shared), sha256: sha256.detach(shared) }
            }
            Self::Preinstalled { locator } => {
                Acquisition::Preinstalled { locator: locator.detach(shared) }
            }
        }
    }
}
