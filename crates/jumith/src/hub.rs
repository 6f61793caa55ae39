//! The published hub.
//!
//! The hub serves every manifest that has an id. The name, provider and tags of a tool come
//! from the version that it reads first; the other members come from the version that it
//! serves. It finds the latest version by comparing numbers only.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use manifest_core::json::{Document, Node};
use manifest_core::read::string_elements;
use manifest_core::{Limits, Text};
use serde_json::{Value, json};

use crate::base64;
use crate::published::is_truthy;
use crate::server::{
    CacheLifetime, Package, QueryParams, Response, missing_query, no_tool, no_version, ok_text,
    respond, results, unknown_endpoint,
};

/// A registry that answers as the published hub does, except that it is read-only.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    tools: Vec<HubTool>,
    /// The indices of the tools by name and by id.
    index: BTreeMap<String, usize>,
}

#[derive(Clone, Debug, Default)]
struct HubTool {
    name: Option<String>,
    /// The tags in lower case.
    tags: Vec<String>,
    /// The members that come from the first version that was read, as JSON.
    shared: Members,
    versions: Vec<HubVersion>,
}

#[derive(Clone, Debug)]
struct HubVersion {
    number: String,
    /// The members that differ between versions, as JSON.
    members: Members,
    /// The summary and the description as JavaScript prints them.
    texts: [String; 2],
    files: Vec<(String, Vec<u8>)>,
}

/// Members by name, as JSON. Missing members have no entry.
type Members = BTreeMap<&'static str, String>;

impl Hub {
    /// Creates a hub of these packages. It does not know yanked versions, so they are left
    /// out.
    pub fn new(packages: Vec<Package>, limits: &Limits) -> Self {
        let mut hub = Self::default();
        let mut by_id: BTreeMap<String, usize> = BTreeMap::new();
        for package in packages {
            if package.yanked {
                continue;
            }
            let Ok(document) = Document::parse(package.manifest.as_bytes(), limits) else {
                continue;
            };
            let root = document.root();
            let Some(id) = root.get("id").and_then(Node::text) else { continue };
            if id.is_empty() {
                continue;
            }
            let index = *by_id.entry(id.to_string()).or_insert_with(|| {
                hub.tools.push(HubTool::new(&id, root));
                hub.tools.len() - 1
            });
            if let Some(tool) = hub.tools.get_mut(index) {
                tool.versions.push(HubVersion::new(root, package.files));
            }
        }
        for tool in &mut hub.tools {
            tool.versions.sort_by(|a, b| compare_versions(&b.number, &a.number));
        }
        for (index, tool) in hub.tools.iter().enumerate().rev() {
            if let Some(name) = &tool.name {
                hub.index.insert(name.clone(), index);
            }
        }
        hub.index.extend(by_id);
        hub
    }

    /// Answers a request with this method, path with query, and headers.
    pub fn handle(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
        respond(method, target, headers, unknown_endpoint, |path, query| match path {
            ["v1", "tools"] => self.search(query, true),
            ["v1", "tools", "search"] => {
                if query.q().is_empty() && query.tags().is_empty() {
                    return missing_query();
                }
                self.search(query, false)
            }
            ["v1", "tools", id] => self.describe(id),
            ["v1", "tools", id, "versions", version, "bundle"] => self.bundle(id, version),
            _ => unknown_endpoint(),
        })
    }

    fn describe(&self, id: &str) -> Response {
        if let Some(tool) = self.tool(id)
            && let Some(latest) = tool.versions.first()
        {
            return ok_text(tool.object(latest, &[]), CacheLifetime::Revalidate, None);
        }
        no_tool(id)
    }

    fn tool(&self, id: &str) -> Option<&HubTool> {
        self.tools.get(*self.index.get(id)?)
    }

    /// Finds the tools that contain the query as a substring, in the given order. If `list`
    /// is true, also searches descriptions, ignores tags, and returns all pages at once.
    fn search(&self, query: &QueryParams, list: bool) -> Response {
        let words = query.q().to_lowercase();
        let tags = lower_case(&query.tags());
        let lacking = if list { &NOT_IN_LIST[..] } else { &NOT_IN_RESULTS };
        let mut found = Vec::new();
        for tool in &self.tools {
            let Some(latest) = tool.versions.first() else { continue };
            let has_tag = tags.is_empty() || tags.iter().any(|tag| tool.tags.contains(tag));
            if (list || has_tag) && tool.search_text(latest, list).contains(&words) {
                found.push(tool.object(latest, lacking));
            }
        }
        let total = found.len();
        let (start, end) = if list { (0, total) } else { query.page(true) };
        let page: Vec<&str> = found.iter().take(end).skip(start).map(String::as_str).collect();
        results(&page, total)
    }

