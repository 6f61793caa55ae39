//! One HTTP server for all who want to call the tools: MCP clients, hosts of other formats, and a
//! person at a page.

mod access;
mod answer;
mod connections;
mod page;
mod routes;
mod timed;
mod token;

use std::io;
use std::sync::Arc;

use tokio::net::TcpListener;

use self::access::Access;
use self::routes::{Site, routes};
use crate::gateway::Gateway;
use crate::mcp::OverHttp;
use crate::registry::{Loaded, Shelf};

pub use self::token::Token;

/// What is served over HTTP.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)]
pub struct Options {
    /// The tools.
    pub gateway: Arc<Gateway>,
    /// The Jumith registry.
    pub shelf: Shelf,
    /// What opens all that runs something.
    pub token: Token,
    /// Names of this machine that clients may ask for, beside `localhost` and its address.
    pub names: Vec<String>,
}

/// Serves for ever, or until the listener fails. `tell` hears of what the registry does not take.
pub async fn serve(
    listener: TcpListener,
    options: Options,
    tell: impl Fn(&Loaded),
) -> io::Result<()> {
    let Options { gateway, shelf, token, names } = options;
    let access = Access::new(listener.local_addr()?, names, token);
    let mcp = OverHttp::new(Arc::clone(&gateway));
    let site = Arc::new(Site { gateway, shelf, access, mcp });
    tokio::select! {
        served = connections::serve(listener, routes(Arc::clone(&site))) => served,
        () = site.shelf.keep_up(tell) => Ok(()),
    }
}
