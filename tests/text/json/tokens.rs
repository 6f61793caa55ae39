//! Nothing but white space changes unless it is asked to.

use std::collections::BTreeMap;

use diagnostic::Pointer;
use json_text::{Document, Kind, Node, compact, pretty, quote};
use proptest::prelude::*;
use serde_json::Value;

use super::generate::{Choices, document};
use super::{parse, to_value};

/// The text without the white space that is outside of strings.
fn squeezed(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    text.chars()
        .filter(|c| {
            if inside {
                inside = escaped || *c != '"';
                escaped = !escaped && *c == '\\';
                return true;
            }
            inside = *c == '"';
            !matches!(c, ' ' | '\n' | '\r' | '\t')
        })
        .collect()
}

/// The text of a value, put together from those of what is inside it.
fn reassembled(node: Node<'_>, text: &str) -> String {
    let parts: Vec<Node<'_>> = match node.kind() {
        Kind::Object => node.members().flat_map(|m| [m.key, m.value]).collect(),
        Kind::Array => node.elements().collect(),
        _ => return node.raw().to_owned(),
    };
    let mut out = String::new();
    let mut done = node.span().start;
    for part in parts {
        out += gap(&text[done..part.span().start]);
        out += &reassembled(part, text);
        done = part.span().end;
    }
    out + gap(&text[done..node.span().end])
}

fn gap(text: &str) -> &str {
    assert!(text.chars().all(|c| "{}[],: \n\r\t".contains(c)), "{text}");
    text
}

/// Scalars and empty containers of another library's tree, by pointer.
fn leaves_of(value: &Value, at: &str, leaves: &mut BTreeMap<String, Value>) {
    match value {
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                leaves_of(item, &format!("{at}/{index}"), leaves);
            }
        }
        Value::Object(members) if !members.is_empty() => {
            for (name, member) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                leaves_of(member, &format!("{at}/{token}"), leaves);
            }
        }
        leaf => drop(leaves.insert(at.to_owned(), leaf.clone())),
    }
}

fn check_pointers(document: &Document<'_>, value: &Value) {
    for node in document.root().descendants() {
        let pointer = node.pointer();
        let found = document.root().at(&pointer).unwrap();
        assert_eq!((found.span(), found.kind()), (node.span(), node.kind()));
        assert_eq!(Pointer::parse(pointer.as_str()).unwrap(), pointer);
        assert_eq!(value.pointer(pointer.as_str()), Some(&to_value(node)));
        for member in node.members() {
            assert_eq!(member.key.pointer(), member.value.pointer());
            assert_eq!(node.get(&member.name()).unwrap().span(), member.value.span());
            assert!(member.has_name(&member.name()));
        }
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(1000))]

    /// Row L01 of the catalogue of attacks.
    #[test]
    fn texts_come_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = document(&mut Choices::new(&bytes));
        let read = parse(&text);
        let root = read.root();

        prop_assert_eq!(compact(root), squeezed(&text));
        let laid_out = pretty(root);
        prop_assert_eq!(squeezed(&laid_out), squeezed(&text));
        prop_assert_eq!(pretty(parse(&laid_out).root()), laid_out);
        let around = root.span();
        prop_assert_eq!(reassembled(root, &text), &text[around.start..around.end]);
        prop_assert!(text[..around.start].trim().is_empty());
        prop_assert!(text[around.end..].trim().is_empty());
    }

    #[test]
    fn addresses_come_back(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let text = document(&mut Choices::new(&bytes));
        let read = parse(&text);
        let value: Value = serde_json::from_str(&text).unwrap();
        check_pointers(&read, &value);

        let mut expected = BTreeMap::new();
        leaves_of(&value, "", &mut expected);
        let leaves: Vec<_> = read.root().leaves().collect();
        prop_assert!(leaves.is_sorted_by_key(|(_, node)| node.span().start));
        let found: BTreeMap<String, Value> = leaves
            .iter()
            .map(|(pointer, node)| (pointer.as_str().to_owned(), to_value(*node)))
            .collect();
        prop_assert_eq!(found, expected);
        prop_assert!(leaves.iter().all(|(pointer, node)| *pointer == node.pointer()));
    }

    #[test]
    fn equality_is_that_of_values(
        a in prop::collection::vec(any::<u8>(), 0..24),
        b in prop::collection::vec(any::<u8>(), 0..24),
    ) {
        let texts = [&a, &b].map(|bytes| document(&mut Choices::new(bytes)));
        let [a, b] = texts.each_ref().map(|text| parse(text));
        let same = a.root().same_value(b.root());
        prop_assert_eq!(same, b.root().same_value(a.root()));
        prop_assert_eq!(same, same_by_definition(a.root(), b.root()));
        prop_assert!(a.root().same_value(a.root()));
    }

    #[test]
    fn strings_come_back(text in any::<String>()) {
        let quoted = quote(&text);
        let read = parse(&quoted);
        prop_assert_eq!(read.root().text().unwrap(), text.as_str());
        let theirs: String = serde_json::from_str(&quoted).unwrap();
        prop_assert_eq!(theirs, text.as_str());
        let spelled = serde_json::to_string(&text).unwrap();
        prop_assert!(parse(&spelled).root().same_value(read.root()));
        let pointer = Pointer::root().push(&text);
        prop_assert_eq!(pointer.tokens().collect::<Vec<_>>(), [text.as_str()]);
    }
}

/// Equality as RFC 8259 readers understand it, with exact numbers.
fn same_by_definition(a: Node<'_>, b: Node<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Object, Kind::Object) => {
            let covers = |a: Node<'_>, b: Node<'_>| {
                a.members().all(|member| {
                    b.get(&member.name())
                        .is_some_and(|other| same_by_definition(member.value, other))
                })
            };
            covers(a, b) && covers(b, a)
        }
        (Kind::Array, Kind::Array) => {
            let (a, b): (Vec<_>, Vec<_>) = (a.elements().collect(), b.elements().collect());
            a.len() == b.len() && a.into_iter().zip(b).all(|(a, b)| same_by_definition(a, b))
        }
        (Kind::Number, Kind::Number) => a.number() == b.number(),
        (Kind::String, Kind::String) => a.text() == b.text(),
        (a_kind, b_kind) => a_kind == b_kind && a.raw() == b.raw(),
    }
}
