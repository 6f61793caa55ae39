//! Documents with one list or object that has as many elements as one likes.

use std::collections::BTreeSet;

use toolglot::core::table::{Object, Shape};
use toolglot::json::{Document, Edit, Node, apply, quote};
use toolglot::testkit::Rng;
use toolglot::{Depth, Format, FormatName, Limits, Pointer, ValidateOptions};

use crate::real;

/// A document that grows in one place, or in two at once.
#[allow(dead_code)] // one program needs the texts only
pub(crate) struct Case {
    /// The place: names after slashes, `*` for elements, `=` where they are all equal.
    pub(crate) name: String,
    /// The place in the smallest document.
    pub(crate) at: Pointer,
    /// At n, 2n and 4n.
    pub(crate) texts: [String; 3],
}

/// Bytes that the largest document should have, about, and its elements.
const BYTES: usize = 32 << 10;
const ELEMENTS: [usize; 2] = [64, 512];

/// Limits that nothing here reaches.
pub(crate) fn roomy() -> Limits {
    let many = 1 << 28;
    Limits {
        document_bytes: many,
        nodes: many,
        string_bytes: many,
        schema_bytes: many,
        subschemas: many,
        schema_cost: u64::MAX,
        schema_fuel: u64::MAX,
        secrets: many,
        chain_steps: many,
        arguments: many,
        ..Limits::default()
    }
}

pub(crate) fn is_valid(document: &Document<'_>, format: &Format) -> bool {
    let options =
        ValidateOptions { depth: Depth::Semantics, limits: roomy(), ..ValidateOptions::default() };
    format.validate(document, &options).is_valid()
}

/// Every list and object of a format that can grow, once, or every two of them that are apart.
/// The documents are so many times as large as usual.
#[allow(dead_code)] // of two programs, each needs one of these
pub(crate) fn cases(
    name: FormatName,
    two: bool,
    times: usize,
    chosen: impl Fn(&str) -> bool,
) -> Vec<Case> {
    let (bytes, elements) = (BYTES * times, ELEMENTS.map(|count| count * times));
    if two {
        return cases_of(name, bytes, elements, all_values, |name| {
            name.contains(" x ") && chosen(name)
        });
    }
    cases_of(name, bytes, elements, lists_of_tools, chosen)
}

/// A document of about that size that is large in one place.
#[allow(dead_code)]
pub(crate) fn large(name: FormatName, place: &str, bytes: usize) -> String {
    let chosen = |one: &str| one == place;
    let mut cases = cases_of(name, bytes, [0, usize::MAX], lists_of_tools, chosen);
    let [.., case] = &mut cases[..] else { panic!("nothing of {name} grows at {place}") };
    std::mem::take(&mut case.texts[2])
}

fn cases_of(
    name: FormatName,
    bytes: usize,
    elements: [usize; 2],
    partners: impl for<'d> Fn(&'d Document<'d>) -> Vec<Node<'d>>,
    chosen: impl Fn(&str) -> bool,
) -> Vec<Case> {
    let format = name.format().unwrap();
    let mut seeds: Vec<String> = real::documents()
        .into_iter()
        .filter(|real| real.format.name == format.name)
        .map(|real| real.text)
        .collect();
    let written = seeds.len();
    // What no person wrote, the generator draws.
    seeds.extend((0..300).map(|seed| (name.testkit().unwrap().generate)(&mut Rng::new(seed), 4)));
    let (mut cases, mut seen, wanted) = (Vec::new(), BTreeSet::new(), growing(name));
    let maps = maps(name);
    let path = |node: &Node<'_>| path(&node.pointer(), &maps);
    for (number, seed) in seeds.iter().enumerate() {
        let document = Document::parse(seed.as_bytes(), &roomy()).expect("JSON");
        let partners = partners(&document);
        for node in document.root().descendants() {
            let place = path(&node);
            if number >= written && !wanted.contains(&place) {
                continue;
            }
            for equal in [false, true] {
                let mut try_case = |name: String, nodes: &[Node<'_>]| {
                    if chosen(&name)
                        && !seen.contains(&name)
                        && let Some(case) =
                            case(&name, &document, nodes, equal, format, bytes, elements)
                    {
                        seen.insert(name);
                        cases.push(case);
                    }
                };
                let sign = if equal { " =" } else { "" };
                try_case(format!("{place}{sign}"), &[node]);
                // Many tools, and much that they share: what is squared takes two.
                for other in partners.iter().filter(|other| is_apart(**other, node) && !equal) {
                    let both = format!("{} x {place}", path(other));
                    try_case(both, &[*other, node]);
                }
            }
        }
    }
    cases
}

#[allow(dead_code)] // the same
fn all_values<'d>(document: &'d Document<'d>) -> Vec<Node<'d>> {
    document.root().descendants().collect()
}

/// The lists whose elements are tools.
fn lists_of_tools<'d>(document: &'d Document<'d>) -> Vec<Node<'d>> {
    let root = document.root();
    let lists = ["tools", "actions", "capabilities"].into_iter().filter_map(|name| root.get(name));
    let is_list = |node: &Node<'_>| node.elements().next().is_some_and(Node::is_object);
    lists.filter(is_list).collect()
}

fn is_apart(one: Node<'_>, other: Node<'_>) -> bool {
    let (one, other) = (one.span(), other.span());
    one.end <= other.start || other.end <= one.start
}

