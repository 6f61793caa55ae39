//! The list of a manifest's tools for people.

use std::fmt::Write;

use manifest_core::printable;

use crate::Manifest;

impl Manifest<'_> {
    /// Lists the tools by name, each with its description, as agentcli's `-capabilities`
    /// does.
    ///
    /// Characters that a terminal would interpret are escaped. If a host has no valid
    /// manifest, it lists an empty one.
    ///
    /// ```
    /// use tools_json::{Manifest, Tool};
    ///
    /// let mut manifest = Manifest::default();
    /// assert_eq!(manifest.capabilities(), "Capabilities (enabled tools):\nNo tools enabled\n");
    ///
    /// let tool = Tool { name: "b".into(), description: Some("does b".into()), ..Tool::default() };
    /// manifest.tools = vec![tool.clone(), Tool { name: "a".into(), ..tool }];
    /// assert_eq!(
    ///     manifest.capabilities(),
    ///     "Capabilities (enabled tools):\n- a: does b\n- b: does b\n",
    /// );
    /// ```
    pub fn capabilities(&self) -> String {
        let mut out = "Capabilities (enabled tools):\n".to_owned();
        if self.tools.is_empty() {
            out.push_str("No tools enabled\n");
        }
        let mut tools: Vec<_> = self.tools.iter().collect();
        tools.sort_by(|a, b| a.name.cmp(&b.name));
        for tool in tools {
            let name = printable(&tool.name, usize::MAX);
            let description = tool.description.as_deref().unwrap_or_default();
            let description = printable(description, usize::MAX);
            let warning = match name.as_str() {
                "img_create" => " [WARNING: makes outbound network calls and can save files]",
                _ => "",
            };
            // Writing to a string does not fail.
            let _ = writeln!(out, "- {name}: {description}{warning}");
        }
        out
    }
}
