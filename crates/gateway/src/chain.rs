//! Chains: calls of calls. MCPKG says what each step is given; here every tool that a chain comes
//! to calling is known before the first of them is called.

use std::collections::BTreeMap;
use std::sync::Arc;

use toolglot::core::quoted;

use crate::catalogue::Catalogue;
use crate::tool::Tool;

/// Calls that one chain may come to, through chains of chains.
const MOST_CALLS: usize = 256;
/// Chains within chains.
const DEEPEST: usize = 16;

/// The tools that a chain comes to calling, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Called(BTreeMap<String, Arc<Tool>>);

impl Called {
    /// Finds every tool that a chain calls, through chains of chains. One that is not there, a
    /// chain that leads back to itself, and one that comes to too many calls are refused.
    pub(crate) fn by(chain: &Arc<Tool>, catalogue: &Catalogue) -> Result<Self, String> {
        let mut found = Self::default();
        let mut open = vec![Arc::clone(chain)];
        while let Some(tool) = open.pop() {
            for id in tool.chain() {
                if found.0.contains_key(id) {
                    continue;
                }
                let Some(next) = catalogue.tool_with_id(id) else {
                    return Err(format!("its chain calls {}, which is not known here", quoted(id)));
                };
                found.0.insert(id.clone(), Arc::clone(next));
                open.push(Arc::clone(next));
            }
        }
        found.calls(chain, &mut Vec::new(), &mut BTreeMap::new())?;
        Ok(found)
    }

    /// The tool that a step calls.
    pub(crate) fn tool(&self, id: &str) -> Option<&Arc<Tool>> {
        self.0.get(id)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.0.values()
    }

    /// How many calls a tool comes to. `path` has the chains around it, `known` what was counted.
    fn calls<'t>(
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
        if path.len() >= DEEPEST {
            return Err(format!("there are more than {DEEPEST} chains within each other"));
        }
        path.push(tool.id());
        let mut calls = usize::from(tool.chain().is_empty());
        for id in tool.chain() {
            let Some(next) = self.tool(id) else { continue };
            calls = calls.saturating_add(self.calls(next, path, known)?);
        }
        path.pop();
        if calls > MOST_CALLS {
            let id = quoted(tool.id());
            return Err(format!("the chain of {id} comes to more than {MOST_CALLS} calls"));
        }
        known.insert(tool.id(), calls);
        Ok(calls)
    }
}
