//! Rules for paths and headers of requests. The checks of manifests apply them too.

/// Headers that determine the host of a message or where it ends. A client must never take
/// them from a manifest, so planning refuses them.
pub const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// Returns true if a text can be appended to a URL without changing its host.
pub fn is_path(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(|c: char| c == '\\' || c == '#' || c.is_control() || c.is_whitespace())
}

/// Returns true if a text is a valid header name.
pub fn is_header_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}
