//! Streams say of entries what documents say of them as a whole.

use std::collections::BTreeSet;

use toolglot::core::DiagnosticParts;
use toolglot::json::{Document, compact};
use toolglot::stream::{Names, Shape, SplitOptions, Splitter};
use toolglot::testkit::{Rng, Testkit, laws, relayout};
use toolglot::{
    Conversion, Diagnostic, FORMATS, Format, Limits, Options, Pointer, Profile, Report,
    RestoreOptions, Target, ValidateOptions, mcpkg, restore, testkits, tools_json,
};

fn splitter(shape: Option<Shape>) -> Splitter {
    let members = FORMATS.iter().filter_map(|format| Some(format.catalog?.member)).collect();
    Splitter::new(SplitOptions {
        shape,
        members,
        limits: Limits::for_catalog(),
        ..SplitOptions::default()
    })
}

fn whole(splitter: &mut Splitter, text: &str) {
    splitter.push(text.as_bytes());
    splitter.finish();
}

/// What a diagnostic says, and where: all of it, with its place as people count.
fn said(diagnostic: &Diagnostic, line: usize, column: usize) -> (String, String, usize, usize) {
    let DiagnosticParts { rule, pointer, message, severity, .. } = &**diagnostic;
    (format!("{} {severity:?} {message}", rule.code), pointer.to_string(), line, column)
}

/// What a stream says of its entries, and of what is around them.
fn streamed(
    format: &Format,
    text: &str,
    options: &ValidateOptions,
) -> BTreeSet<(String, String, usize, usize)> {
    let mut splitter = splitter(None);
    whole(&mut splitter, text);
    let mut names = Names::default();
    let mut found = BTreeSet::new();
    while let Some(next) = splitter.next() {
        let item = next.unwrap();
        let report = item.validate(format, options, &mut names);
        for diagnostic in &report.diagnostics {
            let place = item.position(diagnostic.span.unwrap().start);
            found.insert(said(diagnostic, place.line, place.column));
        }
    }
    for broken in splitter.validate_envelope(format, options) {
        found.insert(said(&broken.diagnostic, broken.place.line, broken.place.column));
    }
    found
}

/// What is said of a document that was read as a whole. An array is none: what it holds
/// is.
fn at_once(
    format: &Format,
    text: &str,
    options: &ValidateOptions,
) -> BTreeSet<(String, String, usize, usize)> {
    let document = Document::parse(text.as_bytes(), &options.limits).unwrap();
    let mut found = BTreeSet::new();
    for (index, element) in document.root().elements().enumerate() {
        let alone = Document::parse(element.raw().as_bytes(), &options.limits).unwrap();
        for mut diagnostic in format.validate(&alone, options).diagnostics {
            diagnostic.set_pointer(Pointer::root().push_index(index).join(&diagnostic.pointer));
            let start = element.span().start + diagnostic.span.unwrap().start;
            let place = document.position(start);
            found.insert(said(&diagnostic, place.line, place.column));
        }
    }
    if document.root().is_array() {
        return found;
    }
    let report = format.validate(&document, options);
    let diagnostics = report.diagnostics.iter();
    diagnostics
        .map(|diagnostic| {
            let place = document.position(diagnostic.span.unwrap().start);
            said(diagnostic, place.line, place.column)
        })
        .collect()
}

/// A catalog of many entries or, in a format without catalogs, an array of documents.
fn list(testkit: &Testkit, rng: &mut Rng) -> String {
    let Testkit { format, generate, .. } = testkit;
    let mut entries = Vec::new();
    for _ in 0..rng.below(4) + 2 {
        let text = generate(rng, 3);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let root = document.root();
        let listed = format.catalog.and_then(|catalog| root.get(catalog.member));
        match listed {
            Some(list) => entries.extend(list.elements().map(|node| node.raw().to_owned())),
            None => entries.push(root.raw().to_owned()),
        }
    }
    // Some are there twice, and some are not in order.
    if let Some(again) = entries.first().cloned().filter(|_| rng.once_in(2)) {
        entries.push(again);
    }
    if rng.once_in(2) {
        let broken = ["null", "{\"name\": \"x\"}", "{\"tools\": []}", "[{}]"];
        entries.push(rng.word(&broken).to_owned());
    }
    rng.shuffle(&mut entries);
    let [head, tail] = format.catalog.map_or(["[", "]"], |catalog| catalog.frame);
    let text = format!("{head}{}{tail}", entries.join(","));
    let text = relayout(&text, rng);
    if rng.once_in(2) && text.trim_start().starts_with('{') {
        return text.replacen('{', "{\"strange\": 1, ", 1);
    }
    text
}

