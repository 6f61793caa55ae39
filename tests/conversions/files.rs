//! A conversion owns what its report, its residue and its files need.

use std::collections::{BTreeMap, BTreeSet};

use toolglot::convert::{ConversionFiles, FileKind, FileOptions, OutputFile, ResidueIndex};
use toolglot::convert::{DocumentKey, ResidueMatch};
use toolglot::core::sha256_hex;
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{
    Conversion, Defaults, FORMATS, FormatName, Formats, Limits, Options, Residue, RestoreOptions,
    RunMode, Target, convert, convert_via, restore,
};

use crate::{Fixture, fixtures};

/// Converts a text that is dropped afterwards.
fn converted(text: &str, from: FormatName, to: FormatName, options: &Options) -> Conversion {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    convert(&source, from, to, options).unwrap()
}

/// Every conversion of a fixture to another format.
fn all(options: &Options) -> Vec<(Fixture, FormatName, Conversion)> {
    let mut all = Vec::new();
    for fixture in fixtures() {
        for to in FormatName::ALL.iter().copied().filter(|to| *to != fixture.format) {
            let conversion = converted(&fixture.text, fixture.format, to, options);
            let Fixture { format, name, text } = &fixture;
            let fixture = Fixture { format: *format, name: name.clone(), text: text.clone() };
            all.push((fixture, to, conversion));
        }
    }
    all
}

#[test]
fn the_source_may_be_dropped() {
    for (fixture, to, conversion) in all(&laws::accept_all()) {
        let what = format!("{} of {} to {to}", fixture.name, fixture.format);
        let residue = conversion.residue();
        assert_eq!(residue.source_text(), fixture.text, "{what}");
        assert_eq!(conversion.source().text(), fixture.text, "{what}");
        let source = Document::parse(fixture.text.as_bytes(), &Limits::default()).unwrap();
        let leaves: Vec<_> = source.root().leaves().map(|(at, _)| at).collect();
        let report = conversion.report();
        let listed: Vec<_> = report.source.into_iter().map(|leaf| leaf.source).collect();
        assert_eq!(listed, leaves, "{what}");
    }
}

/// The report of a conversion to a third format names places in the target that was edited on
/// the way, which the conversion keeps, too.
#[test]
fn the_edited_target_may_be_dropped() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"], "description": "A."}]}"#;
    let first = converted(text, FormatName::ToolsJson, FormatName::Mcpkg, &laws::accept_all());
    let onwards = {
        // A version is what a list of tools has no word for.
        let edited = first.documents[0].text.replace("\"0.0.0\"", "\"2.0.0\"");
        let edited = edited.replace("\"A.\"", "\"B.\"");
        let document = Document::parse(edited.as_bytes(), &Limits::default()).unwrap();
        let target = Target { name: None, document: &document };
        let options = laws::accept_all();
        convert_via(&[target], &first.residue(), FormatName::InstallManifest, &options).unwrap()
    };
    let report = onwards.report();
    let version = report.target.iter().find(|leaf| leaf.value == "\"2.0.0\"").unwrap();
    let place = version.source.first().unwrap();
    assert_eq!((place.document, place.pointer.as_str()), (1, "/version"));
    assert_eq!(onwards.source().text(), text.replace("A.", "B."));
    assert_eq!(onwards.residue().source_text(), text.replace("A.", "B."));
}

