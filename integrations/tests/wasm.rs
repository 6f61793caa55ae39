//! The libraries do no I/O: compiled for a machine that has none, they ask for nothing.
//!
//! A WebAssembly module can reach only what it imports. `wasm` uses every library; it is built
//! here, without and with the engine for JSON Schemas, and its import section is looked at.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::process::Command;

use wasmparser::{Parser, Payload};

const TARGET: &str = "wasm32-unknown-unknown";

/// What the engine for JSON Schemas brings: its hash maps have a seed that the host draws, by way of
/// wasm-bindgen, which has hooks of its own. Names are without the hash that ends them.
const SEED: &[&str] = &[
    "__wbindgen_externref_xform__.__wbindgen_externref_statics_end",
    "__wbindgen_externref_xform__.__wbindgen_externref_table_grow",
    "__wbindgen_externref_xform__.__wbindgen_externref_table_set_null",
    "__wbindgen_placeholder__.__wbg___wbindgen_throw",
    "__wbindgen_placeholder__.__wbg_getRandomValues",
    "__wbindgen_placeholder__.__wbindgen_describe",
    "__wbindgen_placeholder__.__wbindgen_object_drop_ref",
];

fn imports(features: &[&str]) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wasm");
    let installed = Command::new("rustup").args(["target", "add", TARGET]).status();
    assert!(installed.is_ok_and(|status| status.success()), "rustup target add {TARGET}");
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wasm");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--target", TARGET, "--target-dir"]).arg(&built);
    assert!(cargo.args(features).current_dir(&folder).status().expect("cargo runs").success());
    let module = std::fs::read(built.join(TARGET).join("debug/toolglot_wasm.wasm"));
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(&module.expect("a module")) {
        if let Payload::ImportSection(section) = payload.expect("WebAssembly") {
            for import in section.into_imports() {
                let import = import.expect("an import");
                found.push(format!("{}.{}", import.module, without_hash(import.name)));
            }
        }
    }
    found.sort();
    found
}

fn without_hash(name: &str) -> &str {
    let is_hash = |end: &str| end.len() == 16 && end.bytes().all(|b| b.is_ascii_hexdigit());
    name.rsplit_once('_').filter(|(_, end)| is_hash(end)).map_or(name, |(name, _)| name)
}

#[test]
fn libraries_import_nothing() {
    let none: [&str; 0] = [];
    assert_eq!(imports(&[]), none);
    assert_eq!(imports(&["--features", "schema"]), SEED);
}
