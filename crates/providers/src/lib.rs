//! What models are given.

#![forbid(clippy::disallowed_methods, clippy::disallowed_types)]
#![forbid(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

mod names;

pub use names::{
    ANTHROPIC_NAME, ANTHROPIC_PROPERTY, GEMINI_NAME, GEMINI_PROPERTY, MCP_NAME, NameGrammar, Names,
    OPENAI_NAME,
};
