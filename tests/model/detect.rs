//! A document with a slip of the pen is still told what it is.

use toolglot::json::Document;
use toolglot::{DetectError, FORMATS, Limits, detect};

/// The valid fixtures of a format.
fn fixtures(format: &str) -> Vec<(String, String)> {
    let folder = toolglot_tests::fixtures(format).join("valid");
    let files = std::fs::read_dir(folder).expect("fixtures").map(|file| file.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "json"));
    files.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

/// Names with a slip: a letter is gone, two are exchanged, one is doubled.
fn slips(name: &str) -> Vec<String> {
    let middle = name.len() / 2;
    let (head, tail) = name.split_at(middle);
    let mut swapped: Vec<char> = name.chars().collect();
    swapped.swap(middle - 1, middle);
    vec![
        format!("{head}{}", &tail[1..]),
        swapped.into_iter().collect(),
        format!("{head}{}{tail}", &tail[..1]),
    ]
}

#[test]
fn one_misspelt_name_does_not_hide_the_format() {
    let mut tried = 0;
    for format in FORMATS {
        for (file, text) in fixtures(format.name) {
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            for member in document.root().members() {
                let name = member.name();
                for slip in slips(&name).into_iter().filter(|slip| *slip != *name) {
                    let edited = text.replacen(&format!("\"{name}\""), &format!("\"{slip}\""), 1);
                    let edited = Document::parse(edited.as_bytes(), &Limits::default()).unwrap();
                    let found = match detect(&edited) {
                        Ok((found, _)) => found.name,
                        Err(DetectError::Near(near)) => near.format,
                        Err(other) => panic!("{file}: `{slip}` for `{name}`: {other}"),
                    };
                    assert_eq!(found, format.name, "{file}: `{slip}` for `{name}`");
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 500, "only {tried}");
}

#[test]
fn what_is_no_manifest_is_told_so() {
    for text in ["{}", "[]", "null", r#"{"name": "x", "version": "1.0.0"}"#, r#"{"a": {"b": 1}}"#] {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(detect(&document).unwrap_err(), DetectError::Unrecognized, "{text}");
    }
}