    /// Answers with a bundle. Files with a NUL are written in base64. In others, invalid
    /// UTF-8 is replaced.
    fn bundle(&self, id: &str, number: &str) -> Response {
        let Some(tool) = self.tool(id) else { return no_tool(id) };
        let Some(version) = tool.versions.iter().find(|version| version.number == number) else {
            return no_version(id, number);
        };
        let mut files = Vec::new();
        for (path, bytes) in &version.files {
            let (content, encoding) = if bytes.contains(&0) {
                (base64::encode(bytes), "base64")
            } else {
                (String::from_utf8_lossy(bytes).into_owned(), "utf8")
            };
            files.push(json!({"path": path, "content": content, "encoding": encoding}));
        }
        let manifest = tool.object(version, &[]);
        let body = format!("{{\"manifest\":{manifest},\"files\":{}}}", Value::from(files));
        ok_text(body, CacheLifetime::Immutable, None)
    }
}

impl HubTool {
    fn new(id: &str, root: Node<'_>) -> Self {
        let mut shared = Members::new();
        shared.insert("id", json!(id).to_string());
        insert_raw(&mut shared, "name", root);
        insert_raw(&mut shared, "provider", root);
        let list = insert_list(&mut shared, "tags", root);
        let tags: Vec<Text<'_>> = string_elements(list).filter_map(Node::text).collect();
        Self {
            name: root.get("name").and_then(Node::text).map(Into::into),
            tags: lower_case(&tags),
            shared,
            versions: Vec::new(),
        }
    }

    /// Returns the members of a version that have a value, as a JSON object.
    fn object(&self, version: &HubVersion, lacking: &[&str]) -> String {
        let mut members = Vec::new();
        for name in MANIFEST {
            if !lacking.contains(&name)
                && let Some(value) = self.shared.get(name).or_else(|| version.members.get(name))
            {
                members.push(format!("\"{name}\":{value}"));
            }
        }
        format!("{{{}}}", members.join(","))
    }

    /// Returns the text that is searched, in lower case.
    fn search_text(&self, version: &HubVersion, with_description: bool) -> String {
        let name = self.name.as_deref().unwrap_or("undefined");
        let [summary, description] = &version.texts;
        let mut text = format!("{name} {summary}");
        if with_description {
            text = format!("{text} {description}");
        }
        text.to_lowercase()
    }
}

impl HubVersion {
    fn new(root: Node<'_>, files: Vec<(String, Vec<u8>)>) -> Self {
        let number = root.get("version").and_then(Node::text);
        // The published hub stores a manifest without a version, too.
        let number = number.map_or(String::new(), Text::into_owned);
        let mut members = Members::new();
        members.insert("version", json!(number).to_string());
        for name in ["summary", "description", "entry", "schema"] {
            insert_raw(&mut members, name, root);
        }
        for name in ["usesPayment", "requiresApproval"] {
            members.insert(name, root.get(name).is_some_and(is_truthy).to_string());
        }
        insert_list(&mut members, "requiredSecrets", root);
        let texts = ["summary", "description"].map(|name| printed(root.get(name)));
        Self { number, members, texts, files }
    }
}

fn lower_case<T: AsRef<str>>(texts: &[T]) -> Vec<String> {
    texts.iter().map(|text| text.as_ref().to_lowercase()).collect()
}

fn insert_raw(members: &mut Members, name: &'static str, root: Node<'_>) {
    if let Some(node) = root.get(name) {
        members.insert(name, node.raw().to_owned());
    }
}

/// Inserts a list, which is empty if the member is missing or not an array. Returns the
/// array.
fn insert_list<'a>(members: &mut Members, name: &'static str, root: Node<'a>) -> Option<Node<'a>> {
    let list = root.get(name).filter(|list| list.is_array());
    members.insert(name, list.map_or("[]", Node::raw).to_owned());
    list
}

/// Returns a value as JavaScript prints it in a text.
fn printed(node: Option<Node<'_>>) -> String {
    let Some(node) = node else { return "undefined".to_owned() };
    match node.text() {
        Some(text) => text.into_owned(),
        None => node.raw().to_owned(),
    }
}

/// Compares the leading numbers of the parts between dots. Missing parts count as zero.
fn compare_versions(a: &str, b: &str) -> Ordering {
    let mut rest = (a.split('.'), b.split('.'));
    loop {
        let (a, b) = (rest.0.next(), rest.1.next());
        if a.is_none() && b.is_none() {
            return Ordering::Equal;
        }
        let (a, b) = (a.map_or(0, leading_number), b.map_or(0, leading_number));
        if a != b {
            return a.cmp(&b);
        }
    }
}

fn leading_number(part: &str) -> i64 {
    let part = part.trim_start();
    let (sign, part) = match part.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, part.strip_prefix('+').unwrap_or(part)),
    };
    let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
    match part.get(..end) {
        None | Some("") => 0,
        Some(digits) => sign * digits.parse::<i64>().unwrap_or(i64::MAX),
    }
}

/// The members of a manifest, in the hub's order.
const MANIFEST: [&str; 12] = [
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
/// The members that a search result lacks.
const NOT_IN_RESULTS: [&str; 3] = ["description", "entry", "schema"];
/// The members that an entry of the list lacks.
const NOT_IN_LIST: [&str; 2] = ["entry", "schema"];
