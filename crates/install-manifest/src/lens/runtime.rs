//! The runtime that the tools of a manifest share, and its installation.

use manifest_core::descriptor::{Acquisition, Kind, McpTool, Package, same_argv};
use manifest_core::format::{BridgeArg, Context, ToolGroup, Writer};
use manifest_core::json::Node;
use manifest_core::rules;
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor};

use super::call::{self, CallEncoding, encode_call, has_no_actions, is_from_manifest};
use crate::enums::{RuntimeKind, Version};

/// The common parts of all calls of a manifest.
pub(super) struct Runtime<'t, 'a> {
    pub(super) first: &'t ToolDescriptor<'a>,
    pub(super) context: Context<'t>,
    version: Version,
    /// The call of the first tool.
    pub(super) first_call: CallEncoding<'t, 'a>,
    /// The program and the first arguments, which all calls share.
    pub(super) command: &'t [Sourced<Text<'a>>],
    cwd: Option<&'t Sourced<Text<'a>>>,
    url: Option<&'t Sourced<Text<'a>>>,
    /// True if several tools are called through the bridge, each by its id, because this
    /// format cannot express one of their calls, or not all of them in one manifest.
    bridges_each: bool,
}

/// Returns the version of the document to write.
pub(super) fn version(unit: &ToolGroup<'_, '_>) -> Version {
    let ToolGroup { tools, context } = unit;
    if context.same_format
        && let Some(first) = tools.first()
        && let Some(at) = first.package.at
        && let Some(node) = context.node(at)
        && let Some(stated) = node.get("manifest_version").and_then(Node::text)
    {
        return Version::from_word(&stated).unwrap_or(Version::V0_4);
    }
    let chosen = context.version.and_then(|index| Version::WORDS.get(index));
    chosen.and_then(|word| Version::from_word(word)).unwrap_or(Version::V0_4)
}

/// Returns the common value of all items, if they are equal.
fn common_value<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    if all.all(|one| one == first) { Some(first) } else { None }
}

/// A program and its working directory.
#[derive(Clone, Copy, Default)]
struct Start<'t, 'a> {
    command: &'t [Sourced<Text<'a>>],
    cwd: Option<&'t Sourced<Text<'a>>>,
}

impl PartialEq for Start<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        same_argv(self.command, other.command) && self.cwd == other.cwd
    }
}

/// Returns true if a tool's id contains a reference, which a template would replace.
fn has_reference_in_id(tool: &ToolDescriptor<'_>) -> bool {
    tool.id.contains("${")
}

/// Returns the program that a call begins with, if it runs one.
fn start<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Option<Start<'t, 'a>> {
    match encode_call(tool, own) {
        CallEncoding::Program { command, cwd, template: _, stdin: _ } => {
            Some(Start { command, cwd })
        }
        CallEncoding::ServerTool(McpTool { argv, cwd, tool: _, url: _ }) if !argv.is_empty() => {
            Some(Start { command: argv, cwd: cwd.as_ref() })
        }
        _ => None,
    }
}

/// Returns the URL that a call begins with, if it has one.
fn address<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Option<&'t Sourced<Text<'a>>> {
    match encode_call(tool, own) {
        CallEncoding::Request(http) => Some(&http.url),
        CallEncoding::SplitRequest { http, base, path: _ } => match &tool.package.url {
            Some(known) if *known.value == *base => Some(known),
            _ => Some(&http.url),
        },
        CallEncoding::ServerTool(server) => server.url.as_ref(),
        _ => None,
    }
}

impl<'t, 'a> Runtime<'t, 'a> {
    /// Collects the parts that the tools of a document share. Fails if one manifest cannot
    /// contain all of them.
    pub(super) fn collect(
        unit: &ToolGroup<'t, 'a>,
        first: &'t ToolDescriptor<'a>,
    ) -> Result<Self, Diagnostic> {
        let ToolGroup { tools, context } = *unit;
        let version = version(unit);
        let way = encode_call(first, context.same_format);
        let bridged = !context.same_format && matches!(way, CallEncoding::Bridge);
        let own = context.same_format;
        let Package { command, cwd, url, .. } = &*first.package;
        let (mut shared, mut url) = (Start { command, cwd: cwd.as_ref() }, url.as_ref());
        if bridged {
            (shared, url) = (Start::default(), None);
        }
        let starts = common_value(tools.iter().filter_map(|tool| start(tool, own)));
        let addresses = common_value(tools.iter().filter_map(|tool| address(tool, own)));
        let Start { command, cwd } = starts.unwrap_or(shared);
        let url = addresses.or(url);
        let mut runtime = Self {
            first,
            context,
            version,
            first_call: way,
            command,
            cwd,
            url,
            bridges_each: false,
        };
        runtime.first_call = runtime.encode_shared(first);
        runtime.check_version()?;
        let bridged =
            tools.iter().find(|tool| matches!(runtime.encode_shared(tool), CallEncoding::Bridge));
        let Some(bridged) = bridged else { return Ok(runtime) };
        if !own && tools.len() > 1 && !tools.iter().any(has_reference_in_id) {
            return Ok(Self {
                first_call: CallEncoding::Bridge,
                command: &[],
                cwd: None,
                url: None,
                bridges_each: true,
                ..runtime
            });
        }
        if own || tools.len() > 1 {
            let message = "the actions of a manifest begin with the same command and URL";
            return Err(context.error_at(&rules::CONFLICT, bridged.at, message));
        }
        Ok(runtime)
    }

