//! What a format is: a name, a few words about it, and the functions that differ.

use std::collections::BTreeSet;

use super::accept::Accept;
use super::reader::Reader;
use super::writer::Writer;
use crate::descriptor::{EnvVar, Lifted, ToolDescriptor};
use crate::path::Flavour;
use crate::provenance::Place;
use crate::table::Table;
use crate::{Limits, rules};
use diagnostic::{Depth, Diagnostic, Profile, Report, Rule, Severity};
use diagnostic::{Pointer, quoted};
use json_text::{Document, Node, Raw};
use lint::prose;

/// A manifest format, as data. Everything else in this crate is generic over it.
#[derive(Debug)]
pub struct Format {
    /// The name that commands, options and residues use.
    pub name: &'static str,
    /// The versions that documents can be written in, oldest first. Empty where a
    /// document has none to choose.
    pub versions: &'static [&'static str],
    /// What its documents look like: one table for each kind of document.
    pub tables: &'static [&'static Table],
    /// Every rule of the format.
    pub rules: &'static [&'static Rule],
    /// What one document holds.
    pub holds: Holds,
    /// The document that holds many entries in a member, where the format has one.
    pub catalog: Option<Catalog>,
    /// Members that identify an element of an array. `a/b` is the member `b` of
    /// the member `a`.
    pub keys: &'static [&'static str],
    /// The dangers that the format has words for.
    pub words: Words,
    /// Whether a value is a document of this format, and why.
    pub detect: fn(Node<'_>) -> Option<Detected>,
    /// What a document is that is easily taken for one of this format.
    pub look_alike: fn(Node<'_>) -> Option<&'static str>,
    /// What the format says of a document. Use [`Format::validate`], which looks at its texts
    /// as well.
    pub check: fn(&Document<'_>, &Validate) -> Report,
    /// Reads a valid document. Use [`Format::lift`], which checks it first.
    pub read: for<'a> fn(&mut Reader<'a>) -> Lifted<'a>,
    /// Whether the format can say how a tool is called.
    pub says: fn(&ToolDescriptor<'_>) -> Says,
    /// What the format's host does around a call of a tool.
    pub contract: fn(&ToolDescriptor<'_>) -> Contract,
    /// What the line of the bridge needs here before a host can run it, in one line; empty
    /// where no tool calls the bridge.
    pub bridge_needs: &'static str,
    /// What its host needs before it runs any converted tool, in one line; empty where it runs
    /// tools as they are.
    pub host_needs: &'static str,
    /// The secrets of a tool that a document of this format cannot name.
    pub unnamed: for<'t, 'a> fn(&'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>>,
    /// What a document that holds these tools is called, without `.json`.
    pub file: fn(&[ToolDescriptor<'_>]) -> String,
    /// Writes what stands around the tools of a document, and the list of them. Unused
    /// where a document is one tool.
    pub frame: fn(&mut Writer<'_>, &Unit<'_, '_>) -> Result<(), Diagnostic>,
    /// Writes the members of one tool.
    pub entry: fn(&mut Writer<'_>, &Tool<'_, '_>) -> Result<(), Diagnostic>,
}

/// What one document of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// One tool.
    Tool,
    /// The tools of one package.
    Package,
    /// Any number of tools.
    Tools,
    /// One tool or, in another form, any number.
    ToolOrTools,
}

/// A document that holds entries in a list, and little else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// The member that is the list.
    pub member: &'static str,
    /// What stands before and after the entries, when nothing else is said.
    pub frame: [&'static str; 2],
    /// Whether an entry is a document by itself.
    pub alone: bool,
}

/// The dangers that a format has words for. What is written in a source, and would be
/// acted on by the host of a target that has no word for it, refuses the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // a list of questions, each answered by itself
pub struct Words {
    /// That a tool is switched off.
    pub disabled: bool,
    /// That a person must approve each call.
    pub approval: bool,
    /// That a tool uses the network, files or devices.
    pub reach: bool,
    /// That calls cost money.
    pub payment: bool,
    /// Whether the host lets a tool reach only what is written.
    pub enforces_reach: bool,
}

impl Words {
    /// No word for any of them.
    pub const NONE: Self = Self {
        disabled: false,
        approval: false,
        reach: false,
        payment: false,
        enforces_reach: false,
    };
}

/// Whether a format can say a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// As it is.
    Exact,
    /// Only by calling the bridge, which makes it.
    Bridge,
    /// Only by asking a gateway, which makes it. Without one, not at all, and why.
    Gateway(&'static str),
    /// Not at all, and why.
    No(&'static str),
}

/// What a host does around a call, in a few words each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What becomes of arguments that the input schema does not name.
    pub unnamed: &'static str,
    /// Where examples, tests and checks stand; empty where there is no word for them.
    pub examples: &'static str,
    /// Whether the defaults of the input schema are filled in first.
    pub fills_defaults: bool,
    /// Whether a time-out that is said is kept.
    pub keeps_timeout: bool,
    /// The environment besides the variables that are named.
    pub environment: &'static str,
    /// Where a program runs.
    pub directory: &'static str,
    /// How long a call may take where nothing is said.
    pub timeout: &'static str,
    /// What is taken for the result.
    pub result: &'static str,
    /// What is taken for a failure.
    pub failure: &'static str,
    /// The same for whoever makes the call.
    pub calling: Calling,
}

/// What a host does around a call, for whoever makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // formats write it out in full
pub struct Calling {
    /// What is taken for the result, and for a failure.
    pub reading: Reading,
    /// Where a program is looked for whose name is not absolute.
    pub base: Base,
    /// Variables of the host's own environment that a program gets.
    pub inherits: &'static [&'static str],
    /// How long a call may take where nothing is said, in milliseconds, if the format says so.
    pub usual_ms: Option<u32>,
    /// How long it may take at most.
    pub most_ms: Option<u32>,
    /// Whether a call needs the variables of which nothing is said.
    pub needs_variables: bool,
    /// How the name of a variable begins that holds what a sign-in with OAuth gave, in capitals.
    /// Where the format says so, what needs a sign-in is not called without such a variable.
    pub sign_in: Option<&'static str>,
}

impl Calling {
    /// What the tool declares, and a program of the search path with what programs need.
    pub const PLAIN: Self = Self {
        reading: Reading::Declared,
        base: Base::SearchPath,
        inherits: &["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT"],
        usual_ms: None,
        most_ms: None,
        needs_variables: false,
        sign_in: None,
    };

    /// Whether no call is made without a value of this variable.
    pub fn needs(&self, variable: &EnvVar<'_>) -> bool {
        variable.required.as_deref().copied().unwrap_or(self.needs_variables)
    }

    /// Whether a tool needs a sign-in with OAuth first, and names no variable for it.
    pub fn lacks_sign_in(&self, tool: &ToolDescriptor<'_>) -> bool {
        let needs = tool.auth.scheme.as_deref().is_some_and(|scheme| *scheme == *"oauth2");
        let mut names = tool.package.env.iter().map(|variable| variable.name.to_uppercase());
        needs && self.sign_in.is_some_and(|begins| !names.any(|name| name.starts_with(begins)))
    }
}

/// What a host takes for the result of a call, and for a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// What the tool declares. An exit code other than 0 and a status other than 2xx fail.
    Declared,
    /// JSON. An exit code other than 0 and a status other than 2xx fail.
    Json,
    /// JSON. A body that is empty is `{}`, and one that is not JSON is wrapped with its
    /// status, which is not looked at. An exit code other than 0 fails.
    AnyStatus,
    /// Standard output on one line, whatever it is. An exit code other than 0 fails.
    OneLine,
    /// Exit code, standard output and standard error of a program; no exit code fails.
    Process,
}

/// Where a program is looked for whose name is not absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// On the search path, or below the working directory.
    #[default]
    SearchPath,
    /// In the folder of the manifest.
    Folder,
    /// In `/bin` and `/usr/bin`.
    System,
}

impl Contract {
    /// What becomes of arguments in a host that looks at their names.
    pub const REFUSED: &'static str = "refused";
    /// How long a call may take, where no host or text has a limit.
    pub const NOT_SAID: &'static str = "not said";
}

/// Why a value is taken for a document of a format.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Detected {
    /// The version of the format, where it shows.
    pub version: Option<String>,
    /// What gave it away.
    pub evidence: Vec<&'static str>,
}

/// How a document is checked.
#[derive(Clone, Debug)]
pub struct Validate {
    /// Whose behaviour to follow.
    pub profile: Profile,
    /// How deep to look.
    pub depth: Depth,
    /// The number that messages give the first entry of a list: not zero for
    /// entries that were cut out of a longer one.
    pub first: usize,
    /// The system that tools are to run on, where that decides what a path is: a program of a
    /// tools.json that is absolute on Windows is none elsewhere.
    pub platform: Flavour,
    /// What it may cost.
    pub limits: Limits,
}

impl Validate {
    /// An empty report of such a check.
    pub fn report(&self) -> Report {
        Report::to_depth(self.profile, self.depth, self.limits.diagnostics)
    }
}

impl Default for Validate {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            depth: Depth::Advice,
            first: 0,
            platform: Flavour::Posix,
            limits: Limits::default(),
        }
    }
}

/// What stands in for what a target requires and a source does not say.
/// Cautious values only; every use is reported as assumed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// The version of a tool that has none.
    pub version: String,
    /// The tag of a tool that has none.
    pub tag: String,
    /// The URL below which a tool that has no page is given one.
    pub homepage: String,
    /// The URL of a gateway (`toolglot serve`) that makes the calls which the target has no
    /// words for, where its host sends requests only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// Whether the bridge may reach this machine and the networks around it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
}

