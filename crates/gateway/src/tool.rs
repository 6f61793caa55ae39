//! One tool, as it is offered to clients.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};
use toolglot::call::{Concern, Grant, Policy};
use toolglot::core::format::file_name;
use toolglot::core::{printable, quoted};
use toolglot::descriptor::{Invocation, Pin};
use toolglot::providers::{self, MCP_NAME, Offer, Options, Revision, Target, export};
use toolglot::{Limits, ToolDescriptor, mcpb};

use crate::bridge_spec::{BridgeSpec, BridgeTool, bridge_grants};
use crate::call_description::describe_calls;
use crate::manifest::Manifest;
use crate::plan::with_server_grants;
use crate::skipped::SkippedItem;

/// A tool that is served.
pub struct Tool {
    name: String,
    id: String,
    version: Option<String>,
    target: String,
    concerns: Vec<Concern>,
    chain: Vec<String>,
    /// Grants for this tool alone, from a bridge command.
    granted: BTreeSet<Grant>,
    manifest: Arc<Manifest>,
    /// The views for clients of revisions before 2026, and of revisions since then.
    views: [Option<McpView>; 2],
}

/// The view that clients of some revisions of MCP have of a tool.
pub struct McpView {
    /// The tool's entry in `tools/list`.
    pub json: Map<String, Value>,
    /// Decodes and checks the arguments that a client sends.
    pub arguments: providers::ValueConverter,
    /// Encodes results, if clients are given an output schema.
    pub result: Option<providers::ValueConverter>,
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for McpView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Face").field("json", &self.json).finish_non_exhaustive()
    }
}

impl Tool {
    /// Returns the name that clients use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id in the manifest.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the version, if the manifest declares one.
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// Returns a description of its calls, for people.
    pub fn call_description(&self) -> &str {
        &self.target
    }

    /// Returns the concerns that a person is asked about before a call.
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// Returns the ids of the tools that its steps call, in order. Empty unless it is a
    /// chain.
    pub fn chain(&self) -> &[String] {
        &self.chain
    }

    /// Returns the grants for this tool alone, in addition to those for all tools.
    pub(crate) fn extra_grants(&self) -> &BTreeSet<Grant> {
        &self.granted
    }

    /// Returns the manifest that declares it.
    pub fn manifest(&self) -> &Arc<Manifest> {
        &self.manifest
    }

    /// Returns its view for clients of a revision, or `None` if it cannot be offered to
    /// them.
    pub fn mcp_view(&self, revision: Revision) -> Option<&McpView> {
        let [before, since] = &self.views;
        if revision < Revision::R20260728 { before.as_ref() } else { since.as_ref() }
    }

    /// Reads all tools of a manifest.
    pub(crate) fn read_all(manifest: &Arc<Manifest>) -> Result<ManifestTools, String> {
        let read = manifest.with_tools(|tools| classify_tools(tools, manifest));
        read.map_err(|report| report.to_string())
    }

    /// Reads the tools that a bridge command names. Fails if one of them is missing or
    /// cannot be served. In an MCPB bundle, a tool has the name that the bundle lists, if
    /// that is unique.
    pub(crate) fn for_bridge(
        manifest: &Arc<Manifest>,
        line: &BridgeSpec,
    ) -> Result<Vec<Self>, String> {
        let read = manifest.with_tools(|tools| {
            let (mut chosen, mut granted) = (Vec::new(), Vec::new());
            for BridgeTool { id, accepted, untrusted } in &line.tools {
                let found = tools.iter().find(|tool| *tool.id == *id);
                let tool = found.ok_or_else(|| format!("the source has no tool {}", quoted(id)))?;
                let grants = bridge_grants(tool, line.host, accepted, *untrusted);
                granted.push(grants.map_err(|why| format!("{}: {why}", quoted(id)))?);
                // A disabled tool is served: the command accepts that, or its host enforces
                // the switch itself.
                chosen.push(ToolDescriptor { enabled: None, ..tool.clone() });
            }
            let ManifestTools { mut served, skipped: left_out, .. } =
                classify_tools(&chosen, manifest);
            // All tools are served, or none.
            if let Some(left) = left_out.first() {
                return Err(left.to_string());
            }
            let names: Vec<&str> = chosen.iter().map(mcpb::tool_name).collect();
            let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
            for name in &names {
                *shared.entry(name).or_default() += 1;
            }
            for ((tool, granted), name) in served.iter_mut().zip(granted).zip(&names) {
                tool.granted = granted;
                let is_own = shared.get(name) == Some(&1) && MCP_NAME.accepts(name);
                if is_own && line.host.name == mcpb::FORMAT.name {
                    tool.rename(name);
                }
            }
            Ok(served)
        });
        read.map_err(|report| report.to_string())?
    }

    fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        for face in self.views.iter_mut().flatten() {
            face.json.insert("name".to_owned(), name.into());
        }
    }

    /// Returns true if a converted tool is pinned to this tool.
    pub(crate) fn matches_pin(&self, digest: &str, name: &str) -> bool {
        let is_named = self.id == name || file_name(&self.id) == name;
        self.manifest.digest() == digest && is_named
    }
}

/// The tools of a manifest, by their use.
#[derive(Default)]
pub(crate) struct ManifestTools {
    pub(crate) served: Vec<Tool>,
    pub(crate) skipped: Vec<SkippedItem>,
    /// The ids of converted tools, with their pins.
    pub(crate) pinned: Vec<(String, Pin)>,
}

fn classify_tools(tools: &[ToolDescriptor<'_>], manifest: &Arc<Manifest>) -> ManifestTools {
    let limits = Limits::default();
    let exports = [Revision::R20251125, Revision::R20260728]
        .map(|revision| export(tools, &Options::new(Target::Mcp(revision))));
    let reasons: BTreeMap<usize, String> = exports
        .iter()
        .flat_map(|export| &export.skipped)
        .filter_map(|left| Some((left.index, left.reasons.first()?.to_string())))
        .collect();
    let mut offers = exports.map(|export| {
        let offers = export.offers.into_iter().map(|offer| (offer.index, offer));
        offers.collect::<BTreeMap<_, _>>()
    });
    let ManifestTools { mut served, skipped: mut left_out, mut pinned } = ManifestTools::default();
    let mut leave = |id: &str, why: &str| {
        left_out.push(SkippedItem::tool(manifest.path(), id, why));
    };
    for (index, tool) in tools.iter().enumerate() {
        if let Some(pin) = tool.invocations().find_map(Invocation::pin) {
            pinned.push((tool.id.to_string(), pin));
            continue;
        }
        if !tool.has_call() {
            leave(&tool.id, "no call could be read from the manifest");
            continue;
        }
        let taken = offers.each_mut().map(|offers| offers.remove(&index));
        let name = taken.iter().flatten().map(|offer| offer.name.clone()).next();
        let faces = taken.map(|offer| offer.and_then(|offer| mcp_view(&offer, &limits)));
        let Some(name) = name.filter(|_| faces.iter().any(Option::is_some)) else {
            let why = reasons.get(&index).map(String::as_str);
            leave(&tool.id, why.unwrap_or("its input schema cannot be run"));
            continue;
        };
        let version = tool.package.version.as_ref().map(|version| printable(version, 64));
        let calling = (manifest.format().contract)(tool).host_rules;
        served.push(Tool {
            name,
            id: tool.id.to_string(),
            version,
            target: describe_calls(tool),
            concerns: with_server_grants(Policy::default()).concerns(tool, &calling),
            chain: if tool.is_chain() {
                tool.chain.iter().map(|step| step.tool.to_string()).collect()
            } else {
                Vec::new()
            },
            granted: BTreeSet::new(),
            manifest: Arc::clone(manifest),
            views: faces,
        });
    }
    ManifestTools { served, skipped: left_out, pinned }
}

fn mcp_view(offer: &Offer<'_, '_>, limits: &Limits) -> Option<McpView> {
    let json = serde_json::from_str(offer.json.as_str()).ok()?;
    let arguments = offer.argument_converter(limits).ok()?;
    // Results need no output schema, so it is dropped if it cannot be used.
    let result = offer.result_converter(limits).and_then(Result::ok);
    let mut face = McpView { json, arguments, result };
    if face.result.is_none() {
        face.json.shift_remove("outputSchema");
    }
    Some(face)
}
