//! Chains of calls. Every tool that a chain calls is found before the first call. The MCPKG
//! crate determines the input of each step.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolglot::core::quoted;

use crate::catalogue::Catalogue;
use crate::tool::Tool;

/// The most calls that one chain may make, nested chains included.
const MAX_CALLS: usize = 256;
/// The maximum depth of nested chains.
const MAX_DEPTH: usize = 16;

/// The tools that a chain calls, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChainTools(BTreeMap<String, Arc<Tool>>);

impl ChainTools {
    /// Finds every tool that a chain calls, including those of nested chains. Fails if a
    /// tool is missing, if a chain leads back to itself, or if there are too many calls or
    /// levels.
    pub(crate) fn resolve(chain: &Arc<Tool>, catalogue: &Catalogue) -> Result<Self, String> {
        let mut found = Self::default();
        let mut open = vec![Arc::clone(chain)];
        while let Some(tool) = open.pop() {
            for id in tool.chain() {
                if found.0.contains_key(id) {
                    continue;
                }
                let Some(next) = catalogue.tool_by_id(id) else {
                    return Err(format!("its chain calls {}, which is not known here", quoted(id)));
                };
                found.0.insert(id.clone(), Arc::clone(next));
                open.push(Arc::clone(next));
            }
        }
        found.count_calls(chain, &mut Vec::new(), &mut BTreeMap::new())?;
        Ok(found)
    }

    pub(crate) fn tool(&self, id: &str) -> Option<&Arc<Tool>> {
        self.0.get(id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.0.values()
    }

    /// Counts the calls that a tool makes. `path` has the enclosing chains, `known` the
    /// counts so far.
    fn count_calls<'t>(
        &'t self,
        tool: &'t Tool,
        path: &mut Vec<&'t str>,
        known: &mut BTreeMap<&'t str, usize>,
    ) -> Result<usize, String> {
        if let Some(calls) = known.get(tool.id()) {
            return Ok(*calls);
        }
        if path.contains(&tool.id()) {
            return Err(format!("the chain of {} leads back to it", quoted(tool.id())));
        }
        if path.len() >= MAX_DEPTH {
            return Err(format!("there are more than {MAX_DEPTH} chains within each other"));
        }
        path.push(tool.id());
        let mut calls = usize::from(tool.chain().is_empty());
        for id in tool.chain() {
            let Some(next) = self.tool(id) else { continue };
            calls = calls.saturating_add(self.count_calls(next, path, known)?);
        }
        path.pop();
        if calls > MAX_CALLS {
            let id = quoted(tool.id());
            return Err(format!("the chain of {id} comes to more than {MAX_CALLS} calls"));
        }
        known.insert(tool.id(), calls);
        Ok(calls)
    }
}
