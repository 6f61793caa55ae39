//! The allow-list of a tool, which limits where requests may go.

use diagnostic::printable;
use manifest_core::descriptor::Network;
use manifest_core::url::check_http;
use manifest_core::{Destination, ToolDescriptor};

/// Returns the allow-list of a tool's manifest, or `None` if it does not limit requests. An
/// empty list denies the network.
pub(crate) fn declared_destinations(tool: &ToolDescriptor<'_>) -> Option<Vec<String>> {
    let permissions = &tool.permissions;
    match permissions.network.as_deref()? {
        Network::Deny => Some(Vec::new()),
        Network::Allowlist => Some(permissions.hosts.iter().map(|host| host.to_string()).collect()),
    }
}

/// Checks that a request may go to a URL.
pub(crate) fn check_destination(granted: Option<&[String]>, url: &str) -> Result<(), String> {
    let Some(granted) = granted else { return Ok(()) };
    let parsed = check_http(url).map_err(|error| error.message_for(url))?;
    if granted.is_empty() {
        return Err("the manifest denies the network".to_owned());
    }
    let mut entries = granted.iter().filter_map(|entry| Destination::parse(entry));
    if entries.any(|entry| entry.allows(&parsed)) {
        return Ok(());
    }
    Err(format!("the manifest does not let requests go to {}", printable(parsed.host, 64)))
}

#[cfg(test)]
mod tests {
    use super::check_destination;

    #[test]
    fn a_list_without_hosts_denies() {
        let denied = check_destination(Some(&[]), "https://example.com/").unwrap_err();
        assert_eq!(denied, "the manifest denies the network");
        let other =
            check_destination(Some(&["a.example".to_owned()]), "https://example.com/").unwrap_err();
        assert_eq!(other, "the manifest does not let requests go to example.com");
        assert_eq!(check_destination(None, "https://example.com/"), Ok(()));
    }
}
