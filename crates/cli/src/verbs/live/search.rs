//! `toolglot search`

use std::path::Path;

use toolglot::core::{printable, some_or_bug};
use toolglot::json::Document;
use toolglot::jumith::SearchResults;
use toolglot::jumith::client::{Client, MAX_PAGE_SIZE, Search};
use toolglot::mcpkg::registry as packages;

use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::{Style, mask_secrets};
use crate::verbs::live::package_query::{self, PackageQueryArgs};
use crate::verbs::live::remotes;
use crate::verbs::live::serve;

/// Find Jumith tools or MCPKG packages, in a folder or a registry
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot search tools/ send mail
  toolglot search tools/ --tag email --format json mail
  toolglot search http://127.0.0.1:4000 mail
  toolglot search packages/ --capability pdf --language javascript --runtime node
  toolglot search http://127.0.0.1:4000 --capability pdf --platform linux-x64

With --capability, --language, --runtime or --platform, MCPKG packages are searched: the .mcpkg files of
a folder, or of one that `toolglot serve` serves elsewhere. Language, runtime and platform are those of
one implementation. What a registry answers that was not asked for is left out.

Where $REGISTRY_BASE_URL names a registry, WHERE can be left out: the first word is WHERE only if it is
an address or a folder.

Answers of registries are kept in the user's cache, and asked for by their ETag.

Exit codes: 0 something was found, 1 nothing was, 2 wrong usage or no answer")]
pub(crate) struct Args {
    /// The folder of tools, or the base URL of a registry, and the words to look for
    #[arg(required = true, value_name = "WHERE|WORDS")]
    words: Vec<String>,
    #[command(flatten)]
    wanted: PackageQueryArgs,
    /// Only tools that have one of these tags
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// How many to show
    #[arg(long, value_name = "NUMBER", default_value = "20",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PAGE_SIZE)))]
    limit: u32,
    /// How many to leave out
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    offset: u64,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    format: Style,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let (place, words) = remotes::split_registry(&args.words, terminal)?;
    let remote = remotes::is_address(&place);
    if words.is_empty() && !args.wanted.is_given() {
        return Err(terminal.usage_error("say which words to look for"));
    }
    if args.wanted.is_given() {
        if !args.tags.is_empty() {
            let message = "tags are those of Jumith tools: packages have a --capability";
            return Err(terminal.usage_error(message));
        }
        let search = packages::Search {
            criteria: args.wanted.to_query(),
            words: words.to_vec(),
            limit: usize::try_from(args.limit).unwrap_or(packages::MAX_PAGE_SIZE),
            offset: usize::try_from(args.offset).unwrap_or(usize::MAX),
        };
        return package_query::search(&place, &search, args.format, terminal);
    }
    let base = if remote { place.as_str() } else { "http://localhost" };
    let search = Search {
        q: words.join(" "),
        limit: Some(args.limit),
        offset: Some(args.offset),
        tags: args.tags.clone(),
    };
    let client = Client::new(base).map_err(|error| terminal.usage_error(&error.to_string()))?;
    let request =
        client.search(&search).map_err(|error| terminal.usage_error(&error.to_string()))?;
    let (status, body) = if remote {
        remotes::with_remote(base, terminal, async |remote| remote.send(&request).await)?
    } else {
        let registry = serve::load_registry(Path::new(&place), terminal)?.registry;
        // The client was made for this base.
        let target = some_or_bug(request.url.strip_prefix(base));
        let response = registry.handle("GET", target, &[]);
        (response.status, response.body)
    };
    let document = client.parse_answer(&request, status, &body);
    let document = document.map_err(|error| terminal.usage_error(&error.to_string()))?;
    let page = client.results(&document);
    let page = page.map_err(|error| terminal.usage_error(&error.to_string()))?;
    show(&page, &document, args, terminal)?;
    if page.results.is_empty() { Err(Failure::Invalid) } else { Ok(()) }
}

fn show(
    page: &SearchResults<'_>,
    document: &Document<'_>,
    args: &Args,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.format == Style::Json {
        return terminal.print_document(&format!("{}\n", mask_secrets(document.text())));
    }
    let mut out = String::new();
    for tool in &page.results {
        let line = [&tool.id, &tool.version, &tool.summary].map(|text| printable(text, 200));
        out.push_str(&line.join("  "));
        out.push('\n');
    }
    let total = page.total().unwrap_or(0);
    terminal.status(&format!("{} of {total} tools\n", page.results.len()));
    terminal.print(&out)
}
