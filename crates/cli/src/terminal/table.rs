//! A short table for people, on standard error.

use toolglot::core::{printable, secret};

use crate::terminal::console::Terminal;

/// Returns the first digits of a digest, which suffice to tell files apart.
pub(crate) fn short_digest(digest: &str) -> &str {
    // A shorter text is no digest, and is not shown.
    digest.get(..12).unwrap_or("")
}

/// How much to say.
#[derive(Clone, clap::Args)]
pub(crate) struct Detail {
    /// Say everything, however long it gets
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// A name, and a note about it.
pub(crate) type Line = (String, String);

/// Lines of one kind, under a heading.
pub(crate) struct Section {
    /// The heading.
    pub(crate) heading: &'static str,
    /// The ANSI style of the heading.
    pub(crate) style: &'static str,
    /// The number of items, as text.
    pub(crate) count: String,
    /// Sentences that are never cut.
    pub(crate) uncut: Vec<String>,
    /// Lines that are cut if there are many.
    pub(crate) lines: Vec<Line>,
}

/// The maximum number of lines that are shown in full.
const MAX_FULL_LINES: usize = 16;
/// The number of lines of each section if there are more.
const CUT_LINES: usize = 4;

/// Returns the sections as text. A long table is cut unless `verbose` is set.
pub(crate) fn render(sections: &[Section], verbose: bool, terminal: &Terminal) -> String {
    let total: usize = sections.iter().map(|section| section.lines.len()).sum();
    let limit = if verbose || total <= MAX_FULL_LINES { total } else { CUT_LINES };
    let shown = || sections.iter().flat_map(|s| s.lines.iter().take(limit));
    let widths = shown().map(|(name, _)| name.chars().count());
    let width = widths.max().unwrap_or(0).min(28);
    let mut out = Vec::new();
    for section in sections {
        let heading = terminal.paint(section.style, section.heading);
        out.push(format!("{heading}: {}", section.count));
        out.extend(section.uncut.iter().map(|sentence| format!("  {sentence}")));
        let lines = section.lines.iter().take(limit);
        out.extend(
            lines
                .map(|(name, note)| format!("  {name:width$}  {}", secret::mask_named(name, note))),
        );
        let left = section.lines.len().saturating_sub(limit);
        if left > 0 {
            out.push(format!("  … and {left} more (--verbose shows all)"));
        }
    }
    out.join("\n") + "\n"
}

/// Returns the first names, and the number of the others.
pub(crate) fn list_names<'n>(
    names: impl ExactSizeIterator<Item = &'n String>,
    limit: usize,
) -> String {
    let more = names.len().saturating_sub(limit);
    let shown: Vec<_> = names.take(limit).map(|name| printable(name, 512)).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Returns a number of values as text.
pub(crate) fn count_values(number: usize) -> String {
    match number {
        0 => "none".to_owned(),
        1 => "1 value".to_owned(),
        many => format!("{many} values"),
    }
}
