//! Command lines: one string that a POSIX shell would split, of paths within the package.

pub(crate) use call::needs_shell as is_active;

/// A line that splits into these words.
pub(crate) fn join<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    shell_words::join(words)
}

/// Checks that a line names a program, and no path outside the package.
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
