//! `toolglot catalog call`

use installer::capabilities::{Capabilities, Error};
use toolglot::FORMATS;
use toolglot::capability::{Layers, resolve, rules, run};
use toolglot::core::quoted;
use toolglot::descriptor::Invocation;

use super::files::{Files, Read};
use super::grants::Grants;
use super::install::{failed, recovered};
use crate::live::call::{Call, Making};
use crate::live::callable;
use console::input::Input;
use console::terminal::{Failure, Terminal};

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
    wanted: String,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    making: Making,
    #[command(flatten)]
    grants: Grants,
}

pub(super) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let store = args.files.store(terminal)?;
    let read = settled(&args.files, &store, terminal)?;
    let layers = &read.layers;
    let id = chosen(&args.wanted, layers, terminal)?;
    let refused = |message: &str| {
        terminal.error(message);
        Failure::Refused
    };
    let undeclared = || refused(&format!("no catalog declares {}", quoted(&id)));
    let entry = layers.get(&id).ok_or_else(undeclared)?.entry;
    let runnable = store.is_runnable(layers, &id);
    if !runnable.map_err(|error| terminal.trouble(&error.to_string()))? {
        return Err(refused(&format!(
            "{} is declared, and not in place as it was installed: install it with `toolglot \
             catalog install`",
            quoted(&id)
        )));
    }
    let granted = args.grants.read(terminal)?;
    run::permit(entry, granted.channel, &granted.capability)
        .map_err(|denial| refused(&denial.to_string()))?;
    let file = store.local();
    let input = Input::new(file, entry.text().as_bytes().to_vec());
    callable::open_entry(&input, store.content(entry), terminal, |document| {
        let tool = document.choose(None, terminal)?;
        let stands_for_another = tool.tool.calls().any(Invocation::is_pinned);
        let call = Call {
            making: &args.making,
            policy: if stands_for_another { granted.to_another() } else { granted.call.clone() },
            private_addresses: granted.private_addresses,
            with: &[],
            trace: false,
            audit: None,
            formats: FORMATS,
            terminal,
        };
        call.begin(file, document, &tool)
    })
}

/// Reads the catalogs, and removes leftovers of a crash unless another process is changing
/// the store.
fn settled(files: &Files, store: &Capabilities, terminal: &Terminal) -> Result<Read, Failure> {
    let change = match store.root().exists().then(|| store.change()) {
        None | Some(Err(Error::Busy)) => None,
        Some(change) => Some(change.map_err(|error| failed(&error, terminal))?),
    };
    let read = files.read_with(Some(store), terminal)?;
    // Installed content must not be lost because its entry is broken, or because the
    // catalog that declares it was moved.
    let knows_all = !read.local_left_out && store.local().exists();
    if let Some(change) = change.filter(|_| knows_all) {
        recovered(&change, &read.layers, terminal)?;
    }
    Ok(read)
}

/// Returns the id itself if it is declared, else that of the best match. Fails if nothing
/// matches, or if several match equally well.
fn chosen(wanted: &str, layers: &Layers, terminal: &Terminal) -> Result<String, Failure> {
    if layers.get(wanted).is_some() {
        return Ok(wanted.to_owned());
    }
    let found = resolve::resolve(wanted, layers, []);
    let best = found.first().map(|best| best.score);
    let ids: Vec<&str> =
        found.iter().take_while(|one| Some(one.score) == best).map(|one| one.entry.id()).collect();
    match ids.as_slice() {
        [id] => {
            terminal.say(&format!("note: {} fits best\n", quoted(id)));
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
