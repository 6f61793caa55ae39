//! Installing.

use call::{Download, End, FindKind, FindTarget, Judge, Outcome, OutcomeUse, Plan, Step};
use install_manifest::Manifest;
use install_manifest::engine::acquire::{
    self, CodePermissions, Component, InstallHost, Installation,
};
use serde_json::{Value, json};

use super::{changed, codes, with};

fn plan(install: Value) -> Result<Installation, Vec<&'static str>> {
    plan_for("shell-binary", install)
}

fn plan_for(kind: &str, install: Value) -> Result<Installation, Vec<&'static str>> {
    let manifest = changed(&[("/runtime/install", install), ("/runtime/kind", json!(kind))]);
    with(&manifest, |manifest: &Manifest<'_>| {
        acquire::plan(manifest, &InstallHost::new("/srv/t")).map_err(|found| codes(&found))
    })
}

fn commands(installation: &Installation) -> Vec<String> {
    let argv = installation.plans.iter().map(|plan| match &plan.step {
        Step::Run(program) => {
            assert!(program.variables.is_empty(), "an installer is given no secret");
            program.argv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        }
        step => panic!("{step:?}"),
    });
    argv.collect()
}

fn only(installation: Installation) -> Step {
    let [Plan { step, .. }] = <[Plan; 1]>::try_from(installation.plans).unwrap();
    step
}

#[test]
fn exact_commands() {
    let made = plan(json!({"method": "pip", "package": "tiny[x,y]", "version_spec": " ==1.0.0 "}));
    let made = made.unwrap();
    assert_eq!(
        commands(&made),
        [
            "python3 -I -m venv -- /srv/t/venv",
            "/srv/t/venv/bin/python -I -m pip install --no-input --disable-pip-version-check \
             --only-binary :all: -- tiny[x,y]==1.0.0"
        ]
    );
    assert_eq!(made.programs, ["/srv/t/venv/bin"]);
    let made = plan(json!({"method": "npm", "package": "@a/b", "version_spec": "^1.2 || >=2 <3"}));
    assert_eq!(
        commands(&made.unwrap()),
        [
            "npm install --no-fund --no-audit --ignore-scripts --prefix /srv/t -- @a/b@^1.2 || >=2 <3"
        ]
    );
    let sha = "0123456789abcdef0123456789abcdef01234567";
    let made = plan_for(
        "python-module",
        json!({"method": "git", "url": "https://example.com/r.git",
        "ref": sha, "subpath": "sub", "layout": "package"}),
    );
    let made = made.unwrap();
    assert_eq!(
        commands(&made),
        [
            "git init --quiet -- /srv/t/source".to_owned(),
            format!(
                "git -C /srv/t/source -c protocol.ext.allow=never fetch --quiet --depth=1 -- https://example.com/r.git {sha}"
            ),
            "git -C /srv/t/source checkout --quiet --detach FETCH_HEAD --".to_owned(),
            "git -C /srv/t/source rev-parse --verify HEAD".to_owned(),
            "python3 -I -m venv -- /srv/t/venv".to_owned(),
            "/srv/t/venv/bin/python -I -m pip install --no-input --disable-pip-version-check \
             --only-binary :all: -- /srv/t/source/sub"
                .to_owned(),
        ]
    );
    assert!(made.builds, "a package of a repository is built");
    assert_eq!(made.directory.as_deref(), Some("/srv/t/source/sub"));
    let prints = |plan: &Plan| match &plan.then {
        OutcomeUse::Judge(Judge { prints, .. }) => prints.clone(),
        then @ OutcomeUse::Registry { .. } => panic!("{then:?}"),
    };
    assert_eq!(prints(&made.plans[3]).as_deref(), Some(sha));
    assert_eq!(prints(&made.plans[2]), None);
    assert!(made.warnings.is_empty());
    let digest = format!("ghcr.io/x/y@sha256:{}", "a".repeat(64));
    let made = plan(json!({"method": "container", "image": digest})).unwrap();
    assert_eq!(commands(&made), [format!("docker pull --quiet {digest}")]);
    assert!(made.warnings.is_empty());
    let sha256 = "b".repeat(64);
    let made =
        plan(json!({"method": "url", "url": "https://example.com/../../x", "sha256": sha256}));
    let path = "/srv/t/bin/notes".to_owned();
    let url = "https://example.com/../../x".to_owned();
    assert_eq!(only(made.unwrap()), Step::Fetch(Download { url, sha256, path }));
}