    /// Returns how to write the invocation of a tool.
    pub(super) fn encode_action(&self, tool: &'t ToolDescriptor<'a>) -> CallEncoding<'t, 'a> {
        if self.bridges_each { CallEncoding::SharedBridge } else { self.encode_shared(tool) }
    }

    /// Returns how a tool is called with the shared command and URL.
    pub(super) fn encode_shared(&self, tool: &'t ToolDescriptor<'a>) -> CallEncoding<'t, 'a> {
        let own = self.context.same_format;
        let way = encode_call(tool, own);
        let shared = Start { command: self.command, cwd: self.cwd };
        let begins = start(tool, own).unwrap_or(shared) == shared
            && address(tool, own).or(self.url) == self.url;
        if begins && !(own && matches!(way, CallEncoding::Bridge)) {
            return way;
        }
        if own
            && let Some(at) = tool.at
            && at.document == 0
            && let Some(node) = self.context.node(at)
            && let Some(invocation) = node.get("invocation")
        {
            return CallEncoding::SourceInvocation(invocation, at);
        }
        CallEncoding::Bridge
    }

    /// Fails if the version cannot express the tools.
    fn check_version(&self) -> Result<(), Diagnostic> {
        let Self { first, context, version, .. } = self;
        if context.same_format {
            return Ok(());
        }
        let preinstalled = match &first.package.acquisition {
            Some(Sourced { value: Acquisition::Preinstalled { locator: _ }, at }) => Some(*at),
            Some(_) => None,
            None => Some(first.at),
        };
        let (at, message) = if let Some(at) = preinstalled
            && *version < Version::V0_4
        {
            (at, "has no word for a program that is there already; convert to 0.4")
        } else if *version < Version::V0_2 {
            if has_no_actions(first) {
                return Ok(());
            }
            (first.at, "has no word for actions; convert to 0.2 or later")
        } else if has_no_actions(first) && self.kind() != RuntimeKind::McpStdio {
            (first.at, "requires actions, and the source has none")
        } else {
            return Ok(());
        };
        Err(context.error_at(&rules::VERSION, at, format!("{} {message}", version.word())))
    }

    /// Returns the kind that the source declares if it is a manifest, and its place.
    fn declared_kind(&self) -> Option<(RuntimeKind, Place)> {
        let package = &self.first.package;
        if !is_from_manifest(package) {
            return None;
        }
        let at = package.at?;
        let node = self.context.node(at)?.get("runtime")?.get("kind")?;
        Some((RuntimeKind::from_word(&node.text()?)?, at.with_node(node)))
    }

    fn kind(&self) -> RuntimeKind {
        let package = &self.first.package;
        if let Some((kind, _)) = self.declared_kind() {
            return kind;
        }
        let server =
            has_no_actions(self.first) && self.first.kind.as_deref() == Some(&Kind::McpServer);
        if server || matches!(self.first_call, CallEncoding::ServerTool(_)) {
            let remote = self.command.is_empty() && self.url.is_some();
            return if remote { RuntimeKind::McpHttp } else { RuntimeKind::McpStdio };
        }
        match package.acquisition.as_deref() {
            Some(Acquisition::Pip { .. }) => RuntimeKind::PythonModule,
            Some(Acquisition::Npm { .. }) => RuntimeKind::NodeModule,
            Some(Acquisition::Container { .. }) => RuntimeKind::Container,
            _ => RuntimeKind::ShellBinary,
        }
    }

