//! Rules for arguments of installers, shared by checks and plans. They refuse texts that an
//! installer could read as an option, a path or another command.

/// Returns true if a text is a pip package: a name, with optional extras in brackets.
pub fn is_pip_package(text: &str) -> bool {
    let word = |word: &[u8]| {
        let inside = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        word.iter().all(inside)
            && word.first().is_some_and(u8::is_ascii_alphanumeric)
            && word.last().is_some_and(u8::is_ascii_alphanumeric)
    };
    // Fast path: most packages have no extras.
    if word(text.as_bytes()) {
        return true;
    }
    let Some((name, rest)) = text.split_once('[') else { return false };
    let extra = |extra: &str| extra.is_empty() || word(extra.trim().as_bytes());
    word(name.as_bytes())
        && rest.strip_suffix(']').is_some_and(|extras| extras.split(',').all(extra))
}

/// Returns true if a text is an npm package: a name, with an optional scope in front.
pub fn is_npm_package(text: &str) -> bool {
    let word = |word: &str| {
        word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~-".contains(&b))
            && word.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
    };
    match text.strip_prefix('@') {
        Some(scoped) => {
            scoped.split_once('/').is_some_and(|(scope, name)| word(scope) && word(name))
        }
        None => word(text),
    }
}

/// Returns true if git accepts a text as the name of a tag, a branch or a commit.
pub fn is_git_reference(text: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"~^:?*[\\".contains(c);
    !text.is_empty()
        && !text.starts_with(['-', '/', '.'])
        && !text.ends_with(['/', '.'])
        && !text.contains("..")
        && !text.contains("//")
        && !text.contains("@{")
        && text.chars().all(plain)
}

/// Returns true if a text can be a reference to a container image.
pub fn is_image(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-/:@[]+".contains(&b);
    text.bytes().all(plain)
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'[')
}

/// Returns true if a text is a Python module, with its parent packages if it has any.
pub fn is_python_module(text: &str) -> bool {
    let word = |word: &str| {
        word.chars().all(|c| c.is_alphanumeric() || c == '_')
            && word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
    };
    text.split('.').all(word)
}

/// Returns true if a text is the name of a program, not a path to one.
pub fn is_program(text: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"/\\:".contains(c);
    !text.is_empty() && !text.starts_with(['-', '.']) && text.chars().all(plain)
}

/// Returns true if a git reference is a full SHA-1 or SHA-256 of a commit.
pub fn is_commit(reference: &str) -> bool {
    matches!(reference.len(), 40 | 64) && reference.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Returns true if an image is pinned by its digest.
pub fn has_digest(image: &str) -> bool {
    image.rsplit_once("@sha256:").is_some_and(|(_, digest)| {
        digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_hexdigit())
    })
}
