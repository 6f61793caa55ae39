//! Reading a manifest to install: from a file, an address, or an index.

use std::path::Path;

use host::Host;
use installer::index::{self, Entry, Index};
use toolglot::core::quoted;
use toolglot::{Limits, Report};

use crate::files::input::Input;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::FindingStyle;
use crate::verbs::live::values;

/// A manifest, with the index entry that named it.
pub(crate) struct FetchedManifest {
    pub(crate) input: Input,
    pub(crate) entry: Option<Entry>,
}

/// Reads the manifest that `place` names: the file or URL of a manifest, or of an index
/// followed by `#ID`. An index may name any address. If `private` is set, that address may
/// be on this machine or in a private network.
pub(crate) fn manifest(
    place: &str,
    private: bool,
    terminal: &Terminal,
) -> Result<FetchedManifest, Failure> {
    let whole = !is_address(place) && Path::new(place).exists();
    let Some((of, id)) = place.rsplit_once('#').filter(|_| !whole) else {
        return Ok(FetchedManifest { input: read_text(place, true, terminal)?, entry: None });
    };
    let index = index(of, FindingStyle::Text, terminal)?;
    let entry = index.entry(id).map_err(|why| terminal.usage_error(&why))?;
    if let Err(why) = entry.check_usable() {
        terminal.error(&why);
        return Err(Failure::Refused);
    }
    if let Some(warning) = entry.warning() {
        terminal.status(&format!("warning: {warning}\n"));
    }
    let input = read_text(&entry.manifest_url, private, terminal)?;
    Ok(FetchedManifest { input, entry: Some(entry.clone()) })
}

/// Reads the index in a file or at an address. Prints its errors in this style.
pub(crate) fn index(
    place: &str,
    style: FindingStyle,
    terminal: &Terminal,
) -> Result<Index, Failure> {
    let input = read_text(place, true, terminal)?;
    let limits = Limits { document_bytes: index::MAX_INDEX_BYTES, ..Limits::default() };
    let refuse = |report: Report| {
        input.print_report(&report, style, terminal).err().unwrap_or(Failure::Invalid)
    };
    let document = input.parse(&limits).map_err(refuse)?;
    let index = index::read(&document).map_err(refuse)?;
    let elsewhere = |home: &&String| is_address(place) && home.as_str() != place;
    if let Some(home) = index.home.as_ref().filter(elsewhere) {
        let publisher = quoted(index.publisher.as_deref().unwrap_or(""));
        let home = quoted(home);
        terminal.status(&format!(
            "warning: the index of {publisher} stands at {home}: this one may be anybody's\n"
        ));
    }
    Ok(index)
}

fn is_address(place: &str) -> bool {
    place.starts_with("https://") || place.starts_with("http://")
}

/// Reads a text from a file or an address.
fn read_text(place: &str, private: bool, terminal: &Terminal) -> Result<Input, Failure> {
    if !is_address(place) {
        return Input::read(Path::new(place), index::MAX_INDEX_BYTES, terminal);
    }
    let host = Host::new(installer::host_options(private));
    let host = host.map_err(|error| terminal.usage_error(&error.to_string()))?;
    let fetched = values::with_host(host, terminal, async |host| {
        let fetched = index::fetch(host, place, index::MAX_INDEX_BYTES).await;
        fetched.map_err(|why| terminal.usage_error(&why))
    })?;
    Ok(Input::new(Path::new(place), fetched))
}
