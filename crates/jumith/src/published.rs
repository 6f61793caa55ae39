//! The behaviour of the published client. Tests compare with it.
//!
//! It requires little of a document, silently drops what it does not understand,
//! and stops at the first problem. Verdicts and messages are copied from it.

use data_encoding::BASE64_NOPAD;
use manifest_core::json::{Node, Raw};
use manifest_core::path::{PathStyle, clean, is_absolute};
use manifest_core::read::Extras;
use manifest_core::{Text, ok_or_bug, some_or_bug};

use crate::bundle::{Bundle, Encoding, File};
use crate::manifest::{EntryPoint, Manifest, Schemas};
use crate::names::is_blank;
use crate::results::{SearchResult, SearchResults};

/// The message with which the published client refuses a document.
pub(crate) type Refusal = String;

/// Reads a page of search results as the published client does.
pub(crate) fn search(node: Node<'_>) -> Result<SearchResults<'_>, Refusal> {
    object(Some(node), "search response")?;
    let mut results = Vec::new();
    for element in array(node.get("results"), "search results")?.elements() {
        results.push(result(element)?);
    }
    match node.get("total").and_then(Node::number) {
        Some(total) if total.to_f64().is_some_and(f64::is_finite) => {
            Ok(SearchResults { results, total, extras: Extras::default() })
        }
        _ => Err(invalid("search total")),
    }
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
    let schema = match node.get("schema") {
        Some(schema) if is_truthy(schema) => {
            let schema = object(Some(schema), "schema")?;
            Some(Schemas {
                input: schema.get("input").map(Raw::from_node),
                output: schema.get("output").map(Raw::from_node),
                extras: Extras::default(),
            })
        }
        _ => None,
    };
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
        schema,
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
    let mut files = Vec::new();
    for element in array(node.get("files"), "bundle files")?.elements() {
        files.push(file(element)?);
    }
    Ok(Bundle { manifest, files, sha256: None, extras: Extras::default() })
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
    let Some(node) = node else { return Ok(None) };
    if node.is_null() {
        return Ok(None);
    }
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
/// use toolglot_jumith::reference::reference_path;
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

/// Decodes base64 like Node: accepts both alphabets, skips other characters, and stops at
/// the first padding.
pub(crate) fn decode_base64(text: &str) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut symbols = Vec::new();
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        match byte {
            b'-' => symbols.push(b'+'),
            b'_' => symbols.push(b'/'),
            byte if ALPHABET.contains(&byte) => symbols.push(byte),
            _ => {}
        }
    }
    // A single symbol is less than a byte.
    if symbols.len() % 4 == 1 {
        symbols.pop();
    }
    // Clears the bits that do not fill a byte.
    let keep = match symbols.len() % 4 {
        2 => 0b11_0000,
        3 => 0b11_1100,
        _ => 0b11_1111,
    };
    if let Some(last) = symbols.last_mut() {
        let value = ALPHABET.iter().position(|symbol| symbol == last).unwrap_or(0) & keep;
        *last = ALPHABET.get(value).copied().unwrap_or(b'A');
    }
    // What is left of the symbols can be decoded.
    some_or_bug(ok_or_bug(BASE64_NOPAD.decode(&symbols)))
}

/// Returns the folder in which the published client keeps a tool. Two tools may have the
/// same folder, and it may be `..`, which [`plan`](crate::install::plan) refuses.
pub fn reference_folder(id: &str) -> String {
    if is_blank(id) {
        return "_".to_owned();
    }
    let mut folder = String::new();
    for c in id.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
            folder.push(c);
        } else {
            // JavaScript replaces each half of a surrogate pair.
            folder.push_str(&"_".repeat(c.len_utf16()));
        }
    }
    folder
}
