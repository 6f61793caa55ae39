use crate::program::{ECHO, Folder, TIME, json, run, run_with_input, workspace};

#[test]
fn the_first_command_of_the_readme() {
    let ran = run(&["convert", ECHO, "--to", "tools-json"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(json(&ran.out)["tools"][0]["name"], "demo.echo");
    assert_eq!(ran.err, include_str!("convert_echo.stderr"));
}

#[test]
fn several_tools() {
    let ran = run(&["convert", TIME, "--to", "mcpkg"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.err, include_str!("convert_time.stderr"));
}

#[test]
fn quiet_says_nothing() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--quiet"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.err, "");
}

#[test]
fn a_long_account_is_cut_unless_asked() {
    let members: Vec<_> = (0..30).map(|i| format!("\"x-{i}\": {i}")).collect();
    let text = workspace(ECHO).replacen('{', &format!("{{ {},", members.join(",")), 1);
    let ran = run_with_input(&["convert", "-", "--to", "tools-json"], text.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.lines().count() <= 20, "{}", ran.err);
    assert!(ran.err.contains("\n  … and 32 more (--verbose shows all)\n"), "{}", ran.err);
    let ran = run_with_input(&["convert", "-", "--to", "tools-json", "-v"], text.as_bytes());
    assert!(ran.err.contains("\n  x-29 "), "{}", ran.err);
    assert!(!ran.err.contains("--verbose"), "{}", ran.err);
}

#[test]
fn the_same_format_is_the_same_bytes() {
    let odd = "{ \"tools\":[\r\n{\"name\": \"a\",\t\"timeoutSec\": 10, \
               \"x\": 1e1, \"command\":[\"./tools/bin/a\"] } ] }\n\n";
    let ran = run_with_input(&["convert", "-", "--to", "tools-json"], odd.as_bytes());
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, odd);
}

#[test]
fn an_invalid_source() {
    let ran =
        run_with_input(&["convert", "-", "--to", "mcpkg"], br#"{"tools": [{"command": []}]}"#);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("error[tools-json/"), "{}", ran.err);
    assert!(ran.err.contains("\n --> <stdin>:1:"), "{}", ran.err);
    assert!(ran.err.contains("1 | {\"tools\": [{\"command\": []}]}"), "{}", ran.err);
}

#[test]
fn a_source_that_is_not_json() {
    let ran = run_with_input(&["convert", "-", "--to", "mcpkg"], b"{'tools': []}");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[json/syntax]: "), "{}", ran.err);
}

#[test]
fn strict_refuses_to_assume() {
    let folder = Folder::new("strict");
    let target = folder.path("tools.json");
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--strict", "-o", &target]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("error[convert/assumed]: "), "{}", ran.err);
    assert!(ran.err.contains("\n --> /tools/0/command/0\n"), "{}", ran.err);
    assert!(folder.names().is_empty());
}

#[test]
fn the_bridge_program_is_an_option() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--bridge", "/opt/bridge"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(json(&ran.out)["tools"][0]["command"][0], "/opt/bridge");
}

#[test]
fn files_are_written() {
    let folder = Folder::new("convert-files");
    let (target, residue) = (folder.path("t.json"), folder.path("r.json"));
    let report = folder.path("report.json");
    let ran = run(&[
        "convert",
        ECHO,
        "--to",
        "tools-json",
        "-o",
        &target,
        "--residue",
        &residue,
        "--report",
        &report,
    ]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(ran.out, "");
    let hint =
        format!("\nTo come back: toolglot restore {target} --to mcpkg --residue {residue}\n");
    assert!(ran.err.ends_with(&hint), "{}", ran.err);
    assert_eq!(folder.names(), ["r.json", "report.json", "t.json"]);
    assert_eq!(json(&folder.read("t.json"))["tools"][0]["name"], "demo.echo");
    assert_eq!(json(&folder.read("r.json"))["source"]["text"], workspace(ECHO));

    let report = json(&folder.read("report.json"));
    let members: Vec<_> = report.as_object().unwrap().keys().collect();
    assert_eq!(members, ["assumed", "entries", "from", "residue_entries", "score", "to"]);
    assert_eq!(report["from"], "mcpkg");
    assert_eq!(report["score"]["values"], report["entries"].as_array().unwrap().len());
    assert_eq!(report["entries"][0]["class"], "native");
    assert_eq!(report["assumed"][0]["target"], "/tools/0/command/0");
    let entries = report["residue_entries"].as_array().unwrap();
    let title = entries.iter().find(|entry| entry["at"] == "/title").unwrap();
    assert_eq!(title["tool"], "demo.echo");
    assert_eq!(title["value"], "Echo Tool");
}

#[test]
fn two_outputs_need_two_places() {
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", "x", "--residue", "x"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "error: two outputs would go to x\n");
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--report", "-"]);
    assert_eq!(ran.code, Some(2));
    let ran = run(&["convert", ECHO, "--to", "tools-json", "--report", "-", "-o", "/no/such/x"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("error: cannot write /no/such/x: "), "{}", ran.err);
}
