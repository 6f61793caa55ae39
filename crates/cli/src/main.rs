//! The `toolglot` program, with the formats of toolglot.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(toolglot::FORMATS, std::env::args_os())
}
