//! The page: its rows, and what they name.

use super::prose;
use super::repository::read;

/// One line of a table.
pub(crate) struct Row {
    pub(crate) specification: String,
    pub(crate) number: String,
    pub(crate) says: String,
    /// Rules and functions.
    pub(crate) by: Vec<String>,
    pub(crate) verbs: Vec<String>,
    pub(crate) tests: Vec<String>,
    /// `yes`, or `partly` or `no` with what is lacking.
    pub(crate) state: String,
}

impl Row {
    fn new(specification: &str, line: &str) -> Self {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, says, by, verbs, tests, state] = cells[..] else {
            panic!("six cells: {line}")
        };
        Self {
            specification: specification.to_owned(),
            number: number.to_owned(),
            says: says.to_owned(),
            by: quoted(by),
            verbs: quoted(verbs),
            tests: quoted(tests),
            state: state.to_owned(),
        }
    }

    /// The section and the sentences that the row is about: `7 a–c` is three.
    pub(crate) fn keys(&self) -> Vec<String> {
        let is_letter = |letters: &str| letters.starts_with(|c: char| c.is_ascii_lowercase());
        let split = self.number.rsplit_once(' ').filter(|(_, letters)| is_letter(letters));
        let Some((section, letters)) = split else { return vec![self.number.clone()] };
        let (first, last) = letters.split_once('–').unwrap_or((letters, letters));
        let ordinals = prose::ordinal(first)..=prose::ordinal(last);
        ordinals.map(|ordinal| format!("{section} {}", prose::letter(ordinal))).collect()
    }

    /// The state, and what is lacking.
    pub(crate) fn state(&self) -> (&str, &str) {
        self.state.split_once(": ").unwrap_or((&self.state, ""))
    }
}

/// What stands between backticks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

pub(crate) fn rows() -> Vec<Row> {
    let page = read("docs/specifications.md");
    let mut specification = "";
    let mut rows = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            specification = heading;
        }
        let in_table = line.starts_with("| ") && !line.starts_with("| number |");
        if in_table {
            rows.push(Row::new(specification, line));
        }
    }
    rows
}
