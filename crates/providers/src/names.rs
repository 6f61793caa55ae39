//! Derives names that a target accepts, and finds tools by them.

use std::collections::BTreeMap;

use json_text::Text;
use manifest_core::format::{IdGrammar, fit, fit_with_digest, fit_without_digest};

/// The names of the tools of one catalog.
///
/// Names are unique: if tools would share a name, they get no name. The names that
/// [`fit`](Self::fit) derives depend only on the ids of their tools, so that they stay when
/// other tools come and go. Those of [`readable`](Self::readable) are shorter.
///
/// ```
/// use toolglot_providers::{Names, OPENAI_NAME};
///
/// let names = Names::fit(["get_time", "tool:email.send", "get_time"], &OPENAI_NAME);
/// assert_eq!(names.name(1), Some("tool_email_send_7422f358"));
/// assert_eq!(names.tool("tool_email_send_7422f358"), Some(1));
/// assert_eq!(names.name(0), None);
/// assert_eq!(names.clashes(0), [0, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Names<'a> {
    names: Vec<Text<'a>>,
    tools: BTreeMap<Text<'a>, Vec<usize>>,
}

impl<'a> Names<'a> {
    /// Derives names from the ids of the tools of a catalog.
    pub fn fit(ids: impl IntoIterator<Item = &'a str>, grammar: &NameGrammar) -> Self {
        Self::index(ids.into_iter().map(|id| grammar.fit(id)).collect())
    }

    /// Derives readable names from the ids of tools and the names of their files: the id
    /// with unfit characters replaced. If tools would share it, all of them get the name of
    /// their file in front. A digest is added only if that does not help or does not fit.
    ///
    /// ```
    /// use toolglot_providers::{Names, OPENAI_NAME};
    ///
    /// let tools = [("mail", "tool:email.send"), ("github", "search"), ("notes", "search")];
    /// let names = Names::readable(tools, &OPENAI_NAME);
    /// assert_eq!(names.name(0), Some("tool_email_send"));
    /// assert_eq!(names.name(1), Some("github__search"));
    /// assert_eq!(names.name(2), Some("notes__search"));
    /// ```
    pub fn readable(
        tools: impl IntoIterator<Item = (&'a str, &'a str)>,
        grammar: &NameGrammar,
    ) -> Self {
        let tools: Vec<(&str, &str)> = tools.into_iter().collect();
        let plain = Self::index(tools.iter().map(|(_, id)| grammar.readable(id)).collect());
        let mut names = plain.names.clone();
        for ((index, (file, id)), name) in tools.iter().enumerate().zip(&mut names) {
            if !plain.clashes(index).is_empty() {
                *name = grammar.readable(&format!("{file}__{id}")).into_owned().into();
            }
        }
        let prefixed = Self::index(names);
        let mut names = prefixed.names.clone();
        for ((index, (file, id)), name) in tools.iter().enumerate().zip(&mut names) {
            if !plain.clashes(index).is_empty() && !prefixed.clashes(index).is_empty() {
                *name = grammar.with_digest(&format!("{file}__{id}")).into();
            }
        }
        Self::index(names)
    }

    fn index(names: Vec<Text<'a>>) -> Self {
        let mut tools: BTreeMap<Text<'a>, Vec<usize>> = BTreeMap::new();
        for (tool, name) in names.iter().enumerate() {
            tools.entry(name.clone()).or_default().push(tool);
        }
        Self { names, tools }
    }

    /// Returns the name of the tool at an index, unless another tool would have the same.
    pub fn name(&self, tool: usize) -> Option<&str> {
        let name = self.names.get(tool)?;
        if self.clashes(tool).is_empty() { Some(name) } else { None }
    }

    /// Returns the index of the tool with a name.
    pub fn tool(&self, name: &str) -> Option<usize> {
        match self.tools.get(name)?.as_slice() {
            [tool] => Some(*tool),
            _ => None,
        }
    }

    /// Returns the tools that would share a name with this one, including itself. Empty if
    /// its name is unique.
    pub fn clashes(&self, tool: usize) -> &[usize] {
        match self.names.get(tool).and_then(|name| self.tools.get(name)) {
            Some(tools) if tools.len() > 1 => tools,
            _ => &[],
        }
    }

