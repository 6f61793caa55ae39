//! What must hold for every manifest, also for those that nobody validated.

use call::{End, Grant, HostFacts, Judge, Outcome, Policy, Program, Server, Step};
use install_manifest::engine::acquire::{self, InstallHost};
use install_manifest::engine::consent::Summary;
use install_manifest::engine::diff::{Diff, diff};
use install_manifest::engine::env::{Collection, Next, Options, Reply};
use install_manifest::engine::{revoke, smoke};
use install_manifest::testkit::{generate, mutate};
use install_manifest::{FORMAT, Manifest};
use manifest_core::format::Contract;
use manifest_core::json::Document;
use manifest_core::{Limits, ToolDescriptor};
use testkit::Rng;
use toolglot_tests::on_a_small_stack;

/// Runs something with valid and with broken manifests, on a small stack.
fn each(run: fn(&Manifest<'_>, &[ToolDescriptor<'_>])) {
    let work = move || {
        let mut read = 0;
        for seed in 0..200 {
            let rng = &mut Rng::new(seed);
            let valid = generate(rng, 3);
            let mutant = mutate(&valid, rng);
            for text in [valid, mutant] {
                let document = Document::parse(text.as_bytes(), &Limits::default());
                let manifest = document.as_ref().ok().and_then(Manifest::read);
                read += usize::from(manifest.is_some());
                if let (Ok(document), Some(manifest)) = (&document, manifest) {
                    run(&manifest, &FORMAT.lift_valid(document, 0).tools);
                }
            }
        }
        assert!(read > 250, "only {read} manifests could be read");
    };
    on_a_small_stack(work);
}

/// The value of a secret is known by its first word.
fn value(secret: bool) -> &'static str {
    if secret { "hunter2 x" } else { "public" }
}

/// A secret is in headers, bodies and the environment, and nowhere else.
fn discreet(manifest: &Manifest<'_>, step: &Step) {
    let secret = |name: &str| manifest.env.iter().any(|one| one.name == name && one.secret);
    let given = |name: &str| Some(value(secret(name)));
    let argv = |program: &Program| {
        for word in &program.argv {
            let word = word.fill(&given).unwrap();
            assert!(!word.contains("hunter2") && !word.contains('\0'), "{word:?}");
        }
    };
    match step {
        Step::Run(program) => argv(program),
        Step::Send(request) => {
            if let Ok(url) = request.fill_url(&given) {
                assert!(!url.contains("hunter2"));
                assert!(url.chars().all(|c| !c.is_control() && !c.is_whitespace()));
            }
            for (name, value) in &request.headers {
                let text = format!("{name}: {}", value.fill(&given).unwrap());
                assert!(!text.contains(['\r', '\n', '\0']), "{text:?}");
            }
        }
        Step::CallTool(call) => {
            if let Server::Stdio(program) = &call.server {
                argv(program);
            }
        }
        Step::Ask(_) => {}
        other => panic!("{other:?}"),
    }
    // There is no value in a plan at all.
    super::is_masked(&format!("{step:?}"));
    super::is_masked(&serde_json::to_string(step).unwrap());
}

#[test]
fn plans_keep_secrets() {
    each(|manifest, tools| {
        let limits = Limits::default();
        let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
        let facts = HostFacts { has_value: &|_| true, ..HostFacts::new(&policy) };
        for tool in tools {
            for text in ["{}", r#"{"a": "${env.API_KEY}\r\n", "to": "../..", "b": 1}"#] {
                // Whatever the schema takes, templates are filled.
                let open = ToolDescriptor { input_schema: None, ..tool.clone() };
                let contract = Contract { extra_arguments: "passed on", ..(FORMAT.contract)(tool) };
                for tool in [tool, &open] {
                    match call::plan(tool, &contract, text, &facts, &limits).ready() {
                        Ok(plan) => discreet(manifest, &plan.step),
                        Err(refused) => super::is_masked(&format!("{refused:?}")),
                    }
                }
            }
        }
        match smoke::plan(manifest, tools, &|_| true, &smoke::Options::default()) {
            Ok(plan) => discreet(manifest, &plan.step),
            Err(problems) => super::is_masked(&format!("{problems:?}")),
        }
        match revoke::plan(manifest, tools, &|_| true) {
            Ok(found) => found.plan.iter().for_each(|plan| discreet(manifest, &plan.step)),
            Err(problem) => super::is_masked(&problem.to_string()),
        }
    });
}