/// A download is found under the name that the tool is started by, and lands nowhere else.
#[test]
fn where_a_download_goes() {
    let install =
        json!({"method": "url", "url": "https://example.com/x", "sha256": "b".repeat(64)});
    for (started, expected, programs, directory) in [
        ("notes", "/srv/t/bin/notes", vec!["/srv/t/bin"], None),
        ("./notes", "/srv/t/notes", vec![], Some("/srv/t")),
        ("../notes", "/srv/t/tool", vec![], Some("/srv/t")),
        ("./../notes", "/srv/t/tool", vec![], Some("/srv/t")),
        ("/usr/bin/notes", "/srv/t/tool", vec![], Some("/srv/t")),
    ] {
        let manifest = changed(&[
            ("/runtime/install", install.clone()),
            ("/runtime/entrypoint/command", json!([started])),
        ]);
        with(&manifest, |manifest: &Manifest<'_>| {
            let made = acquire::plan(manifest, &InstallHost::new("/srv/t")).unwrap();
            assert_eq!(made.programs, programs, "{started}");
            assert_eq!(made.directory.as_deref(), directory, "{started}");
            let Step::Fetch(file) = only(made) else { panic!("a download") };
            assert_eq!(file.path, expected, "{started}");
        });
    }
}

#[test]
fn what_is_there_already() {
    let locate = |locator: Value| plan(json!({"method": "preinstalled", "locator": locator}));
    let made = locate(json!({"kind": "binary-on-path", "binary": "tiny"})).unwrap();
    assert_eq!(only(made), Step::Find(FindTarget { what: FindKind::Program, name: "tiny".into() }));
    let made = locate(json!({"kind": "mcp-server-id", "server_id": "x"})).unwrap();
    assert_eq!(only(made), Step::Find(FindTarget { what: FindKind::Server, name: "x".into() }));
    let made = locate(json!({"kind": "python-module", "module": "a.b"})).unwrap();
    assert!(commands(&made)[0].ends_with(" is None) a.b"));
    for module in ["a;b", "-x", "", "a..b"] {
        assert!(locate(json!({"kind": "python-module", "module": module})).is_err(), "{module}");
    }
    for binary in ["../x", "/bin/sh", "-x", "", "a b"] {
        assert!(locate(json!({"kind": "binary-on-path", "binary": binary})).is_err(), "{binary}");
    }
}

#[test]
fn versions() {
    let pip = |spec: &str| plan(json!({"method": "pip", "package": "x", "version_spec": spec}));
    for spec in ["==1.2.3", ">=1.2,<2", "~=1.4", "!=1.0", "==1.*", "===1.0", ">=1.0a1"] {
        assert!(pip(spec).is_ok(), "{spec}");
    }
    for spec in [
        "1.2.3",
        "^1.0",
        "latest",
        "==1.0; python -c x",
        "== --index-url=http://evil",
        "@ https://evil",
        "==1.0 --pre",
        ">=",
        "==1.0\n-r x",
    ] {
        assert_eq!(pip(spec).unwrap_err(), ["version-spec"], "{spec}");
    }
    let npm = |spec: &str| plan(json!({"method": "npm", "package": "x", "version_spec": spec}));
    for spec in ["^1.2.3", "1.x", "*", ">=1 <2", "1.2.3 - 2", "~1 || ^3", "1.0.0-rc.1"] {
        assert!(npm(spec).is_ok(), "{spec}");
    }
    for spec in [
        "latest",
        "file:../x",
        "git+https://evil",
        "npm:other@1",
        "https://evil/x.tgz",
        "../x",
        "-g",
    ] {
        assert_eq!(npm(spec).unwrap_err(), ["version-spec"], "{spec}");
    }
}

/// Row T34 of the catalogue of attacks.
#[test]
fn what_is_no_argument() {
    let pip =
        |package: &str| plan(json!({"method": "pip", "package": package, "version_spec": "==1"}));
    for package in
        ["--index-url=http://evil x", "x; python -c", "git+https://x/y", "../x", "-r", "", "x @ y"]
    {
        assert_eq!(pip(package).unwrap_err(), ["install-argument"], "{package}");
    }
    let npm =
        |package: &str| plan(json!({"method": "npm", "package": package, "version_spec": "1"}));
    for package in ["file:../x", "-g", "@a", "a/b", "@a/../b", "", "http://x"] {
        assert_eq!(npm(package).unwrap_err(), ["install-argument"], "{package}");
    }
    let git = |url: &str, reference: &str, subpath: &str| {
        let made = plan(json!({"method": "git", "url": url, "ref": reference, "subpath": subpath}));
        made.map(|plan| codes(&plan.warnings))
    };
    let good = "https://example.com/r";
    assert_eq!(git(good, "v1.0", "a/b").unwrap(), ["unpinned"]);
    assert!(git("ssh://git@example.com/r", "main", "a").is_ok());
    for url in [
        "ext::sh -c id",
        "-oProxyCommand=x",
        "file:///etc",
        "/srv/r",
        "ssh://-oProxyCommand=x/y",
        "https://u:p@example.com/r",
        "git@example.com:r",
        "https://exa mple.com",
    ] {
        assert_eq!(git(url, "main", "a").unwrap_err(), ["url"], "{url}");
    }
    for reference in ["--upload-pack=x", "a..b", "", "a b", "a:b", "-x", "a\n"] {
        assert_eq!(git(good, reference, "a").unwrap_err(), ["install-argument"], "{reference}");
    }
    for subpath in ["../x", "/x", "a/../b", ""] {
        assert_eq!(git(good, "main", subpath).unwrap_err(), ["install-argument"], "{subpath}");
    }
    let image = |image: &str| plan(json!({"method": "container", "image": image}));
    for bad in ["-v/:/h x", "--privileged", "", "a b", "a;b"] {
        assert_eq!(image(bad).unwrap_err(), ["install-argument"], "{bad}");
    }
    assert_eq!(codes(&image("x:latest").unwrap().warnings), ["unpinned"]);
    let url = |url: &str, sha: &str| plan(json!({"method": "url", "url": url, "sha256": sha}));
    assert_eq!(url("file:///etc/passwd", &"a".repeat(64)).unwrap_err(), ["url"]);
    for sha in ["A".repeat(64), "a".repeat(63), format!("sha256:{}", "a".repeat(57))] {
        assert_eq!(url(good, &sha).unwrap_err(), ["pattern"], "{sha}");
    }
}

