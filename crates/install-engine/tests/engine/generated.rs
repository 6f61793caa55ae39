//! What must hold for every manifest, also for those that nobody validated.

use install_engine::acquire::{self, Host};
use install_engine::consent::Summary;
use install_engine::diff::{Diff, diff};
use install_engine::env::{Collection, Next, Options, Reply, Sensitive, Values};
use install_engine::invoke::{self, Input, Schemas};
use install_engine::plan::{Outcome, Server, Step};
use install_engine::{revoke, smoke};
use install_manifest::testkit::{generate, mutate};
use install_manifest::{Action, Manifest};
use manifest_core::Limits;
use manifest_core::json::Document;
use testkit::Rng;

/// Runs something with valid and with broken manifests, on a small stack.
fn each(run: fn(&Manifest<'_>)) {
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
                if let Some(manifest) = manifest {
                    run(&manifest);
                }
            }
        }
        assert!(read > 250, "only {read} manifests could be read");
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap();
    thread.join().unwrap();
}

/// A value for every variable; those of secrets are known by their first word.
fn values(manifest: &Manifest<'_>) -> Values {
    let mut values = Values::default();
    for variable in &manifest.env {
        let value = if variable.secret {
            Sensitive::secret(format!("hunter2 {}", variable.name))
        } else {
            Sensitive::public("public")
        };
        values.insert(variable.name.as_ref(), value);
    }
    values
}

/// A secret is in headers, bodies and the environment, and nowhere else.
fn discreet(step: &Step) {
    let argv = |argv: &[String]| {
        assert!(
            argv.iter().all(|part| !part.contains("hunter2") && !part.contains('\0')),
            "{argv:?}"
        );
    };
    match step {
        Step::Run(program) => argv(&program.argv),
        Step::Send(request) => {
            assert!(!request.url.contains("hunter2"));
            assert!(request.url.chars().all(|c| !c.is_control() && !c.is_whitespace()));
            for (name, value) in &request.headers {
                let text = format!("{name}: {}", value.expose());
                assert!(!text.contains(['\r', '\n', '\0']), "{text:?}");
            }
        }
        Step::CallTool(call) => {
            if let Server::Stdio(program) = &call.server {
                argv(&program.argv);
            }
        }
    }
    crate::is_masked(&format!("{step:?}"));
    crate::is_masked(&serde_json::to_string(step).unwrap());
}

#[test]
fn plans_keep_secrets() {
    each(|manifest| {
        let (values, limits) = (values(manifest), Limits::default());
        for action in &manifest.actions {
            for text in ["{}", r#"{"a": "${env.API_KEY}\r\n", "to": "../..", "b": 1}"#] {
                let checked = Schemas::compile(action, &limits).and_then(|all| all.input(text));
                let input =
                    checked.or_else(|_| Input::unchecked(text, &limits).map_err(|e| vec![e]));
                match invoke::plan(manifest, action, &input.unwrap(), &values, &limits) {
                    Ok(plan) => discreet(&plan.step),
                    Err(problems) => crate::is_masked(&format!("{problems:?}")),
                }
            }
        }
        match smoke::plan(manifest, &values, &smoke::Options::default()) {
            Ok(plan) => discreet(&plan.step),
            Err(problems) => crate::is_masked(&format!("{problems:?}")),
        }
        match revoke::plan(&manifest.kill_switch, &manifest.env, &values) {
            Ok(plan) => {
                crate::is_masked(&format!("{plan:?} {}", serde_json::to_string(&plan).unwrap()));
            }
            Err(problem) => crate::is_masked(&problem.to_string()),
        }
    });
}

#[test]
fn every_outcome_is_judged() {
    each(|manifest| {
        let values = values(manifest);
        let ready = |action| Some((action, Schemas::compile(action, &Limits::default()).ok()?));
        let actions: Vec<(&Action<'_>, Schemas)> =
            manifest.actions.iter().take(2).filter_map(ready).collect();
        let texts =
            ["", "{}", "[", r#"{"error": {"code": "x", "message": "hunter2"}}"#, "{\"a\":1}\n5"];
        for text in texts {
            let bytes = text.as_bytes();
            for outcome in [
                Outcome::Exited { code: Some(0), stdout: bytes, stderr: b"\xff" },
                Outcome::Exited { code: None, stdout: b"\xff", stderr: bytes },
                Outcome::Responded { status: 200, body: bytes },
                Outcome::Responded { status: 999, body: b"\xff" },
                Outcome::Returned { result: text },
                Outcome::TimedOut,
                Outcome::NotDone("no network"),
            ] {
                let verdict = smoke::judge(manifest, &outcome, &values, &smoke::Options::default());
                crate::is_masked(&format!("{verdict:?}"));
                for (action, schemas) in &actions {
                    // Whatever it is, it is an answer or a failure.
                    drop(schemas.judge(action, &outcome));
                }
                drop(revoke::judge(&outcome));
            }
        }
    });
}

#[test]
fn installations_and_summaries_are_plain() {
    each(|manifest| {
        let runtime = &manifest.runtime;
        if let Ok(plan) = acquire::plan(&runtime.install, runtime.kind, &Host::new("/srv/t")) {
            for step in &plan.steps {
                if let acquire::Step::Run { argv, .. } = step {
                    let control = |part: &String| part.chars().any(char::is_control);
                    assert!(!argv.iter().any(control), "{argv:?}");
                }
            }
        }
        let summary = Summary::of(manifest);
        for text in [summary.text(), summary.markdown()] {
            assert!(text.chars().all(|c| c == '\n' || manifest_core::is_plain(c)), "{text:?}");
        }
    });
}

#[test]
fn collecting_ends() {
    each(|manifest| {
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
    each(|manifest| {
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
