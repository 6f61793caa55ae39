//! The behaviour of the published hub.
//!
//! The hub serves every manifest that has an id. The name, provider and tags of a tool come
//! from the version that it reads first; the other members come from the version that it
//! serves. It finds the latest version by comparing numbers only.

use std::collections::BTreeMap;

use manifest_core::ValidateOptions;
use manifest_core::json::{Document, Node};
use serde_json::{Value, json};

use super::query::QueryParams;
use super::store::{Package, Store, StoredTool, Version};
use crate::base64;
use crate::bundle::digest;
use crate::reference::is_truthy;
use crate::search::SearchPage;

/// A tool while its versions are read.
struct ToolBuilder {
    tool: StoredTool,
    name: Option<String>,
    provider: Option<String>,
    tags: String,
    versions: Vec<(Vec<i64>, Version, VersionParts)>,
}

/// The members that differ between versions, as JSON. `None` if a member is missing.
struct VersionParts {
    members: [(&'static str, Option<String>); 7],
    /// The summary and the description as JavaScript prints them.
    texts: (String, String),
}

pub(super) fn load(packages: Vec<Package>, options: &ValidateOptions) -> Store {
    let mut order: Vec<ToolBuilder> = Vec::new();
    let mut by_id: BTreeMap<String, usize> = BTreeMap::new();
    for package in packages.into_iter().filter(|package| !package.yanked) {
        let Ok(document) = Document::parse(package.manifest.as_bytes(), &options.limits) else {
            continue;
        };
        let root = document.root();
        let Some(id) = root.get("id").and_then(Node::text).filter(|id| !id.is_empty()) else {
            continue;
        };
        let index = *by_id.entry(id.to_string()).or_insert_with(|| {
            order.push(start_tool(&id, root));
            order.len() - 1
        });
        if let Some(loading) = order.get_mut(index) {
            let parts = version_parts(root);
            let version = root.get("version").and_then(Node::text).unwrap_or_default();
            let version = Version {
                number: version.into_owned(),
                summary: parts.texts.0.clone(),
                sha256: digest(
                    package.files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])),
                ),
                files: package.files,
                ..Version::default()
            };
            loading.versions.push((numbers(&version.number), version, parts));
        }
    }
    Store::from_tools(order.into_iter().map(finish_tool).collect())
}

fn start_tool(id: &str, root: Node<'_>) -> ToolBuilder {
    let tags = root.get("tags").filter(|tags| tags.is_array());
    let lower = |tag: Node<'_>| tag.text().map(|tag| tag.to_lowercase());
    ToolBuilder {
        tool: StoredTool {
            id: id.to_owned(),
            name: root.get("name").and_then(Node::text).map(Into::into),
            tags: tags.into_iter().flat_map(Node::elements).filter_map(lower).collect(),
            ..StoredTool::default()
        },
        name: raw(root, "name"),
        provider: raw(root, "provider"),
        tags: tags.map_or("[]", Node::raw).to_owned(),
        versions: Vec::new(),
    }
}

fn raw(node: Node<'_>, name: &str) -> Option<String> {
    node.get(name).map(|node| node.raw().to_owned())
}

fn version_parts(root: Node<'_>) -> VersionParts {
    let truth = |name: &str| Some(root.get(name).is_some_and(is_truthy).to_string());
    let secrets = root.get("requiredSecrets").filter(|secrets| secrets.is_array());
    let shown = |name: &str| match root.get(name) {
        None => "undefined".to_owned(),
        Some(node) => node.text().map_or_else(|| node.raw().to_owned(), Into::into),
    };
    VersionParts {
        members: [
            ("summary", raw(root, "summary")),
            ("description", raw(root, "description")),
            ("entry", raw(root, "entry")),
            ("schema", raw(root, "schema")),
            ("usesPayment", truth("usesPayment")),
            ("requiresApproval", truth("requiresApproval")),
            ("requiredSecrets", Some(secrets.map_or("[]", Node::raw).to_owned())),
        ],
        texts: (shown("summary"), shown("description")),
    }
}

/// Parses the leading number of each part of a version between dots.
fn numbers(version: &str) -> Vec<i64> {
    let number = |part: &str| {
        let part = part.trim_start();
        let (sign, part) = match part.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, part.strip_prefix('+').unwrap_or(part)),
        };
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let digits = part.get(..end).unwrap_or_default();
        if digits.is_empty() { 0 } else { sign * digits.parse::<i64>().unwrap_or(i64::MAX) }
    };
    let mut numbers: Vec<i64> = version.split('.').map(number).collect();
    // Trailing zeros are removed because a missing part counts as zero.
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    numbers
}

