//! A folder of manifests of any formats, given to frameworks: an [MCP server](server) of rmcp, a
//! [tool set](tool_set()) of rig. Both list what `toolglot::providers` makes of the manifests, and
//! make calls with `host`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use host::{Host, Origin, Values, collect};
use serde_json::Value;
use toolglot::call::{Grant, HostFacts, Plan, Policy, plan};
use toolglot::json::Document;
use toolglot::providers::{Offer, Options, Refusal, Source, ValueConverter, export_all};
use toolglot::{Diagnostic, FORMATS, Limits, Report};

pub mod server;
mod tool_set;

pub use tool_set::tool_set;

type Failed = Box<dyn Error + Send + Sync>;

/// Manifests, and a host for the calls of their tools.
pub struct Folder {
    path: PathBuf,
    host: Host,
    limits: Limits,
    /// The text of each file, by its name.
    manifests: BTreeMap<String, String>,
    /// What names of the tools of a file begin with.
    prefixes: BTreeMap<String, String>,
}

/// A tool as a target takes it.
pub struct Tool {
    /// The file that it is from.
    pub file: String,
    /// Its id there.
    pub id: String,
    /// What the target calls it.
    pub name: String,
    /// How the target is told of it.
    pub json: Value,
    arguments: ValueConverter,
    result: Option<ValueConverter>,
}

/// The id of a tool that a target is not given, and a reason.
pub type LeftOut = (String, Diagnostic);

/// Why a call has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong. This is for the model: it says what to correct, and where.
    Refused(Refusal),
    /// The call was made, or could not be made.
    Failed(Failed),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Failed(failed) => failed.fmt(f),
        }
    }
}

impl Error for Failure {}

impl Folder {
    /// Reads the manifests in a folder.
    pub fn open(path: &Path) -> Result<Self, Failed> {
        let mut manifests = BTreeMap::new();
        for entry in std::fs::read_dir(path)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                manifests.insert(name, std::fs::read_to_string(&path)?);
            }
        }
        let host =
            Host::new(host::Options { private_addresses: true, ..host::Options::default() })?;
        let (path, limits, prefixes) = (path.to_owned(), Limits::default(), BTreeMap::new());
        Ok(Self { path, host, limits, manifests, prefixes })
    }

    /// Tells the tools of a file from those of other files that have the same ids. Otherwise
    /// targets are given neither.
    #[must_use]
    pub fn with_prefix(mut self, file: &str, prefix: &str) -> Self {
        self.prefixes.insert(file.to_owned(), prefix.to_owned());
        self
    }

    /// The tools that a target is given, and those that it is not.
    pub fn tools(&self, options: &Options) -> Result<(Vec<Tool>, Vec<LeftOut>), Failed> {
        let documents = self.manifests.values();
        let documents = documents.map(|text| Document::parse(text.as_bytes(), &self.limits));
        let documents: Vec<Document<'_>> = documents.collect::<Result<_, _>>()?;
        let mut lifted = Vec::new();
        for document in &documents {
            lifted.push(FORMATS.detect(document)?.0.lift(document, &self.limits)?);
        }
        let sources: Vec<Source<'_, '_>> = std::iter::zip(self.manifests.keys(), &lifted)
            .map(|(label, lifted)| {
                let prefix = self.prefixes.get(label).map(String::as_str);
                Source { label, prefix, tools: &lifted.tools, ..Source::default() }
            })
            .collect();
        let export = export_all(&sources, options);
        let (mut tools, mut left_out) = (Vec::new(), Vec::new());
        let mut leave = |id: &str, why: Vec<Diagnostic>| {
            left_out.extend(why.into_iter().map(|why| (id.to_owned(), why)));
        };
        for left in export.skipped {
            leave(&left.id, left.reasons);
        }
        for offer in &export.offers {
            let file = sources.get(offer.source).map_or("", |source| source.label);
            match self.tool(file, offer) {
                Ok(tool) => tools.push(tool),
                Err(why) => leave(&offer.tool.id, why.diagnostics),
            }
        }
        Ok((tools, left_out))
    }

    /// A tool whose values can be checked.
    fn tool(&self, file: &str, offer: &Offer<'_, '_>) -> Result<Tool, Report> {
        Ok(Tool {
            file: file.to_owned(),
            id: offer.tool.id.to_string(),
            name: offer.name.clone(),
            json: serde_json::from_str(offer.json.as_str()).unwrap_or_default(),
            arguments: offer.argument_converter(&self.limits)?,
            result: offer.result_converter(&self.limits).transpose()?,
        })
    }

    /// Calls a tool with what a model sent. The answer is as the target was told: JSON of the
    /// output schema, where it has one.
    pub async fn call(&self, tool: &Tool, sent: &str) -> Result<String, Failure> {
        let arguments = tool.arguments.decode(sent).map_err(Failure::Refused)?;
        self.answer(tool, &arguments).await.map_err(Failure::Failed)
    }

    async fn answer(&self, tool: &Tool, arguments: &str) -> Result<String, Failed> {
        let plan = self.plan(tool, arguments)?;
        let values = collect(&plan.variables, &Values::from_environment(&plan.variables), None)?;
        let manifest = self.manifests.get(&tool.file).cloned();
        let origin = Origin { manifest, ..Origin::folder(&self.path) };
        let answer = self.host.call(&plan, &origin, &values).await?;
        let text = answer.text().ok_or("the answer is no text")?;
        Ok(match &tool.result {
            Some(result) => result.encode(&text)?,
            None => text,
        })
    }

    fn plan(&self, tool: &Tool, arguments: &str) -> Result<Plan, Failed> {
        let text = self.manifests.get(&tool.file).ok_or("the folder has no such file")?;
        let document = Document::parse(text.as_bytes(), &self.limits)?;
        let (format, _) = FORMATS.detect(&document)?;
        let lifted = format.lift(&document, &self.limits)?;
        let tool = lifted.tools.iter().find(|found| found.id.value == tool.id);
        let tool = tool.ok_or("the file has no such tool")?;
        // What the person has agreed to: what manifests do not say, and nothing that they ask about.
        let policy = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
        let facts = HostFacts {
            has_value: &|_| false,
            implementation: None,
            installed: true,
            policy: &policy,
        };
        Ok(plan(tool, &(format.contract)(tool), arguments, &facts, &self.limits)?)
    }
}
