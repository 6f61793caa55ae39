//! Which paths are absolute, on which host.

use std::borrow::Cow;

/// The path with every backslash turned into a slash.
pub fn to_slash(path: &str) -> Cow<'_, str> {
    if path.contains('\\') { Cow::Owned(path.replace('\\', "/")) } else { Cow::Borrowed(path) }
}

/// Whose rules a path follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
