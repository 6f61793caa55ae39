//! Paths as text, with the same answer on every host.
//!
//! `std::path` follows the rules of the machine that it runs on. A manifest is
//! written on one machine and used on another, so nothing here does.

mod finding;
mod portable;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

pub use finding::{PathFinding, findings};
pub use portable::{PathError, PathLimits, check_portable};

/// The shortest path of the same meaning: Go's `path.Clean`.
///
/// Repeated slashes become one, `.` segments go, and so does each `..` with
/// the segment before it. Only the text counts; links are not followed.
///
/// ```
/// use manifest_core::path::clean;
///
/// assert_eq!(clean("./tools/bin/../hack"), "tools/hack");
/// assert_eq!(clean("/../a//b/."), "/a/b");
/// assert_eq!(clean(""), ".");
/// ```
pub fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&"..") => kept.push(".."),
                Some(_) => {
                    kept.pop();
                }
                None if rooted => {}
                None => kept.push(".."),
            },
            name => kept.push(name),
        }
    }
    let joined = kept.join("/");
    if rooted {
        format!("/{joined}")
    } else if joined.is_empty() {
        ".".to_owned()
    } else {
        joined
    }
}

/// The path with every backslash turned into a slash.
pub fn to_slash(path: &str) -> Cow<'_, str> {
    if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) }
}

/// Whose rules a path follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::exhaustive_enums)] // there is no third kind
pub enum Flavour {
    /// Linux, macOS and other Unix systems.
    Posix,
    /// Windows.
    Windows,
}

/// Whether a path is absolute: Go's `filepath.IsAbs` on a host of this flavour.
///
/// On Windows that is a drive followed by a separator (`C:\x`), a share
/// (`\\host\share`) or a device (`\\?\x`, `\\.\x`, `\??\x\y`). Slashes
/// count as backslashes. `C:x`, `\x` and `/x` depend on the current directory
/// or drive, so they are not absolute.
pub fn is_absolute(path: &str, flavour: Flavour) -> bool {
    if flavour == Flavour::Posix {
        return path.starts_with('/');
    }
    let slashed = to_slash(path);
    if let [_, b':', rest @ ..] = slashed.as_bytes() {
        return rest.starts_with(b"/");
    }
    // At most as deep as `//./UNC/host/share`. Go takes no volume with a `..`.
    let segments: Vec<&str> = slashed.split('/').take(6).collect();
    match segments.as_slice() {
        ["", "", ".", unc, share @ ..] if unc.eq_ignore_ascii_case("UNC") => !share.contains(&".."),
        ["", "", "." | "?", device, ..] | ["", "??", device, _, ..] => *device != "..",
        ["", "", host, share, ..] => *host != ".." && *share != "..",
        ["", "", host] => *host != "..",
        _ => false,
    }
}

/// A key that is equal for two paths that are one file on some file system.
///
/// File systems may ignore case, Unicode normalization, and characters without
/// a shape. The key drops all three: it is the NFKC form without hidden
/// characters, upper-cased and then lower-cased. The two together are as strong
/// as full case folding (`ß` and `ss` get the same key), and at times stronger:
/// `ı` and `i` get the same key too.
///
/// ```
/// use manifest_core::path::collision_key;
///
/// assert_eq!(collision_key("MANIFEST.json"), collision_key("manifest.JSON"));
/// assert_eq!(collision_key("Straße"), collision_key("STRASSE"));
/// assert_ne!(collision_key("a"), collision_key("b"));
/// ```
pub fn collision_key(path: &str) -> String {
    if path.bytes().all(|b| b.is_ascii_graphic()) {
        return path.to_ascii_lowercase();
    }
    // Twice, because `ẞ` first becomes `ß`.
    fold(&fold(path))
}

fn fold(text: &str) -> String {
    text.nfkc()
        .filter(|c| !portable::is_hidden(*c))
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfkc()
        .collect()
}
