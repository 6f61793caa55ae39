//! The rules for texts. All of them are advice.

use diagnostic::{Rule, Severity};

/// Every rule of this module.
pub static RULES: &[&Rule] = &[
    &TAG_CHARACTERS,
    &VARIATION_SELECTORS,
    &BIDI,
    &INVISIBLE,
    &CONTROL,
    &UNUSUAL,
    &COMBINING,
    &SAME_NAME,
    &INSTRUCTION,
    &CROSS_TOOL,
];

/// Invisible characters that spell a message.
pub static TAG_CHARACTERS: Rule = Rule::advice(
    "text/tag-characters",
    "a text should not hold tag characters",
    "U+E0020 to U+E007E are invisible copies of ASCII. Models read what they spell; people see \
     nothing. Only the flags of England, Scotland and Wales are written with them.",
);
/// Variation selectors that change no character.
pub static VARIATION_SELECTORS: Rule = Rule::advice(
    "text/variation-selectors",
    "a variation selector should follow a character that it changes, and no other selector",
    "Sequences of them show as nothing and can carry any message.",
);
/// Characters that change the direction of writing.
pub static BIDI: Rule = Rule::advice(
    "text/bidi",
    "a text should not hold characters that turn the direction of writing",
    "With them, a text reads in another order than it is written in. Isolates that are closed \
     again are worth a remark only.",
);
/// Characters that are invisible.
pub static INVISIBLE: Rule = Rule::advice(
    "text/invisible",
    "a text should not hold characters that do not show",
    "Zero-width spaces, soft hyphens, fillers and the like split words that filters look for. \
     Joiners inside emoji and in scripts that need them are fine.",
);
/// Control characters.
pub static CONTROL: Rule = Rule::advice(
    "text/control",
    "a text should not hold control characters other than tabs and line breaks",
    "A terminal obeys them: it moves the cursor, changes colours, or clears what was shown before. \
     Escape sequences that are spelled out are worth a remark only.",
);
/// Characters without a common meaning.
pub static UNUSUAL: Rule = Rule::advice(
    "text/unusual",
    "a text should be made of assigned characters and ordinary line breaks",
    "Line and paragraph separators, private, unassigned and non-characters mean something else to \
     every program.",
);
/// A letter with too many combining marks.
pub static COMBINING: Rule = Rule::advice(
    "text/combining",
    "a letter should not have more than a few combining marks",
    "No language needs many. Heaps of them cover the lines above and below.",
);
/// Members whose names differ only in the encoding of an accent.
pub static SAME_NAME: Rule = Rule::advice(
    "text/same-name",
    "two members of an object should not look the same",
    "A letter with an accent is one character or two. Readers that make one of them find a name \
     twice, and take either value.",
);
/// A text that gives instructions to the model.
pub static INSTRUCTION: Rule = Rule::advice(
    "text/instruction",
    "a text should describe the tool, not give orders to the model",
    "Phrases such as \"ignore previous instructions\", secrecy towards the user, files with keys \
     in them, comments that do not show and long empty stretches are how tools are poisoned. Read \
     the whole text before you trust the tool.",
);
/// A tool that mentions another tool.
pub static CROSS_TOOL: Rule = Rule::remark(
    "text/cross-tool",
    "a tool should not say when to call other tools",
    "A tool that names another in its description can change how that one is used.",
);

/// A finding in a text: the rule, the severity and the message.
pub(super) type Remark = (&'static Rule, Severity, String);
