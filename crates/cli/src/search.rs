//! `toolglot search`

use std::path::Path;
use std::time::Duration;

use host::{Host, Limits, Options, Origin, Values};
use toolglot::call::{self, Outcome, Step};
use toolglot::core::printable;
use toolglot::json::Document;
use toolglot::jumith::SearchResults;
use toolglot::jumith::client::{Client, LARGEST_PAGE, Request, Search, TIMEOUT_MS};

use crate::serve;
use crate::values;
use console::problem::{Style, without_secrets};
use console::terminal::{Failure, Terminal};

/// Find Jumith tools in a folder or a registry
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot search tools/ send mail
  toolglot search tools/ --tag email --format json mail
  toolglot search http://127.0.0.1:4000 mail

Exit codes: 0 something was found, 1 nothing was, 2 wrong usage or no answer")]
pub(crate) struct Args {
    /// The folder of tools, or the base URL of a registry
    #[arg(value_name = "WHERE")]
    place: String,
    /// The words to look for
    #[arg(required = true, value_name = "WORDS")]
    words: Vec<String>,
    /// Only tools that have one of these tags
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// How many to show
    #[arg(long, value_name = "NUMBER", default_value = "20",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_PAGE)))]
    limit: u32,
    /// How many to leave out
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    offset: u64,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let remote = ["http://", "https://"].iter().any(|scheme| args.place.starts_with(scheme));
    let base = if remote { args.place.as_str() } else { "http://localhost" };
    let search = Search {
        q: args.words.join(" "),
        limit: Some(args.limit),
        offset: Some(args.offset),
        tags: args.tags.clone(),
    };
    let client = Client::new(base).map_err(|error| terminal.trouble(&error.to_string()))?;
    let request = client.search(&search).map_err(|error| terminal.trouble(&error.to_string()))?;
    let (status, body) = if remote {
        fetched(&client, &request, terminal)?
    } else {
        let registry = serve::load(Path::new(&args.place), terminal)?.registry;
        let target = request.url.strip_prefix(base).unwrap_or_default();
        let response = registry.handle("GET", target, &[]);
        (response.status, response.body)
    };
    let document = client.open(&request, status, &body);
    let document = document.map_err(|error| terminal.trouble(&error.to_string()))?;
    let page = client.results(&document);
    let page = page.map_err(|error| terminal.trouble(&error.to_string()))?;
    show(&page, &document, args, terminal)?;
    if page.results.is_empty() { Err(Failure::Invalid) } else { Ok(()) }
}

fn fetched(
    client: &Client,
    request: &Request,
    terminal: &Terminal,
) -> Result<(u16, Vec<u8>), Failure> {
    let trouble = |why: &str| terminal.trouble(&format!("cannot fetch {}: {why}", request.url));
    let limits = Limits {
        answer_bytes: client.limits(request.endpoint).document_bytes,
        ..Limits::default()
    };
    // The person has named the place.
    let options = Options { limits, private_addresses: true, ..Options::default() };
    let headers = Request::HEADERS.iter();
    let step = Step::Send(call::Request {
        method: "GET".to_owned(),
        url: request.url.as_str().into(),
        headers: headers.map(|(name, value)| ((*name).to_owned(), (*value).into())).collect(),
        body: None,
    });
    let host = Host::new(options).map_err(|error| trouble(&error.to_string()))?;
    let outcome = values::hosted(host, terminal, async |host| {
        let time = Duration::from_millis(TIMEOUT_MS);
        Ok(host.carry_out(&step, &Origin::default(), &Values::new(), time).await)
    })?;
    match outcome {
        Outcome::Responded { status, body } => Ok((status, body)),
        Outcome::TimedOut => Err(trouble("there was no answer in time")),
        Outcome::TooMuch { .. } => Err(trouble("the answer is too long")),
        Outcome::NotDone(why) | Outcome::Lost(why) => Err(trouble(&why)),
        _ => Err(trouble("there was no answer")),
    }
}

fn show(
    page: &SearchResults<'_>,
    document: &Document<'_>,
    args: &Args,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.format == Style::Json {
        return terminal.print_document(&format!("{}\n", without_secrets(document.text())));
    }
    let mut out = String::new();
    for tool in &page.results {
        let line = [&tool.id, &tool.version, &tool.summary].map(|text| printable(text, 200));
        out.push_str(&line.join("  "));
        out.push('\n');
    }
    let total = page.total().unwrap_or_default();
    terminal.say(&format!("{} of {total} tools\n", page.results.len()));
    terminal.print(&out)
}
