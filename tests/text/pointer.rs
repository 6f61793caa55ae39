//! Addresses lead back to where they came from.

use json_text::Document;
use json_text::Limits;
use proptest::prelude::*;
use serde_json::{Value, json};

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(null)), Just(json!([])), Just(json!({})), Just(json!("a\n"))];
    leaf.prop_recursive(5, 512, 24, |inner| {
        let name = "[ab/~\"é]{0,2}";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..24).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn every_value_is_found_at_its_address(value in values()) {
        let text = value.to_string();
        let document = Document::parse(text.as_bytes(), Limits::default()).unwrap();
        for node in document.root().descendants() {
            let pointer = node.pointer();
            let found = document.root().at(&pointer).unwrap();
            prop_assert_eq!(found.span(), node.span());
            for member in node.members() {
                prop_assert_eq!(member.key.pointer(), member.value.pointer());
            }
        }
    }
}

/// As many addresses as there are values take no more than a walk each way.
#[test]
fn many_addresses() {
    let text = format!("[{}0]", "0,".repeat(99_999));
    let limits = Limits { nodes: 200_000, ..Limits::default() };
    let document = Document::parse(text.as_bytes(), limits).unwrap();
    for (index, element) in document.root().elements().enumerate() {
        let pointer = element.pointer();
        assert_eq!(pointer.as_str(), format!("/{index}"));
        assert_eq!(document.root().at(&pointer).unwrap().span(), element.span());
    }
}

/// So do names in an object of as many members, in any order and spelling.
#[test]
fn many_names() {
    let member = |index: usize| match index % 3 {
        0 => format!("\"k{index}\":{index}"),
        1 => format!("\"\\u006b{index}\":{index}"),
        _ => format!("\"a/~{index}\":{index}"),
    };
    let members: Vec<String> = (0..60_000).rev().map(member).collect();
    let text = format!("{{{}}}", members.join(","));
    let document =
        Document::parse(text.as_bytes(), Limits { document_bytes: 2 << 20, ..Limits::default() })
            .unwrap();
    for member in document.root().members() {
        let found = document.root().at(&member.value.pointer()).unwrap();
        assert_eq!(found.span(), member.value.span());
    }
    assert!(document.at("/k1").is_some() && document.at("/k60000").is_none());
}
