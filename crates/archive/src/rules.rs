//! The rules of archives. All but one are errors under every profile, because an ambiguous
//! archive is unsafe for every reader.

use diagnostic::Rule;

/// Every rule of archives.
pub static RULES: &[&Rule] = &[
    &SIZE,
    &END,
    &COMMENT,
    &TRAILING,
    &PREFIX,
    &EXTENDED,
    &SPLIT,
    &ENTRIES,
    &TOTAL_SIZE,
    &ENTRY_SIZE,
    &RATIO,
    &OVERLAP,
    &GAP,
    &HEADER_MISMATCH,
    &DESCRIPTOR,
    &FLAGS,
    &ENCRYPTED,
    &METHOD,
    &DEFLATE,
    &SIZE_MISMATCH,
    &CHECKSUM,
    &EXTRA,
    &ENTRY_TYPE,
    &DUPLICATE,
    &PATH_COLLISION,
    &PATH_ENCODING,
    &PATH_EMPTY,
    &PATH_ABSOLUTE,
    &PATH_SEPARATOR,
    &PATH_TRAVERSAL,
    &PATH_NONCANONICAL,
    &PATH_CHARACTER,
    &PATH_TRAILING,
    &PATH_RESERVED,
    &PATH_NORMALIZATION,
    &PATH_LENGTH,
    &NO_MANIFEST,
    &MODE,
];

/// The archive is too long.
pub static SIZE: Rule = Rule::structure(
    "zip/size",
    "an archive must not be longer than the limit",
    "The limit is `Limits::archive_bytes`. Raise it if you trust where the archive comes \
     from.",
);
/// The record at the end is missing or wrong.
pub static END: Rule = Rule::structure(
    "zip/end",
    "an archive must end with one end record that tells the truth",
    "The record at the end says where the directory is and how much is in it. When it is \
     missing, cut off, there twice, or wrong, readers disagree on what the archive holds. \
     Pack the files again.",
);
/// The archive or an entry has a comment.
pub static COMMENT: Rule = Rule::structure(
    "zip/comment",
    "an archive must not have comments",
    "A comment can hold a second archive, and different readers find different ones. Pack the \
     files without a comment.",
);
/// Bytes follow the archive.
pub static TRAILING: Rule = Rule::structure(
    "zip/trailing",
    "nothing may follow an archive",
    "What follows is not part of the archive for some readers, and all of it for others. \
     Remove it.",
);
/// Bytes precede the archive.
pub static PREFIX: Rule = Rule::structure(
    "zip/prefix",
    "nothing may precede an archive",
    "A program or another archive before the first entry is run by some systems and skipped \
     by others. Remove it.",
);
/// The archive is in the 64-bit format.
pub static EXTENDED: Rule = Rule::structure(
    "zip/extended-format",
    "an archive must not use the 64-bit format",
    "Its records repeat the sizes of the plain ones, and readers differ in which of the two \
     they believe. No package within the limits needs it.",
);
/// The archive is one of several parts.
pub static SPLIT: Rule =
    Rule::structure("zip/split", "an archive must be in one part", "Join the parts first.");
