//! The user's folders, as the XDG base directory specification defines them.

use std::env::var_os;
use std::path::PathBuf;

/// Returns the folder for state that lasts from one run to the next: `toolglot` in
/// `XDG_STATE_HOME`, or in `.local/state` of `HOME`. Returns `None` if neither is an
/// absolute path.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// Returns the folder for data that was stored on purpose: `toolglot` in `XDG_DATA_HOME`,
/// or in `.local/share` of `HOME`.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share")
}

/// Returns the folder for data that can be fetched again: `toolglot` in `XDG_CACHE_HOME`,
/// or in `.cache` of `HOME`.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache")
}

/// Returns a folder from the environment. A value that is not an absolute path counts as
/// not set.
fn folder(variable: &str, below_home: &str) -> Option<PathBuf> {
    let base = match absolute(variable) {
        Some(base) => base,
        None => absolute("HOME")?.join(below_home),
    };
    Some(base.join("toolglot"))
}

fn absolute(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(var_os(variable)?);
    if path.is_absolute() { Some(path) } else { None }
}
