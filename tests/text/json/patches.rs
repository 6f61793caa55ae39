//! A patched text says what its target says, and has no byte changed that it
//! need not.

use json_text::Limits;
use json_text::{Document, Kind, Node, apply, compact, patch, pretty};
use proptest::prelude::*;
use toolglot_tests::on_a_small_stack;

use super::generate::{Choices, document};
use super::parse;

const IDENTITY: &[&str] = &["id", "name"];

/// What is equal in base and target has its old bytes in the result.
fn check_untouched(base: Node<'_>, target: Node<'_>, result: Node<'_>) {
    if base.same_value(target) {
        assert_eq!(base.raw(), result.raw());
        return;
    }
    match (base.kind(), target.kind()) {
        (Kind::Object, Kind::Object) => {
            let names = |node: Node<'_>, other: Node<'_>| -> Vec<String> {
                let common = node.members().filter(|m| other.get(&m.name()).is_some());
                common.map(|m| m.name().into_owned()).collect()
            };
            assert_eq!(names(base, target), names(result, base), "members keep their order");
            for member in base.members() {
                let name = member.name();
                if let (Some(target), Some(result)) = (target.get(&name), result.get(&name)) {
                    check_untouched(member.value, target, result);
                }
            }
        }
        (Kind::Array, Kind::Array) => {
            let elements = base.elements().zip(target.elements()).zip(result.elements());
            let first = elements.take_while(|((base, target), _)| base.same_value(*target));
            for ((base, _), result) in first {
                assert_eq!(base.raw(), result.raw(), "what comes before the first edit");
            }
            check_kept(base, target, result);
        }
        _ => {}
    }
}

/// Of elements with one value, as many have a spelling of the base as both lists have. An
/// equal value may be another element, so nobody can say which.
fn check_kept(base: Node<'_>, target: Node<'_>, result: Node<'_>) {
    for value in target.elements() {
        let spelled = |list: Node<'_>| -> Vec<String> {
            let equal = list.elements().filter(|one| one.same_value(value));
            equal.map(|one| one.raw().to_owned()).collect()
        };
        let mut known = spelled(base);
        let both = known.len().min(spelled(target).len());
        let mut kept = 0;
        for raw in spelled(result) {
            if let Some(at) = known.iter().position(|one| *one == raw) {
                known.remove(at);
                kept += 1;
            }
        }
        assert!(kept >= both, "{kept} of {both} keep their bytes: {}", value.raw());
    }
}

fn check(base_text: &str, target_text: &str) {
    let (base, target) = (parse(base_text), parse(target_text));
    let patched = patch(&base, target.root(), IDENTITY);
    let result = parse(&patched);
    assert!(result.root().same_value(target.root()), "{patched}");
    check_untouched(base.root(), target.root(), result.root());
    let (a, b) = (base.root().span(), result.root().span());
    assert_eq!(base_text[..a.start], patched[..b.start]);
    assert_eq!(base_text[a.end..], patched[b.end..]);
    // Nothing is left to do.
    assert_eq!(patch(&result, target.root(), IDENTITY), patched);
}

proptest! {
    #![proptest_config(toolglot_tests::random(1000))]

    #[test]
    fn between_any_two_texts(
        base in prop::collection::vec(any::<u8>(), 0..160),
        target in prop::collection::vec(any::<u8>(), 0..160),
    ) {
        let [base, target] = [base, target].map(|bytes| document(&mut Choices::new(&bytes)));
        check(&base, &target);
    }

    #[test]
    fn after_an_edit(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        how in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let text = document(&mut Choices::new(&bytes));
        let base = parse(&text);
        let mut choices = Choices::new(&how);
        let edit = super::edits::random_edit(&base, &mut choices);
        let target = apply(&base, &[edit]).unwrap_or_else(|_| text.clone());
        check(&text, &compact(parse(&target).root()));
        check(&text, &pretty(parse(&target).root()));
    }

    #[test]
    fn equal_values_change_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = document(&mut Choices::new(&bytes));
        let base = parse(&text);
        for other in [compact(base.root()), pretty(base.root())] {
            prop_assert_eq!(&patch(&base, parse(&other).root(), &[]), &text);
            prop_assert_eq!(&patch(&base, parse(&other).root(), IDENTITY), &text);
        }
    }
}

/// Base, target, and what comes out.
#[test]
fn by_example() {
    for (base, target, expected) in [
        // Numbers are compared by value.
        ("[1.0, 1e2]", "[1,100]", "[1.0, 1e2]"),
        ("[1.0, 1e2]", "[1,101]", "[1.0, 101]"),
        // A member that is new stands behind the one that it follows.
        (
            "{ \"a\" : 1, \"c\" : 3 }",
            r#"{"a":1,"b":2,"c":3}"#,
            "{ \"a\" : 1, \"b\": 2, \"c\" : 3 }",
        ),
        ("{\"a\":1,\"b\":2}", r#"{"b":2}"#, "{\"b\":2}"),
        // One that is gone and one that has come, with equal values: a new name.
        ("{ \"a\" : [1 ,2] }", r#"{"b":[1,2]}"#, "{ \"b\" : [1 ,2] }"),
        // Elements are recognised by their identity.
        (
            "[{\"id\":\"a\", \"n\" : 1}, {\"id\":\"b\"}]",
            r#"[{"id":"b"},{"id":"a","n":2}]"#,
            "[{\"id\":\"b\"}, {\"id\":\"a\", \"n\" : 2}]",
        ),
        (
            "[\n  {\"id\":\"a\"},\n  {\"id\":\"b\"}\n]",
            r#"[{"id":"a"},{"id":"x"},{"id":"b"}]"#,
            "[\n  {\"id\":\"a\"},\n  {\n    \"id\": \"x\"\n  },\n  {\"id\":\"b\"}\n]",
        ),
    ] {
        let (base, target) = (parse(base), parse(target));
        assert_eq!(patch(&base, target.root(), IDENTITY), expected);
    }
}

/// As deep as a document may be, and deeper than the patch looks.
#[test]
fn deep_changes() {
    on_a_small_stack(|| {
        for depth in [127, 128, 129, 1000] {
            let limits = Limits { document_bytes: 64 << 20, depth, ..Limits::default() };
            for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[0,", "]")] {
                let deep =
                    |leaf: &str| format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth));
                let (base, target) = (deep("1"), deep("2"));
                let base = Document::parse(base.as_bytes(), limits).unwrap();
                let target = Document::parse(target.as_bytes(), limits).unwrap();
                let patched = patch(&base, target.root(), &[]);
                let result = Document::parse(patched.as_bytes(), limits).unwrap();
                assert!(result.root().same_value(target.root()));
            }
        }
    });
}