impl Default for Defaults {
    fn default() -> Self {
        Self {
            version: "0.0.0".to_owned(),
            tag: "tool".to_owned(),
            homepage: "https://example.invalid/".to_owned(),
            gateway: None,
            private: false,
        }
    }
}

impl Defaults {
    /// The scheme, host and port of the gateway, if there is one, as the beginning of a URL.
    pub fn gateway_origin(&self) -> Option<String> {
        let gateway = self.gateway.as_deref()?;
        let url = crate::url::check_http(gateway).ok()?;
        let scheme = if url.secure { "https" } else { "http" };
        let port = url.port.map(|port| format!(":{port}")).unwrap_or_default();
        Some(format!("{scheme}://{}{port}/", url.normal_host()))
    }
}

/// What lowering knows besides the tool.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The format that is written.
    pub format: &'static Format,
    /// The source, and edited targets that values may come from.
    pub sources: &'c [&'c Document<'c>],
    /// Whether that is the format of the source. Then nothing is fitted and nothing
    /// goes through the bridge.
    pub own: bool,
    /// The version to write: an index into [`Format::versions`].
    pub version: Option<usize>,
    /// What stands in for what is not said.
    pub defaults: &'c Defaults,
    /// What was accepted by name.
    pub accept: &'c BTreeSet<Accept>,
    /// SHA-256 of the source, in hexadecimal.
    pub digest: &'c str,
    /// Whether the tools are to be a list, however many there are.
    pub list: bool,
    /// Bytes that may be written, in all documents, and told of them.
    pub work: usize,
}

