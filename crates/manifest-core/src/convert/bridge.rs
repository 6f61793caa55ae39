//! The line that a target calls a tool by when it has no words for the call.

use std::collections::BTreeSet;

use super::format::Context;
use super::writer::{How, Slot, Writer};
use super::{Accept, file_name};
use crate::descriptor::{Caution, Command, Invocation, Node, ToolDescriptor};
use crate::provenance::Place;
use json_text::Text;

/// One word of the bridge's line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BridgeWord {
    /// The word.
    pub text: String,
    from: From,
}

/// Where a word comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum From {
    /// It is the bridge's own.
    Bridge,
    /// It is the digest of the source.
    Source,
    /// It is the id of the tool, which these places say.
    Id(Vec<Place>),
    /// It is there because these places say what the target has no word for.
    Accepted(Vec<Place>),
}

impl BridgeWord {
    /// A word of the bridge's own.
    pub fn fixed(word: &str) -> Self {
        Self { text: word.to_owned(), from: From::Bridge }
    }

    /// Writes the whole line as one string.
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

/// The program, and the launcher of formats that want one below their own folder. The
/// launcher is a folder of modules for a format that calls modules.
const PROGRAM: &str = "toolglot";
const LAUNCHER: &str = "toolglot-bridge";

/// Why a word of the line depends on more than the tool.
const ACCEPTED: &str = "it was accepted by name, and the bridge is told so";

/// Why a line that is one value is as it is.
const SEALED: &str = "it names the source by its digest, and the tool";
const SEALED_ACCEPTED: &str =
    "it names the source by its digest, the tool, and what was accepted by name";

/// What a bridge's line is pinned to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pin {
    /// SHA-256 of the source, in hexadecimal.
    pub source: String,
    /// The id of the tool there or, where a module is named after it, a name for a file
    /// that is made from it.
    pub tool: String,
}

impl ToolDescriptor<'_> {
    /// Whether it is said how the tool is called, in one way at least.
    pub fn has_call(&self) -> bool {
        self.invocation.is_some() || !self.implementations.is_empty() || !self.chain.is_empty()
    }

    /// Whether its call is a bridge to another source.
    pub(super) fn is_bridged(&self) -> bool {
        self.invocation.as_deref().is_some_and(|call| call.pin().is_some())
    }

    /// Why a target has the bridge where it has a call.
    pub(super) fn bridged_because(&self) -> &'static str {
        if !self.has_call() {
            "the target requires a call, and the source has none"
        } else if self.is_bridged() {
            "the target requires a call, and that of the source is a bridge itself"
        } else {
            "the target cannot make the call of the source: the bridge makes it"
        }
    }
}

impl Context<'_> {
    /// The arguments that name a tool to the bridge.
    fn bridge_arguments(&self, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = ["--for", self.format.name, "--source"].map(BridgeWord::fixed).to_vec();
        line.push(BridgeWord { text: format!("sha256:{}", self.digest), from: From::Source });
        line.push(BridgeWord::fixed("--tool"));
        line.push(BridgeWord { text: tool.id.to_string(), from: From::Id(tool.id_places()) });
        // What the target has no word for was accepted, or the tool would not be here.
        let caution = Caution::of(tool);
        let words = self.format.words;
        let mut accept = |word: Accept, claim: &[Place]| {
            line.extend(["--accept", word.word()].map(|word| BridgeWord {
                text: word.to_owned(),
                from: From::Accepted(claim.to_vec()),
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
        let mut line = [PROGRAM, "bridge"].map(BridgeWord::fixed).to_vec();
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// The same line for a format whose programs are below a folder of its own.
    pub fn launcher(&self, folder: &str, tool: &ToolDescriptor<'_>) -> Vec<BridgeWord> {
        let mut line = vec![BridgeWord::fixed(&format!("{folder}{LAUNCHER}"))];
        line.extend(self.bridge_arguments(tool));
        line
    }

    /// The module that does the same, for a format that calls modules: its path names the
    /// source by its digest, and the tool.
    pub fn bridge_module(&self, tool: &ToolDescriptor<'_>) -> String {
        format!("{LAUNCHER}/{}/{}{MODULE}", self.digest, file_name(&tool.id))
    }
}

/// How the name of a module ends.
const MODULE: &str = ".mjs";

impl Invocation<'_> {
    /// What the call is pinned to, if it is the bridge's line.
    pub fn pin(&self) -> Option<Pin> {
        let words: Vec<Text<'_>> = match self {
            Self::Command(Command { argv, cwd: _, input: _ }) => {
                argv.iter().map(|word| word.value.clone()).collect()
            }
            Self::CommandLine(line) => {
                shell_words::split(line).ok()?.into_iter().map(Text::Owned).collect()
            }
            Self::Node(Node { main, export: _ }) => {
                let path = main.strip_prefix(LAUNCHER)?.strip_prefix('/')?.strip_suffix(MODULE)?;
                let (source, tool) = path.split_once('/')?;
                return Some(Pin { source: source.to_owned(), tool: tool.to_owned() });
            }
            Self::Http(_)
            | Self::McpTool(_)
            | Self::RegistryTool(_)
            | Self::Python(_)
            | Self::A2a(_) => return None,
        };
        let program = words.first()?.rsplit(['/', '\\']).next()?;
        let program = program.strip_suffix(".exe").unwrap_or(program);
        let second = words.get(1).map(AsRef::as_ref);
        let called = program == LAUNCHER || program == PROGRAM && second == Some("bridge");
        let after = |name: &str| {
            let at = words.iter().position(|word| word == name)?;
            words.get(at + 1).map(ToString::to_string)
        };
        called.then(|| Pin {
            source: after("--source")
                .map(|source| source.trim_start_matches("sha256:").to_owned())
                .unwrap_or_default(),
            tool: after("--tool").unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_pinned_by_the_words_that_a_shell_reads() {
        let line = r#"toolglot  bridge --for mcpkg --source "sha256:12ab" --tool 'a b'\''c'"#;
        let pin = Invocation::CommandLine(Text::Borrowed(line).into()).pin();
        let pinned = |source: &str, tool: &str| Pin { source: source.into(), tool: tool.into() };
        assert_eq!(pin, Some(pinned("12ab", "a b'c")));
        let module = |main: &'static str| {
            Invocation::Node(Node { main: Text::Borrowed(main).into(), export: None }).pin()
        };
        assert_eq!(module("toolglot-bridge/12ab/find.mjs"), Some(pinned("12ab", "find")));
        assert_eq!(module("dist/index.mjs"), None);
    }
}
