//! Comparison does not depend on the format, nor on how a document is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg(all(
    feature = "testkit",
    feature = "capability",
    feature = "install-manifest",
    feature = "jumith",
    feature = "mcpkg",
    feature = "tools-json"
))]

use std::collections::BTreeMap;

use toolglot::compare::{Class, Digest, Side, digest, documents};
use toolglot::core::convert::Op;
use toolglot::core::testkit::{Rng, Testkit, edit, relayout};
use toolglot::descriptor::SideEffects;
use toolglot::json::Raw;
use toolglot::{
    FORMATS, Format, Limits, Options, ToolDescriptor, convert, json::Document, restore, testkits,
    tools_json,
};

const SEEDS: u64 = 48;

fn digests(format: &Format, text: &str) -> Vec<Digest> {
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let lifted = format.lift(&document, &limits).unwrap();
    lifted.tools.iter().map(digest).collect()
}

/// The kinds and classes of the changes between two texts.
fn changes(
    (from, old): (&'static Format, &str),
    (to, new): (&'static Format, &str),
) -> Vec<(&'static str, Class)> {
    let limits = Limits::default();
    let old = Document::parse(old.as_bytes(), &limits).unwrap();
    let new = Document::parse(new.as_bytes(), &limits).unwrap();
    let (before, after) = (from.lift(&old, &limits).unwrap(), to.lift(&new, &limits).unwrap());
    let found = documents(
        &Side { lifted: &before, source: Some((from, &old)) },
        &Side { lifted: &after, source: Some((to, &new)) },
        &limits,
    );
    for change in &found.changes {
        // Places are places.
        assert!(change.old.iter().all(|at| old.root().at(at).is_some()), "{change:?}");
        assert!(change.new.iter().all(|at| new.root().at(at).is_some()), "{change:?}");
    }
    found.changes.iter().map(|change| (change.kind, change.class)).collect()
}

#[test]
fn spelling_and_order_change_nothing() {
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..SEEDS {
            let rng = &mut Rng::new(seed);
            let text = generate(rng, 3);
            let other = relayout(&text, rng);
            assert_eq!(digests(format, &text), digests(format, &other), "{} {seed}", format.name);
            let found = changes((format, &text), (format, &other));
            assert_eq!(found, [], "{} {seed}", format.name);
        }
    }
}

#[test]
fn an_edit_does_not_go_unseen() {
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..SEEDS {
            let rng = &mut Rng::new(seed);
            let text = generate(rng, 3);
            let edited = edit(&text, format, rng);
            let limits = Limits::default();
            let trees =
                [&text, &edited].map(|text| Document::parse(text.as_bytes(), &limits).unwrap());
            if trees[0].root().same_value(trees[1].root()) {
                continue;
            }
            if format.lift(&trees[1], &limits).is_err() {
                continue;
            }
            let found = changes((format, &text), (format, &edited));
            assert!(!found.is_empty(), "{} {seed}\n{text}\n{edited}", format.name);
        }
    }
}

/// Whether an operation of a residue says that the interface of a tool is another one
/// in the target.
fn touches_interface(op: &Op, source: &ToolDescriptor<'_>) -> bool {
    let said = |raw: &Option<Raw<'_>>| raw.as_ref().map(|raw| raw.as_str().replace(' ', ""));
    let (was, value) = (said(&op.was), said(&op.value));
    let assumed = |worst: &str| value.is_none() && was.as_deref() == Some(worst);
    let approval = source.side_effects.is_none_or(|effects| effects > SideEffects::Read);
    let last = |id: Option<String>| {
        id.map(|id| id.trim_matches('"').rsplit('.').next().map(str::to_owned))
    };
    match op.at.as_str() {
        "/id" => source.name.is_none() && last(was) != last(value),
        "/input_schema" | "/output_schema" => !assumed(r#"{"type":"object"}"#),
        "/side_effects" => !assumed(r#""destructive""#),
        "/idempotent" => !assumed("false"),
        "/requires_approval" => !assumed(if approval { "true" } else { "false" }),
        // The name that is assumed is the end of the id.
        "/name" => !assumed(&format!("{:?}", source.id.rsplit('.').next().unwrap())),
        "/summary" => source.description.is_none(),
        at => ["/name", "/description", "/input_schema", "/output_schema"]
            .iter()
            .any(|field| at.starts_with(field)),
    }
}

#[test]
fn all_formats_agree_on_the_interface_of_a_tool() {
    let text = r#"{"tools": [{"name": "get_time", "description": "Tells the time.",
        "command": ["./tools/bin/get_time"],
        "schema": {"type": "object", "properties": {"zone": {"type": "string"}}}}]}"#;
    let wanted = &digests(&tools_json::FORMAT, text)[0].interface;
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    for to in FORMATS {
        let converted = convert(&source, &tools_json::FORMAT, *to, &Options::default()).unwrap();
        assert_eq!(&digests(to, &converted.text)[0].interface, wanted, "{}", to.name);
    }
}

#[test]
fn the_interface_survives_what_both_formats_can_say() {
    let mut kept = BTreeMap::new();
    let limits = Limits::default();
    let options = Options { spelling: false, ..Options::default() };
    for (Testkit { format: from, generate, .. }, to) in
        testkits().flat_map(|from| FORMATS.iter().map(move |to| (from, *to)))
    {
        let names = (from.name, to.name);
        for seed in 0..SEEDS / 3 {
            let text = generate(&mut Rng::new(seed), 3);
            let source = Document::parse(text.as_bytes(), &limits).unwrap();
            let lifted = from.lift(&source, &limits).unwrap();
            let converted = convert(&source, *from, to, &options).unwrap();
            let (before, after) = (digests(from, &text), digests(to, &converted.text));
            let tools = before.iter().zip(&after).zip(&lifted.tools).zip(&converted.residue.tools);
            for (((old, new), tool), residue) in tools {
                if !residue.ops.iter().any(|op| touches_interface(op, tool)) {
                    *kept.entry(names).or_insert(0) += 1;
                    assert_eq!(old.interface, new.interface, "{names:?} {seed} {:?}", residue.ops);
                }
                let only_extras = |op: &Op| op.at.as_str().starts_with("/extras");
                if residue.ops.iter().all(only_extras) {
                    assert_eq!(old.whole, new.whole, "{names:?} {seed}");
                }
            }
            let target = Document::parse(converted.text.as_bytes(), &limits).unwrap();
            let back = restore(&target, Some(&converted.residue), *from, to, &options).unwrap();
            assert_eq!(digests(from, &back.text), before, "{names:?} {seed}");
            // Any two documents can be compared.
            changes((from, &text), (to, &converted.text));
        }
    }
    let across: u32 =
        kept.iter().filter(|((from, to), _)| from != to).map(|(_, count)| count).sum();
    assert!(across > 40, "{kept:?}");
}
