//! `toolglot trust`

use std::path::PathBuf;

use installer::TrustStore;
use toolglot::core::printable;

use crate::files::input::display_path;
use crate::terminal::console::{Failure, Terminal};

/// Trust the key of a publisher, or list those that are trusted
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot trust
  toolglot trust acme acme.key.pub
  toolglot trust --remove acme

A key counts for the tools of one publisher: those whose id begins with its name. Compare the
fingerprint that is printed with one that the publisher told you otherwise. The list is the file
trusted-keys of the user's state folder.

Exit codes: 0 done, 2 wrong usage or an unreadable file, 3 no key is trusted for that publisher")]
pub(crate) struct Args {
    /// The publisher: the first part of the ids of its tools
    #[arg(value_name = "PUBLISHER", requires = "key")]
    publisher: Option<String>,
    /// The file with its public key
    #[arg(value_name = "FILE")]
    key: Option<PathBuf>,
    /// Trust no key of this publisher any more
    #[arg(long, value_name = "PUBLISHER", conflicts_with = "publisher")]
    remove: Option<String>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let trust = TrustStore::of_user()
        .ok_or_else(|| terminal.usage_error("there is no state folder: HOME is not set"))?;
    let trouble = |error: std::io::Error| {
        terminal.usage_error(&format!("{}: {error}", display_path(&trust.path())))
    };
    if let Some(publisher) = &args.remove {
        if !trust.update(|keys| keys.distrust(publisher)).map_err(trouble)? {
            let publisher = printable(publisher, 128);
            terminal.error(&format!("no key is trusted for {publisher}"));
            return Err(Failure::Refused);
        }
        return terminal.print(&format!("trusts no key of {} now\n", printable(publisher, 128)));
    }
    if let (Some(publisher), Some(file)) = (&args.publisher, &args.key) {
        if publisher.is_empty() || !publisher.bytes().all(is_id_byte) {
            return Err(terminal.usage_error("a publisher is one part of an id: acme"));
        }
        let key = installer::read_public_key(file).map_err(|error| {
            terminal.usage_error(&format!("cannot use {}: {error}", display_path(file)))
        })?;
        trust.update(|keys| keys.trust(publisher, key)).map_err(trouble)?;
        return terminal.print(&format!("trusts {publisher} with {}\n", key.fingerprint()));
    }
    let keys = trust.keys().map_err(trouble)?;
    let line = |(publisher, key): (&str, &toolglot::mcpkg::meta::ed25519::PublicKey)| {
        format!("{} {}\n", printable(publisher, 128), key.fingerprint())
    };
    let listed: String = keys.iter().map(line).collect();
    if listed.is_empty() {
        terminal.status("no key is trusted\n");
    }
    terminal.print(&listed)
}

/// Returns true if a part of an id may contain this byte.
const fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
}
