//! A registry of tools on this machine, with a page to search and read them.
//!
//! ```sh
//! cargo run --example jumith_hub                      # examples/tools, port 4000
//! cargo run --example jumith_hub -- FOLDER 127.0.0.1:8080
//! ```
//!
//! The library answers requests; everything here is about sockets and files: a server of a few
//! hundred lines over the standard library. `toolglot serve` does more, and brings more.

#![allow(dead_code)] // the client's modules are there, too

use std::error::Error;
use std::net::TcpListener;
use std::path::Path;

use toolglot::Validate;
use toolglot::jumith::server::Registry;

pub(crate) mod registry {
    pub(crate) mod fetch;
    pub(crate) mod folder;
    pub(crate) mod http;
    pub(crate) mod site;
    #[path = "../../crates/cli/src/unbundle.rs"]
    pub(crate) mod unpack;
}

use registry::{folder, http, site};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let tools = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/tools");
    let folder = arguments.next().unwrap_or_else(|| tools.to_owned());
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:4000".to_owned());
    let registry = load(Path::new(&folder))?;
    let listener = TcpListener::bind(address)?;
    println!("{} tools at http://{}/", registry.len(), listener.local_addr()?);
    serve(&listener, &registry)
}

/// The registry of a folder.
pub(crate) fn load(folder: &Path) -> Result<Registry, Box<dyn Error>> {
    let found = folder::packages(folder)?;
    let packages = found.into_iter().map(|(_, package)| package).collect();
    Registry::new(packages, &Validate::default()).map_err(|refused| {
        let first = refused.iter().find_map(|refused| refused.report.errors().next());
        first.map_or_else(String::new, ToString::to_string).into()
    })
}

/// Answers requests for ever.
pub(crate) fn serve(listener: &TcpListener, registry: &Registry) -> Result<(), Box<dyn Error>> {
    let local = listener.local_addr()?.ip().is_loopback();
    Ok(http::serve(listener, |request| site::answer(registry, request, local))?)
}
