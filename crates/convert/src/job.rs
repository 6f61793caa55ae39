//! One conversion, from descriptors to checked documents.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Depth, Diagnostic, Pointer, Profile, Report, Rule, quoted};
use manifest_core::descriptor::{Caution, Lifted, ToolDescriptor};
use manifest_core::format::{
    Accept, Context, Format, How, Record, Records, Says, Validate, Written, lower,
};
use manifest_core::{Place, rules, sha256_hex};

use crate::conversion::Conversion;
use crate::emitted::{Emitted, Implied, Runs, ToolOutcome};
use crate::ledger::Ledger;
use crate::needs::Needs;
use crate::options::{Choice, Options};
use crate::safety::Notices;
use crate::{implied, safety};

/// The written documents after the checks, with the findings about them.
#[derive(Default)]
struct Checked {
    documents: Vec<Emitted>,
    tools: Vec<ToolOutcome>,
    safety: Notices,
    needs: Needs,
    implied: Vec<Implied>,
}

/// The inputs of one conversion.
pub(crate) struct Job<'j> {
    /// The source, and edited targets that values may come from.
    pub(crate) sources: &'j [&'j json_text::Document<'j>],
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    pub(crate) options: &'j Options,
    /// True if the target must be a list of tools, even for a single tool.
    pub(crate) list: bool,
}

