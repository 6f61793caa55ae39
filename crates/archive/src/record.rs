//! The records of an archive, as stored.

use diagnostic::Span;

/// The signature of the record at the end of the file.
pub(crate) const END: u32 = 0x0605_4b50;
/// The signature of a file's record in the directory.
pub(crate) const CENTRAL: u32 = 0x0201_4b50;
/// The signature of a file's record before its data.
pub(crate) const LOCAL: u32 = 0x0403_4b50;
/// The signature of a file's record after its data.
pub(crate) const DESCRIPTOR: u32 = 0x0807_4b50;
/// The signature of the locator of the 64-bit end record.
pub(crate) const LOCATOR: u32 = 0x0706_4b50;
/// The signature of the record before an encrypted directory.
pub(crate) const DECRYPTION: u32 = 0x0806_4b50;

/// Bytes in an end record without a comment.
pub(crate) const END_BYTES: usize = 22;
/// Bytes in a record after a file.
pub(crate) const DESCRIPTOR_BYTES: usize = 16;

/// Reads numbers and bytes from a position on, and never past the end.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(crate) position: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(bytes: &'a [u8], position: usize) -> Self {
        Self { bytes, position }
    }

    pub(crate) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.position.checked_add(count)?;
        let taken = self.bytes.get(self.position..end)?;
        self.position = end;
        Some(taken)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }
}

/// Returns the signature at a position.
pub(crate) fn signature(bytes: &[u8], position: usize) -> Option<u32> {
    Cursor::new(bytes, position).u32()
}

/// The record at the end of the file.
pub(crate) struct End {
    pub(crate) disk: u16,
    pub(crate) directory_disk: u16,
    pub(crate) disk_entries: u16,
    pub(crate) entries: u16,
    pub(crate) size: u32,
    pub(crate) offset: u32,
    pub(crate) comment: u16,
}

impl End {
    pub(crate) fn read(bytes: &[u8], position: usize) -> Option<Self> {
        let mut cursor = Cursor::new(bytes, position);
        (cursor.u32()? == END).then_some(())?;
        Some(Self {
            disk: cursor.u16()?,
            directory_disk: cursor.u16()?,
            disk_entries: cursor.u16()?,
            entries: cursor.u16()?,
            size: cursor.u32()?,
            offset: cursor.u32()?,
            comment: cursor.u16()?,
        })
    }
}

/// The fields that both records of a file contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct CommonFields<'a> {
    pub(crate) flags: u16,
    pub(crate) method: u16,
    /// Time and date.
    pub(crate) modified: u32,
    pub(crate) crc: u32,
    /// The size of the stored data.
    pub(crate) packed: u32,
    /// The size of the expanded file.
    pub(crate) size: u32,
    pub(crate) name: &'a [u8],
}

/// A file's record in the directory.
pub(crate) struct Central<'a> {
    pub(crate) common: CommonFields<'a>,
    /// The system that defines the attributes.
    pub(crate) system: u8,
    pub(crate) extra: &'a [u8],
    pub(crate) comment: &'a [u8],
    pub(crate) disk: u16,
    pub(crate) attributes: u32,
    /// The position of the file's own record.
    pub(crate) offset: u32,
    /// The bytes of this record.
    pub(crate) span: Span,
}

impl<'a> Central<'a> {
    /// Reads a record and moves past it.
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Option<Self> {
        let start = cursor.position;
        (cursor.u32()? == CENTRAL).then_some(())?;
        let [_, system] = cursor.u16()?.to_le_bytes();
        let _needed = cursor.u16()?;
        let (flags, method, modified) = (cursor.u16()?, cursor.u16()?, cursor.u32()?);
        let (crc, packed, size) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let (name, extra, comment) = (cursor.u16()?, cursor.u16()?, cursor.u16()?);
        let disk = cursor.u16()?;
        let _internal = cursor.u16()?;
        let (attributes, offset) = (cursor.u32()?, cursor.u32()?);
        let name = cursor.take(name.into())?;
        Some(Self {
            common: CommonFields { flags, method, modified, crc, packed, size, name },
            system,
            extra: cursor.take(extra.into())?,
            comment: cursor.take(comment.into())?,
            disk,
            attributes,
            offset,
            span: Span { start, end: cursor.position },
        })
    }
}

/// A file's record before its data.
pub(crate) struct Local<'a> {
    pub(crate) common: CommonFields<'a>,
    pub(crate) extra: &'a [u8],
    /// The position of the data.
    pub(crate) data: usize,
}

impl<'a> Local<'a> {
    pub(crate) fn read(bytes: &'a [u8], position: usize) -> Option<Self> {
        let mut cursor = Cursor::new(bytes, position);
        (cursor.u32()? == LOCAL).then_some(())?;
        let _needed = cursor.u16()?;
        let (flags, method, modified) = (cursor.u16()?, cursor.u16()?, cursor.u32()?);
        let (crc, packed, size) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
        let (name, extra) = (cursor.u16()?, cursor.u16()?);
        let name = cursor.take(name.into())?;
        let extra = cursor.take(extra.into())?;
        let common = CommonFields { flags, method, modified, crc, packed, size, name };
        Some(Self { common, extra, data: cursor.position })
    }
}