/// The residue names both formats, so nobody can name others.
#[test]
fn a_residue_of_unknown_formats_is_refused() {
    let text = r#"{"tools": [{"name": "a", "command": ["/bin/a"]}]}"#.to_owned();
    let made = converted(&text, FormatName::ToolsJson, FormatName::Mcpkg, &laws::accept_all());
    let json = made.residue().to_json();
    let document = made.documents[0].open();
    let targets = [Target { name: None, document: &document }];
    let options = RestoreOptions::default();
    for (own, other) in [("\"tools-json\"", "\"toml\""), ("\"mcpkg\"", "\"jumith9\"")] {
        let json = json.replacen(own, other, 1);
        let residue = Residue::parse(json.as_bytes(), &Limits::default()).unwrap();
        let report = restore(&targets, &residue, &options).unwrap_err();
        let found = &report.diagnostics[0];
        assert_eq!(found.rule.code, "convert/residue");
        assert!(found.message.contains(other.trim_matches('"')), "{}", found.message);
        assert!(found.advice().contains("tools-json"), "{}", found.advice());
        let options = laws::accept_all();
        let report = convert_via(&targets, &residue, FormatName::Jumith, &options).unwrap_err();
        assert_eq!(report.diagnostics[0].rule.code, "convert/residue");
    }
    // A set without one of the formats does not know it either.
    let few = [FormatName::ToolsJson.format().unwrap()];
    let report =
        toolglot::convert::restore(&targets, &made.residue(), Formats::new(&few), &options);
    assert_eq!(report.unwrap_err().diagnostics[0].rule.code, "convert/residue");
}

fn files(conversion: &Conversion) -> ConversionFiles<'_> {
    conversion.files(&FileOptions::default())
}

fn of_kind<'f, 'c>(files: &'f ConversionFiles<'c>, kind: FileKind) -> Vec<&'f OutputFile<'c>> {
    files.files.iter().filter(|file| file.kind == kind).collect()
}

/// The programs and modules below the folder that a document names for the bridge, found
/// without the library that wrote it.
fn named_launchers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    for (_, leaf) in document.root().leaves() {
        let Some(word) = leaf.text() else { continue };
        let path = word.strip_prefix("./").unwrap_or(&word);
        let is_launcher = path.rsplit('/').next() == Some("toolglot-bridge") && path.contains('/');
        if is_launcher || path.starts_with("toolglot-bridge/") {
            found.insert(path.to_owned());
        }
    }
    found
}

#[test]
fn files_are_all_that_a_document_names() {
    let mut launchers = BTreeMap::new();
    for (fixture, to, conversion) in all(&laws::accept_all()) {
        let what = format!("{} of {} to {to}", fixture.name, fixture.format);
        let files = files(&conversion);
        let mut paths = BTreeSet::new();
        for file in &files.files {
            let is_safe = |part: &str| !part.is_empty() && part != "." && part != "..";
            assert!(file.path.split('/').all(is_safe), "{what}: {}", file.path);
            assert!(!file.path.contains('\\'), "{what}: {}", file.path);
            assert!(paths.insert(file.path.to_string()), "{what}: {} twice", file.path);
        }
        let documents = of_kind(&files, FileKind::Document);
        assert_eq!(documents.len(), conversion.documents.len(), "{what}");
        for (file, document) in documents.iter().zip(&conversion.documents) {
            assert_eq!((&*file.path, &*file.bytes), (&*document.name, document.text.as_bytes()));
        }
        let bridged = conversion.tools.iter().any(|tool| tool.runs == RunMode::ThroughTheBridge);
        let sources = of_kind(&files, FileKind::Source);
        if !bridged || files.has_secret {
            assert!(paths.len() == documents.len() && files.copies.is_empty(), "{what}");
            continue;
        }
        let [source] = sources[..] else { panic!("{what}: {} sources", sources.len()) };
        let digest = sha256_hex(fixture.text.as_bytes());
        assert_eq!(&*source.path, format!(".toolglot/sources/{digest}.json"), "{what}");
        assert_eq!(&*source.bytes, fixture.text.as_bytes(), "{what}");
        for copy in &files.copies {
            assert_eq!(copy.to, format!(".toolglot/sources/{digest}/{}", copy.from), "{what}");
        }
        let mut named = BTreeSet::new();
        for tool in &conversion.tools {
            if tool.runs == RunMode::ThroughTheBridge {
                named.extend(named_launchers(&conversion.documents[tool.document].text));
            }
        }
        let written = of_kind(&files, FileKind::Launcher);
        let written: BTreeSet<String> = written.iter().map(|file| file.path.to_string()).collect();
        assert_eq!(written, named, "{what}");
        *launchers.entry(to).or_insert(0) += written.len();
    }
    assert!(launchers[&FormatName::ToolsJson] > 0 && launchers[&FormatName::Jumith] > 0);
    assert_eq!(launchers[&FormatName::Mcpkg], 0);
}

