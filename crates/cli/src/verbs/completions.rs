//! `toolglot completions`

use clap::Command;
use clap_complete::Shell;

use crate::terminal::console::{Failure, Terminal};

/// Print a script that completes the arguments of toolglot in a shell
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot completions bash > ~/.local/share/bash-completion/completions/toolglot
  toolglot completions fish > ~/.config/fish/completions/toolglot.fish")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(args: &Args, mut program: Command, terminal: &Terminal) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "toolglot", &mut script);
    terminal.print(&String::from_utf8_lossy(&script))
}
