//! The files that a conversion needs, as the library lists them and as the program writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use toolglot::convert::FileKind;
use toolglot::json::Document;
use toolglot::{AcceptedLoss, FileOptions, FormatName, Limits, Options, convert};

use crate::program::{Folder, run};

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
