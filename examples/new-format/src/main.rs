//! `toolglot` with a sixth format.

use std::process::ExitCode;

use toolglot::{Formats, capability, install_manifest, jumith, mcpkg, tools_json};

static FORMATS: Formats<'static> = Formats::new(&[
    &tools_json::FORMAT,
    &mcpkg::FORMAT,
    &jumith::FORMAT,
    &capability::FORMAT,
    &install_manifest::FORMAT,
    &mcpb::FORMAT,
]);

fn main() -> ExitCode {
    cli::run(FORMATS, std::env::args_os())
}
