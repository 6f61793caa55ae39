//! The example host, at work.

use std::fs;
use std::path::{Path, PathBuf};

use crate::EXAMPLES;

#[allow(dead_code)] // its main function
#[path = "../capability_host.rs"]
mod example;

/// The example, with a store of its own.
struct Host(PathBuf);

impl Host {
    fn new(name: &str) -> Self {
        let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&store);
        fs::create_dir_all(&store).unwrap();
        Self(store)
    }

    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let host = example::Host::open(self.0.to_str().unwrap()).unwrap();
        let done = match arguments {
            ["install", file] => host.install(file),
            [_, intent] => host.run(intent),
            _ => panic!("{arguments:?}"),
        };
        done.map_err(|error| error.to_string())
    }

    fn manifest(&self, name: &str, changes: &[(&str, &str)]) -> String {
        let file = Path::new(EXAMPLES).join("manifests/count.capability.json");
        let mut text = fs::read_to_string(file).unwrap();
        for (from, to) in changes {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, to);
        }
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

#[test]
fn installs_finds_and_runs() {
    let host = Host::new("capability-host");
    assert_eq!(host.run(&["run", "echo"]), Ok(r#"{"said": "hello"}"#.to_owned()));
    assert_eq!(host.run(&["run", "files.count"]), Err("nothing fits".to_owned()));

    let count = host.manifest("count.json", &[]);
    assert_eq!(host.run(&["install", &count]), Ok("installed files.count".to_owned()));
    assert_eq!(host.run(&["run", "count"]), Ok(r#"{"count": 3}"#.to_owned()));
    assert_eq!(host.run(&["run", "count files"]), Ok(r#"{"count": 3}"#.to_owned()));

    // A new version takes the place of the old one, and nothing is left over.
    let newer = host.manifest("newer.json", &[("0.2.0", "0.3.0"), ("3}", "4}")]);
    assert_eq!(host.run(&["install", &newer]), Ok("installed files.count".to_owned()));
    assert_eq!(host.run(&["run", "count"]), Ok(r#"{"count": 4}"#.to_owned()));
    assert_eq!(fs::read_dir(host.0.join("installed")).unwrap().count(), 1);

    // Without what was installed, what is declared does not run.
    fs::remove_dir_all(host.0.join("installed")).unwrap();
    let refused = host.run(&["run", "count"]).unwrap_err();
    assert!(refused.contains("not installed"), "{refused}");

    // Policy decides.
    let stranger =
        host.manifest("stranger.json", &[("\"local\",\n  \"impl", "\"untrusted\",\n  \"impl")]);
    let refused = host.run(&["install", &stranger]).unwrap_err();
    assert!(refused.contains("trust_level not allowed by policy"), "{refused}");
    let writer =
        host.manifest("writer.json", &[("\"read\"", "\"write\""), ("files.count", "files.wipe")]);
    assert_eq!(host.run(&["install", &writer]), Ok("installed files.wipe".to_owned()));
    let refused = host.run(&["run", "files.wipe"]).unwrap_err();
    assert!(refused.contains("file access not allowed"), "{refused}");
    let refused = host.run(&["run", "mail.send"]).unwrap_err();
    assert!(refused.contains("this host runs commands only"), "{refused}");
}
