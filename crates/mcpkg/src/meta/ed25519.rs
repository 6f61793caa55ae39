//! Ed25519 signatures over the [statement](super::SignedContent::statement) of a package.
//!
//! `meta/signature.sig` contains only the 64 bytes of the signature. Keys are PEM by RFC
//! 8410, as `openssl genpkey -algorithm ed25519` writes it, so that other programs can read
//! them.

use std::fmt;

use data_encoding::BASE64;
use ed25519_compact::{KeyPair, Seed, Signature};
use manifest_core::{Limits, quoted, sha256_hex};
use serde::Serialize;

use super::{Coverage, SignedContent, Verifier, check_size};
use crate::id;
use crate::package::{Package, SIGNATURE};

/// The label of a PEM text, and the bytes before the 32 bytes of the key, by RFC 8410.
const PUBLIC: (&str, &[u8]) =
    ("PUBLIC KEY", &[0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0]);
const PRIVATE: (&str, &[u8]) =
    ("PRIVATE KEY", &[0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]);
/// The maximum length of a PEM text, in bytes.
const MAX_PEM_BYTES: usize = 4096;

/// A key that verifies signatures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(ed25519_compact::PublicKey);

impl PublicKey {
    /// Returns the key with these bytes, if there are 32.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Some(Self(ed25519_compact::PublicKey::from_slice(bytes).ok()?))
    }

    /// Returns the key in a PEM text. The text may have other lines around it.
    pub fn from_pem(text: &str) -> Option<Self> {
        Self::from_bytes(&from_pem(text, PUBLIC)?)
    }

    /// Returns the key as PEM.
    pub fn to_pem(&self) -> String {
        to_pem(self.0.as_ref(), PUBLIC)
    }

    /// Returns the fingerprint for people to compare: the beginning of the SHA-256 of the
    /// key's bytes, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let mut digest = sha256_hex(self.0.as_ref());
        digest.truncate(32);
        digest
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.fingerprint())
    }
}

/// A key that signs packages. It is never printed, and its memory is cleared.
pub struct SigningKey(KeyPair);

impl SigningKey {
    /// Returns the key of these 32 random bytes, which the host must generate.
    pub fn from_seed(seed: &[u8]) -> Option<Self> {
        let seed = Seed::from_slice(seed).ok()?;
        Some(Self(KeyPair::try_from_seed(seed).ok()?))
    }

    /// Returns the key in a PEM text.
    pub fn from_pem(text: &str) -> Option<Self> {
        Self::from_seed(&from_pem(text, PRIVATE)?)
    }

    /// Returns the key as PEM, for a file that only its owner can read.
    pub fn to_pem(&self) -> String {
        to_pem(self.0.sk.seed().as_ref(), PRIVATE)
    }

    /// Returns the key that verifies this key's signatures.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.pk)
    }

    /// Signs a package. Returns the bytes of `meta/signature.sig`.
    pub fn sign(&self, signed: &SignedContent<'_>) -> Vec<u8> {
        self.0.sk.sign(signed.statement(), None).to_vec()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey(for {:?})", self.public())
    }
}

fn to_pem(key: &[u8], (label, prefix): (&str, &[u8])) -> String {
    let body = BASE64.encode(&[prefix, key].concat());
    format!("-----BEGIN {label}-----\n{body}\n-----END {label}-----\n")
}

fn from_pem(text: &str, (label, prefix): (&str, &[u8])) -> Option<Vec<u8>> {
    if text.len() > MAX_PEM_BYTES {
        return None;
    }
    let (_, rest) = text.split_once(&format!("-----BEGIN {label}-----"))?;
    let (body, _) = rest.split_once(&format!("-----END {label}-----"))?;
    let body: String = body.split_ascii_whitespace().collect();
    let bytes = BASE64.decode(body.as_bytes()).ok()?;
    let key = bytes.strip_prefix(prefix)?;
    if key.len() == 32 { Some(key.to_vec()) } else { None }
}

/// The keys that a host trusts, each for the tools of one publisher.
///
/// The publisher of a tool is the first segment of its id.
///
/// ```
/// use toolglot_mcpkg::meta::ed25519::{TrustedKeys, SigningKey};
///
/// let key = SigningKey::from_seed(&[7; 32]).unwrap().public();
/// let mut keys = TrustedKeys::default();
/// keys.trust("acme", key);
/// let text = keys.to_text();
/// assert_eq!(TrustedKeys::parse(&text).unwrap().to_text(), text);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TrustedKeys(Vec<(String, PublicKey)>);