/// Compares two versions. Missing parts count as zero.
fn compare(a: &[i64], b: &[i64]) -> std::cmp::Ordering {
    let length = a.len().max(b.len());
    let padded = |numbers: &[i64]| {
        let mut numbers = numbers.to_vec();
        numbers.resize(length, 0);
        numbers
    };
    padded(a).cmp(&padded(b))
}

/// The members of a manifest, in the hub's order.
const MANIFEST: &[&str] = &[
    "id",
    "name",
    "version",
    "summary",
    "description",
    "tags",
    "provider",
    "entry",
    "schema",
    "usesPayment",
    "requiresApproval",
    "requiredSecrets",
];
/// The members of a search result.
const RESULT: &[&str] = &[
    "id",
    "name",
    "version",
    "summary",
    "tags",
    "provider",
    "usesPayment",
    "requiresApproval",
    "requiredSecrets",
];
/// The members of an entry of the list.
const LIST_ENTRY: &[&str] = &[
    "id",
    "name",
    "version",
    "summary",
    "description",
    "tags",
    "provider",
    "usesPayment",
    "requiresApproval",
    "requiredSecrets",
];

fn finish_tool(loading: ToolBuilder) -> StoredTool {
    let ToolBuilder { mut tool, name, provider, tags, mut versions } = loading;
    versions.sort_by(|(a, ..), (b, ..)| compare(b, a));
    let shown = tool.name.clone().unwrap_or_else(|| "undefined".to_owned());
    for (index, (_, mut version, parts)) in versions.into_iter().enumerate() {
        let id = json!(tool.id).to_string();
        let number = json!(version.number).to_string();
        let part = |name: &str| {
            parts.members.iter().find(|(n, _)| *n == name).and_then(|(_, value)| value.as_deref())
        };
        let value = |member: &str| match member {
            "id" => Some(id.as_str()),
            "name" => name.as_deref(),
            "version" => Some(number.as_str()),
            "tags" => Some(tags.as_str()),
            "provider" => provider.as_deref(),
            other => part(other),
        };
        version.manifest = object(MANIFEST, value);
        if index == 0 {
            tool.result = object(RESULT, value);
            tool.list_entry = object(LIST_ENTRY, value);
            let short = format!("{shown} {}", parts.texts.0).to_lowercase();
            let long = format!("{shown} {} {}", parts.texts.0, parts.texts.1).to_lowercase();
            tool.search_texts = (short, long);
        }
        tool.versions.push(version);
    }
    tool
}

/// Returns an object of the members that have a value, as JSON.
fn object<'v>(names: &[&str], value: impl Fn(&str) -> Option<&'v str>) -> String {
    let members = names.iter().filter_map(|name| Some(format!("\"{name}\":{}", value(name)?)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// Finds the tools that contain the query as a substring, in the given order. If `list` is
/// true, also searches descriptions, ignores tags, and returns all pages at once.
pub(super) fn search(store: &Store, asked: &QueryParams, list: bool) -> SearchPage {
    let q = asked.q().to_lowercase();
    let tags: Vec<String> =
        if list { Vec::new() } else { asked.tags().iter().map(|tag| tag.to_lowercase()).collect() };
    let fits = |tool: &StoredTool| {
        let (short, long) = &tool.search_texts;
        let haystack = if list { long } else { short };
        haystack.contains(&q) && (tags.is_empty() || tags.iter().any(|tag| tool.tags.contains(tag)))
    };
    let found = store.tools.iter().enumerate().filter(|(_, tool)| fits(tool));
    let found: Vec<usize> = found.map(|(index, _)| index).collect();
    let total = found.len();
    let (start, end) = if list { (0, total) } else { asked.page(true) };
    let page = found.into_iter().take(end).skip(start);
    SearchPage { entries: page.collect(), total }
}

/// Returns the bundle as JSON. Files with a NUL are written in base64. In others, invalid
/// UTF-8 is replaced.
pub(super) fn bundle(version: &Version) -> String {
    let file = |(path, bytes): &(String, Vec<u8>)| {
        let (content, encoding) = if bytes.contains(&0) {
            (base64::encode(bytes), "base64")
        } else {
            (String::from_utf8_lossy(bytes).into_owned(), "utf8")
        };
        json!({"path": path, "content": content, "encoding": encoding})
    };
    let files: Vec<Value> = version.files.iter().map(file).collect();
    format!("{{\"manifest\":{},\"files\":{}}}", version.manifest, json!(files))
}