/// A tool that is lowered.
#[derive(Clone, Copy, Debug)]
pub struct Tool<'t, 'a> {
    /// The tool.
    pub tool: &'t ToolDescriptor<'a>,
    /// Whether the target can say its call.
    pub says: Says,
    /// What is known besides.
    pub context: Context<'t>,
}

impl Tool<'_, '_> {
    /// The gateway that makes its call, where one does: its scheme, host and port.
    pub fn gateway_origin(&self) -> Option<String> {
        if self.says == Says::Bridge { self.context.defaults.gateway_origin() } else { None }
    }
}

/// The tools of one document.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'t, 'a> {
    /// The tools. There is at least one, unless the document holds any number.
    pub tools: &'t [ToolDescriptor<'a>],
    /// What is known besides.
    pub context: Context<'t>,
}

impl<'t, 'a> Unit<'t, 'a> {
    /// Writes the list of tools, one object for each.
    pub fn entries(&self, writer: &mut Writer<'_>, name: &str) -> Result<(), Diagnostic> {
        let mut outcome = Ok(());
        if self.tools.is_empty() {
            // An empty list says that there are none, as the source does.
            writer.member(name).same(&Raw::constant("[]"), &[]);
        } else {
            writer.member(name).list(|w| outcome = self.items(w, self.tools));
        }
        outcome
    }

    /// Writes some of the tools into the open list, one object for each.
    pub fn items(
        &self,
        writer: &mut Writer<'_>,
        tools: impl IntoIterator<Item = &'t ToolDescriptor<'a>>,
    ) -> Result<(), Diagnostic> {
        let mut outcome = Ok(());
        for tool in tools {
            let tool = self.tool(tool);
            writer.bridge_because(tool.tool.bridged_because());
            writer.item().object(|w| {
                if outcome.is_ok() {
                    outcome = (self.context.format.entry)(w, &tool)
                        .and_then(|()| self.context.affords("the target", w.written(), tool.tool));
                }
            });
        }
        outcome
    }

