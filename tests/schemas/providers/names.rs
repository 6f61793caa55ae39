//! Names: what each target takes, and the way back.

use proptest::prelude::*;
use providers::{
    ANTHROPIC_NAME, ANTHROPIC_PROPERTY, GEMINI_NAME, GEMINI_PROPERTY, MCP_NAME, NameGrammar, Names,
    OPENAI_NAME,
};

/// The patterns that the targets publish, or name in their refusals.
fn published(name: &str, target: &str) -> bool {
    let (first, rest, most): (fn(u8) -> bool, &[u8], usize) = match target {
        "mcp" => (|_| true, b"_.-", 128),
        "openai" => (|_| true, b"_-", 64),
        "anthropic" => (|_| true, b"_-", 128),
        "gemini" => (|b| b.is_ascii_alphabetic() || b == b'_', b"_.:-", 128),
        "anthropic property" => (|_| true, b"_.-", 64),
        "gemini property" => (|b| b.is_ascii_alphabetic() || b == b'_', b"_", 64),
        other => panic!("{other}"),
    };
    let bytes = name.as_bytes();
    (1..=most).contains(&bytes.len())
        && first(bytes[0])
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || rest.contains(b))
}

const TARGETS: [(&str, &NameGrammar); 6] = [
    ("mcp", &MCP_NAME),
    ("openai", &OPENAI_NAME),
    ("anthropic", &ANTHROPIC_NAME),
    ("gemini", &GEMINI_NAME),
    ("anthropic property", &ANTHROPIC_PROPERTY),
    ("gemini property", &GEMINI_PROPERTY),
];

/// Ids as catalogs have them, and as nobody should write them.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}(\\.[a-z_]{1,10}){0,3}",
        "tool:[a-z]{1,6}\\.[a-z]{1,6}",
        "[A-Za-z0-9_.:/ -]{0,80}",
        "[a-z]{60,140}",
        "\\PC{0,12}",
        // So few that they are often equal.
        "[ab]",
    ]
}

proptest! {
    #[test]
    fn names_fit_and_lead_back(ids in prop::collection::vec(id(), 0..20)) {
        for (target, grammar) in TARGETS {
            let names = Names::fit(ids.iter().map(String::as_str), grammar);
            for (tool, id) in ids.iter().enumerate() {
                let twins = ids.iter().filter(|other| *other == id).count();
                let Some(name) = names.name(tool) else {
                    prop_assert!(names.clashes(tool).contains(&tool));
                    prop_assert!(names.clashes(tool).len() > 1, "nobody else wants the name");
                    continue;
                };
                prop_assert_eq!(twins, 1, "equal ids are told apart by nobody");
                prop_assert!(names.clashes(tool).is_empty());
                prop_assert!(published(name, target), "{} is no name of {}", name, target);
                prop_assert!(name == id || !published(id, target) || id.len() > 64);
                prop_assert_eq!(names.tool(name), Some(tool));
            }
        }
    }

    #[test]
    fn a_name_stays_when_others_come(
        first in id(),
        others in prop::collection::vec(id(), 0..10),
    ) {
        for (_, grammar) in TARGETS {
            let alone = Names::fit([first.as_str()], grammar);
            let all = others.iter().map(String::as_str).chain([first.as_str()]);
            let among = Names::fit(all, grammar);
            if let Some(name) = among.name(others.len()) {
                prop_assert_eq!(Some(name), alone.name(0));
            }
        }
    }
}

/// Row N04 of the catalogue of attacks.
#[test]
fn two_ids_with_one_fitted_name_are_both_left_out() {
    // The digits are those of SHA-256 over the second id.
    let ids = ["tool_email_send_7422f358", "tool:email.send", "other"];
    let names = Names::fit(ids, &OPENAI_NAME);
    assert_eq!([names.name(0), names.name(1), names.name(2)], [None, None, Some("other")]);
    assert_eq!(names.tool("tool_email_send_7422f358"), None);
    assert_eq!(names.clashes(1), [0, 1]);
}

#[test]
fn gemini_begins_with_a_letter() {
    for id in ["7zip.pack", "-x", "é", ""] {
        let name = GEMINI_NAME.fit(id);
        assert!(published(&name, "gemini"), "{name}");
        let name = GEMINI_PROPERTY.fit(id);
        assert!(published(&name, "gemini property"), "{name}");
    }
}
