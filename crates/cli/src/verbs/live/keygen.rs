//! `toolglot keygen`

use std::io;
use std::path::PathBuf;

use crate::files::input::display_path;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};

/// Make a key to sign packages with
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot keygen acme.key
  toolglot sign acme.crm.search-1.0.0.mcpkg --key acme.key
  toolglot trust acme acme.key.pub

The key is an Ed25519 key in PEM, as `openssl genpkey -algorithm ed25519` makes it. Only you can read
the file. The public key beside it, with .pub behind the name, is for those who trust you.

Exit codes: 0 made, 2 wrong usage, or the file cannot be written or is there")]
pub(crate) struct Args {
    /// Where to write the key; a file that is there is not replaced
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let trouble = |error: io::Error| {
        terminal.usage_error(&if error.kind() == io::ErrorKind::AlreadyExists {
            format!(
                "{} is there, and a key is not replaced: name another file",
                display_path(&args.file)
            )
        } else {
            output::write_error(&args.file, &error)
        })
    };
    let key = installer::generate_key(&args.file).map_err(trouble)?;
    let mut public = args.file.clone().into_os_string();
    public.push(".pub");
    let public = PathBuf::from(public);
    output::write_bytes(&public, key.to_pem().as_bytes(), terminal)?;
    terminal.print(&format!(
        "{}: the key, keep it to yourself\n{}: the public key {}\n",
        display_path(&args.file),
        display_path(&public),
        key.fingerprint()
    ))
}
