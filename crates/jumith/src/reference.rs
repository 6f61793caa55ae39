//! The published client's reading of a document.
//!
//! It requires little, silently drops what it does not understand, and stops at the first
//! problem. Verdicts and messages are copied from it.

use manifest_core::Text;
use manifest_core::json::{Node, Raw};
use manifest_core::path::{PathStyle, clean, is_absolute};
use manifest_core::read::Extras;

use crate::bundle::{Bundle, Encoding, File};
use crate::manifest::{EntryPoint, Manifest, Schemas};
use crate::names::is_blank;
use crate::results::{SearchResult, SearchResults};

/// The message with which the published client refuses a document.
pub(crate) type Refusal = String;

/// Reads a page of search results as the published client does.
pub(crate) fn search(node: Node<'_>) -> Result<SearchResults<'_>, Refusal> {
    object(Some(node), "search response")?;
    let results: Result<Vec<_>, _> =
        array(node.get("results"), "search results")?.elements().map(result).collect();
    let results = results?;
    let total = node.get("total").and_then(Node::number);
    let total = total.filter(|total| total.to_f64().is_some_and(f64::is_finite));
    let total = total.ok_or_else(|| invalid("search total"))?;
    Ok(SearchResults { results, total, extras: Extras::default() })
}

fn result(node: Node<'_>) -> Result<SearchResult<'_>, Refusal> {
    object(Some(node), "tool summary")?;
    Ok(SearchResult {
        id: text(node, "id", "tool id")?,
        name: text(node, "name", "tool name")?,
        version: text(node, "version", "tool version")?,
        summary: text(node, "summary", "tool summary")?,
        tags: texts(node, "tags"),
        provider: optional(node, "provider"),
        uses_payment: None,
        requires_approval: node.get("requiresApproval").and_then(Node::bool),
        required_secrets: texts(node, "requiredSecrets"),
        extras: Extras::default(),
    })
}

/// Reads a manifest as the published client does.
pub(crate) fn manifest(node: Node<'_>) -> Result<Manifest<'_>, Refusal> {
    object(Some(node), "tool manifest")?;
    let entry = object(node.get("entry"), "tool entry")?;
    let schema = node.get("schema").filter(|schema| is_truthy(*schema));
    let schema = schema.map(|schema| object(Some(schema), "schema")).transpose()?;
    Ok(Manifest {
        id: text(node, "id", "tool id")?,
        name: text(node, "name", "tool name")?,
        version: text(node, "version", "tool version")?,
        summary: text(node, "summary", "tool summary")?,
        description: text(node, "description", "tool description")?,
        tags: texts(node, "tags"),
        provider: optional(node, "provider"),
        entry: EntryPoint {
            runtime: Text::Borrowed("node"),
            main: text(entry, "main", "entry main")?,
            export: optional(entry, "export"),
            extras: Extras::default(),
        },
        schema: schema.map(|schema| Schemas {
            input: schema.get("input").map(Raw::from_node),
            output: schema.get("output").map(Raw::from_node),
            extras: Extras::default(),
        }),
        uses_payment: None,
        requires_approval: node.get("requiresApproval").and_then(Node::bool),
        required_secrets: texts(node, "requiredSecrets"),
        sha256: None,
        extras: Extras::default(),
    })
}

/// Reads a bundle as the published client does.
pub(crate) fn bundle(node: Node<'_>) -> Result<Bundle<'_>, Refusal> {
    object(Some(node), "tool bundle")?;
    // A missing manifest gets the same message as a value that is not an object.
    let manifest = match node.get("manifest") {
        Some(node) => manifest(node)?,
        None => return Err(invalid("tool manifest")),
    };
    let files: Result<Vec<_>, _> =
        array(node.get("files"), "bundle files")?.elements().map(file).collect();
    Ok(Bundle { manifest, files: files?, sha256: None, extras: Extras::default() })
}

fn file(node: Node<'_>) -> Result<File<'_>, Refusal> {
    object(Some(node), "bundle file")?;
    Ok(File {
        path: text(node, "path", "file path")?,
        content: text(node, "content", "file content")?,
        encoding: encoding(node.get("encoding"))?,
        sha256: None,
        extras: Extras::default(),
    })
}

fn encoding(node: Option<Node<'_>>) -> Result<Option<Encoding>, Refusal> {
    let Some(node) = node.filter(|node| !node.is_null()) else {
        return Ok(None);
    };
    let text = node.text();
    match text.as_deref() {
        Some("utf8") => Ok(Some(Encoding::Utf8)),
        Some("base64") => Ok(Some(Encoding::Base64)),
        _ => {
            let shown = text.unwrap_or(Text::Borrowed(node.raw()));
            Err(format!("Unsupported file encoding: {}", manifest_core::printable(&shown, 64)))
        }
    }
}

fn invalid(label: &str) -> Refusal {
    format!("Invalid {label}")
}

fn object<'a>(node: Option<Node<'a>>, label: &str) -> Result<Node<'a>, Refusal> {
    node.filter(|node| node.is_object()).ok_or_else(|| invalid(label))
}

fn array<'a>(node: Option<Node<'a>>, label: &str) -> Result<Node<'a>, Refusal> {
    node.filter(|node| node.is_array()).ok_or_else(|| invalid(label))
}

fn text<'a>(node: Node<'a>, name: &str, label: &str) -> Result<Text<'a>, Refusal> {
    optional(node, name).ok_or_else(|| invalid(label))
}

