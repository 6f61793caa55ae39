//! What people see: every verb on good, on bad and on missing input.
//!
//! `VERB.txt` has commands, each with what it prints and how it ends. They are run again, in a folder
//! with the examples and `files`, and must print the same. `TOOLGLOT_BLESS=1` writes the files anew:
//! read the diff as a user would. `TOOLGLOT_VERB=convert` tries one. A verb begins as a file with the three headings and its commands.
//!
//! - `1|` is standard output, `2|` standard error. Of a long output, the middle is left out.
//! - A command that ends in ` &` is a server. It goes on to the end of the file, and PORT is its port.
#![cfg(unix)]
// A test that cannot go on fails.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const SNAPSHOTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
const HEADINGS: [&str; 3] = ["# good", "# bad", "# missing"];
/// Lines of an output that are shown: so many at its beginning, and so many at its end.
const SHOWN: [usize; 2] = [20, 5];

/// The verbs, as the program lists them.
fn verbs() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_toolglot")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let (verbs, _) = help.split_once("\nOptions:\n").unwrap();
    let names = verbs.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_verb_prints_what_it_printed() {
    let named = |path: PathBuf| Some(path.file_name()?.to_str()?.strip_suffix(".txt")?.to_owned());
    let files = fs::read_dir(SNAPSHOTS).unwrap().filter_map(|entry| named(entry.unwrap().path()));
    let files: BTreeSet<String> = files.collect();
    assert_eq!(files, verbs(), "files of tests/snapshots, and verbs");
    let mut tried = files;
    if let Ok(only) = std::env::var("TOOLGLOT_VERB") {
        tried.retain(|verb| *verb == only);
        assert!(!tried.is_empty(), "there is no verb {only}");
    }
    let changed: Vec<String> = tried.iter().filter_map(|verb| changed(verb)).collect();
    assert!(changed.is_empty(), "{}\nTOOLGLOT_BLESS=1 writes them", changed.join("\n"));
}

/// How the file of a verb would read now, if not as it does.
fn changed(verb: &str) -> Option<String> {
    let path = format!("{SNAPSHOTS}/{verb}.txt");
    let before = fs::read_to_string(&path).unwrap();
    let now = Folder::new(verb).replay(verb, &before);
    if now == before {
        return None;
    }
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        fs::write(&path, &now).unwrap();
        return None;
    }
    let lines = now.lines().filter(|line| !before.lines().any(|old| old == *line));
    Some(format!("{verb}.txt has new lines:\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// A folder for the commands of one file, with a user of its own.
struct Folder {
    path: PathBuf,
    server: Option<(Child, String)>,
}

impl Folder {
    fn new(verb: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots").join(verb);
        let _ = fs::remove_dir_all(&path);
        copy(&Path::new(ROOT).join("examples/manifests"), &path);
        for name in ["catalogs", "packages", "tools"] {
            copy(&Path::new(ROOT).join("examples").join(name), &path.join(name));
        }
        copy(&Path::new(SNAPSHOTS).join("files"), &path);
        // A key must be its owner's alone.
        fs::set_permissions(path.join("rfc8032.key"), Permissions::from_mode(0o600)).unwrap();
        Self { path: path.canonicalize().unwrap(), server: None }
    }

    /// Runs the commands of a file, and writes the file with what they do now.
    fn replay(mut self, verb: &str, file: &str) -> String {
        let mut out = String::new();
        let mut headings = Vec::new();
        let own = format!("$ toolglot {verb}");
        let mut of_verb = 0;
        for line in file.lines() {
            if line.starts_with("# ") {
                headings.push(line);
                let gap = if out.is_empty() { "" } else { "\n" };
                writeln!(out, "{gap}{line}").unwrap();
            } else if let Some(line) = line.strip_prefix("$ ") {
                of_verb += usize::from(format!("$ {line} ").starts_with(&format!("{own} ")));
                write!(out, "\n$ {line}\n{}", self.run(line)).unwrap();
            }
        }
        assert_eq!(headings, HEADINGS, "headings of {verb}.txt");
        assert!(of_verb >= HEADINGS.len(), "{verb}.txt has too few commands of `{verb}`");
        out
    }

    fn run(&mut self, line: &str) -> String {
        let port = self.server.as_ref().map_or("PORT", |(_, port)| port);
        let words = line.strip_suffix(" &").unwrap_or(line).replace("PORT", port);
        let words: Vec<&str> = words.split(' ').collect();
        let ["toolglot", arguments @ ..] = &words[..] else {
            panic!("no command of toolglot: {line}")
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolglot"));
        command.args(arguments).current_dir(&self.path).env_clear().stdin(Stdio::null());
        command.env("PATH", self.path.join("tools/bin")).env("HOME", self.path.join("home"));
        if line.ends_with(" &") {
            return self.serve(command);
        }
        let output = command.output().unwrap();
        let code = output.status.code().map_or("by a signal".to_owned(), |code| code.to_string());
        let text = |bytes| self.stable(&String::from_utf8(bytes).unwrap());
        let (out, err) = (text(output.stdout), text(output.stderr));
        lines("1|", &out) + &lines("2|", &err) + &format!("exit {code}\n")
    }

    /// Starts a server, and waits for the line that has its address.
    fn serve(&mut self, mut command: Command) -> String {
        let said = self.path.with_extension("stderr");
        command.stdout(Stdio::piped()).stderr(fs::File::create(&said).unwrap());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim_end_matches("/\n").rsplit(':').next().unwrap().to_owned();
        self.server = Some((child, port));
        let said = self.stable(&fs::read_to_string(said).unwrap());
        lines("1|", &self.stable(&line)) + &lines("2|", &said) + "goes on\n"
    }

    /// The same text on every machine and every day.
    fn stable(&self, text: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let mut text = text
            .replace(self.path.to_str().unwrap(), "FOLDER")
            .replace(&format!("toolglot {version}"), "toolglot VERSION")
            .replace(&format!("v{version}\n"), "vVERSION\n");
        if let Some((_, port)) = &self.server {
            text = text.replace(&format!("127.0.0.1:{port}"), "127.0.0.1:PORT");
        }
        text.split_inclusive('\n').map(line_of_any_day).collect()
    }
}

/// A line without what every run measures or draws anew: times, a key, and the numbers that a
/// system has for its errors.
fn line_of_any_day(line: &str) -> String {
    let is_key = |word: &str| word.len() == 32 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let words: Vec<&str> = line.trim_end().split(' ').collect();
    let stable = words.iter().enumerate().map(|(at, word)| match words.get(at + 1) {
        Some(&"ms") => "TIME".to_owned(),
        _ if is_key(word) => "KEY".to_owned(),
        _ if at > 1 && words[at - 2..at] == ["(os", "error"] => "N)".to_owned(),
        _ => (*word).to_owned(),
    });
    stable.collect::<Vec<_>>().join(" ") + &line[line.trim_end().len()..]
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some((server, _)) = &mut self.server {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

fn lines(mark: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line = |line: &&str| format!("{mark} {line}").trim_end().to_owned() + "\n";
    let [first, last] = SHOWN;
    if lines.len() <= first + last + 1 {
        return lines.iter().map(line).collect();
    }
    let (begin, end) = (&lines[..first], &lines[lines.len() - last..]);
    let left_out = format!("{mark} …\n");
    let parts =
        [begin.iter().map(line).collect(), left_out, end.iter().map(line).collect::<String>()];
    parts.concat()
}

/// Copies what is in a folder, with its permissions.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
