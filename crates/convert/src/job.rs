//! One conversion, from descriptors to checked documents.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Depth, Diagnostic, Pointer, Profile, Report, Rule, quoted};
use manifest_core::descriptor::{LiftedDocument, RiskProfile, ToolDescriptor};
use manifest_core::format::{
    AcceptedLoss, CallSupport, Context, Derivation, Format, LoweredDocument, Record, Records,
    ValidateOptions, lower,
};
use manifest_core::{Place, rules, sha256_hex};

use crate::conversion::Conversion;
use crate::ledger::Ledger;
use crate::needs::Needs;
use crate::options::{Options, ToolFilter};
use crate::output::{HostDifference, OutputDocument, RunMode, ToolOutcome};
use crate::safety::Notices;
use crate::{host_differences, safety};

/// The written documents after the checks, with the findings about them.
#[derive(Default)]
struct CheckedOutput {
    documents: Vec<OutputDocument>,
    tools: Vec<ToolOutcome>,
    safety: Notices,
    needs: Needs,
    implied: Vec<HostDifference>,
}

/// The inputs of one conversion.
pub(crate) struct Job<'j> {
    /// The source, and edited targets that values may come from.
    pub(crate) sources: &'j [&'j json_text::Document<'j>],
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    pub(crate) options: &'j Options,
    /// True if the target must be a list of tools, even for a single tool.
    pub(crate) as_list: bool,
}

