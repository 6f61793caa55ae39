//! Templates: what is a reference, what is text, and what is neither.

use manifest_core::template::{
    TemplatePart::{self, Env, Input, Text},
    has_reference, is_variable, looks_escaped, parse, parse_smoke,
};

#[test]
fn references_of_actions() {
    let cases: [(&str, Result<Vec<TemplatePart<'_>>, usize>); 24] = [
        ("", Ok(vec![])),
        ("plain", Ok(vec![Text("plain")])),
        ("$", Ok(vec![Text("$")])),
        ("a$b{c}", Ok(vec![Text("a$b{c}")])),
        ("${input.a}", Ok(vec![Input("a")])),
        ("${input.a.b_2.C}", Ok(vec![Input("a.b_2.C")])),
        ("${input.a-b.é/x}", Ok(vec![Input("a-b.é/x")])),
        ("${env.KEY_2}", Ok(vec![Env("KEY_2")])),
        ("x${input.a}y${env.K}z", Ok(vec![Text("x"), Input("a"), Text("y"), Env("K"), Text("z")])),
        ("${input.a}${input.b}", Ok(vec![Input("a"), Input("b")])),
        ("$${input.a}}", Ok(vec![Text("$"), Input("a"), Text("}")])),
        ("${input.}", Err(0)),
        ("${input.a.}", Err(0)),
        ("${input..a}", Err(0)),
        ("${input.a b}", Err(0)),
        ("${input.a[0]}", Err(0)),
        ("${input.a\u{7}}", Err(0)),
        ("${input}", Err(0)),
        ("ab${other.x}", Err(2)),
        ("${env.key}", Err(0)),
        ("${env.2K}", Err(0)),
        ("é${input.a", Err(2)),
        ("${input.a${env.K}}", Err(0)),
        ("${input.a}${}", Err(10)),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).map_err(|error| error.offset), expected, "{text}");
        assert_eq!(has_reference(text), text.contains("${"), "{text}");
    }
    let error = parse("ab${input.x").unwrap_err();
    assert_eq!(error.to_string(), "\"${\" at byte 2: there is no \"}\"");
}

#[test]
fn references_of_smoke_tests() {
    for (text, expected) in [
        ("a ${KEY} b", Ok(vec![Text("a "), Env("KEY"), Text(" b")])),
        ("${key}", Err(0)),
        ("${env.KEY}", Err(0)),
        ("${}", Err(0)),
        ("${KEY", Err(0)),
    ] {
        assert_eq!(parse_smoke(text).map_err(|error| error.offset), expected, "{text}");
    }
}

#[test]
fn names_of_variables() {
    for name in ["A", "A_B", "A2", "HOME_"] {
        assert!(is_variable(name), "{name}");
    }
    for name in ["", "a", "_A", "2A", "A-B", "Ab", "É", "A B"] {
        assert!(!is_variable(name), "{name}");
    }
}

/// There is no escape: what looks like one is worth a word.
#[test]
fn what_looks_like_an_escape() {
    for (text, looks) in [
        ("$${input.a}", true),
        (r"\${input.a}", true),
        ("x$${", true),
        ("${input.a}", false),
        ("$$", false),
        ("$x{", false),
        ("", false),
    ] {
        assert_eq!(looks_escaped(text), looks, "{text}");
    }
}
