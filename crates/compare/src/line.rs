//! Digests command lines, each only once: the tools of a server share theirs.

use std::collections::BTreeMap;

use json_text::Text;
use manifest_core::descriptor::{Command, Invocation, McpTool, Words};
use manifest_core::{Sourced, sha256_hex};

/// Digests by the address of the command line. Valid only while the lines exist.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<usize, Words<'static>>);

impl Lines {
    /// Returns a call with its command line replaced by the digest of the line.
    pub(super) fn told<'a>(&mut self, call: &Invocation<'a>) -> Invocation<'a> {
        let mut call = call.clone();
        if let Invocation::Command(Command { argv, .. }) | Invocation::McpTool(McpTool { argv, .. }) =
            &mut call
            && !argv.is_empty()
        {
            *argv = self.0.entry(argv.address()).or_insert_with(|| digest(argv)).clone();
        }
        call
    }
}

/// Returns the digest of a command line, as a line of one argument.
fn digest(words: &Words<'_>) -> Words<'static> {
    let mut text = String::from("toolglot-line-1\n");
    for word in words.iter() {
        // Quotes keep the boundaries of arguments, whatever they contain.
        text.push_str(&json_text::quote(word));
        text.push('\n');
    }
    let digest = format!("sha256:{}", sha256_hex(text.as_bytes()));
    [Sourced::from(Text::Owned(digest))].into()
}
