//! `toolglot serve`

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use toolglot::core::{SourceText, printable};
use toolglot::jumith::server::Registry;
use toolglot::{Diagnostic, Profile, Validate};

use crate::input::shown;
use crate::registry::{folder, http, site};
use crate::terminal::{Failure, Terminal};

/// Serve a folder of Jumith tools as a registry, with a page to search them
#[derive(clap::Args)]
#[command(after_help = "\
The folder holds tools as <tool>/<version>/manifest.json with files/ beside it, or
bundles as JSON files.

Examples:
  toolglot serve tools/
  toolglot serve tools/ --listen 127.0.0.1:8080
  curl 'http://127.0.0.1:4000/v1/tools/search?q=mail'

Exit codes: 1 a tool is invalid, 2 wrong usage, unreadable files, or no port")]
pub(crate) struct Args {
    /// The folder of tools
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Where to listen; other machines can connect only if you name an address of
    /// yours
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4000")]
    listen: SocketAddr,
    /// Answer as the published hub does
    #[arg(long)]
    reference: bool,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let registry = load(&args.folder, args.reference, terminal)?;
    let trouble = |error: std::io::Error| {
        terminal.trouble(&format!("cannot listen on {}: {error}", args.listen))
    };
    let listener = TcpListener::bind(args.listen).map_err(trouble)?;
    let address = listener.local_addr().map_err(trouble)?;
    let tools = registry.len();
    let local = address.ip().is_loopback();
    terminal.print(&format!("{tools} tools at http://{address}/\n"))?;
    if !local {
        terminal.say("other machines can read what is served here\n");
    }
    http::serve(&listener, |request| site::answer(&registry, request, local)).map_err(trouble)
}

/// The registry of a folder, or all that is wrong with its tools.
pub(crate) fn load(path: &Path, reference: bool, terminal: &Terminal) -> Result<Registry, Failure> {
    let found = folder::packages(path);
    let found = found.map_err(|error| terminal.trouble(&format!("cannot read {error}")))?;
    if found.is_empty() {
        return Err(terminal.trouble(&format!("there are no tools in {}", shown(path))));
    }
    let (paths, packages): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    let texts: Vec<String> = packages.iter().map(|package| package.manifest.clone()).collect();
    let profile = if reference { Profile::Reference } else { Profile::Spec };
    let options = Validate { profile, ..Validate::default() };
    Registry::new(packages, &options).map_err(|refused| {
        for refused in refused {
            let text = texts.get(refused.package).map(String::as_str).unwrap_or_default();
            let name = paths.get(refused.package).map(|path| path.display().to_string());
            let name = printable(&name.unwrap_or_default(), 512);
            let errors = refused.report.diagnostics.into_iter().filter(Diagnostic::is_error);
            for mut diagnostic in errors {
                // The place is in the bundle, which nobody has seen.
                diagnostic.clear_spans();
                let source = SourceText { name: &name, bytes: text.as_bytes() };
                terminal.show(&crate::terminal::report_of(diagnostic), Some(&source));
            }
        }
        Failure::Invalid
    })
}
