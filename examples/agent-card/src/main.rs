//! `toolglot` with one more format.

use std::process::ExitCode;

use toolglot::{
    Formats, capability, install_manifest, jumith, mcpb, mcpkg, server_json, tool_list, tools_json,
};

static FORMATS: Formats<'static> = Formats::new(&[
    &tools_json::FORMAT,
    &mcpkg::FORMAT,
    &jumith::FORMAT,
    &capability::FORMAT,
    &install_manifest::FORMAT,
    &mcpb::FORMAT,
    &server_json::FORMAT,
    &tool_list::FORMAT,
    &agent_card::FORMAT,
]);

fn main() -> ExitCode {
    cli::run(FORMATS, std::env::args_os())
}
