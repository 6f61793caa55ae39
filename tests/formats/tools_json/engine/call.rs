//! What is run for a call.

use std::collections::BTreeMap;
use std::time::Duration;

use call::{Plan, Program, Step};
use proptest::prelude::*;
use tools_json::{Audit, Host, Redaction, ResolveError, Run, Timeouts, Tool};

use super::{POSIX, restated, tool};

const HOST: Host<'_> = Host { location: POSIX, timeouts: Timeouts { tool: None, fallback: None } };

fn program(plan: &Plan) -> &Program {
    match &plan.step {
        Step::Run(program) => program,
        step => panic!("{step:?}"),
    }
}

fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "PATH",
            "path",
            " Path ",
            "HOME",
            "TZ",
            "tz",
            "\u{a0}TZ",
            "\u{200b}TZ",
            "ſ",
            "ı",
            "ß",
            "ﬁ",
            "K",
            "1A",
            "A1",
            "_",
            "",
            " ",
            "A-B",
            "A\n",
        ])
        .prop_map(str::to_owned),
        "[A-Z_]{0,2}",
        "\\PC{0,3}",
    ]
}

proptest! {
    #[test]
    fn the_environment_is_the_reference_s(
        asked in prop::collection::vec(names(), 0..8),
        there in prop::collection::btree_map("PATH|HOME|TZ|S|I|_|[A-C]", "|v|w", 0..8),
    ) {
        let tool = Tool { env_passthrough: asked.iter().map(Into::into).collect(), ..tool("/x") };
        let environment = |name: &str| there.get(name).map(String::as_str);
        let plan = tool.plan("", &HOST).unwrap();
        let has = |name: &str| there.contains_key(name);
        let run = Run {
            end: Duration::ZERO, duration: Duration::ZERO, cwd: "/", truncated: false, has_variable: &has,
        };
        let audit = Audit::new(&plan, &call::Outcome::TimedOut, &run, &Redaction::default());

        // A list of assignments, of which the later ones win.
        let mut assigned: Vec<(String, String)> = Vec::new();
        for name in ["PATH", "HOME"] {
            if let Some(value) = there.get(name).filter(|value| !value.is_empty()) {
                assigned.push((name.to_owned(), value.clone()));
            }
        }
        let mut keys: Vec<String> = Vec::new();
        for name in asked.iter().filter_map(|name| restated::env_name(name)) {
            if let Some(value) = there.get(&name).filter(|_| !keys.contains(&name)) {
                keys.push(name.clone());
                assigned.push((name, value.clone()));
            }
        }
        prop_assert_eq!(&audit.env_keys, &keys);
        let expected: BTreeMap<String, String> = assigned.into_iter().collect();
        let found = program(&plan).environment(&environment, &environment);
        let found: BTreeMap<String, String> =
            found.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn arguments_are_passed_on_to_the_byte(arguments in "\\PC{0,40}|[ \n]{0,3}") {
        let tool = tool("/x");
        let plan = tool.plan(&arguments, &HOST).unwrap();
        let stdin = program(&plan).stdin.as_deref();
        if arguments.chars().all(restated::is_space) {
            prop_assert_eq!(stdin, Some("{}"));
        } else {
            prop_assert_eq!(stdin, Some(arguments.as_str()));
        }
    }
}

#[test]
fn the_tool_s_time_out_wins_and_there_is_always_one() {
    let seconds = Duration::from_secs;
    let timeouts = |tool, any| Timeouts { tool, fallback: any };
    for (own, defaults, expected) in [
        (Some(5), timeouts(Some(seconds(7)), None), 5),
        (Some(0), timeouts(Some(seconds(7)), Some(seconds(8))), 7),
        (Some(-1), timeouts(None, Some(seconds(8))), 8),
        (None, timeouts(Some(Duration::ZERO), Some(seconds(8))), 8),
        (None, timeouts(None, Some(Duration::ZERO)), 30),
        (None, Timeouts::default(), 30),
        (Some(i64::MAX), Timeouts::default(), i64::MAX.unsigned_abs()),
    ] {
        let tool = Tool { timeout_sec: own, ..tool("/x") };
        let host = Host { timeouts: defaults, ..HOST };
        // No clock counts further.
        let expected = u64::try_from(seconds(expected).as_millis()).unwrap_or(u64::MAX);
        assert_eq!(tool.plan("", &host).unwrap().timeout_ms, Some(expected));
    }
}

#[test]
fn secrets_do_not_show() {
    let tool = Tool { env_passthrough: vec!["API_KEY".into()], ..tool("/x") };
    let plan = tool.plan(r#"{"password":"hunter2"}"#, &HOST).unwrap();
    let shown = format!("{plan:?}");
    assert!(shown.contains("API_KEY"));
    assert!(!shown.contains("hunter2"));
}

#[test]
fn a_tool_that_leaves_its_folder_is_not_planned() {
    let tool = tool("./tools/bin/../../x");
    let refused = tool.plan("{}", &HOST).unwrap_err();
    assert!(matches!(refused, ResolveError::Outside(_)), "{refused}");
}
