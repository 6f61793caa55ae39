use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

#[test]
fn a_valid_file() {
    let ran = run(&["validate", TIME]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out, "examples/manifests/get_time.tools.json: valid (tools-json)\n");
    assert_eq!(ran.err, "");
}

#[test]
fn warnings_do_not_make_a_file_invalid_unless_asked() {
    let ran = run(&["validate", ECHO]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "examples/manifests/echo.mcpkg.json: valid (mcpkg 0.1), 1 warning, 2 infos\n"
    );
    assert!(ran.err.starts_with("warning[mcpkg/"), "{}", ran.err);
    let ran = run(&["validate", "--profile", "strict", ECHO]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        "examples/manifests/echo.mcpkg.json: invalid (mcpkg 0.1), 1 error, 2 infos\n"
    );
}

#[test]
fn the_place_and_the_hint() {
    let text =
        workspace(TIME).replace("\"envPassthrough\": [\"TZ\"]", "\"envPasthrough\": [\"TZ\"]");
    let ran = run_with_input(&["validate", "-"], text.as_bytes());
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.out, "<stdin>: valid (tools-json), 1 warning\n");
    assert_eq!(
        ran.err,
        r#"warning[json/unknown-member]: "envPasthrough" is not a member that the specification names
 --> <stdin>:16:7, at /tools/0/envPasthrough
   |
16 |       "envPasthrough": ["TZ"]
   |       ^^^^^^^^^^^^^^^
help: did you mean "envPassthrough"?

"#
    );
}

#[test]
fn for_programs() {
    let text = br#"{"tools": [{"name": "a", "command": ["./tools/bin/a"], "timeoutSec": "5"}]}"#;
    let ran = run_with_input(&["validate", "--format", "json", "-"], text);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        ran.out,
        concat!(
            r#"{"file":"<stdin>","format":"tools-json","version":null,"valid":false,"diagnostics":["#,
            r#"{"code":"json/type","severity":"error","pointer":"/tools/0/timeoutSec","line":1,"#,
            r#""column":70,"message":"expected an integer, found a string","#,
            r#""help":"write a number without quotation marks"}]}"#,
            "\n",
        )
    );
    assert_eq!(ran.err, "");
}

#[test]
fn one_line_for_each_file() {
    let ran = run(&["validate", "--format", "json", ECHO, TIME]);
    assert_eq!(ran.code, Some(0));
    let files: Vec<_> = ran.out.lines().map(|line| json(line)["file"].clone()).collect();
    assert_eq!(files, [ECHO, TIME]);
}

#[test]
fn a_syntax_error_is_a_diagnostic_like_others() {
    let ran = run_with_input(&["validate", "--format", "json", "-"], b"{\n  \"tools\": [,]\n}");
    assert_eq!(ran.code, Some(1));
    let found = json(&ran.out);
    assert_eq!(found["format"], json("null"));
    assert_eq!(found["valid"], json("false"));
    assert_eq!(found["diagnostics"][0]["code"], "json/syntax");
    assert_eq!(found["diagnostics"][0]["line"], 2);
    assert_eq!(found["diagnostics"][0]["column"], 13);
}

#[test]
fn bytes_that_are_not_text_have_a_place() {
    let ran = run_with_input(&["validate", "--format", "json", "-"], b"{\n  \"\xff\": 1\n}");
    assert_eq!(ran.code, Some(1));
    let found = json(&ran.out);
    assert_eq!(found["diagnostics"][0]["code"], "json/encoding");
    assert_eq!(found["diagnostics"][0]["line"], 2);
    assert_eq!(found["diagnostics"][0]["column"], 4);
}

#[test]
fn a_format_that_does_not_show() {
    let ran = run_with_input(&["validate", "-"], b"{}");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "<stdin>: invalid, 1 error\n");
    assert!(ran.err.contains("error[cli/unknown-format]"), "{}", ran.err);
    let ran = run_with_input(&["validate", "--format", "json", "-"], b"{}");
    assert_eq!(json(&ran.out)["diagnostics"][0]["code"], "cli/unknown-format");
    let ran = run_with_input(&["validate", "--from", "mcpkg", "-"], b"{}");
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.starts_with("<stdin>: invalid (mcpkg), "), "{}", ran.out);
    assert!(ran.err.contains("the member \"toolId\" is missing"), "{}", ran.err);
}

