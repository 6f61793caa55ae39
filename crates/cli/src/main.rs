//! The `toolglot` program: the one place with files, a terminal and exit codes.
//!
//! Each verb is a file with its arguments and a `run` function. A verb that
//! fails has said why by then; what is left of it is the exit code.

use std::borrow::Cow;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use toolglot::core::secret;

mod bridge;
mod bundle;
mod call;
mod callable;
mod catalog;
mod changes;
mod choices;
mod completions;
mod consent;
mod convert;
mod convert_args;
mod detect;
mod diff;
mod digest;
mod duplicates;
mod explain;
mod files;
mod formats;
mod init;
mod input;
mod inspect;
mod installs;
mod jsonl;
mod lint;
mod output;
mod outputs;
mod pack;
mod package;
mod places;
mod plan;
mod problem;
mod registry;
mod report;
mod residues;
mod restore;
mod restore_args;
mod runnable;
mod schema;
mod search;
mod serve;
mod stream;
mod summary;
mod table;
mod targets;
mod terminal;
mod test;
mod unpack;
mod validate;
mod validate_args;
mod values;

use terminal::{Colour, Failure, Terminal};

/// Understand agent-tool manifests, and convert between their formats without losing anything
#[derive(Parser)]
#[command(name = "toolglot", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    color: Colour,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  a document is invalid, not known, or cannot be converted; a test failed; something was left
     out
  2  wrong usage, or a file cannot be read or written
  3  a call was refused, or something is missing for it
  4  a call was made, and failed";

#[derive(Subcommand)]
enum Verb {
    Detect(detect::Args),
    Validate(validate_args::Args),
    Convert(convert_args::Args),
    Call(call::Args),
    Bridge(bridge::Args),
    Restore(restore_args::Args),
    Search(search::Args),
    Bundle(bundle::Args),
    Serve(serve::Args),
    Pack(pack::Args),
    Unpack(unpack::Args),
    Inspect(inspect::Args),
    Test(test::Args),
    Catalog(catalog::Args),
    Lint(lint::Args),
    Consent(consent::Args),
    Plan(plan::Args),
    Diff(diff::Args),
    Digest(digest::Args),
    Duplicates(duplicates::Args),
    Init(init::Args),
    Explain(explain::Args),
    Schema(schema::Args),
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let terminal = Terminal::new(cli.color);
    let result = match &cli.verb {
        Verb::Detect(args) => detect::run(args, &terminal),
        Verb::Validate(args) => validate::run(args, &terminal),
        Verb::Convert(args) => convert::run(args, &terminal),
        Verb::Call(args) => call::run(args, &terminal),
        Verb::Bridge(args) => bridge::run(args, &terminal),
        Verb::Restore(args) => restore::run(args, &terminal),
        Verb::Search(args) => search::run(args, &terminal),
        Verb::Bundle(args) => bundle::run(args, &terminal),
        Verb::Serve(args) => serve::run(args, &terminal),
        Verb::Pack(args) => pack::run(args, &terminal),
        Verb::Unpack(args) => unpack::run(args, &terminal),
        Verb::Inspect(args) => inspect::run(args, &terminal),
        Verb::Test(args) => test::run(args, &terminal),
        Verb::Catalog(args) => catalog::run(args, &terminal),
        Verb::Lint(args) => lint::run(args, &terminal),
        Verb::Consent(args) => consent::run(args, &terminal),
        Verb::Plan(args) => plan::run(args, &terminal),
        Verb::Diff(args) => diff::run(args, &terminal),
        Verb::Digest(args) => digest::run(args, &terminal),
        Verb::Duplicates(args) => duplicates::run(args, &terminal),
        Verb::Init(args) => init::run(args, &terminal),
        Verb::Explain(args) => explain::run(args, &terminal),
        Verb::Schema(args) => schema::run(args, &terminal),
        Verb::Completions(args) => completions::run(args, Cli::command(), &terminal),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Invalid) => ExitCode::from(1),
        Err(Failure::Trouble) => ExitCode::from(2),
        Err(Failure::Refused) => ExitCode::from(3),
        Err(Failure::Failed) => ExitCode::from(4),
    }
}

/// Shows the help that was asked for, or what is wrong with the arguments.
fn misused(error: &clap::Error) -> ExitCode {
    // An argument may be a token that was pasted into the wrong place.
    if let Cow::Owned(masked) = secret::masked(&error.to_string()) {
        Terminal::new(Colour::Never).say(&masked);
        return ExitCode::from(2);
    }
    error.exit()
}
