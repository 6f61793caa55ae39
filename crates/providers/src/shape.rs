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
    /// use providers::Shape;
    ///
    /// let text = br#"{"name": "add", "input_schema": {"type": "object"}}"#;
    /// let document = Document::parse(text, &Limits::default())?;
    /// assert_eq!(Shape::of(document.root()), Some(Shape::Anthropic));
    /// # Ok::<(), diagnostic::Diagnostic>(())
    /// ```
    pub fn of(entry: Node<'_>) -> Option<Self> {
        let kind = entry.get("type").and_then(Node::text);
        let function = kind.as_deref().is_none_or(|kind| kind == "function");
        match () {
            () if entry.get("inputSchema").is_some() => Some(Self::Mcp),
            () if entry.get("input_schema").is_some() => Some(Self::Anthropic),
            () if entry.get("parametersJsonSchema").is_some() => Some(Self::Gemini),
            () if entry.get("parameters_json_schema").is_some() => Some(Self::Gemini),
            () if function && entry.get("function").is_some_and(Node::is_object) => {
                Some(Self::OpenAiChat)
            }
            () if kind.as_deref() == Some("function") => Some(Self::OpenAiResponses),
            () => None,
        }
    }
}
