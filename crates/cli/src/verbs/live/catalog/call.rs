//! `toolglot catalog call`

use installer::capabilities::{CapabilityStore, Error};
use toolglot::FORMATS;
use toolglot::capability::{Layers, resolve, rules, run};
use toolglot::core::quoted;
use toolglot::descriptor::Invocation;

use super::files::{CatalogArgs, OpenCatalogs};
use super::grants::Grants;
use super::install::{recover, show_error};
use crate::files::input::Input;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::call::{Call, CallArgs};
use crate::verbs::live::callable;

/// Call a capability that the catalogs declare
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot catalog call demo.echo --base manifest.base.json --store capabilities
  toolglot catalog call 'count files' --files read

What no catalog declares is not called, nor what is declared and not in place as it was installed.
Of what fits an intent, the best is called; where several fit as well, none is.

By default nothing is granted: no files, no devices, no other channel than the programmatic one, no
trust level but local and verified. What is granted here is not asked again; secrets, and hosts that
--policy does not list, are asked for on a terminal, or approved with --yes.

Exit codes: 0 answered, 1 an entry or the arguments are invalid, 2 wrong usage or an unreadable file,
3 refused: not declared, not installed, not granted, or something is missing, 4 called, and failed")]
pub(super) struct Args {
    /// The id of a capability, or words that are in its id or its description
    #[arg(value_name = "ID|INTENT")]
    id_or_intent: String,
    #[command(flatten)]
    files: CatalogArgs,
    #[command(flatten)]
    making: CallArgs,
    #[command(flatten)]
    grants: Grants,
}

pub(super) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let store = args.files.require_store(terminal)?;
    let read = read_recovered(&args.files, &store, terminal)?;
    let layers = &read.layers;
    let id = resolve_id(&args.id_or_intent, layers, terminal)?;
    let refused = |message: &str| {
        terminal.error(message);
        Failure::Refused
    };
    let undeclared = || refused(&format!("no catalog declares {}", quoted(&id)));
    let entry = layers.get(&id).ok_or_else(undeclared)?.entry;
    let runnable = store.is_runnable(layers, &id);
    if !runnable.map_err(|error| terminal.usage_error(&error.to_string()))? {
        return Err(refused(&format!(
            "{} is declared, and not in place as it was installed: install it with `toolglot \
             catalog install`",
            quoted(&id)
        )));
    }
    let granted = args.grants.read(terminal)?;
    run::permit(entry, granted.channel, &granted.capability)
        .map_err(|denial| refused(&denial.to_string()))?;
    let file = store.local_path();
    let input = Input::new(file, entry.text().as_bytes().to_vec());
    callable::with_entry(&input, store.content_folder(entry), terminal, |document| {
        let tool = document.choose(None, terminal)?;
        let stands_for_another = tool.tool.invocations().any(Invocation::is_pinned);
        let call = Call {
            args: &args.making,
            policy: if stands_for_another { granted.for_source() } else { granted.call.clone() },
            private_addresses: granted.private_addresses,
            tool_paths: &[],
            trace: false,
            audit: None,
            formats: FORMATS,
            terminal,
        };
        call.run(file, document, &tool)
    })
}

/// Reads the catalogs, and removes leftovers of a crash unless another process is changing
/// the store.
fn read_recovered(
    files: &CatalogArgs,
    store: &CapabilityStore,
    terminal: &Terminal,
) -> Result<OpenCatalogs, Failure> {
    let change = match store.root().exists().then(|| store.begin_transaction()) {
        None | Some(Err(Error::Busy)) => None,
        Some(change) => Some(change.map_err(|error| show_error(&error, terminal))?),
    };
    let read = files.read_with(Some(store), terminal)?;
    // Installed content must not be lost because its entry is broken, or because the
    // catalog that declares it was moved.
    let knows_all = !read.is_local_incomplete && store.local_path().exists();
    if let Some(change) = change.filter(|_| knows_all) {
        recover(&change, &read.layers, terminal)?;
    }
    Ok(read)
}

/// Returns the id itself if it is declared, else that of the best match. Fails if nothing
/// matches, or if several match equally well.
fn resolve_id(wanted: &str, layers: &Layers, terminal: &Terminal) -> Result<String, Failure> {
    if layers.get(wanted).is_some() {
        return Ok(wanted.to_owned());
    }
    let found = resolve::resolve(wanted, layers, []);
    let best = found.first().map(|best| best.score);
    let ids: Vec<&str> =
        found.iter().take_while(|one| Some(one.score) == best).map(|one| one.entry.id()).collect();
    match ids.as_slice() {
        [id] => {
            terminal.status(&format!("note: {} fits best\n", quoted(id)));
            Ok((*id).to_owned())
        }
        [] => {
            let message = format!("no catalog declares what fits {}", quoted(wanted));
            let hint = "`toolglot catalog list` lists what is declared";
            terminal.error(&format!("{message}: {hint} [{}]", rules::POLICY_UNDECLARED.code));
            Err(Failure::Refused)
        }
        several => {
            let several: Vec<String> = several.iter().map(|id| quoted(id)).collect();
            terminal.error(&format!("several fit as well: say which of {}", several.join(", ")));
            Err(Failure::Refused)
        }
    }
}
