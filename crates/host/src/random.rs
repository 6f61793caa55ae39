//! Names that nobody can guess.

use std::fs::File;
use std::io::{self, Read};

/// 128 random bits, in hexadecimal.
pub fn name() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
