//! The typed document.

use manifest_core::json::{Document, Node, Raw, rules as json_rules};
use manifest_core::read::{self, Extras, Others};
use manifest_core::{Profile, Report, Text};
use serde::Serialize;

/// A `tools.json`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Manifest<'a> {
    /// The tools, in order.
    pub tools: Vec<Tool<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// One tool, as written: names of environment variables and paths are not
/// normalised here.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)] // lowering fills it in full
pub struct Tool<'a> {
    /// The name, unique in the manifest.
    pub name: Text<'a>,
    /// What the tool does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Text<'a>>,
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Raw<'a>>,
    /// The program and its fixed arguments.
    pub command: Vec<Text<'a>>,
    /// Seconds that a call may take. Zero and less mean the caller's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_sec: Option<i64>,
    /// Environment variables that the tool is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env_passthrough: Vec<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> Manifest<'a> {
    /// Reads a document. What is not as it should be is absent: use
    /// [`validate`](crate::validate) to hear about it.
    pub fn read(document: &'a Document<'a>) -> Self {
        let mut unread = Report::new(Profile::Spec, 0);
        let mut reader = Reader { report: &mut unread, profile: Profile::Spec };
        reader.manifest(document.root()).0
    }
}

/// Where a tool and its members stand.
#[derive(Clone, Copy)]
pub(crate) struct ToolNodes<'a> {
    pub(crate) tool: Node<'a>,
    pub(crate) name: Option<Node<'a>>,
    pub(crate) schema: Option<Node<'a>>,
    pub(crate) command: Option<Node<'a>>,
    pub(crate) timeout: Option<Node<'a>>,
    pub(crate) env: Option<Node<'a>>,
}

/// Reads the document and reports what has the wrong shape.
pub(crate) struct Reader<'r> {
    pub(crate) report: &'r mut Report,
    pub(crate) profile: Profile,
}

impl Reader<'_> {
    /// Whether `null` stands for nothing, and names match in any case.
    fn like_go(&self) -> bool {
        self.profile == Profile::Reference
    }

    /// What members with other names are.
    fn others(&self) -> Others {
        if self.like_go() { Others::AnyCase } else { Others::Warn }
    }

    /// A value, unless it is a `null` that stands for nothing.
    fn present<'a>(&self, node: Option<Node<'a>>) -> Option<Node<'a>> {
        node.filter(|node| !(self.like_go() && node.is_null()))
    }

    /// The manifest, and where its tools stand.
    pub(crate) fn manifest<'a>(&mut self, root: Node<'a>) -> (Manifest<'a>, Vec<ToolNodes<'a>>) {
        let others = self.others();
        let Some(root) = self.present(Some(root)) else {
            return <_>::default();
        };
        let Some(([tools], extras)) = read::members(root, ["tools"], others, self.report) else {
            return <_>::default();
        };
        if !self.like_go() {
            read::require(tools, root, "tools", self.report);
        }
        let elements = self.present(tools).and_then(|tools| read::elements(tools, self.report));
        let count = elements.clone().map_or(0, Iterator::count);
        let (mut tools, mut nodes) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for element in elements.into_iter().flatten() {
            let (tool, places) = self.tool(element);
            tools.push(tool);
            nodes.push(places);
        }
        (Manifest { tools, extras }, nodes)
    }

    fn tool<'a>(&mut self, tool: Node<'a>) -> (Tool<'a>, ToolNodes<'a>) {
        const NAMES: [&str; 6] =
            ["name", "description", "schema", "command", "timeoutSec", "envPassthrough"];
        let others = self.others();
        let found = self
            .present(Some(tool))
            .and_then(|tool| read::members(tool, NAMES, others, self.report));
        let ([name, description, schema, command, timeout, env], extras) =
            found.unwrap_or_default();
        let nodes = ToolNodes { tool, name, schema, command, timeout, env };
        let tool = Tool {
            name: read::text(self.present(name), self.report).unwrap_or_default(),
            description: read::text(self.present(description), self.report),
            schema: schema.map(Raw::from_node),
            command: self.texts(command),
            timeout_sec: self.present(timeout).and_then(|node| self.integer(node)),
            env_passthrough: self.texts(env),
            extras,
        };
        (tool, nodes)
    }

    fn texts<'a>(&mut self, node: Option<Node<'a>>) -> Vec<Text<'a>> {
        let like_go = self.like_go();
        read::list(self.present(node), self.report, |node, report| {
            if like_go && node.is_null() {
                Some(Text::default())
            } else {
                read::text(Some(node), report)
            }
        })
    }

    /// Whole numbers only, written as such: `5.0` and `1e1` are not.
    fn integer(&mut self, node: Node<'_>) -> Option<i64> {
        let Some(number) = node.number() else {
            read::wrong_type(node, "an integer", self.report);
            return None;
        };
        let value = number.as_str().parse().ok();
        if value.is_none() {
            let message = if number.as_str().contains(['.', 'e', 'E']) {
                "expected an integer, written without a point or an exponent"
            } else {
                "the number does not fit 64 bits"
            };
            self.report.push(json_rules::NUMBER_RANGE.at(node, message));
        }
        value
    }
}
