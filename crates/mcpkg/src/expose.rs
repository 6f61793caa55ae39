//! Descriptions of tools for a model, in the shapes of the specification.
//!
//! A tool is named by its id, although no provider accepts the dots of an id in a name, and
//! schemas are left as they are. `toolglot-providers` has the shapes that providers accept:
//! it works on descriptors of any format, and maps its names back to ids.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//! use toolglot_mcpkg::Manifest;
//! use toolglot_mcpkg::expose::{Shape, expose, render_list};
//!
//! let document = Document::parse(
//!     br#"{"toolId": "demo.echo", "name": "Echo Tool", "description": "Echoes.",
//!          "input_schema": {"type": "object"}}"#,
//!     &Limits::default(),
//! )?;
//! let manifest = Manifest::read(&document);
//! let tools = [expose(&manifest, Shape::Tools)];
//! assert!(render_list(&tools).contains("\"name\": \"demo.echo\""));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use manifest_core::json::{Document, Raw};
use manifest_core::{Limits, Text};
use serde::Serialize;

use crate::Manifest;
use crate::package::Package;
use crate::testing::{Summary, TestCase};
use crate::text::to_pretty_json;

/// The shape of a description. The specification shows two, and the published tool writes a
/// third.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// `name`, `description` and `input_schema`, with the id as the name, as section 8 of
    /// the specification requires. Two tools can have the same display name, so only the id
    /// identifies the tool of a call.
    #[default]
    Tools,
    /// `tool`, `description` and `input_schema`: section 10.3.
    Logical,
    /// The shape of `tools.json` from the published tool, with the display name and the
    /// capabilities.
    Reference,
}

/// The description of a tool for a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelTool<'a> {
    /// The name that the model uses in a call, if the shape has it in `name`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The name that the model uses in a call, if the shape has it in `tool`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<&'a str>,
    /// The description of the tool.
    pub description: &'a str,
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<&'a Raw<'a>>,
    /// The capabilities: terms to search by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<&'a str>>,
    /// The texts of its examples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<Vec<&'a str>>,
    /// The calls of its tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<Vec<ExampleCall>>,
    /// A summary of the test results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_summary: Option<TestSummary>,
}

/// An example call, taken from a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExampleCall {
    /// The name of the test.
    pub name: String,
    /// The description of the test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The arguments.
    pub input: Raw<'static>,
}

/// A summary of test results, as the published tool writes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TestSummary {
    /// The number of tests.
    pub total: usize,
    /// The number of tests that passed.
    pub passed: usize,
    /// The number of tests that did not pass.
    pub failed: usize,
    /// The average duration of a call.
    pub average_latency_ms: f64,
}

/// Describes a tool for a model. Examples, calls and test results can be added to the
/// result.
pub fn expose<'a>(manifest: &'a Manifest<'a>, shape: Shape) -> ModelTool<'a> {
    let (name, tool) = match shape {
        Shape::Tools => (Some(manifest.tool_id.as_ref()), None),
        Shape::Logical => (None, Some(manifest.tool_id.as_ref())),
        Shape::Reference => (Some(manifest.name.as_ref()), None),
    };
    let mut capabilities = None;
    if shape == Shape::Reference {
        capabilities = Some(manifest.capabilities.iter().map(AsRef::as_ref).collect());
    }
    ModelTool {
        name,
        tool,
        description: &manifest.description,
        input_schema: manifest.input_schema.as_ref(),
        capabilities,
        examples: None,
        calls: None,
        test_summary: None,
    }
}

impl<'a> ModelTool<'a> {
    /// Adds the texts of the examples, up to `most` bytes. An example is left out if it is
    /// missing, is not text, or does not fit.
    #[must_use]
    pub fn with_examples(
        mut self,
        manifest: &Manifest<'_>,
        package: &'a Package<'_>,
        most: usize,
    ) -> Self {
        let (mut room, mut texts) = (most, Vec::new());
        for name in &manifest.examples {
            if let Some(bytes) = package.file(name)
                && bytes.len() <= room
                && let Ok(text) = std::str::from_utf8(bytes)
            {
                room -= bytes.len();
                texts.push(text);
            }
        }
        self.examples = Some(texts);
        self
    }

    /// Adds the calls of the tests, up to `most` bytes of test files. A test is left out if
    /// it is missing, cannot be read, or does not fit.
    #[must_use]
    pub fn with_calls(
        mut self,
        manifest: &Manifest<'_>,
        package: &Package<'_>,
        most: usize,
    ) -> Self {
        let (mut room, mut calls) = (most, Vec::new());
        for name in &manifest.tests {
            if let Some(bytes) = package.file(name)
                && bytes.len() <= room
                && let Ok(document) = Document::parse(bytes, &Limits::default())
            {
                room -= bytes.len();
                let TestCase { name, description, input, .. } = TestCase::read(&document);
                if let Some(input) = input {
                    calls.push(ExampleCall {
                        name: name.into_owned(),
                        description: description.map(Text::into_owned),
                        input: input.into_owned(),
                    });
                }
            }
        }
        self.calls = Some(calls);
        self
    }

    /// Adds a summary of the test results.
    #[must_use]
    pub fn with_summary(mut self, summary: &Summary) -> Self {
        self.test_summary = Some(TestSummary {
            total: summary.total,
            passed: summary.passed,
            failed: summary.failed,
            average_latency_ms: summary.average_latency_ms.unwrap_or(0.0),
        });
        self
    }
}

/// Writes tools as a JSON array, indented for people.
pub fn render_list(tools: &[ModelTool<'_>]) -> String {
    to_pretty_json(tools)
}
