//! No secret of a document gets to a terminal, a log or a report, whatever is asked for.

use std::fs;

use serde_json::Value;

use crate::program::{Folder, Ran, run, run_with_input, workspace};

/// What stands where a secret will.
const HERE: &str = "@@HERE@@";
const BODY: &str = "u8jzPde0IgxLd6GncfBAepfJBd0Kh8oOOL8d";
const FIRST: &str = "MIIEowIBAAKCAQEAv3pXkQ9dZr7tYw2uHc5sLm8nBf4gJe1iTo6qRa0xVyKzUjWs";
const SECOND: &str = "Pd7hGb2kNm9tQw4eRy6uIo1aSf3dHj5lZx8cVb0nMq7wEr2tYu4iOp6aSd9fGh1j";

/// Secrets as they are written in JSON, and the parts that give them away.
fn secrets() -> Vec<(String, Vec<&'static str>)> {
    let key = "PRIVATE KEY-----";
    vec![
        (format!("ghp_{BODY}"), vec![BODY]),
        (format!("use gh\\u0070_{BODY} for it"), vec![BODY]),
        (format!("my_ghp_{BODY}"), vec![BODY]),
        (format!("g\\u200bhp_{BODY}"), vec![BODY]),
        ("postgres://admin:hunter2zQ9xT@db.example.com/x".to_owned(), vec!["hunter2zQ9xT"]),
        ("postgres:\\/\\/admin:hunter2zQ9xT@db.example.com\\/x".to_owned(), vec!["hunter2zQ9xT"]),
        (format!("AKIA{}", "Q3EGRIZ7W2XK5MNP"), vec!["Q3EGRIZ7W2XK5MNP"]),
        (
            format!("-----BEGIN RSA {key}\\n{FIRST}\\n{SECOND}\\n-----END RSA {key}"),
            vec![FIRST, SECOND],
        ),
    ]
}

/// A document of each format.
const DOCUMENTS: [(&str, &str); 5] = [
    ("install-manifest", "tests/fixtures/install-manifest/valid/gmail-0.2.json"),
    ("tools-json", "tests/fixtures/tools-json/valid/annotated.json"),
    ("mcpkg", "tests/fixtures/mcpkg/valid/create_charge.json"),
    ("capability", "tests/fixtures/capability/valid/github_issues.json"),
    ("jumith", "tests/fixtures/jumith/valid/email_send.json"),
];

/// The documents that come of putting a secret into one: into every string, under a new
/// name, as a name, and as a name that is there twice.
fn planted(document: &Value) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![String::new()];
    while let Some(at) = open.pop() {
        let with = |change: &dyn Fn(&mut Value)| {
            let mut copy = document.clone();
            change(copy.pointer_mut(&at).unwrap());
            serde_json::to_string_pretty(&copy).unwrap()
        };
        let below = |name: &str| format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        match document.pointer(&at).unwrap() {
            Value::Object(members) => {
                open.extend(members.keys().map(|name| below(name)));
                let member = |name: &'static str, value: &'static str| {
                    with(&move |at: &mut Value| {
                        at.as_object_mut().unwrap().insert(name.to_owned(), value.into());
                    })
                };
                all.push(member(HERE, "a"));
                all.push(member("x-note", HERE));
                all.push(member(HERE, "b").replacen(HERE, &format!("{HERE}\": 1, \"{HERE}"), 1));
            }
            Value::Array(elements) => {
                open.extend((0..elements.len()).map(|index| below(&index.to_string())));
            }
            Value::String(_) => all.push(with(&|at| *at = HERE.into())),
            _ => {}
        }
    }
    all
}

/// What was run, and all that it said.
struct Said<'f> {
    folder: &'f Folder,
    parts: Vec<&'static str>,
    leaks: Vec<String>,
}

