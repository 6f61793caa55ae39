//! The tools of a toolbox, as they are offered to a provider.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use call::Answer;
use manifest_core::json::Raw;
use manifest_core::{Limits, Manifest, Pointer, Report, ToolDescriptor};
use providers::{Options, Refusal, Source, Target, ValueConverter, export_all};
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

use super::file::{File, Problem};

/// The tools of a toolbox as one provider is offered them, in the order of the documents.
/// They serialize as the value of `tools` in a request or listing of the provider.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// The provider, or `None` if no offers were made yet.
    options: Option<Options>,
    list: Vec<Offer>,
    by_name: BTreeMap<String, usize>,
    /// The tools that cannot be offered.
    problems: Vec<Problem>,
}

impl Deref for Offers {
    type Target = [Offer];

    fn deref(&self) -> &[Offer] {
        &self.list
    }
}

impl<'o> IntoIterator for &'o Offers {
    type Item = &'o Offer;
    type IntoIter = std::slice::Iter<'o, Offer>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

impl Serialize for Offers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let target = self.options.as_ref().map(|options| options.target);
        if target == Some(Target::Gemini) && !self.list.is_empty() {
            let mut list = serializer.serialize_seq(Some(1))?;
            list.serialize_element(&BTreeMap::from([("functionDeclarations", &self.list)]))?;
            return list.end();
        }
        self.list.serialize(serializer)
    }
}

impl Offers {
    /// Makes offers of the tools of some files.
    pub(super) fn new(files: &[Arc<File>], options: Options) -> Self {
        let mut sources = Vec::with_capacity(files.len());
        // The indices of the first tools of the files.
        let mut starts = Vec::with_capacity(files.len());
        let mut count = 0;
        for file in files {
            let label = file.manifest.name();
            sources.push(Source { label, tools: file.tools(), ..Source::default() });
            starts.push(count);
            count += file.tools().len();
        }
        set_distinct_prefixes(&mut sources);
        let export = export_all(&sources, &options);
        let mut offers = Self::default();
        for skipped in export.skipped {
            let Some(file) = files.get(skipped.source) else { continue };
            let name = file.manifest.name();
            offers.problems.push(Problem::of_tool(name, &skipped.id, skipped.reasons));
        }
        for offer in &export.offers {
            let source = (files.get(offer.source), starts.get(offer.source));
            let (Some(file), Some(start)) = source else { continue };
            match Offer::new(offer, file, offer.index - start, &options.limits) {
                Ok(kept) => {
                    offers.by_name.insert(kept.name.clone(), offers.list.len());
                    offers.list.push(kept);
                }
                Err(reasons) => {
                    let problem = Problem::of_tool(file.manifest.name(), &offer.tool.id, reasons);
                    offers.problems.push(problem);
                }
            }
        }
        offers.options = Some(options);
        offers
    }

    /// Returns the options that they were made with.
    pub(super) fn options(&self) -> Option<&Options> {
        self.options.as_ref()
    }

    /// Returns the tools that cannot be offered.
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the offer with a name.
    pub fn by_name(&self, name: &str) -> Option<&Offer> {
        self.list.get(*self.by_name.get(name)?)
    }

    /// Returns the tool that is offered under a name.
    pub(super) fn find(&self, name: &str) -> Option<FoundTool<'_>> {
        let offer = self.by_name(name)?;
        let tool = offer.file.tools().get(offer.index)?;
        Some(FoundTool { manifest: &offer.file.manifest, tool, offer: Some(offer) })
    }

    /// Returns the offer of a tool.
    pub(super) fn offer_of(&self, tool: &ToolDescriptor<'static>) -> Option<&Offer> {
        self.list.iter().find(|offer| {
            offer.file.tools().get(offer.index).is_some_and(|own| std::ptr::eq(own, tool))
        })
    }
}

/// Gives sources whose files have the same name a prefix that tells them apart: the whole
/// path.
fn set_distinct_prefixes(sources: &mut [Source<'_, 'static>]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for source in &*sources {
        *uses.entry(source.short_name()).or_default() += 1;
    }
    for source in sources {
        if uses.get(&source.short_name()).is_some_and(|count| *count > 1) {
            source.prefix = Some(source.label);
        }
    }
}

/// A tool as a provider is offered it. It serializes as the provider's JSON.
#[derive(Clone)]
pub struct Offer {
    file: Arc<File>,
    /// The index of the tool in its file.
    index: usize,
    name: String,
    json: Raw<'static>,
    arguments: ValueConverter,
    results: Option<ValueConverter>,
}

impl fmt::Debug for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.manifest.name();
        f.debug_struct("Offer")
            .field("name", &self.name)
            .field("file", &file)
            .finish_non_exhaustive()
    }
}

impl Serialize for Offer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

impl Offer {
    /// Keeps an offer of the tool at an index of a file. Fails if its arguments or results
    /// cannot be checked.
    fn new(
        offer: &providers::Offer<'_, '_>,
        file: &Arc<File>,
        index: usize,
        limits: &Limits,
    ) -> Result<Self, Report> {
        Ok(Self {
            file: Arc::clone(file),
            index,
            name: offer.name.clone(),
            json: offer.json.clone(),
            arguments: offer.argument_converter(limits)?,
            results: offer.result_converter(limits).transpose()?,
        })
    }

    /// Returns the name that the provider calls it by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the tool in the provider's JSON.
    pub fn json(&self) -> &str {
        self.json.as_str()
    }

    /// Returns the manifest of the tool.
    pub fn manifest(&self) -> &Manifest {
        &self.file.manifest
    }

    /// Returns true if the provider was given a schema of its results.
    pub fn has_result_schema(&self) -> bool {
        self.results.is_some()
    }

    /// Returns the arguments that a model sent, as the tool takes them.
    pub(super) fn decode(&self, sent: &str) -> Result<String, Refusal> {
        self.arguments.decode(sent)
    }
}

/// A tool of a toolbox, with its manifest.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FoundTool<'b> {
    /// The manifest.
    pub manifest: &'b Manifest,
    /// The tool.
    pub tool: &'b ToolDescriptor<'static>,
    /// The current offer of the tool, if there is one.
    pub offer: Option<&'b Offer>,
}

impl FoundTool<'_> {
    /// Returns an answer as the offer of the tool promises it: a JSON value of the result
    /// schema if the provider was given one, otherwise any text. Fails if the answer is not
    /// text, or is not what the schema describes.
    pub fn encode(&self, answer: &Answer) -> Result<String, Refusal> {
        let Some(text) = answer.text() else {
            let message = "the answer is not text";
            return Err(providers::rules::RESULT.at_pointer(Pointer::root(), message).into());
        };
        match self.offer.and_then(|offer| offer.results.as_ref()) {
            Some(results) => results.encode(&text),
            None => Ok(text),
        }
    }
}