/// A pointer without numbers, and without names that are anyone's: those in maps and in schemas.
fn path(pointer: &Pointer, maps: &BTreeSet<String>) -> String {
    let (mut path, mut named) = (String::new(), false);
    for token in pointer.tokens() {
        let any = named || token.parse::<usize>().is_ok();
        path.push('/');
        path.push_str(if any { "*" } else { &token });
        let is_map = || matches!(&*token, "properties" | "$defs") || maps.contains(&*token);
        named = !any && is_map();
    }
    path
}

fn case(
    name: &str,
    document: &Document<'_>,
    nodes: &[Node<'_>],
    equal: bool,
    format: &Format,
    bytes: usize,
    [fewest, most]: [usize; 2],
) -> Option<Case> {
    // Schemas within schemas grow as schemas do.
    if name.matches("/*").count() > 4 {
        return None;
    }
    let element = nodes
        .iter()
        .map(|node| element(*node).map(|(_, one)| one.raw().len()))
        .sum::<Option<usize>>()?;
    let most = (bytes / (element + 8)).clamp(fewest, most) / 4 * 4;
    let text = |count: usize| {
        let edits: Option<Vec<Edit>> = nodes
            .iter()
            .map(|node| Some(Edit::Set(node.pointer(), grown(*node, count, equal, format.keys)?)))
            .collect();
        let text = apply(document, &edits?).ok()?;
        let is_valid = Document::parse(text.as_bytes(), &roomy())
            .is_ok_and(|document| is_valid(&document, format));
        is_valid.then_some(text)
    };
    let largest = text(most)?;
    let texts = [text(most / 4)?, text(most / 2)?, largest];
    Some(Case { name: name.to_owned(), at: nodes.last()?.pointer(), texts })
}

/// The last element, with its name if it has one.
fn element(node: Node<'_>) -> Option<(Option<String>, Node<'_>)> {
    if let Some(member) = node.members().last() {
        return Some((Some(member.name().into_owned()), member.value));
    }
    node.elements().last().map(|element| (None, element))
}

/// A container with so many more elements.
fn grown(node: Node<'_>, count: usize, equal: bool, keys: &[&str]) -> Option<String> {
    let (name, last) = element(node)?;
    let mut text = node.raw().get(..last.span().end - node.span().start)?.to_owned();
    for number in 0..count {
        text.push_str(",\n    ");
        match &name {
            Some(_) if equal => return None,
            Some(name) => {
                text.push_str(&quote(&format!("{name}{number}")));
                text.push_str(": ");
                text.push_str(last.raw());
            }
            None if equal => text.push_str(last.raw()),
            None => text.push_str(&another(last, number, keys)?),
        }
    }
    text.push(if name.is_some() { '}' } else { ']' });
    Some(text)
}

/// An element like another, with a name of its own.
fn another(element: Node<'_>, number: usize, keys: &[&str]) -> Option<String> {
    if let Some(text) = element.text() {
        return Some(quote(&format!("{text}{number}")));
    }
    if element.number().is_some() {
        return Some((number + 1_000_000).to_string());
    }
    let own = Document::parse(element.raw().as_bytes(), &roomy()).ok()?;
    let named = keys.iter().chain(&["outputKey"]).filter_map(|key| {
        let at = key.split('/').fold(Pointer::root(), Pointer::push);
        let text = own.root().at(&at)?.text()?;
        Some(Edit::Set(at, quote(&format!("{text}{number}"))))
    });
    let edits: Vec<Edit> = named.collect();
    if edits.is_empty() { None } else { apply(&own, &edits).ok() }
}

/// What those are called in a format that have elements or members of any name.
fn maps(name: FormatName) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for place in growing(name) {
        let tokens: Vec<&str> = place.split('/').collect();
        let inside = tokens.windows(2).filter(|pair| pair[1] == "*");
        found.extend(inside.map(|pair| pair[0].to_owned()));
    }
    found
}

/// The lists and objects of a format's tables that any number of elements may be in.
pub(crate) fn growing(name: FormatName) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for table in name.format().unwrap().tables {
        object(table.root, "", &mut found);
    }
    found
}

fn object(object: &'static Object, path: &str, found: &mut BTreeSet<String>) {
    if object.open {
        found.insert(path.to_owned());
    }
    for member in object.members {
        shape(member.shape, &format!("{path}/{}", member.name), found);
    }
}

fn shape(of: &'static Shape, path: &str, found: &mut BTreeSet<String>) {
    match of {
        Shape::Any
        | Shape::Bool
        | Shape::Integer { .. }
        | Shape::Number { .. }
        | Shape::Text(_)
        | Shape::Enum(_) => {}
        Shape::Opaque => drop(found.insert(path.to_owned())),
        Shape::List { of, min: _, max } => {
            if max.is_none() {
                found.insert(path.to_owned());
            }
            shape(of, &format!("{path}/*"), found);
        }
        Shape::Map(of) => {
            found.insert(path.to_owned());
            shape(of, &format!("{path}/*"), found);
        }
        Shape::Object(inner) => object(inner, path, found),
        Shape::Union { tag: _, branches } => {
            branches.iter().for_each(|branch| object(branch.object, path, found));
        }
        Shape::OneOf(shapes) => shapes.iter().for_each(|one| shape(one, path, found)),
    }
}
