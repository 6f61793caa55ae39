//! Every tool of some files and folders.

use std::fs;
use std::path::{Path, PathBuf};

use toolglot::FORMATS;
use toolglot::core::sha256_hex;
use toolglot::providers::Revision;
use toolglot_gateway::Catalogue;

use crate::support::{folder, install, jumith, tools_json, write};

fn load(places: &[&Path]) -> Catalogue {
    let places: Vec<PathBuf> = places.iter().map(PathBuf::from).collect();
    Catalogue::load(&places, FORMATS)
}

fn names(catalogue: &Catalogue) -> Vec<&str> {
    catalogue.tools().map(|tool| tool.name()).collect()
}

#[test]
fn every_tool_of_every_manifest_is_there() {
    let top = folder("catalogue-all");
    write(&top.join("deep/er/notes.json"), &install("find", "read"));
    write(&top.join("tools.json"), &tools_json("get_time"));
    write(&top.join("package.json"), r#"{"name": "x", "version": "1.0.0"}"#);
    write(&top.join(".hidden/tools.json"), &tools_json("hidden"));
    write(&top.join("node_modules/a/tools.json"), &tools_json("foreign"));
    let catalogue = load(&[&top]);
    assert_eq!(names(&catalogue), ["get_time", "notes.find"]);
    assert_eq!(catalogue.skipped(), []);
    let tool = catalogue.tool("notes.find").unwrap();
    assert_eq!(tool.manifest().digest(), sha256_hex(install("find", "read").as_bytes()));
    assert_eq!(tool.manifest().folder(), top.join("deep/er"));
    // A folder through a link is not looked into; a file that is named twice is there once.
    let other = folder("catalogue-link");
    std::os::unix::fs::symlink(&top, other.join("link")).unwrap();
    assert!(names(&load(&[&other])).is_empty());
    assert_eq!(names(&load(&[&top, &top.join("tools.json")])).len(), 2);
}

/// Hints of MCP: what is not said to be harmless is not hinted to be.
#[test]
fn annotations_are_never_safer_than_the_source() {
    let hints = |effects: &str| {
        let top = folder(&format!("catalogue-{effects}"));
        write(&top.join("notes.json"), &install("find", effects));
        let catalogue = load(&[&top]);
        let face = catalogue.tool("notes.find").unwrap().mcp_view(Revision::R20251125).unwrap();
        let hints = face.json["annotations"].as_object().unwrap();
        (hints["readOnlyHint"].as_bool().unwrap(), hints["destructiveHint"].as_bool().unwrap())
    };
    assert_eq!(hints("read"), (true, false));
    assert_eq!(hints("write"), (false, false));
    assert_eq!(hints("destructive"), (false, true));
    let top = folder("catalogue-unknown");
    write(&top.join("tools.json"), &tools_json("get_time"));
    let catalogue = load(&[&top]);
    let face = catalogue.tool("get_time").unwrap().mcp_view(Revision::R20260728).unwrap();
    assert_eq!(face.json["annotations"]["readOnlyHint"], false);
    assert_eq!(face.json["annotations"]["destructiveHint"], true);
}

#[test]
fn properties_keep_their_order() {
    let top = folder("catalogue-order");
    write(&top.join("notes.json"), &install("find", "read"));
    let catalogue = load(&[&top]);
    let face = catalogue.tool("notes.find").unwrap().mcp_view(Revision::R20251125).unwrap();
    let properties = face.json["inputSchema"]["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["query", "limit"]);
}

#[test]
fn a_broken_manifest_is_left_out_and_said_so() {
    let top = folder("catalogue-broken");
    write(&top.join("a.json"), "{");
    write(&top.join("b.json"), &install("find", "perhaps"));
    write(&top.join("c.json"), &tools_json("get_time"));
    let catalogue = load(&[&top, &top.join("missing.json")]);
    assert_eq!(names(&catalogue), ["get_time"]);
    let files: Vec<_> = catalogue.skipped().iter().map(|left| left.file.as_str()).collect();
    let at = |name: &str| top.join(name).to_str().unwrap().to_owned();
    assert_eq!(files, [at("missing.json"), at("a.json"), at("b.json")]);
    // Other files are passed over in a folder; one that was named is not.
    write(&top.join("d.json"), "[1, 2]");
    assert_eq!(load(&[&top]).skipped().len(), 2);
    assert_eq!(load(&[&top.join("d.json")]).skipped().len(), 1);
}

#[test]
fn of_two_tools_with_one_name_none_is_served() {
    let top = folder("catalogue-clash");
    write(&top.join("a.json"), &tools_json("get_time"));
    write(&top.join("b.json"), &tools_json("get_time"));
    write(&top.join("c.json"), &tools_json("other"));
    let catalogue = load(&[&top]);
    assert_eq!(names(&catalogue), ["other"]);
    let [a, b] = catalogue.skipped() else { panic!("{:?}", catalogue.skipped()) };
    assert!(a.file.ends_with("a.json") && a.why.contains("b.json"), "{a}");
    assert!(b.file.ends_with("b.json") && b.why.contains("a.json"), "{b}");
    fs::remove_file(top.join("b.json")).unwrap();
    assert_eq!(names(&catalogue.reload().unwrap()), ["get_time", "other"]);
}

/// Registries keep all versions of a tool; the latest is the tool.
#[test]
fn the_latest_version_of_a_tool_in_a_registry_is_served() {
    let top = folder("catalogue-versions");
    for version in ["1.9.0", "1.10.0", "1.2.0"] {
        write(&top.join("math.add").join(version).join("manifest.json"), &jumith(version));
        write(&top.join("math.add").join(version).join("files/index.mjs"), "");
        write(&top.join("math.add").join(version).join("files/tools.json"), &tools_json("no"));
    }
    let catalogue = load(&[&top]);
    let [tool] = catalogue.tools().collect::<Vec<_>>()[..] else { panic!("one tool") };
    assert_eq!((tool.id(), tool.version()), ("tool:math.add", Some("1.10.0")));
    assert_eq!(tool.manifest().folder(), top.join("math.add/1.10.0/files"));
    assert_eq!(catalogue.tool_by_id_or_name("tool:math.add").unwrap().name(), tool.name());
    // A copy elsewhere is not a version of it.
    write(&top.join("copy/manifest.json"), &jumith("1.11.0"));
    assert!(names(&load(&[&top])).is_empty());
}

#[test]
fn what_cannot_be_called_is_left_out() {
    let top = folder("catalogue-off");
    let example = "/../../examples/manifests/count.capability.json";
    let on = fs::read_to_string(format!("{}{example}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    write(&top.join("a.json"), &on);
    assert_eq!(names(&load(&[&top])), ["files.count"]);
    let off = on.replacen(r#""type": "tool","#, r#""type": "tool", "enabled": false,"#, 1);
    write(&top.join("a.json"), &off);
    let catalogue = load(&[&top]);
    assert!(names(&catalogue).is_empty());
    let [left] = catalogue.skipped() else { panic!("{:?}", catalogue.skipped()) };
    assert!(left.tool.is_some() && left.why.contains("switched off"), "{left}");
}

#[test]
fn changes_are_seen() {
    let top = folder("catalogue-changes");
    write(&top.join("a.json"), &tools_json("one"));
    let first = load(&[&top]);
    assert!(first.reload().is_none());
    // The same text again is a change of the file, and none of the tools.
    write(&top.join("b.json"), &tools_json("one"));
    fs::rename(top.join("b.json"), top.join("a.json")).unwrap();
    let second = first.reload().unwrap();
    assert!(second.has_same_tools(&first));
    write(&top.join("a.json"), &tools_json("two"));
    let third = second.reload().unwrap();
    assert_eq!(names(&third), ["two"]);
    assert!(!third.has_same_tools(&second));
}
