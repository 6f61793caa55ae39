use crate::program::{ECHO, json, run};

#[test]
fn every_verb_has_help_with_examples() {
    for verb in [
        "detect",
        "validate",
        "convert",
        "restore",
        "catalog",
        "consent",
        "diff",
        "init",
        "lint",
        "plan",
        "pack",
        "unpack",
        "inspect",
        "test",
        "search",
        "bundle",
        "serve",
        "mcp",
        "approve",
        "explain",
        "export",
        "compat",
        "completions",
        "index",
        "install",
        "installed",
        "revoke",
        "verify",
    ] {
        let ran = run(&[verb, "--help"]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains(&format!("Examples:\n  toolglot {verb}")), "{}", ran.out);
        assert!(ran.out.contains("--color <WHEN>"), "{}", ran.out);
    }
    let ran = run(&["--help"]);
    assert!(ran.out.contains("Exit codes:\n  0  all is well\n"), "{}", ran.out);
}

#[test]
fn the_version() {
    let ran = run(&["--version"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out, format!("toolglot {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_format_that_is_not_there_yet() {
    let absent = ["install-manifest", "tools-json", "mcpkg", "capability", "jumith"];
    let absent = absent.iter().filter(|name| toolglot::format(name).is_none());
    for name in absent {
        let ran = run(&["convert", ECHO, "--to", name]);
        assert_eq!(ran.code, Some(2));
        let expected = format!(
            "error: invalid value '{name}' for '--to <FORMAT>': {name} is not in this toolglot yet; it has "
        );
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
    }
}

#[test]
fn a_format_that_does_not_exist() {
    let ran = run(&["convert", ECHO, "--to", "mcpk"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("a similar value exists: 'mcpkg'"), "{}", ran.err);
}

#[test]
fn a_version_of_a_format() {
    let ran = run(&["convert", ECHO, "--to", "install-manifest@0.4", "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&ran.out)["manifest_version"], "0.4");
    // The versions that the specification of install manifests has.
    let ran = run(&["convert", ECHO, "--to", "install-manifest@7"]);
    assert_eq!(ran.code, Some(2));
    let expected = "error: install-manifest has no version \"7\"; there are ";
    assert!(ran.err.starts_with(expected), "{}", ran.err);
    assert!(ran.err.contains("0.4"), "{}", ran.err);
    let ran = run(&["convert", ECHO, "--to", "tools-json@1"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: tools-json has no versions to choose from"), "{}", ran.err);
}

#[test]
fn wrong_usage() {
    for arguments in [
        &[][..],
        &["frobnicate"],
        &["detect"],
        &["validate"],
        &["validate", "--profile", "lenient", ECHO],
        &["convert", ECHO],
        &["restore", ECHO],
        &["restore", "--to", "mcpkg"],
        &["convert", ECHO, ECHO, "--to", "tools-json"],
        &["convert", ECHO, "--to", "tools-json", "--accept", "all"],
        &["convert", ECHO, "--to", "tools-json", "--residue", "r", "--no-residue"],
        &["convert", ECHO, "--to", "tools-json", "--residue-of", "r", "--in-band"],
        &["completions", "csh"],
    ] {
        assert_eq!(run(arguments).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn completions_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("tools-json"), "{shell}");
    }
}
