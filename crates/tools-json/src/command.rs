//! Checks of a command's first element, the path of the program.

use manifest_core::path::{PathStyle, clean, is_absolute, to_slash};
use manifest_core::{ByteSet, is_plain_text};

use crate::go::quote;
use crate::rules;

/// A broken rule, and the reference's message about it.
pub(crate) type Refusal = (&'static manifest_core::Rule, String);

/// The folder that relative programs must be in.
const PROGRAM_FOLDER: &str = "./tools/bin";

/// Checks a program path for the platform that will run the tools, which need not be this
/// one.
///
/// An absolute path is accepted. Any other must be in `./tools/bin` after backslashes are
/// read as slashes and `.` and `..` are resolved. It must also begin with `./tools/bin/` before
/// `.` and `..` are resolved.
pub(crate) fn check(program: &str, platform: PathStyle) -> Result<(), Refusal> {
    if is_absolute(program, platform) || is_canonical(program) {
        return Ok(());
    }
    let raw = to_slash(program);
    let norm = normalise(program);
    if norm == ".." || norm.starts_with("../") {
        let message = format!(
            "command[0] must not start with '..' or escape tools/bin (got {})",
            quote(program)
        );
        return Err((&rules::COMMAND_ESCAPE, message));
    }
    if raw != PROGRAM_FOLDER && !is_in_program_folder(&raw) {
        let message = "relative command[0] must start with ./tools/bin/".to_owned();
        return Err((&rules::COMMAND_PREFIX, message));
    }
    if is_in_program_folder(&norm) {
        return Ok(());
    }
    let message = format!(
        "command[0] escapes ./tools/bin after normalization (got {} -> {})",
        quote(program),
        quote(&norm)
    );
    Err((&rules::COMMAND_ESCAPE, message))
}

/// Returns true if a path with forward slashes begins with `./tools/bin/`.
pub(crate) fn is_in_program_folder(path: &str) -> bool {
    path.strip_prefix(PROGRAM_FOLDER).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns true if the path is valid and names the same program from any folder.
pub(crate) fn is_location_independent(program: &str) -> bool {
    is_absolute(program, PathStyle::Posix) && is_plain_text(program) && !has_droppable_end(program)
}

/// Returns true if a path ends with a character that some file systems drop.
pub(crate) fn has_droppable_end(program: &str) -> bool {
    program.ends_with([' ', '.'])
}

/// Returns true if the path is `./tools/bin/NAME`, with a NAME of letters, digits, `_`, `-`
/// and inner dots. Such a path needs no further check.
pub(crate) fn is_canonical(program: &str) -> bool {
    static INSIDE: ByteSet =
        ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'.']);
    let name = program.as_bytes().strip_prefix(PROGRAM_FOLDER.as_bytes());
    let Some(name @ ([first, .., last] | [first @ last])) =
        name.and_then(|name| name.strip_prefix(b"/"))
    else {
        return false;
    };
    *first != b'.' && *last != b'.' && INSIDE.contains_all(name)
}

/// Returns the path with forward slashes and without `.` and `..`, as the reference shows
/// it.
pub(crate) fn normalise(program: &str) -> String {
    let norm = clean(&to_slash(program));
    if norm == "tools" || norm.starts_with("tools/") { format!("./{norm}") } else { norm }
}