#[test]
fn no_more_diagnostics_than_the_limit() {
    let tools = vec!["{\"command\": [\"./tools/bin/a\"]}"; 150].join(",");
    let text = format!("{{\"tools\": [{tools}]}}");
    let ran = run_with_input(&["validate", "--format", "json", "-"], text.as_bytes());
    let found = json(&ran.out);
    assert_eq!(found["diagnostics"].as_array().unwrap().len(), 100);
    assert_eq!(found["left_out"], 50);
    let ran = run_with_input(&["validate", "-"], text.as_bytes());
    assert!(ran.err.ends_with("\n… and 50 more\n\n"), "{}", ran.err);
    assert_eq!(ran.out, "<stdin>: invalid (tools-json), 100 errors, 50 more\n");
}

/// The same advice again and again is counted.
#[test]
fn advice_that_repeats_is_counted() {
    let folder = Folder::new("repeated-advice");
    let tool = |index: usize| {
        format!(
            r#"{{"name": "t{index}", "description": "X.", "command": ["./tools/bin/x"], "odd": 1}}"#
        )
    };
    let tools: Vec<String> = (0..40).map(tool).collect();
    let file = folder.write("tools.json", format!(r#"{{"tools": [{}]}}"#, tools.join(",")));
    let ran = run(&["validate", &file]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.err.matches("warning[json/unknown-member]").count(), 3, "{}", ran.err);
    assert!(ran.err.contains("… and 37 more of json/unknown-member"), "{}", ran.err);
    let ran = run(&["validate", "--format", "json", &file]);
    assert_eq!(ran.out.matches("json/unknown-member").count(), 40);
}

/// What has one obvious correction is corrected in the file, and nothing else is touched.
#[test]
fn obvious_mistakes_are_corrected() {
    let folder = Folder::new("fix");
    let made = |before: &str, after: &str, arguments: &[&str]| {
        folder.write("a.json", before);
        let file = folder.path("a.json");
        let ran = run(&[&["validate", "--fix"], arguments, &[file.as_str()]].concat());
        assert_eq!(folder.read("a.json"), after, "{}", ran.err);
        let again = run(&[&["validate", "--fix"], arguments, &[file.as_str()]].concat());
        assert!(!again.err.contains("correction"), "{}", again.err);
        ran
    };
    // A name that no format knows, and one of a member below it.
    let ran = made(
        r#"{ "tool": [{"name": "a", "comand": ["./tools/bin/a"], "x": 1}] }"#,
        r#"{ "tools": [{"name": "a", "command": ["./tools/bin/a"], "x": 1}] }"#,
        &[],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("2 corrections made"), "{}", ran.err);
    // A word, a version of the tool, and one of the specification.
    let notes = workspace("examples/manifests/notes.install.json");
    let broken = notes.replacen("\"side_effects\": \"read\"", "\"side_effects\": \"raed\"", 1);
    assert_ne!(broken, notes);
    made(&broken, &notes, &[]);
    made(&notes.replacen("\"0.4\"", "\"v0.4\"", 1), &notes, &["--from", "install-manifest"]);
    let echo = workspace(ECHO);
    made(&echo.replacen("\"0.1.0\"", "\"v0.1\"", 1), &echo, &[]);
    // The name that is meant is there already: nobody knows which of the two to keep.
    let twins = r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"], "comand": ["b"]}]}"#;
    made(twins, twins, &[]);
    // Standard input is no file.
    let ran = run_with_input(&["validate", "--fix", "-"], echo.as_bytes());
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn files_of_other_kinds_are_passed_over_when_asked() {
    let folder = Folder::new("known-only");
    folder.write("package.json", r#"{"name": "x", "private": true, "scripts": {}}"#);
    folder.write("tools.json", r#"{"tools": []}"#);
    let files = [folder.path("package.json"), folder.path("tools.json")];
    for verb in ["validate", "lint"] {
        assert_eq!(run(&[verb, &files[0], &files[1]]).code, Some(1));
        let ran = run(&[verb, "--known-only", &files[0], &files[1]]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(!ran.out.contains("package.json"), "{}", ran.out);
        assert_eq!(run(&[verb, "--known-only", &files[0]]).code, Some(0));
    }
}

/// A program that is absolute on Windows is so for those who use the manifest there.
#[test]
fn the_platform_decides_what_is_absolute() {
    let folder = Folder::new("platform");
    let text = r#"{"tools": [{"name": "a", "command": ["C:\\tools\\a.exe"]}]}"#;
    let file = folder.write("tools.json", text);
    assert_eq!(run(&["validate", &file]).code, Some(1));
    assert_eq!(run(&["validate", "--platform", "windows", &file]).code, Some(0));
    folder.write("tools.json", text.replace(r"C:\\tools\\a.exe", "/opt/a"));
    assert_eq!(run(&["validate", &file]).code, Some(0));
    assert_eq!(run(&["validate", "--platform", "windows", &file]).code, Some(1));
}
