use crate::program::run;

#[test]
fn a_rule() {
    let ran = run(&["explain", "json/duplicate-key"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "\
json/duplicate-key (error, structure)

the members of an object must have different names

Readers disagree on which of two equal members counts, so one document could be
two tools. The check holds inside embedded schemas and examples too, and sees
through escapes. Remove one of the two.

https://github.com/toolglot/toolglot/blob/main/docs/rules.md#jsonduplicate-key
"
    );
}

#[test]
fn all_rules() {
    let ran = run(&["explain"]);
    assert_eq!(ran.code, Some(0));
    for rule in toolglot::rules() {
        let found = ran.out.lines().find(|line| line.starts_with(&format!("{} ", rule.code)));
        assert!(found.is_some_and(|line| line.ends_with(rule.summary)), "{}", rule.code);
    }
    // Each starts the program once. A normal run asks for every eighth.
    let every = if std::env::var_os("TOOLGLOT_CASES").is_some() { 1 } else { 8 };
    for rule in toolglot::rules().step_by(every) {
        assert_eq!(run(&["explain", rule.code]).code, Some(0), "{}", rule.code);
    }
    assert!(ran.out.contains("\ncli/unknown-format "));
}

#[test]
fn a_slip() {
    let ran = run(&["explain", "json/duplicate-keys"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "error: there is no rule \"json/duplicate-keys\"; did you mean json/duplicate-key?\n"
    );
    let ran = run(&["explain", "duplicate-key"]);
    assert_eq!(
        ran.err,
        "error: there is no rule \"duplicate-key\"; did you mean json/duplicate-key?\n"
    );
    let ran = run(&["explain", "\u{1b}[2J"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.err,
        "error: there is no rule \"\\u{1b}[2J\"; `toolglot explain` lists all rules\n"
    );
}

#[test]
fn the_schema_of_a_format() {
    let ran = run(&["schema", "install-manifest@0.3"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let schema: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(schema["properties"]["manifest_version"]["const"], "0.3");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for (wrong, said) in [
        ("mcp", "there is no format \"mcp\"; there are tools-json, mcpkg"),
        ("mcpkg@3", "mcpkg has no version \"3\"; there are 0.1, 0.2"),
    ] {
        let ran = run(&["schema", wrong]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}
