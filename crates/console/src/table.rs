//! A short table for people, on standard error.

use toolglot::core::{printable, secret};

use crate::terminal::Terminal;

/// How much to say.
#[derive(Clone, clap::Args)]
pub struct Detail {
    /// Say everything, however long it gets
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// A name, and what there is to say about it.
pub type Line = (String, String);

/// Lines of a kind, under a heading.
pub struct Section {
    /// What the lines are about.
    pub heading: &'static str,
    /// The ANSI style of the heading.
    pub style: &'static str,
    /// How much there is, in words.
    pub count: String,
    /// What is never cut, a sentence each.
    pub whole: Vec<String>,
    /// What is cut when there is much of it.
    pub lines: Vec<Line>,
}

/// Lines that are shown in full.
const SHORT: usize = 16;
/// Lines of a section when there are more.
const CUT: usize = 4;

/// The sections as text. Unless `verbose`, a long table is cut.
pub fn text(sections: &[Section], verbose: bool, terminal: &Terminal) -> String {
    let total: usize = sections.iter().map(|section| section.lines.len()).sum();
    let limit = if verbose || total <= SHORT { total } else { CUT };
    let shown = || sections.iter().flat_map(|s| s.lines.iter().take(limit));
    let widths = shown().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or(0).min(28);
    let mut out = Vec::new();
    for section in sections {
        let heading = terminal.paint(section.style, section.heading);
        out.push(format!("{heading}: {}", section.count));
        out.extend(section.whole.iter().map(|sentence| format!("  {sentence}")));
        let lines = section.lines.iter().take(limit);
        out.extend(
            lines.map(|(name, note)| {
                format!("  {name:width$}  {}", secret::masked_named(name, note))
            }),
        );
        let left = section.lines.len().saturating_sub(limit);
        if left > 0 {
            out.push(format!("  … and {left} more (--verbose shows all)"));
        }
    }
    out.join("\n") + "\n"
}

/// The first few of some names, and how many more there are.
pub fn names<'n>(names: impl ExactSizeIterator<Item = &'n String>, limit: usize) -> String {
    let more = names.len().saturating_sub(limit);
    let shown: Vec<_> = names.take(limit).map(|name| printable(name, 512)).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A number of values, in words.
pub fn values(number: usize) -> String {
    match number {
        0 => "none".to_owned(),
        1 => "1 value".to_owned(),
        many => format!("{many} values"),
    }
}
