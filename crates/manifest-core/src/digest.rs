//! SHA-256 in the spelling that documents use.

/// Returns the SHA-256 of `bytes` in lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(&hmac_sha256::Hash::hash(bytes))
}