    /// Returns the name that a tool would have if no other would share it.
    pub(crate) fn preferred_name(&self, tool: usize) -> &str {
        self.names.get(tool).map_or("", AsRef::as_ref)
    }
}

/// The grammar of a target's names.
#[derive(Clone, Copy, Debug)]
pub struct NameGrammar {
    grammar: IdGrammar,
    /// The prefix of a changed name, if its first kept character may not come first.
    prefix: &'static str,
    first: fn(char) -> bool,
}

impl NameGrammar {
    /// Returns true if a name needs no change.
    pub fn accepts(&self, name: &str) -> bool {
        (self.grammar.fits)(name)
    }

    /// Returns the name if it fits. Otherwise returns its characters that fit, with a
    /// digest.
    pub fn fit<'a>(&self, name: &'a str) -> Text<'a> {
        fit(name, &self.grammar_for(name))
    }

    /// Returns the name if it fits. Otherwise returns its characters that fit, with a digest
    /// only if they are too many or too few.
    fn readable<'a>(&self, name: &'a str) -> Text<'a> {
        fit_without_digest(name, &self.grammar_for(name)).unwrap_or_else(|| self.fit(name))
    }

    /// Returns the characters of a name that fit, with a digest.
    fn with_digest(&self, name: &str) -> String {
        fit_with_digest(name, &self.grammar_for(name))
    }

    /// Returns the grammar for this name, with a prefix if the name needs one.
    fn grammar_for(&self, name: &str) -> IdGrammar {
        let prefix = match name.chars().find(|c| (self.grammar.keeps)(*c)) {
            Some(c) if (self.first)(c) => "",
            _ => self.prefix,
        };
        IdGrammar { prefix, ..self.grammar }
    }
}

/// Returns true if a text has 1 to `longest` characters, all accepted by `of`.
fn consists_of(text: &str, longest: usize, of: impl Fn(char) -> bool) -> bool {
    (1..=longest).contains(&text.len()) && text.chars().all(of)
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_dashed(c: char) -> bool {
    is_word(c) || c == '-'
}

fn is_dotted(c: char) -> bool {
    is_dashed(c) || c == '.'
}

fn is_path(c: char) -> bool {
    is_dotted(c) || c == ':'
}

fn may_begin(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

const PLAIN: IdGrammar = IdGrammar {
    fits: |name| consists_of(name, 64, is_dashed),
    keeps: is_dashed,
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "",
    max_bytes: 64,
};

/// MCP tools: up to 128 letters, digits, `_`, `-` and `.`.
pub static MCP_NAME: NameGrammar = NameGrammar {
    grammar: IdGrammar {
        fits: |name| consists_of(name, 128, is_dotted),
        keeps: is_dotted,
        max_bytes: 128,
        ..PLAIN
    },
    prefix: "",
    first: |_| true,
};

/// OpenAI functions: up to 64 letters, digits, `_` and `-`.
pub static OPENAI_NAME: NameGrammar = NameGrammar { grammar: PLAIN, prefix: "", first: |_| true };

/// Anthropic tools: up to 64 letters, digits, `_` and `-`. The API accepts 128, but
/// Anthropic's own applications only 64.
pub static ANTHROPIC_NAME: NameGrammar = OPENAI_NAME;

/// Gemini functions: a letter or `_`, then letters, digits, `_`, `.`, `:` and `-`, up to
/// 64. The newer API accepts 128, the older one 64.
pub static GEMINI_NAME: NameGrammar = NameGrammar {
    grammar: IdGrammar {
        fits: |name| name.starts_with(may_begin) && consists_of(name, 64, is_path),
        keeps: is_path,
        ..PLAIN
    },
    prefix: "t_",
    first: may_begin,
};

/// Properties of Anthropic input schemas.
pub static ANTHROPIC_PROPERTY: NameGrammar = NameGrammar {
    grammar: IdGrammar { fits: |name| consists_of(name, 64, is_dotted), keeps: is_dotted, ..PLAIN },
    prefix: "",
    first: |_| true,
};

/// Parameters of Gemini functions.
pub static GEMINI_PROPERTY: NameGrammar = NameGrammar {
    grammar: IdGrammar {
        fits: |name| name.starts_with(may_begin) && consists_of(name, 64, is_word),
        keeps: is_word,
        ..PLAIN
    },
    prefix: "p_",
    first: may_begin,
};
