//! Objects and values, read with a report of what is wrong.

use diagnostic::{Profile, Report};
use json_text::read::{self, UnknownMembers};
use json_text::{Document, Node, rules};

use super::parse;

/// What a reader makes of a text, and the codes and places of what it reports.
fn reading<T>(
    text: &str,
    read: impl for<'a> Fn(Node<'a>, &mut Report) -> T,
) -> (T, Vec<(&'static str, String)>) {
    let document = parse(text);
    let mut report = Report::new(Profile::Spec, 100);
    let found = read(document.root(), &mut report);
    let reported = report.diagnostics.iter();
    (found, reported.map(|found| (found.rule.code, found.pointer.to_string())).collect())
}

/// Reads a value of one kind, and writes it again.
type Reader = fn(Node<'_>, &mut Report) -> Option<String>;

#[test]
fn a_value_is_of_its_kind_or_reported() {
    let values = ["{}", "[]", "\"x\"", "1.50", "true", "null"];
    let readers: [(&str, Reader); 5] = [
        ("{}", |node, report| {
            read::split_members(node, [], UnknownMembers::Allow, report).map(|_| "{}".to_owned())
        }),
        ("[]", |node, report| read::elements(node, report).map(|_| "[]".to_owned())),
        ("\"x\"", |node, report| read::text(Some(node), report).map(|text| format!("{text:?}"))),
        ("1.50", |node, report| {
            read::number(Some(node), report).map(|number| number.as_str().to_owned())
        }),
        ("true", |node, report| read::boolean(Some(node), report).map(|value| value.to_string())),
    ];
    for (own, reader) in readers {
        for value in values {
            let (found, reported) = reading(value, reader);
            assert_eq!(found.as_deref(), (value == own).then_some(own), "{own} from {value}");
            let expected = if value == own { vec![] } else { vec![("json/type", String::new())] };
            assert_eq!(reported, expected, "{own} from {value}");
        }
    }
    let (nothing, reported) = reading("{}", |_, report| {
        (read::text(None, report), read::number(None, report), read::boolean(None, report))
    });
    assert_eq!(nothing, (None, None, None));
    assert!(reported.is_empty(), "what is not there is of no kind");
}

/// Positions in a list are those in the document: one that lacks an element is none.
#[test]
fn lists_are_whole_or_empty() {
    let texts = |node: Node<'_>, report: &mut Report| {
        read::texts(Some(node), report).into_iter().map(String::from).collect::<Vec<_>>()
    };
    let many: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    assert_eq!(reading(&format!("{many:?}"), texts), (many, vec![]));
    assert_eq!(reading("[]", texts), (vec![], vec![]));
    let (found, reported) = reading(r#"["a", 1, "b", null]"#, texts);
    assert!(found.is_empty());
    assert_eq!(reported, [("json/type", "/1".to_owned()), ("json/type", "/3".to_owned())]);
    assert_eq!(reading("{}", texts), (vec![], vec![("json/type", String::new())]));

    let strings = |text: &str| {
        let document = parse(text);
        read::string_elements(Some(document.root()))
            .map(|node| node.raw().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(strings(r#"["a", "b"]"#), ["\"a\"", "\"b\""]);
    assert!(strings(r#"["a", 1]"#).is_empty() && strings("{}").is_empty());
    assert_eq!(read::string_elements(None).count(), 0);
}

/// What was found under `a` and `b`, as written, and the names of the rest.
fn taken(
    text: &str,
    others: UnknownMembers,
) -> ([Option<String>; 2], Vec<String>, Vec<&'static str>) {
    let (found, reported) = reading(text, |node, report| {
        let (found, rest) = read::split_members(node, ["a", "b"], others, report).unwrap();
        let rest = rest.0.into_iter().map(|(name, _)| name.into_owned()).collect();
        (found.map(|node| node.map(|node| node.raw().to_owned())), rest)
    });
    (found.0, found.1, reported.into_iter().map(|(code, _)| code).collect())
}

#[test]
fn members_are_found_and_the_rest_is_kept() {
    let (one, two) = (|| Some("1".to_owned()), || Some("2".to_owned()));
    let name = |name: &str| vec![name.to_owned()];
    let refuse = UnknownMembers::Refuse(&rules::UNKNOWN_MEMBER);
    let unknown = rules::UNKNOWN_MEMBER.code;
    let case = rules::KEY_CASE.code;
    for others in
        [UnknownMembers::Warn, UnknownMembers::Allow, refuse, UnknownMembers::AllowAnyCase]
    {
        assert_eq!(taken(r#"{"a": 1, "b": 2}"#, others), ([one(), two()], vec![], vec![]));
        assert_eq!(taken(r#"{"b": 2, "a": 1}"#, others), ([one(), two()], vec![], vec![]));
        assert_eq!(taken("{}", others), ([None, None], vec![], vec![]));
        let reports = matches!(others, UnknownMembers::Warn | UnknownMembers::Refuse(_));
        let expected = if reports { vec![unknown] } else { vec![] };
        let found = taken(r#"{"xyz": 0, "b": 2}"#, others);
        assert_eq!(found, ([None, two()], name("xyz"), expected), "{others:?}");
    }
    let other_case = r#"{"A": 1}"#;
    assert_eq!(taken(other_case, UnknownMembers::Warn), ([None, None], name("A"), vec![case]));
    assert_eq!(taken(other_case, refuse), ([None, None], name("A"), vec![case]));
    assert_eq!(taken(other_case, UnknownMembers::Allow), ([None, None], name("A"), vec![]));
    assert_eq!(taken(other_case, UnknownMembers::AllowAnyCase), ([one(), None], vec![], vec![]));
    // The first spelling is taken.
    let both = r#"{"A": 1, "a": 2}"#;
    assert_eq!(taken(both, UnknownMembers::AllowAnyCase), ([one(), None], name("a"), vec![case]));
    assert_eq!(
        taken(r#"{"a": 1, "A": 2}"#, UnknownMembers::AllowAnyCase),
        ([one(), None], name("A"), vec![case])
    );
}

#[test]
fn what_must_be_there_is_reported_at_the_object() {
    let require = |node: Node<'_>, report: &mut Report| {
        let inner = node.get("o").unwrap();
        read::require(inner.get("a"), inner, "a", report).is_some()
    };
    assert_eq!(reading(r#"{"o": {"a": 1}}"#, require), (true, vec![]));
    let missing = (rules::REQUIRED.code, "/o".to_owned());
    assert_eq!(reading(r#"{"o": {"b": 1}}"#, require), (false, vec![missing]));
}

/// As Go reads the names of members.
#[test]
fn names_fold() {
    for (a, b) in [("name", "NAME"), ("name", "Name"), ("\u{17f}et", "Set"), ("\u{212a}ey", "key")]
    {
        assert!(read::equal_fold(a, b) && read::equal_fold(b, a), "{a} {b}");
    }
    for (a, b) in [("name", "nam"), ("name", "names"), ("é", "É"), ("a", "b"), ("", "a")] {
        assert!(!read::equal_fold(a, b) && !read::equal_fold(b, a), "{a} {b}");
    }
}

#[test]
fn a_hint_says_how_it_is_written() {
    for (expected, sign) in [
        ("a boolean", "true"),
        ("a number", "without"),
        ("a string", "marks"),
        ("an array", "["),
        ("an object", "{"),
    ] {
        let hint = read::spelling_advice(expected);
        assert!(hint.starts_with(&format!("write {expected}")) && hint.contains(sign), "{hint}");
    }
    assert_eq!(read::spelling_advice("an integer"), "write an integer");
}

/// Places in a document, by which others find a value again.
#[test]
fn a_node_knows_where_it_is() {
    let text = r#"{"a": [1, {"b": "x"}], "longer name": "a long text", "c": true}"#;
    let document: Document<'_> = parse(text);
    for node in document.root().descendants() {
        assert_eq!(document.node(node.index()).map(Node::raw), Some(node.raw()));
        let inside: Vec<u32> = node.descendants().map(Node::index).collect();
        assert_eq!(inside.first(), Some(&node.index()));
        let after = node.index_after();
        assert!(inside.iter().all(|index| (node.index()..after).contains(index)), "{node:?}");
        // Nothing that is not inside it is before that.
        let others = document.root().descendants().map(Node::index);
        let others = others.filter(|index| *index > node.index() && !inside.contains(index));
        assert!(others.min().is_none_or(|next| after <= next), "{node:?}");
    }
    let long = |least| document.root().long_strings(least).collect::<Vec<_>>();
    assert_eq!(long(5), ["\"longer name\"", "\"a long text\""]);
    assert_eq!(long(13), ["\"longer name\"", "\"a long text\""]);
    assert!(long(14).is_empty());
    assert_eq!(long(0), ["\"a\"", "\"b\"", "\"x\"", "\"longer name\"", "\"a long text\"", "\"c\""]);
    let list = document.root().get("a").unwrap();
    assert_eq!(list.long_strings(0).collect::<Vec<_>>(), ["\"b\"", "\"x\""]);
    assert!(list.elements().max_len(9) >= 2 && list.elements().max_len(1) == 1);
    assert_eq!(parse("[]").root().elements().max_len(9), 0);
}

/// The names that schemas of others refer to.
#[test]
fn schemas_have_names() {
    use json_text::{KeyedList, Number, Raw};
    use schemars::JsonSchema;

    assert_eq!(Raw::schema_name(), "AnyJson");
    assert_eq!(Number::schema_name(), "Number");
    assert_eq!(KeyedList::<'_, Number<'_>>::schema_name(), "Keyed_Number");
    assert_eq!(schemars::schema_for!(Number<'_>).get("type"), Some(&"number".into()));
}
