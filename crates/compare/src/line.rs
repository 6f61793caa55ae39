//! The lines that start programs, each read once: the tools of a server share theirs.

use std::collections::BTreeMap;

use json_text::Text;
use manifest_core::descriptor::{Command, Invocation, McpTool, Words};
use manifest_core::{Sourced, sha256_hex};

/// Digests of lines, by the address of their words. It is used while these are there.
#[derive(Debug, Default)]
pub(super) struct Lines(BTreeMap<usize, Words<'static>>);

impl Lines {
    /// A call with the digest of its line in place of the words.
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

/// The digest of words as a line of one word.
fn digest(words: &Words<'_>) -> Words<'static> {
    let mut text = String::from("toolglot-line-1\n");
    for word in words.iter() {
        // No word is taken for two, whatever is in it.
        text.push_str(&json_text::quote(word));
        text.push('\n');
    }
    let digest = format!("sha256:{}", sha256_hex(text.as_bytes()));
    [Sourced::from(Text::Owned(digest))].into()
}
