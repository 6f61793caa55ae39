//! The `toolglot` program, with the formats of toolglot.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolglot_cli::run(toolglot::FORMATS, std::env::args_os())
}
