//! Finds a tool in a registry and installs it.
//!
//! ```sh
//! cargo run --example jumith_hub &
//! cargo run --example jumith_client -- http://127.0.0.1:4000 "send mail" installed/
//! ```
//!
//! The library says what to request, judges what comes back, and says what to
//! write; everything here is about sockets and files.

#![allow(dead_code)] // the server's modules are there, too

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toolglot::jumith::cache::Seen;
use toolglot::jumith::client::{Client, Request, Search, TIMEOUT_MS};
use toolglot::jumith::secrets::{self, Naming};

pub(crate) mod registry {
    pub(crate) mod fetch;
    pub(crate) mod folder;
    pub(crate) mod http;
    pub(crate) mod site;
    #[path = "../../crates/cli/src/unbundle.rs"]
    pub(crate) mod unpack;
}

use registry::{fetch, unpack};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, words, folder] = arguments.as_slice() else {
        return Err("usage: jumith_client BASE_URL WORDS FOLDER".into());
    };
    let client = Client::new(base)?;
    let ids = search(&client, words)?;
    let Some(id) = ids.first() else {
        return Err("nothing was found".into());
    };
    let installed = install(&client, id, Path::new(folder), &mut Seen::default())?;
    println!("{id} is in {}", installed.display());
    Ok(())
}

/// The ids of all tools that fit, best first.
pub(crate) fn search(client: &Client, words: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut ids = Vec::new();
    let search = Search { q: words.to_owned(), ..Search::default() };
    let mut pages = client.pages(search)?.at_most(100);
    while let Some(request) = pages.request() {
        let (status, body) = send(client, &request)?;
        let document = client.open(&request, status, &body)?;
        let page = client.results(&document)?;
        ids.extend(page.results.iter().map(|tool| tool.id.to_string()));
        pages.feed(&page);
    }
    Ok(ids)
}

/// Installs the latest version of a tool below a folder.
pub(crate) fn install(
    client: &Client,
    id: &str,
    folder: &Path,
    seen: &mut Seen,
) -> Result<PathBuf, Box<dyn Error>> {
    let request = client.describe(id)?;
    let (status, body) = send(client, &request)?;
    let described = client.open(&request, status, &body)?;
    let manifest = client.manifest(&request, &described)?;
    let wanted = manifest.required_secrets.iter().map(AsRef::as_ref);
    for prompt in secrets::missing(&manifest.name, wanted, Naming::Plain, |_| false) {
        println!("{}", prompt.message);
    }

    let request = client.bundle(id, &manifest.version)?;
    let (status, body) = send(client, &request)?;
    let document = client.open(&request, status, &body)?;
    let plan = client.plan(&request, &document, Some(&described))?;
    seen.check(&plan)?;
    unpack::install(&plan, folder)?;
    Ok(folder.join(&plan.folder))
}

fn send(client: &Client, request: &Request) -> std::io::Result<(u16, Vec<u8>)> {
    let limit = client.limits(request.endpoint).document_bytes;
    fetch::get(&request.url, &Request::HEADERS, Duration::from_millis(TIMEOUT_MS), limit)
}
