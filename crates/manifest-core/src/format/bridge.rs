//! The command line by which a target calls the bridge, if it cannot express the call.

use std::collections::BTreeSet;

use super::accept::AcceptedLoss;
use super::definition::{Context, Format};
use super::fit::file_name;
use super::writer::{Derivation, Slot, Writer};
use crate::descriptor::pin::{LAUNCHER, MODULE_SUFFIX, PROGRAM, SOURCES_PATH, TOOLS_PATH};
use crate::descriptor::{RiskProfile, ToolDescriptor};
use crate::provenance::Place;

/// One word of the bridge's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BridgeArg {
    /// The word itself.
    pub text: String,
    source: ArgSource,
}

/// The provenance of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum ArgSource {
    /// The word is fixed by the bridge.
    Bridge,
    /// The word is the digest of the source.
    Source,
    /// The word is the id of the tool, which comes from these places.
    Id(Vec<Place>),
    /// The word accepts a loss: the target cannot express the value at these places.
    Loss(Vec<Place>),
}

impl BridgeArg {
    /// Creates a word that is fixed by the bridge.
    pub fn fixed(word: &str) -> Self {
        Self { text: word.to_owned(), source: ArgSource::Bridge }
    }

    /// Writes the command line as one string.
    pub fn write_line(words: &[Self], line: &str, slot: Slot<'_, '_>) {
        let mut reason = LINE_REASON;
        let mut all = BTreeSet::new();
        for word in words {
            match &word.source {
                ArgSource::Bridge | ArgSource::Source => {}
                ArgSource::Id(places) => all.extend(places),
                ArgSource::Loss(places) => {
                    reason = LINE_REASON_WITH_LOSS;
                    all.extend(places);
                }
            }
        }
        slot.seal_from(line, &Vec::from_iter(all), reason);
    }

    /// Writes the words as elements of an array.
    pub fn write_all(words: &[Self], writer: &mut Writer<'_>) {
        for Self { text, source } in words {
            let slot = writer.item();
            match source {
                ArgSource::Bridge => slot.bridge(text),
                ArgSource::Source => slot.seal(text),
                ArgSource::Id(places) => slot.bridge_from(text, places),
                ArgSource::Loss(places) => {
                    slot.put(Derivation::Bridge, LOSS_REASON, places, text.into());
                }
            }
        }
    }
}

/// The reason for a word that depends on more than the tool.
const LOSS_REASON: &str = "it was accepted by name, and the bridge is told so";

/// The reasons for a command line that is one string.
const LINE_REASON: &str = "it names the source by its digest, and the tool";
const LINE_REASON_WITH_LOSS: &str =
    "it names the source by its digest, the tool, and what was accepted by name";

impl Format {
    /// Returns the losses that must have been accepted for this tool to be in the format.
    pub fn losses_to_accept(&self, tool: &ToolDescriptor<'_>) -> Vec<AcceptedLoss> {
        let risk = RiskProfile::of(tool);
        let mut losses = Vec::new();
        if !risk.is_enabled() && !self.safety_features.disabled {
            losses.push(AcceptedLoss::Disabled);
        }
        if risk.declares_approval() && !self.safety_features.approval {
            losses.push(AcceptedLoss::Approval);
        }
        losses
    }
}

impl Context<'_> {
    /// Returns the arguments that name the format and the source to the bridge.
    pub fn bridge_source(&self) -> Vec<BridgeArg> {
        let mut line = ["--for", self.format.name, "--source"].map(BridgeArg::fixed).to_vec();
        line.push(BridgeArg { text: format!("sha256:{}", self.digest), source: ArgSource::Source });
        line
    }

    /// Returns the arguments that name a tool to the bridge, and the options of its call.
    pub fn bridge_tool(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeArg> {
        let mut line = vec![BridgeArg::fixed("--tool")];
        line.push(BridgeArg { text: tool.id.to_string(), source: ArgSource::Id(tool.id_places()) });
        for accepted in self.format.losses_to_accept(tool) {
            let risk = RiskProfile::of(tool);
            let places = match accepted {
                AcceptedLoss::Disabled => risk.enabled.places(),
                AcceptedLoss::Approval | AcceptedLoss::Bridge | AcceptedLoss::Version => {
                    risk.approval.places()
                }
            };
            for word in ["--accept", accepted.word()] {
                let source = ArgSource::Loss(places.to_vec());
                line.push(BridgeArg { text: word.to_owned(), source });
            }
        }
        if self.defaults.private {
            line.extend(["--allow", "private"].map(BridgeArg::fixed));
        }
        line
    }

    /// Returns the beginning of the bridge's command line, up to the source.
    pub fn bridge_start(&self) -> Vec<BridgeArg> {
        let mut line = [PROGRAM, "bridge"].map(BridgeArg::fixed).to_vec();
        line.extend(self.bridge_source());
        line
    }

    /// Returns the bridge's command line. Options may follow the id of the tool.
    ///
    /// `toolglot bridge --for FORMAT --source sha256:HEX --tool ID`
    pub fn bridge_argv(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeArg> {
        let mut line = self.bridge_start();
        line.extend(self.bridge_tool(tool));
        line
    }

    /// Like [`Context::bridge_argv`], for a format whose programs are below a folder of its own.
    pub fn launcher_argv(&self, folder: &str, tool: &ToolDescriptor<'_>) -> Vec<BridgeArg> {
        let mut line = vec![BridgeArg::fixed(&format!("{folder}{LAUNCHER}"))];
        line.extend(self.bridge_source());
        line.extend(self.bridge_tool(tool));
        line
    }

    /// Returns the URL to which a call through the gateway is sent, if there is a gateway.
    /// The arguments are the body of the request.
    pub fn gateway_url(&self, tool: &ToolDescriptor<'_>) -> Option<String> {
        let gateway = self.defaults.gateway.as_deref()?.trim_end_matches('/');
        Some(format!("{gateway}{SOURCES_PATH}{}{TOOLS_PATH}{}", self.digest, file_name(&tool.id)))
    }

    /// Returns the path of the module that makes the call, for a format that calls modules.
    /// The path contains the digest of the source, and a file name for the tool.
    pub fn bridge_module(&self, tool: &ToolDescriptor<'_>) -> String {
        format!("{LAUNCHER}/{}/{}{MODULE_SUFFIX}", self.digest, file_name(&tool.id))
    }
}
