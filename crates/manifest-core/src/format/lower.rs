//! Writes descriptors as documents.

use std::collections::BTreeSet;
use std::ops::Range;

use super::definition::{Cardinality, Context, Defaults, Format, ToolGroup};
use super::writer::{Records, Writer};
use crate::descriptor::{LiftedDocument, ToolDescriptor};
use crate::rules;
use diagnostic::{Diagnostic, quoted};
use json_text::Document;

/// A document that was written.
#[derive(Debug)]
pub struct LoweredDocument {
    /// A name for its file.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The indices of its tools in the list of all tools.
    pub tools: Range<usize>,
}

/// Writes descriptors as documents of a format. Fails if the format cannot express a value,
/// if two documents would get the same file name, or if the documents exceed the budget.
pub fn lower(
    lifted: &LiftedDocument<'_>,
    context: Context<'_>,
    compact: bool,
) -> Result<(Vec<LoweredDocument>, Records), Diagnostic> {
    let mut writer = Writer::new(context.sources, context.same_format, compact);
    let mut documents: Vec<LoweredDocument> = Vec::new();
    let mut names = BTreeSet::new();
    let mut start = 0;
    for tools in group_tools(lifted, context.format.cardinality) {
        let name = format!("{}.json", (context.format.file_name)(tools));
        // Some file systems ignore the case of letters.
        if !names.insert(name.to_lowercase()) {
            let at = tools.first().and_then(|tool| tool.at);
            let message = format!("two tools would be written to {}", quoted(&name));
            return Err(context.error_at(&rules::COLLISION, at, message));
        }
        let text = writer.document(|w| write(w, &ToolGroup { tools, context }))?;
        if let Some(tool) = tools.last() {
            context.check_budget("the target", writer.bytes_written(), tool)?;
        }
        let end = start + tools.len();
        documents.push(LoweredDocument { name, text, tools: start..end });
        start = end;
    }
    Ok((documents, writer.into_records()))
}

fn write(writer: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let format = unit.context.format;
    let alone = match format.cardinality {
        Cardinality::Tool => true,
        Cardinality::Package | Cardinality::Tools => false,
        Cardinality::ToolOrTools => unit.tools.len() == 1 && !unit.context.as_list,
    };
    // The tools share one reason for the bridge. A tool with a call has the better one.
    let called = unit.tools.iter().find(|tool| tool.has_call());
    if let Some(tool) = called.or(unit.tools.first()) {
        writer.set_bridge_reason(tool.bridge_reason());
    }
    match unit.tools {
        [tool] if alone => (format.write_tool)(writer, &unit.tool_context(tool)),
        _ => (format.write_document)(writer, unit),
    }
}

/// Groups the tools by document, in order.
fn group_tools<'t, 'a>(
    lifted: &'t LiftedDocument<'a>,
    cardinality: Cardinality,
) -> Vec<&'t [ToolDescriptor<'a>]> {
    match cardinality {
        Cardinality::Tool => lifted.tools.chunks(1).collect(),
        Cardinality::Package => lifted.packages().collect(),
        // Without tools, the document is an empty list.
        Cardinality::Tools | Cardinality::ToolOrTools => vec![&lifted.tools],
    }
}

impl Format {
    /// Writes descriptors in the format that they were lifted from. `source` is the
    /// document that they were lifted from. Its values keep their members and their
    /// spelling. Entries that descriptors cannot express are left out.
    pub fn lower_to_source(
        &'static self,
        lifted: &LiftedDocument<'_>,
        source: &Document<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        let context = Context {
            format: self,
            sources: &[source],
            same_format: true,
            version: self.version_of(source),
            defaults: &Defaults::default(),
            accept: &BTreeSet::new(),
            digest: "",
            as_list: lifted.is_list,
            budget: usize::MAX,
        };
        let (documents, _) = lower(lifted, context, false)?;
        Ok(documents.into_iter().map(|document| document.text).collect())
    }
}