#[test]
fn a_download_is_what_was_promised() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let (url, path) = ("https://example.com".to_owned(), "tool".to_owned());
    let file = Download { url, sha256: empty.to_owned(), path };
    assert!(file.matches(b""));
    assert!(!file.matches(b"\n"));
    assert!(!Download { sha256: String::new(), ..file }.matches(b""));
}

/// What the owner agreed to is not held back.
#[test]
fn code_of_strangers() {
    let allowed = CodePermissions { sdist: true, scripts: true };
    let host = InstallHost { permissions: allowed, ..InstallHost::new("/srv/t") };
    for (kind, install) in [
        ("shell-binary", json!({"method": "pip", "package": "tiny"})),
        ("shell-binary", json!({"method": "npm", "package": "tiny"})),
        (
            "python-module",
            json!({"method": "git", "url": "https://example.com/r.git",
            "ref": "v1", "layout": "package"}),
        ),
        (
            "node-module",
            json!({"method": "git", "url": "https://example.com/r.git",
            "ref": "v1", "layout": "package"}),
        ),
    ] {
        let manifest = changed(&[("/runtime/install", install), ("/runtime/kind", json!(kind))]);
        with(&manifest, |manifest: &Manifest<'_>| {
            let made = acquire::plan(manifest, &host).unwrap();
            let all = commands(&made).join("\n");
            assert!(!all.contains("--only-binary") && !all.contains("--ignore-scripts"), "{all}");
            assert!(!made.builds);
            let held =
                commands(&acquire::plan(manifest, &InstallHost::new("/srv/t")).unwrap()).join("\n");
            assert!(held.contains("--only-binary :all:") || held.contains("--ignore-scripts"));
        });
    }
}

/// What pip 23 and npm 11 print, cut short.
#[test]
fn what_was_installed() {
    let parts = |install: Value, stdout: &str| {
        let manifest = changed(&[("/runtime/install", install)]);
        let stdout = stdout.as_bytes().to_vec();
        let listed = Outcome::Exited { end: End::Exit(0), stdout, stderr: Vec::new() };
        with(&manifest, |manifest: &Manifest<'_>| {
            let parts = acquire::components(manifest, Some(&listed));
            let shown = |part: Component| match part.version {
                Some(version) => format!("{} {version}", part.name),
                None => part.name,
            };
            parts.into_iter().map(shown).collect::<Vec<_>>()
        })
    };
    let pip = r#"[{"name": "six", "version": "1.16.0"}, {"name": "pip", "version": "23.2.1"}]"#;
    assert_eq!(
        parts(json!({"method": "pip", "package": "six"}), pip),
        ["pip 23.2.1", "six 1.16.0"]
    );
    let npm = r#"{"name": "x", "dependencies": {"a": {"version": "1.0.0", "overridden": false,
        "dependencies": {"b": {"version": "2.0.0"}, "fsevents": {}}}, "b": {"version": "2.0.0"}}}"#;
    assert_eq!(parts(json!({"method": "npm", "package": "a"}), npm), ["a 1.0.0", "b 2.0.0"]);
    let commit = "0123456789abcdef0123456789abcdef01234567";
    let git = json!({"method": "git", "url": "https://example.com/r.git", "ref": "main"});
    assert_eq!(parts(git, &format!("{commit}\n")), [format!("https://example.com/r.git {commit}")]);
    let image = json!({"method": "container", "image": "ghcr.io/x/y:1"});
    assert_eq!(parts(image, ""), ["ghcr.io/x/y:1"]);
    assert!(parts(json!({"method": "npm", "package": "a"}), "not JSON").is_empty());
}
