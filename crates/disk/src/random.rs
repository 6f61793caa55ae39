//! Random names and bytes that cannot be guessed.

use std::fs::File;
use std::io::{self, Read};

/// Returns 128 random bits in hexadecimal.
pub fn name() -> io::Result<String> {
    Ok(format!("{:032x}", u128::from_be_bytes(bytes()?)))
}

/// Returns `N` random bytes.
pub fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}