const GREET: &str = r#"{"tools": [{"name": "greet", "command": ["./tools/bin/greet"]}]}"#;

/// The program that a launcher starts may be anywhere, whatever it is called.
#[test]
fn a_launcher_starts_the_program_that_is_named() {
    let echo = fixtures().into_iter().find(|one| one.name == "echo").unwrap();
    let options = laws::accept_all();
    let program = r#"/opt/it's "here" $HOME/toolglot"#;
    let named = FileOptions { program: program.to_owned() };
    let conversion = converted(&echo.text, echo.format, FormatName::ToolsJson, &options);
    let files = conversion.files(&named);
    let [launcher] = of_kind(&files, FileKind::Launcher)[..] else { panic!("one launcher") };
    assert!(launcher.is_executable);
    let text = std::str::from_utf8(&launcher.bytes).unwrap();
    let words = shell_words::split(text.lines().last().unwrap()).unwrap();
    assert_eq!(&words[..3], ["exec", program, "bridge"]);

    let conversion = converted(GREET, FormatName::ToolsJson, FormatName::Jumith, &options);
    let files = conversion.files(&named);
    let [module] = of_kind(&files, FileKind::Launcher)[..] else { panic!("one module") };
    assert!(!module.is_executable);
    let text = std::str::from_utf8(&module.bytes).unwrap();
    assert!(text.contains(&format!("spawn({}, line", serde_json::json!(program))), "{text}");
    let copies: Vec<&str> = files.copies.iter().map(|copy| copy.from.as_str()).collect();
    assert_eq!(copies, ["tools/bin/greet"]);
}

/// A gateway has the source itself.
#[test]
fn a_gateway_needs_no_files() {
    let gateway = Some("https://gateway.example/".to_owned());
    let defaults = Defaults { gateway, ..Defaults::default() };
    let options = Options { defaults, ..laws::accept_all() };
    for to in [FormatName::Mcpkg, FormatName::Capability] {
        let conversion = converted(GREET, FormatName::ToolsJson, to, &options);
        assert_eq!(conversion.tools[0].runs, RunMode::ThroughTheBridge);
        assert_eq!(files(&conversion).files.len(), 1);
    }
}

#[test]
fn a_source_with_a_secret_is_no_file() {
    let token = ["ghp_", "8fK2mQ8xV4nB7tR1wZ5yLc3Dj6Hs9Pg0TaXe"].concat();
    let text = GREET.replace("./tools/bin/greet\"", &format!("./tools/bin/greet\", \"{token}\""));
    let options = laws::accept_all();
    let conversion = converted(&text, FormatName::ToolsJson, FormatName::Mcpkg, &options);
    let files = files(&conversion);
    assert!(files.has_secret);
    assert_eq!(files.files.len(), conversion.documents.len());
}

fn manifest(id: &str, description: &str) -> String {
    format!(
        r#"{{"id": "{id}", "name": "{id}", "version": "1.0.0", "summary": "s", "description":
        "{description}", "tags": [], "provider": "p", "entry": {{"runtime": "node", "main": "a.js"}}}}"#
    )
}

/// Converts Jumith manifests, each to one document.
fn lists(sources: &[String], to: FormatName) -> (Vec<Residue>, Vec<String>) {
    let mut texts = Vec::new();
    let mut residues = Vec::new();
    for text in sources {
        let conversion = converted(text, FormatName::Jumith, to, &laws::accept_all());
        residues.push(conversion.residue());
        texts.extend(conversion.documents.into_iter().map(|document| document.text));
    }
    (residues, texts)
}