/// Row L07 of the catalogue of attacks.
#[test]
fn a_stream_is_judged_like_the_whole() {
    for testkit in testkits() {
        let format = testkit.format;
        let mut taken = 0;
        for seed in 0..24 * toolglot_tests::times() {
            let rng = &mut Rng::new(seed);
            let text = list(testkit, rng);
            for profile in [Profile::Spec, Profile::Strict] {
                let limits = Limits { diagnostics: 10_000, ..Limits::for_catalog() };
                let options = ValidateOptions { profile, limits, ..ValidateOptions::default() };
                let ours = streamed(format, &text, &options);
                let mut theirs = at_once(format, &text, &options);
                // Advice about several entries at once is for those who have them all.
                let several = ["similar-id", "names/confusable", "names/similar"];
                let apart = |code: &str| !several.iter().any(|about| code.contains(about));
                theirs.retain(|found| apart(&found.0));
                // An invalid entry takes no name.
                let names = |all: &BTreeSet<(String, _, _, _)>| {
                    all.iter().filter(|found| found.0.contains("/duplicate-")).count()
                };
                let fewer = names(&ours) < names(&theirs);
                if fewer {
                    assert!(theirs.is_superset(&ours), "{} {seed}\n{text}", format.name);
                    continue;
                }
                assert_eq!(ours, theirs, "{} {seed} {profile:?}\n{text}", format.name);
                taken += names(&ours);
            }
        }
        // Documents of their own take no names.
        assert_eq!(taken > 0, format.catalog.is_some(), "{}", format.name);
    }
}

/// What comes of converting every entry of a stream.
fn conversions(
    from: &'static Format,
    to: &'static Format,
    shape: Option<Shape>,
    text: &str,
) -> Vec<Result<Conversion, Report>> {
    let mut splitter = splitter(shape);
    whole(&mut splitter, text);
    let mut names = Names::default();
    let mut all = Vec::new();
    while let Some(next) = splitter.next() {
        let item = next.unwrap();
        all.push(item.convert(from, to, &Options::default(), &mut names));
    }
    all
}

fn codes(report: &Report) -> Vec<&'static str> {
    report.diagnostics.iter().map(|diagnostic| diagnostic.rule.code).collect()
}

#[test]
fn lines_convert_like_documents() {
    let options = Options::default();
    for Testkit { format: from, generate, .. } in testkits() {
        for to in FORMATS.iter().filter(|to| to.name != from.name) {
            let rng = &mut Rng::new(7);
            let texts: Vec<_> = (0..4).map(|_| generate(rng, 3)).collect();
            let documents = texts
                .iter()
                .map(|text| Document::parse(text.as_bytes(), &options.limits).unwrap())
                .collect::<Vec<_>>();
            let lines: Vec<_> = documents.iter().map(|document| compact(document.root())).collect();
            let ours = conversions(from, to, Some(Shape::Lines), &lines.join("\r\n"));
            assert_eq!(ours.len(), lines.len());
            for (ours, line) in ours.iter().zip(&lines) {
                let document = Document::parse(line.as_bytes(), &options.limits).unwrap();
                match (ours, toolglot::convert(&document, *from, *to, &options)) {
                    (Ok(ours), Ok(theirs)) => {
                        let texts = |conversion: &Conversion| -> Vec<String> {
                            conversion.documents.iter().map(|one| one.text.clone()).collect()
                        };
                        assert_eq!(texts(ours), texts(&theirs));
                        assert_eq!(ours.residue(), theirs.residue());
                    }
                    (Err(ours), Err(theirs)) => assert_eq!(codes(ours), codes(&theirs)),
                    (ours, theirs) => panic!("{ours:?} {theirs:?}"),
                }
            }
        }
    }
}

