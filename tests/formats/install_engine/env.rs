//! Collecting variables: what the reference answered, and what it does not say.

use std::collections::BTreeMap;

use install_manifest::EnvVar;
use install_manifest::engine::env::{Collection, EnvError, Next, Options, Reply, prompts};
use manifest_core::Profile;
use serde_json::Value;

/// Runs a case: the values or the error, and what was shown.
fn collect(case: &Value, profile: Profile) -> (Result<BTreeMap<String, String>, String>, String) {
    let text = |spec: &Value, name: &str| spec[name].as_str().map(|text| text.to_owned().into());
    let specs = case["specs"].as_array().unwrap().iter().map(|spec| EnvVar {
        name: text(spec, "name").unwrap(),
        prompt: text(spec, "prompt").unwrap(),
        secret: spec["secret"].as_bool().unwrap(),
        required: spec["required"].as_bool(),
        validation_regex: text(spec, "validation_regex"),
        default: text(spec, "default"),
        obtain_url: None,
    });
    let specs: Vec<_> = specs.collect();
    let source = |name: &'static str| {
        let values = case[name].clone();
        move |variable: &str| values[variable].as_str().map(str::to_owned)
    };
    let stdin = case["stdin"].as_str();
    let mut lines = stdin.unwrap_or_default().lines();
    let mut shown = String::new();
    let options = Options { interactive: stdin.is_some(), profile, ..Options::default() };
    let mut run = || -> Result<_, EnvError> {
        let environment = source("process_env");
        let mut collection = Collection::new(&specs, &source("overrides"), &environment, &options)?;
        loop {
            match collection.next()? {
                Next::Ask(prompt) => {
                    shown += &prompt.to_string();
                    let line = lines.next().map_or(Reply::Closed, Reply::Text);
                    collection.reply(line)?;
                }
                Next::Done(values) => return Ok(values),
            }
        }
    };
    let result = run().map_err(|error| format!("EnvCollectionError: {error}"));
    let owned = |(name, value): (&str, &install_manifest::engine::env::Sensitive)| {
        (name.to_owned(), value.expose().to_owned())
    };
    (result.map(|values| values.iter().map(owned).collect()), shown)
}

