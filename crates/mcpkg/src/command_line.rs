//! Command lines: one string that a POSIX shell would split. A path with `..` is refused.

pub(crate) use call::needs_shell as is_active;

/// Returns a line that splits into these words.
pub(crate) fn join<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    shell_words::join(words)
}

/// Checks that a line is not blank, contains no NUL, and has no path with `..` in it.
pub(crate) fn check(line: &str) -> Result<(), &'static str> {
    let climbs = |word: &str| word.split(['/', '\\']).any(|segment| segment == "..");
    if line.trim().is_empty() {
        Err("is blank")
    } else if line.contains('\0') {
        Err("holds a NUL")
    } else if line.split([' ', '\t', '\n', '"', '\'', '=']).any(climbs) {
        Err("has a path that leaves the package")
    } else {
        Ok(())
    }
}
