//! The checks of a chain by itself.

use std::collections::{BTreeMap, BTreeSet};

use crate::jsonpath::Query;
use manifest_core::{Limits, Rule, quoted};

use crate::checking::At::{Index, Name};
use crate::checking::Check;
use crate::manifest::Manifest;
use crate::{id, rules};

/// The name of the tool's own input.
pub(super) const INPUT: &str = "input";

pub(crate) fn check(manifest: &Manifest<'_>, check: &mut Check<'_>) {
    let steps = &manifest.chain;
    if steps.is_empty() {
        return;
    }
    let limit = check.options.limits.chain_steps;
    if steps.len() > limit {
        let message = format!("{} steps, more than the {limit} allowed", steps.len());
        check.push(&rules::CHAIN_LENGTH, &[Name("chain")], message);
        return;
    }
    let keys: BTreeMap<&str, usize> = steps
        .iter()
        .enumerate()
        .rev()
        .filter_map(|(index, step)| Some((step.key()?, index)))
        .collect();
    let mut names = BTreeSet::new();
    let mut outputs = BTreeSet::from([INPUT]);
    for (index, step) in steps.iter().enumerate() {
        let at = |name| [Name("chain"), Index(index), Name(name)];
        if let Some(name) = step.step.as_deref().filter(|name| !names.insert(*name)) {
            let message = format!("there is a step {} already", quoted(name));
            check.push(&rules::CHAIN_NAME, &at("step"), message);
        }
        if !step.tool.is_empty() && !id::is_valid(&step.tool) {
            let message = format!("{} is not a tool id", quoted(&step.tool));
            check.push(&rules::TOOL_ID, &at("tool"), message);
        } else if step.tool == manifest.tool_id {
            check.push(&rules::CHAIN_CYCLE, &at("tool"), "the chain calls its own tool");
        }
        for (name, path) in step.input_mapping.iter() {
            if let Err((rule, message)) = mapping(path, index, &keys, &check.options.limits) {
                let at = [Name("chain"), Index(index), Name("inputMapping"), Name(name)];
                check.push(rule, &at, message);
            }
        }
        let place = if step.output_key.is_some() { "outputKey" } else { "step" };
        let message = match step.key() {
            Some(key) if outputs.insert(key) => continue,
            Some(INPUT) => "\"input\" is the tool's own input".to_owned(),
            Some(key) => format!("there is an output {} already", quoted(key)),
            None => "the step has neither outputKey nor step".to_owned(),
        };
        check.push(&rules::CHAIN_NAME, &at(place), message);
    }
}

/// Checks that a path names one place, which is there when step `index` runs.
fn mapping(
    path: &str,
    index: usize,
    keys: &BTreeMap<&str, usize>,
    limits: &Limits,
) -> Result<(), (&'static Rule, String)> {
    let query = Query::parse(path, limits)
        .map_err(|error| (&rules::CHAIN_PATH, format!("{}: {error}", quoted(path))))?;
    if !query.is_singular() {
        let message = format!("{} can match more than one place", quoted(path));
        return Err((&rules::CHAIN_PATH, message));
    }
    let message = match query.first_name() {
        Some(INPUT) => return Ok(()),
        None => format!("{} does not say whose value it takes", quoted(path)),
        Some(name) => match keys.get(name) {
            Some(step) if *step < index => return Ok(()),
            Some(step) if *step == index => format!("{} is this step's own output", quoted(name)),
            Some(_) => format!("{} is the output of a later step", quoted(name)),
            None => format!("there is no output {}", quoted(name)),
        },
    };
    Err((&rules::CHAIN_REFERENCE, message))
}
