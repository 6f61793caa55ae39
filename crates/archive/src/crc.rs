//! The checksum of ZIP.

use diagnostic::some_or_bug;

/// Returns the CRC-32 checksum.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |crc: u32, byte: &u8| {
        let [low, ..] = crc.to_le_bytes();
        let entry = some_or_bug(TABLE.get(usize::from(low ^ byte)).copied());
        entry ^ (crc >> 8)
    };
    !bytes.iter().fold(!0, step)
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // runs in the compiler
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut crc = index as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        assert_eq!(super::crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(super::crc32(b""), 0);
    }
}
