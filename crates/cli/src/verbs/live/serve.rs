//! `toolglot serve`

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::{Access, Folder};
use gateway::http::{self, Token};
use gateway::registry::{self, FolderOffers, LiveRegistry, LoadedRegistry, RejectedPackage};
use tokio::net::TcpListener;
use toolglot::core::SourceText;
use toolglot::{Diagnostic, Formats};

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::summary::count_tools;
use crate::verbs::live::mcp::{Grants, close_gateway, print_catalogue};
use crate::verbs::live::values;

/// Serve every tool of a folder over HTTP: to MCP clients, to other hosts, and on a page
#[derive(clap::Args)]
#[command(after_help = "\
Below the folder, files that end in .json are taken: manifests of any format. Jumith tools stand
as <tool>/<version>/manifest.json with files/ beside it, or are bundles as JSON files. The .mcpkg files
in it can be searched for; they are called once they are installed.

Examples:
  toolglot serve tools/
  toolglot serve tools/ --listen 127.0.0.1:8080 --token-file token
  curl 'http://127.0.0.1:4000/v1/tools/search?q=mail'

  /                 a page to search, read and try tools; the token stands behind #
  /mcp              MCP over streamable HTTP
  /tools/ID         POST: calls a tool, with its arguments as the body
  /sources/…        POST: the same for a tool of the source that a converted manifest names
  /unison           the registry that Unison's mcp_tool asks, with its calls below
  /a2a              POST: its a2a.request
  /v1/tools…        the Jumith registry
  /mcpkg/v1/…       packages by capability, language, runtime and platform, for `toolglot search`

What runs something needs the token: `Authorization: Bearer TOKEN`, or /TOKEN before /unison and
/a2a for hosts that send no headers. It is kept in --token-file, or in the user's state folder.
What manifests ask approval for is asked through the MCP client, or approved before with
`toolglot approve`.

Exit codes: 1 all tools are invalid, 2 wrong usage, unreadable files, or no port")]
pub(crate) struct Args {
    /// The folder of tools
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Where to listen; other machines can connect only if you name an address of
    /// yours
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4000")]
    listen: SocketAddr,
    /// A name that clients know this machine by, beside localhost and its address
    #[arg(long = "name", value_name = "HOST")]
    names: Vec<String>,
    /// The file with the token; it is made if it is not there
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    #[command(flatten)]
    grants: Grants,
}

/// The name of the token file in the user's state folder.
pub(crate) const TOKEN_FILE: &str = "serve.token";

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let loaded = registry::load(&args.folder);
    let loaded = loaded.map_err(|error| terminal.usage_error(&format!("cannot read {error}")))?;
    report_skipped(&loaded, terminal);
    let offered = read_packages(&args.folder, terminal)?;
    let gateway =
        args.grants.gateway(std::slice::from_ref(&args.folder), None, formats, terminal)?;
    let catalogue = gateway.catalogue();
    let count = catalogue.tools().count();
    if count == 0 && loaded.registry.is_empty() && offered.offers.is_empty() {
        terminal.error(&format!("there are no tools in {}", display_path(&args.folder)));
        let is_wrong = !catalogue.skipped().is_empty()
            || !loaded.rejected.is_empty()
            || !offered.skipped.is_empty();
        return Err(if is_wrong { Failure::Invalid } else { Failure::Usage });
    }
    let shelf = LiveRegistry::new(&args.folder, loaded, offered);
    let token = read_token(args, terminal)?;
    let served = values::run_server(terminal, async {
        let trouble = |error: std::io::Error| {
            terminal.usage_error(&format!("cannot listen on {}: {error}", args.listen))
        };
        let listener = TcpListener::bind(args.listen).await.map_err(trouble)?;
        let address = listener.local_addr().map_err(trouble)?;
        terminal.print(&format!("{} at http://{address}/\n", count_tools(count)))?;
        terminal.print_secret(&format!("the page: http://{address}/#{}\n", token.reveal()));
        if !address.ip().is_loopback() {
            terminal.status("other machines can connect, without encryption\n");
        }
        let (gateway, names) = (Arc::clone(&gateway), args.names.clone());
        let options =
            http::Options { gateway: Arc::clone(&gateway), registry: shelf, token, names };
        tokio::select! {
            served = http::serve(listener, options, |loaded| report_skipped(loaded, terminal)) => {
                served.map_err(trouble)
            }
            () = gateway.watch_files(|catalogue| print_catalogue(catalogue, terminal)) => Ok(()),
        }
    });
    close_gateway(gateway, terminal);
    served
}

/// Returns the token. It is stored in a file, so it stays the same.
fn read_token(args: &Args, terminal: &Terminal) -> Result<Token, Failure> {
    let file = match &args.token_file {
        Some(file) => file.clone(),
        None => state_folder(terminal)?.join(TOKEN_FILE),
    };
    let token = Token::in_file(&file);
    let token = token
        .map_err(|error| terminal.usage_error(&format!("{}: {error}", display_path(&file))))?;
    terminal.status(&format!("the token is in {}\n", display_path(&file)));
    Ok(token)
}

/// Creates and returns the user's state folder.
fn state_folder(terminal: &Terminal) -> Result<PathBuf, Failure> {
    let Some(folder) = disk::user::state() else {
        return Err(terminal.usage_error("there is no state folder: name a --token-file"));
    };
    let trouble = |error| terminal.usage_error(&format!("{}: {error}", display_path(&folder)));
    Folder::create(&folder, Access::Private).map_err(trouble)?;
    Ok(folder)
}

/// Reads the packages of the folder. Prints a warning for each package that is left out.
fn read_packages(folder: &Path, terminal: &Terminal) -> Result<FolderOffers, Failure> {
    let offered = registry::read_offers(folder);
    let offered = offered.map_err(|error| terminal.usage_error(&format!("cannot read {error}")))?;
    for left in &offered.skipped {
        terminal.status(&format!("warning: {left}\n"));
    }
    if !offered.offers.is_empty() {
        terminal.status(&format!("packages to search for: {}\n", offered.offers.len()));
    }
    Ok(offered)
}

/// Reports the tools that the registry leaves out or refuses.
fn report_skipped(loaded: &LoadedRegistry, terminal: &Terminal) {
    for left in &loaded.skipped {
        terminal.status(&format!("warning: {left}\n"));
    }
    for refused in &loaded.rejected {
        show_refused(refused, terminal);
    }
}

fn show_refused(refused: &RejectedPackage, terminal: &Terminal) {
    let name = display_path(&refused.path);
    for diagnostic in refused.report.diagnostics.iter().filter(|found| Diagnostic::is_error(found))
    {
        let mut diagnostic = diagnostic.clone();
        // The user has not seen the text in the bundle that the span refers to.
        diagnostic.clear_spans();
        let source = SourceText { name: &name, bytes: refused.manifest.as_bytes() };
        terminal.show(&crate::terminal::console::single_report(diagnostic), Some(&source));
    }
}

/// Loads the registry of a folder. Fails if a tool is invalid or left out, or if there are
/// none.
pub(crate) fn load_registry(path: &Path, terminal: &Terminal) -> Result<LoadedRegistry, Failure> {
    let loaded = registry::load(path);
    let loaded = loaded.map_err(|error| terminal.usage_error(&format!("cannot read {error}")))?;
    report_skipped(&loaded, terminal);
    if !loaded.rejected.is_empty() || !loaded.skipped.is_empty() {
        return Err(Failure::Invalid);
    }
    if loaded.registry.is_empty() {
        return Err(terminal.usage_error(&format!("there are no tools in {}", display_path(path))));
    }
    Ok(loaded)
}
