//! Digests command lines, each only once: the tools of a server share theirs.

use std::collections::BTreeMap;

use json_text::Text;
use manifest_core::descriptor::{Command, Invocation, McpTool, SharedArgv};
use manifest_core::{Sourced, sha256_hex};

/// Digests by the address of the command line. Valid only while the lines exist.
#[derive(Debug, Default)]
pub(super) struct LineDigests(BTreeMap<usize, SharedArgv<'static>>);

impl LineDigests {
    /// Returns a call with its command line replaced by the digest of the line.
    pub(super) fn with_digest<'a>(&mut self, call: &Invocation<'a>) -> Invocation<'a> {
        let mut call = call.clone();
        if let Invocation::Command(Command { argv, .. }) | Invocation::McpTool(McpTool { argv, .. }) =
            &mut call
            && !argv.is_empty()
        {
            *argv =
                self.0.entry(argv.memory_address()).or_insert_with(|| digest_line(argv)).clone();
        }
        call
    }
}

/// Returns the digest of a command line, as a line of one argument.
fn digest_line(words: &SharedArgv<'_>) -> SharedArgv<'static> {
    let mut text = String::from("toolglot-line-1\n");
    for word in words.iter() {
        // Quotes keep the boundaries of arguments, whatever they contain.
        text.push_str(&json_text::quote(word));
        text.push('\n');
    }
    let digest = format!("sha256:{}", sha256_hex(text.as_bytes()));
    [Sourced::from(Text::Owned(digest))].into()
}
