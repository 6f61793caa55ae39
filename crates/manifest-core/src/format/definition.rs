//! The definition of a format: a name, a few facts, and the functions that differ.

use std::collections::BTreeSet;

use super::accept::AcceptedLoss;
use super::contract::Contract;
use super::reader::Reader;
use super::writer::Writer;
use crate::descriptor::{EnvVar, LiftedDocument, ToolDescriptor};
use crate::lint::prose;
use crate::path::PathStyle;
use crate::provenance::Place;
use crate::table::Table;
use crate::{Limits, rules};
use diagnostic::{Depth, Diagnostic, Pointer, Profile, Report, Rule, Severity, quoted};
use json_text::{Document, Node, Raw};

/// A manifest format, as data. Everything else in this crate is generic over it.
#[derive(Debug)]
pub struct Format {
    /// The name that commands, options and residues use.
    pub name: &'static str,
    /// The versions that documents can be written in, oldest first. Empty if the format has
    /// no versions to choose from.
    pub versions: &'static [&'static str],
    /// The structure of the documents: one table for each kind of document.
    pub tables: &'static [&'static Table],
    /// Every rule of the format.
    pub rules: &'static [&'static Rule],
    /// The tools that one document can contain.
    pub cardinality: Cardinality,
    /// The document that contains many entries in one member, if the format has one.
    pub catalog: Option<Catalog>,
    /// Members that identify an element of an array. `a/b` is the member `b` of
    /// the member `a`.
    pub keys: &'static [&'static str],
    /// The safety features that the format can express.
    pub safety_features: SafetyFeatures,
    /// Returns the evidence if a value is a document of this format.
    pub detect: fn(Node<'_>) -> Option<Detection>,
    /// Describes a document that is easily mistaken for one of this format.
    pub look_alike: fn(Node<'_>) -> Option<&'static str>,
    /// Checks a document by the rules of the format. Use [`Format::validate`], which also
    /// checks the texts of the document.
    pub check: fn(&Document<'_>, &ValidateOptions) -> Report,
    /// Reads a valid document. Use [`Format::lift`], which checks it first.
    pub read: for<'a> fn(&mut Reader<'a>) -> LiftedDocument<'a>,
    /// Returns how the format can express the call of a tool.
    pub call_support: fn(&ToolDescriptor<'_>) -> CallSupport,
    /// Returns the rules that the format's host follows around a call of a tool.
    pub contract: fn(&ToolDescriptor<'_>) -> Contract,
    /// The prerequisites for a host of the format to run the bridge's command line, in one
    /// line. Empty if no tool calls the bridge.
    pub bridge_needs: &'static str,
    /// The prerequisites for a host of the format to run any converted tool, in one line.
    /// Empty if it runs tools as they are.
    pub host_needs: &'static str,
    /// Returns the secrets of a tool that a document of this format cannot name.
    pub undeclared_secrets: for<'t, 'a> fn(&'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>>,
    /// Returns the file name of a document with these tools, without `.json`.
    pub file_name: fn(&[ToolDescriptor<'_>]) -> String,
    /// Writes the members around the tools of a document, and the list of tools. Unused if
    /// a document is one tool.
    pub write_document: fn(&mut Writer<'_>, &ToolGroup<'_, '_>) -> Result<(), Diagnostic>,
    /// Writes the members of one tool.
    pub write_tool: fn(&mut Writer<'_>, &ToolContext<'_, '_>) -> Result<(), Diagnostic>,
}

/// The tools that one document of a format can contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cardinality {
    /// One tool.
    Tool,
    /// The tools of one package.
    Package,
    /// Any number of tools.
    Tools,
    /// One tool or, in another form, any number.
    ToolOrTools,
}

/// A document that contains a list of entries, and little else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catalog {
    /// The name of the member that contains the list.
    pub member: &'static str,
    /// The default text before and after the entries.
    pub frame: [&'static str; 2],
    /// True if an entry is a document by itself.
    pub is_document: bool,
}

/// The safety features that a format can express. A tool that is switched off or requires
/// approval is not converted to a format that lacks the feature, unless the loss is
/// accepted by name. Other losses are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent features
pub struct SafetyFeatures {
    /// True if a tool can be declared as switched off.
    pub disabled: bool,
    /// True if a tool can require a person's approval of each call.
    pub approval: bool,
    /// True if a tool can declare its use of the network, files or devices.
    pub reach: bool,
    /// True if a tool can declare that calls cost money.
    pub payment: bool,
    /// True if the host limits a tool to the network, files and devices that it declares.
    pub enforces_reach: bool,
}

impl SafetyFeatures {
    /// No safety features.
    pub const NONE: Self = Self {
        disabled: false,
        approval: false,
        reach: false,
        payment: false,
        enforces_reach: false,
    };
}

/// How a format can express a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallSupport {
    /// The format expresses the call as it is.
    Exact,
    /// The document calls the bridge, which makes the call.
    Bridge,
    /// The document calls a gateway, which makes the call. Without a gateway, the format
    /// cannot express the call, for this reason.
    Gateway(&'static str),
    /// The format cannot express the call, for this reason.
    Unsupported(&'static str),
}

/// The evidence that a value is a document of a format.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Detection {
    /// The version of the format, if the document shows it.
    pub version: Option<String>,
    /// The signs that the format was recognised by.
    pub evidence: Vec<&'static str>,
}

/// The options of a check.
#[derive(Clone, Debug)]
pub struct ValidateOptions {
    /// The profile, which selects whose behaviour to follow.
    pub profile: Profile,
    /// The depth of the check.
    pub depth: Depth,
    /// The number of the first entry of a list in messages. Not zero if the entries were
    /// cut out of a longer list.
    pub first_index: usize,
    /// The platform that tools are to run on, which decides whether a path is absolute. A
    /// program of a tools.json may be absolute on Windows only.
    pub platform: PathStyle,
    /// The bounds on the cost of the check.
    pub limits: Limits,
}

impl ValidateOptions {
    /// Creates an empty report with the profile, depth and limits of this check.
    pub fn new_report(&self) -> Report {
        Report::with_depth(self.profile, self.depth, self.limits.diagnostics)
    }
}

impl Default for ValidateOptions {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            depth: Depth::Advice,
            first_index: 0,
            platform: PathStyle::Posix,
            limits: Limits::default(),
        }
    }
}

/// The values for members that a target requires and the source lacks. All of them are
/// cautious, and every use is reported as assumed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// The version of a tool without a version.
    pub version: String,
    /// The tag of a tool without tags.
    pub tag: String,
    /// The URL below which a tool without a home page gets one.
    pub homepage: String,
    /// The URL of a gateway (`toolglot serve`), for targets whose hosts only send requests.
    /// The gateway makes the calls that such a target cannot express.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gateway: Option<String>,
    /// True if the bridge may reach this machine and private networks.
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
    /// Returns the scheme, host and port of the gateway as the beginning of a URL, if there
    /// is a gateway.
    pub fn gateway_origin(&self) -> Option<String> {
        let gateway = self.gateway.as_deref()?;
        let url = crate::url::check_http(gateway).ok()?;
        let scheme = if url.secure { "https" } else { "http" };
        let host = url.normal_host();
        Some(match url.port {
            Some(port) => format!("{scheme}://{host}:{port}/"),
            None => format!("{scheme}://{host}/"),
        })
    }
}

/// The context of lowering: everything except the tools.
#[derive(Clone, Copy, Debug)]
pub struct Context<'c> {
    /// The format to write.
    pub format: &'static Format,
    /// The source, and the edited targets that values may come from.
    pub sources: &'c [&'c Document<'c>],
    /// True if the target is the source's own format. In that case no name is fitted, and
    /// no call goes through the bridge.
    pub same_format: bool,
    /// The version to write, as an index into [`Format::versions`].
    pub version: Option<usize>,
    /// The values for required members that the source lacks.
    pub defaults: &'c Defaults,
    /// The losses that were accepted by name.
    pub accept: &'c BTreeSet<AcceptedLoss>,
    /// SHA-256 of the source, in hexadecimal.
    pub digest: &'c str,
    /// True if the tools are written as a list, even if there is only one.
    pub as_list: bool,
    /// The maximum number of bytes in all documents together, and in the report about them.
    pub budget: usize,
}

/// A tool to lower.
#[derive(Clone, Copy, Debug)]
pub struct ToolContext<'t, 'a> {
    /// The tool.
    pub tool: &'t ToolDescriptor<'a>,
    /// How the target can express its call.
    pub says: CallSupport,
    /// The context of lowering.
    pub context: Context<'t>,
}

impl ToolContext<'_, '_> {
    /// Returns the scheme, host and port of the gateway that makes the call, if one does.
    pub fn gateway_origin(&self) -> Option<String> {
        if self.says == CallSupport::Bridge { self.context.defaults.gateway_origin() } else { None }
    }
}

/// The tools of one document.
#[derive(Clone, Copy, Debug)]
pub struct ToolGroup<'t, 'a> {
    /// The tools. Not empty, unless the document can contain any number.
    pub tools: &'t [ToolDescriptor<'a>],
    /// The context of lowering.
    pub context: Context<'t>,
}

impl<'t, 'a> ToolGroup<'t, 'a> {
    /// Writes the list of tools, one object for each.
    pub fn write_list(&self, writer: &mut Writer<'_>, name: &str) -> Result<(), Diagnostic> {
        let mut outcome = Ok(());
        if self.tools.is_empty() {
            // The source lists no tools either, so an empty list is the same value.
            writer.member(name).equivalent(&Raw::from_static("[]"), &[]);
        } else {
            writer.member(name).list(|w| outcome = self.write_items(w, self.tools));
        }
        outcome
    }

    /// Writes some of the tools into the open list, one object for each.
    pub fn write_items(
        &self,
        writer: &mut Writer<'_>,
        tools: impl IntoIterator<Item = &'t ToolDescriptor<'a>>,
    ) -> Result<(), Diagnostic> {
        for tool in tools {
            let tool = self.tool_context(tool);
            let mut outcome = Ok(());
            writer.set_bridge_reason(tool.tool.bridge_reason());
            writer.item().object(|w| {
                outcome = (self.context.format.write_tool)(w, &tool).and_then(|()| {
                    self.context.check_budget("the target", w.bytes_written(), tool.tool)
                });
            });
            outcome?;
        }
        Ok(())
    }

    /// Returns one of the tools with the context of its lowering.
    pub fn tool_context(&self, tool: &'t ToolDescriptor<'a>) -> ToolContext<'t, 'a> {
        ToolContext { tool, says: self.context.says(tool), context: self.context }
    }
}

impl<'c> Context<'c> {
    /// Returns the node at a place, for a target that can express only a part of its value.
    pub fn node(&self, at: Place) -> Option<Node<'c>> {
        self.sources.get(usize::from(at.document))?.node(at.entry)
    }

    /// Returns how the target can express the call of a tool. If the format needs a
    /// gateway, the result is `Bridge` if there is one, and `Unsupported` otherwise.
    pub fn says(&self, tool: &ToolDescriptor<'_>) -> CallSupport {
        match (self.format.call_support)(tool) {
            _ if self.same_format => CallSupport::Exact,
            CallSupport::Gateway(_) if self.defaults.gateway.is_some() => CallSupport::Bridge,
            CallSupport::Gateway(why) => CallSupport::Unsupported(why),
            says => says,
        }
    }

    /// Returns true if this version or a later one is written.
    pub fn since(&self, version: usize) -> bool {
        self.version.is_none_or(|wanted| wanted >= version)
    }

    /// Fails if `bytes`, the size of everything up to this tool, exceeds the budget. The
    /// message calls the output `what`.
    pub fn check_budget(
        &self,
        what: &str,
        bytes: usize,
        tool: &ToolDescriptor<'_>,
    ) -> Result<(), Diagnostic> {
        if bytes <= self.budget {
            return Ok(());
        }
        let message = format!("up to this tool, {what} has more than {} bytes", self.budget);
        Err(self.error_at(&rules::WORK, tool.at, message).help("choose some of the tools"))
    }

    /// Creates an error at a place of the source, or at the root if the place is not in the
    /// source.
    pub fn error_at(
        &self,
        rule: &'static Rule,
        at: Option<Place>,
        message: impl Into<String>,
    ) -> Diagnostic {
        match at {
            Some(at) if at.document == 0 => match self.node(at) {
                Some(node) => rule.at(node, message),
                None => rule.at_pointer(Pointer::root(), message),
            },
            _ => rule.at_pointer(Pointer::root(), message),
        }
    }
}

impl Format {
    /// Checks a document by the rules of the format, and its texts for hidden characters
    /// and for instructions to a model.
    pub fn validate(&self, document: &Document<'_>, options: &ValidateOptions) -> Report {
        let mut report = (self.check)(document, options);
        let mut refused = Vec::new();
        for found in &report.diagnostics {
            if found.rule.severity == Severity::Error {
                refused.extend(found.span);
            }
        }
        let known = report.diagnostics.len();
        prose::check(document.root(), &mut report);
        if report.diagnostics.len() > known && !refused.is_empty() {
            // A value with an error needs no remark on its text.
            let mut remarks = report.diagnostics.split_off(known);
            remarks.retain(|found| found.span.is_none_or(|span| !refused.contains(&span)));
            report.diagnostics.append(&mut remarks);
        }
        report
    }

    /// Reads a document into descriptors. Entries that descriptors cannot express are not
    /// [marked](LiftedDocument::marks). Fails if the document has errors of structure or semantics.
    pub fn lift<'a>(
        &self,
        document: &'a Document<'a>,
        limits: &Limits,
    ) -> Result<LiftedDocument<'a>, Report> {
        self.lift_numbered(document, 0, limits)
    }

    /// Like [`Format::lift`], for the document with that number in a conversion.
    pub fn lift_numbered<'a>(
        &self,
        document: &'a Document<'a>,
        number: u16,
        limits: &Limits,
    ) -> Result<LiftedDocument<'a>, Report> {
        let options = ValidateOptions {
            depth: Depth::Semantics,
            limits: limits.clone(),
            ..ValidateOptions::default()
        };
        let report = self.validate(document, &options);
        if !report.is_valid() {
            return Err(report);
        }
        Ok(self.lift_valid(document, number))
    }

    /// Reads a document that is known to be valid.
    pub fn lift_valid<'a>(&self, document: &'a Document<'a>, number: u16) -> LiftedDocument<'a> {
        let mut reader = Reader::new(document, number);
        let lifted = (self.read)(&mut reader);
        let (marks, influences) = reader.into_parts();
        LiftedDocument { marks, influences, ..lifted }
    }

    /// Returns the version of a document, as an index into [`Format::versions`].
    pub fn version_of(&self, document: &Document<'_>) -> Option<usize> {
        let stated = (self.detect)(document.root())?.version?;
        self.versions.iter().position(|version| *version == stated)
    }

    /// Returns the index of a version. Fails if the format has no version of that name.
    pub fn version(&self, name: &str) -> Result<usize, String> {
        if self.versions.is_empty() {
            return Err(format!("{} has no versions to choose from", self.name));
        }
        find_version(self.versions, name, self.name)
    }
}

/// Returns the index of a version. The error names the versions that `format` has.
pub(crate) fn find_version(versions: &[&str], name: &str, format: &str) -> Result<usize, String> {
    if let Some(index) = versions.iter().position(|version| *version == name) {
        return Ok(index);
    }
    let known = versions.join(", ");
    Err(format!("{format} has no version {}; there are {known}", quoted(name)))
}
