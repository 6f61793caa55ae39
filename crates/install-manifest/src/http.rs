//! Paths and headers of requests: the same rules for checks and for plans.

/// Headers that change where a message goes or where it ends.
pub const RESERVED: &[&str] =
    &["host", "content-length", "transfer-encoding", "connection", "proxy-authorization", "cookie"];

/// Of those, the ones that a client must never take from others.
pub const FRAMING: &[&str] = &["host", "content-length", "transfer-encoding", "connection"];

/// Whether a text can be appended to a URL, and stay on its host.
pub fn is_path(path: &str) -> bool {
    let odd = |c: char| c == '\\' || c.is_control() || c.is_whitespace() || c == '#';
    path.starts_with('/') && !path.starts_with("//") && !path.contains(odd)
}

/// Whether a text can be the name of a header.
pub fn is_header_name(name: &str) -> bool {
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    !name.is_empty() && name.bytes().all(token)
}
