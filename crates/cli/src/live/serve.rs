//! `toolglot serve`

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::{Access, Folder};
use gateway::http::{self, Token};
use gateway::registry::{self, Loaded, Offered, Refused, Shelf};
use tokio::net::TcpListener;
use toolglot::core::SourceText;
use toolglot::{Diagnostic, Formats};

use crate::live::mcp::{Grants, close, tell};
use crate::live::values;
use console::input::shown;
use console::summary::counted;
use console::terminal::{Failure, Terminal};

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
    /// Answer as the published hub does, on the routes of the Jumith registry
    #[arg(long)]
    reference: bool,
}

/// The name of the token file in the user's state folder.
pub(crate) const TOKEN: &str = "serve.token";

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let loaded = registry::load(&args.folder, args.reference);
    let loaded = loaded.map_err(|error| terminal.trouble(&format!("cannot read {error}")))?;
    said(&loaded, terminal);
    let offered = offered(&args.folder, terminal)?;
    let gateway =
        args.grants.gateway(std::slice::from_ref(&args.folder), None, formats, terminal)?;
    let catalogue = gateway.catalogue();
    let count = catalogue.tools().count();
    if count == 0 && loaded.registry.is_empty() && offered.offers.is_empty() {
        terminal.error(&format!("there are no tools in {}", shown(&args.folder)));
        let is_wrong = !catalogue.left_out().is_empty()
            || !loaded.refused.is_empty()
            || !offered.left_out.is_empty();
        return Err(if is_wrong { Failure::Invalid } else { Failure::Trouble });
    }
    let shelf = Shelf::new(&args.folder, args.reference, loaded, offered);
    let token = token(args, terminal)?;
    let served = values::served(terminal, async {
        let trouble = |error: std::io::Error| {
            terminal.trouble(&format!("cannot listen on {}: {error}", args.listen))
        };
        let listener = TcpListener::bind(args.listen).await.map_err(trouble)?;
        let address = listener.local_addr().map_err(trouble)?;
        terminal.print(&format!("{} at http://{address}/\n", counted(count)))?;
        terminal.print_secret(&format!("the page: http://{address}/#{}\n", token.reveal()));
        if !address.ip().is_loopback() {
            terminal.say("other machines can connect, without encryption\n");
        }
        let (gateway, names) = (Arc::clone(&gateway), args.names.clone());
        let options = http::Options { gateway: Arc::clone(&gateway), shelf, token, names };
        tokio::select! {
            served = http::serve(listener, options, |loaded| said(loaded, terminal)) => {
                served.map_err(trouble)
            }
            () = gateway.keep_up(|catalogue| tell(catalogue, terminal)) => Ok(()),
        }
    });
    close(gateway, terminal);
    served
}

/// Returns the token. It is stored in a file, so it stays the same.
fn token(args: &Args, terminal: &Terminal) -> Result<Token, Failure> {
    let file = match &args.token_file {
        Some(file) => file.clone(),
        None => state(terminal)?.join(TOKEN),
    };
    let token = Token::in_file(&file);
    let token = token.map_err(|error| terminal.trouble(&format!("{}: {error}", shown(&file))))?;
    terminal.say(&format!("the token is in {}\n", shown(&file)));
    Ok(token)
}

/// Creates and returns the user's state folder.
fn state(terminal: &Terminal) -> Result<PathBuf, Failure> {
    let Some(folder) = disk::user::state() else {
        return Err(terminal.trouble("there is no state folder: name a --token-file"));
    };
    let trouble = |error| terminal.trouble(&format!("{}: {error}", shown(&folder)));
    Folder::create(&folder, Access::Private).map_err(trouble)?;
    Ok(folder)
}

/// Reads the packages of the folder. Prints a warning for each package that is left out.
fn offered(folder: &Path, terminal: &Terminal) -> Result<Offered, Failure> {
    let offered = registry::offered(folder);
    let offered = offered.map_err(|error| terminal.trouble(&format!("cannot read {error}")))?;
    for left in &offered.left_out {
        terminal.say(&format!("warning: {left}\n"));
    }
    if !offered.offers.is_empty() {
        terminal.say(&format!("packages to search for: {}\n", offered.offers.len()));
    }
    Ok(offered)
}

/// Reports the tools that the registry leaves out or refuses.
fn said(loaded: &Loaded, terminal: &Terminal) {
    for left in &loaded.left_out {
        terminal.say(&format!("warning: {left}\n"));
    }
    for refused in &loaded.refused {
        show(refused, terminal);
    }
}

fn show(refused: &Refused, terminal: &Terminal) {
    let name = shown(&refused.path);
    for diagnostic in refused.report.diagnostics.iter().filter(|found| Diagnostic::is_error(found))
    {
        let mut diagnostic = diagnostic.clone();
        // The user has not seen the text in the bundle that the span refers to.
        diagnostic.clear_spans();
        let source = SourceText { name: &name, bytes: refused.manifest.as_bytes() };
        terminal.show(&console::terminal::report_of(diagnostic), Some(&source));
    }
}

/// Loads the registry of a folder. Fails if a tool is invalid or left out, or if there are
/// none.
pub(crate) fn load(path: &Path, terminal: &Terminal) -> Result<Loaded, Failure> {
    let loaded = registry::load(path, false);
    let loaded = loaded.map_err(|error| terminal.trouble(&format!("cannot read {error}")))?;
    said(&loaded, terminal);
    if !loaded.refused.is_empty() || !loaded.left_out.is_empty() {
        return Err(Failure::Invalid);
    }
    if loaded.registry.is_empty() {
        return Err(terminal.trouble(&format!("there are no tools in {}", shown(path))));
    }
    Ok(loaded)
}