#[test]
fn entries_come_back() {
    let mut all = 0;
    for testkit in testkits() {
        for to in FORMATS.iter().filter(|to| to.name != testkit.format.name) {
            for seed in 0..4 {
                all += come_back(testkit, to, seed);
            }
        }
    }
    assert!(all > 100, "{all}");
}

/// Converts the entries of a stream and restores them, and says how many.
fn come_back(testkit: &Testkit, to: &'static Format, seed: u64) -> usize {
    let from = testkit.format;
    let text = list(testkit, &mut Rng::new(seed));
    let options = laws::accept_all();
    let mut splitter = splitter(None);
    whole(&mut splitter, &text);
    let mut names = Names::default();
    let mut all = 0;
    while let Some(next) = splitter.next() {
        let item = next.unwrap();
        let converted = item.convert(from, to, &options, &mut names);
        let Ok(conversion) = converted else { continue };
        let entry = String::from_utf8_lossy(item.bytes);
        let expected = match from.catalog {
            Some(catalog) if !catalog.is_document => catalog.frame.join(&entry),
            _ => entry.into_owned(),
        };
        assert_eq!(conversion.source().text(), expected);
        let documents: Vec<_> =
            conversion.documents.iter().map(|document| document.open()).collect();
        let named = conversion.documents.iter().zip(&documents);
        let targets: Vec<_> = named
            .map(|(emitted, document)| Target { name: Some(&emitted.name), document })
            .collect();
        let residue = conversion.residue();
        let back = restore(&targets, &residue, &RestoreOptions::default()).unwrap();
        assert_eq!(back.text, expected, "{} → {}", from.name, to.name);
        all += 1;
    }
    all
}

#[test]
fn a_name_is_taken_once() {
    let text = r#"{"tools": [
        {"name": "a.b", "command": ["./tools/bin/a"]},
        {"name": "c", "command": []},
        {"name": "a.b", "command": ["./tools/bin/b"]},
        {"name": "c", "command": ["./tools/bin/c"]}
    ]}"#;
    let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    let found = streamed(&tools_json::FORMAT, text, &options);
    let found: Vec<_> =
        found.iter().map(|(said, pointer, line, _)| (&**said, &**pointer, *line)).collect();
    assert_eq!(
        found,
        [
            (
                "tools-json/command-empty Error tool[1] \"c\": command must have at least program name",
                "/tools/1/command",
                3
            ),
            ("tools-json/duplicate-name Error tool[2] \"a.b\": duplicate name", "/tools/2/name", 4),
        ]
    );
    let all = conversions(&tools_json::FORMAT, &mcpkg::FORMAT, None, text);
    let all: Vec<_> = all.iter().map(|one| one.as_ref().map(|_| ()).map_err(codes)).collect();
    assert_eq!(all[0], Ok(()));
    assert_eq!(all[1], Err(vec!["tools-json/command-empty"]));
    assert_eq!(all[2], Err(vec!["tools-json/duplicate-name"]));
    assert_eq!(all[3], Ok(()));
}