/// The result of checking a signature against the trusted keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "standing")]
#[non_exhaustive]
pub enum SignatureStatus {
    /// The package has no signature.
    Unsigned,
    /// No key is trusted for the publisher, so the signer is unknown.
    UnknownKey {
        /// The publisher.
        publisher: String,
    },
    /// The signature is valid, made with a trusted key of the publisher, and covers every
    /// file.
    Good {
        /// The publisher.
        publisher: String,
        /// The fingerprint of the key.
        key: String,
    },
    /// The signature is invalid.
    Broken {
        /// The reason.
        why: String,
    },
}

impl fmt::Display for SignatureStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned => f.write_str("not signed"),
            Self::UnknownKey { publisher } => {
                write!(f, "signed, but no key is trusted for the publisher {}", quoted(publisher))
            }
            Self::Good { publisher, key } => {
                write!(f, "signed by {} with the key {key}", quoted(publisher))
            }
            Self::Broken { why } => write!(f, "the signature does not hold: {why}"),
        }
    }
}

impl TrustedKeys {
    /// Trusts a key for the tools of a publisher.
    pub fn trust(&mut self, publisher: &str, key: PublicKey) {
        if !self.0.iter().any(|(name, known)| name == publisher && *known == key) {
            self.0.push((publisher.to_owned(), key));
        }
    }

    /// Removes all keys of a publisher. Returns true if there were any.
    pub fn distrust(&mut self, publisher: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|(name, _)| name != publisher);
        self.0.len() < before
    }

    /// Returns each key with its publisher.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &PublicKey)> {
        self.0.iter().map(|(publisher, key)| (publisher.as_str(), key))
    }

    /// Parses a list: a line for each key, with the publisher and the 32 bytes in Base64.
    /// Lines that begin with `#` are comments. The error is the number of the first invalid
    /// line.
    pub fn parse(text: &str) -> Result<Self, usize> {
        let mut keys = Self::default();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let (publisher, key) = match words.as_slice() {
                [] => continue,
                [word, ..] if word.starts_with('#') => continue,
                [publisher, key] => (publisher, BASE64.decode(key.as_bytes())),
                _ => return Err(index + 1),
            };
            let key = key.ok().and_then(|bytes| PublicKey::from_bytes(&bytes)).ok_or(index + 1)?;
            keys.trust(publisher, key);
        }
        Ok(keys)
    }

    /// Returns the list as text.
    pub fn to_text(&self) -> String {
        let mut lines = Vec::with_capacity(self.0.len());
        for (publisher, key) in &self.0 {
            lines.push(format!("{publisher} {}\n", BASE64.encode(key.0.as_ref())));
        }
        lines.concat()
    }

    /// Checks the signature of a package against the trusted keys.
    pub fn signature_status(&self, package: &Package<'_>, limits: &Limits) -> SignatureStatus {
        let Some(signature) = package.file(SIGNATURE) else { return SignatureStatus::Unsigned };
        if let Err((_, why)) = check_size(signature, limits) {
            return SignatureStatus::Broken { why };
        }
        match SignedContent::new(package, limits) {
            Ok(signed) => self.judge(signature, &signed),
            Err(found) => SignatureStatus::Broken { why: found.message.clone() },
        }
    }

    fn judge(&self, signature: &[u8], signed: &SignedContent<'_>) -> SignatureStatus {
        let publisher = id::publisher(signed.tool_id()).to_owned();
        let Ok(signature) = Signature::from_slice(signature) else {
            return SignatureStatus::Broken { why: "an Ed25519 signature has 64 bytes".to_owned() };
        };
        if !self.iter().any(|(name, _)| name == publisher) {
            return SignatureStatus::UnknownKey { publisher };
        }
        let statement = signed.statement();
        for (name, key) in self.iter() {
            if name == publisher && key.0.verify(&statement, &signature).is_ok() {
                return SignatureStatus::Good { key: key.fingerprint(), publisher };
            }
        }
        SignatureStatus::Broken {
            why: "it is not that of the publisher over this package".to_owned(),
        }
    }
}

impl Verifier for TrustedKeys {
    fn verify(&self, signature: &[u8], signed: &SignedContent<'_>) -> Result<Coverage, String> {
        match self.judge(signature, signed) {
            SignatureStatus::Good { .. } => Ok(Coverage::Package),
            standing => Err(standing.to_string()),
        }
    }
}
