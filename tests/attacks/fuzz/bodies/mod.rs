//! What the fuzz targets do with bytes. A body returns when all is well.
//!
//! They are compiled twice: for `cargo test`, where a small corpus and random changes
//! of it run through them on every change, and for `cargo fuzz` (see `fuzz/`).

mod engines;
mod formats;
mod text;

pub use engines::{archive, bundle, call, catalog, chain, client, index, server, tests};
pub use formats::{
    capability, comparison, conversion, install_manifest, jumith, laws, mcpb, mcpkg, restoration,
    server_json, tool_list, tools_json,
};
pub use text::{edit, json, jsonpath, path, pattern, schema, words};

/// A fuzz target.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name, and that of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// What it does.
    pub body: fn(&[u8]),
    /// Where its corpus is: folders of fixtures, or none where bytes are choices.
    pub corpus: &'static [&'static str],
    /// How many random inputs a normal test run tries.
    pub tries: u64,
}

/// Valid documents of every format.
const VALID: &[&str] = &[
    "tools-json/valid",
    "mcpkg/valid",
    "jumith/valid",
    "capability/valid",
    "install-manifest/valid",
    "mcpb/valid",
    "server-json/valid",
    "tool-list/valid",
];

/// Every target.
pub const TARGETS: &[Target] = &[
    target("json", json, &["manifest-core/invalid/json"], 4000),
    target("edit", edit, &["tools-json/valid"], 1000),
    target("schema", schema, &["manifest-core/invalid/schema"], 2000),
    target("tools_json", tools_json, &["tools-json"], 2000),
    target("mcpkg", mcpkg, &["mcpkg"], 2000),
    target("jumith", jumith, &["jumith"], 2000),
    target("capability", capability, &["capability"], 2000),
    target("install_manifest", install_manifest, &["install-manifest"], 2000),
    target("mcpb", mcpb, &["mcpb", "mcpkg/archives"], 2000),
    target("server_json", server_json, &["server-json"], 2000),
    target("tool_list", tool_list, &["tool-list"], 2000),
    target("conversion", conversion, VALID, 100),
    target("comparison", comparison, VALID, 500),
    target("restoration", restoration, &["convert/invalid/convert"], 300),
    target("archive", archive, &["mcpkg/archives"], 500),
    target("bundle", bundle, &["jumith/invalid"], 1000),
    target("client", client, &["jumith"], 1000),
    target("catalog", catalog, &["capability"], 500),
    target("index", index, &["install-manifest/valid"], 500),
    target("call", call, &["install-manifest/valid"], 500),
    target("chain", chain, &["mcpkg"], 1000),
    target("tests", tests, &["mcpkg"], 500),
    choices("laws", laws, 15),
    choices("jsonpath", jsonpath, 4000),
    choices("pattern", pattern, 2000),
    choices("path", path, 8000),
    choices("words", words, 8000),
    choices("server", server, 2000),
];

const fn target(
    name: &'static str,
    body: fn(&[u8]),
    corpus: &'static [&'static str],
    tries: u64,
) -> Target {
    Target { name, body, corpus, tries }
}

/// A target without a corpus.
const fn choices(name: &'static str, body: fn(&[u8]), tries: u64) -> Target {
    Target { name, body, corpus: &[], tries }
}

/// The input in so many parts, with a zero byte between them.
fn parts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut rest = data.splitn(N, |byte| *byte == 0);
    std::array::from_fn(|_| rest.next().unwrap_or_default())
}

/// The input as text, if it is any.
fn texts<const N: usize>(data: &[u8]) -> Option<[&str; N]> {
    let text = std::str::from_utf8(data).ok()?;
    let mut rest = text.splitn(N, '\0');
    Some(std::array::from_fn(|_| rest.next().unwrap_or_default()))
}
