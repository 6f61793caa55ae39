use crate::program::{ECHO, Folder, Ran, command, json, run};

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

/// The completions know every verb that there is.
#[test]
fn every_verb_is_in_one_group() {
    let completions = run(&["completions", "fish"]).out;
    let at_the_start = r#"complete -c toolglot -n "__fish_toolglot_needs_command" -f -a ""#;
    let lines = completions.lines().filter_map(|line| line.strip_prefix(at_the_start));
    let mut verbs: Vec<&str> = lines.filter_map(|line| line.split('"').next()).collect();
    let help = run(&["--help"]).out;
    let groups = help.split("\n\nOptions:").next().unwrap().lines();
    let mut grouped: Vec<&str> =
        groups.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    verbs.sort_unstable();
    grouped.sort_unstable();
    assert!(verbs.len() > 20, "{completions}");
    assert_eq!(grouped, verbs);
}

#[test]
fn completions_for_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.out.contains("tools-json"), "{shell}");
    }
}

/// What is kept on this machine is told, and deleted when somebody says so.
#[test]
fn what_is_kept_can_be_forgotten() {
    let folder = Folder::new("kept");
    let with = |arguments: &[&str]| -> Ran {
        let mut command = command(arguments);
        for name in ["XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] {
            command.env(name, folder.path(name));
        }
        command.output().unwrap().into()
    };
    let kept = [
        ("approvals", "XDG_STATE_HOME/toolglot/approvals.json"),
        ("keys", "XDG_STATE_HOME/toolglot/trusted-keys"),
        ("calls", "XDG_STATE_HOME/toolglot/calls.jsonl"),
        ("calls", "XDG_STATE_HOME/toolglot/calls.1.jsonl"),
        ("token", "XDG_STATE_HOME/toolglot/serve.token"),
        ("versions", "XDG_STATE_HOME/toolglot/versions.jsonl"),
        ("store", "XDG_DATA_HOME/toolglot/sources/0.json"),
        ("tools", "XDG_DATA_HOME/toolglot/tools/a/record.json"),
        ("capabilities", "XDG_DATA_HOME/toolglot/capabilities/manifest.local.json"),
        ("cache", "XDG_CACHE_HOME/toolglot/registry/0.json"),
    ];
    for (_, file) in kept {
        folder.write(file, "{}\n");
    }
    assert_eq!(with(&["where"]).out.matches("(3 bytes)").count(), kept.len());
    for (what, file) in kept {
        assert_eq!(
            with(&["forget", what]).code.is_some_and(|code| code == 3),
            there(&folder, file)
        );
        assert_eq!(with(&["forget", what, "--yes"]).code, Some(0));
        assert!(!there(&folder, file), "{file}");
    }
    assert_eq!(with(&["where"]).out.matches("(nothing)").count(), 9);
}

fn there(folder: &Folder, file: &str) -> bool {
    std::path::Path::new(&folder.path(file)).exists()
}

#[test]
fn the_manual_has_a_page_for_each_verb() {
    let folder = Folder::new("man");
    assert_eq!(run(&["man", "-o", &folder.path("")]).code, Some(0));
    let pages = folder.names();
    assert!(pages.contains(&"toolglot.1".to_owned()), "{pages:?}");
    assert!(folder.read("toolglot-call.1").contains(".TH toolglot-call 1"), "{pages:?}");
}

#[test]
fn limits_are_set_by_name() {
    let folder = Folder::new("limits");
    let tool = |index| {
        format!(
            r#"{{"name": "t{index}", "description": "{}", "command": ["./tools/bin/x"]}}"#,
            "x".repeat(900)
        )
    };
    let tools: Vec<String> = (0..1500).map(tool).collect();
    let file = folder.write("big.json", format!(r#"{{"tools": [{}]}}"#, tools.join(",")));
    let ran = run(&["validate", &file]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("--max document-bytes") && ran.err.contains("--jsonl"), "{}", ran.err);
    assert_eq!(run(&["validate", "--max", "document-bytes=8M", &file]).code, Some(0));
    let ran = run(&["validate", "--max", "documents=8M", &file]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no limit \"documents\""), "{}", ran.err);
    let ran = run(&["validate", "--max", "document_byte=8M", &file]);
    assert!(ran.err.contains("did you mean document_bytes?"), "{}", ran.err);
}

/// Converted manifests whose source is gone are found.
#[test]
fn a_doctor_sees_stale_bridges() {
    let folder = Folder::new("doctor");
    let out = folder.path("out/");
    let ran = run(&["convert", crate::program::ECHO, "--to", "tools-json", "-o", &out]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let with = |place: &str| -> Ran {
        command(&["doctor", place])
            .env("XDG_DATA_HOME", folder.path("data"))
            .output()
            .unwrap()
            .into()
    };
    let ran = with(&out);
    assert!(ran.out.contains("\"demo.echo\" is called in"), "{}", ran.out);
    std::fs::remove_dir_all(folder.path("out/.toolglot")).unwrap();
    let ran = with(&out);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.lines().any(|line| line.starts_with("wrong") && line.contains("demo.echo")),
        "{}",
        ran.out
    );
}

/// Who ends the program while it writes finds nothing half written.
#[cfg(unix)]
#[test]
fn interrupted_work_leaves_nothing_behind() {
    use std::io::Write;
    let folder = Folder::new("interrupted");
    let out = folder.path("out.jsonl");
    let mut child =
        command(&["convert", "--jsonl", "-", "--from", "tools-json", "--to", "mcpkg", "-o", &out])
            .stdin(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let entry = r#"{"tools": [{"name": "x", "description": "X.", "command": ["./tools/bin/x"]}]}"#;
    writeln!(stdin, "{entry}").unwrap();
    stdin.flush().unwrap();
    let started = std::time::Instant::now();
    while folder.names().is_empty() && started.elapsed().as_secs() < 20 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(!folder.names().is_empty(), "it writes beside the file");
    let killed =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let ended = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&ended), Some(2), "{ended:?}");
    assert_eq!(folder.names(), Vec::<String>::new());
}
