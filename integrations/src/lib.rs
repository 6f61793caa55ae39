//! A folder of manifests of any formats, given to frameworks: an [MCP server](server) of rmcp, a
//! [tool set](tool_set()) of rig. Both keep a `toolglot::Toolbox`, which makes the offers and plans
//! the calls. `host` makes them.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use host::{Host, Origin, Values, collect};
use toolglot::Toolbox;
use toolglot::call::{Grant, Policy, Refused};
use toolglot::toolbox::ToolArguments;

pub mod server;
mod tool_set;

pub use tool_set::tool_set;

type Failed = Box<dyn Error + Send + Sync>;

/// The tools of a folder, and a host for their calls.
pub struct Folder {
    path: PathBuf,
    host: Host,
    /// The tools, for offers.
    pub tools: Toolbox,
}

/// Why a call has no answer.
#[derive(Debug)]
pub enum Failure {
    /// The call is not made. This is for the model: it says what to correct, and where.
    Refused(Refused),
    /// The call was made, or could not be made.
    Failed(Failed),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => f.write_str(&refused.for_model()),
            Self::Failed(failed) => failed.fmt(f),
        }
    }
}

impl Error for Failure {}

impl Folder {
    /// Reads the manifests in a folder. Broken ones are problems of the toolbox.
    pub fn open(path: &Path) -> Result<Self, Failed> {
        // What the person has agreed to: what manifests do not say, and nothing that they ask about.
        let policy = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
        let mut tools = Toolbox::new(policy);
        let entries = std::fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut files = entries.collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
        files.sort();
        for file in files {
            if file.extension().is_some_and(|extension| extension == "json") {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let _ = tools.add(name, std::fs::read(&file)?);
            }
        }
        let host =
            Host::new(host::Options { private_addresses: true, ..host::Options::default() })?;
        Ok(Self { path: path.to_owned(), host, tools })
    }

    /// Calls a tool with what a model sent. The answer is as the provider was told: JSON of the
    /// output schema, where it has one.
    pub async fn call(&self, name: &str, sent: impl ToolArguments) -> Result<String, Failure> {
        let plan = self.tools.plan(name, sent).ready().map_err(Failure::Refused)?;
        let answer = async {
            let tool = self.tools.find(name)?;
            let given = Values::from_environment(&plan.variables);
            let values = collect(&plan.variables, &given, None)?;
            let manifest = Some(tool.manifest.text().to_owned());
            let origin = Origin { manifest, ..Origin::folder(&self.path) };
            Ok::<_, Failed>(tool.encode(&self.host.call(&plan, &origin, &values).await?)?)
        };
        answer.await.map_err(Failure::Failed)
    }
}
