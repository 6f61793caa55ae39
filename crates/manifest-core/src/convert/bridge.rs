//! The line that a target calls a tool by when it has no words for the call.

use std::collections::BTreeSet;

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
    /// Whether it is the digest of the source.
    pub seal: bool,
    /// What in the source it is there for, if it is not for the bridge alone.
    pub places: Vec<Place>,
}

impl BridgeWord {
    /// Writes the whole line as one string.
    pub fn write_line(words: &[Self], line: &str, slot: Slot<'_, '_>) {
        let places: BTreeSet<Place> = words.iter().flat_map(|word| &word.places).copied().collect();
        let places: Vec<Place> = places.into_iter().collect();
        if places.is_empty() {
            slot.seal(line);
        } else {
            slot.put(How::Seal, SEALED, &places, line.into());
        }
    }

    /// Writes the words as elements of an array.
    pub fn write_all(words: &[Self], writer: &mut Writer<'_>) {
        for Self { text, seal, places } in words {
            let slot = writer.item();
            if *seal {
                slot.seal(text);
            } else if places.is_empty() {
                slot.bridge(text);
            } else {
                slot.put(How::Bridge, ACCEPTED, places, text.into());
            }
        }
    }
}

/// The program, and the launcher of formats that want one below their own folder.
const PROGRAM: &str = "toolglot";
const LAUNCHER: &str = "toolglot-bridge";

/// Why a word of the line depends on more than the tool.
const ACCEPTED: &str = "it was accepted by name, and the bridge is told so";

/// The same for a line that is one value.
const SEALED: &str = "it names the source by its digest, and what was accepted by name";

fn fixed(word: &str) -> BridgeWord {
    BridgeWord { text: word.to_owned(), seal: false, places: Vec::new() }
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

impl ToolDescriptor<'_> {
    /// Whether it is said how the tool is called, in one way at least.
    pub(super) fn has_call(&self) -> bool {
        self.invocation.is_some() || !self.implementations.is_empty() || !self.chain.is_empty()
    }

    /// Whether its call is a bridge to another source.
    pub(super) fn is_bridged(&self) -> bool {
        self.invocation.as_deref().is_some_and(|call| call.pin().is_some())
    }
}

impl Context<'_> {
    /// Why a target has the bridge where it has a call.
    pub(super) fn bridged_because(&self, tool: &ToolDescriptor<'_>) -> &'static str {
        if !tool.has_call() {
            "the target requires a call, and the source has none"
        } else if tool.is_bridged() {
            "the target requires a call, and that of the source is a bridge itself"
        } else {
            "the target cannot make the call of the source: the bridge makes it"
        }
    }

    /// The arguments that name a tool to the bridge.
    fn bridge_arguments(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = ["--for", self.format.name, "--source"].map(fixed).to_vec();
        let seal = format!("sha256:{}", self.digest);
        line.push(BridgeWord { text: seal, seal: true, places: Vec::new() });
        line.extend(["--tool", &tool.id].map(fixed));
        // What the target has no word for was accepted, or the tool would not be here.
        let caution = Caution::of(tool);
        let words = self.format.words;
        let mut accept = |word: Accept, claim: &[Place]| {
            let places = claim.to_vec();
            line.extend(
                ["--accept", word.word()]
                    .map(|word| BridgeWord { places: places.clone(), ..fixed(word) }),
            );
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
        let mut line = [PROGRAM, "bridge"].map(fixed).to_vec();
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// The same line for a format whose programs are below a folder of its own.
    pub fn launcher(&self, folder: &str, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = vec![fixed(&format!("{folder}{LAUNCHER}"))];
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
