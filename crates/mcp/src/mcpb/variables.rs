//! The variables `${NAME}` that a host fills in when it starts a server.

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// The folder that the bundle was unpacked to.
    Folder,
    /// The separator of paths.
    Separator,
    /// The value of a setting, by its key.
    Setting(&'t str),
    /// A folder of the user.
    Home,
    /// A variable that hosts do not fill in.
    Unknown(&'t str),
}

/// Splits a text into pieces. A variable that is not closed is text.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let variable = rest.strip_prefix("${").and_then(|inner| inner.split_once('}'));
        if let Some((name, after)) = variable {
            rest = after;
            return Some(parse_variable(name));
        }
        // The search begins at the second character: the first may be a `$` that begins no
        // variable.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let next = rest.get(first..).and_then(|after| after.find("${"));
        let (text, after) = rest.split_at(next.map_or(rest.len(), |next| first + next));
        rest = after;
        Some(Piece::Text(text))
    })
}

fn parse_variable(name: &str) -> Piece<'_> {
    match name {
        "__dirname" => Piece::Folder,
        "/" | "pathSeparator" => Piece::Separator,
        "HOME" | "DESKTOP" | "DOCUMENTS" | "DOWNLOADS" => Piece::Home,
        other => other.strip_prefix("user_config.").map_or(Piece::Unknown(other), Piece::Setting),
    }
}

/// Returns an argument of a command that runs in the folder of the bundle, or `None` if a
/// host must fill in more than that folder.
pub(crate) fn relative_to_bundle(word: &str) -> Option<String> {
    pieces(word)
        .map(|piece| match piece {
            Piece::Text(text) => Some(text),
            Piece::Folder => Some("."),
            Piece::Separator => Some("/"),
            Piece::Setting(_) | Piece::Home | Piece::Unknown(_) => None,
        })
        .collect()
}

/// Returns true if a value has no variables, so that it is the same on every system and for
/// every user.
pub(crate) fn is_constant(value: &str) -> bool {
    pieces(value).all(|piece| matches!(piece, Piece::Text(_)))
}

/// Returns the key of the setting, if the value is exactly one setting.
pub(crate) fn sole_setting(value: &str) -> Option<&str> {
    let mut pieces = pieces(value);
    match (pieces.next(), pieces.next()) {
        (Some(Piece::Setting(key)), None) => Some(key),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_its_variables() {
        let all = |text| pieces(text).collect::<Vec<_>>();
        let (text, folder) = (Piece::Text, Piece::Folder);
        assert_eq!(all("${__dirname}${/}a"), [folder, Piece::Separator, text("a")]);
        assert_eq!(
            all("--x=${user_config.a.b}$"),
            [text("--x="), Piece::Setting("a.b"), text("$")]
        );
        assert_eq!(all("${HOME}/${USER}"), [Piece::Home, text("/"), Piece::Unknown("USER")]);
        assert_eq!(all("$${x"), [text("$"), text("${x")]);
        assert_eq!(all(""), []);
    }

    #[test]
    fn only_the_folder_of_the_bundle_is_known_to_everyone() {
        assert_eq!(relative_to_bundle("${__dirname}/a.js").as_deref(), Some("./a.js"));
        assert_eq!(relative_to_bundle("-v").as_deref(), Some("-v"));
        assert_eq!(relative_to_bundle("${HOME}/x"), None);
        assert_eq!(sole_setting("${user_config.token}"), Some("token"));
        assert_eq!(sole_setting("Bearer ${user_config.token}"), None);
        assert!(["", "read-only", "$5", "${x"].into_iter().all(is_constant));
        assert!(!["${HOME}/x", "Bearer ${user_config.token}"].into_iter().any(is_constant));
    }
}
