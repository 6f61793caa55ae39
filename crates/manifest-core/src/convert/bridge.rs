//! The line that a target calls a tool by when it has no words for the call.

use super::Accept;
use super::format::Context;
use super::writer::{How, Slot, Writer};
use crate::descriptor::{Caution, Command, Invocation, Node, ToolDescriptor};
use crate::provenance::Place;

/// One word of the bridge's line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)]
pub struct BridgeWord {
    /// The word.
    pub text: String,
    /// Whether it is there for the bridge, is the digest of the source, or stands for
    /// what the target has no word for.
    pub how: How,
    /// What in the source it says.
    pub places: Vec<Place>,
}

impl BridgeWord {
    /// Writes the whole line as one string.
    pub fn write_line(words: &[Self], line: &str, slot: Slot<'_, '_>) {
        let places: Vec<Place> = words.iter().flat_map(|word| word.places.clone()).collect();
        if words.iter().any(|word| word.how == How::Approximated) {
            slot.approximate(line, &places, ACCEPTED);
        } else {
            slot.seal_by(line, &places);
        }
    }

    /// Writes the words as elements of an array.
    pub fn write_all(words: &[Self], writer: &mut Writer<'_>) {
        for Self { text, how, places } in words {
            match how {
                How::Seal => writer.item().seal(text),
                How::Approximated => writer.item().approximate(text, places, ACCEPTED),
                _ => writer.item().bridge_by(text, places),
            }
        }
    }
}

/// The program, and the launcher of formats that want one below their own folder.
const PROGRAM: &str = "toolglot";
const LAUNCHER: &str = "toolglot-bridge";

/// Why a word of the line depends on more than the tool.
pub(super) const ACCEPTED: &str =
    "the target has no word for it: the bridge is told that it was accepted";

impl From<&str> for BridgeWord {
    fn from(word: &str) -> Self {
        Self { text: word.to_owned(), how: How::Bridge, places: Vec::new() }
    }
}

/// What a bridge's line is pinned to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pin {
    /// SHA-256 of the source, in hexadecimal.
    pub source: String,
    /// The id of the tool there.
    pub tool: String,
}

impl Context<'_> {
    /// The arguments that name a tool to the bridge.
    fn bridge_arguments(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = ["--for", self.format.name, "--source"].map(BridgeWord::from).to_vec();
        let seal = format!("sha256:{}", self.digest);
        line.push(BridgeWord { how: How::Seal, ..seal.as_str().into() });
        line.push("--tool".into());
        line.push(BridgeWord { places: tool.id_places(), ..tool.id.as_ref().into() });
        // What the target has no word for was accepted, or the tool would not be here.
        let caution = Caution::of(tool);
        let words = self.format.words;
        let mut accept = |word: Accept, claim: &[Place]| {
            line.extend(["--accept", word.word()].map(|word| BridgeWord {
                how: How::Approximated,
                places: claim.to_vec(),
                ..word.into()
            }));
        };
        if !caution.is_enabled() && !words.disabled {
            accept(Accept::Disabled, caution.enabled.at());
        }
        if caution.declares_approval() && !words.approval {
            accept(Accept::Approval, caution.approval.at());
        }
        line
    }

    /// The bridge's line: `toolglot bridge --for FORMAT --source sha256:HEX --tool ID`.
    pub fn bridge(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = [PROGRAM, "bridge"].map(BridgeWord::from).to_vec();
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// The same line for a format whose programs are below a folder of its own.
    pub fn launcher(&self, folder: &str, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = vec![BridgeWord::from(format!("{folder}{LAUNCHER}").as_str())];
        line.extend(self.bridge_arguments(tool));
        line
    }
}

impl Invocation<'_> {
    /// What the call is pinned to, if it is the bridge's line.
    pub fn pin(&self) -> Option<Pin> {
        let words: Vec<&str> = match self {
            Self::Command(Command { argv, cwd: _, input: _ }) => {
                argv.iter().map(|word| word.as_ref()).collect()
            }
            Self::CommandLine(line) => line.split_whitespace().collect(),
            // The module names its source itself.
            Self::Node(Node { main, export: _ }) => {
                let is_bridge = main.rsplit('/').next() == Some("toolglot-bridge.mjs");
                let nameless = Pin { source: String::new(), tool: String::new() };
                return is_bridge.then_some(nameless);
            }
            Self::Http(_)
            | Self::McpTool(_)
            | Self::RegistryTool(_)
            | Self::Python(_)
            | Self::A2a(_) => return None,
        };
        let program = words.first()?.rsplit(['/', '\\']).next()?;
        let program = program.strip_suffix(".exe").unwrap_or(program);
        let called = program == LAUNCHER || program == PROGRAM && words.get(1) == Some(&"bridge");
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).map(|word| word.trim_matches('\'').to_owned())
        };
        called.then(|| Pin {
            source: after("--source")
                .map(|source| source.trim_start_matches("sha256:").to_owned())
                .unwrap_or_default(),
            tool: after("--tool").unwrap_or_default(),
        })
    }
}
