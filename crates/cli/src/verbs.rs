//! The verbs of the program.

use clap::{Command, Subcommand};
use toolglot::Formats;

use crate::terminal::console::{Failure, Terminal};

mod check_results;
mod compat;
mod completions;
mod convert;
pub(crate) mod convert_args;
mod detect;
mod diff;
mod digest;
mod duplicates;
mod explain;
mod export;
mod fix;
mod init;
mod lint;
#[cfg(feature = "live")]
mod live;
mod man;
mod pack;
mod restore;
mod restore_args;
mod schema;
mod stream;
mod unpack;
mod validate;
mod validate_args;

#[derive(Subcommand)]
pub(crate) enum Verb {
    Detect(detect::Args),
    Validate(validate_args::Args),
    Convert(convert_args::Args),
    Restore(restore_args::Args),
    Export(export::Args),
    Compat(compat::Args),
    Pack(pack::Args),
    Unpack(unpack::Args),
    Lint(lint::Args),
    Diff(diff::Args),
    Digest(digest::Args),
    Duplicates(duplicates::Args),
    Init(init::Args),
    Explain(explain::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "live")]
    #[command(flatten)]
    Live(live::Verb),
}

impl Verb {
    /// Runs the verb. `command` builds the command line that completions and manuals describe.
    pub(crate) fn run(
        &self,
        formats: Formats<'static>,
        command: fn(Formats<'static>) -> Command,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        match self {
            Self::Detect(args) => detect::run(args, formats, terminal),
            Self::Validate(args) => validate::run(args, formats, terminal),
            Self::Convert(args) => convert::run(args, formats, terminal),
            Self::Restore(args) => restore::run(args, formats, terminal),
            Self::Export(args) => export::run(args, formats, terminal),
            Self::Compat(args) => compat::run(args, formats, terminal),
            Self::Pack(args) => pack::run(args, terminal),
            Self::Unpack(args) => unpack::run(args, terminal),
            Self::Lint(args) => lint::run(args, formats, terminal),
            Self::Diff(args) => diff::run(args, formats, terminal),
            Self::Digest(args) => digest::run(args, formats, terminal),
            Self::Duplicates(args) => duplicates::run(args, formats, terminal),
            Self::Init(args) => init::run(args, terminal),
            Self::Explain(args) => explain::run(args, formats, terminal),
            Self::Schema(args) => schema::run(args, formats, terminal),
            Self::Completions(args) => completions::run(args, command(formats), terminal),
            Self::Man(args) => man::run(args, command(formats), terminal),
            #[cfg(feature = "live")]
            Self::Live(verb) => verb.run(formats, terminal),
        }
    }
}