fn matched(residues: &[Residue], texts: &[String]) -> Vec<Option<(usize, usize)>> {
    let mut index = ResidueIndex::default();
    for residue in residues {
        index.add(residue);
    }
    let limits = Limits::default();
    let mut keys = Vec::new();
    for text in texts {
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        let (format, _) = FORMATS.detect(&document).unwrap();
        let tools = format.lift(&document, &limits).unwrap().tools;
        keys.push(Some(DocumentKey::new(&document, &tools)));
    }
    let read = |number: usize| residues.get(number).cloned();
    let found = index.match_documents(&keys, FORMATS, &limits, read).into_iter();
    let found = found.map(|found| match found {
        ResidueMatch::Residue { residue, copy } => Some((residue, copy)),
        _ => None,
    });
    found.collect()
}

/// The digest decides, then the ids of the tools, and nothing else.
#[test]
fn a_document_has_the_residue_that_records_it() {
    let sources = ["a", "b", "c"].map(|id| manifest(id, "Says."));
    let (residues, texts) = lists(&sources, FormatName::Mcpkg);
    let reversed: Vec<String> = texts.iter().rev().cloned().collect();
    assert_eq!(matched(&residues, &reversed), [Some((2, 0)), Some((1, 0)), Some((0, 0))]);
    // An edit leaves the id. A copy of a document is a copy of its source.
    let edited = texts[1].replace("Says.", "Says more.");
    let given = [texts[0].clone(), edited.clone(), texts[0].clone()];
    assert_eq!(matched(&residues, &given), [Some((0, 0)), Some((1, 0)), Some((0, 1))]);
    // Two documents of that id: it cannot be told which one was written.
    let other = texts[1].replace("Says.", "Says less.");
    assert_eq!(matched(&residues, &[edited.clone(), other]), [None, None]);
    // Another id, even if all others are known.
    let renamed = texts[1].replace("local.b.", "local.c.");
    assert_ne!(renamed, texts[1]);
    let found = matched(&residues, &[texts[0].clone(), renamed, texts[2].clone()]);
    assert_eq!(found, [Some((0, 0)), None, Some((2, 0))]);

    // Two versions of one tool: one that is left is known, of two nobody knows.
    let sources = ["One.", "Two.", "Three."].map(|version| manifest("a", version));
    let (residues, texts) = lists(&sources, FormatName::ToolsJson);
    let edited: Vec<String> = texts.iter().map(|text| text.replace(".\"", "!\"")).collect();
    let given = [texts[0].clone(), edited[1].clone(), texts[2].clone()];
    assert_eq!(matched(&residues, &given), [Some((0, 0)), Some((1, 0)), Some((2, 0))]);
    let given = [texts[0].clone(), edited[1].clone(), edited[2].clone()];
    assert_eq!(matched(&residues, &given), [Some((0, 0)), None, None]);
}

/// Different sources may become equal documents. If all are there, it does not matter which is
/// which.
#[test]
fn equal_documents_are_all_there_or_unclear() {
    let text = manifest("a", "Says.").replacen('{', "{\"x-note\": \"one\", ", 1);
    let made = converted(&text, FormatName::Jumith, FormatName::Mcpkg, &laws::accept_all());
    let one = made.residue();
    let two = one.to_json().replace("\"one\"", "\"two\"");
    let two = Residue::parse(two.as_bytes(), &Limits::default()).unwrap();
    assert_ne!(one, two);
    let written = |times: usize| vec![made.documents[0].text.clone(); times];
    let residues = [one.clone(), two];
    assert_eq!(matched(&residues, &written(1)), [None]);
    assert_eq!(matched(&residues, &written(2)), [Some((0, 0)), Some((1, 0))]);
    assert_eq!(matched(&residues, &written(3)), [Some((0, 0)), Some((1, 0)), None]);
    // Equal sources are one.
    let residues = [one.clone(), one];
    assert_eq!(matched(&residues, &written(1)), [Some((0, 0))]);
    assert_eq!(matched(&residues, &written(3)), [Some((0, 0)), Some((1, 0)), Some((0, 1))]);
}
