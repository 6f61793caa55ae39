//! A cache on disk for the answers of registries.

use std::io;
use std::path::Path;

use disk::{Access, Folder};
use host::FetchedDocument;
use serde::{Deserialize, Serialize};
use toolglot::core::sha256_hex;

/// A folder with the last answers, which only its owner can access. It has 256 slots, so
/// that it stays bounded. The URL of an answer selects its slot.
#[derive(Debug)]
pub(super) struct AnswerCache(Folder);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CachedAnswer {
    pub(super) etag: String,
    pub(super) body: Vec<u8>,
}

/// The first line of a file. The body follows it.
#[derive(Deserialize, Serialize)]
struct Head {
    url: String,
    etag: String,
    sha256: String,
}

/// The longest first line, in bytes.
const MAX_HEAD_BYTES: usize = 16 << 10;

impl AnswerCache {
    pub(super) fn in_folder(folder: &Path) -> io::Result<Self> {
        Ok(Self(Folder::create(folder, Access::Private)?))
    }

    /// Returns the last answer to a URL. A broken file counts as missing.
    pub(super) fn get(&self, url: &str, limit: usize) -> Option<CachedAnswer> {
        let limit = limit.saturating_add(MAX_HEAD_BYTES) as u64;
        let mut file = self.0.read(slot_name(url), limit).ok()??;
        let end = file.iter().position(|byte| *byte == b'\n')?;
        let body = file.split_off(end + 1);
        let Head { url: of, etag, sha256 } = serde_json::from_slice(&file).ok()?;
        (of == url && sha256 == sha256_hex(&body)).then_some(CachedAnswer { etag, body })
    }

    /// Stores an answer if it can be revalidated by its `ETag`. Ignores errors, because the
    /// cache is optional.
    pub(super) fn store(&self, url: &str, answer: &FetchedDocument) {
        let Some(etag) = answer.etag.clone().filter(|_| answer.status == 200) else { return };
        let head = Head { url: url.to_owned(), etag, sha256: sha256_hex(&answer.body) };
        let Ok(mut file) = serde_json::to_vec(&head) else { return };
        if file.len() < MAX_HEAD_BYTES {
            file.push(b'\n');
            file.extend_from_slice(&answer.body);
            let _ = self.0.write(slot_name(url), &file);
        }
    }
}

/// Returns the name of the file for a URL.
fn slot_name(url: &str) -> String {
    sha256_hex(url.as_bytes()).chars().take(2).collect()
}
