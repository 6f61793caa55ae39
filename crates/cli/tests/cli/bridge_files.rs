//! The files that a conversion needs, as the library lists them and as the program writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use toolglot::convert::FileKind;
use toolglot::json::Document;
use toolglot::{AcceptedLoss, FileOptions, FormatName, Limits, Options, convert};

use crate::program::{ECHO, Folder, TIME, run};

/// The content of each file below a folder, and whether it is executable.
fn content(folder: &Path) -> BTreeMap<String, (Vec<u8>, bool)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            let mode = path.metadata().unwrap().permissions().mode();
            found.insert(name, (fs::read(&path).unwrap(), mode & 0o111 != 0));
        }
    }
    found
}

/// For each two formats, the first valid fixture whose tools call the bridge.
#[test]
fn the_program_writes_the_files_of_the_library() {
    let options = Options { accept: AcceptedLoss::ALL.into(), ..Options::default() };
    let mut pairs = BTreeSet::new();
    for from in FormatName::ALL.iter().copied() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = root.join(format!("tests/fixtures/{from}/valid"));
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut fixtures: Vec<_> =
            entries.filter(|path| path.extension() == Some("json".as_ref())).collect();
        fixtures.sort();
        for (fixture, to) in fixtures.iter().flat_map(|fixture| {
            FormatName::ALL.iter().map(move |to| (fixture, *to)).filter(|(_, to)| *to != from)
        }) {
            let text = fs::read_to_string(fixture).unwrap();
            let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let conversion = convert(&source, from, to, &options).unwrap();
            let files = conversion.files(&FileOptions::default());
            let bridged = files.files.iter().any(|file| file.kind == FileKind::Source);
            if !bridged || !pairs.insert((from, to)) {
                continue;
            }
            let out = Folder::new(&format!("files-{from}-{to}"));
            let (file, folder) = (fixture.to_str().unwrap(), out.path(""));
            let mut arguments = vec!["convert", file, "--from", from.as_str(), "--to", to.as_str()];
            arguments.extend(["-o", &folder, "-q", "--no-residue"]);
            arguments.extend(["--accept", "disabled", "--accept", "approval"]);
            arguments.extend(["--accept", "version"]);
            let ran = run(&arguments);
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.err);
            let listed: BTreeMap<String, (Vec<u8>, bool)> = files
                .files
                .iter()
                .map(|file| (file.path.to_string(), (file.bytes.to_vec(), file.is_executable)))
                .collect();
            let mut written = content(Path::new(&folder));
            for copy in &files.copies {
                let beside = fixture.with_file_name(&copy.from);
                let copied = written.remove(&copy.to).map(|(bytes, _)| bytes);
                assert_eq!(copied, fs::read(beside).ok(), "{}", copy.to);
            }
            assert_eq!(written, listed, "{file} to {to}");
        }
    }
    // tools.json, MCPKG, Jumith, install manifests, MCP bundles and lists of tools have bridges.
    let targets: BTreeSet<FormatName> = pairs.iter().map(|(_, to)| *to).collect();
    assert_eq!(targets.len(), 6, "{pairs:?}");
}

/// The launcher of an earlier version, byte for byte.
const LAUNCHER: &str = "\
#!/bin/sh
# Makes the call of the source that a converted tool stands for.
exec toolglot bridge --folder \"$(dirname \"$0\")/../..\" \"$@\"
";

#[test]
fn the_launcher_is_that_of_an_earlier_version() {
    let folder = Folder::new("files-launcher");
    let ran = run(&["convert", ECHO, "--to", "tools-json", "-o", &folder.path(""), "-q"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(folder.read("tools/bin/toolglot-bridge"), LAUNCHER);
}

/// Lines of the module of an earlier version.
#[test]
fn the_module_is_that_of_an_earlier_version() {
    let text = r#"{"tools": [{"name": "greet", "command": ["./tools/bin/greet"]}]}"#;
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let conversion =
        convert(&source, FormatName::ToolsJson, FormatName::Jumith, &Options::default()).unwrap();
    let files = conversion.files(&FileOptions::default());
    let module = files.files.iter().find(|file| file.kind == FileKind::Launcher).unwrap();
    let module = std::str::from_utf8(&module.bytes).unwrap();
    for line in [
        r#"const folder = fileURLToPath(new URL("../../", import.meta.url));"#,
        r#"const line = ["bridge", "--for", "jumith", "--source", "sha256:3ed5d08ba4ba0ff7a7a5e745662bbcf6176f5eeff2f4153dd040a7e99aac93b6", "--tool", "greet", "--folder", folder];"#,
        r#"      const child = spawn("toolglot", line, { env, stdio: ["pipe", "pipe", "pipe"] });"#,
    ] {
        assert!(module.lines().any(|found| found == line), "{line}\n{module}");
    }
}

/// The texts of an earlier version, in which the libraries named the flags of this program.
#[test]
fn needs_name_the_flags() {
    for (file, to, need) in [
        (
            ECHO,
            "tools-json",
            "`toolglot` on the search path, and a copy of the source where the bridge looks: \
             `convert -o FOLDER` writes it",
        ),
        (
            ECHO,
            "tools-json",
            "the launcher `./tools/bin/toolglot-bridge`: `convert -o FOLDER` writes it",
        ),
        (TIME, "jumith", "the module that `entry.main` names: `convert -o FOLDER` writes it"),
        (
            TIME,
            "mcpkg",
            "the files that the call of the source names: `convert -o FOLDER` copies them, and \
             not what they load",
        ),
        (
            TIME,
            "mcpkg",
            "a host that runs local commands, in the folder of the output or with the source in \
             the user's store (`convert --store`): the published runner sends requests only",
        ),
        (
            TIME,
            "install-manifest",
            "a host that runs it in the folder of the output, or the source in the user's store: \
             `convert --store` copies it there",
        ),
        (
            TIME,
            "tool-list",
            "a client that runs in the folder of the output, or the source in the user's store: \
             `convert --store` copies it there",
        ),
    ] {
        // One tool, and one document.
        let tool = if file == TIME { "get_time" } else { "demo.echo" };
        let ran = run(&["convert", file, "--to", to, "--tool", tool]);
        assert_eq!(ran.code, Some(0), "{to}: {}", ran.err);
        let line = format!("  needs {need}");
        assert!(ran.err.lines().any(|found| found.starts_with(&line)), "{line}\n{}", ran.err);
    }
}

/// The help of an earlier version, for each loss that can be accepted.
#[test]
fn help_names_the_flags() {
    for (case, to, strict, help) in [
        ("bridge/strict", "tools-json", true, "accept the bridge with --accept bridge"),
        (
            "disabled/switched_off",
            "tools-json",
            false,
            "accept it with --accept disabled, or leave such tools out with --without disabled",
        ),
        (
            "approval/written",
            "tools-json",
            false,
            "accept it with --accept approval, or leave such tools out with --without approval",
        ),
        (
            "tool-version/capitals",
            "install-manifest",
            false,
            "give the source another version, or accept \"1.0.0-rc.1\" with --accept version",
        ),
    ] {
        let file = format!("tests/fixtures/convert/invalid/convert/{case}/source.json");
        let options: &[&str] =
            if strict { &["--strict", "--accept", "approval,disabled"] } else { &[] };
        let ran = run(&[&["convert", file.as_str(), "--to", to], options].concat());
        assert_eq!(ran.code, Some(1), "{case}: {}", ran.err);
        assert!(ran.err.contains(&format!("help: {help}\n")), "{case}: {}", ran.err);
    }
}