impl Job<'_> {
    pub(crate) fn convert(&self, mut lifted: LiftedDocument<'_>) -> Result<Conversion, Report> {
        let Self { sources, from, to, options, as_list: list } = *self;
        let all = lifted.tools.len();
        self.select_tools(&mut lifted)?;
        self.check_tools(&lifted.tools)?;
        let digest = sha256_hex(sources.first().map_or("", |source| source.text()).as_bytes());
        let version = options.version.as_deref().map(|name| to.version(name)).transpose();
        let version =
            version.map_err(|why| Report::from(rules::VERSION.at_pointer(Pointer::root(), why)))?;
        let own = from.name == to.name && version.is_none();
        let context = Context {
            format: to,
            sources,
            same_format: own,
            version,
            defaults: &options.defaults,
            accept: &options.accept,
            digest: &digest,
            as_list: list || lifted.is_list && from.name == to.name,
            budget: options.limits.work,
        };
        let untouched = own && sources.len() == 1 && lifted.tools.len() == all;
        let (written, records) = match sources.first().filter(|_| untouched) {
            Some(source) => passthrough(source, &lifted, to),
            None => self.lower(&lifted, context).map_err(Report::from)?,
        };
        let deciding = std::mem::take(&mut lifted.influences);
        let ledger = Ledger { records: Records { influences: deciding, ..records } };
        let CheckedOutput { documents, tools, safety, needs, implied } =
            self.check_output(written, &lifted, context, &ledger)?;
        if options.strict {
            self.check_strict(&ledger, &documents, &tools)?;
        }
        Ok(Conversion {
            host_differences: implied,
            needs: needs.into_list(),
            safety: safety.into_list(),
            tools,
            documents,
            ledger,
            restored_source: None,
            lost_edits: Vec::new(),
            formats: [from.name, to.name],
            options: options.clone(),
        })
    }

    /// Removes the tools that the options do not select. Fails if a selected tool is
    /// missing.
    fn select_tools(&self, lifted: &mut LiftedDocument<'_>) -> Result<(), Report> {
        let options = self.options;
        let known: BTreeSet<&str> = lifted.tools.iter().map(|tool| tool.id.as_ref()).collect();
        for wanted in &options.tools {
            if !known.contains(wanted.as_str()) {
                let message = format!("there is no tool {}", quoted(wanted));
                let names: Vec<String> = known.iter().take(8).map(|id| quoted(id)).collect();
                let help = format!("the source has {}", names.join(", "));
                return Err(Report::from(
                    rules::NO_TOOL.at_pointer(Pointer::root(), message).help(help),
                ));
            }
        }
        let chosen: BTreeSet<&str> = options.tools.iter().map(String::as_str).collect();
        lifted.tools.retain(|tool| {
            let caution = RiskProfile::of(tool);
            let left_out = |choice: &ToolFilter| match choice {
                ToolFilter::Disabled => !caution.is_enabled(),
                ToolFilter::Approval => caution.declares_approval(),
            };
            (chosen.is_empty() || chosen.contains(tool.id.as_ref()))
                && !options.without.iter().any(left_out)
        });
        Ok(())
    }

    /// Refuses duplicate ids. Also refuses disabled tools and tools that need approval if
    /// the target format cannot express that, unless it is accepted.
    fn check_tools(&self, tools: &[ToolDescriptor<'_>]) -> Result<(), Report> {
        let Self { sources, from, to, options, as_list: _ } = *self;
        let mut report = Report::new(Profile::Spec, options.limits.diagnostics);
        let node = |at: Option<&Place>| {
            let at = at.filter(|at| at.document == 0)?;
            sources.first()?.node(at.entry)
        };
        let mut push = |rule: &'static Rule, at: Option<&Place>, message: String, help: String| {
            let found: Diagnostic = match node(at) {
                Some(node) => rule.at(node, message),
                None => rule.at_pointer(Pointer::root(), message),
            };
            report.push(found.help(help));
        };
        let help = |word: &str| {
            format!("accept it with --accept {word}, or leave such tools out with --without {word}")
        };
        let mut ids = BTreeSet::new();
        for tool in tools.iter().filter(|_| from.name != to.name) {
            let caution = RiskProfile::of(tool);
            let id = quoted(&tool.id);
            if !caution.is_enabled()
                && !to.safety_features.disabled
                && !options.accept.contains(&AcceptedLoss::Disabled)
            {
                let message = format!("{id} is switched off, and {} has no word for that", to.name);
                push(&rules::DISABLED, caution.enabled.places().first(), message, help("disabled"));
            }
            if caution.declares_approval()
                && !to.safety_features.approval
                && !options.accept.contains(&AcceptedLoss::Approval)
            {
                let message = format!("{id} needs approval, and {} has no word for that", to.name);
                push(
                    &rules::APPROVAL,
                    caution.approval.places().first(),
                    message,
                    help("approval"),
                );
            }
            if !ids.insert(tool.id.as_ref()) {
                let message = format!("two tools have the id {id}");
                let help = "rename one of them".to_owned();
                push(&rules::COLLISION, tool.id.at.as_ref(), message, help);
            }
        }
        if report.is_valid() { Ok(()) } else { Err(report) }
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

    /// Reads the written documents back. Fails if one is invalid, has another number of
    /// tools, repeats an id or looks safer than the source.
    fn check_output(
        &self,
        written: Vec<LoweredDocument>,
        lifted: &LiftedDocument<'_>,
        context: Context<'_>,
        ledger: &Ledger,
    ) -> Result<CheckedOutput, Report> {
        let limits = &self.options.limits;
        let mut checked = CheckedOutput::default();
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for (number, LoweredDocument { name, text, tools }) in written.into_iter().enumerate() {
            let source = lifted.tools.get(tools).unwrap_or_default();
            let document = json_text::Document::parse(text.as_bytes(), limits)
                .map_err(|error| Report::from(mark_target_error(error)))?;
            let target = self.to.lift_valid(&document, 0).tools;
            for (before, after) in source.iter().zip(&target) {
                if ids.insert(after.id.to_string(), number).is_some() {
                    let message = format!("two tools would have the id {}", quoted(&after.id));
                    return Err(Report::from(context.error_at(
                        &rules::COLLISION,
                        before.id.at,
                        message,
                    )));
                }
            }
            let options = ValidateOptions {
                depth: Depth::Semantics,
                limits: limits.clone(),
                ..ValidateOptions::default()
            };
            let mut report = self.to.validate(&document, &options);
            if !report.is_valid() {
                self.attach_origins(&mut report, ledger, (number, &document));
                return Err(report);
            }
            if !context.same_format {
                let gateway = self.options.defaults.gateway_origin();
                safety::check_never_safer(source, &target, self.to, gateway.as_deref())
                    .map_err(Report::from)?;
            }
            for (before, after) in source.iter().zip(&target) {
                let outcome = ToolOutcome {
                    id: before.id.to_string(),
                    target: after.id.to_string(),
                    document: number,
                    runs: run_mode(before, after, context),
                };
                checked.needs.add([before, after], self.to, &outcome);
                if self.from.name != self.to.name {
                    checked.safety.add([before, after], [self.from, self.to]);
                    let told = context.check_budget("the report", checked.safety.bytes, before);
                    told.map_err(Report::from)?;
                    host_differences::add_differences(
                        [before, after],
                        [self.from, self.to],
                        &outcome,
                        &mut checked.implied,
                    );
                }
                checked.tools.push(outcome);
            }
            let tape = document.tape();
            checked.documents.push(OutputDocument { name, text, tape });
        }
        Ok(checked)
    }

    /// Adds source locations to errors in the target, which the user cannot see.
    fn attach_origins(
        &self,
        report: &mut Report,
        ledger: &Ledger,
        (number, target): (usize, &json_text::Document<'_>),
    ) {
        let found = std::mem::take(&mut report.diagnostics);
        let origins = self.sources.first().map(|source| ledger.origins(number, target, source));
        let tell = |found: Diagnostic| {
            let node = target.root().at(&found.pointer);
            let origin = node.zip(origins.as_ref()).and_then(|(node, origins)| origins.of(node));
            let mut found = mark_target_error(found);
            found.clear_spans();
            match origin {
                Some(source) => found.related(source.span(), "it comes from here"),
                None => found,
            }
        };
        report.diagnostics = found.into_iter().map(tell).collect();
    }

    /// In strict mode, refuses assumed values and the bridge.
    fn check_strict(
        &self,
        ledger: &Ledger,
        documents: &[OutputDocument],
        tools: &[ToolOutcome],
    ) -> Result<(), Report> {
        let mut report = Report::new(Profile::Spec, self.options.limits.diagnostics);
        for (index, document) in documents.iter().enumerate() {
            let parsed = document.open();
            for (at, _) in ledger.target_values(index, &parsed, |how| how == Derivation::Assumed) {
                let message = format!("the source does not say what {} is", quoted(at.as_str()));
                report.push(rules::ASSUMED.at_pointer(at, message));
            }
        }
        let bridged = tools.iter().filter(|tool| tool.runs == RunMode::ThroughTheBridge);
        for tool in bridged.filter(|_| !self.options.accept.contains(&AcceptedLoss::Bridge)) {
            let message =
                format!("{} has no words for the call of {}", self.to.name, quoted(&tool.id));
            let found = rules::BRIDGE.at_pointer(Pointer::root(), message);
            report.push(found.help("accept the bridge with --accept bridge"));
        }
        if report.is_valid() { Ok(()) } else { Err(report) }
    }
}

/// Marks an error as one in the target, because the user does not have that text.
fn mark_target_error(mut found: Diagnostic) -> Diagnostic {
    found.set_message(format!("in the target: {}", found.message));
    found
}

/// Returns the source, byte for byte, as its own target.
fn passthrough(
    source: &json_text::Document<'_>,
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
