//! Programs that do what they should.

use call::{End, Outcome, PlaceholderPosition, Program, ProgramSearch, Step, Template};
use disk::store::Prefix;
use toolglot_host::{Origin, Values};

use crate::support::{LONG, folder, host, program, run, script, sh};

fn exited(outcome: Outcome) -> (End, String, String) {
    match outcome {
        Outcome::Exited { end, stdout, stderr } => {
            (end, String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
        }
        other => panic!("{other:?}"),
    }
}

fn printed(outcome: Outcome) -> String {
    let (end, stdout, stderr) = exited(outcome);
    assert_eq!((end, stderr.as_str()), (End::Exit(0), ""));
    stdout
}

/// Row T24 of the catalogue of attacks.
#[tokio::test]
async fn a_program_gets_its_arguments_as_they_are() {
    let odd = ["; rm -rf /", "$(id)", "*", "a b", "", "'\"\\", "-n"];
    let argv: Vec<&str> = ["printf", "%s|"].into_iter().chain(odd).collect();
    assert_eq!(printed(run(program(&argv)).await), format!("{}|", odd.join("|")));
}

#[tokio::test]
async fn the_environment_is_exact() {
    let mut values = Values::new();
    values.set("KEY", "s3cret");
    values.set("OTHER", "not for this one");
    let step = Step::Run(Program {
        inherit: vec!["PATH".to_owned(), "NO_SUCH_VARIABLE".to_owned()],
        variables: vec!["KEY".to_owned(), "UNSET".to_owned()],
        ..program(&["env"])
    });
    let outcome = host().run_unchecked(&step, &Origin::default(), &values, LONG).await;
    let printed = printed(outcome);
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    let path = format!("PATH={}", std::env::var("PATH").unwrap());
    assert_eq!(lines, ["KEY=s3cret", &path]);
}

#[tokio::test]
async fn input_is_written_while_output_is_read() {
    // More than any pipe holds.
    let input = "0123456789abcdef".repeat(60_000);
    let outcome = run(Program { stdin: Some(input.clone()), ..program(&["cat"]) }).await;
    assert!(printed(outcome) == input);
    // Nobody has to read it.
    let outcome = run(Program { stdin: Some(input), ..program(&["true"]) }).await;
    assert_eq!(printed(outcome), "");
    // Without input, there is an end of it at once.
    assert_eq!(printed(run(program(&["cat"])).await), "");
}

#[tokio::test]
async fn the_end_of_a_program_is_told() {
    let (end, _, stderr) = exited(run(sh("echo no >&2; exit 7")).await);
    assert_eq!((end, stderr.as_str()), (End::Exit(7), "no\n"));
    let (end, ..) = exited(run(sh("kill -9 $$")).await);
    assert_eq!(end, End::Signal { number: 9, core_dumped: false });
    let (end, ..) = exited(run(sh("kill -15 $$")).await);
    assert_eq!(end, End::Signal { number: 15, core_dumped: false });
}

#[tokio::test]
async fn a_hole_is_filled_and_a_missing_value_starts_nothing() {
    let mut word = Template::from("--region=");
    word.push_placeholder("REGION", PlaceholderPosition::Plain);
    let step = Step::Run(Program { argv: vec!["echo".into(), word], ..program(&[]) });
    let mut values = Values::new();
    let outcome = host().run_unchecked(&step, &Origin::default(), &values, LONG).await;
    assert!(matches!(outcome, Outcome::NotDone(why) if why.contains("REGION")));
    values.set("REGION", "eu; ls");
    let outcome = host().run_unchecked(&step, &Origin::default(), &values, LONG).await;
    assert_eq!(printed(outcome), "--region=eu; ls\n");
}

#[tokio::test]
async fn programs_are_found_where_they_should_be_and_nowhere_else() {
    let root = folder("programs");
    let within = root.join("manifest");
    script(&within.join("tools/bin/hello"), "#!/bin/sh\necho hello from \"$0\"\n");
    script(&root.join("outside"), "#!/bin/sh\necho outside\n");
    std::os::unix::fs::symlink("../../../outside", within.join("tools/bin/link")).unwrap();
    std::os::unix::fs::symlink("hello", within.join("tools/bin/alias")).unwrap();
    std::os::unix::fs::symlink("../..", within.join("tools/up")).unwrap();
    let origin = Origin::folder(&within);
    let find = async |name: &str, base: ProgramSearch| {
        let step = Step::Run(Program { base, ..program(&[name]) });
        host().run_unchecked(&step, &origin, &Values::new(), LONG).await
    };
    let hello = within.join("tools/bin/hello");
    let found = printed(find("./tools/bin/hello", ProgramSearch::Folder).await);
    assert_eq!(found.trim_end(), format!("hello from {}", hello.display()));
    // A link that stays within is as good, and the program sees the name it is called by.
    assert!(
        printed(find("tools/bin/alias", ProgramSearch::Folder).await).contains("tools/bin/alias")
    );
    let absolute = find(hello.to_str().unwrap(), ProgramSearch::System).await;
    assert!(printed(absolute).starts_with("hello"));

    for (name, base) in [
        ("../outside", ProgramSearch::Folder),
        ("./tools/../../outside", ProgramSearch::Folder),
        ("./tools/bin/link", ProgramSearch::Folder),
        ("tools/up/outside", ProgramSearch::Folder),
        ("./tools/bin/none", ProgramSearch::Folder),
        // Bare names are never found in a folder that came with the manifest.
        ("hello", ProgramSearch::Folder),
        ("hello", ProgramSearch::SearchPath),
        ("hello", ProgramSearch::System),
        ("", ProgramSearch::SearchPath),
        (".", ProgramSearch::SearchPath),
        ("..", ProgramSearch::System),
        ("../../../../../../../../bin/true", ProgramSearch::SearchPath),
    ] {
        let outcome = find(name, base).await;
        assert!(matches!(outcome, Outcome::NotDone(_)), "{name:?} {base:?}: {outcome:?}");
    }
    for base in [ProgramSearch::SearchPath, ProgramSearch::Folder, ProgramSearch::System] {
        assert_eq!(printed(find("true", base).await), "");
    }
}

/// A folder and a file that nobody may run are no programs: the search goes on.
#[tokio::test]
async fn a_program_can_be_run() {
    let root = folder("no-programs");
    let programs = ["folder", "text", "program"].map(|name| root.join(name));
    std::fs::create_dir_all(programs[0].join("greet")).unwrap();
    std::fs::create_dir(&programs[1]).unwrap();
    std::fs::write(programs[1].join("greet"), "#!/bin/sh\necho text\n").unwrap();
    script(&programs[2].join("greet"), "#!/bin/sh\necho program\n");
    let prefix = Prefix { programs: programs.to_vec(), directory: None };
    let origin = Origin { prefix, ..Origin::default() };
    let step = Step::Run(Program { base: ProgramSearch::SearchPath, ..program(&["greet"]) });
    let outcome = host().run_unchecked(&step, &origin, &Values::new(), LONG).await;
    assert_eq!(printed(outcome), "program\n");
}

#[tokio::test]
async fn a_program_runs_where_it_is_told_to() {
    let root = folder("directories");
    std::fs::create_dir(root.join("inner")).unwrap();
    std::os::unix::fs::symlink("/", root.join("out")).unwrap();
    let origin = Origin::folder(&root);
    let pwd = async |cwd: Option<&str>| {
        let step = Step::Run(Program { cwd: cwd.map(str::to_owned), ..program(&["pwd", "-P"]) });
        host().run_unchecked(&step, &origin, &Values::new(), LONG).await
    };
    let own = std::env::current_dir().unwrap().canonicalize().unwrap();
    assert_eq!(printed(pwd(None).await).trim_end(), own.to_str().unwrap());
    assert_eq!(printed(pwd(Some(".")).await).trim_end(), root.to_str().unwrap());
    let inner = root.join("inner");
    assert_eq!(printed(pwd(Some("inner")).await).trim_end(), inner.to_str().unwrap());
    assert_eq!(printed(pwd(Some("/")).await).trim_end(), "/");
    for cwd in ["..", "out", "none", "inner/../.."] {
        assert!(matches!(pwd(Some(cwd)).await, Outcome::NotDone(_)), "{cwd}");
    }
}
