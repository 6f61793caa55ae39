//! Names and bytes that nobody can guess.

use std::fs::File;
use std::io::{self, Read};

/// 128 random bits, in hexadecimal.
pub fn name() -> io::Result<String> {
    Ok(format!("{:032x}", u128::from_be_bytes(bytes()?)))
}

/// So many random bytes.
pub fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes)
}
