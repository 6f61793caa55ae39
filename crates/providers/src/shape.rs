//! The shapes of listed tools.

use json_text::Node;

/// The shape of a listed tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Shape {
    /// Tools of MCP.
    Mcp,
    /// Functions of chat completions.
    OpenAiChat,
    /// Functions of Responses.
    OpenAiResponses,
    /// Tools of Anthropic.
    Anthropic,
    /// Function declarations of Gemini.
    Gemini,
}

impl Shape {
    /// Returns the shape of a tool, recognised by the members that only that shape has.
    /// Returns `None` if there are none, as for tools that a provider runs itself.
    ///
    /// ```
    /// use json_text::{Document, Limits};
    /// use toolglot_providers::Shape;
    ///
    /// let text = br#"{"name": "add", "input_schema": {"type": "object"}}"#;
    /// let document = Document::parse(text, &Limits::default())?;
    /// assert_eq!(Shape::of(document.root()), Some(Shape::Anthropic));
    /// # Ok::<(), diagnostic::Diagnostic>(())
    /// ```
    pub fn of(entry: Node<'_>) -> Option<Self> {
        let has = |name| entry.get(name).is_some();
        let kind = entry.get("type").and_then(Node::text);
        let is_function = kind.as_deref() == Some("function");
        if has("inputSchema") {
            Some(Self::Mcp)
        } else if has("input_schema") {
            Some(Self::Anthropic)
        } else if has("parametersJsonSchema") || has("parameters_json_schema") {
            Some(Self::Gemini)
        } else if (is_function || kind.is_none())
            && entry.get("function").is_some_and(Node::is_object)
        {
            Some(Self::OpenAiChat)
        } else if is_function {
            Some(Self::OpenAiResponses)
        } else {
            None
        }
    }
}
