//! Finds a tool in a registry and installs it.
//!
//! ```sh
//! toolglot serve examples/tools &
//! cargo run -p toolglot-examples --example jumith_client -- http://127.0.0.1:4000 "send mail" installed/
//! ```
//!
//! The library says what to request, judges what comes back, and says what to write; the host
//! sends and writes. `toolglot pull` does the same, and remembers what it has seen.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use disk::{Access, Folder};
use host::{FetchedDocument, Host, Limits, Options};
use toolglot::call;
use toolglot::jumith::cache::SeenVersions;
use toolglot::jumith::client::{Client, Request, Search, TIMEOUT_MS};
use toolglot::jumith::secrets::{self, Naming};

type Done<T> = Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [base, words, folder] = arguments.as_slice() else {
        return Err("usage: jumith_client BASE_URL WORDS FOLDER".into());
    };
    let client = Client::new(base)?;
    let ids = search(&client, words).await?;
    let id = ids.first().ok_or("nothing was found")?;
    let installed = install(&client, id, Path::new(folder), &mut SeenVersions::default()).await?;
    println!("{id} is in {}", installed.display());
    Ok(())
}

/// The ids of all tools that fit, best first.
pub(crate) async fn search(client: &Client, words: &str) -> Done<Vec<String>> {
    let mut ids = Vec::new();
    let search = Search { q: words.to_owned(), ..Search::default() };
    let mut pages = client.pages(search)?.at_most(100);
    while let Some(request) = pages.request() {
        let FetchedDocument { status, body, .. } = send(client, &request).await?;
        let document = client.parse_answer(&request, status, &body)?;
        let page = client.results(&document)?;
        ids.extend(page.results.iter().map(|tool| tool.id.to_string()));
        pages.feed(&page);
    }
    Ok(ids)
}

/// Installs the latest version of a tool below a folder.
pub(crate) async fn install(
    client: &Client,
    id: &str,
    folder: &Path,
    seen: &mut SeenVersions,
) -> Done<PathBuf> {
    let request = client.describe(id)?;
    let FetchedDocument { status, body, .. } = send(client, &request).await?;
    let described = client.parse_answer(&request, status, &body)?;
    let manifest = client.manifest(&request, &described)?;
    let wanted = manifest.required_secrets.iter().map(AsRef::as_ref);
    for prompt in secrets::missing(&manifest.name, wanted, Naming::Plain, |_| false) {
        println!("{}", prompt.message);
    }

    let request = client.bundle(id, &manifest.version)?;
    let FetchedDocument { status, body, .. } = send(client, &request).await?;
    let document = client.parse_answer(&request, status, &body)?;
    let plan = client.plan(&request, &document, Some(&described))?;
    seen.record_plan(&plan)?;
    let installed = folder.join(&plan.folder);
    if installed.exists() {
        return Err(format!("{} is there already", installed.display()).into());
    }
    let opened = Folder::create(folder, Access::Shared)?;
    for file in &plan.files {
        opened.write(&file.path, &file.bytes)?;
    }
    Ok(installed)
}

/// Sends a request to a registry that may be on this machine.
async fn send(client: &Client, request: &Request) -> Done<FetchedDocument> {
    let answer_bytes = client.limits(request.endpoint).document_bytes;
    let limits = Limits { answer_bytes, ..Limits::default() };
    let host = Host::new(Options { limits, private_addresses: true, ..Options::default() })?;
    let headers = Request::HEADERS.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    let sent = call::Request {
        method: "GET".to_owned(),
        url: request.url.as_str().into(),
        headers: headers.collect(),
        body: None,
    };
    Ok(host.fetch(&sent, Duration::from_millis(TIMEOUT_MS)).await?)
}
