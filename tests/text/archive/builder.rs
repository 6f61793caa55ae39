//! Archives with anything in them, for tests: every field can lie.

use archive::{Entry, write};
use manifest_core::Limits;

pub(crate) const LOCAL: u32 = 0x0403_4b50;
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
pub(crate) const END: u32 = 0x0605_4b50;
pub(crate) const DESCRIPTOR: u32 = 0x0807_4b50;

/// The fields that both records of a file have.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) flags: u16,
    pub(crate) method: u16,
    pub(crate) modified: u32,
    pub(crate) crc: u32,
    pub(crate) packed: u32,
    pub(crate) size: u32,
    pub(crate) name: Vec<u8>,
    pub(crate) extra: Vec<u8>,
}

/// A file, with what each record says of it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) local: Fields,
    pub(crate) central: Fields,
    pub(crate) data: Vec<u8>,
    /// What follows the data.
    pub(crate) after: Vec<u8>,
    pub(crate) system: u8,
    pub(crate) attributes: u32,
    pub(crate) disk: u16,
    pub(crate) comment: Vec<u8>,
    /// Where the directory says that it is.
    pub(crate) offset: Option<u32>,
    /// Whether its own record is there.
    pub(crate) present: bool,
    /// Whether the directory has it.
    pub(crate) listed: bool,
}

pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
        }
    }
    !crc
}

impl File {
    /// A stored file.
    pub(crate) fn stored(name: impl AsRef<[u8]>, data: impl AsRef<[u8]>) -> Self {
        let data = data.as_ref().to_vec();
        let size = u32::try_from(data.len()).unwrap();
        let name = name.as_ref().to_vec();
        let utf8 = if name.is_ascii() { 0 } else { 1 << 11 };
        let fields = Fields {
            flags: utf8,
            method: 0,
            modified: 0x0021_0000,
            crc: crc(&data),
            packed: size,
            size,
            name,
            extra: Vec::new(),
        };
        Self {
            local: fields.clone(),
            central: fields,
            data,
            after: Vec::new(),
            system: 3,
            attributes: 0o100_644 << 16,
            disk: 0,
            comment: Vec::new(),
            offset: None,
            present: true,
            listed: true,
        }
    }

    /// A compressed file.
    pub(crate) fn deflated(name: &str, data: impl AsRef<[u8]>) -> Self {
        let packed = miniz_oxide::deflate::compress_to_vec(data.as_ref(), 9);
        Self::packed(name, data.as_ref(), packed)
    }

    /// A file with this compressed data.
    pub(crate) fn packed(name: &str, data: &[u8], packed: Vec<u8>) -> Self {
        let size = u32::try_from(packed.len()).unwrap();
        let mut file = Self::stored(name, data);
        file.data = packed;
        file.both(|fields| {
            fields.method = 8;
            fields.packed = size;
        })
    }

    /// A compressed file with its sizes behind it.
    pub(crate) fn described(name: &str, data: &[u8]) -> Self {
        let mut file = Self::deflated(name, data).both(|fields| fields.flags |= 1 << 3);
        let Fields { crc, packed, size, .. } = file.central;
        file.after = words(&[DESCRIPTOR, crc, packed, size]);
        (file.local.crc, file.local.packed, file.local.size) = (0, 0, 0);
        file
    }

    /// Changes both records.
    pub(crate) fn both(mut self, change: impl Fn(&mut Fields)) -> Self {
        change(&mut self.local);
        change(&mut self.central);
        self
    }

    /// Changes anything.
    pub(crate) fn with(mut self, change: impl Fn(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

pub(crate) fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn halves(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn length(bytes: &[u8]) -> u16 {
    u16::try_from(bytes.len()).unwrap()
}

/// The record at the end.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) disk: u16,
    pub(crate) directory_disk: u16,
    pub(crate) disk_entries: u16,
    pub(crate) entries: u16,
    pub(crate) size: u32,
    pub(crate) offset: u32,
    pub(crate) comment: Vec<u8>,
}

/// The archive of these files.
pub(crate) fn archive(files: &[File]) -> Vec<u8> {
    archive_with(files, |_| {})
}

/// The archive of these files, with a change to its end.
pub(crate) fn archive_with(files: &[File], change: impl Fn(&mut End)) -> Vec<u8> {
    assemble(files, &[], &[], change)
}

/// The archive, with bytes before the directory and before the end.
pub(crate) fn assemble(
    files: &[File],
    before_directory: &[u8],
    before_end: &[u8],
    change: impl Fn(&mut End),
) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = file.offset.unwrap_or(u32::try_from(out.len()).unwrap());
        let fields = |fields: &Fields| {
            let head = halves(&[20, fields.flags, fields.method]);
            let sizes = words(&[fields.modified, fields.crc, fields.packed, fields.size]);
            let lengths = halves(&[length(&fields.name), length(&fields.extra)]);
            [head, sizes, lengths].concat()
        };
        if file.present {
            out.extend(words(&[LOCAL]));
            out.extend(fields(&file.local));
            out.extend(&file.local.name);
            out.extend(&file.local.extra);
            out.extend(&file.data);
            out.extend(&file.after);
        }
        if file.listed {
            directory.extend(words(&[CENTRAL]));
            directory.extend([20, file.system]);
            directory.extend(fields(&file.central));
            directory.extend(halves(&[length(&file.comment), file.disk, 0]));
            directory.extend(words(&[file.attributes, offset]));
            directory.extend(&file.central.name);
            directory.extend(&file.central.extra);
            directory.extend(&file.comment);
        }
    }
    out.extend(before_directory);
    let entries = u16::try_from(files.iter().filter(|file| file.listed).count()).unwrap();
    let mut end = End {
        disk: 0,
        directory_disk: 0,
        disk_entries: entries,
        entries,
        size: u32::try_from(directory.len()).unwrap(),
        offset: u32::try_from(out.len()).unwrap(),
        comment: Vec::new(),
    };
    change(&mut end);
    out.extend(directory);
    out.extend(before_end);
    out.extend(words(&[END]));
    out.extend(halves(&[end.disk, end.directory_disk, end.disk_entries, end.entries]));
    out.extend(words(&[end.size, end.offset]));
    out.extend(halves(&[length(&end.comment)]));
    out.extend(&end.comment);
    out
}

/// A small manifest.
pub(crate) const MANIFEST: &str = include_str!("../../fixtures/archive/manifest.json");

/// A good archive by our own writer.
pub(crate) fn good() -> Vec<u8> {
    let entries = [
        Entry::new("manifest.json", MANIFEST.as_bytes()),
        Entry::new("tests/echo.test.json", b"{}".as_slice()),
    ];
    write(&entries, &Limits::default()).unwrap()
}
