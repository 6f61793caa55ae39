//! Converts a document: selects and checks the tools, writes the documents, and checks them.

use std::collections::BTreeSet;
use std::sync::Arc;

use diagnostic::{Depth, Diagnostic, Pointer, Profile, Report, Rule, quoted};
use json_text::Document;
use manifest_core::descriptor::{LiftedDocument, RiskProfile, ToolDescriptor};
use manifest_core::format::{
    AcceptedLoss, CallSupport, Context, Derivation, Format, LoweredDocument, Record, Records,
    ValidateOptions, lower,
};
use manifest_core::{Place, rules, sha256_hex};

use crate::conversion::{Conversion, Inputs};
use crate::ledger::Ledger;
use crate::needs::Needs;
use crate::options::{Options, ToolFilter};
use crate::output::{HostDifference, OutputDocument, RunMode, ToolOutcome};
use crate::safety::Notices;
use crate::{host_differences, in_band, safety};

/// Converts a document.
///
/// Fails if the document is invalid, if it carries the residue of another conversion, or if
/// the conversion is refused.
pub fn convert(
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let mut conversion = convert_without_inputs(source, from, to, options)?;
    conversion.inputs = Arc::new(Inputs::copy(&[source]));
    if options.in_band { in_band::embed_residue(conversion) } else { Ok(conversion) }
}

/// Converts a document like [`convert`], but does not copy it into the result, and puts no residue
/// into the target.
pub(crate) fn convert_without_inputs(
    source: &Document<'_>,
    from: &'static Format,
    to: &'static Format,
    options: &Options,
) -> Result<Conversion, Report> {
    let lifted = from.lift(source, &options.limits)?;
    if in_band::has_residue(source, from) && from.name != to.name {
        let message = "the document carries the residue of another conversion";
        let help = "restore it first, or convert it onwards with its residue";
        return Err(Report::from(rules::IN_BAND.at_pointer(Pointer::root(), message).help(help)));
    }
    Job { sources: &[source], from, to, options, as_list: false }.convert(lifted)
}

/// The inputs of one conversion.
pub(crate) struct Job<'j> {
    /// The source, and edited targets that values may come from.
    pub(crate) sources: &'j [&'j Document<'j>],
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    pub(crate) options: &'j Options,
    /// True if the target must be a list of tools, even for a single tool.
    pub(crate) as_list: bool,
}

/// The written documents after the checks, with the findings about them.
#[derive(Default)]
struct CheckedOutput {
    documents: Vec<OutputDocument>,
    tools: Vec<ToolOutcome>,
    safety: Notices,
    needs: Needs,
    host_differences: Vec<HostDifference>,
    /// The ids in the target.
    ids: BTreeSet<String>,
}

