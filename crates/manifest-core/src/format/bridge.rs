//! The command line by which a target calls the bridge, if it cannot express the call.

use std::collections::BTreeSet;

use super::accept::Accept;
use super::definition::{Context, Format};
use super::fit::file_name;
use super::writer::{How, Slot, Writer};
use crate::descriptor::pin::{LAUNCHER, MODULE, PROGRAM, SOURCES, TOOLS};
use crate::descriptor::{Caution, ToolDescriptor};
use crate::provenance::Place;

/// One word of the bridge's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BridgeWord {
    /// The word itself.
    pub text: String,
    from: From,
}

/// The provenance of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum From {
    /// The word is fixed by the bridge.
    Bridge,
    /// The word is the digest of the source.
    Source,
    /// The word is the id of the tool, which comes from these places.
    Id(Vec<Place>),
    /// The word accepts a loss: the target cannot express the value at these places.
    Accepted(Vec<Place>),
}

impl BridgeWord {
    /// Creates a word that is fixed by the bridge.
    pub fn fixed(word: &str) -> Self {
        Self { text: word.to_owned(), from: From::Bridge }
    }

    /// Writes the command line as one string.
    pub fn write_line(words: &[Self], line: &str, slot: Slot<'_, '_>) {
        let accepted = words.iter().any(|word| matches!(word.from, From::Accepted(_)));
        let places = words.iter().flat_map(|word| match &word.from {
            From::Bridge | From::Source => [].as_slice(),
            From::Id(places) | From::Accepted(places) => places,
        });
        let places: BTreeSet<Place> = places.copied().collect();
        let places: Vec<Place> = places.into_iter().collect();
        slot.seal_by(line, &places, if accepted { SEALED_ACCEPTED } else { SEALED });
    }

    /// Writes the words as elements of an array.
    pub fn write_all(words: &[Self], writer: &mut Writer<'_>) {
        for Self { text, from } in words {
            let slot = writer.item();
            match from {
                From::Bridge => slot.bridge(text),
                From::Source => slot.seal(text),
                From::Id(places) => slot.bridge_to(text, places),
                From::Accepted(places) => slot.put(How::Bridge, ACCEPTED, places, text.into()),
            }
        }
    }
}

/// The reason for a word that depends on more than the tool.
const ACCEPTED: &str = "it was accepted by name, and the bridge is told so";

/// The reasons for a command line that is one string.
const SEALED: &str = "it names the source by its digest, and the tool";
const SEALED_ACCEPTED: &str =
    "it names the source by its digest, the tool, and what was accepted by name";

impl Format {
    /// Returns the losses that must have been accepted for this tool to be in the format.
    pub fn accepted(&self, tool: &ToolDescriptor<'_>) -> Vec<Accept> {
        let caution = Caution::of(tool);
        let asked = [
            (!caution.is_enabled() && !self.words.disabled, Accept::Disabled),
            (caution.declares_approval() && !self.words.approval, Accept::Approval),
        ];
        asked.into_iter().filter_map(|(is_so, accept)| is_so.then_some(accept)).collect()
    }
}

impl Context<'_> {
    /// Returns the arguments that identify a tool to the bridge.
    fn bridge_arguments(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = ["--for", self.format.name, "--source"].map(BridgeWord::fixed).to_vec();
        line.push(BridgeWord { text: format!("sha256:{}", self.digest), from: From::Source });
        line.push(BridgeWord::fixed("--tool"));
        line.push(BridgeWord { text: tool.id.to_string(), from: From::Id(tool.id_places()) });
        for accepted in self.format.accepted(tool) {
            let caution = Caution::of(tool);
            let claim = match accepted {
                Accept::Disabled => caution.enabled.at(),
                Accept::Approval | Accept::Bridge | Accept::Version => caution.approval.at(),
            };
            line.extend(["--accept", accepted.word()].map(|word| BridgeWord {
                text: word.to_owned(),
                from: From::Accepted(claim.to_vec()),
            }));
        }
        if self.defaults.private {
            line.extend(["--allow", "private"].map(BridgeWord::fixed));
        }
        line
    }

    /// Returns the bridge's command line. Options may follow the id of the tool.
    ///
    /// `toolglot bridge --for FORMAT --source sha256:HEX --tool ID`
    pub fn bridge(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = [PROGRAM, "bridge"].map(BridgeWord::fixed).to_vec();
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// Like [`Context::bridge`], for a format whose programs are below a folder of its own.
    pub fn launcher(&self, folder: &str, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = vec![BridgeWord::fixed(&format!("{folder}{LAUNCHER}"))];
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// Returns the URL to which a call through the gateway is sent, if there is a gateway.
    /// The arguments are the body of the request.
    pub fn gateway_url(&self, tool: &ToolDescriptor<'_>) -> Option<String> {
        let gateway = self.defaults.gateway.as_deref()?.trim_end_matches('/');
        Some(format!("{gateway}{SOURCES}{}{TOOLS}{}", self.digest, file_name(&tool.id)))
    }

    /// Returns the path of the module that makes the call, for a format that calls modules.
    /// The path contains the digest of the source, and a file name for the tool.
    pub fn bridge_module(&self, tool: &ToolDescriptor<'_>) -> String {
        format!("{LAUNCHER}/{}/{}{MODULE}", self.digest, file_name(&tool.id))
    }
}
