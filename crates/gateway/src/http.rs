//! An HTTP server for everyone who calls the tools: MCP clients, hosts of other formats,
//! and a person at a web page.

mod access;
mod connections;
mod page;
mod response;
mod routes;
mod slow_reader;
mod token;

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

use self::access::Access;
use self::routes::{AppState, routes};
use crate::gateway::Gateway;
use crate::mcp::HttpService;
use crate::registry::{LiveRegistry, LoadedRegistry};

pub use self::token::Token;

/// The options of the HTTP server.
#[derive(Debug)]
pub struct Options {
    /// The gateway whose tools are served.
    pub gateway: Arc<Gateway>,
    /// The Jumith registry to serve.
    pub registry: LiveRegistry,
    /// The token for the routes that list or call the gateway's tools. The page and the
    /// registries need none.
    pub token: Token,
    /// Names of this machine that clients may use, besides `localhost` and its address.
    pub names: Vec<String>,
}

/// Serves until the listener fails. Calls `tell` each time the registry was reloaded.
pub async fn serve(
    listener: TcpListener,
    options: Options,
    tell: impl Fn(&LoadedRegistry),
) -> io::Result<()> {
    let Options { gateway, registry: shelf, token, names } = options;
    let access = Access::new(listener.local_addr()?, names, token);
    let mcp = HttpService::new(Arc::clone(&gateway));
    let site = Arc::new(AppState { gateway, shelf, access, mcp });
    tokio::select! {
        served = connections::serve(listener, routes(Arc::clone(&site))) => served,
        () = site.shelf.watch_files(tell) => Ok(()),
    }
}