impl Said<'_> {
    fn check(&mut self, what: &str, text: &str) {
        for part in &self.parts {
            // What was cut is no better.
            let windows = part.as_bytes().windows(10);
            let mut found = windows.filter_map(|window| text.find(str::from_utf8(window).unwrap()));
            if let Some(at) = found.next() {
                let (before, leaked) = text.split_at(at);
                let before = before.lines().next_back().unwrap_or_default();
                let leaked: String = leaked.chars().take(20).collect();
                self.leaks.push(format!("{what}: {before:?} and then {leaked:?}"));
            }
        }
    }

    fn run(&mut self, arguments: &[&str]) -> Ran {
        let ran = run(arguments);
        self.check(&format!("{arguments:?} on standard output"), &ran.out);
        self.check(&format!("{arguments:?} on standard error"), &ran.err);
        assert!(matches!(ran.code, Some(0..=2)), "{arguments:?} {:?}", ran.code);
        ran
    }

    fn report(&mut self, name: &str) {
        if let Ok(text) = fs::read_to_string(self.folder.path(name)) {
            self.check(name, &text);
            fs::remove_file(self.folder.path(name)).unwrap();
        }
    }

    fn judged(&mut self, files: &[String]) {
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let run = |said: &mut Self, arguments: &[&str]| {
            said.run(&[arguments, &files].concat());
        };
        for style in ["text", "json"] {
            for profile in ["spec", "strict"] {
                run(self, &["validate", "--profile", profile, "--format", style]);
            }
            run(self, &["validate", "--jsonl=array", "--format", style]);
            run(self, &["detect", "--format", style]);
            run(self, &["digest", "--format", style]);
        }
        run(self, &["lint"]);
    }

    fn compared(&mut self, file: &str, other: &str) {
        for style in ["text", "json"] {
            self.run(&["duplicates", "--format", style, file, other]);
            self.run(&["diff", "--format", style, file, other]);
            self.run(&["diff", "--format", style, other, file]);
        }
        let out = self.folder.path("merged.json");
        self.run(&["duplicates", file, other, "--merge", "first", "--to", "mcpkg", "-o", &out]);
    }

    fn installed(&mut self, file: &str) {
        for style in ["text", "markdown", "json"] {
            self.run(&["consent", "--format", style, file]);
        }
        self.run(&["plan", "install", file, "--folder", "/srv/tool"]);
        self.run(&["plan", "smoke", file]);
        self.run(&["plan", "revoke", file]);
        self.run(&["plan", "invoke", file, "send", "{}"]);
        self.run(&["catalog", "list", "--base", file]);
        self.run(&["catalog", "list", "--format", "json", "--base", file]);
    }

    fn converted(&mut self, file: &str, other: &str, from: &str, to: &str) {
        let [out, residue, report] = ["out.json", "residue.json", "report.json"];
        let [out, residue, path] = [out, residue, report].map(|name| self.folder.path(name));
        // Several documents made it a folder.
        let _ = fs::remove_file(&out);
        let _ = fs::remove_dir_all(&out);
        let beside = ["--residue", &residue, "-o", &out, "--report", &path];
        let convert = ["convert", file, "--to", to, "--verbose", "--accept", "disabled,approval"];
        let ran = self.run(&[&convert, &beside[..]].concat());
        self.report(report);
        if ran.code != Some(0) {
            return;
        }
        let back = self.folder.path("back.json");
        let beside = ["-o", &back, "--report", &path, "--verbose"];
        let by_residue = ["restore", &out, "--from", to, "--to", from, "--residue", &residue];
        self.run(&[&by_residue, &beside[..]].concat());
        // What the user asked for has every byte.
        assert_eq!(self.folder.read("back.json"), fs::read_to_string(file).unwrap());
        self.report(report);
        self.run(&[&by_residue, &beside[..], &["--original", other]].concat());
        self.report(report);
        let by_original = ["restore", &out, "--from", to, "--to", from, "--original", other];
        self.run(&[&by_original, &beside[..]].concat());
        self.report(report);
    }

    fn streamed(&mut self, files: &[String], to: &str) {
        let line = |file| fs::read_to_string(file).unwrap().replace('\n', " ") + "\n";
        let lines: String = files.iter().map(line).collect();
        let lines = self.folder.write("lines.jsonl", lines);
        let [out, residue] = ["out.jsonl", "residue.jsonl"].map(|name| self.folder.path(name));
        let report = self.folder.path("report.json");
        let beside = ["--residue", &residue, "-o", &out, "--report", &report];
        self.run(&["validate", "--jsonl", &lines]);
        self.run(&["validate", "--jsonl", "--format", "json", &lines]);
        self.run(&[&["convert", "--jsonl", &lines, "--to", to], &beside[..]].concat());
        self.report("report.json");
    }
}

/// Runs every verb on documents with secrets in them. A verb that takes several files gets all of them
/// at once; the others get some.
fn nothing_is_said(format: &str, path: &str) {
    let folder = Folder::new(&format!("secrets-{format}"));
    let document: Value = serde_json::from_str(&workspace(path)).unwrap();
    let other = folder.write("other.json", serde_json::to_string_pretty(&document).unwrap());
    let secrets = secrets();
    let texts = planted(&document);
    let texts = texts.iter().zip(secrets.iter().cycle());
    let files: Vec<String> = texts
        .enumerate()
        .map(|(number, (text, (secret, _)))| {
            folder.write(&format!("{number}.json"), text.replace(HERE, secret))
        })
        .collect();
    let parts = secrets.iter().flat_map(|(_, parts)| parts.iter().copied()).collect();
    let mut said = Said { folder: &folder, parts, leaks: Vec::new() };
    said.judged(&files);
    for (to, _) in DOCUMENTS {
        said.streamed(&files, to);
    }
    for (number, file) in files.iter().enumerate() {
        // Neither 5 nor 11 has a divisor in common with the eight secrets: over all formats, every verb
        // gets each secret.
        let every = if std::env::var_os("TOOLGLOT_CASES").is_some() { 5 } else { 11 };
        let (to, _) = DOCUMENTS.get(number / every % DOCUMENTS.len()).unwrap();
        match number % every {
            0 => said.compared(file, &other),
            1 => said.installed(file),
            2 => said.converted(file, &other, format, to),
            _ => {}
        }
    }
    let leaks = said.leaks;
    assert!(leaks.is_empty(), "{} leaks, such as {:#?}", leaks.len(), leaks.first());
}

