//! Ed25519 signatures over the [statement](super::Signed::statement) of a package.
//!
//! `meta/signature.sig` holds the 64 bytes of the signature, and nothing else.

use ed25519_compact::{PublicKey, SecretKey, Signature};
use manifest_core::quoted;

use super::{Coverage, Signed, Verifier};

/// The keys that a host trusts, each for the tools of one publisher.
///
/// The publisher of a tool is the first segment of its id.
#[derive(Clone, Debug, Default)]
pub struct Keys(Vec<(String, PublicKey)>);

impl Keys {
    /// Trusts a key for the tools of a publisher. Says `false` to one that is not
    /// a public key.
    #[must_use]
    pub fn trust(&mut self, publisher: &str, key: &[u8]) -> bool {
        let key = PublicKey::from_slice(key).ok();
        self.0.extend(key.map(|key| (publisher.to_owned(), key)));
        key.is_some()
    }
}

impl Verifier for Keys {
    fn verify(&self, signature: &[u8], signed: &Signed<'_>) -> Result<Coverage, String> {
        let publisher = signed.tool_id().split('.').next().unwrap_or_default();
        let signature = Signature::from_slice(signature)
            .map_err(|_| "an Ed25519 signature has 64 bytes".to_owned())?;
        let mut keys = self.0.iter().filter(|(name, _)| name == publisher).peekable();
        if keys.peek().is_none() {
            return Err(format!("no key is known for the publisher {}", quoted(publisher)));
        }
        let statement = signed.statement();
        if keys.any(|(_, key)| key.verify(&statement, &signature).is_ok()) {
            return Ok(Coverage::Package);
        }
        Err("the signature is not that of the publisher over this package".to_owned())
    }
}

/// Signs a package: the bytes of `meta/signature.sig`. `None` when the key is not
/// a secret key of 64 bytes, the seed and the public key.
pub fn sign(signed: &Signed<'_>, key: &[u8]) -> Option<Vec<u8>> {
    let key = SecretKey::from_slice(key).ok()?;
    Some(key.sign(signed.statement(), None).to_vec())
}
