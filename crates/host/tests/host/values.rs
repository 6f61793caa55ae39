//! Values: where they come from, and that nobody sees them.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use call::Variable;
use host::{Ask, FileError, Values, Wrong, collect};

fn variable(name: &str, more: &str) -> Variable {
    let text = format!(r#"{{"name": "{name}", "secret": false, "required": true{more}}}"#);
    serde_json::from_str(&text).unwrap()
}

fn secret(name: &str) -> Variable {
    Variable { secret: true, ..variable(name, "") }
}

fn file(name: &str, mode: u32, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("values-{name}"));
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    path
}

#[test]
fn no_value_is_ever_printed() {
    let mut values = Values::new();
    values.set("KEY", "sk_live_0123456789");
    assert!(!format!("{values:?} {values:#?}").contains("sk_live"));
}

#[test]
fn lines_and_json_say_the_same() {
    let variables = [variable("A", ""), variable("B_2", ""), variable("C", "")];
    let lines = "# a comment\n\nA=1\nB_2 = \"two words # here\"\nC='x=y'\nOTHER=7\n";
    let json = r#"{"A": 1, "B_2": "two words # here", "C": "x=y", "OTHER": 7}"#;
    let lines = Values::from_file(&file("lines", 0o644, lines), &variables).unwrap();
    let json = Values::from_file(&file("json", 0o644, json), &variables).unwrap();
    assert!(lines == json);
    assert_eq!(lines.get("B_2"), Some("two words # here"));
    assert_eq!(lines.get("C"), Some("x=y"));
    assert_eq!(lines.get("OTHER"), None, "nobody asked for it");
}

#[test]
fn a_secret_is_read_from_a_file_of_its_owner_only() {
    let asked = [secret("KEY")];
    for mode in [0o644, 0o640, 0o604, 0o620] {
        let error = Values::from_file(&file("exposed", mode, "KEY=s3cret\n"), &asked).unwrap_err();
        assert!(matches!(&error, FileError::Exposed(name) if name == "KEY"), "{mode:o}: {error}");
        assert!(!error.to_string().contains("s3cret"));
    }
    let values = Values::from_file(&file("own", 0o600, "KEY=s3cret\n"), &asked).unwrap();
    assert_eq!(values.get("KEY"), Some("s3cret"));
    // Nothing secret is asked for, so nothing secret is read.
    let open = file("open", 0o644, "KEY=s3cret\nREGION=eu\n");
    assert!(Values::from_file(&open, &[variable("REGION", "")]).is_ok());
}

#[test]
fn what_is_wrong_in_a_file_is_said_without_values() {
    for (name, text) in [
        ("no-equals", "KEY\ns3cret\n"),
        ("no-name", "=s3cret\n"),
        ("twice", "KEY=s3cret\nKEY=s3cret\n"),
        ("nested", r#"{"KEY": {"a": "s3cret"}}"#),
        ("duplicate", r#"{"KEY": "s3cret", "KEY": "s3cret"}"#),
        ("broken", r#"{"KEY": "s3cret"#),
    ] {
        let error = Values::from_file(&file(name, 0o600, text), &[secret("KEY")]).unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{name}: {error}");
    }
    let long = file("long", 0o600, &"#".repeat((1 << 20) + 1));
    assert!(matches!(Values::from_file(&long, &[]), Err(FileError::TooLarge)));
}

#[test]
fn everything_that_is_missing_is_listed_at_once() {
    let variables = [
        variable("A", ""),
        variable("B", r#", "default": "b""#),
        variable("C", r#", "pattern": "^c+$""#),
        Variable { required: false, ..variable("D", "") },
        variable("E", r#", "pattern": "(?=e)""#),
    ];
    let mut given = Values::new();
    given.set("C", "cx");
    given.set("E", "e");
    let problems = collect(&variables, &given, None).unwrap_err();
    let found: Vec<_> = problems.iter().map(|one| (one.name.as_str(), &one.wrong)).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], ("A", &Wrong::Missing));
    assert_eq!(found[1], ("C", &Wrong::Mismatch("^c+$".to_owned())));
    assert!(matches!(found[2], ("E", Wrong::Pattern(_))));

    given.set("A", "a");
    given.set("C", "cc");
    let values = collect(&variables[..4], &given, None).unwrap();
    assert_eq!(values.get("B"), Some("b"), "the default");
    assert_eq!(values.get("D"), None);
}

struct Person(Vec<&'static str>, usize);

impl Ask for Person {
    fn ask(&mut self, _: &Variable, before: Option<&Wrong>) -> Option<String> {
        assert_eq!(before.is_some(), self.1 > 0);
        self.1 += 1;
        self.0.pop().map(str::to_owned)
    }
}

#[test]
fn a_person_is_asked_again_for_what_does_not_match_but_not_for_ever() {
    let asked = [variable("PIN", r#", "pattern": "^[0-9]{4}$""#)];
    let mut person = Person(vec!["1234", "12345", "four"], 0);
    let values = collect(&asked, &Values::new(), Some(&mut person)).unwrap();
    assert_eq!(values.get("PIN"), Some("1234"));

    let mut stubborn = Person(vec!["x"; 99], 0);
    let problems = collect(&asked, &Values::new(), Some(&mut stubborn)).unwrap_err();
    assert!(matches!(problems[0].wrong, Wrong::Mismatch(_)));
    assert_eq!(stubborn.1, 3);

    let mut absent = Person(vec![], 0);
    let problems = collect(&asked, &Values::new(), Some(&mut absent)).unwrap_err();
    assert_eq!(problems[0].wrong, Wrong::Missing);
}

#[test]
fn a_person_is_not_asked_for_what_is_known() {
    let known = [variable("A", r#", "default": "1""#), Variable { required: false, ..secret("B") }];
    let mut nobody = Person(vec!["no"], 0);
    assert!(collect(&known, &Values::new(), Some(&mut nobody)).is_ok());
    assert_eq!(nobody.1, 0);
}

#[test]
fn the_environment_is_asked_for_declared_names_only() {
    // Cargo sets this one for tests.
    let values = Values::from_environment(&[variable("CARGO_MANIFEST_DIR", "")]);
    assert_eq!(values.get("CARGO_MANIFEST_DIR"), Some(env!("CARGO_MANIFEST_DIR")));
    assert_eq!(values.get("PATH"), None);
}
