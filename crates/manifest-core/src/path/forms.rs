//! The forms of a path: with slashes, absolute, shortest, and folded for comparison.

use std::borrow::Cow;

use diagnostic::is_ignorable;
use unicode_normalization::UnicodeNormalization;

/// Returns the path with every backslash turned into a slash.
pub fn to_slash(path: &str) -> Cow<'_, str> {
    if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) }
}

/// The platform whose rules a path follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStyle {
    /// Linux, macOS and other Unix systems.
    Posix,
    /// Windows.
    Windows,
}

/// Returns true if a path is absolute, like Go's `filepath.IsAbs` on this platform.
///
/// On Windows that is a drive followed by a separator (`C:\x`), a share
/// (`\\host\share`) or a device (`\\?\x`, `\\.\x`, `\??\x\y`). Slashes
/// count as backslashes. `C:x`, `\x` and `/x` depend on the current directory
/// or drive, so they are not absolute.
pub fn is_absolute(path: &str, style: PathStyle) -> bool {
    if style == PathStyle::Posix {
        return path.starts_with('/');
    }
    let slashed = to_slash(path);
    if let [_, b':', rest @ ..] = slashed.as_bytes() {
        return rest.starts_with(b"/");
    }
    // `//./UNC/host/share` has six segments, and is the longest form. Go accepts no volume
    // with a `..`.
    let segments: Vec<&str> = slashed.split('/').take(6).collect();
    match segments.as_slice() {
        ["", "", ".", unc, share @ ..] if unc.eq_ignore_ascii_case("UNC") => !share.contains(&".."),
        ["", "", "." | "?", device, ..] | ["", "??", device, _, ..] => *device != "..",
        ["", "", host, share, ..] => *host != ".." && *share != "..",
        ["", "", host] => *host != "..",
        _ => false,
    }
}

/// Returns the shortest path of the same meaning, like Go's `path.Clean`.
///
/// Repeated slashes become one. `.` segments are removed, and so is each `..` with the
/// segment before it. Links are not followed.
///
/// ```
/// use toolglot_manifest_core::path::clean;
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

/// Returns a key that is equal for two paths that are the same file on some file system.
///
/// File systems may ignore case, Unicode normalization, and invisible characters. The key
/// drops all three: it is the NFKC form without hidden characters, upper-cased and then
/// lower-cased. The two together are as strong as full case folding (`ß` and `ss` get the
/// same key), and at times stronger: `ı` and `i` get the same key too.
///
/// ```
/// use toolglot_manifest_core::path::collision_key;
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
        .filter(|c| !is_ignorable(*c))
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .nfkc()
        .collect()
}
