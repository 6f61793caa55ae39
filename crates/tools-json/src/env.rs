//! Names of environment variables.

use std::collections::BTreeSet;

use manifest_core::{ByteSet, Profile, Text};

use crate::{Tool, go};

impl Tool<'_> {
    /// Returns the variables that the tool gets: `envPassthrough` in upper case, each name
    /// once, without invalid names.
    pub fn env_names(&self) -> Vec<Text<'_>> {
        let mut seen = BTreeSet::new();
        self.env_passthrough
            .iter()
            .filter_map(|name| normalise(name, Profile::Reference).ok())
            .filter(|name| seen.insert(name.clone()))
            .collect()
    }
}

/// The reason for refusing a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadName {
    Empty,
    Invalid,
}

/// Trims a name and changes it to upper case. Fails if the result does not match
/// `[A-Z_][A-Z0-9_]*`.
pub(crate) fn normalise(name: &str, profile: Profile) -> Result<Text<'_>, BadName> {
    if is_valid(name) {
        return Ok(Text::Borrowed(name));
    }
    let trimmed = name.trim();
    if trimmed.is_empty() {
        return Err(BadName::Empty);
    }
    let upper: String = match profile {
        Profile::Reference => trimmed.chars().map(go::to_upper).collect(),
        // Letters outside ASCII are invalid in a name, even if their upper case is ASCII.
        Profile::Spec | Profile::Strict => trimmed.to_ascii_uppercase(),
    };
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
