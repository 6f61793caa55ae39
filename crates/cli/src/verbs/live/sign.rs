//! `toolglot sign`

use std::path::PathBuf;

use toolglot::Profile;
use toolglot::mcpkg::archive::Entry;
use toolglot::mcpkg::meta::SignedContent;
use toolglot::mcpkg::package::{Package, SIGNATURE};

use crate::files::input::display_path;
use crate::files::limits;
use crate::files::output;
use crate::files::package;
use crate::terminal::console::{Failure, Terminal, single_report};

/// Sign an MCPKG package
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot sign acme.crm.search-1.0.0.mcpkg --key acme.key
  toolglot sign unsigned.mcpkg --key acme.key -o dist/signed.mcpkg

The signature covers every file of the package, the id of its tool and the version. It becomes the
file meta/signature.sig, in place of one that is there. The same package and key give the same bytes.

Exit codes: 0 signed, 1 the package is invalid, 2 wrong usage, an unreadable file, or a key that others
can read")]
pub(crate) struct Args {
    /// The package
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file with the private key
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Where to write the package; without it, it is replaced
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    let trouble =
        |error| terminal.usage_error(&format!("cannot use {}: {error}", display_path(&args.key)));
    let key = installer::read_signing_key(&args.key).map_err(trouble)?;
    let limits = limits::document();
    let input = package::load(&args.file, terminal)?;
    let mut entries = package::open(&input, terminal)?.into_entries();
    let refuse = |report| package::refuse(&input.display_name(), &report, terminal);
    entries.retain(|entry| entry.name != SIGNATURE);
    let content = Package::new(entries.clone()).map_err(refuse)?;
    let findings = content.check(&package::check_options(Profile::Spec, None));
    if !findings.is_valid() {
        package::show_findings(&findings, &content, terminal);
        terminal.error(&format!("{} is not signed", input.display_name()));
        return Err(Failure::Invalid);
    }
    let signed =
        SignedContent::new(&content, &limits).map_err(|found| refuse(single_report(found)))?;
    entries.push(Entry::new(SIGNATURE, key.sign(&signed)));
    let whole = Package::new(entries).map_err(refuse)?;
    let bytes = whole.write(&limits).map_err(refuse)?;
    let target = args.output.as_ref().unwrap_or(&args.file);
    output::write_bytes(target, &bytes, terminal)?;
    let fingerprint = key.public().fingerprint();
    terminal.print(&format!("{}: signed with the key {fingerprint}\n", display_path(target)))?;
    terminal.print(&format!("sha256:{}\n", whole.digest()))
}
