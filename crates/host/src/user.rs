//! The folders of the user, as the XDG base directory specification has them.

use std::env::var_os;
use std::path::{Path, PathBuf};

/// What is kept from one run to the next: `toolglot` in `XDG_STATE_HOME`, or in `.local/state` of
/// `HOME`.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// What was put there on purpose: `toolglot` in `XDG_DATA_HOME`, or in `.local/share` of `HOME`.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// What can be had again: `toolglot` in `XDG_CACHE_HOME`, or in `.cache` of `HOME`.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache")
}

fn folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let named = var_os(variable).filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let usual = || Some(Path::new(&var_os("HOME")?).join(below_home));
    Some(named.or_else(usual)?.join("toolglot"))
}
