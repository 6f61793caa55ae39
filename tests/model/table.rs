//! Tables: what is checked, what is written as JSON Schema and what is counted agree.

use diagnostic::{Depth, Profile, Report, Rule, Severity};
use json_text::{Document, Node};
use manifest_core::Limits;
use manifest_core::table::{
    self, Branch, Condition, Grammar, Member, MemberCondition, Object, PartKind, Rules, Shape,
    Table, TablePart, TextShape, UnknownMemberLocation, branch, optional, required,
};
use testkit::{Hints, Rng, Tree, Vocabulary, generate_object, inject_members};

const fn rule(code: &'static str) -> Rule {
    let (severity, depth) = (Severity::Error, Depth::Structure);
    Rule { code, severity, depth, summary: "", explanation: "" }
}

static BROKEN: Rule = rule("test/broken");
static OWN: Rule = rule("test/own");
static RULES: Rules = Rules::single(&BROKEN);

static LOWER: Grammar = Grammar {
    pattern: "^[a-z]+$",
    description: "lower-case letters",
    matches: |text| !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase()),
};

static TABLE: Table = Table { root: &ROOT, versions: &["1", "2"], version_member: Some("v") };

static ROOT: Object = Object::closed(&MEMBERS).with_conditions(&[MemberCondition {
    condition: Condition::AtLeastOne(&["call", "steps"]),
    since: 0,
    rule: &BROKEN,
}]);

static MEMBERS: [Member; 7] = [
    required("v", &Shape::Any),
    required("name", &Shape::text(1, 3)).until(0),
    required("name", &Shape::matching(&LOWER)).since(1),
    optional("call", &Shape::Union { tag: "kind", branches: CALLS }),
    optional("steps", &Shape::list(&Shape::Object(&Object::open(&STEP)))).since(1),
    optional("schema", &Shape::OneOf(&[Shape::Opaque, Shape::Bool])),
    optional("share", &Shape::Number { min: Some(0), max: Some(1) }),
];

static CALLS: &[Branch] =
    &[branch("http", &Object::closed(&HTTP)), branch("local", &Object::closed(&[])).since(1)];

static HTTP: [Member; 1] = [required("method", &Shape::Enum(&["GET", "PUT"]))];

static STEP: [Member; 1] = [required("tool", &Shape::TEXT)];

fn messages(text: &str, version: u8) -> Vec<String> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut report = Report::new(Profile::Spec, 10);
    table::check(document.root(), &TABLE, version, &RULES, true, &mut [], &mut report);
    report.diagnostics.into_iter().map(|found| found.message.clone()).collect()
}

