//! The entries of an allow-list, which limits where requests may go.

pub(crate) use call::{Destination, is_host};

#[cfg(test)]
mod tests {
    use super::{Destination, is_host};
    use crate::grammar::tests::combinations;

    #[test]
    fn hosts_are_entries() {
        let pieces = ["a", "B", "1", ".", "-", "*", ":", "[", "]", "/", "%", "é", "::1"];
        for text in combinations(&pieces, 4) {
            assert!(!is_host(&text) || Destination::parse(&text).is_some(), "{text}");
        }
        let label = "a".repeat(63);
        assert!(is_host(&label) && is_host(&format!("{label}.{label}.")));
        assert!(!is_host(&format!("{label}a")) && !is_host(&format!("a.{label}a")));
        let long = "a.".repeat(126);
        assert!(is_host(&format!("{long}a")) && !is_host(&format!("{long}aa")));
        for host in ["", ".", "a..b", ".a", "a b", "é.com"] {
            assert!(!is_host(host), "{host}");
        }
    }
}
