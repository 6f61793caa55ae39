//! Names of environment variables.

use manifest_core::{ByteSet, Text};

use crate::go::quote;

/// The reason for refusing a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadName {
    Empty,
    Invalid,
}

impl BadName {
    /// Returns the reference's message about a name.
    pub(crate) fn message(self, name: &str) -> String {
        match self {
            Self::Empty => "empty name".to_owned(),
            Self::Invalid => {
                format!("invalid name {} (must match [A-Z_][A-Z0-9_]*)", quote(name))
            }
        }
    }
}

/// Trims a name and changes its ASCII letters to upper case. Fails if the result does not match
/// `[A-Z_][A-Z0-9_]*`.
pub(crate) fn normalise(name: &str) -> Result<Text<'_>, BadName> {
    if is_valid(name) {
        return Ok(Text::Borrowed(name));
    }
    let trimmed = name.trim();
    if trimmed.is_empty() {
        return Err(BadName::Empty);
    }
    let upper = trimmed.to_ascii_uppercase();
    if is_valid(&upper) { Ok(Text::Owned(upper)) } else { Err(BadName::Invalid) }
}

/// Returns true if a name matches `[A-Z_][A-Z0-9_]*`.
pub(crate) fn is_valid(name: &str) -> bool {
    static IN_NAME: ByteSet = ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'_'..=b'_']);
    IN_NAME.contains_all(name.as_bytes())
        && name.bytes().next().is_some_and(|b| !b.is_ascii_digit())
}

/// Returns true if a variable affects which program runs, or which code it loads.
pub(crate) fn is_dangerous(name: &str) -> bool {
    matches!(
        name,
        "PATH"
            | "LD_PRELOAD"
            | "LD_LIBRARY_PATH"
            | "LD_AUDIT"
            | "NODE_OPTIONS"
            | "NODE_PATH"
            | "PYTHONPATH"
            | "PYTHONSTARTUP"
            | "PYTHONHOME"
            | "BASH_ENV"
            | "ENV"
            | "IFS"
            | "PERL5LIB"
            | "PERL5OPT"
            | "RUBYOPT"
            | "RUBYLIB"
            | "JAVA_TOOL_OPTIONS"
            | "CLASSPATH"
            | "GIT_SSH_COMMAND"
    ) || name.starts_with("DYLD_")
}
