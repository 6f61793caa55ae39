//! A program for `agentcli_host` to run: it answers with what it was asked, or
//! misbehaves as its first argument says.

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

fn main() -> io::Result<ExitCode> {
    match std::env::args().nth(1).as_deref() {
        Some("fail") => {
            eprint!("no such <zone>");
            return Ok(ExitCode::from(3));
        }
        Some("hang") => thread::sleep(Duration::from_secs(600)),
        Some("garbage") => io::stdout().write_all(b"\xff\xfe not\r\n\tJSON\0 ")?,
        Some("flood") => {
            let line = [b'x'; 1 << 10];
            for _ in 0..2 << 10 {
                io::stdout().write_all(&line)?;
            }
        }
        Some("environment") => {
            let mut names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
            names.sort();
            println!("{}", names.join(" "));
        }
        _ => {
            let mut asked = String::new();
            io::stdin().read_to_string(&mut asked)?;
            println!("{{\n  \"asked\": {asked}\n}}");
        }
    }
    Ok(ExitCode::SUCCESS)
}