    pub(super) fn write(&self, w: &mut Writer<'_>) {
        w.member("runtime").object(|w| {
            self.write_kind(w);
            w.member("install").object(|w| self.write_install(w));
            if matches!(self.first_call, CallEncoding::Bridge) {
                let mut line = self.context.bridge_start();
                if !self.bridges_each {
                    line.extend(self.context.bridge_tool(self.first));
                }
                w.member("entrypoint").object(|w| {
                    w.member("command").list(|w| BridgeArg::write_all(&line, w));
                });
            } else {
                w.object_if_any("entrypoint", |w| {
                    w.copy_all("command", self.command);
                    w.copy("cwd", self.cwd);
                });
            }
            match self.first_call {
                CallEncoding::SplitRequest { http, base, path: _ }
                    if self.url == Some(&http.url) =>
                {
                    let at = http.url.at.as_slice();
                    w.member("endpoint_url").approximate(base, at, "the URL up to its path");
                }
                _ => w.copy("endpoint_url", self.url),
            }
        });
    }

    fn write_kind(&self, w: &mut Writer<'_>) {
        let slot = w.member("kind");
        if let Some((kind, at)) = self.declared_kind() {
            return slot.equivalent(kind.word(), &[at]);
        }
        let kind = self.kind().word();
        let ToolDescriptor { invocation, package, .. } = self.first;
        let call = invocation.as_ref().and_then(|call| call.at);
        let installed = package.acquisition.as_ref().and_then(|acquisition| acquisition.at);
        match (&self.first_call, call, installed) {
            (CallEncoding::Bridge, ..) => slot.bridge(kind),
            (CallEncoding::ServerTool(_), Some(at), _) => {
                slot.approximate(kind, &[at], "it follows from the call");
            }
            (_, _, Some(at)) => {
                slot.approximate(kind, &[at], "it follows from how the program is installed");
            }
            (CallEncoding::Request(_) | CallEncoding::SplitRequest { .. }, ..) => {
                slot.assume(kind, "there is no kind for a service that answers requests");
            }
            _ if matches!(self.kind(), RuntimeKind::McpHttp | RuntimeKind::McpStdio) => {
                slot.assume(kind, "it follows from the format of the source");
            }
            _ => slot.assume(kind, "the source does not say what runs the program"),
        }
    }

    fn write_install(&self, w: &mut Writer<'_>) {
        let Some(acquisition) = &self.first.package.acquisition else {
            return self.write_preinstalled(w);
        };
        let mut method =
            |word: &str| w.member("method").equivalent(word, acquisition.at.as_slice());
        match &acquisition.value {
            Acquisition::Pip { package, version_spec } => {
                method("pip");
                w.member("package").copy(package);
                w.copy("version_spec", version_spec.as_ref());
            }
            Acquisition::Npm { package, version_spec } => {
                method("npm");
                w.member("package").copy(package);
                w.copy("version_spec", version_spec.as_ref());
            }
            Acquisition::Git { url, reference, subpath, layout } => {
                method("git");
                w.member("url").copy(url);
                w.member("ref").copy(reference);
                w.copy("subpath", subpath.as_ref());
                let layout = layout.as_ref().filter(|_| self.version >= Version::V0_3_1);
                w.copy("layout", layout);
            }
            Acquisition::Container { image } => {
                method("container");
                w.member("image").copy(image);
            }
            Acquisition::Download { url, sha256 } => {
                method("url");
                w.member("url").copy(url);
                w.member("sha256").copy(sha256);
            }
            Acquisition::Preinstalled { locator } => {
                method("preinstalled");
                w.member("locator").copy(locator);
            }
        }
    }

    /// Writes a preinstalled program: that of the source, or `toolglot` if it lacks one.
    fn write_preinstalled(&self, w: &mut Writer<'_>) {
        const METHOD: [&str; 2] = ["preinstalled", "binary-on-path"];
        let [method, kind] = METHOD;
        if matches!(self.first_call, CallEncoding::Bridge) {
            let before = w.set_bridge_reason("the bridge is to be there already");
            w.member("method").bridge(method);
            w.member("locator").object(|w| {
                w.member("kind").bridge(kind);
                w.member("binary").bridge("toolglot");
            });
            w.set_bridge_reason(before);
            return;
        }
        let why = "the source does not say how it is installed";
        w.member("method").assume(method, why);
        w.member("locator").object(|w| {
            w.member("kind").assume(kind, why);
            match (self.command.first(), call::program_name(self.command)) {
                (Some(program), Some(name)) if name == program.as_ref() => {
                    w.member("binary").copy(program);
                }
                (Some(program), Some(name)) => {
                    let why = "a program is found by its name, not by a path";
                    w.member("binary").approximate(name, program.at.as_slice(), why);
                }
                _ => w
                    .member("binary")
                    .assume("toolglot", "a request needs no program, and one must be named"),
            }
        });
    }
}
