//! Reports on exports, for people and programs.

use diagnostic::{Diagnostic, printable};
use json_schema::Relation;

use crate::catalog::Source;
use crate::compat::{Column, Compat, Verdict};
use crate::config::Config;
use crate::export::{Export, ObjectText};

/// One section of a report: sentences, and names with remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReportSection {
    /// The heading of the section.
    pub heading: &'static str,
    /// The sentences.
    pub sentences: Vec<String>,
    /// The names with their remarks.
    pub lines: Vec<(String, String)>,
}

impl ReportSection {
    /// The heading of the section about tools or manifests that were left out. If it is
    /// present, the export is incomplete.
    pub const LEFT_OUT: &'static str = "left out";

    fn lines(heading: &'static str, lines: Vec<(String, String)>) -> Self {
        Self { heading, lines, ..Self::default() }
    }

    fn sentences(heading: &'static str, sentences: Vec<String>) -> Self {
        Self { heading, sentences, ..Self::default() }
    }
}

fn diagnostic_text(found: &Diagnostic) -> String {
    let at = printable(found.pointer.as_str(), 512);
    let at = if at.is_empty() { at } else { format!(" at {at}") };
    format!("{} [{}]{at}", found.message, found.rule.code)
}

fn label(sources: &[Source<'_, '_>], source: usize) -> String {
    printable(sources.get(source).map_or("", |source| source.label), 512)
}

impl Export<'_, '_> {
    /// Returns a report: changed names, relations, changes, notices, and the tools that
    /// were left out. Empty sections are omitted.
    pub fn report(&self, sources: &[Source<'_, '_>]) -> Vec<ReportSection> {
        let mut names = Vec::new();
        let mut relations = Vec::new();
        let mut changes = Vec::new();
        let mut notices = Vec::new();
        for offer in &self.offers {
            let id = printable(&offer.tool.id, 256);
            if offer.name != offer.tool.id.as_ref() as &str {
                names.push((id.clone(), offer.name.clone()));
            }
            let input = [("input_schema", &offer.input)].into_iter();
            for (field, made) in
                input.chain(offer.output.as_ref().map(|made| ("output_schema", made)))
            {
                if made.changes.is_empty() {
                    continue;
                }
                relations.push((id.clone(), format!("{field}: {}", made.relation.name())));
                changes.extend(made.changes.iter().map(|change| {
                    let at = printable(&format!("/{field}{}", change.at.as_str()), 512);
                    let what = format!("{at}: {}", change.kind.meaning());
                    (format!("{id} {}", change.kind.name()), what)
                }));
            }
            notices.extend(
                offer.notices.iter().map(|found| format!("{id}: {}", diagnostic_text(found))),
            );
        }
        notices.extend(self.notices.iter().map(diagnostic_text));
        let left_out = self.skipped.iter().flat_map(|left| {
            let tool = format!("{} of {}", printable(&left.id, 256), label(sources, left.source));
            left.reasons.iter().map(move |found| format!("{tool}: {}", diagnostic_text(found)))
        });
        without_empty(vec![
            ReportSection::lines("names", names),
            ReportSection::lines("relation to the source", relations),
            ReportSection::lines("changes", changes),
            ReportSection::sentences("notices", notices),
            ReportSection::sentences(ReportSection::LEFT_OUT, left_out.collect()),
        ])
    }
}

impl Config {
    /// Returns a report: the servers, and the sources that were left out.
    pub fn report(&self, sources: &[Source<'_, '_>]) -> Vec<ReportSection> {
        let servers = self.entries.iter().map(|entry| {
            let how = if entry.is_native { "the server itself" } else { "by way of toolglot mcp" };
            let names: Vec<String> =
                entry.variables.iter().map(|name| printable(name, 256)).collect();
            let needs = if names.is_empty() { "" } else { ", with " };
            let file = label(sources, entry.source);
            (entry.name.clone(), format!("{file}: {how}{needs}{}", names.join(", ")))
        });
        let left_out = self.skipped.iter();
        let left_out = left_out
            .map(|(source, why)| format!("{}: {}", label(sources, *source), diagnostic_text(why)));
        without_empty(vec![
            ReportSection::lines("servers", servers.collect()),
            ReportSection::sentences(ReportSection::LEFT_OUT, left_out.collect()),
        ])
    }
}

fn without_empty(mut accounts: Vec<ReportSection>) -> Vec<ReportSection> {
    accounts.retain(|account| !(account.sentences.is_empty() && account.lines.is_empty()));
    accounts
}

impl Compat {
    /// Returns the table for people, with the reasons below it.
    pub fn text(&self, sources: &[Source<'_, '_>]) -> String {
        let head = std::iter::once("tool").chain(Column::ALL.iter().map(|column| column.name));
        let mut lines: Vec<Vec<String>> = vec![head.map(str::to_owned).collect()];
        let mut reasons = String::new();
        for (source, id, verdicts) in &self.rows {
            let id = printable(id, 256);
            let cells = verdicts.iter().map(|verdict| match verdict {
                Verdict::Offered(Relation::Equal) => "✓".to_owned(),
                Verdict::Offered(relation) => format!("≈ {}", relation.name()),
                Verdict::Skipped(_) => "✗".to_owned(),
            });
            lines.push(std::iter::once(id.clone()).chain(cells).collect());
            for (column, verdict) in Column::ALL.iter().zip(verdicts) {
                for found in verdict.reasons() {
                    let file = label(sources, *source);
                    let line =
                        format!("✗ {id} of {file}, {}: {}\n", column.name, diagnostic_text(found));
                    reasons.push_str(&line);
                }
            }
        }
        let widths: Vec<usize> = (0..=Column::ALL.len())
            .map(|column| lines.iter().filter_map(move |line| line.get(column)))
            .map(|cells| cells.map(|cell| cell.chars().count()).max().unwrap_or(0))
            .collect();
        let mut out = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            out.push('\n');
        }
        if !reasons.is_empty() {
            out.push('\n');
            out.push_str(&reasons);
        }
        out
    }

    /// Returns the table as JSON: a list of tools, each with its file, its id and its
    /// targets. Each target has the relation, or the reasons why the tool is left out.
    pub fn to_json(&self, sources: &[Source<'_, '_>]) -> String {
        let rows = self.rows.iter().map(|(source, id, verdicts)| {
            let mut targets = ObjectText::default();
            for (column, verdict) in Column::ALL.iter().zip(verdicts) {
                let mut cell = ObjectText::default();
                match verdict {
                    Verdict::Offered(relation) => cell.text("relation", relation.name()),
                    Verdict::Skipped(_) => cell.json("relation", "null"),
                }
                let why = verdict.reasons().iter().map(|found| {
                    let mut fields = ObjectText::default();
                    fields.text("code", found.rule.code);
                    fields.text("pointer", found.pointer.as_str());
                    fields.text("message", &found.message);
                    fields.text("help", found.advice());
                    fields.finish()
                });
                let why: Vec<String> = why.collect();
                if !why.is_empty() {
                    cell.json("why", &format!("[{}]", why.join(",")));
                }
                targets.json(column.name, &cell.finish());
            }
            let mut row = ObjectText::default();
            row.text("file", sources.get(*source).map_or("", |source| source.label));
            row.text("id", id);
            row.json("targets", &targets.finish());
            row.finish()
        });
        format!("[{}]", rows.collect::<Vec<_>>().join(","))
    }
}
