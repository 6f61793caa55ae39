//! `toolglot schema`

use toolglot::Formats;
use toolglot::core::quoted;

use crate::files::formats::format_names;
use crate::terminal::console::{Failure, Terminal};

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
    let Some(format) = formats.by_name(name) else {
        let known = format_names(formats);
        return Err(terminal
            .usage_error(&format!("there is no format {}; there are {known}", quoted(name))));
    };
    let schema = format.schema(version).map_err(|why| terminal.usage_error(&why))?;
    terminal.print(&format!("{schema:#}\n"))
}
