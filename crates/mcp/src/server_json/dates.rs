//! The versions of the format: the dates of its schemas.

use manifest_core::json::Node;

use crate::shared::version_index;

/// The dates, oldest first. All of them can be read.
pub(crate) static VERSIONS: [&str; 6] =
    ["2025-07-09", "2025-09-16", "2025-09-29", "2025-10-11", "2025-10-17", NEWEST];

/// The only date that is written.
pub(crate) const NEWEST: &str = "2025-12-11";

/// The index of the only date in snake case.
pub(crate) const SNAKE: u8 = 0;

/// The index of the first date in camel case.
pub(crate) const CAMEL: u8 = 1;

/// The part of a schema's URL before its date.
const SCHEMA_URL_PREFIX: &str = "https://static.modelcontextprotocol.io/schemas/";

/// The part of a schema's URL after its date.
const SCHEMA_URL_SUFFIX: &str = "/server.schema.json";

/// The file name in a schema's URL.
pub(crate) const SCHEMA_FILE: &str = "server.schema.json";

/// Returns the URL of the schema of a date.
pub(crate) fn schema_url(date: &str) -> String {
    format!("{SCHEMA_URL_PREFIX}{date}{SCHEMA_URL_SUFFIX}")
}

/// Returns true if a URL is that of a schema of any date.
pub(crate) fn is_schema_url(url: &str) -> bool {
    url.starts_with(SCHEMA_URL_PREFIX) && url.ends_with(SCHEMA_URL_SUFFIX)
}

/// Returns the date in `$schema`, if it is a known one.
pub(crate) fn declared_date(root: Node<'_>) -> Option<&'static str> {
    let schema = root.get("$schema")?.text()?;
    VERSIONS.into_iter().find(|date| schema.split('/').any(|part| part == *date))
}

/// Returns the index of a document's date. Without a known date, it is the newest or, if
/// members are in snake case, the oldest.
pub(crate) fn version_of(root: Node<'_>) -> u8 {
    match declared_date(root) {
        None if is_snake(root) => SNAKE,
        date => version_index(&VERSIONS, date),
    }
}

/// Returns true if a document has members that exist only in snake case.
pub(crate) fn is_snake(root: Node<'_>) -> bool {
    let old = |node: Node<'_>, names: &[&str]| names.iter().any(|name| node.get(name).is_some());
    let elements = |name: &str| root.get(name).into_iter().flat_map(Node::elements);
    old(root, &["version_detail"])
        || elements("packages").any(|package| old(package, &["registry_type", "registry_name"]))
        || elements("remotes").any(|remote| old(remote, &["transport_type"]))
}