    /// One of the tools, as it is lowered.
    pub fn tool(&self, tool: &'t ToolDescriptor<'a>) -> Tool<'t, 'a> {
        Tool { tool, says: self.context.says(tool), context: self.context }
    }
}

impl<'c> Context<'c> {
    /// What stands at a place, for a target that has words for parts of it only.
    pub fn node(&self, at: Place) -> Option<Node<'c>> {
        self.sources.get(usize::from(at.document))?.node(at.entry)
    }

    /// Whether the target can say the call of a tool.
    pub fn says(&self, tool: &ToolDescriptor<'_>) -> Says {
        match (self.format.says)(tool) {
            _ if self.own => Says::Exact,
            Says::Gateway(_) if self.defaults.gateway.is_some() => Says::Bridge,
            Says::Gateway(why) => Says::No(why),
            says => says,
        }
    }

    /// Whether a version is written, or one after it.
    pub fn since(&self, version: usize) -> bool {
        self.version.is_none_or(|wanted| wanted >= version)
    }

    /// Whether what has so many bytes, up to a tool, is within the budget.
    pub fn affords(
        &self,
        what: &str,
        bytes: usize,
        tool: &ToolDescriptor<'_>,
    ) -> Result<(), Diagnostic> {
        if bytes <= self.work {
            return Ok(());
        }
        let message = format!("up to this tool, {what} has more than {} bytes", self.work);
        Err(self.fault(&rules::WORK, tool.at, message).help("choose some of the tools"))
    }

    /// An error about what stands at a place of the source.
    pub fn fault(
        &self,
        rule: &'static Rule,
        at: Option<Place>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let found = at.and_then(|at| {
            let document = self.sources.get(usize::from(at.document))?;
            document.node(at.entry).filter(|_| at.document == 0)
        });
        match found {
            Some(node) => rule.at(node, message),
            None => rule.at_pointer(Pointer::root(), message),
        }
    }
}

impl Format {
    /// Checks a document: what the format says of it, and whether its texts say something
    /// else than they show.
    pub fn validate(&self, document: &Document<'_>, options: &Validate) -> Report {
        let mut report = (self.check)(document, options);
        let is_refused = |found: &&Diagnostic| found.rule.severity == Severity::Error;
        let refused = report.diagnostics.iter().filter(is_refused).filter_map(|found| found.span);
        let refused: Vec<_> = refused.collect();
        let known = report.diagnostics.len();
        prose::check(document.root(), &mut report);
        if report.diagnostics.len() > known && !refused.is_empty() {
            // What is refused where it stands needs no remark.
            let remarks = report.diagnostics.split_off(known);
            let new = |found: &Diagnostic| found.span.is_none_or(|span| !refused.contains(&span));
            report.diagnostics.extend(remarks.into_iter().filter(new));
        }
        report
    }

    /// Reads a document into descriptors. What they have no word for is what is not
    /// [marked](Lifted::marks).
    pub fn lift<'a>(
        &self,
        document: &'a Document<'a>,
        limits: &Limits,
    ) -> Result<Lifted<'a>, Report> {
        self.lift_as(document, 0, limits)
    }

    /// Reads the document of that number in a conversion.
    pub fn lift_as<'a>(
        &self,
        document: &'a Document<'a>,
        number: u16,
        limits: &Limits,
    ) -> Result<Lifted<'a>, Report> {
        let options =
            Validate { depth: Depth::Meaning, limits: limits.clone(), ..Validate::default() };
        let report = self.validate(document, &options);
        if !report.is_valid() {
            return Err(report);
        }
        Ok(self.read_as(document, number))
    }

    /// Reads a document that is known to be valid.
    pub fn read_as<'a>(&self, document: &'a Document<'a>, number: u16) -> Lifted<'a> {
        let mut reader = Reader::new(document, number);
        let lifted = (self.read)(&mut reader);
        let (marks, deciding) = reader.into_parts();
        Lifted { marks, deciding, ..lifted }
    }

    /// The version that a document is written in.
    pub fn version_of(&self, document: &Document<'_>) -> Option<usize> {
        let stated = (self.detect)(document.root())?.version?;
        self.versions.iter().position(|version| *version == stated)
    }

    /// The number of a version.
    pub fn version(&self, name: &str) -> Result<usize, String> {
        let found = self.versions.iter().position(|version| *version == name);
        found.ok_or_else(|| match self.versions {
            [] => format!("{} has no versions to choose from", self.name),
            versions => {
                let known = versions.join(", ");
                format!("{} has no version {}; there are {known}", self.name, quoted(name))
            }
        })
    }
}
