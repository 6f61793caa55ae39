//! The members of a format's documents, as data.
//!
//! A table lists the members of each object, with their types and the versions that have
//! them. The check of documents ([`check`]), the JSON Schema ([`schema`]), the readers
//! ([`member_values`], [`unknown_members`]) and the coverage of generators ([`parts`], [`covered_parts`]) all use
//! it.
//!
//! ```
//! use toolglot_manifest_core::table::{self, Member, Object, Shape, Table, optional, required};
//! use json_text::Document;
//! use toolglot_manifest_core::Limits;
//!
//! static TOOL: [Member; 3] = [
//!     required("name", &Shape::NON_EMPTY_TEXT),
//!     optional("level", &Shape::Enum(&["low", "high"])),
//!     optional("tags", &Shape::List { of: &Shape::TEXT, min: 0, max: None }).since(1),
//! ];
//! static ROOT: Object = Object::closed(&TOOL);
//! static TABLE: Table = Table { root: &ROOT, versions: &["1", "2"], version_member: None };
//!
//! let document = Document::parse(br#"{"tags": [], "name": "a"}"#, &Limits::default())?;
//! // The pattern has as many names as the table has members, or it does not compile.
//! let [name, level, tags] = table::member_values(document.root(), &TOOL);
//! assert_eq!(name.and_then(|name| name.text()).as_deref(), Some("a"));
//! assert!(level.is_none() && tags.is_some());
//!
//! let schema = table::schema(&TABLE, 0);
//! assert_eq!(schema["required"][0], "name");
//! assert!(schema["properties"].get("tags").is_none(), "it came with version 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use json_text::read::Extras;
use json_text::{Node, Raw};

mod check;
mod condition;
mod index;
mod node_map;
mod parts;
mod schema;
mod shape;
mod text;
mod unique;

pub use check::{Rules, UnknownMemberLocation, check};
pub use condition::{Condition, CustomCondition, MemberCondition};
pub use node_map::NodeMap;
pub use parts::{PartKind, TablePart, covered_parts, parts};
pub(crate) use schema::DIALECT;
pub use schema::schema;
pub use shape::{Branch, Member, Object, Shape, Table, branch, optional, required};
pub use text::{Grammar, Reporter, TextFormat, TextShape};
pub use unique::check_unique;

/// Returns the values of an object's members in the order of the table, with `None` for
/// each missing member. If a name has several rows, each has its value. A value that is not
/// an object has no members.
#[inline] // so that the array is built in place
pub fn member_values<'a, const N: usize>(
    node: Node<'a>,
    members: &'static [Member; N],
) -> [Option<Node<'a>>; N] {
    let mut found = [None; N];
    fill_values(node, members, &mut found);
    found
}

/// Like [`member_values`]. A missing object has no members.
pub fn member_values_if_any<'a, const N: usize>(
    node: Option<Node<'a>>,
    members: &'static [Member; N],
) -> [Option<Node<'a>>; N] {
    match node {
        Some(node) => member_values(node, members),
        None => [None; N],
    }
}

/// Returns the members that the table does not have, in the order of the document.
pub fn unknown_members<'a>(node: Node<'a>, members: &'static [Member]) -> Extras<'a> {
    let mut unknown = Vec::new();
    for member in node.members() {
        if member.position_in(members, |known| known.name, 0).is_none() {
            unknown.push((member.name(), Raw::from_node(member.value)));
        }
    }
    Extras(unknown)
}

fn fill_values<'a>(node: Node<'a>, members: &'static [Member], found: &mut [Option<Node<'a>>]) {
    // Most documents have their members in the order of the specification.
    let mut next = 0;
    for member in node.members() {
        let Some(index) = member.position_in(members, |known| known.name, next) else { continue };
        let Some([first, after @ ..]) = members.get(index..) else { continue };
        let more = after.iter().take_while(|row| row.name == first.name).count();
        next = index + 1 + more;
        if let Some(places) = found.get_mut(index..next) {
            places.fill(Some(member.value));
        }
    }
}
