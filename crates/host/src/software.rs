//! Programs of this machine that tools may need.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use call::ProgramSearch;

use crate::origin::Origin;
use crate::program::find::find;

/// A program that takes longer counts as missing.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest output that is read, in bytes.
const MAX_OUTPUT_BYTES: u64 = 1 << 20;

/// Returns true if there is a program of this name on the search path.
///
/// ```
/// assert!(toolglot_host::has_program("sh"));
/// assert!(!toolglot_host::has_program("../bin/sh"));
/// ```
pub fn has_program(name: &str) -> bool {
    !name.contains('/') && find(name, ProgramSearch::SearchPath, &Origin::default(), None).is_ok()
}

/// Runs a program of the search path, and returns its standard output if it succeeds.
/// Blocks, and waits five seconds at most for the output.
///
/// ```
/// assert_eq!(toolglot_host::program_output("echo", &["v20.1"]).as_deref(), Some("v20.1\n"));
/// ```
pub fn program_output(name: &str, arguments: &[&str]) -> Option<String> {
    if name.contains('/') {
        return None;
    }
    let program = find(name, ProgramSearch::SearchPath, &Origin::default(), None).ok()?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let (done, output) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        // The thread ends when the program does, or when the output is too long.
        std::thread::spawn(move || {
            let mut text = String::new();
            let read = stdout.take(MAX_OUTPUT_BYTES).read_to_string(&mut text);
            let _ = done.send(read.ok().map(|_| text));
        });
    }
    let output = output.recv_timeout(OUTPUT_TIMEOUT).ok().flatten();
    if output.is_none() {
        let _ = child.kill();
    }
    let status = child.wait().ok()?;
    if status.success() { output } else { None }
}