/// There are too many entries.
pub static ENTRIES: Rule = Rule::structure(
    "zip/entries",
    "an archive must not have more entries than the limit",
    "The limit is `Limits::archive_entries`. Directories count.",
);
/// All entries together are too large.
pub static TOTAL_SIZE: Rule = Rule::structure(
    "zip/total-size",
    "an archive must not expand to more than the limit",
    "The limit is `Limits::expanded_bytes`. It is decided by what the directory declares, \
     before anything is expanded; each entry is held to what it declares.",
);
/// An entry is too large.
pub static ENTRY_SIZE: Rule = Rule::structure(
    "zip/entry-size",
    "an entry must not expand to more than the limit",
    "The limit is `Limits::entry_bytes`.",
);
/// An entry expands to suspiciously many bytes.
pub static RATIO: Rule = Rule::structure(
    "zip/ratio",
    "an entry must not expand to very many times its size",
    "The limit is `Limits::expansion_ratio`, for entries above a mebibyte. Only data made to \
     exhaust its reader compresses so well.",
);
/// Entries overlap.
pub static OVERLAP: Rule = Rule::structure(
    "zip/overlap",
    "entries must not share bytes",
    "Entries that overlap turn a small file into an enormous one, or one file into two. Pack \
     the files again.",
);
/// There are bytes between entries.
pub static GAP: Rule = Rule::structure(
    "zip/gap",
    "entries must follow each other without gaps, in the order of the directory",
    "Bytes between entries can hold files that only some readers see. Pack the files again.",
);
/// The two records of an entry disagree.
pub static HEADER_MISMATCH: Rule = Rule::structure(
    "zip/header-mismatch",
    "an entry's own record must agree with the directory",
    "Readers that stream see one, readers that seek see the other. Name, flags, method, time, \
     checksum and sizes must be the same.",
);
/// The record after an entry is missing or wrong.
pub static DESCRIPTOR: Rule = Rule::structure(
    "zip/data-descriptor",
    "a record after the data must repeat what the directory says",
    "Only compressed entries may have their sizes after the data: with stored ones, a reader \
     that streams cannot tell where they end. The record must be signed, and the sizes before \
     the data must be zero.",
);
/// An entry has an unknown flag.
pub static FLAGS: Rule = Rule::structure(
    "zip/flags",
    "an entry must not have flags that are not known",
    "The flags for UTF-8 names, for sizes after the data and for the effort of compression \
     are known.",
);
/// An entry is encrypted.
pub static ENCRYPTED: Rule = Rule::structure(
    "zip/encrypted",
    "entries must not be encrypted",
    "A package is read by programs that have no password.",
);
/// An entry uses an unsupported method of compression.
pub static METHOD: Rule = Rule::structure(
    "zip/method",
    "an entry must be stored or deflated",
    "Other methods of compression are not read by all.",
);
/// Compressed data is broken or has a tail.
pub static DEFLATE: Rule = Rule::structure(
    "zip/deflate",
    "compressed data must be sound, and end where the entry ends",
    "Bytes after the end of the compressed stream are hidden from most readers.",
);
/// An entry does not have its declared size.
pub static SIZE_MISMATCH: Rule = Rule::structure(
    "zip/size-mismatch",
    "an entry must be as long as it says",
    "The declared size decides whether the archive is safe to expand, so a wrong one is \
     refused.",
);
/// An entry does not match its checksum.
pub static CHECKSUM: Rule = Rule::structure(
    "zip/checksum",
    "an entry must have the checksum that it says",
    "The data was damaged, or changed by hand.",
);
/// An extra field is unknown or broken.
pub static EXTRA: Rule = Rule::structure(
    "zip/extra-field",
    "extra fields must be known, whole, and add nothing to act on",
    "Times and owners are known and ignored. A second name must be equal to the first.",
);
/// An entry is neither a file nor a directory.
pub static ENTRY_TYPE: Rule = Rule::structure(
    "zip/entry-type",
    "an entry must be a file or a directory, and not in doubt which",
    "Links lead out of the folder that a package is unpacked to; devices and pipes have no \
     place in one. A directory's name ends with a slash, it has no data, and its attributes \
     do not say otherwise.",
);
/// Two entries have the same name.
pub static DUPLICATE: Rule = Rule::structure(
    "zip/duplicate",
    "two entries must not have the same name",
    "Readers disagree on which of the two counts.",
);
/// Two names mean the same file on some system.
pub static PATH_COLLISION: Rule = Rule::structure(
    "zip/path-collision",
    "two entries must not be one file on some system",
    "Systems ignore case, Unicode forms and hidden characters in names, each in its own way. \
     A name that is a file must not be a folder of another.",
);
/// A name is not UTF-8.
pub static PATH_ENCODING: Rule = Rule::structure(
    "zip/path-encoding",
    "a name must be UTF-8, and marked as such unless it is ASCII",
    "Readers guess the encoding of other names, each in its own way.",
);
/// A name is empty.
pub static PATH_EMPTY: Rule = Rule::structure(
    "zip/path-empty",
    "a name must not be empty",
    "There is no file without a name.",
);
/// A name is absolute.
pub static PATH_ABSOLUTE: Rule = Rule::structure(
    "zip/path-absolute",
    "a name must be relative",
    "An absolute name, a drive or a share leads out of the package.",
);
/// A name contains a backslash.
pub static PATH_SEPARATOR: Rule = Rule::structure(
    "zip/path-separator",
    "the separator in names must be /",
    "A backslash is part of a name on one system and a separator on another.",
);
/// A name contains `..`.
pub static PATH_TRAVERSAL: Rule = Rule::structure(
    "zip/path-traversal",
    "a name must not have .. in it",
    "It would lead out of the package.",
);
/// A name is not in its shortest form.
pub static PATH_NONCANONICAL: Rule = Rule::structure(
    "zip/path-noncanonical",
    "a name must not have empty or . segments",
    "`a//b` and `./a` are second spellings of other names.",
);
/// A name contains a forbidden character.
pub static PATH_CHARACTER: Rule = Rule::structure(
    "zip/path-character",
    "a name must not have characters that some system forbids, expands or hides",
    "Control characters, `:`, `*`, `?`, quotes, `<`, `>`, `|`, `%`, and characters that \
     cannot be seen.",
);
/// A part of a name ends in a dot or a space.
pub static PATH_TRAILING: Rule = Rule::structure(
    "zip/path-trailing",
    "a part of a name must not end in a dot, or begin or end with a space",
    "Windows drops these, which makes two names one.",
);
/// A part of a name is a device.
pub static PATH_RESERVED: Rule = Rule::structure(
    "zip/path-reserved",
    "a part of a name must not be a Windows device",
    "`NUL`, `con.txt` and `COM1` open devices, not files.",
);
/// A name is not in normal form.
pub static PATH_NORMALIZATION: Rule = Rule::structure(
    "zip/path-normalization",
    "a name must be in Unicode normal form C, and not look like another path",
    "Systems compare names in different Unicode forms.",
);
/// A name is too long.
pub static PATH_LENGTH: Rule = Rule::structure(
    "zip/path-length",
    "a name must not be longer or deeper than the limits",
    "The limits are `Limits::path_bytes`, `path_segment_bytes` and `path_segments`.",
);
/// The manifest is missing.
pub static NO_MANIFEST: Rule = Rule::structure(
    "zip/no-manifest",
    "a package must have a manifest.json at its root",
    "The name is in lower case, and in no folder. A folder packed whole has its own name in \
     front of every path: pack what is inside it.",
);
/// An entry has the set-user, set-group or sticky bit, which is ignored.
pub static MODE: Rule = Rule::advice(
    "zip/mode",
    "an entry should not have the set-user, set-group or sticky bit",
    "The bits are ignored. A file that has them was packed carelessly, or by someone who \
     hoped that they would be kept.",
);
