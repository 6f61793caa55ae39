//! Values: where they come from, and that nobody sees them.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use call::Variable;
use toolglot_host::{AskValue, FileError, Resolvers, ValueError, Values, collect};

use crate::support::script;

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
    let own = Values::from_file(&file("own-names", 0o644, "_A=1\n"), &[variable("_A", "")]);
    assert_eq!(own.unwrap().get("_A"), Some("1"));
    for wrong in ["2A=1\n", "A-B=1\n", "=1\n", "A\n", "A=1\nA=2\n"] {
        let error = Values::from_file(&file("wrong", 0o644, wrong), &variables).unwrap_err();
        assert!(matches!(error, FileError::Line(_)), "{wrong:?}: {error}");
    }
    let gone = Values::from_file(&PathBuf::from("/nowhere/at/all"), &variables).unwrap_err();
    assert!(matches!(gone, FileError::Io(_)));
}

#[test]
fn what_is_put_in_later_wins() {
    let (mut values, mut more) = (Values::new(), Values::new());
    values.set("A", "1");
    values.set("B", "1");
    more.set("B", "2");
    values.extend(more);
    assert_eq!((values.get("A"), values.get("B")), (Some("1"), Some("2")));
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
    let error = Values::from_file(&long, &[]).unwrap_err();
    assert!(matches!(error, FileError::TooLarge));
    assert_eq!(error.to_string(), "the file has more than 1048576 bytes");
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
    let found: Vec<_> = problems.iter().map(|one| (one.name.as_str(), &one.error)).collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(found[0], ("A", &ValueError::Missing));
    assert_eq!(found[1], ("C", &ValueError::Mismatch("^c+$".to_owned())));
    assert!(matches!(found[2], ("E", ValueError::Pattern(_))));

    given.set("A", "a");
    given.set("C", "cc");
    let values = collect(&variables[..4], &given, None).unwrap();
    assert_eq!(values.get("B"), Some("b"), "the default");
    assert_eq!(values.get("D"), None);
}

struct Person(Vec<&'static str>, usize);

impl AskValue for Person {
    fn ask(&mut self, _: &Variable, before: Option<&ValueError>) -> Option<String> {
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
    assert!(matches!(problems[0].error, ValueError::Mismatch(_)));
    assert_eq!(stubborn.1, 3);

    let mut absent = Person(vec![], 0);
    let problems = collect(&asked, &Values::new(), Some(&mut absent)).unwrap_err();
    assert_eq!(problems[0].error, ValueError::Missing);
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

/// A secret with a place that a manifest names.
fn kept(name: &str, place: &str) -> Variable {
    Variable { reference: Some(place.to_owned()), ..secret(name) }
}

async fn resolved(program: &str, asked: &[Variable], values: &mut Values) -> Result<(), String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("values-resolver-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    script(&path, &format!("#!/bin/sh\n{program}\n"));
    let resolvers = Resolvers::parse([format!("vault={}", path.display()).as_str()]).unwrap();
    resolvers.resolve(asked, values).await.map_err(|why| why.to_string())
}

#[tokio::test]
async fn a_reference_is_followed_by_the_program_that_the_user_names() {
    let asked = [
        kept("TOKEN", "vault://kv/github#token"),
        kept("KNOWN", "vault://kv/known"),
        kept("OTHER", "aws://prod/other"),
        kept("FORGED", "vault://kv/a\nvault://kv/b"),
        secret("PLAIN"),
    ];
    let mut values = Values::new();
    values.set("KNOWN", "given");
    // The word is all that others can see of it.
    let program = r#"[ "$*" = get ] && read -r place && printf 'value of %s\n' "$place""#;
    resolved(program, &asked, &mut values).await.unwrap();
    assert_eq!(values.get("TOKEN"), Some("value of vault://kv/github#token"));
    assert_eq!(values.get("KNOWN"), Some("given"), "nobody is asked for what is there");
    for name in ["OTHER", "FORGED", "PLAIN"] {
        assert_eq!(values.get(name), None, "{name}");
    }
}

#[tokio::test]
async fn a_resolver_that_fails_is_told_without_what_it_printed() {
    let asked = [kept("TOKEN", "vault://kv/github#token")];
    for (program, why) in [
        ("echo s3cret; echo s3cret >&2; exit 7", "exit code 7"),
        ("exit 0", "no value"),
        ("yes s3cret", "more than 65536 bytes"),
        (r"printf '\377'", "not UTF-8"),
        ("kill -9 $$", "did not end by itself"),
    ] {
        let mut values = Values::new();
        let told = resolved(program, &asked, &mut values).await.unwrap_err();
        assert!(told.contains(why) && told.contains("\"TOKEN\""), "{program}: {told}");
        assert!(!told.contains("s3cret"), "{told}");
        assert!(!values.has("TOKEN"));
    }
    let gone = Resolvers::parse(["vault=./no-such-program"]).unwrap();
    let told = gone.resolve(&asked, &mut Values::new()).await.unwrap_err().to_string();
    assert!(told.contains("cannot be run"), "{told}");
}

#[test]
fn resolvers_are_named_by_scheme() {
    for wrong in ["vault", "=x", "vault=", "a b=x", "1a=x"] {
        assert!(Resolvers::parse([wrong]).is_err(), "{wrong}");
    }
    assert!(Resolvers::parse(["vault=a", "VAULT=b"]).is_err(), "two for one scheme");
    let resolvers = Resolvers::parse(["vault=a"]).unwrap();
    assert!(resolvers.supports("VAULT://kv/x"));
    for other in ["vault:kv/x", "vault://", "vaults://x", "x"] {
        assert!(!resolvers.supports(other), "{other}");
    }
}
