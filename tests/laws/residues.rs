//! A residue is hardly larger than the source that it holds.

use toolglot::json::Document;
use toolglot::testkit::Rng;
use toolglot::{AcceptedLoss, Format, FormatName, Limits, Options, Residue, convert};

#[path = "../../benches/shared/real.rs"]
mod real;

/// The largest residue of a source, of all targets; none, where none takes it.
fn largest(text: &str, from: &'static Format) -> Option<usize> {
    let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let accept = AcceptedLoss::ALL.into();
    let options = Options { accept, ..Options::default() };
    let sizes = FormatName::ALL.iter().filter_map(|to| {
        let conversion = convert(&source, from, *to, &options).ok()?;
        Some(conversion.residue().to_json().len())
    });
    sizes.max()
}

#[test]
fn of_documents_that_people_wrote() {
    for real in real::documents() {
        let size = largest(&real.text, real.format).expect("it converts");
        let most = real.text.len() * 11 / 10 + 1024;
        assert!(size <= most, "{}: {size} bytes, for {}", real.name, real.text.len());
    }
}

#[test]
fn of_generated_documents() {
    for format in FormatName::ALL {
        for seed in 0..120 {
            let text = (format.testkit().unwrap().generate)(&mut Rng::new(seed), 4);
            let Some(size) = largest(&text, format.format().unwrap()) else { continue };
            let most = text.len() * 3 / 2 + 1024;
            assert!(size <= most, "{format} {seed}: {size} bytes, for {}", text.len());
        }
    }
}

/// The first program that wrote them had a list of fingerprints.
#[test]
fn a_list_of_fingerprints_is_read_too() {
    let read = |fingerprints: &str| {
        let text = format!(
            r#"{{"residue":2,"program":"0.1.0","from":"a","to":"b","documents":{{}},
                "fingerprints":{fingerprints},"source":{{"x":[1,2.50]}}}}"#
        );
        Residue::parse(text.as_bytes(), &Limits::default()).unwrap()
    };
    let list = read(r#"["03f86ef97be247f3","0b928430fc852347"]"#);
    assert_eq!(list, read(r#""A_hu-XviR_MLkoQw_IUjRw""#));
    assert_eq!(list.source_text(), r#"{"x":[1,2.50]}"#);
}