#[test]
fn checks() {
    let http = r#""call": {"kind": "http", "method": "GET"}"#;
    let cases: &[(u8, String, &[&str])] = &[
        (0, format!(r#"{{"v": 1, "name": "aB", {http}}}"#), &[]),
        (1, format!(r#"{{"v": 1, "name": "aB", {http}}}"#), &["\"aB\" is not lower-case letters"]),
        (1, r#"{"v": 1, "name": "a", "steps": [{"tool": "x", "more": 1}]}"#.into(), &[]),
        (1, r#"{"v": 1, "name": "a"}"#.into(), &["there must be \"call\" or \"steps\""]),
        (
            0,
            r#"{"v": 1, "name": "a", "call": {"kind": "local"}}"#.into(),
            &["1 has no kind \"local\" here"],
        ),
        (
            0,
            format!(r#"{{"v": 1, "name": "a", {http}, "schema": [], "share": 1.5}}"#),
            &["expected an object or a boolean, found an array", "expected a number from 0 to 1"],
        ),
        (0, format!(r#"{{"v": 1, "name": "a", {http}, "schema": true, "share": 0.5}}"#), &[]),
    ];
    for (version, text, expected) in cases {
        // The missing member of an unknown kind of call is told by the other kind.
        let found = messages(text, *version);
        let found: Vec<&String> = found.iter().filter(|m| !m.contains("is missing")).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn the_schema_says_the_same() {
    let names = ["", "a", "aB", "abcd", "1"];
    let calls = [r#"{"kind": "http", "method": "GET"}"#, r#"{"kind": "local"}"#, "{}", "1"];
    let rest = [r#""schema": {}"#, r#""schema": 1"#, r#""share": 2"#, r#""steps": [{}]"#, ""];
    for version in [0, 1] {
        let schema = table::schema(&TABLE, version);
        assert_eq!(schema["properties"]["v"]["const"], TABLE.versions[usize::from(version)]);
        let schema = schema.to_string();
        let schema = Document::parse(schema.as_bytes(), &Limits::default()).unwrap();
        let limits = Limits::default();
        let schema = json_schema::Schema::compile(schema.root(), &limits).unwrap();
        for (name, call, rest) in names
            .iter()
            .flat_map(|n| calls.iter().map(move |c| (n, c)))
            .flat_map(|(n, c)| rest.iter().map(move |r| (n, c, r)))
        {
            let stated = TABLE.versions[usize::from(version)];
            let comma = if rest.is_empty() { "" } else { ", " };
            let text =
                format!(r#"{{"v": "{stated}", "name": "{name}", "call": {call}{comma}{rest}}}"#);
            let document = Document::parse(text.as_bytes(), &limits).unwrap();
            let theirs = schema.validate(document.root()).unwrap().is_valid();
            assert_eq!(messages(&text, version).is_empty(), theirs, "{version}: {text}");
        }
    }
}

#[test]
fn entries_fill_every_row_of_a_name() {
    let text = r#"{"share": 1, "name": "a", "other": 2, "v": 3}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let found =
        table::member_values(document.root(), &MEMBERS).map(|node| node.map(json_text::Node::raw));
    let name = Some("\"a\"");
    assert_eq!(found, [Some("3"), name, name, None, None, None, Some("1")]);
    let list = Document::parse(b"[]", &Limits::default()).unwrap();
    assert!(table::member_values(list.root(), &MEMBERS).iter().all(Option::is_none));
}

#[test]
fn parts_are_counted() {
    let all = table::parts(&ROOT);
    let written = |part: &TablePart| {
        let kind = match part.kind {
            PartKind::Member => String::new(),
            PartKind::EnumValue(word) => format!(" = {word}"),
            PartKind::Branch(word) => format!(" is {word}"),
        };
        format!("{}{kind} {}..{}", part.path, part.since, part.until)
    };
    let listed: Vec<String> = all.iter().map(written).collect();
    let expected = [
        "/call 0..255",
        "/call is http 0..255",
        "/call is local 1..255",
        "/call{http}/method 0..255",
        "/call{http}/method = GET 0..255",
        "/call{http}/method = PUT 0..255",
        "/name 0..0",
        "/name 1..255",
        "/schema 0..255",
        "/schema = false 0..255",
        "/schema = true 0..255",
        "/schema is a boolean 0..255",
        "/schema is an object 0..255",
        "/share 0..255",
        "/steps 1..255",
        "/steps/*/tool 1..255",
        "/v 0..255",
    ];
    assert_eq!(listed, expected);

    let text = r#"{"name": "a", "call": {"kind": "http", "method": "PUT"}, "steps": [{"tool": 1}],
            "schema": true}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let shown = table::covered_parts(&ROOT, document.root(), 0);
    assert!(shown.is_subset(&all));
    let shown: Vec<String> = shown.iter().map(written).collect();
    let expected = [
        "/call 0..255",
        "/call is http 0..255",
        "/call{http}/method 0..255",
        "/call{http}/method = PUT 0..255",
        "/name 0..0",
        "/schema 0..255",
        "/schema = true 0..255",
        "/schema is a boolean 0..255",
    ];
    assert_eq!(shown, expected);
    let later = table::covered_parts(&ROOT, document.root(), 1);
    assert!(later.iter().any(|part| part.path == "/steps/*/tool"));
}

/// Tables should end. Should one not, counting its parts does.
#[test]
fn a_table_inside_itself_is_counted_once() {
    static NODE: [Member; 2] =
        [optional("name", &Shape::TEXT), optional("child", &Shape::Object(&TREE))];
    static TREE: Object = Object::closed(&NODE);
    assert_eq!(table::parts(&TREE).len(), 2);
}

/// A rule of a member comes before those of JSON.
#[test]
fn members_have_rules_of_their_own() {
    static MEMBERS: [Member; 2] = [
        required("missing", &Shape::TEXT).missing(&OWN),
        optional("schema", &Shape::OneOf(&[Shape::Opaque, Shape::Bool])).mistyped(&OWN),
    ];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let found = reported(r#"{"schema": 1}"#, &TABLE, &RULES);
    assert_eq!(found, [("test/own", "/schema"), ("test/own", "")].map(owned));
}

/// A text may have a rule of its own, or be for its format to judge.
#[test]
fn texts_have_judges() {
    const SHORT: TextShape = TextShape { max: Some(1), grammar: Some(&LOWER), ..TextShape::ANY };
    static MEMBERS: [Member; 3] = [
        optional("table", &Shape::Text(SHORT)),
        optional("own", &Shape::Text(TextShape::matching(&LOWER).with_rule(&OWN))),
        optional("left", &Shape::Text(SHORT.left_to_format())),
    ];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let found = reported(r#"{"table": "AB", "own": "AB", "left": "AB"}"#, &TABLE, &RULES);
    let twice = ("test/broken", "/table");
    assert_eq!(found, [twice, twice, ("test/own", "/own")].map(owned));
    let found = reported(r#"{"left": 1}"#, &TABLE, &RULES);
    assert_eq!(found, [("json/type", "/left")].map(owned));
}

/// What a double cannot tell from zero is not below it, to those who read doubles.
#[test]
fn almost_zero_is_zero() {
    static MEMBERS: [Member; 1] = [optional("n", &Shape::Number { min: Some(0), max: None })];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    for (number, count) in [("-1e-999", 0), ("-0.0", 0), ("1e-999", 0), ("-1e-9", 1), ("-1", 1)] {
        let found = reported(&format!(r#"{{"n": {number}}}"#), &TABLE, &RULES);
        assert_eq!(found.len(), count, "{number}");
    }
}

/// An object of several kinds may have what another kind has, and is looked at though no
/// kind is its own. In a free object all names are good.
#[test]
fn other_kinds_tell_what_members_are() {
    static ONE: [Member; 1] = [required("a", &Shape::TEXT)];
    static OTHER: [Member; 1] = [required("b", &Shape::TEXT)];
    static KINDS: &[Branch] =
        &[branch("one", &Object::open(&ONE)), branch("other", &Object::open(&OTHER))];
    static MEMBERS: [Member; 2] = [
        optional("call", &Shape::Union { tag: "kind", branches: KINDS }),
        optional("free", &Shape::Object(&Object::free(&ONE))),
    ];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let rules = Rules { unknown_members: UnknownMemberLocation::AtMember, ..RULES };
    let wrong = ("json/type", "/call/b");
    let cases: [(&str, &[(&str, &str)]); 3] = [
        (r#"{"kind": "one", "a": "", "b": 1}"#, &[wrong]),
        (
            r#"{"kind": "none", "b": 1, "c": 2}"#,
            &[wrong, ("json/unknown-member", "/call/c"), ("test/broken", "/call/kind")],
        ),
        (r#"{"B": ""}"#, &[("json/key-case", "/call/B"), ("json/required", "/call")]),
    ];
    for (call, expected) in cases {
        let text = format!(r#"{{"call": {call}, "free": {{"a": "", "A": 1, "z": 2}}}}"#);
        let expected: Vec<_> = expected.iter().copied().map(owned).collect();
        assert_eq!(reported(&text, &TABLE, &rules), expected, "{call}");
    }
}

/// Whoever reports unknown members where they stand tells those in another case, and in
/// open objects.
#[test]
fn unknown_members_are_reported_where_they_stand() {
    static INNER: [Member; 1] = [optional("a", &Shape::TEXT)];
    static MEMBERS: [Member; 1] = [optional("open", &Shape::Object(&Object::open(&INNER)))];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let at_member = Rules { unknown_members: UnknownMemberLocation::AtMember, ..RULES };
    let text = r#"{"open": {"A": 1, "b": 2}, "Open": 3, "c": 4}"#;
    let expected =
        [("json/key-case", "/open/A"), ("json/unknown-member", "/open/b")].map(owned).to_vec();
    let closed = [("json/key-case", "/Open"), ("test/broken", "/c")].map(owned);
    assert_eq!(reported(text, &TABLE, &at_member), [expected, closed.to_vec()].concat());
    let at_object = [("test/broken", ""), ("test/broken", "")].map(owned);
    assert_eq!(reported(text, &TABLE, &RULES), at_object);
}

fn owned((code, pointer): (&str, &str)) -> (String, String) {
    (code.to_owned(), pointer.to_owned())
}

/// The rules that a document breaks, and where.
fn reported(text: &str, table: &Table, rules: &Rules) -> Vec<(String, String)> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut report = Report::new(Profile::Spec, 10);
    table::check(document.root(), table, 0, rules, true, &mut [], &mut report);
    let found = report.diagnostics.iter();
    found.map(|found| owned((found.rule.code, found.pointer.as_str()))).collect()
}

#[test]
fn what_a_table_does_not_have_is_the_rest() {
    let document =
        Document::parse(br#"{"x": 1, "tool": "a", "y": []}"#, &Limits::default()).unwrap();
    let rest = table::unknown_members(document.root(), &STEP);
    let rest: Vec<_> = rest.0.iter().map(|(name, raw)| (name.as_ref(), raw.as_str())).collect();
    assert_eq!(rest, [("x", "1"), ("y", "[]")]);
}

/// What later checks look at is left where the member says, whatever the order.
#[test]
fn values_are_kept_where_their_members_say() {
    static MEMBERS: [Member; 3] = [
        required("a", &Shape::TEXT).kept(1),
        optional("b", &Shape::TEXT),
        optional("c", &Shape::Opaque).kept(0),
    ];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let text = r#"{"c": {}, "b": "x", "\u0061": "y"}"#;
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let (mut kept, mut report) = ([None; 2], Report::new(Profile::Spec, 10));
    table::check(document.root(), &TABLE, 0, &RULES, true, &mut kept, &mut report);
    assert!(report.is_valid());
    assert_eq!(kept.map(|node| node.map(Node::raw)), [Some("{}"), Some("\"y\"")]);
}

/// More names than fit without a collision, all of which are found.
#[test]
fn every_name_is_found_in_any_order() {
    const fn row(name: &'static str) -> Member {
        required(name, &Shape::TEXT)
    }
    // Equal ends and equal lengths: all of them begin at one place.
    static MEMBERS: [Member; 8] = [
        row("axxa"),
        row("ayya"),
        row("azza"),
        row("abba"),
        row("acca"),
        row("adda"),
        row("a"),
        row(""),
    ];
    static OBJECT: Object = Object::closed(&MEMBERS);
    static TABLE: Table = Table { root: &OBJECT, versions: &["1"], version_member: None };
    let text = r#"{"": "", "a": "", "adda": "", "acca": "", "abba": "", "azza": "", "ayya": "", "axxa": ""}"#;
    assert_eq!(reported(text, &TABLE, &RULES), []);
    let other = text.replace("azza", "aqqa");
    assert_eq!(reported(&other, &TABLE, &RULES).len(), 2, "one is unknown, one is missing");
}

/// What signing in requires: alternatives, each of which maps names to scopes.
static SIGN_IN: Object = Object::open(&[optional(
    "security",
    &Shape::list(&Shape::Map(&Shape::list(&Shape::matching(&LOWER)))),
)]);

static SIGN_IN_TABLE: Table = Table { root: &SIGN_IN, versions: &["1"], version_member: None };

fn sign_in_problems(text: &str) -> Vec<String> {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let mut report = Report::new(Profile::Spec, 10);
    table::check(document.root(), &SIGN_IN_TABLE, 0, &RULES, true, &mut [], &mut report);
    report.diagnostics.iter().map(|found| found.pointer.to_string()).collect()
}

#[test]
fn maps_may_be_elements_of_lists() {
    let cases = [
        (r#"{"security": []}"#, ""),
        (r#"{"security": [{}]}"#, ""),
        (r#"{"security": [{"oauth": ["read", "write"], "a/b": []}, {"key": []}]}"#, ""),
        (r#"{"security": {"oauth": []}}"#, "/security"),
        (r#"{"security": [["oauth"]]}"#, "/security/0"),
        (r#"{"security": [{}, {"oauth": "read"}]}"#, "/security/1/oauth"),
        (r#"{"security": [{"a/b": ["READ"]}]}"#, "/security/0/a~1b/0"),
    ];
    let schema = table::schema(&SIGN_IN_TABLE, 0).to_string();
    let schema = Document::parse(schema.as_bytes(), &Limits::default()).unwrap();
    let schema = json_schema::Schema::compile(schema.root(), &Limits::default()).unwrap();
    for (text, problem) in cases {
        let expected: Vec<&str> = [problem].into_iter().filter(|at| !at.is_empty()).collect();
        assert_eq!(sign_in_problems(text), expected, "{text}");
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let theirs = schema.validate(document.root()).unwrap().is_valid();
        assert_eq!(theirs, problem.is_empty(), "{text}");
    }
}

/// The names of a map in a list are free, and its values are all alike.
#[test]
fn strange_members_of_maps_in_lists_are_valid() {
    let vocabulary = Vocabulary { names: &["security"], maps: &["security"], open: &[] };
    let samples = [("security", ["oauth", "key"].as_slice()), ("security/*", &["read", "write"])];
    let hints = Hints { samples: &samples, always: &["security"] };
    let mut strange = 0;
    for seed in 0..64 {
        let rng = &mut Rng::new(seed);
        let text = generate_object(&SIGN_IN, 0, hints, rng, 3).render();
        assert_eq!(sign_in_problems(&text), Vec::<String>::new(), "{text}");
        let more = inject_members(&text, &vocabulary, rng);
        assert_eq!(sign_in_problems(&more), Vec::<String>::new(), "{more}");
        for requirement in Tree::parse(&more).unwrap().at("/security").unwrap().elements() {
            let names = requirement.members().iter().map(|(name, _)| name.as_str());
            strange += names.filter(|name| !["oauth", "key"].contains(name)).count();
        }
    }
    assert!(strange > 64, "{strange} strange names");
}
