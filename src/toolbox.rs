//! An owned set of manifests and their tools, for hosts.
//!
//! A [`Toolbox`] is what a host keeps: documents of any format are added by name and bytes,
//! the tools are offered to a model provider, and the calls that a model asks for are
//! planned. Documents are parsed and lifted once, when they are added.
//!
//! ```
//! use toolglot::Toolbox;
//! use toolglot::call::{Answer, End, Next, Outcome, Planned, Policy, Step};
//! use toolglot::providers::Target;
//!
//! let mut tools = Toolbox::new(Policy::default());
//! tools.add("notes.json", br#"{"tools": [{"name": "find", "description": "Finds notes.",
//!     "command": ["./tools/bin/find"], "schema": {"type": "object", "properties":
//!         {"text": {"type": "string"}}, "required": ["text"]}}]}"#)?;
//! // A broken file is an error for its caller, and does not affect the others.
//! assert!(tools.add("broken.json", b"{").is_err());
//! assert_eq!(tools.problems().count(), 1);
//!
//! let request = serde_json::json!({ "tools": tools.offers(Target::OpenAiResponses) });
//! assert_eq!(request["tools"][0]["name"], "find");
//!
//! // Nothing is known of what the tool does, so a person is asked.
//! let plan = match tools.plan("find", r#"{"text": "milk"}"#) {
//!     Planned::Ready(plan) => plan,
//!     Planned::Ask(ask) => ask.approve(),
//!     Planned::Refused(why) => return Err(why.for_model().into()),
//! };
//! let Step::Run(program) = &plan.step else { return Err("a program".into()) };
//! assert_eq!(program.argv[0].to_string(), "./tools/bin/find");
//!
//! // The host runs it, and the tool's format judges the outcome.
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout: b"two\n".to_vec(), stderr: vec![] };
//! let Next::Done(answer) = plan.next(&outcome, tools.limits()) else { return Err("an answer".into()) };
//! assert_eq!(tools.find("find")?.encode(&answer?)?, "two");
//!
//! // What a model sent is checked, and it is told what to correct.
//! let Planned::Refused(why) = tools.plan("find", r#"{"text": 7}"#) else { return Err("refused".into()) };
//! assert!(why.for_model().contains("/text"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use call::Policy;
use manifest_core::{
    Formats, Limits, Manifest, ManifestError, Pointer, Report, Rule, ToolDescriptor, quoted,
    sha256_hex,
};
use providers::Options;

use crate::error::Error;
use crate::formats::FORMATS;

mod arguments;
mod file;
mod offer;
mod plan;
pub mod rules;

pub use arguments::ToolArguments;
pub use file::Problem;
pub use offer::{FoundTool, Offer, Offers};

use file::File;

/// An owned set of manifests and their tools, for hosts. See [the module](self).
///
/// It makes offers to one provider at a time. A clone shares the manifests, so that a host
/// with several providers can have one for each.
#[derive(Clone, Debug)]
pub struct Toolbox {
    policy: Policy,
    limits: Limits,
    formats: Formats<'static>,
    files: Vec<Arc<File>>,
    /// The documents that are not valid.
    invalid: Vec<Problem>,
    offers: Arc<Offers>,
    version: u64,
}