/// A name that another tool has in the target is taken, too.
#[test]
fn a_name_is_taken_once_in_the_target() {
    let catalog = |names: &[&str]| {
        let entry = |name: &&str| format!(r#"{{"name": "{name}", "command": ["/bin/true"]}}"#);
        let entries: Vec<_> = names.iter().map(entry).collect();
        let text = format!(r#"{{"tools": [{}]}}"#, entries.join(","));
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let (from, to) = (&tools_json::FORMAT, &capability::FORMAT);
        let converted = toolglot::convert(&document, from, to, &Options::default()).unwrap();
        converted.documents[0].text.clone()
    };
    let convert = |names: &[&str]| {
        conversions(&capability::FORMAT, &tools_json::FORMAT, None, &catalog(names))
    };
    let all = convert(&["a.b", "c"]);
    let taken = &all[0].as_ref().unwrap().tools[0].target;
    let all = convert(&["a.b", "c", taken]);
    let all: Vec<_> = all.iter().map(|one| one.as_ref().map(|_| ()).map_err(codes)).collect();
    assert_eq!(all, [Ok(()), Ok(()), Err(vec!["convert/collision"])]);
}

/// Nobody has a target that was refused: it is shown what it comes from, as in a document.
#[test]
fn what_is_wrong_in_a_target_is_shown_in_the_entry() {
    let key = ["AKIA", "Z5TQ2MXR7L4WKJ3N"].concat();
    let tool = format!(
        r#"{{"name": "a", "command": ["./tools/bin/a"], "description": "An a.", "schema":
            {{"type": "object", "properties": {{"key": {{"default": "{key}"}}}}}}}}"#
    )
    .replace('\n', " ");
    let text = format!(r#"{{"tools": [{tool}]}}"#);
    for shape in [Shape::Lines, Shape::Member] {
        let mut splitter = splitter(Some(shape));
        whole(&mut splitter, &text);
        let item = splitter.next().unwrap().unwrap();
        let names = &mut Names::default();
        let (from, to) = (&tools_json::FORMAT, &capability::FORMAT);
        let refused = item.convert(from, to, &Options::default(), names).err().unwrap();
        let found = refused.diagnostics.iter().find(|one| one.rule.code.ends_with("secret-value"));
        let [related] = &found.unwrap().related[..] else { panic!("{refused}") };
        let shown = &item.bytes[related.span.start..related.span.end];
        assert_eq!(shown, format!("\"{key}\"").as_bytes(), "{shape:?}");
    }
}

/// An element of a catalog that would be a whole document by itself is still an element.
#[test]
fn an_entry_does_not_reach_out_of_its_list() {
    let manifest = mcpkg::testkit::generate(&mut Rng::new(1), 2);
    let manifest =
        compact(Document::parse(manifest.as_bytes(), &Limits::default()).unwrap().root());
    let nested = format!("[{manifest}, [{manifest}]]");
    let all = conversions(&mcpkg::FORMAT, &tools_json::FORMAT, Some(Shape::Array), &nested);
    assert!(all[0].is_ok() && all[1].is_err(), "{all:?}");
    let catalog = r#"{"catalog_version": "catalog.v1", "capabilities": []}"#;
    let nested = format!(r#"{{"catalog_version": "catalog.v1", "capabilities": [{catalog}]}}"#);
    let all = conversions(&capability::FORMAT, &tools_json::FORMAT, None, &nested);
    assert!(all[0].is_err(), "{all:?}");
    let tool = r#"{"tools": [{"name": "a", "command": ["./tools/bin/a"]}]}"#;
    let nested = format!("{{\"tools\": [{tool}]}}");
    let all = conversions(&tools_json::FORMAT, &mcpkg::FORMAT, Some(Shape::Member), &nested);
    assert!(all[0].is_err(), "{all:?}");
    // An array has no format, so it may hold documents.
    let all =
        conversions(&tools_json::FORMAT, &mcpkg::FORMAT, Some(Shape::Array), &format!("[{tool}]"));
    assert!(all[0].is_ok(), "{all:?}");
    for entry in ["{}],\"x\":[{}", "1}", "]", "{]", "1]}{\"tools\":[2"] {
        let text = format!("{{\"tools\": [{entry}, {{\"name\": \"a\", \"command\": [\"b\"]}}]}}");
        let mut splitter = splitter(Some(Shape::Member));
        whole(&mut splitter, &text);
        let mut names = Names::default();
        let mut wrong = 0;
        while let Some(next) = splitter.next() {
            let valid = next.is_ok_and(|item| {
                item.validate(&tools_json::FORMAT, &ValidateOptions::default(), &mut names)
                    .is_valid()
            });
            wrong += usize::from(!valid);
        }
        assert!(wrong > 0, "{text}");
    }
}
