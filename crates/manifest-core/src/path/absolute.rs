//! Absolute paths on each platform.

use std::borrow::Cow;

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
pub fn is_absolute(path: &str, flavour: PathStyle) -> bool {
    if flavour == PathStyle::Posix {
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
