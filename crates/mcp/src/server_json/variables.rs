//! The variables `{name}` that a client fills in.

/// Returns the names between braces in a text. Braces around anything else are text.
pub(crate) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|after| {
        let (name, _) = after.split_once('}')?;
        is_name(name).then_some(name)
    })
}

/// Returns true if a text is the name of a variable.
pub(crate) fn is_name(text: &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    text.bytes().next().is_some_and(letter) && text.bytes().all(|b| letter(b) || b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_between_braces() {
        let all = |text| names(text).collect::<Vec<_>>();
        assert_eq!(all("https://{host}:{port_2}/x"), ["host", "port_2"]);
        assert_eq!(all(r#"{"a": 1} {} {a b} {1} {{x}} {y"#), ["x"]);
    }
}