impl Toolbox {
    /// Creates an empty toolbox for documents of all formats that are compiled in. Calls are
    /// planned under this policy.
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            limits: Limits::default(),
            formats: FORMATS,
            files: Vec::new(),
            invalid: Vec::new(),
            offers: Arc::default(),
            version: 0,
        }
    }

    /// Sets the limits, which hold for all documents together and for each call.
    ///
    /// ```
    /// use toolglot::{Limits, Toolbox, call::Policy};
    ///
    /// let limits = Limits { toolbox_documents: 0, ..Limits::default() };
    /// let mut tools = Toolbox::new(Policy::default()).with_limits(limits);
    /// let refused = tools.add("tools.json", br#"{"tools": []}"#).unwrap_err();
    /// assert!(refused.to_string().contains("more than 0 documents"));
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the formats of documents, for programs with a format of their own.
    #[must_use]
    pub fn with_formats(mut self, formats: Formats<'static>) -> Self {
        self.formats = formats;
        self
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Adds a document, under a name that no other has. Fails if it is invalid, which is
    /// also kept as a [problem](Self::problems).
    pub fn add(
        &mut self,
        name: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Result<Arc<Manifest>, Error> {
        let name = name.into();
        let is_taken = |problem: &Problem| problem.file == name;
        if self.position(&name).is_some() || self.invalid.iter().any(is_taken) {
            let message = format!("there is a document {} already", quoted(&name));
            return Err(error(&rules::FILE_NAME, message).into());
        }
        self.insert(self.files.len(), name, bytes.as_ref())
    }

    /// Adds a document, in the place of one with the same name if there is one. If it is
    /// invalid, the old one is removed all the same, because it is outdated.
    ///
    /// ```
    /// use toolglot::{Toolbox, call::Policy};
    ///
    /// let tool = |name| format!(r#"{{"tools": [{{"name": "{name}", "description": "Finds.",
    ///     "command": ["./tools/bin/find"]}}]}}"#);
    /// let mut tools = Toolbox::new(Policy::default());
    /// tools.add("notes.json", tool("find"))?;
    /// let before = tools.version();
    /// // The same text changes nothing.
    /// tools.replace("notes.json", tool("find"))?;
    /// assert_eq!(tools.version(), before);
    /// tools.replace("notes.json", tool("search"))?;
    /// assert_ne!(tools.version(), before);
    /// assert!(tools.find("search").is_ok() && tools.find("find").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace(
        &mut self,
        name: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Result<Arc<Manifest>, Error> {
        let (name, bytes) = (name.into(), bytes.as_ref());
        self.invalid.retain(|problem| problem.file != name);
        let Some(at) = self.position(&name) else {
            return self.insert(self.files.len(), name, bytes);
        };
        let old = self.files.remove(at);
        if old.manifest.digest() == sha256_hex(bytes) {
            let manifest = Arc::clone(&old.manifest);
            self.files.insert(at, old);
            return Ok(manifest);
        }
        let inserted = self.insert(at, name, bytes);
        if inserted.is_err() {
            self.update();
        }
        inserted
    }

    /// Removes the document with this name, and returns true if there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let count = self.invalid.len();
        self.invalid.retain(|problem| problem.file != name);
        let Some(at) = self.position(name) else { return self.invalid.len() < count };
        self.files.remove(at);
        self.update();
        true
    }

    /// Returns a number that changes whenever tools come, go or change, so that a server
    /// knows when to tell its clients that its list of tools has changed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the valid documents, in the order in which they were added.
    pub fn manifests(&self) -> impl Iterator<Item = &Arc<Manifest>> {
        self.files.iter().map(|file| &file.manifest)
    }

    /// Returns the tools that can be called, each with its manifest. Some of them may not be
    /// offered to a provider.
    pub fn tools(&self) -> impl Iterator<Item = (&Manifest, &ToolDescriptor<'static>)> {
        let files = self.files.iter();
        files.flat_map(|file| file.tools().iter().map(|tool| (&*file.manifest, tool)))
    }

    /// Returns the documents that are invalid, the tools that cannot be called, and those
    /// that cannot be offered to the current provider.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        let uncallable = self.files.iter().flat_map(|file| &file.problems);
        self.invalid.iter().chain(uncallable).chain(self.offers.problems())
    }

    /// Makes offers to a provider, and returns them. From then on, calls are planned as
    /// these offers promise, and the offers follow changes of the documents. The names are
    /// [readable](providers::Names::readable).
    ///
    /// ```
    /// use toolglot::{Toolbox, call::Policy, providers::Target};
    ///
    /// let search = r#"{"tools": [{"name": "search", "description": "Searches.",
    ///     "command": ["./tools/bin/search"]}]}"#;
    /// let mut tools = Toolbox::new(Policy::default());
    /// tools.add("github.json", search)?;
    /// tools.add("notes.json", search)?;
    /// let names: Vec<&str> =
    ///     tools.offers(Target::OpenAiChat).iter().map(|offer| offer.name()).collect();
    /// assert_eq!(names, ["github__search", "notes__search"]);
    ///
    /// assert!(tools.remove("github.json"));
    /// assert_eq!(tools.current_offers()[0].name(), "search");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn offers(&mut self, provider: impl Into<Options>) -> &Offers {
        let limits = self.limits.clone();
        let options = Options { readable_names: true, limits, ..provider.into() };
        if self.offers.options() != Some(&options) {
            self.offers = Arc::new(Offers::new(&self.files, options));
        }
        &self.offers
    }

    /// Returns the offers to the provider that [`offers`](Self::offers) were made to last,
    /// as they are now. Empty if there were none.
    pub fn current_offers(&self) -> &Offers {
        &self.offers
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.files.iter().position(|file| file.manifest.name() == name)
    }

    /// Inserts a document at an index, or keeps it as a problem if it is invalid.
    fn insert(&mut self, at: usize, name: String, bytes: &[u8]) -> Result<Arc<Manifest>, Error> {
        let limit = self.limits.toolbox_documents;
        if self.files.len() + self.invalid.len() >= limit {
            let message = format!("there are more than {limit} documents");
            return Err(error(&rules::LIMIT, message).into());
        }
        match self.parse(&name, bytes) {
            Ok(manifest) => {
                let file = File::new(manifest);
                let manifest = Arc::clone(&file.manifest);
                self.files.insert(at, Arc::new(file));
                self.update();
                Ok(manifest)
            }
            Err(reason) => {
                let shown = Error::from(reason.clone()).in_text(&name, bytes);
                self.invalid.push(Problem { file: name, tool: None, reason });
                Err(shown)
            }
        }
    }

    fn parse(&self, name: &str, bytes: &[u8]) -> Result<Manifest, ManifestError> {
        let limit = self.limits.toolbox_bytes;
        let others: usize = self.manifests().map(|other| other.text().len()).sum();
        if others.saturating_add(bytes.len()) > limit {
            return Err(error(
                &rules::LIMIT,
                format!("all documents have more than {limit} bytes"),
            ));
        }
        let manifest = Manifest::parse(name, bytes, self.formats, &self.limits)?;
        let limit = self.limits.toolbox_tools;
        let others: usize = self.manifests().map(|other| other.tools().len()).sum();
        if others + manifest.tools().len() > limit {
            return Err(error(&rules::LIMIT, format!("there are more than {limit} tools")));
        }
        Ok(manifest)
    }

    /// Follows a change of the documents.
    fn update(&mut self) {
        self.version += 1;
        if let Some(options) = self.offers.options().cloned() {
            self.offers = Arc::new(Offers::new(&self.files, options));
        }
    }
}

fn error(rule: &'static Rule, message: String) -> ManifestError {
    ManifestError::Invalid(Report::from(rule.at_pointer(Pointer::root(), message)))
}
