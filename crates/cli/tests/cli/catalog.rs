use crate::program::{Folder, json, run, run_with_input, workspace};

const BASE: &str = "examples/catalogs/manifest.base.json";
const COUNT: &str = "examples/manifests/count.capability.json";

#[test]
fn examples_are_valid() {
    for file in [BASE, COUNT] {
        let ran = run(&["validate", "--profile", "strict", file]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.out.contains("(capability 0.1)"), "{}", ran.out);
    }
}

#[test]
fn add_list_remove() {
    let folder = Folder::new("catalog-add");
    let local = folder.path("manifest.local.json");
    let layers = ["--base", BASE, "--local", &local];
    let with = |verb: &[&str]| run(&[&["catalog"], verb, &layers].concat());

    let ran = with(&["add", COUNT]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "added \"files.count\"\n"));
    let ran = with(&["list"]);
    assert_eq!(
        ran.out,
        "demo.echo    1.0.0  verified  base\n\
         files.count  0.2.0  local  local\n\
         mail.send    1.0.0  verified  base\n"
    );
    // What was shipped is switched off in the local catalog, and nowhere else.
    let shipped = workspace(BASE);
    let ran = with(&["remove", "demo.echo"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(workspace(BASE), shipped);
    let ran = with(&["list", "--format", "json"]);
    let first = json(ran.out.lines().next().unwrap());
    assert_eq!(first["id"], "demo.echo");
    assert_eq!((first["enabled"].as_bool(), &first["layer"]), (Some(false), &"local".into()));

    let ran = with(&["remove", "files.count"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(with(&["remove", "files.count"]).code, Some(1));
    let entries = json(&folder.read("manifest.local.json"));
    assert_eq!(entries["capabilities"].as_array().unwrap().len(), 1);
    assert_eq!(folder.names(), ["manifest.local.json"]);
}

#[test]
fn merge_keeps_order_and_says_what_is_bold() {
    let folder = Folder::new("catalog-merge");
    let mut over = json(&workspace(BASE))["capabilities"][0].clone();
    over["trust_level"] = "local".into();
    over["version"] = "0.9.0".into();
    let local = serde_json::json!({"capabilities": [json(&workspace(COUNT)), over]});
    let local = folder.write("local.json", local.to_string());
    let ran = run(&["catalog", "merge", "--base", BASE, "--local", &local]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let merged = json(&ran.out);
    let ids: Vec<_> =
        merged["capabilities"].as_array().unwrap().iter().map(|entry| &entry["id"]).collect();
    assert_eq!(ids, ["demo.echo", "mail.send", "files.count"]);
    assert_eq!(merged["capabilities"][0]["version"], "0.9.0");
    for code in ["capability/override-trust", "capability/override-version"] {
        assert!(ran.err.contains(code), "{}", ran.err);
    }
}

#[test]
fn a_bad_entry_is_left_out_or_spoils_all() {
    let folder = Folder::new("catalog-bad");
    let good = workspace(COUNT);
    let file = folder.write("base.json", format!(r#"{{"capabilities":[{{"id":"x"}},{good}]}}"#));
    // What is left out shows in the exit code.
    let ran = run(&["catalog", "list", "--base", &file]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 1));
    assert!(ran.err.contains("json/required"), "{}", ran.err);
    let ran = run(&["catalog", "merge", "--base", &file]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(json(&ran.out)["capabilities"].as_array().unwrap().len(), 1);
    // The local catalog is written: it must not lose what is only broken.
    let local = workspace(BASE).replacen("\"id\"", "\"idd\"", 1);
    let file = folder.write("local.json", &local);
    let ran = run(&["catalog", "add", COUNT, "--local", &file]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("would lose them"), "{}", ran.err);
    assert_eq!(folder.read("local.json"), local);
    let file = folder.path("base.json");
    let ran = run(&["catalog", "list", "--base", &file, "--fail-all"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
}

#[test]
fn strangers_are_not_added_unless_allowed() {
    let folder = Folder::new("catalog-trust");
    let local = folder.path("local.json");
    let stranger =
        workspace(COUNT).replace("\"trust_level\": \"local\"", "\"trust_level\": \"community\"");
    let add = |more: &[&str]| {
        let arguments = [&["catalog", "add", "-", "--local", &local], more].concat();
        run_with_input(&arguments, stranger.as_bytes())
    };
    let ran = add(&[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("trust_level not allowed by policy: community"), "{}", ran.err);
    assert!(folder.names().is_empty());
    assert_eq!(add(&["--allow", "community"]).code, Some(0));
}

/// Secrets are refused, and not shown.
#[test]
fn secrets_are_not_added() {
    let folder = Folder::new("catalog-secret");
    let local = folder.path("local.json");
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let text = workspace(COUNT).replace("Counts files.", token);
    let ran = run_with_input(&["catalog", "add", "-", "--local", &local], text.as_bytes());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("capability/secret-value") && !ran.err.contains(token), "{}", ran.err);
}

#[test]
fn resolve_ranks() {
    let folder = Folder::new("catalog-resolve");
    let registry = folder.write("registry.json", format!("[{}]", workspace(COUNT)));
    let arguments = ["catalog", "resolve", "s", "--base", BASE, "--registry", &registry];
    let ran = run(&arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<_> = ran.out.lines().collect();
    assert!(lines[0].contains("mail.send@1.0.0:catalog:"), "{}", ran.out);
    assert!(lines[2].contains("files.count@0.2.0:static:") && lines[2].ends_with("not installed"));
    assert_eq!(run(&["catalog", "resolve", "nothing like it", "--base", BASE]).code, Some(1));
}

/// A catalog is a document like any other: it converts, and comes back.
#[test]
fn catalogs_convert() {
    let folder = Folder::new("catalog-convert");
    let (tools, residue) = (folder.path("tools.json"), folder.path("residue.json"));
    let ran = run(&["convert", BASE, "--to", "tools-json", "-o", &tools, "--residue", &residue]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(json(&folder.read("tools.json"))["tools"].as_array().unwrap().len(), 2);
    let ran = run(&["restore", &tools, "--to", "capability", "--residue", &residue]);
    assert_eq!(ran.out, workspace(BASE), "{}", ran.err);
}
