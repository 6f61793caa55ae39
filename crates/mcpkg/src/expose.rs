//! What a model is told about a tool, in the shapes of the specification.
//!
//! A tool goes by its id there, with its points, which no provider takes as a name, and a schema is
//! left as it is. What a provider accepts is the business of `toolglot-providers`, which works on
//! descriptors of any format and knows the way back from its names.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//! use mcpkg::Manifest;
//! use mcpkg::expose::{Shape, expose, list};
//!
//! let document = Document::parse(
//!     br#"{"toolId": "demo.echo", "name": "Echo Tool", "description": "Echoes.",
//!          "input_schema": {"type": "object"}}"#,
//!     &Limits::default(),
//! )?;
//! let manifest = Manifest::read(&document);
//! let tools = [expose(&manifest, Shape::Tools)];
//! assert!(list(&tools).contains("\"name\": \"demo.echo\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use manifest_core::json::{Document, Raw};
use manifest_core::{Limits, certain};
use serde::Serialize;

use crate::Manifest;
use crate::package::Package;
use crate::testing::{Summary, TestCase};

/// How a tool is described. The specification shows two ways, the published tool
/// writes a third.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `name`, `description` and `input_schema`, with the id as the name: what
    /// section 8 of the specification asks for. People may give two tools one
    /// name, so the id is what a call can be matched by.
    #[default]
    Tools,
    /// `tool`, `description` and `input_schema`: section 10.3.
    Logical,
    /// What the published tool writes to `tools.json`: the name that people use,
    /// and the capabilities.
    Reference,
}

/// A tool, for a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Exposed<'a> {
    /// What the model calls it by, under `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// What the model calls it by, under `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<&'a str>,
    /// What it does.
    pub description: &'a str,
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<&'a Raw<'a>>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<&'a str>>,
    /// The texts of its examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<&'a str>>,
    /// The calls of its tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ExampleCall>>,
    /// How its tests went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_summary: Option<TestSummary>,
}

/// A call to learn from: that of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExampleCall {
    /// What the test is called.
    pub name: String,
    /// What it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The arguments.
    pub input: Raw<'static>,
}

/// How tests went, as the published tool tells it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TestSummary {
    /// How many there are.
    pub total: usize,
    /// How many passed.
    pub passed: usize,
    /// How many did not.
    pub failed: usize,
    /// How long a call took on average.
    pub average_latency_ms: f64,
}

/// A tool, for a model. Examples and a summary of the tests are added on request.
pub fn expose<'a>(manifest: &'a Manifest<'a>, shape: Shape) -> Exposed<'a> {
    let (name, tool) = match shape {
        Shape::Tools => (Some(manifest.tool_id.as_ref()), None),
        Shape::Logical => (None, Some(manifest.tool_id.as_ref())),
        Shape::Reference => (Some(manifest.name.as_ref()), None),
    };
    let capabilities = || manifest.capabilities.iter().map(AsRef::as_ref).collect();
    Exposed {
        name,
        tool,
        description: &manifest.description,
        input_schema: manifest.input_schema.as_ref(),
        capabilities: (shape == Shape::Reference).then(capabilities),
        examples: None,
        calls: None,
        test_summary: None,
    }
}

impl<'a> Exposed<'a> {
    /// Adds the texts of the examples, up to so many bytes. One that is not there,
    /// is no text, or does not fit is left out.
    #[must_use]
    pub fn with_examples(
        mut self,
        manifest: &Manifest<'_>,
        package: &'a Package<'_>,
        most: usize,
    ) -> Self {
        let mut room = most;
        let files = manifest.examples.iter().filter_map(|name| package.file(name));
        let texts = files.filter_map(|bytes| {
            let text = std::str::from_utf8(bytes).ok()?;
            room = room.checked_sub(text.len())?;
            Some(text)
        });
        self.examples = Some(texts.collect());
        self
    }

    /// Adds the calls of the tests, up to so many bytes. A test that is not there, cannot be read,
    /// or does not fit is left out.
    #[must_use]
    pub fn with_calls(
        mut self,
        manifest: &Manifest<'_>,
        package: &Package<'_>,
        most: usize,
    ) -> Self {
        let (mut room, limits) = (most, Limits::default());
        let files = manifest.tests.iter().filter_map(|name| package.file(name));
        let calls = files.filter_map(|bytes| {
            let document = Document::parse(bytes, &limits).ok()?;
            room = room.checked_sub(bytes.len())?;
            let TestCase { name, description, input, .. } = TestCase::read(&document);
            let description = description.map(|text| text.to_string());
            Some(ExampleCall { name: name.to_string(), description, input: input?.into_owned() })
        });
        self.calls = Some(calls.collect());
        self
    }

    /// Adds how the tests went.
    #[must_use]
    pub fn with_summary(mut self, summary: &Summary) -> Self {
        self.test_summary = Some(TestSummary {
            total: summary.total,
            passed: summary.passed,
            failed: summary.failed,
            average_latency_ms: summary.average_latency_ms.unwrap_or_default(),
        });
        self
    }
}

/// Tools as a JSON array, laid out for people.
pub fn list(tools: &[Exposed<'_>]) -> String {
    certain(serde_json::to_string_pretty(tools)).unwrap_or_default() + "\n"
}
