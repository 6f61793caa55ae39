//! Command lines: one string that a POSIX shell would split.

/// What a shell would act on when it stands outside quotes.
const ACTIVE: &[char] =
    &['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '[', '#', '~', '\n', '!'];

/// The words of a line, when splitting is all that a shell would do with it.
pub(crate) fn split(line: &str) -> Option<Vec<String>> {
    let words = shell_words::split(line).ok()?;
    (!words.is_empty() && !is_active(line)).then_some(words)
}

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

/// Whether a shell would do more than split the line.
pub(crate) fn is_active(line: &str) -> bool {
    let (mut single, mut double) = (false, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '\\' if !single => {
                chars.next();
            }
            '$' | '`' if double => return true,
            c if !single && !double && ACTIVE.contains(&c) => return true,
            _ => {}
        }
    }
    false
}
