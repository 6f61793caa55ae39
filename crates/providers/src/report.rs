//! Reports on exports, for people and programs.

use diagnostic::{Diagnostic, printable};
use json_schema::Relation;

use crate::catalog::Source;
use crate::compat::{Column, Compat, Verdict};
use crate::config::Config;
use crate::export::Export;
use crate::json::ObjectText;

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
    let (message, code) = (&found.message, found.rule.code);
    if found.pointer.is_root() {
        return format!("{message} [{code}]");
    }
    format!("{message} [{code}] at {}", printable(found.pointer.as_str(), 512))
}

fn file<'s>(sources: &[Source<'s, '_>], source: usize) -> &'s str {
    sources.get(source).map_or("", |source| source.label)
}

fn label(sources: &[Source<'_, '_>], source: usize) -> String {
    printable(file(sources, source), 512)
}

impl Export<'_, '_> {
    /// Returns a report: changed names, relations, changes, notices, and the tools that
    /// were left out. Empty sections are omitted.
    pub fn report(&self, sources: &[Source<'_, '_>]) -> Vec<ReportSection> {
        let mut names = Vec::new();
        let mut relations = Vec::new();
        let mut changes = Vec::new();
        let mut notices = Vec::new();
        let mut left_out = Vec::new();
        for offer in &self.offers {
            let id = printable(&offer.tool.id, 256);
            if *offer.name != *offer.tool.id.value {
                names.push((id.clone(), offer.name.clone()));
            }
            for (field, schema) in
                [("input_schema", Some(&offer.input)), ("output_schema", offer.output.as_ref())]
            {
                let Some(schema) = schema else { continue };
                if schema.changes.is_empty() {
                    continue;
                }
                relations.push((id.clone(), format!("{field}: {}", schema.relation.name())));
                for change in &schema.changes {
                    let at = printable(&format!("/{field}{}", change.at.as_str()), 512);
                    let what = format!("{at}: {}", change.kind.meaning());
                    changes.push((format!("{id} {}", change.kind.name()), what));
                }
            }
            for found in &offer.notices {
                notices.push(format!("{id}: {}", diagnostic_text(found)));
            }
        }
        notices.extend(self.notices.iter().map(diagnostic_text));
        for tool in &self.skipped {
            let name = format!("{} of {}", printable(&tool.id, 256), label(sources, tool.source));
            for found in &tool.reasons {
                left_out.push(format!("{name}: {}", diagnostic_text(found)));
            }
        }
        without_empty(vec![
            ReportSection::lines("names", names),
            ReportSection::lines("relation to the source", relations),
            ReportSection::lines("changes", changes),
            ReportSection::sentences("notices", notices),
            ReportSection::sentences(ReportSection::LEFT_OUT, left_out),
        ])
    }
}

impl Config {
    /// Returns a report: the servers, and the sources that were left out.
    pub fn report(&self, sources: &[Source<'_, '_>]) -> Vec<ReportSection> {
        let mut servers = Vec::new();
        for entry in &self.entries {
            let how = if entry.is_native { "the server itself" } else { "by way of toolglot mcp" };
            let mut text = format!("{}: {how}", label(sources, entry.source));
            for (index, name) in entry.variables.iter().enumerate() {
                text.push_str(if index == 0 { ", with " } else { ", " });
                text.push_str(&printable(name, 256));
            }
            servers.push((entry.name.clone(), text));
        }
        let mut left_out = Vec::new();
        for (source, why) in &self.skipped {
            left_out.push(format!("{}: {}", label(sources, *source), diagnostic_text(why)));
        }
        without_empty(vec![
            ReportSection::lines("servers", servers),
            ReportSection::sentences(ReportSection::LEFT_OUT, left_out),
        ])
    }
}

fn without_empty(mut sections: Vec<ReportSection>) -> Vec<ReportSection> {
    sections.retain(|section| !(section.sentences.is_empty() && section.lines.is_empty()));
    sections
}

impl Compat {
    /// Returns the table for people, with the reasons below it.
    pub fn text(&self, sources: &[Source<'_, '_>]) -> String {
        let mut head = vec!["tool".to_owned()];
        for column in Column::ALL {
            head.push(column.name.to_owned());
        }
        let mut lines = vec![head];
        let mut reasons = String::new();
        for (source, id, verdicts) in &self.rows {
            let id = printable(id, 256);
            let mut line = vec![id.clone()];
            for (column, verdict) in Column::ALL.iter().zip(verdicts) {
                line.push(match verdict {
                    Verdict::Offered(Relation::Equal) => "✓".to_owned(),
                    Verdict::Offered(relation) => format!("≈ {}", relation.name()),
                    Verdict::Skipped(_) => "✗".to_owned(),
                });
                for found in verdict.reasons() {
                    let (file, target) = (label(sources, *source), column.name);
                    let why = diagnostic_text(found);
                    let line = format!("✗ {id} of {file}, {target}: {why}\n");
                    reasons.push_str(&line);
                }
            }
            lines.push(line);
        }
        let mut widths = vec![0; 1 + Column::ALL.len()];
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
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
        let mut rows = Vec::with_capacity(self.rows.len());
        for (source, id, verdicts) in &self.rows {
            let mut targets = ObjectText::default();
            for (column, verdict) in Column::ALL.iter().zip(verdicts) {
                targets.json(column.name, &verdict_json(verdict));
            }
            let mut row = ObjectText::default();
            row.text("file", file(sources, *source));
            row.text("id", id);
            row.json("targets", &targets.finish());
            rows.push(row.finish());
        }
        format!("[{}]", rows.join(","))
    }
}

fn verdict_json(verdict: &Verdict) -> String {
    let mut cell = ObjectText::default();
    match verdict {
        Verdict::Offered(relation) => cell.text("relation", relation.name()),
        Verdict::Skipped(_) => cell.json("relation", "null"),
    }
    let mut why = Vec::new();
    for found in verdict.reasons() {
        let mut fields = ObjectText::default();
        fields.text("code", found.rule.code);
        fields.text("pointer", found.pointer.as_str());
        fields.text("message", &found.message);
        fields.text("help", found.advice());
        why.push(fields.finish());
    }
    if !why.is_empty() {
        cell.json("why", &format!("[{}]", why.join(",")));
    }
    cell.finish()
}
