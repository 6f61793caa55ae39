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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn fetched(status: u16, etag: Option<&str>, body: &str) -> FetchedDocument {
        FetchedDocument::new(status, etag.map(str::to_owned), body.as_bytes().to_vec())
    }

    #[test]
    fn answers_are_kept_while_they_are_whole() {
        let folder = std::env::temp_dir().join(format!("toolglot-kept-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let kept = AnswerCache::in_folder(&folder).unwrap();
        let url = "http://h/v1/tools/tool%3Aa";
        assert_eq!(kept.get(url, 100), None);
        kept.store(url, &fetched(404, Some("\"x\""), "no"));
        kept.store(url, &fetched(200, None, "{}"));
        assert_eq!(kept.get(url, 100), None, "neither can be asked for again");
        kept.store(url, &fetched(200, Some("\"x\""), "{\n}"));
        let answer = CachedAnswer { etag: "\"x\"".to_owned(), body: b"{\n}".to_vec() };
        assert_eq!(kept.get(url, 100), Some(answer));
        // Another URL in the same slot does not get this answer.
        let same = |other: &String| slot_name(other) == slot_name(url);
        let other = (0..10_000).map(|number| format!("http://h/{number}")).find(same).unwrap();
        assert_eq!(kept.get(&other, 100), None);
        kept.store(&other, &fetched(200, Some("\"y\""), "[]"));
        assert_eq!(kept.get(url, 100), None);
        // A file that was changed counts as missing.
        let file = folder.join(slot_name(&other));
        let text = std::fs::read_to_string(&file).unwrap().replace("[]", "{}");
        std::fs::write(&file, text).unwrap();
        assert_eq!(kept.get(&other, 100), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