impl Job<'_> {
    /// Converts the tools. The caller copies the inputs into the result if it is returned to the
    /// user.
    pub(crate) fn convert(&self, mut lifted: LiftedDocument<'_>) -> Result<Conversion, Report> {
        let Self { sources, from, to, options, as_list } = *self;
        let all = lifted.tools.len();
        self.select_tools(&mut lifted)?;
        self.check_tools(&lifted.tools)?;
        let digest = sha256_hex(sources.first().map_or("", |source| source.text()).as_bytes());
        let version = match &options.version {
            Some(name) => Some(
                to.version(name)
                    .map_err(|why| Report::from(rules::VERSION.at_pointer(Pointer::root(), why)))?,
            ),
            None => None,
        };
        let same_format = from.name == to.name && version.is_none();
        let context = Context {
            format: to,
            sources,
            same_format,
            version,
            defaults: &options.defaults,
            accept: &options.accept,
            digest: &digest,
            as_list: as_list || lifted.is_list && from.name == to.name,
            budget: options.limits.work,
        };
        let (written, records) = match sources {
            [source] if same_format && lifted.tools.len() == all => {
                passthrough(source, &lifted, to)
            }
            _ => self.lower(&lifted, context).map_err(Report::from)?,
        };
        let influences = std::mem::take(&mut lifted.influences);
        let ledger = Ledger { records: Records { influences, ..records } };
        let mut checked = CheckedOutput::default();
        for document in written {
            self.check_document(document, &lifted, context, &ledger, &mut checked)?;
        }
        if options.strict {
            self.check_strict(&ledger, &checked)?;
        }
        Ok(Conversion {
            host_differences: checked.host_differences,
            needs: checked.needs.into_list(),
            safety: checked.safety.into_list(),
            tools: checked.tools,
            documents: checked.documents,
            ledger,
            lost_edits: Vec::new(),
            inputs: Arc::default(),
            formats: [from, to],
            options: options.clone(),
        })
    }

    /// Removes the tools that the options do not select. Fails if a selected tool is
    /// missing.
    fn select_tools(&self, lifted: &mut LiftedDocument<'_>) -> Result<(), Report> {
        let Options { tools: selected, without, .. } = self.options;
        let known: BTreeSet<&str> = lifted.tools.iter().map(|tool| tool.id.as_ref()).collect();
        for id in selected {
            if !known.contains(id.as_str()) {
                let message = format!("there is no tool {}", quoted(id));
                let names: Vec<String> = known.iter().take(8).map(|id| quoted(id)).collect();
                let help = format!("the source has {}", names.join(", "));
                let found = rules::NO_TOOL.at_pointer(Pointer::root(), message);
                return Err(Report::from(found.help(help)));
            }
        }
        let selected: BTreeSet<&str> = selected.iter().map(String::as_str).collect();
        lifted.tools.retain(|tool| {
            if !selected.is_empty() && !selected.contains(tool.id.as_ref() as &str) {
                return false;
            }
            let risk = RiskProfile::of(tool);
            !without.iter().any(|filter| match filter {
                ToolFilter::Disabled => !risk.is_enabled(),
                ToolFilter::Approval => risk.declares_approval(),
            })
        });
        Ok(())
    }

    /// Refuses duplicate ids. Also refuses disabled tools and tools that need approval if
    /// the target format cannot express that, unless it is accepted.
    fn check_tools(&self, tools: &[ToolDescriptor<'_>]) -> Result<(), Report> {
        let Self { from, to, options, .. } = *self;
        if from.name == to.name {
            return Ok(());
        }
        let mut report = Report::new(Profile::Spec, options.limits.diagnostics);
        let mut ids = BTreeSet::new();
        for tool in tools {
            let risk = RiskProfile::of(tool);
            let id = quoted(&tool.id);
            if !risk.is_enabled()
                && !to.safety_features.disabled
                && !options.accept.contains(&AcceptedLoss::Disabled)
            {
                let message = format!("{id} is switched off, and {} has no word for that", to.name);
                let at = risk.enabled.places().first();
                let found = self.source_error(&rules::DISABLED, at, message);
                report.push(found.help(REFUSAL_HELP));
            }
            if risk.declares_approval()
                && !to.safety_features.approval
                && !options.accept.contains(&AcceptedLoss::Approval)
            {
                let message = format!("{id} needs approval, and {} has no word for that", to.name);
                let at = risk.approval.places().first();
                let found = self.source_error(&rules::APPROVAL, at, message);
                report.push(found.help(REFUSAL_HELP));
            }
            if !ids.insert(tool.id.as_ref() as &str) {
                let message = format!("two tools have the id {id}");
                let found = self.source_error(&rules::COLLISION, tool.id.at.as_ref(), message);
                report.push(found.help("rename one of them"));
            }
        }
        if report.is_valid() { Ok(()) } else { Err(report) }
    }

    /// Creates an error at a place of the source, or about the whole source.
    fn source_error(&self, rule: &'static Rule, at: Option<&Place>, message: String) -> Diagnostic {
        if let Some(at) = at
            && at.document == 0
            && let Some(source) = self.sources.first()
            && let Some(node) = source.node(at.entry)
        {
            return rule.at(node, message);
        }
        rule.at_pointer(Pointer::root(), message)
    }

    /// Writes the documents, indented if that stays within the limits.
    fn lower(
        &self,
        lifted: &LiftedDocument<'_>,
        context: Context<'_>,
    ) -> Result<(Vec<LoweredDocument>, Records), Diagnostic> {
        // White space counts against the limits of documents and of schemas.
        let limits = &self.options.limits;
        let limit = limits.document_bytes.min(limits.schema_bytes);
        let roomy = lower(lifted, context, false)?;
        if roomy.0.iter().all(|written| written.text.len() <= limit) {
            return Ok(roomy);
        }
        lower(lifted, context, true)
    }

    /// Reads a written document back. Fails if it is invalid, has another number of tools,
    /// repeats an id or looks safer than the source.
    fn check_document(
        &self,
        written: LoweredDocument,
        lifted: &LiftedDocument<'_>,
        context: Context<'_>,
        ledger: &Ledger,
        checked: &mut CheckedOutput,
    ) -> Result<(), Report> {
        let Self { from, to, options, .. } = *self;
        let LoweredDocument { name, text, tools } = written;
        let number = checked.documents.len();
        let source = lifted.tools.get(tools).unwrap_or_default();
        let document = Document::parse(text.as_bytes(), &options.limits)
            .map_err(|error| Report::from(mark_target_error(error)))?;
        let target = to.lift_valid(&document, 0).tools;
        for (before, after) in source.iter().zip(&target) {
            if !checked.ids.insert(after.id.to_string()) {
                let message = format!("two tools would have the id {}", quoted(&after.id));
                let found = context.error_at(&rules::COLLISION, before.id.at, message);
                return Err(Report::from(found));
            }
        }
        let validate_options = ValidateOptions {
            depth: Depth::Semantics,
            limits: options.limits.clone(),
            ..ValidateOptions::default()
        };
        let mut report = to.validate(&document, &validate_options);
        if !report.is_valid() {
            self.attach_origins(&mut report, ledger, (number, &document));
            return Err(report);
        }
        if !context.same_format {
            let gateway = options.defaults.gateway_origin();
            safety::check_never_safer(source, &target, to, gateway.as_deref())
                .map_err(Report::from)?;
        }
        for (before, after) in source.iter().zip(&target) {
            let outcome = ToolOutcome {
                id: before.id.to_string(),
                target: after.id.to_string(),
                document: number,
                runs: run_mode(before, after, context),
            };
            checked.needs.add([before, after], to, &outcome);
            if from.name != to.name {
                checked.safety.add([before, after], [from, to]);
                context
                    .check_budget("the report", checked.safety.bytes, before)
                    .map_err(Report::from)?;
                let found = &mut checked.host_differences;
                host_differences::add_differences([before, after], [from, to], &outcome, found);
            }
            checked.tools.push(outcome);
        }
        let tape = document.tape();
        checked.documents.push(OutputDocument { name, text, tape });
        Ok(())
    }

    /// Adds source locations to errors in the target, which the user cannot see.
    fn attach_origins(
        &self,
        report: &mut Report,
        ledger: &Ledger,
        (number, target): (usize, &Document<'_>),
    ) {
        let origins = self.sources.first().map(|source| ledger.origins(number, target, source));
        for found in std::mem::take(&mut report.diagnostics) {
            let node = target.root().at(&found.pointer);
            let mut found = mark_target_error(found);
            found.clear_spans();
            if let (Some(node), Some(origins)) = (node, &origins)
                && let Some(source) = origins.of(node)
            {
                found = found.related(source.span(), "it comes from here");
            }
            report.diagnostics.push(found);
        }
    }

    /// In strict mode, refuses assumed values and the bridge.
    fn check_strict(&self, ledger: &Ledger, checked: &CheckedOutput) -> Result<(), Report> {
        let mut report = Report::new(Profile::Spec, self.options.limits.diagnostics);
        for (index, document) in checked.documents.iter().enumerate() {
            let parsed = document.open();
            for (at, _) in ledger.target_values(index, &parsed, |how| how == Derivation::Assumed) {
                let message = format!("the source does not say what {} is", quoted(at.as_str()));
                report.push(rules::ASSUMED.at_pointer(at, message));
            }
        }
        if !self.options.accept.contains(&AcceptedLoss::Bridge) {
            for tool in &checked.tools {
                if tool.runs == RunMode::ThroughTheBridge {
                    let id = quoted(&tool.id);
                    let message = format!("{} has no words for the call of {id}", self.to.name);
                    let found = rules::BRIDGE.at_pointer(Pointer::root(), message);
                    report.push(found.help("accept the bridge by name"));
                }
            }
        }
        if report.is_valid() { Ok(()) } else { Err(report) }
    }
}

/// The advice for a tool whose safety feature the target format lacks.
const REFUSAL_HELP: &str = "accept it by name, or leave such tools out";

/// Marks an error as one in the target, because the user does not have that text.
fn mark_target_error(mut found: Diagnostic) -> Diagnostic {
    found.set_message(format!("in the target: {}", found.message));
    found
}

/// Returns the source, byte for byte, as its own target.
fn passthrough(
    source: &Document<'_>,
    lifted: &LiftedDocument<'_>,
    format: &Format,
) -> (Vec<LoweredDocument>, Records) {
    let root = source.root();
    let written = LoweredDocument {
        name: format!("{}.json", (format.file_name)(&lifted.tools)),
        text: source.text().to_owned(),
        tools: 0..lifted.tools.len(),
    };
    let record = Record {
        document: 0,
        start: u32::try_from(root.span().start).unwrap_or_default(),
        derivation: Derivation::Native,
        reason: "",
        places: (0, 1),
        joint: false,
    };
    let places = vec![Place::at(0, root)];
    (vec![written], Records { records: vec![record], places, ..Records::default() })
}

/// Returns how a converted tool runs.
fn run_mode(
    tool: &ToolDescriptor<'_>,
    target: &ToolDescriptor<'_>,
    context: Context<'_>,
) -> RunMode {
    if context.same_format {
        return RunMode::AsItIs;
    }
    match context.says(tool) {
        _ if !tool.has_call() => RunMode::Not("no call could be read from the source".into()),
        // The target can express this call, but the tool shares the bridge of another.
        CallSupport::Exact if target.is_bridged() && !tool.is_bridged() => {
            RunMode::ThroughTheBridge
        }
        CallSupport::Exact => RunMode::AsItIs,
        CallSupport::Unsupported(why) | CallSupport::Gateway(why) => RunMode::Not(why.into()),
        _ if tool.is_bridged() => RunMode::Not(
            "the source was converted itself and calls a bridge: convert it with its residue"
                .into(),
        ),
        CallSupport::Bridge => RunMode::ThroughTheBridge,
    }
}
