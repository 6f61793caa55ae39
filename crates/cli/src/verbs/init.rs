//! `toolglot init`

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use toolglot::core::quoted;
use toolglot::install_engine::scaffold::{NewTool, scaffold};
use toolglot::install_manifest::RuntimeKind;

use crate::files::input::{display_path, is_standard};
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};

/// Write an install manifest to begin with
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot init my-tool
  toolglot init my-tool --name 'My tool' --kind python-module -o install.json

Exit codes: 0 written, 2 wrong usage, or the file is there already")]
pub(crate) struct Args {
    /// The id of the tool: 3 to 64 lower-case letters, digits and hyphens
    #[arg(value_name = "ID")]
    id: String,
    /// What people call it; without it, the id
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// What runs it
    #[arg(long, value_name = "KIND", default_value = "shell-binary", value_parser = kind_parser())]
    kind: RuntimeKind,
    /// Where to write it; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    force: bool,
}

fn kind_parser() -> impl TypedValueParser<Value = RuntimeKind> {
    PossibleValuesParser::new(RuntimeKind::WORDS)
        .try_map(|word| RuntimeKind::from_word(&word).ok_or("not a kind"))
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let name = args.name.as_deref().unwrap_or(&args.id);
    let Some(text) = scaffold(&NewTool { id: &args.id, name, kind: args.kind }) else {
        let message = match args
            .name
            .as_deref()
            .filter(|name| !(1..=80).contains(&name.chars().count()))
        {
            Some(_) => "a name has 1 to 80 characters".to_owned(),
            None => format!(
                "{} is no id: 3 to 64 lower-case letters, digits and hyphens, such as \"my-tool\"",
                quoted(&args.id)
            ),
        };
        return Err(terminal.usage_error(&message));
    };
    let path = &args.output;
    if !args.force && !is_standard(path) && path.exists() {
        let message = format!("{} is there already; --force writes over it", display_path(path));
        return Err(terminal.usage_error(&message));
    }
    output::write(path, &text, terminal)
}