#[test]
fn every_outcome_is_judged() {
    each(|manifest, tools| {
        let secret = |name: &str| manifest.env.iter().any(|one| one.name == name && one.secret);
        let texts =
            ["", "{}", "[", r#"{"error": {"code": "x", "message": "hunter2"}}"#, "{\"a\":1}\n5"];
        for text in texts {
            let bytes = text.as_bytes().to_vec();
            let (garbage, signal) =
                (b"\xff".to_vec(), End::Signal { number: 9, core_dumped: true });
            for outcome in [
                Outcome::Exited {
                    end: End::Exit(0),
                    stdout: bytes.clone(),
                    stderr: garbage.clone(),
                },
                Outcome::Exited { end: signal, stdout: garbage.clone(), stderr: bytes.clone() },
                Outcome::Responded { status: 200, body: bytes.clone() },
                Outcome::Responded { status: 999, body: garbage.clone() },
                Outcome::Returned(text.to_owned()),
                Outcome::TimedOut,
                Outcome::NotDone("no network".to_owned()),
                Outcome::Lost("gone".to_owned()),
                Outcome::TooMuch { limit: 7 },
                Outcome::Done,
            ] {
                let options = smoke::Options::default();
                let value = |name: &str| Some(value(secret(name)));
                let verdict = smoke::judge(manifest, &outcome, &value, &options);
                super::is_masked(&format!("{verdict:?}"));
                for tool in tools.iter().take(2) {
                    // Whatever it is, it is an answer or a failure.
                    let judge = Judge::for_tool(tool, &(FORMAT.contract)(tool));
                    drop(judge.judge(&outcome, &Limits::default()));
                }
                drop(revoke::judge(&outcome));
            }
        }
    });
}

#[test]
fn installations_and_summaries_are_plain() {
    each(|manifest, _| {
        if let Ok(found) = acquire::plan(manifest, &InstallHost::new("/srv/t")) {
            for plan in &found.plans {
                if let Step::Run(program) = &plan.step {
                    let words: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
                    let control = |part: &String| part.chars().any(char::is_control);
                    assert!(!words.iter().any(control), "{words:?}");
                }
            }
        }
        let summary = Summary::new(manifest);
        for text in [summary.text(), summary.markdown()] {
            assert!(text.chars().all(|c| c == '\n' || manifest_core::is_plain(c)), "{text:?}");
        }
    });
}

#[test]
fn collecting_ends() {
    each(|manifest, _| {
        let options = Options { interactive: true, ..Options::default() };
        let none = |_: &str| None;
        let Ok(mut collection) = Collection::new(&manifest.env, &none, &none, &options) else {
            return;
        };
        let mut asked = 0;
        while let Ok(Next::Ask(prompt)) = collection.next() {
            assert!(prompt.to_string().chars().all(|c| c == '\n' || manifest_core::is_plain(c)));
            asked += 1;
            assert!(asked <= 3 * manifest.env.len());
            if collection.reply(Reply::Text("hunter2")).is_err() {
                break;
            }
        }
    });
}

#[test]
fn no_change_goes_unseen() {
    each(|manifest, _| {
        assert_eq!(diff(manifest, manifest, &Limits::default()), Diff::default());
    });
    for seed in 0..300 {
        let rng = &mut Rng::new(seed);
        let old = generate(rng, 3);
        let new = mutate(&old, rng);
        let limits = Limits::default();
        let (Ok(old), Ok(new)) =
            (Document::parse(old.as_bytes(), &limits), Document::parse(new.as_bytes(), &limits))
        else {
            continue;
        };
        let (Some(before), Some(after)) = (Manifest::read(&old), Manifest::read(&new)) else {
            continue;
        };
        let (a, b) = (before.to_json(), after.to_json());
        let (a, b) = (
            Document::parse(a.as_bytes(), &limits).unwrap(),
            Document::parse(b.as_bytes(), &limits).unwrap(),
        );
        let same = a.root().same_value(b.root());
        let found = diff(&before, &after, &limits);
        assert_eq!(found.changes.is_empty(), same, "seed {seed}: {found:?}");
    }
}
