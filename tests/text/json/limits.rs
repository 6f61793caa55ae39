//! Every limit, at the limit and one past it.

use diagnostic::{Pointer, Profile, Report};
use json_text::Limits;
use json_text::{Document, rules};
use toolglot_tests::on_a_small_stack;

use super::verdict_under;

/// One limit: how to set it, a text that reaches exactly `n`, and what refuses
/// `n + 1`.
struct Limit {
    code: &'static str,
    default: usize,
    set: fn(usize) -> Limits,
    text: fn(usize) -> String,
}

const LIMITS: &[Limit] = &[
    Limit {
        code: "json/size",
        default: 1 << 20,
        set: |document_bytes| Limits { document_bytes, ..Limits::default() },
        text: |n| format!("{}[]", " ".repeat(n - 2)),
    },
    Limit {
        code: "json/depth",
        default: 127,
        set: |depth| Limits { depth, ..Limits::default() },
        // Objects and arrays count alike.
        text: |n| format!("{}{{}}{}", "[".repeat(n - 1), "]".repeat(n - 1)),
    },
    Limit {
        code: "json/nodes",
        default: 200_000,
        set: |nodes| Limits { nodes, ..Limits::default() },
        // The array counts, the names of members do not.
        text: |n| format!("[{{\"a\":0}}{}]", ",0".repeat(n - 3)),
    },
    Limit {
        code: "json/string-size",
        default: 256 << 10,
        set: |string_bytes| Limits { string_bytes, ..Limits::default() },
        // Bytes as written: an escape is six, a letter may be two.
        text: |n| format!("[\"\\u0061\u{e9}{}\"]", "a".repeat(n - 8)),
    },
    Limit {
        code: "json/key-size",
        default: 1 << 10,
        set: |key_bytes| Limits { key_bytes, ..Limits::default() },
        text: |n| format!("{{\"\\u0061\u{e9}{}\":0}}", "a".repeat(n - 8)),
    },
    Limit {
        code: "json/number-size",
        default: 1 << 10,
        set: |number_bytes| Limits { number_bytes, ..Limits::default() },
        text: |n| format!("[-1.{}e+5]", "0".repeat(n - 6)),
    },
];

/// Values are counted from time to time only, and never too late or too early.
#[test]
fn values_are_counted_exactly() {
    let members = |n: usize| {
        let members: Vec<String> = (0..n).map(|i| format!("\"{i}\":{i}")).collect();
        format!("{{{}}}", members.join(","))
    };
    for values in 2..70 {
        let half = (values - 1) / 2;
        let texts = [
            members(values - 1),
            format!("[{}0]", "0,".repeat(values - 2)),
            format!("[{}{}]", members(half), ",0".repeat(values - 2 - half)),
        ];
        for text in texts {
            for nodes in 1..75 {
                let limits = Limits { nodes, ..Limits::default() };
                let expected = if values <= nodes { "ok" } else { "json/nodes" };
                assert_eq!(verdict_under(text.as_bytes(), &limits), expected, "{nodes}: {text}");
            }
        }
    }
}

#[test]
fn at_the_limit_and_one_past_it() {
    on_a_small_stack(|| {
        for limit in LIMITS {
            for (n, limits) in
                [(limit.default, Limits::default()), (20, (limit.set)(20)), (21, (limit.set)(21))]
            {
                let (at, past) = ((limit.text)(n), (limit.text)(n + 1));
                assert_eq!(verdict_under(at.as_bytes(), &limits), "ok", "{}", limit.code);
                assert_eq!(verdict_under(past.as_bytes(), &limits), limit.code);
            }
        }
    });
}

/// A limit of nothing refuses everything that it is about, and no limit at all
/// refuses nothing.
#[test]
fn the_smallest_and_the_largest() {
    let texts = ["[]", "[]", "0", "\"a\"", "{\"a\":0}", "0"];
    for (limit, text) in LIMITS.iter().zip(texts) {
        assert_eq!(verdict_under(text.as_bytes(), &(limit.set)(0)), limit.code);
        let unlimited = (limit.set)(usize::MAX);
        assert_eq!(verdict_under(text.as_bytes(), &unlimited), "ok");
    }
    let (empty_key, empty_string) = ((LIMITS[4].set)(0), (LIMITS[3].set)(0));
    assert_eq!(verdict_under(b"{\"\":0}", &empty_key), "ok");
    assert_eq!(verdict_under(b"[\"\"]", &empty_string), "ok");
}

/// A host may allow any depth: nothing recurses.
#[test]
fn depth_costs_no_stack() {
    on_a_small_stack(|| {
        let limits = Limits { depth: usize::MAX, ..Limits::default() };
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let deeper = format!("[{deep}]");
        let document = Document::parse(deep.as_bytes(), limits).unwrap();
        let other = Document::parse(deeper.as_bytes(), limits).unwrap();
        assert_eq!(document.root().descendants().count(), 100_000);
        assert!(document.root().same_value(document.root()));
        assert!(!document.root().same_value(other.root()));
        assert_eq!(json_text::compact(document.root()), deep);
    });
}

#[test]
fn a_report_counts_what_it_leaves_out() {
    let note = |rule: &'static diagnostic::Rule| rule.at_pointer(Pointer::root(), "");
    let mut report = Report::new(Profile::Spec, 2);
    for _ in 0..2 {
        report.push(note(&rules::UNKNOWN_MEMBER));
    }
    assert_eq!((report.diagnostics.len(), report.left_out), (2, 0));
    report.push(note(&rules::UNKNOWN_MEMBER));
    assert_eq!((report.diagnostics.len(), report.left_out), (2, 1));
    assert!(report.is_valid());
    // An error takes the place of a warning, and counts when there is none.
    for (errors, left_out) in [(1, 2), (2, 3), (2, 4)] {
        report.push(note(&rules::TYPE));
        assert_eq!(report.errors().count(), errors);
        assert_eq!((report.diagnostics.len(), report.left_out), (2, left_out));
        assert!(!report.is_valid());
    }
    let mut report = Report::new(Profile::Spec, 0);
    report.push(note(&rules::TYPE));
    assert!(!report.is_valid());
}
