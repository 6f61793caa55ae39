//! `toolglot schema`

use toolglot::Formats;
use toolglot::core::quoted;

use console::formats::known;
use console::terminal::{Failure, Terminal};

/// Print the JSON Schema of a format, for editors
#[derive(clap::Args)]
#[command(after_help = "\
An editor that is given the schema completes names and marks what is wrong as one types. Meaning is
more than a schema can say: `toolglot validate` says all of it.

Examples:
  toolglot schema mcpkg
  toolglot schema install-manifest@0.3 > install-manifest-0.3.schema.json")]
pub(crate) struct Args {
    /// The format, and the version if it is not the newest
    #[arg(value_name = "FORMAT[@VERSION]")]
    format: String,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let (name, version) = match args.format.split_once('@') {
        Some((name, version)) => (name, Some(version)),
        None => (args.format.as_str(), None),
    };
    let Some(format) = formats.named(name) else {
        let known = known(formats);
        return Err(
            terminal.trouble(&format!("there is no format {}; there are {known}", quoted(name)))
        );
    };
    let schema = format.schema(version).map_err(|why| terminal.trouble(&why))?;
    terminal.print(&format!("{schema:#}\n"))
}
