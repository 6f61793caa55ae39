//! The run of a chain, without I/O.

use std::collections::{BTreeMap, BTreeSet};

use call::{Arguments, NestedCall};
use manifest_core::json::{Document, quote};
use manifest_core::{Diagnostic, Limits, quoted};
use serde::Serialize;

use crate::jsonpath::Query;
use crate::manifest::{INPUT, Manifest, Step};

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct ChainOptions {
    /// If true, a mapping that finds no value is an error. Otherwise, the tool is called
    /// without that argument.
    pub strict: bool,
    /// The limits, for example on steps and data.
    pub limits: Limits,
}

/// The reason why a chain cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChainError {
    /// The manifest has no chain, or its chain or input schema is invalid, as
    /// [`validate`](crate::validate) reports.
    Invalid(String),
    /// The input is not JSON, or does not match the input schema.
    Input(String),
    /// The output of a tool is not JSON, or too large.
    Output {
        /// The index of the step.
        step: usize,
        /// The problem.
        message: String,
    },
    /// A mapping found no value.
    Missing {
        /// The index of the step.
        step: usize,
        /// The name of the argument.
        argument: String,
    },
    /// All inputs and outputs together exceed [`Limits::chain_bytes`].
    TooMuchData,
    /// An output was given before a call was requested, or after the end.
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

/// A call for the host to make, as the step [`Step::Call`](call::Step::Call).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChainCall<'r> {
    /// The index of the step.
    pub step: usize,
    /// The name of the step, or of its output.
    pub name: &'r str,
    /// The tool and its arguments.
    pub call: NestedCall,
}

/// The next action of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainAction<'r> {
    /// Call this tool, and resume with its output.
    Call(ChainCall<'r>),
    /// The run is complete. This is the output of the chain.
    Done(&'r str),
}

/// The record of one step, for debugging.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Trace {
    /// The name of the step, or of its output.
    pub name: String,
    /// The tool.
    pub tool: String,
    /// The arguments of the call, as JSON.
    pub input: String,
    /// The arguments that were left out, because their mappings found no value.
    pub omitted: Vec<String>,
    /// The output of the tool, as JSON.
    pub output: Option<String>,
}

/// The result of a complete run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChainOutcome {
    /// The output of the last step.
    pub output: String,
    /// The records of the steps.
    pub trace: Vec<Trace>,
}

/// A run of a chain: get the [next](ChainRun::next) action, perform it, and
/// [resume](ChainRun::resume) with its output.
#[derive(Debug)]
pub struct ChainRun<'a> {
    steps: &'a [Step<'a>],
    options: ChainOptions,
    /// The input and the outputs so far. Each is wrapped in an object with its name as the
    /// only member, because a path begins with the name.
    values: BTreeMap<&'a str, String>,
    trace: Vec<Trace>,
    /// The bytes of all inputs and outputs so far.
    bytes: usize,
}

