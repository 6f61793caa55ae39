//! Archives of stored files, with any names.

use serde_json::Value;

use super::generate;

struct File {
    name: Vec<u8>,
    content: Vec<u8>,
    mode: u32,
}

fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// A manifest, and an empty file or folder of that name.
pub(crate) fn with_name(name: &[u8]) -> Vec<u8> {
    let mode = if name.ends_with(b"/") { 0o040_755 } else { 0o100_644 };
    let manifest =
        File { name: b"manifest.json".to_vec(), content: b"{}".to_vec(), mode: 0o100_644 };
    build(&[manifest, File { name: name.to_vec(), content: Vec::new(), mode }])
}

/// Files of a row: name, content, mode of Unix.
pub(crate) fn of(files: &Value) -> Vec<u8> {
    let file = |file: &Value| File {
        name: generate::bytes(&file[0]),
        content: generate::bytes(&file[1]),
        mode: file[2].as_str().map_or(0o100_644, |mode| u32::from_str_radix(mode, 8).unwrap()),
    };
    build(&files.as_array().unwrap().iter().map(file).collect::<Vec<_>>())
}

fn build(files: &[File]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = u32::try_from(out.len()).unwrap();
        let size = u32::try_from(file.content.len()).unwrap().to_le_bytes();
        let utf8 = if file.name.is_ascii() { 0_u16 } else { 1 << 11 };
        let mut fields = vec![20, 0];
        fields.extend(utf8.to_le_bytes());
        fields.extend([0, 0, 0, 0, 0x21, 0]);
        fields.extend(crc(&file.content).to_le_bytes());
        fields.extend(size);
        fields.extend(size);
        fields.extend(u16::try_from(file.name.len()).unwrap().to_le_bytes());
        fields.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&fields);
        out.extend(&file.name);
        out.extend(&file.content);
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(fields);
        directory.extend([0; 6]);
        directory.extend((file.mode << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(&file.name);
    }
    let offset = u32::try_from(out.len()).unwrap();
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let size = u32::try_from(directory.len()).unwrap();
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count);
    out.extend(count);
    out.extend(size.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out.extend([0, 0]);
    out
}
