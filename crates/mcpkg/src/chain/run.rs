//! Running a chain, without calling a tool.

use std::collections::{BTreeMap, BTreeSet};

use call::{Arguments, Nested};
use manifest_core::json::{Document, quote};
use manifest_core::{Diagnostic, Limits, quoted};
use serde::Serialize;

use crate::manifest::{INPUT, Manifest, Step};
use jsonpath::Query;

/// How a chain is run.
#[derive(Clone, Debug, Default)]
pub struct ChainOptions {
    /// Whether a mapping that finds nothing is an error. Otherwise, the tool is
    /// called without that argument.
    pub strict: bool,
    /// How many steps there may be, and how much data.
    pub limits: Limits,
}

/// Why a chain cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// The manifest has no chain, or one that [`validate`](crate::validate)
    /// refuses.
    Invalid(String),
    /// The input is not one that the tool takes.
    Input(String),
    /// A tool gave something that is not JSON, or too much of it.
    Output {
        /// The step.
        step: usize,
        /// What is wrong.
        message: String,
    },
    /// A mapping found nothing.
    Missing {
        /// The step.
        step: usize,
        /// The argument.
        argument: String,
    },
    /// All inputs and outputs together pass [`Limits::chain_bytes`].
    TooMuchData,
    /// An output came before a call was asked for, or after the end.
    OutOfTurn,
}

impl std::fmt::Display for ChainError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invalid(message) => write!(f, "the chain cannot be run: {message}"),
            Self::Input(message) => write!(f, "the input does not fit: {message}"),
            Self::Output { step, message } => write!(f, "the output of step {step}: {message}"),
            Self::Missing { step, argument } => {
                write!(f, "step {step}: nothing is found for the argument {}", quoted(argument))
            }
            Self::TooMuchData => f.write_str("the chain takes more data than is allowed"),
            Self::OutOfTurn => f.write_str("no call is waiting for an output"),
        }
    }
}

impl std::error::Error for ChainError {}

/// A call that the host is to make: [`Step::Call`](call::Step::Call) is a step of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChainCall<'r> {
    /// The step, counted from zero.
    pub step: usize,
    /// The name of the step, or of its output.
    pub name: &'r str,
    /// The tool, and its arguments.
    pub call: Nested,
}

/// What is to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next<'r> {
    /// Call this tool, and resume with its output.
    Call(ChainCall<'r>),
    /// Nothing. This is the output of the chain.
    Done(&'r str),
}

/// What happened in one step, for people who look for a mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Trace {
    /// The name of the step, or of its output.
    pub name: String,
    /// The tool.
    pub tool: String,
    /// The arguments of the call, as JSON.
    pub input: String,
    /// Arguments that were left out, because nothing was found for them.
    pub omitted: Vec<String>,
    /// What the tool gave, as JSON.
    pub output: Option<String>,
}

/// What came of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChainOutcome {
    /// The output of the last step.
    pub output: String,
    /// What happened, step by step.
    pub trace: Vec<Trace>,
}

/// A chain that is being run: ask for what is [next](ChainRun::next), do it, and
/// [resume](ChainRun::resume) with what came of it.
#[derive(Debug)]
pub struct ChainRun<'a> {
    steps: &'a [Step<'a>],
    options: ChainOptions,
    /// What there is to take values from, each as an object with its name as the
    /// only member: a path begins with the name.
    values: BTreeMap<&'a str, String>,
    trace: Vec<Trace>,
    /// Bytes of all inputs and outputs so far.
    bytes: usize,
}

impl<'a> ChainRun<'a> {
    /// A run of the tool's chain with this input. The input is checked, and what
    /// it leaves out is filled in with the defaults of `input_schema`.
    pub fn new(
        manifest: &'a Manifest<'a>,
        input: &[u8],
        options: ChainOptions,
    ) -> Result<Self, ChainError> {
        let limits = &options.limits;
        if manifest.chain.is_empty() {
            return Err(ChainError::Invalid("there is no chain".to_owned()));
        }
        if manifest.chain.len() > limits.chain_steps {
            return Err(ChainError::Invalid(format!("more than {} steps", limits.chain_steps)));
        }
        let mut keys = BTreeSet::from([INPUT]);
        let taken = manifest.chain.iter().find(|step| !step.key().is_some_and(|k| keys.insert(k)));
        if taken.is_some() {
            return Err(ChainError::Invalid(
                "two outputs have one name, or one has none".to_owned(),
            ));
        }
        let input = fill(manifest, input, limits)?;
        let mut run = Self {
            steps: &manifest.chain,
            options,
            values: BTreeMap::new(),
            trace: Vec::new(),
            bytes: 0,
        };
        run.count(input.len())?;
        run.values.insert(INPUT, format!("{{\"{INPUT}\":{input}}}"));
        Ok(run)
    }