impl<'a> ChainRun<'a> {
    /// Starts a run of the tool's chain with this input. The input is checked, and missing
    /// values are filled in with the defaults of `input_schema`.
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
        for step in &manifest.chain {
            if !step.key().is_some_and(|key| keys.insert(key)) {
                let message = "two outputs have one name, or one has none";
                return Err(ChainError::Invalid(message.to_owned()));
            }
        }
        let input = fill_input(manifest, input, limits)?;
        let mut run = Self {
            steps: &manifest.chain,
            options,
            values: BTreeMap::new(),
            trace: Vec::new(),
            bytes: 0,
        };
        run.charge_bytes(input.len())?;
        run.values.insert(INPUT, format!("{{\"{INPUT}\":{input}}}"));
        Ok(run)
    }

    /// Returns the next action. Returns the same one until the run is resumed.
    #[allow(clippy::should_implement_trait)] // the call borrows from the run
    pub fn next(&mut self) -> Result<ChainAction<'_>, ChainError> {
        if !self.is_waiting()
            && let Some(step) = self.steps.get(self.trace.len())
        {
            let trace = self.prepare(step)?;
            self.charge_bytes(trace.input.len())?;
            self.trace.push(trace);
        }
        let step = self.trace.len().saturating_sub(1);
        let done = ChainError::Invalid("there is no chain".to_owned());
        let trace = self.trace.last().ok_or(done)?;
        Ok(match &trace.output {
            Some(output) => ChainAction::Done(output),
            None => ChainAction::Call(ChainCall {
                step,
                name: &trace.name,
                call: NestedCall { tool: trace.tool.clone(), arguments: trace.input.clone() },
            }),
        })
    }

    /// Resumes the run with the output of the tool.
    pub fn resume(&mut self, output: &[u8]) -> Result<(), ChainError> {
        let index = self.trace.len().wrapping_sub(1);
        let step = match self.steps.get(index) {
            Some(step) if self.is_waiting() => step,
            _ => return Err(ChainError::OutOfTurn),
        };
        self.charge_bytes(output.len())?;
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

    /// Returns true if a call was requested and has no output yet.
    fn is_waiting(&self) -> bool {
        self.trace.last().is_some_and(|trace| trace.output.is_none())
    }

    /// Returns the records of the steps so far.
    pub fn trace(&self) -> &[Trace] {
        &self.trace
    }

    /// Returns the result if the run is complete.
    pub fn finish(self) -> Option<ChainOutcome> {
        let output = self.trace.last()?.output.clone()?;
        if self.trace.len() < self.steps.len() {
            return None;
        }
        Some(ChainOutcome { output, trace: self.trace })
    }

    fn charge_bytes(&mut self, bytes: usize) -> Result<(), ChainError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.options.limits.chain_bytes {
            return Err(ChainError::TooMuchData);
        }
        Ok(())
    }

    /// Prepares the call of a step.
    fn prepare(&self, step: &Step<'_>) -> Result<Trace, ChainError> {
        let limits = data_limits(&self.options.limits);
        let index = self.trace.len();
        let invalid = |message: String| ChainError::Invalid(format!("step {index}: {message}"));
        // A source of several arguments is parsed once.
        let mut sources: BTreeMap<&str, Document<'_>> = BTreeMap::new();
        let (mut members, mut omitted) = (Vec::new(), Vec::new());
        let mut room = self.options.limits.chain_bytes.saturating_sub(self.bytes);
        for (argument, path) in step.input_mapping.iter() {
            let query = Query::parse(path, &limits)
                .map_err(|error| invalid(format!("{}: {error}", quoted(path))))?;
            // Only singular queries have a first name.
            let source = query.first_name().and_then(|name| self.values.get_key_value(name));
            let Some((root, text)) = source else {
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
            name: step.display_name().to_owned(),
            tool: step.tool.clone().into_owned(),
            input: format!("{{{}}}", members.join(",")),
            omitted,
            output: None,
        })
    }
}

/// Returns the limits of one value of a chain, wrapped in an object with its name. One
/// value may be as large as all of them together. The object adds a level, and has fewer
/// values than bytes.
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

/// Checks the input, and fills in missing values.
fn fill_input(
    manifest: &Manifest<'_>,
    input: &[u8],
    limits: &Limits,
) -> Result<String, ChainError> {
    let text = std::str::from_utf8(input).map_err(|error| ChainError::Input(error.to_string()))?;
    let checked = match &manifest.input_schema {
        Some(schema) => Arguments::validate_against(schema.as_str(), text, limits),
        None => Arguments::parse(text, limits).map_err(|error| vec![error]),
    };
    match checked {
        Ok(arguments) => Ok(arguments.as_str().to_owned()),
        Err(problems) => Err(input_error(problems)),
    }
}

/// Returns the error for an input that was refused. The cause can be the schema.
fn input_error(problems: Vec<Diagnostic>) -> ChainError {
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
