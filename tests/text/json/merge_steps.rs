//! Work grows as the texts do: counted in steps, which need no clock.

use json_text::{Document, Limits, MergeOptions, merge_steps};

/// How many members, elements or levels the smallest text has.
const SIZE: usize = 400;

/// `[was, ours, theirs]`, of a size.
type Shape = fn(usize) -> [String; 3];

fn joined(count: usize, brackets: [&str; 2], gap: &str, item: impl Fn(usize) -> String) -> String {
    let items: Vec<_> = (0..count).map(item).filter(|item| !item.is_empty()).collect();
    format!("{}{}{}", brackets[0], items.join(gap), brackets[1])
}

fn object(count: usize, item: impl Fn(usize) -> String) -> String {
    joined(count, ["{", "}"], ",", item)
}

fn array(count: usize, item: impl Fn(usize) -> String) -> String {
    joined(count, ["[", "]"], ", ", item)
}

fn deep(count: usize, open: &str, leaf: &str, close: &str) -> String {
    format!("{}{leaf}{}", open.repeat(count), close.repeat(count))
}

/// A text and a changed one, where ours is as it was.
fn patched(was: String, theirs: String) -> [String; 3] {
    [was.clone(), was, theirs]
}

const SHAPES: &[(&str, Shape)] = &[
    ("all members edited", |n| {
        let of = |value: usize| object(n, |i| format!("\"member {i}\": {}", i + value));
        patched(of(0), of(1))
    }),
    ("all members renamed", |n| {
        let of = |name: &str| object(n, |i| format!("\"{name} {i}\": {i}"));
        patched(of("old"), of("new"))
    }),
    ("half the members removed, on lines", |n| {
        let of = |keep: usize| {
            let item = |i| if i % 2 < keep { format!("\"m{i}\": [{i}]") } else { String::new() };
            joined(n, ["{\n  ", "\n}\n"], ",\n  ", item)
        };
        patched(of(2), of(1))
    }),
    ("members added to ours, with others between", |n| {
        let of = |name: &str| object(n, |i| format!("\"a{i}\": 0, \"{name}{i}\": {{}}"));
        [object(n, |i| format!("\"a{i}\": 0")), of("ours"), of("theirs")]
    }),
    ("empty containers filled on one long line", |n| {
        let of = |inner: &str| array(n, |i| format!("{{\"id\":\"{i}\",\"x\":{inner}}}"));
        patched(of("{}"), of("{\"y\":[1,{}]}"))
    }),
    ("empty containers filled on lines", |n| {
        let of = |inner: &str| {
            joined(n, ["[\n", "\n]"], ",\n", |i| format!(" {{\"id\":\"{i}\",\n  \"x\":{inner}}}"))
        };
        patched(of("{}"), of("{\"y\":[1,{}]}"))
    }),
    ("objects in objects", |n| patched(deep(n, "{\"a\":", "1", "}"), deep(n, "{\"a\":", "2", "}"))),
    ("objects in objects that gain and lose", |n| {
        let [was, theirs] =
            ["\"gone\"", "\"come\""].map(|name| deep(n, &format!("{{{name}:[0],\"a\":"), "1", "}"));
        let ours = was.replace("[0]", "[0],\"own\":1");
        [was, ours, theirs]
    }),
    ("another kind deep inside", |n| {
        let theirs = deep(n, "{\"a\":", &deep(n, "[", "1", "]"), "}");
        patched(deep(n, "{\n\"a\":", "1", "}"), theirs)
    }),
    ("arrays reordered at every level", |n| {
        patched(deep(n, "[0,[", "1", "]]"), deep(n, "[[", "1", "],0]"))
    }),
    ("keyed elements reversed and edited", |n| {
        let was = array(n, |i| format!("{{\"id\":\"tool {i}\", \"x\": 1}}"));
        let theirs = array(n, |i| format!("{{\"id\":\"tool {}\", \"x\": 2}}", n - 1 - i));
        patched(was, theirs)
    }),
    ("keyed elements with equal keys", |n| {
        let of = |x: usize| array(n, |i| format!("{{\"id\":\"same\",\"x\":{}}}", i / x));
        patched(of(1), of(2))
    }),
    ("all keys new", |n| {
        let of = |name: &str| array(n, |i| format!("{{\"id\":\"{name} {i}\",\"x\":0}}"));
        patched(of("old"), of("new"))
    }),
    ("scalars reversed", |n| {
        patched(array(n, |i| i.to_string()), array(n, |i| (n - i).to_string()))
    }),
    ("scalars of which few are different", |n| {
        patched(array(n, |i| (i % 3).to_string()), array(n, |i| (i % 7 % 3).to_string()))
    }),
    ("elements without a key, in part", |n| {
        let was = array(n, |i| format!("{{\"x\":{i}}}"));
        let ours = array(n, |i| format!("{{\"x\":{i},\"u\":0}}, {{\"u\":{i}}}"));
        [was, ours, array(n, |i| format!("{{\"x\":{}}}", i + 1))]
    }),
    ("one wide element among many narrow ones", |n| {
        let wide = object(n, |i| format!("\"w{i}\":0"));
        let ours = array(n, |i| format!("{{\"u\":{i}}}"));
        [format!("[{wide}, {wide}]"), ours, format!("[{wide}]")]
    }),
    ("a long gap that is not repeated", |n| {
        let gap = " ".repeat(n);
        let was = format!("{{{gap}\"a\":1,{gap}\n{gap}\"b\":[]}}");
        let theirs = format!(
            "{{\"a\":1,\"b\":[],{}",
            object(n, |i| format!("\"m{i}\":{{}}")).replacen('{', "", 1)
        );
        patched(was, theirs)
    }),
    ("numbers in other spellings", |n| {
        let of = |zero: &str, x: usize| array(n, |i| format!("{}{zero}", i + x));
        [of("", 0), of(".0", 0), of("e0", 1)]
    }),
    ("conflicts everywhere", |n| {
        let of =
            |x: usize| object(n, |i| format!("\"m{i}\":[{{\"id\":\"a\",\"v\":{}}}]", i * 10 + x));
        [of(0), of(1), of(2)]
    }),
    ("everything removed that says more than it did", |n| {
        let of = |inner: &str| object(n, |i| format!("\"m{i}\":{{\"a\":[{{\"x\":{i}{inner}}}]}}"));
        [of(""), of(",\"u\":0"), "{}".to_owned()]
    }),
];

fn steps(shape: Shape, size: usize) -> (u64, usize) {
    let limits = Limits {
        depth: usize::MAX,
        nodes: usize::MAX,
        document_bytes: 1 << 30,
        ..Limits::default()
    };
    let texts = shape(size);
    let [was, ours, theirs] = [&texts[0], &texts[1], &texts[2]]
        .map(|text| Document::parse(text.as_bytes(), limits).unwrap());
    let options = MergeOptions { keys: &["id"], partial: true };
    let (merged, steps) = merge_steps(&ours, was.root(), theirs.root(), &options);
    assert!(Document::parse(merged.text.as_bytes(), limits).is_ok());
    (steps, merged.text.len())
}

#[test]
fn steps_grow_as_the_texts_do() {
    for (name, shape) in SHAPES {
        let [one, two, four] = [1, 2, 4].map(|times| steps(*shape, times * SIZE));
        for (small, large) in [(one, two), (two, four)] {
            assert!(large.0 * 10 <= small.0 * 22, "{name}: {} steps, then {}", small.0, large.0);
            // Digits make names longer, and indentation ends at some level.
            assert!(large.1 <= small.1 * 5 / 2 + 64, "{name}: {} bytes, then {}", small.1, large.1);
        }
    }
}
