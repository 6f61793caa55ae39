//! Writes descriptors as documents.

use std::collections::BTreeSet;
use std::ops::Range;

use super::definition::{Context, Defaults, Format, Holds, Unit};
use super::writer::{Records, Writer};
use crate::descriptor::{Lifted, ToolDescriptor};
use crate::rules;
use diagnostic::{Diagnostic, quoted};
use json_text::Document;

/// A document that was written.
#[derive(Debug)]
pub struct Written {
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
    lifted: &Lifted<'_>,
    context: Context<'_>,
    compact: bool,
) -> Result<(Vec<Written>, Records), Diagnostic> {
    let mut writer = Writer::new(context.sources, context.own, compact);
    let mut documents: Vec<Written> = Vec::new();
    let mut names = BTreeSet::new();
    for tools in units(lifted, context) {
        let own = lifted.tools.get(tools.clone()).unwrap_or_default();
        let unit = Unit { tools: own, context };
        let name = format!("{}.json", (context.format.file)(own));
        // Some file systems ignore the case of letters.
        if !names.insert(name.to_lowercase()) {
            let at = own.first().and_then(|tool| tool.at);
            let message = format!("two tools would be written to {}", quoted(&name));
            return Err(context.fault(&rules::COLLISION, at, message));
        }
        let text = writer.document(|w| write(w, &unit))?;
        own.last().map_or(Ok(()), |tool| context.affords("the target", writer.written(), tool))?;
        documents.push(Written { name, text, tools });
    }
    Ok((documents, writer.into_records()))
}

fn write(writer: &mut Writer<'_>, unit: &Unit<'_, '_>) -> Result<(), Diagnostic> {
    let format = unit.context.format;
    let alone = match format.holds {
        Holds::Tool => true,
        Holds::Package | Holds::Tools => false,
        Holds::ToolOrTools => unit.tools.len() == 1 && !unit.context.list,
    };
    // The tools share one reason for the bridge. A tool with a call has the better one.
    let called = unit.tools.iter().find(|tool| tool.has_call());
    if let Some(tool) = called.or(unit.tools.first()) {
        writer.bridge_because(tool.bridged_because());
    }
    match unit.tools {
        [tool] if alone => (format.entry)(writer, &unit.tool(tool)),
        _ => (format.frame)(writer, unit),
    }
}

/// Groups the tools by document.
fn units(lifted: &Lifted<'_>, context: Context<'_>) -> Vec<Range<usize>> {
    let count = lifted.tools.len();
    let whole = 0..count;
    match context.format.holds {
        Holds::Tool => (0..count).map(|index| index..index + 1).collect(),
        Holds::Package => {
            let mut units: Vec<Range<usize>> = Vec::new();
            for package in lifted.packages().map(<[ToolDescriptor<'_>]>::len) {
                let start = units.last().map_or(0, |last| last.end);
                units.push(start..start + package);
            }
            units
        }
        // Without tools, the document is an empty list.
        Holds::Tools | Holds::ToolOrTools => vec![whole],
    }
}

impl Format {
    /// Writes descriptors in the format that they were lifted from. `source` is the
    /// document that they were lifted from. Its values keep their members and their
    /// spelling. Entries that descriptors cannot express are left out.
    pub fn lower_own(
        &'static self,
        lifted: &Lifted<'_>,
        source: &Document<'_>,
    ) -> Result<Vec<String>, Diagnostic> {
        let context = Context {
            format: self,
            sources: &[source],
            own: true,
            version: self.version_of(source),
            defaults: &Defaults::default(),
            accept: &BTreeSet::new(),
            digest: "",
            list: lifted.list,
            work: usize::MAX,
        };
        let (documents, _) = lower(lifted, context, false)?;
        Ok(documents.into_iter().map(|document| document.text).collect())
    }
}
