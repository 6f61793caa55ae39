//! `toolglot install`

use std::path::PathBuf;

use disk::store::{Record, Store};
use host::{Host, Values};
use installer::{CheckedManifest, Installer};
use toolglot::core::printable;
use toolglot::install_engine::acquire::CodePermissions;

use crate::files::installable::{self, Installable};
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::consent_prompt::{TerminalPerson, show_error};
use crate::verbs::live::fetch;
use crate::verbs::live::install_package::InstallRequest;
use crate::verbs::live::values;

/// Install or upgrade the tool of an install manifest or an MCPKG package
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot install notes.install.json
  toolglot install https://example.com/.well-known/install-manifests.json#notes
  toolglot install notes.install.json --yes --values secrets.env
  toolglot install acme.crm.search-1.1.0.mcpkg
  toolglot install acme.crm.search@1.0.0

What one agrees to is shown first; --yes agrees. Values of variables are taken from --values, then
from the environment, then from the manifest; a terminal is asked for the rest. They are used for
the smoke test, and never stored.

The tool gets a folder of its own below $XDG_DATA_HOME/toolglot/tools, or ~/.local/share. Python
packages must be wheels, and packages of npm run no scripts, unless --allow says otherwise. A tool
whose smoke test fails is not installed.

An MCPKG package is unpacked to .mcp/tools of the working directory. What changes for callers is shown,
when another version is there; the packages that were installed are kept, and ID@VERSION installs one of
them again. A question is asked where a package is not signed by a key that is trusted (`toolglot trust`),
is older, or breaks what worked. A signature that does not hold is refused.

Exit codes: 0 installed, 1 not a valid install manifest or package, 2 wrong usage or an unreadable file,
3 refused: not agreed to, or something is missing, 4 a step or the smoke test failed")]
pub(crate) struct Args {
    /// The install manifest: a file, an address, or #ID behind either of an index; or a package
    #[arg(value_name = "FILE|URL|ID@VERSION")]
    place: String,
    /// Agree to what is shown
    #[arg(long)]
    yes: bool,
    /// A file with a public key of the publisher of a package, beside those of `toolglot trust`
    #[arg(long = "key", value_name = "FILE")]
    keys: Vec<PathBuf>,
    /// A file with values of variables: a JSON object, or lines NAME=value
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// Agree to more
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    allow: Vec<Allow>,
}

/// What can be agreed to besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Allow {
    /// Install scripts of npm packages, which run code of strangers
    Scripts,
    /// Python packages that are built first, which runs code of strangers
    Sdist,
    /// Requests to this machine and to private networks
    Private,
}

/// What a tool that is installed can be granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum InstalledGrant {
    /// Requests to this machine and to private networks
    Private,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let wanted = InstallRequest { name: &args.place, keys: &args.keys, yes: args.yes };
    if let Some(input) = wanted.read_package(terminal)? {
        return wanted.install(&input, terminal);
    }
    let private = args.allow.contains(&Allow::Private);
    let obtained = fetch::manifest(&args.place, private, terminal)?;
    installable::with_manifest_input(&obtained.input, terminal, |found| {
        if obtained.entry.as_ref().is_some_and(|entry| !entry.matches(found.manifest)) {
            terminal.error("the manifest is not the one that the index lists");
            return Err(Failure::Refused);
        }
        let given = file_values(args.values.as_ref(), found, terminal)?;
        let record = install_tool(args, found, &given, private, terminal)?;
        let [id, version] = [&record.id, &record.version].map(|text| printable(text, 128));
        terminal.print(&format!("installed {id} {version}\n"))
    })
}

fn install_tool(
    args: &Args,
    found: &Installable<'_>,
    given: &Values,
    private: bool,
    terminal: &Terminal,
) -> Result<Record, Failure> {
    let allowed = CodePermissions {
        sdist: args.allow.contains(&Allow::Sdist),
        scripts: args.allow.contains(&Allow::Scripts),
    };
    let store = user_store(terminal)?;
    let mut person = TerminalPerson { terminal, yes: args.yes };
    let tools = found.tools();
    let tool =
        CheckedManifest { text: found.input.bytes(), manifest: found.manifest, tools: &tools };
    with_install_host(private, terminal, async |host| {
        let installer = Installer { host, store: &store, permissions: allowed };
        let done = installer.install(&tool, given, &mut person).await;
        done.map_err(|error| show_error(error, found, terminal))
    })
}

/// Opens the user's store of tools.
pub(crate) fn user_store(terminal: &Terminal) -> Result<Store, Failure> {
    Store::of_user().ok_or_else(|| {
        terminal
            .usage_error("there is no store: neither XDG_DATA_HOME nor HOME is an absolute path")
    })
}

/// Reads the values in a file, if one is given.
pub(crate) fn file_values(
    file: Option<&PathBuf>,
    found: &Installable<'_>,
    terminal: &Terminal,
) -> Result<Values, Failure> {
    let Some(file) = file else { return Ok(Values::new()) };
    Values::from_file(file, &installer::variables(found.manifest))
        .map_err(|error| terminal.usage_error(&error.to_string()))
}

/// Runs `work` with a host for installations.
pub(crate) fn with_install_host<T>(
    private: bool,
    terminal: &Terminal,
    work: impl AsyncFnOnce(&Host) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let host = Host::new(installer::host_options(private));
    values::with_host(
        host.map_err(|error| terminal.usage_error(&error.to_string()))?,
        terminal,
        work,
    )
}
