//! The user's folders, as the XDG base directory specification defines them.

use std::env::var_os;
use std::ffi::OsString;
use std::path::PathBuf;

/// Returns the folder for state that lasts from one run to the next: `toolglot` in
/// `XDG_STATE_HOME`, or in `.local/state` of `HOME`. Returns `None` if neither is an
/// absolute path.
pub fn state() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state", |name| var_os(name))
}

/// Returns the folder for data that was stored on purpose: `toolglot` in `XDG_DATA_HOME`,
/// or in `.local/share` of `HOME`.
pub fn data() -> Option<PathBuf> {
    folder("XDG_DATA_HOME", ".local/share", |name| var_os(name))
}

/// Returns the folder for data that can be fetched again: `toolglot` in `XDG_CACHE_HOME`,
/// or in `.cache` of `HOME`.
pub fn cache() -> Option<PathBuf> {
    folder("XDG_CACHE_HOME", ".cache", |name| var_os(name))
}

/// Returns a folder from the environment. A value that is not an absolute path counts as
/// not set.
fn folder(
    variable: &str,
    below_home: &str,
    value: fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let absolute = |name| value(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || Some(absolute("HOME")?.join(below_home));
    Some(absolute(variable).or_else(usual)?.join("toolglot"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The folders of the XDG base directory specification, for the environment of the
    /// test.
    #[test]
    fn each_kind_has_its_folder() {
        for (kind, variable, usual) in [
            (state as fn() -> _, "XDG_STATE_HOME", ".local/state"),
            (data, "XDG_DATA_HOME", ".local/share"),
            (cache, "XDG_CACHE_HOME", ".cache"),
        ] {
            let set = |name| var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
            let home = set("HOME").map(|home| home.join(usual));
            assert_eq!(kind(), set(variable).or(home).map(|path| path.join("toolglot")));
        }
    }

    /// The XDG base directory specification ignores paths that are not absolute.
    #[test]
    fn folders_are_absolute() {
        let found = |value| folder("XDG_DATA_HOME", ".local/share", value);
        let is = |path: &str| Some(PathBuf::from(path));
        assert_eq!(found(|name| Some(format!("/{name}").into())), is("/XDG_DATA_HOME/toolglot"));
        let home = is("/home/me/.local/share/toolglot");
        assert_eq!(found(|name| (name == "HOME").then(|| "/home/me".into())), home);
        for unset in [
            |name: &str| Some(OsString::from(if name == "HOME" { "/home/me" } else { "" })),
            |name: &str| Some(OsString::from(if name == "HOME" { "/home/me" } else { "data" })),
        ] {
            assert_eq!(found(unset), home);
        }
        assert_eq!(found(|_| None), None);
        assert_eq!(found(|_| Some("".into())), None);
        assert_eq!(found(|_| Some("here".into())), None);
    }
}
