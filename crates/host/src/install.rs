//! Installation steps: downloads and searches.

use std::io;
use std::path::Path;

use call::{Download, FindKind, FindTarget, Outcome, ProgramSearch, Request};
use diagnostic::quoted;

use crate::http::Sender;
use crate::limits::Limits;
use crate::origin::Origin;
use crate::program::find;
use crate::values::Values;
use disk::{Access, Folder};

/// Downloads a file, and stores it as a program if its SHA-256 is the expected one.
pub(crate) async fn fetch(
    file: &Download,
    origin: &Origin,
    sender: &Sender,
    limits: &Limits,
) -> Outcome {
    let (method, url) = ("GET".to_owned(), file.url.clone().into());
    let request = Request { method, url, headers: Vec::new(), body: None };
    let bytes = match sender.send(&request, &Values::new(), limits).await {
        Outcome::Responded { status: 200, body } => body,
        Outcome::Responded { status, .. } => {
            return Outcome::NotDone(format!("the server answered with status {status}"));
        }
        other => return other,
    };
    if !file.matches(&bytes) {
        let message = "what came is not the file that was promised: its SHA-256 is another";
        return Outcome::NotDone(message.to_owned());
    }
    let path = origin.root().join(&file.path);
    let written = tokio::task::spawn_blocking(move || write_program(&path, &bytes)).await;
    match written {
        Ok(Ok(())) => Outcome::Done,
        Ok(Err(error)) => Outcome::NotDone(format!("the file cannot be kept: {error}")),
        Err(_) => Outcome::NotDone("the file cannot be kept".to_owned()),
    }
}

fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it has no name"));
    };
    Folder::create(folder, Access::Shared)?.write_program(name, bytes)
}

/// Looks for a program. Servers are known only to the caller.
pub(crate) fn find(sought: &FindTarget, origin: &Origin) -> Outcome {
    let name = quoted(&sought.name);
    match sought.what {
        FindKind::Program if sought.name.contains('/') => {
            Outcome::NotDone(format!("{name} is not a name on the search path"))
        }
        FindKind::Program => {
            match find::find(&sought.name, ProgramSearch::SearchPath, origin, None) {
                Ok(_) => Outcome::Done,
                Err(error) => Outcome::NotDone(format!("{name}: {error}")),
            }
        }
        FindKind::Server => {
            Outcome::NotDone(format!("{name} is a server: whoever keeps servers looks for it"))
        }
    }
}
