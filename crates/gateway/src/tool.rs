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
    call_description: String,
    concerns: Vec<Concern>,
    chain: Vec<String>,
    /// Grants for this tool alone, from a bridge command.
    extra_grants: BTreeSet<Grant>,
    manifest: Arc<Manifest>,
    /// The views for clients of revisions before 2026, and of revisions since then.
    views: [Option<McpView>; 2],
}

/// The view that clients of some revisions of MCP have of a tool.
#[derive(Debug)]
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
        &self.call_description
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
        &self.extra_grants
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

    /// Returns all tools of a manifest.
    pub(crate) fn of_manifest(manifest: &Arc<Manifest>) -> ManifestTools {
        classify_tools(manifest.tools(), manifest)
    }

    /// Returns the tools that a bridge command names. Fails if one of them is missing or
    /// cannot be served. In an MCPB bundle, a tool has the name that the bundle lists, if
    /// that is unique.
    pub(crate) fn for_bridge(
        manifest: &Arc<Manifest>,
        spec: &BridgeSpec,
    ) -> Result<Vec<Self>, String> {
        let (mut chosen, mut all_grants) = (Vec::new(), Vec::new());
        for BridgeTool { id, accepted, untrusted } in &spec.tools {
            let Some(tool) = manifest.tool(id) else {
                return Err(format!("the source has no tool {}", quoted(id)));
            };
            match bridge_grants(tool, spec.host, accepted, *untrusted) {
                Ok(grants) => all_grants.push(grants),
                Err(why) => return Err(format!("{}: {why}", quoted(id))),
            }
            // A disabled tool is served: the command accepts that, or its host enforces the
            // switch itself.
            chosen.push(ToolDescriptor { enabled: None, ..tool.clone() });
        }
        let ManifestTools { mut served, skipped, .. } = classify_tools(&chosen, manifest);
        // All tools are served, or none.
        if let Some(skipped) = skipped.first() {
            return Err(skipped.to_string());
        }
        let names: Vec<&str> = chosen.iter().map(mcpb::tool_name).collect();
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for name in &names {
            *uses.entry(name).or_default() += 1;
        }
        for ((tool, grants), name) in served.iter_mut().zip(all_grants).zip(&names) {
            tool.extra_grants = grants;
            let is_unique = uses.get(name) == Some(&1);
            if is_unique && MCP_NAME.accepts(name) && spec.host.name == mcpb::FORMAT.name {
                tool.rename(name);
            }
        }
        Ok(served)
    }

    fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        for view in self.views.iter_mut().flatten() {
            view.json.insert("name".to_owned(), name.into());
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
    let exports = [Revision::R20251125, Revision::R20260728]
        .map(|revision| export(tools, &Options::new(Target::Mcp(revision))));
    let mut reasons = BTreeMap::new();
    for skipped in exports.iter().flat_map(|export| &export.skipped) {
        if let Some(reason) = skipped.reasons.first() {
            reasons.insert(skipped.index, reason.to_string());
        }
    }
    let mut offers = exports.map(|export| {
        let offers = export.offers.into_iter().map(|offer| (offer.index, offer));
        offers.collect::<BTreeMap<_, _>>()
    });
    let mut sorted = ManifestTools::default();
    for (index, tool) in tools.iter().enumerate() {
        if let Some(pin) = tool.invocations().find_map(Invocation::pin) {
            sorted.pinned.push((tool.id.to_string(), pin));
            continue;
        }
        let offers = offers.each_mut().map(|offers| offers.remove(&index));
        let name = offers.iter().flatten().next().map(|offer| offer.name.clone());
        let views = offers.map(|offer| mcp_view(&offer?));
        let why = match name {
            _ if !tool.has_call() => "no call could be read from the manifest",
            Some(name) if views.iter().any(Option::is_some) => {
                sorted.served.push(served_tool(name, views, tool, manifest));
                continue;
            }
            _ => reasons.get(&index).map_or("its input schema cannot be run", String::as_str),
        };
        sorted.skipped.push(SkippedItem::tool(manifest.path(), &tool.id, why));
    }
    sorted
}

fn served_tool(
    name: String,
    views: [Option<McpView>; 2],
    tool: &ToolDescriptor<'_>,
    manifest: &Arc<Manifest>,
) -> Tool {
    let rules = (manifest.format().contract)(tool).host_rules;
    let mut chain = Vec::new();
    if tool.is_chain() {
        chain.extend(tool.chain.iter().map(|step| step.tool.to_string()));
    }
    Tool {
        name,
        id: tool.id.to_string(),
        version: tool.package.version.as_ref().map(|version| printable(version, 64)),
        call_description: describe_calls(tool),
        concerns: with_server_grants(Policy::default()).concerns(tool, &rules),
        chain,
        extra_grants: BTreeSet::new(),
        manifest: Arc::clone(manifest),
        views,
    }
}

/// Returns the view of a tool that is offered, or `None` if its arguments cannot be checked.
fn mcp_view(offer: &Offer<'_, '_>) -> Option<McpView> {
    let limits = Limits::default();
    let mut json: Map<String, Value> = serde_json::from_str(offer.json.as_str()).ok()?;
    let arguments = offer.argument_converter(&limits).ok()?;
    // Results need no output schema, so it is dropped if it cannot be used.
    let result = offer.result_converter(&limits).and_then(Result::ok);
    if result.is_none() {
        json.shift_remove("outputSchema");
    }
    Some(McpView { json, arguments, result })
}