#[test]
fn of_install_manifests() {
    nothing_is_said(DOCUMENTS[0].0, DOCUMENTS[0].1);
}

#[test]
fn of_tools_json() {
    nothing_is_said(DOCUMENTS[1].0, DOCUMENTS[1].1);
}

#[test]
fn of_mcpkg() {
    nothing_is_said(DOCUMENTS[2].0, DOCUMENTS[2].1);
}

#[test]
fn of_capabilities() {
    nothing_is_said(DOCUMENTS[3].0, DOCUMENTS[3].1);
}

#[test]
fn of_jumith() {
    nothing_is_said(DOCUMENTS[4].0, DOCUMENTS[4].1);
}

/// Random values give themselves away by their names only.
#[test]
fn under_a_name_that_says_so() {
    let folder = Folder::new("secrets-named");
    let random = "9fK2mQ8xV4nB7tR1wZ5y";
    for (format, path) in DOCUMENTS {
        let mut document: Value = serde_json::from_str(&workspace(path)).unwrap();
        let other = folder.write("other.json", document.to_string());
        let members = document.as_object_mut().unwrap();
        members.insert("x-api_key".to_owned(), random.into());
        let nested = serde_json::json!({"api_key": random, "b": [{"password": random}]});
        members.insert("x-more".to_owned(), nested);
        members.insert("x-list".to_owned(), Value::from(vec!["--token", random]));
        let file = folder.write("file.json", document.to_string());
        let mut said = Said { folder: &folder, parts: vec![random], leaks: Vec::new() };
        said.judged(std::slice::from_ref(&file));
        said.compared(&file, &other);
        for (to, _) in DOCUMENTS {
            said.converted(&file, &other, format, to);
        }
        assert!(said.leaks.is_empty(), "{:#?}", said.leaks);
    }
}

/// Names of files and arguments are said again, too.
#[test]
fn of_the_command_line() {
    let folder = Folder::new("secrets-arguments");
    let token = format!("ghp_{BODY}");
    let mut said = Said { folder: &folder, parts: vec![BODY], leaks: Vec::new() };
    let file = folder.write(&format!("{token}.json"), workspace(DOCUMENTS[1].1));
    let missing = folder.path(&format!("{token}.txt"));
    said.judged(std::slice::from_ref(&file));
    said.compared(&file, &file);
    said.installed(&file);
    said.judged(std::slice::from_ref(&missing));
    said.compared(&file, &missing);
    said.run(&["convert", &missing, "--to", "mcpkg"]);
    said.run(&["convert", &file, "--to", &token]);
    said.run(&["explain", &token]);
    said.run(&[&token]);
    said.run(&["validate", &format!("--{token}")]);
    said.run(&["search", &missing, &token]);
    assert!(said.leaks.is_empty(), "{:#?}", said.leaks);
}

/// Text that is not JSON, nor even text, is shown where it is broken.
///
/// Row X08 of the catalogue of attacks.
#[test]
fn of_broken_files() {
    let folder = Folder::new("secrets-broken");
    let mut said = Said { folder: &folder, parts: vec![BODY], leaks: Vec::new() };
    let token = format!("ghp_{BODY}");
    for text in [
        format!("{{\"a\": {token}}}").into_bytes(),
        format!("{{\"a\": \"{token}\" oops}}").into_bytes(),
        format!("{{\"{token}\": {{\"b\": oops}}}}").into_bytes(),
        [format!("{{\"a\": \"{token}\", \"b\": \"").as_bytes(), b"\xff\"}"].concat(),
        format!("{{\"a\": \"gh\\u0070_{BODY}\", \"b\": \"\\x\"}}").into_bytes(),
        format!("{{\"{token}\": \"\u{1}\"}}").into_bytes(),
    ] {
        let file = folder.write("file.json", &text);
        said.judged(std::slice::from_ref(&file));
        said.compared(&file, &file);
        said.installed(&file);
        let ran = run_with_input(&["validate", "--jsonl=lines", "-"], &text);
        said.check("lines", &(ran.out + &ran.err));
    }
    assert!(said.leaks.is_empty(), "{:#?}", said.leaks);
}
