//! `toolglot plan`

use std::path::PathBuf;

use serde::Serialize;
use toolglot::Limits;
use toolglot::install_engine::acquire::{self, Host};
use toolglot::install_engine::invoke::{self, Schemas};
use toolglot::install_engine::{revoke, smoke};
use toolglot::json::{Document, pretty};

use crate::input::{Input, read_once};
use crate::installs::{self, Installable};
use crate::problem::without_secrets;
use crate::terminal::{Failure, Terminal};

/// Say exactly what installing, calling, checking or revoking a tool takes, and do none of it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot plan install install.json --folder /srv/tools/notes
  toolglot plan invoke install.json find '{\"query\": \"tea\"}'
  API_KEY=... toolglot plan smoke install.json
  toolglot plan revoke install.json

Values of variables that the manifest declares are taken from the environment.
Secrets are masked in what is printed.

Exit codes: 0 planned, 1 it cannot be done, 2 wrong usage or an unreadable file")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    /// How to install the tool
    Install {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// An empty folder for the tool
        #[arg(long, value_name = "FOLDER", default_value = "tool")]
        folder: String,
    },
    /// How to call an action
    Invoke {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The name of the action
        #[arg(value_name = "ACTION")]
        action: String,
        /// The input: a JSON object
        #[arg(value_name = "INPUT", default_value = "{}")]
        input: String,
        /// A file with the input; - is standard input
        #[arg(long, value_name = "FILE", conflicts_with = "input")]
        input_file: Option<PathBuf>,
    },
    /// How to check an installation
    Smoke {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// How to revoke the tool
    Revoke {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    match &args.what {
        What::Install { file, folder } => {
            installs::with(file, terminal, |found| install(found, folder, terminal))
        }
        What::Invoke { file, action, input, input_file } => {
            read_once([file].into_iter().chain(input_file), terminal)?;
            let limit = Limits::default().document_bytes;
            let from_file = input_file.as_ref().map(|path| Input::read(path, limit, terminal));
            let from_file = from_file.transpose()?;
            let text = match &from_file {
                Some(input) => String::from_utf8_lossy(input.bytes()).into_owned(),
                None => input.clone(),
            };
            installs::with(file, terminal, |found| call(found, action, &text, terminal))
        }
        What::Smoke { file } => installs::with(file, terminal, |found| {
            let plan = smoke::plan(found.manifest, &found.values(), &smoke::Options::default());
            print(&plan.map_err(|problems| found.refuse(problems, terminal))?, terminal)
        }),
        What::Revoke { file } => installs::with(file, terminal, |found| {
            let manifest = found.manifest;
            let plan = revoke::plan(&manifest.kill_switch, &manifest.env, &found.values());
            print(&plan.map_err(|problem| found.refuse(vec![problem], terminal))?, terminal)
        }),
    }
}

fn install(found: &Installable<'_>, folder: &str, terminal: &Terminal) -> Result<(), Failure> {
    let runtime = &found.manifest.runtime;
    let plan = acquire::plan(&runtime.install, runtime.kind, &Host::new(folder))
        .map_err(|problems| found.refuse(problems, terminal))?;
    found.show(plan.warnings.clone(), terminal);
    print(&plan, terminal)
}

fn call(
    found: &Installable<'_>,
    action: &str,
    input: &str,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = Limits::default();
    let refuse = |problems| found.refuse(problems, terminal);
    let action = invoke::find(found.manifest, action).map_err(|problem| refuse(vec![problem]))?;
    let input = Schemas::compile(action, &limits).and_then(|schemas| schemas.input(input));
    let input = input.map_err(refuse)?;
    let plan = invoke::plan(found.manifest, action, &input, &found.values(), &limits);
    let plan = plan.map_err(refuse)?;
    found.show(plan.warnings.clone(), terminal);
    print(&plan, terminal)
}

/// Prints a plan as JSON. The library masks the secrets that it is given, and those of
/// the manifest are masked here.
fn print(plan: &impl Serialize, terminal: &Terminal) -> Result<(), Failure> {
    // Strings, numbers and lists of them: serialising them cannot fail.
    let text = without_secrets(&serde_json::to_string(plan).unwrap_or_default());
    let limits = Limits { document_bytes: 16 << 20, ..Limits::default() };
    let pretty = match Document::parse(text.as_bytes(), &limits) {
        Ok(document) => pretty(document.root()),
        Err(_) => text,
    };
    terminal.print(&format!("{}\n", crate::terminal::escape_json(&pretty)))
}
