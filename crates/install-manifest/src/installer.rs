//! Rules for arguments of installers, shared by checks and plans. They refuse texts that an
//! installer could read as an option, a path or another command.

/// Returns true if a text is a pip package: a name, with optional extras in brackets.
pub(crate) fn is_pip_package(text: &str) -> bool {
    // Fast path: most packages have no extras.
    if is_pip_name(text) {
        return true;
    }
    let Some((name, extras)) = text.split_once('[') else { return false };
    let Some(extras) = extras.strip_suffix(']') else { return false };
    is_pip_name(name)
        && extras.split(',').all(|extra| extra.is_empty() || is_pip_name(extra.trim()))
}

fn is_pip_name(text: &str) -> bool {
    let name = text.as_bytes();
    name.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        && name.first().is_some_and(u8::is_ascii_alphanumeric)
        && name.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns true if a text is an npm package: a name, with an optional scope in front.
pub(crate) fn is_npm_package(text: &str) -> bool {
    match text.strip_prefix('@') {
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, name)) => is_npm_name(scope) && is_npm_name(name),
            None => false,
        },
        None => is_npm_name(text),
    }
}

fn is_npm_name(text: &str) -> bool {
    let name = text.as_bytes();
    name.iter().all(|b| b.is_ascii_alphanumeric() || b"._~-".contains(b))
        && name.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Returns true if git accepts a text as the name of a tag, a branch or a commit.
pub(crate) fn is_git_reference(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', '/', '.'])
        && !text.ends_with(['/', '.'])
        && !text.contains("..")
        && !text.contains("//")
        && !text.contains("@{")
        && !text.contains(['~', '^', ':', '?', '*', '[', '\\'])
        && !text.contains(is_blank_or_control)
}

fn is_blank_or_control(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Returns true if a text can be a reference to a container image.
pub(crate) fn is_image(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/:@[]+".contains(&b))
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
}

/// Returns true if a text is a Python module, with its parent packages if it has any.
pub(crate) fn is_python_module(text: &str) -> bool {
    text.split('.').all(|word| {
        word.chars().all(|c| c.is_alphanumeric() || c == '_')
            && word.starts_with(|c: char| c.is_alphabetic() || c == '_')
    })
}

/// Returns true if a text is the name of a program, not a path to one.
pub(crate) fn is_program(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(['-', '.'])
        && !text.contains(['/', '\\', ':'])
        && !text.contains(is_blank_or_control)
}

/// Returns true if a git reference is a full SHA-1 or SHA-256 of a commit.
pub(crate) fn is_commit(reference: &str) -> bool {
    matches!(reference.len(), 40 | 64) && reference.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Returns true if an image is pinned by its digest.
pub(crate) fn has_digest(image: &str) -> bool {
    image.rsplit_once("@sha256:").is_some_and(|(_, digest)| {
        digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit())
    })
}
