use crate::program::{ECHO, TIME, json, run, run_with_input, workspace};

const RESULTS: &[u8] = br#"{"results": [], "total": 0, "page": 1, "pageSize": 20}"#;

#[test]
fn the_format_and_the_evidence() {
    let ran = run(&["detect", ECHO, TIME]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "\
examples/manifests/echo.mcpkg.json: mcpkg 0.1, because `toolId` is a string
examples/manifests/get_time.tools.json: tools-json, because `tools` is an array, and each of its \
elements has a `command`
"
    );
    assert_eq!(ran.err, "");
}

#[test]
fn for_programs() {
    let ran = run(&["detect", "--format", "json", ECHO]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        ran.out,
        "{\"file\":\"examples/manifests/echo.mcpkg.json\",\"format\":\"mcpkg\",\"version\":\"0.1\",\
         \"evidence\":[\"`toolId` is a string\"],\"diagnostics\":[]}\n"
    );
}

#[test]
fn a_look_alike_is_refused_by_name() {
    let ran = run_with_input(&["detect", "-"], RESULTS);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "<stdin>: not known\n");
    assert_eq!(
        ran.err,
        "\
error[cli/unknown-format]: this is a page of search results of a Jumith registry, which is not a \
format of toolglot
 --> <stdin>
help: the formats of this toolglot are tools-json, mcpkg, jumith, capability, install-manifest, mcpb, \
server-json, tool-list

"
    );
    let ran = run_with_input(&["detect", "--format", "json", "-"], RESULTS);
    assert_eq!(ran.code, Some(1));
    let found = json(&ran.out);
    assert_eq!(found["format"], json("null"));
    assert_eq!(found["diagnostics"][0]["code"], "cli/unknown-format");
    assert_eq!(found["diagnostics"][0]["line"], json("null"));
}

#[test]
fn what_is_not_json() {
    let ran = run_with_input(&["detect", "-"], b"tools:\n  - name: x\n");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("error[json/syntax]"), "{}", ran.err);
    assert!(ran.err.contains(" --> <stdin>:1:1\n"), "{}", ran.err);
}

#[test]
fn one_of_many() {
    let ran = run(&["detect", ECHO, "Cargo.toml", "no/such/file"]);
    assert_eq!(ran.code, Some(2), "the worst of all");
    assert!(ran.out.contains("Cargo.toml: not known\n"), "{}", ran.out);
    assert!(ran.err.contains("error: cannot read no/such/file: "), "{}", ran.err);
}

#[test]
fn a_misspelt_name_is_told() {
    let text = workspace(ECHO).replace("\"toolId\"", "\"tooolId\"");
    let ran = run_with_input(&["validate", "-"], text.as_bytes());
    assert_eq!(ran.code, Some(1));
    let said = "this is probably meant to be mcpkg, where `tooolId` is `toolId`";
    assert!(ran.err.contains(said), "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("help: `toolglot validate --from mcpkg` says all that is wrong"),
        "{}",
        ran.err
    );
}
