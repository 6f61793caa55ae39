//! Rules for paths and headers of requests, shared by checks and plans.

/// Headers that affect where a message goes or where it ends. Setting one causes a warning.
pub const RESERVED: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "proxy-authorization", "cookie"];

/// The [`RESERVED`] headers that determine the host of a message or where it ends. A client
/// must never take them from a manifest, so planning refuses them.
pub const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// Returns true if a text can be appended to a URL without changing its host.
pub fn is_path(path: &str) -> bool {
    let odd = |c: char| c == '\\' || c.is_control() || c.is_whitespace() || c == '#';
    path.starts_with('/') && !path.starts_with("//") && !path.contains(odd)
}

/// Returns true if a text is a valid header name.
pub fn is_header_name(name: &str) -> bool {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !name.is_empty() && name.bytes().all(token)
}