#[test]
fn what_the_reference_answered() {
    let mut lines = 0;
    for line in include_str!("../../fixtures/install-engine/collect-env.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        for profile in [Profile::Reference, Profile::Spec] {
            let (result, shown) = collect(&case, profile);
            match (result, case["error"].as_str()) {
                (Ok(values), None) => {
                    assert_eq!(serde_json::to_value(values).unwrap(), case["values"], "{line}");
                }
                (Err(error), Some(expected)) => assert_eq!(error, expected, "{line}"),
                (result, _) => panic!("{line}: {result:?}"),
            }
            assert_eq!(shown, case["stdout"].as_str().unwrap(), "{line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 13);
}

fn case(spec: &Value, value: Option<&str>, stdin: Option<&str>) -> Value {
    serde_json::json!({"specs": [spec], "overrides": {"A": value}, "process_env": {}, "stdin": stdin})
}

#[test]
fn where_the_readings_differ() {
    use serde_json::json;
    let unanchored = case(
        &json!({"name": "A", "prompt": "p", "secret": false, "validation_regex": "[0-9]+"}),
        Some("12a"),
        None,
    );
    assert!(collect(&unanchored, Profile::Spec).0.is_ok());
    assert!(collect(&unanchored, Profile::Reference).0.is_err());

    let secret =
        case(&json!({"name": "A", "prompt": "p", "secret": true, "default": "d"}), None, None);
    assert!(collect(&secret, Profile::Spec).0.is_err(), "the default of a secret is none");
    assert!(collect(&secret, Profile::Reference).0.is_ok());

    // An empty pattern is none: matched against the whole value, it would take no value.
    let empty = case(
        &json!({"name": "A", "prompt": "p", "secret": false, "validation_regex": ""}),
        Some("12a"),
        None,
    );
    assert!(collect(&empty, Profile::Spec).0.is_ok());
    assert!(collect(&empty, Profile::Reference).0.is_ok());
}

/// Names and sources can be recorded; values are not among them.
#[test]
fn where_values_came_from() {
    let variable = |name: &'static str, default: Option<&'static str>| EnvVar {
        name: name.into(),
        prompt: "p".into(),
        default: default.map(Into::into),
        required: Some(name != "F"),
        ..EnvVar::default()
    };
    let variables = [
        variable("A", Some("x")),
        variable("B", Some("x")),
        variable("C", Some("x")),
        variable("D", None),
        variable("F", None),
    ];
    let given = |name: &str| (name == "A").then(|| "1".to_owned());
    let environment = |name: &str| (name < "C").then(|| "2".to_owned());
    let options = Options::default();
    let mut collection = Collection::new(&variables, &given, &environment, &options).unwrap();
    for answer in ["3", ""] {
        assert!(matches!(collection.next().unwrap(), Next::Ask(_)));
        collection.reply(Reply::Text(answer)).unwrap();
    }
    assert!(matches!(collection.next().unwrap(), Next::Done(_)));
    let sources: Vec<_> = collection
        .sources()
        .iter()
        .map(|(name, source)| (name.as_str(), source.as_str()))
        .collect();
    let expected = [("A", "given"), ("B", "environment"), ("C", "default"), ("D", "user")];
    assert_eq!(sources, expected);
}

#[test]
fn what_is_refused() {
    use serde_json::json;
    let spec = |regex: &str, required: bool| {
        json!({"name": "A", "prompt": "p", "secret": true, "required": required,
            "validation_regex": regex})
    };
    // A pattern that cannot be used is an error, also without a value.
    for regex in ["(", "(?=x)", "(?i)a", "a{1000}{1000}"] {
        let (result, shown) = collect(&case(&spec(regex, false), None, Some("x\n")), Profile::Spec);
        assert!(result.unwrap_err().starts_with("EnvCollectionError: A: "), "{regex}");
        assert_eq!(shown, "", "nobody is asked");
    }
    // An optional value that does not match is an error when nobody can be asked.
    let (result, _) = collect(&case(&spec("^x$", false), Some("hunter2"), None), Profile::Spec);
    let error = result.unwrap_err();
    assert_eq!(error, "EnvCollectionError: A: value does not match expected pattern");
    // A NUL ends the text for the system.
    let plain = json!({"name": "A", "prompt": "p", "secret": false});
    assert!(collect(&case(&plain, Some("a\0b"), None), Profile::Spec).0.is_err());
    // Texts of strangers do not reach the terminal as they are.
    let loud = json!({"name": "A", "prompt": "p\u{1b}[2J\n", "secret": false});
    let (_, shown) = collect(&case(&loud, None, Some("x\n")), Profile::Spec);
    assert_eq!(shown, "p\\u{1b}[2J\\u{a}: ");
}

#[test]
fn secrets_are_masked_everywhere() {
    let specs = [EnvVar {
        name: "API_KEY".into(),
        prompt: "p".into(),
        secret: true,
        validation_regex: Some("^hunter[0-9]$".into()),
        ..EnvVar::default()
    }];
    let given = |_: &str| Some("hunter2".to_owned());
    let mut collection = Collection::new(&specs, &given, &|_| None, &Options::default()).unwrap();
    super::is_masked(&format!("{collection:?}"));
    let next = collection.next().unwrap();
    super::is_masked(&format!("{next:?} {collection:?}"));
    let Next::Done(values) = next else { panic!("done") };
    super::is_masked(&serde_json::to_string(&values).unwrap());
    assert_eq!(serde_json::to_string(&values).unwrap(), r#"{"API_KEY":"<secret, 7 chars>"}"#);
    super::is_masked(&format!("{:?}", Reply::Text("hunter2")));
    let mut collection =
        Collection::new(&specs, &|_| None, &|_| None, &Options::default()).unwrap();
    assert_eq!(collection.reply(Reply::Text("hunter2")), Err(EnvError::NotAsked));
}

#[test]
fn the_plan_of_prompts() {
    let variable = |name: &'static str, secret, default: Option<&'static str>| EnvVar {
        name: name.into(),
        prompt: "p".into(),
        secret,
        default: default.map(Into::into),
        ..EnvVar::default()
    };
    let variables = [
        variable("A", true, Some("x")),
        variable("B", false, Some("x")),
        variable("C", false, None),
    ];
    let names: Vec<_> = prompts(&variables).into_iter().map(|prompt| prompt.name).collect();
    assert_eq!(names, ["A", "C"]);
}

/// The texts that the README names as ours, because no vector tells the reference's.
#[test]
fn the_words_that_are_ours() {
    use serde_json::json;
    let spec = |regex: &str, prompt: &str| {
        json!({"name": "A", "prompt": prompt, "secret": false,
        "validation_regex": regex})
    };
    let error = |spec: &Value, value: &str| {
        collect(&case(spec, Some(value), None), Profile::Spec).0.unwrap_err()
    };
    let mismatch = error(&spec("^x$", "p"), "hunter2");
    assert_eq!(mismatch, "EnvCollectionError: A: value does not match expected pattern");
    let unusable = error(&spec("[unclosed", "p"), "x");
    assert!(unusable.starts_with("EnvCollectionError: A: ") && unusable.len() < 300, "{unusable}");
    let (_, shown) = collect(&case(&spec("^x$", "a\u{1b}[2Jb"), None, Some("x\n")), Profile::Spec);
    assert!(!shown.contains('\u{1b}') && shown.starts_with('a'), "{shown}");
    let long = format!("^{}$", "x".repeat(500));
    let (_, shown) = collect(&case(&spec(&long, "p"), None, Some("y\ny\n")), Profile::Spec);
    assert!(shown.contains("! value does not match expected pattern (^xxx"), "{shown}");
    assert!(!shown.contains(&long), "{shown}");
    let options = Options::default();
    let mut collection = Collection::new(&[], &|_| None, &|_| None, &options).unwrap();
    assert_eq!(collection.reply(Reply::Closed).unwrap_err().to_string(), "nothing was asked");
}
