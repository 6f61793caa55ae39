//! `toolglot man`

use std::path::PathBuf;

use clap::Command;

use crate::files::input::display_path;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};

/// Write the manual: a page for the program and one for each verb
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot man -o ~/.local/share/man/man1
  toolglot man | man -l -

Exit codes: 0 written, 2 the folder cannot be written to")]
pub(crate) struct Args {
    /// The folder for all pages; without it, the first is printed
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, program: Command, terminal: &Terminal) -> Result<(), Failure> {
    let Some(folder) = &args.output else {
        return terminal.print_bytes(&render_page(program, terminal)?);
    };
    std::fs::create_dir_all(folder).map_err(|error| {
        terminal.usage_error(&format!("cannot make the folder {}: {error}", display_path(folder)))
    })?;
    let verbs: Vec<Command> = program.get_subcommands().cloned().collect();
    let name = program.get_name().to_owned();
    let pages = verbs.into_iter().map(|verb| {
        let whole = format!("{name}-{}", verb.get_name());
        (whole.clone(), verb.display_name(whole))
    });
    for (name, command) in pages.chain([(name.clone(), program.clone())]) {
        let file = folder.join(format!("{name}.1"));
        output::write_bytes(&file, &render_page(command, terminal)?, terminal)?;
    }
    Ok(())
}

fn render_page(command: Command, terminal: &Terminal) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let made = clap_mangen::Man::new(command).render(&mut page);
    made.map(|()| page).map_err(|error| terminal.usage_error(&error.to_string()))
}