impl Job<'_> {
    pub(crate) fn convert(&self, mut lifted: Lifted<'_>) -> Result<Conversion, Report> {
        let Self { sources, from, to, options, list } = *self;
        let all = lifted.tools.len();
        self.choose(&mut lifted)?;
        self.refuse(&lifted.tools)?;
        let digest = sha256_hex(sources.first().map_or("", |source| source.text()).as_bytes());
        let version = options.version.as_deref().map(|name| to.version(name)).transpose();
        let version =
            version.map_err(|why| Report::from(rules::VERSION.at_pointer(Pointer::root(), why)))?;
        let own = from.name == to.name && version.is_none();
        let context = Context {
            format: to,
            sources,
            own,
            version,
            defaults: &options.defaults,
            accept: &options.accept,
            digest: &digest,
            list: list || lifted.list && from.name == to.name,
            work: options.limits.work,
        };
        let untouched = own && sources.len() == 1 && lifted.tools.len() == all;
        let (written, records) = match sources.first().filter(|_| untouched) {
            Some(source) => itself(source, &lifted, to),
            None => self.lower(&lifted, context).map_err(Report::from)?,
        };
        let deciding = std::mem::take(&mut lifted.deciding);
        let ledger = Ledger { records: Records { deciding, ..records } };
        let Checked { documents, tools, safety, needs, implied } =
            self.check(written, &lifted, context, &ledger)?;
        if options.strict {
            self.strict(&ledger, &documents, &tools)?;
        }
        Ok(Conversion {
            implied,
            needs: needs.into_list(),
            safety: safety.into_list(),
            tools,
            documents,
            ledger,
            restored: None,
            left_out: Vec::new(),
            formats: [from.name, to.name],
            options: options.clone(),
        })
    }

    /// Removes the tools that the options do not select. Fails if a selected tool is
    /// missing.
    fn choose(&self, lifted: &mut Lifted<'_>) -> Result<(), Report> {
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
            let caution = Caution::of(tool);
            let left_out = |choice: &Choice| match choice {
                Choice::Disabled => !caution.is_enabled(),
                Choice::Approval => caution.declares_approval(),
            };
            (chosen.is_empty() || chosen.contains(tool.id.as_ref()))
                && !options.without.iter().any(left_out)
        });
        Ok(())
    }

    /// Refuses duplicate ids. Also refuses disabled tools and tools that need approval if
    /// the target format cannot express that, unless it is accepted.
    fn refuse(&self, tools: &[ToolDescriptor<'_>]) -> Result<(), Report> {
        let Self { sources, from, to, options, list: _ } = *self;
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
            let caution = Caution::of(tool);
            let id = quoted(&tool.id);
            if !caution.is_enabled()
                && !to.words.disabled
                && !options.accept.contains(&Accept::Disabled)
            {
                let message = format!("{id} is switched off, and {} has no word for that", to.name);
                push(&rules::DISABLED, caution.enabled.at().first(), message, help("disabled"));
            }
            if caution.declares_approval()
                && !to.words.approval
                && !options.accept.contains(&Accept::Approval)
            {
                let message = format!("{id} needs approval, and {} has no word for that", to.name);
                push(&rules::APPROVAL, caution.approval.at().first(), message, help("approval"));
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
        lifted: &Lifted<'_>,
        context: Context<'_>,
    ) -> Result<(Vec<Written>, Records), Diagnostic> {
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
    fn check(
        &self,
        written: Vec<Written>,
        lifted: &Lifted<'_>,
        context: Context<'_>,
        ledger: &Ledger,
    ) -> Result<Checked, Report> {
        let limits = &self.options.limits;
        let mut checked = Checked::default();
        let mut ids: BTreeMap<String, usize> = BTreeMap::new();
        for (number, Written { name, text, tools }) in written.into_iter().enumerate() {
            let source = lifted.tools.get(tools).unwrap_or_default();
            let document = json_text::Document::parse(text.as_bytes(), limits)
                .map_err(|error| Report::from(in_the_target(error)))?;
            let target = self.to.read_as(&document, 0).tools;
            for (before, after) in source.iter().zip(&target) {
                if ids.insert(after.id.to_string(), number).is_some() {
                    let message = format!("two tools would have the id {}", quoted(&after.id));
                    return Err(Report::from(context.fault(
                        &rules::COLLISION,
                        before.id.at,
                        message,
                    )));
                }
            }
            let options =
                Validate { depth: Depth::Meaning, limits: limits.clone(), ..Validate::default() };
            let mut report = self.to.validate(&document, &options);
            if !report.is_valid() {
                self.say_where(&mut report, ledger, (number, &document));
                return Err(report);
            }
            if !context.own {
                let gateway = self.options.defaults.gateway_origin();
                safety::guard(source, &target, self.to, gateway.as_deref())
                    .map_err(Report::from)?;
            }
            for (before, after) in source.iter().zip(&target) {
                let outcome = ToolOutcome {
                    id: before.id.to_string(),
                    target: after.id.to_string(),
                    document: number,
                    runs: runs(before, after, context),
                };
                checked.needs.add([before, after], self.to, &outcome);
                if self.from.name != self.to.name {
                    checked.safety.add([before, after], [self.from, self.to]);
                    let told = context.affords("the report", checked.safety.bytes, before);
                    told.map_err(Report::from)?;
                    implied::add(
                        [before, after],
                        [self.from, self.to],
                        &outcome,
                        &mut checked.implied,
                    );
                }
                checked.tools.push(outcome);
            }
            let tape = document.tape();
            checked.documents.push(Emitted { name, text, tape });
        }
        Ok(checked)
    }

    /// Adds source locations to errors in the target, which the user cannot see.
    fn say_where(
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
            let mut found = in_the_target(found);
            found.clear_spans();
            match origin {
                Some(source) => found.related(source.span(), "it comes from here"),
                None => found,
            }
        };
        report.diagnostics = found.into_iter().map(tell).collect();
    }

    /// In strict mode, refuses assumed values and the bridge.
    fn strict(
        &self,
        ledger: &Ledger,
        documents: &[Emitted],
        tools: &[ToolOutcome],
    ) -> Result<(), Report> {
        let mut report = Report::new(Profile::Spec, self.options.limits.diagnostics);
        for (index, document) in documents.iter().enumerate() {
            let parsed = document.open();
            for (at, _) in ledger.target_values(index, &parsed, |how| how == How::Assumed) {
                let message = format!("the source does not say what {} is", quoted(at.as_str()));
                report.push(rules::ASSUMED.at_pointer(at, message));
            }
        }
        let bridged = tools.iter().filter(|tool| tool.runs == Runs::ThroughTheBridge);
        for tool in bridged.filter(|_| !self.options.accept.contains(&Accept::Bridge)) {
            let message =
                format!("{} has no words for the call of {}", self.to.name, quoted(&tool.id));
            let found = rules::BRIDGE.at_pointer(Pointer::root(), message);
            report.push(found.help("accept the bridge with --accept bridge"));
        }
        if report.is_valid() { Ok(()) } else { Err(report) }
    }
}

/// Marks an error as one in the target, because the user does not have that text.
fn in_the_target(mut found: Diagnostic) -> Diagnostic {
    found.set_message(format!("in the target: {}", found.message));
    found
}

/// Returns the source, byte for byte, as its own target.
fn itself(
    source: &json_text::Document<'_>,
    lifted: &Lifted<'_>,
    format: &Format,
) -> (Vec<Written>, Records) {
    let root = source.root();
    let written = Written {
        name: format!("{}.json", (format.file)(&lifted.tools)),
        text: source.text().to_owned(),
        tools: 0..lifted.tools.len(),
    };
    let record = Record {
        document: 0,
        start: u32::try_from(root.span().start).unwrap_or_default(),
        how: How::Native,
        why: "",
        places: (0, 1),
        joint: false,
    };
    let places = vec![Place::at(0, root)];
    (vec![written], Records { records: vec![record], places, ..Records::default() })
}

/// Returns how a converted tool runs.
fn runs(tool: &ToolDescriptor<'_>, target: &ToolDescriptor<'_>, context: Context<'_>) -> Runs {
    if context.own {
        return Runs::AsItIs;
    }
    match context.says(tool) {
        _ if !tool.has_call() => Runs::Not("no call could be read from the source".into()),
        // The target can express this call, but the tool shares the bridge of another.
        Says::Exact if target.is_bridged() && !tool.is_bridged() => Runs::ThroughTheBridge,
        Says::Exact => Runs::AsItIs,
        Says::No(why) | Says::Gateway(why) => Runs::Not(why.into()),
        _ if tool.is_bridged() => Runs::Not(
            "the source was converted itself and calls a bridge: convert it with its residue"
                .into(),
        ),
        Says::Bridge => Runs::ThroughTheBridge,
    }
}
