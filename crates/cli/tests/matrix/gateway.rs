//! `toolglot serve`, as a program of its own.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::search_path;

/// A gateway that ends with the test.
pub(crate) struct Gateway {
    process: Child,
    /// Where it is asked.
    pub(crate) address: String,
    /// What opens it.
    pub(crate) token: String,
}

impl Gateway {
    /// Serves the tools of a folder. It keeps its state in another one.
    pub(crate) fn start(folder: &Path, state: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_toolglot"))
            .args(["serve", "--listen", "127.0.0.1:0", "--allow", "private", "--token-file"])
            .arg(state.join("token"))
            .arg(folder)
            .env("PATH", search_path())
            .env("HOME", state)
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.map(Result::unwrap).find_map(|line| {
            let at = line.find("http://")?;
            let end = line[at..].find(|c: char| c.is_whitespace() || c == '#').map(|end| at + end);
            Some(line[at..end.unwrap_or(line.len())].trim_end_matches('/').to_owned())
        });
        let token = std::fs::read_to_string(state.join("token")).unwrap();
        Self { process, address: address.unwrap(), token: token.trim().to_owned() }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