    /// What is to be done next. The same again until the run is resumed.
    #[allow(clippy::should_implement_trait)] // the call borrows from the run
    pub fn next(&mut self) -> Result<Next<'_>, ChainError> {
        let waiting = self.trace.last().is_some_and(|trace| trace.output.is_none());
        if !waiting && let Some(step) = self.steps.get(self.trace.len()) {
            let trace = self.prepare(step)?;
            self.count(trace.input.len())?;
            self.trace.push(trace);
        }
        let step = self.trace.len().saturating_sub(1);
        let done = ChainError::Invalid("there is no chain".to_owned());
        let trace = self.trace.last().ok_or(done)?;
        Ok(match &trace.output {
            Some(output) => Next::Done(output),
            None => Next::Call(ChainCall {
                step,
                name: &trace.name,
                call: Nested { tool: trace.tool.clone(), arguments: trace.input.clone() },
            }),
        })
    }

    /// Goes on with what the tool gave.
    pub fn resume(&mut self, output: &[u8]) -> Result<(), ChainError> {
        let index = self.trace.len().wrapping_sub(1);
        let waiting = self.trace.last().is_some_and(|trace| trace.output.is_none());
        let Some(step) = self.steps.get(index).filter(|_| waiting) else {
            return Err(ChainError::OutOfTurn);
        };
        self.count(output.len())?;
        let limits = &self.options.limits;
        let limits = Limits { depth: limits.depth, ..data_limits(limits) };
        let document = Document::parse(output, &limits)
            .map_err(|found| ChainError::Output { step: index, message: found.message.clone() })?;
        let text = document.root().raw().to_owned();
        if let Some(key) = step.key() {
            self.values.insert(key, format!("{{{}:{text}}}", quote(key)));
        }
        if let Some(trace) = self.trace.last_mut() {
            trace.output = Some(text);
        }
        Ok(())
    }

    /// What happened so far.
    pub fn trace(&self) -> &[Trace] {
        &self.trace
    }

    /// What came of the chain, when it has run to its end.
    pub fn finish(self) -> Option<ChainOutcome> {
        let output = self.trace.last().and_then(|trace| trace.output.clone())?;
        let done = self.trace.len() == self.steps.len();
        done.then_some(ChainOutcome { output, trace: self.trace })
    }

    fn count(&mut self, bytes: usize) -> Result<(), ChainError> {
        self.bytes = self.bytes.saturating_add(bytes);
        let fits = self.bytes <= self.options.limits.chain_bytes;
        if fits { Ok(()) } else { Err(ChainError::TooMuchData) }
    }

    /// The call of a step.
    fn prepare(&self, step: &Step<'_>) -> Result<Trace, ChainError> {
        let limits = data_limits(&self.options.limits);
        let index = self.trace.len();
        let invalid = |message: String| ChainError::Invalid(format!("step {index}: {message}"));
        // What several arguments take from is read once.
        let mut sources: BTreeMap<&str, Document<'_>> = BTreeMap::new();
        let (mut members, mut omitted) = (Vec::new(), Vec::new());
        let mut room = self.options.limits.chain_bytes.saturating_sub(self.bytes);
        for (argument, path) in step.input_mapping.iter() {
            let query = Query::parse(path, &limits)
                .map_err(|error| invalid(format!("{}: {error}", quoted(path))))?;
            let root = query.first_name().filter(|_| query.is_singular());
            let found = root.and_then(|root| self.values.get_key_value(root));
            let Some((root, text)) = found else {
                return Err(invalid(format!("{} names no output", quoted(path))));
            };
            if !sources.contains_key(root) {
                let document = Document::parse(text.as_bytes(), &limits)
                    .map_err(|found| invalid(found.message.clone()))?;
                sources.insert(root, document);
            }
            let value = sources.get(root).and_then(|source| query.select_one(source.root()));
            match value {
                Some(value) => {
                    let member = format!("{}:{}", quote(argument), value.raw());
                    room = room.checked_sub(member.len()).ok_or(ChainError::TooMuchData)?;
                    members.push(member);
                }
                None if self.options.strict => {
                    return Err(ChainError::Missing { step: index, argument: argument.to_owned() });
                }
                None => omitted.push(argument.to_owned()),
            }
        }
        Ok(Trace {
            name: step.step.as_deref().or(step.key()).unwrap_or_default().to_owned(),
            tool: step.tool.clone().into_owned(),
            input: format!("{{{}}}", members.join(",")),
            omitted,
            output: None,
        })
    }
}

/// What one value of a chain may cost, wrapped in an object that names it: as much
/// as all of them. An object adds a level, and less values than bytes.
fn data_limits(limits: &Limits) -> Limits {
    let bytes = limits.chain_bytes.saturating_add(limits.string_bytes);
    Limits {
        document_bytes: bytes,
        string_bytes: bytes,
        nodes: bytes,
        depth: limits.depth.saturating_add(1),
        ..limits.clone()
    }
}

/// The input, checked, with what it leaves out.
fn fill(manifest: &Manifest<'_>, input: &[u8], limits: &Limits) -> Result<String, ChainError> {
    let text = std::str::from_utf8(input).map_err(|error| ChainError::Input(error.to_string()))?;
    let checked = match &manifest.input_schema {
        Some(schema) => Arguments::filled(schema.as_str(), text, limits),
        None => Arguments::unchecked(text, limits).map_err(|error| vec![error]),
    };
    match checked {
        Ok(arguments) => Ok(arguments.as_str().to_owned()),
        Err(problems) => Err(refused(problems)),
    }
}

/// Why the input is not taken: it is at fault, or the schema is.
fn refused(problems: Vec<Diagnostic>) -> ChainError {
    let Some(first) = problems.into_iter().next() else {
        return ChainError::Input(String::new());
    };
    let place = manifest_core::printable(first.pointer.as_str(), 256);
    match first.rule.code.split_once('/') {
        Some(("schema", _)) => ChainError::Invalid(format!("input_schema: {}", first.message)),
        Some(("call", _)) if !place.is_empty() => {
            ChainError::Input(format!("{place}: {}", first.message))
        }
        _ => ChainError::Input(first.message.clone()),
    }
}
