//! The `toolglot` program: its verbs, options and exit codes.
//!
//! It is a library, so that a program with other or additional formats takes a few lines:
//!
//! ```no_run
//! use std::process::ExitCode;
//! use toolglot::{Formats, mcpkg, tools_json};
//!
//! static FORMATS: Formats<'static> = Formats::new(&[&tools_json::FORMAT, &mcpkg::FORMAT]);
//!
//! fn main() -> ExitCode {
//!     toolglot_cli::run(FORMATS, std::env::args_os())
//! }
//! ```
//!
//! - `verbs`: a file for each verb, with its arguments and a `run` function. A verb that fails
//!   has already printed the reason, so its error only determines the exit code.
//! - `files`: reading and writing files.
//! - `terminal`: output for people and programs.

use std::borrow::Cow;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches, Parser};
use toolglot::Formats;
use toolglot::core::secret;

#[cfg_attr(
    not(feature = "live"),
    expect(dead_code, reason = "some of it is for verbs that call and install")
)]
mod files;
#[cfg_attr(
    not(feature = "live"),
    expect(dead_code, reason = "some of it is for verbs that call and install")
)]
mod terminal;
mod verbs;

use crate::files::{formats, limits};
use crate::terminal::console::{Colour, Failure, Terminal};
use crate::verbs::Verb;

/// Understand agent-tool manifests, and convert between their formats without losing anything
#[derive(Parser)]
#[command(name = "toolglot", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 100)]
    color: Colour,
    /// Set a limit, such as document-bytes=8M; may be given several times
    #[arg(long = "max", global = true, value_name = "NAME=NUMBER", display_order = 101)]
    #[arg(value_parser = limits::parse_setting)]
    limits: Vec<limits::Setting>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  a document is invalid, not known, or cannot be converted; a test failed; something was left
     out
  2  wrong usage, or a file cannot be read or written
  3  a call was refused, or something is missing for it
  4  a call was made, and failed";

/// The verbs in the help, grouped by purpose.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Look at manifests",
        &["detect", "validate", "lint", "inspect", "diff", "digest", "duplicates"],
    ),
    ("Convert them", &["convert", "restore", "export", "compat"]),
    ("Call tools", &["call", "plan", "approve", "mcp", "serve", "bridge"]),
    (
        "Install and share them",
        &[
            "consent",
            "install",
            "installed",
            "verify",
            "revoke",
            "index",
            "search",
            "pull",
            "publish",
            "yank",
            "bundle",
            "pack",
            "unpack",
            "keygen",
            "sign",
            "trust",
            "test",
            "catalog",
        ],
    ),
    ("Write manifests", &["init", "chain", "schema", "explain"]),
    ("This program", &["where", "forget", "doctor", "completions", "man", "help"]),
];

/// Builds the command line for these formats.
fn command(formats: Formats<'static>) -> Command {
    let command = formats::restrict_formats(formats, Cli::command());
    let template = format!(
        "{{before-help}}{{about}}\n\n{{usage-heading}} {{usage}}\n{}\nOptions:\n{{options}}{{after-help}}",
        format_groups(&command)
    );
    command.help_template(template)
}

/// Formats all verbs in their groups.
fn format_groups(command: &Command) -> String {
    let about = |name: &str| {
        let verb = command.find_subcommand(name).and_then(Command::get_about);
        verb.map_or_else(|| "Print the help of a verb".to_owned(), ToString::to_string)
    };
    let mut lines = Vec::new();
    for (title, names) in GROUPS {
        let mut names = names.to_vec();
        names.retain(|name| *name == "help" || command.find_subcommand(name).is_some());
        if names.is_empty() {
            continue; // a build without the feature `live`
        }
        lines.push(format!("\n{title}:\n"));
        lines.extend(names.iter().map(|name| format!("  {name:12} {}\n", about(name))));
    }
    lines.concat()
}

/// Runs the program with these formats and returns its exit code. The first argument is the
/// name of the program.
pub fn run(formats: Formats<'static>, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = command(formats).try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return usage_error(&error),
    };
    limits::set(cli.limits);
    let terminal = Terminal::new(cli.color);
    let result = cli.verb.run(formats, command, &terminal);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Invalid) => ExitCode::from(1),
        Err(Failure::Usage) => ExitCode::from(2),
        Err(Failure::Refused) => ExitCode::from(3),
        Err(Failure::Failed) => ExitCode::from(4),
    }
}

/// Shows the requested help, or the error in the arguments.
fn usage_error(error: &clap::Error) -> ExitCode {
    // An argument may be a token that was pasted into the wrong place.
    if let Cow::Owned(masked) = secret::mask(&error.to_string()) {
        Terminal::new(Colour::Never).status(&masked);
        return ExitCode::from(2);
    }
    if let Some(verb) = missing_from_build(error) {
        let message = format!(
            "error: this build of toolglot does not include `{verb}`: build it with the feature `live`\n"
        );
        Terminal::new(Colour::Never).status(&message);
        return ExitCode::from(2);
    }
    error.exit()
}

/// Returns the requested verb, if only a build with the feature `live` has it.
fn missing_from_build(error: &clap::Error) -> Option<&str> {
    if cfg!(feature = "live") || error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    GROUPS.iter().any(|(_, verbs)| verbs.contains(&name.as_str())).then_some(name)
}
