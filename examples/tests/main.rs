//! The examples, at work.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../host.rs"]
#[allow(dead_code)] // `main` is for the program
mod example;
#[path = "../../crates/cli/tests/matrix/server.rs"]
#[allow(dead_code)] // the hosts of the matrix need more of it
mod server;
#[path = "../../crates/cli/tests/matrix/tools.rs"]
#[allow(dead_code)]
mod tools;

mod agentcli_host;
mod capability_host;
mod folder;
mod host;
#[cfg(unix)] // a downloaded file is made a program
mod install_flow;
mod mcpkg_host;
mod own_host;

use folder::folder; // the tools of the matrix are kept there

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder `examples`.
const EXAMPLES: &str = env!("CARGO_MANIFEST_DIR");

/// The program of an example. `cargo test` builds it beside its tests; a run of one test alone
/// builds it here.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap().join("examples");
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--example", name]).current_dir(Path::new(EXAMPLES));
        assert!(build.status().unwrap().success() && path.exists(), "cargo build --example {name}");
    }
    path
}