fn optional<'a>(node: Node<'a>, name: &str) -> Option<Text<'a>> {
    node.get(name).and_then(Node::text).filter(|text| !is_blank(text))
}

fn texts<'a>(node: Node<'a>, name: &str) -> Vec<Text<'a>> {
    node.get(name).into_iter().flat_map(Node::elements).filter_map(Node::text).collect()
}

/// Returns true if JavaScript treats a value as true.
pub(crate) fn is_truthy(node: Node<'_>) -> bool {
    match (node.bool(), node.number(), node.text()) {
        (Some(value), _, _) => value,
        (_, Some(number), _) => number.to_f64() != Some(0.0),
        (_, _, Some(text)) => !text.is_empty(),
        _ => !node.is_null(),
    }
}

/// Returns the path at which the published client would write a file of a bundle on a host
/// of this flavour, or `None` if it refuses the path.
///
/// It accepts unsafe paths, such as `C:\x` on a POSIX host or a NUL. Use [`Bundle::check`]
/// for a verdict to act on.
///
/// ```
/// use jumith::reference_path;
/// use manifest_core::path::PathStyle;
///
/// assert_eq!(reference_path("a/../b", PathStyle::Posix).as_deref(), Some("b"));
/// assert_eq!(reference_path("../b", PathStyle::Posix), None);
/// assert_eq!(reference_path("a/b", PathStyle::Windows).as_deref(), Some(r"a\b"));
/// ```
pub fn reference_path(path: &str, flavour: PathStyle) -> Option<String> {
    let normal = match flavour {
        PathStyle::Posix => {
            if is_absolute(path, flavour) {
                return None;
            }
            normalise(path)
        }
        PathStyle::Windows => {
            // Node also treats a path that begins with a separator as absolute.
            if path.starts_with(['/', '\\']) || is_absolute(path, flavour) {
                return None;
            }
            let slashed = path.replace('\\', "/");
            let (drive, rest) = match slashed.as_bytes() {
                [letter, b':', ..] if letter.is_ascii_alphabetic() => slashed.split_at(2),
                _ => ("", slashed.as_str()),
            };
            format!("{drive}{}", normalise(rest)).replace('/', "\\")
        }
    };
    let up = if flavour == PathStyle::Posix { "../" } else { "..\\" };
    (!normal.starts_with("..") && !normal.contains(up)).then_some(normal)
}

/// Normalizes like Node's `path.normalize`, which keeps a trailing slash.
fn normalise(path: &str) -> String {
    let mut normal = clean(path);
    if path.ends_with('/') && !normal.ends_with('/') {
        normal.push('/');
    }
    normal
}
