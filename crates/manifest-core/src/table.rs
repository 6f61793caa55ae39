//! What the documents of a format look like, as data.
//!
//! A format says once which members its objects have, of what type, and since which
//! version. That table is what its documents are checked against ([`check`]), what is
//! written as JSON Schema ([`schema`]), what readers find members by ([`entries`]),
//! and what tests count by ([`parts`], [`covers`]).
//!
//! ```
//! use manifest_core::table::{self, Member, Object, Shape, Table, may, must};
//! use json_text::Document;
//! use manifest_core::Limits;
//!
//! static TOOL: [Member; 3] = [
//!     must("name", &Shape::SOME_TEXT),
//!     may("level", &Shape::Word(&["low", "high"])),
//!     may("tags", &Shape::List { of: &Shape::TEXT, min: 0, max: None }).since(1),
//! ];
//! static ROOT: Object = Object::closed(&TOOL);
//! static TABLE: Table = Table { root: &ROOT, versions: &["1", "2"], stated: None };
//!
//! let document = Document::parse(br#"{"tags": [], "name": "a"}"#, &Limits::default())?;
//! // The pattern has as many names as the table has members, or it does not compile.
//! let [name, level, tags] = table::entries(document.root(), &TOOL);
//! assert_eq!(name.and_then(|name| name.text()).as_deref(), Some("a"));
//! assert!(level.is_none() && tags.is_some());
//!
//! let schema = table::schema(&TABLE, 0);
//! assert_eq!(schema["required"][0], "name");
//! assert!(schema["properties"].get("tags").is_none(), "it came with version 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde_json::Value;

use diagnostic::{Report, Rule};
use json_text::Node;

mod check;
mod object;
mod parts;
mod schema;
mod shape;

pub use check::{Rules, check};
use object::required_by_all;
pub use object::{Branch, Member, Object, branch, may, must};
pub use parts::{Part, PartKind, covers, parts};
pub(crate) use schema::DIALECT;
pub use schema::schema;
pub use shape::{Format, Grammar, Shape, Text};

/// A format's documents, in all versions.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // tables are statics, written out in full
pub struct Table {
    /// What a document is.
    pub root: &'static Object,
    /// The versions as they are written, oldest first: eight at the most. Elsewhere a version is its
    /// number in this list.
    pub versions: &'static [&'static str],
    /// The member of the root that says the version, if one does.
    pub stated: Option<&'static str>,
}

/// A condition between the members of an object.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // tables are statics, written out in full
pub struct Need {
    /// The condition.
    pub what: Condition,
    /// The first version that has it.
    pub since: u8,
    /// What an object breaks for which it does not hold.
    pub rule: &'static Rule,
}

/// What must hold between the members of an object.
#[derive(Debug)]
#[allow(clippy::exhaustive_enums)] // who walks a table should see all of it
pub enum Condition {
    /// One of the members is there, and not both.
    ExactlyOne([&'static str; 2]),
    /// One of the members is there, or more.
    AtLeastOne(&'static [&'static str]),
    /// When a member has this value, another is there.
    When {
        /// The member.
        member: &'static str,
        /// Its value.
        is: &'static str,
        /// The other member.
        required: &'static str,
    },
    /// What a table cannot say.
    Own(&'static Own),
}

/// A condition of one format only.
#[derive(Debug)]
#[allow(clippy::exhaustive_structs)] // conditions are statics, written out in full
pub struct Own {
    /// Reports where it does not hold for an object, by the rule of the [`Need`].
    pub check: fn(Node<'_>, &'static Rule, &mut Report),
    /// The JSON Schema that says the same.
    pub schema: fn() -> Value,
}

/// The values of an object's members, in the order of the table; nothing for those
/// that are not there. A name that has several rows has its value in each. What is no
/// object has no members.
#[inline] // what is found stays where it is
pub fn entries<'a, const N: usize>(
    node: Node<'a>,
    members: &'static [Member; N],
) -> [Option<Node<'a>>; N] {
    let mut found = [None; N];
    fill(node, members, &mut found);
    found
}

fn fill<'a>(node: Node<'a>, members: &'static [Member], found: &mut [Option<Node<'a>>]) {
    // Most documents have their members in the order of the specification.
    let mut next = 0;
    for member in node.members() {
        let Some(index) = member.position(members, |known| known.name, next) else { continue };
        let mut rows = members.iter().zip(found.iter_mut()).skip(index);
        let Some((first, slot)) = rows.next() else { continue };
        *slot = Some(member.value);
        next = index + 1;
        for (_, slot) in rows.take_while(|(row, _)| row.name == first.name) {
            *slot = Some(member.value);
            next += 1;
        }
    }
}
