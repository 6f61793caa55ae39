//! Key files: keys that sign packages, and the list of trusted keys.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use disk::files::parent_of;
use disk::{Access, Folder};
use toolglot::mcpkg::meta::ed25519::{PublicKey, SigningKey, TrustedKeys};

const LIST_FILE: &str = "trusted-keys";
/// The maximum size of the list of trusted keys.
const MAX_LIST_BYTES: u64 = 1 << 20;
/// The maximum size of a key that is read.
const MAX_KEY_BYTES: u64 = 4096;

/// The keys that a user trusts, in a file that only its owner can access.
///
/// ```
/// use toolglot_installer::TrustStore;
/// # let root = std::env::temp_dir().join(format!("toolglot-keys-{}", std::process::id()));
/// # std::fs::create_dir_all(&root)?;
///
/// let private = root.join("acme.key");
/// toolglot_installer::generate_key(&private)?; // only its owner can read it
/// let public = toolglot_installer::read_signing_key(&private)?.public();
///
/// let trust = TrustStore::in_folder(&root.join("state"));
/// trust.update(|keys| keys.trust("acme", public))?;
/// assert_eq!(trust.keys()?.iter().next(), Some(("acme", &public)));
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrustStore {
    folder: PathBuf,
}

impl TrustStore {
    /// Returns the list in this folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Returns the user's list, in the folder of their state.
    pub fn of_user() -> Option<Self> {
        Some(Self { folder: disk::user::state()? })
    }

    /// Returns the path of the list.
    pub fn path(&self) -> PathBuf {
        self.folder.join(LIST_FILE)
    }

    /// Reads the keys. A missing list is empty. Fails if others can access the folder of
    /// the list.
    pub fn keys(&self) -> io::Result<TrustedKeys> {
        match Folder::open_existing(&self.folder, Access::Private)? {
            Some(folder) => read_list(&folder),
            None => Ok(TrustedKeys::default()),
        }
    }

    /// Changes the list, and returns the result of `change`.
    pub fn update<T>(&self, change: impl FnOnce(&mut TrustedKeys) -> T) -> io::Result<T> {
        let folder = Folder::create(&self.folder, Access::Private)?;
        let _lock = folder.lock()?;
        let mut keys = read_list(&folder)?;
        let done = change(&mut keys);
        folder.write(LIST_FILE, keys.to_text().as_bytes())?;
        Ok(done)
    }
}

fn read_list(folder: &Folder) -> io::Result<TrustedKeys> {
    let Some(bytes) = folder.read(LIST_FILE, MAX_LIST_BYTES)? else {
        return Ok(TrustedKeys::default());
    };
    let text = String::from_utf8_lossy(&bytes);
    TrustedKeys::parse(&text)
        .map_err(|line| io::Error::other(format!("line {line} of the trusted keys is no key")))
}

/// Generates a signing key, and writes it to a new file that only its owner can read.
/// Returns the public key that verifies its signatures.
pub fn generate_key(path: &Path) -> io::Result<PublicKey> {
    let Some(key) = SigningKey::from_seed(&disk::random_bytes::<32>()?) else {
        return Err(io::Error::other("the system gave no random bytes"));
    };
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let folder = Folder::open(parent_of(path), Access::Shared)?;
    folder.write_secret(name, key.to_pem().as_bytes())?;
    Ok(key.public())
}

/// Reads the signing key in a file. Fails if others can read the file.
pub fn read_signing_key(path: &Path) -> io::Result<SigningKey> {
    let (text, mode) = read_key_file(path)?;
    if mode & 0o077 != 0 {
        let message = "others can read the key: make it yours alone with chmod 600";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
    }
    let none = "it has no Ed25519 private key (PEM, by RFC 8410)";
    SigningKey::from_pem(&text).ok_or_else(|| io::Error::other(none))
}

/// Reads the public key in a file, which verifies packages.
pub fn read_public_key(path: &Path) -> io::Result<PublicKey> {
    let none = "it has no Ed25519 public key (PEM, by RFC 8410)";
    PublicKey::from_pem(&read_key_file(path)?.0).ok_or_else(|| io::Error::other(none))
}

/// Reads the text of a file and its mode.
fn read_key_file(path: &Path) -> io::Result<(String, u32)> {
    let file = File::open(path)?;
    let mode = file.metadata()?.mode();
    let mut text = String::new();
    file.take(MAX_KEY_BYTES).read_to_string(&mut text)?;
    Ok((text, mode))
}
