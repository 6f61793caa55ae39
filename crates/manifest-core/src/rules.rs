//! The rules of conversion.

use diagnostic::Rule;

/// Every rule of conversion.
pub static RULES: &[&Rule] = &[
    &ASSUMED,
    &BRIDGE,
    &DISABLED,
    &APPROVAL,
    &SAFER,
    &NO_TOOL,
    &VERSION,
    &TOOL_VERSION,
    &RESIDUE,
    &UNRELATED,
    &COLLISION,
    &CONFLICT,
    &IN_BAND,
    &WORK,
];

/// In strict mode, a target member would have to be assumed.
pub static ASSUMED: Rule = Rule::semantics(
    "convert/assumed",
    "in strict mode, the source must say everything that the target requires",
    "The target format requires a member for which the source has nothing to say. Without strict \
     mode a cautious default fills it, and the report lists it as assumed.",
);
/// In strict mode, a call would go through the bridge.
pub static BRIDGE: Rule = Rule::semantics(
    "convert/bridge",
    "in strict mode, the target must be able to say the call of the source",
    "The target format has no words for how the tool is called, so that it would have to call \
     the bridge, which makes the call of the source. Accept that by name, or convert to another \
     format.",
);
/// A tool is switched off, and the target cannot express that.
pub static DISABLED: Rule = Rule::semantics(
    "convert/disabled",
    "a tool that is switched off must not become callable by conversion",
    "The source says that the tool is switched off. The target format has no word for that, and \
     its host would call the tool. Accept it by name, or leave such tools out.",
);
/// A tool needs approval, and the target cannot express that.
pub static APPROVAL: Rule = Rule::semantics(
    "convert/approval",
    "a tool that needs approval must not lose that by conversion",
    "The source says that a person must approve each call, or that a call is destructive. The \
     target format has no word for that, and its host would not ask. Accept it by name, or leave \
     such tools out.",
);
/// A target would look safer than its source.
pub static SAFER: Rule = Rule::semantics(
    "convert/safer",
    "a target must not look safer than its source",
    "What was written for the target claims less danger than the source declares or its call \
     implies. That is a fault of this program: please report it, with the document.",
);
/// The source has no tool of a requested id.
pub static NO_TOOL: Rule = Rule::semantics(
    "convert/no-tool",
    "a tool that is asked for must be in the source",
    "The source has no tool of that id. The help lists those that it has.",
);
/// A tool has a version that the target cannot express.
pub static TOOL_VERSION: Rule = Rule::semantics(
    "convert/tool-version",
    "the target must be able to say the version of a tool",
    "A version that is written in other words is another one: whoever compares versions takes the \
     tool for what it is not. Give the source a version that the target has words for, or accept \
     by name that it gets another one.",
);
/// The target's format does not have the requested version, or cannot express the source in
/// it.
pub static VERSION: Rule = Rule::semantics(
    "convert/version",
    "the version to convert to must be one that the format has, and can be said in",
    "Formats have versions of their own, which are chosen as FORMAT@VERSION. Without one, the \
     newest is written.",
);
/// A residue cannot be read or applied.
pub static RESIDUE: Rule = Rule::semantics(
    "convert/residue",
    "a residue must be one that a conversion wrote",
    "A residue is data that `convert` writes beside its output. Give `restore` the file as it was \
     written, together with the document that came with it.",
);
/// A residue belongs to another document.
pub static UNRELATED: Rule = Rule::semantics(
    "convert/unrelated",
    "a residue must belong to the document that is restored",
    "The residue names the formats that it stands between, and the documents that were written. \
     An edited document still fits; another document does not.",
);
/// Two tools would get the same name.
pub static COLLISION: Rule = Rule::semantics(
    "convert/collision",
    "two tools must not get the same name in the target",
    "Two tools of the source have the same id, or ids that the target cannot tell apart. Rename \
     one of them in the source: a suffix that nobody chose would be a name that nobody knows.",
);
/// The source and the target were edited in the same place.
pub static CONFLICT: Rule = Rule::semantics(
    "convert/conflict",
    "edits must not contradict each other",
    "Both the source and its converted form were edited since the conversion, and say different \
     things in the same place; or the target says different things in two places that are one in \
     the source; or it says what its source has no word for, and goes on to a format that refuses \
     it. Nothing is decided for you: undo one of the edits, or make them say the same.",
);
/// A residue cannot travel inside the target.
pub static IN_BAND: Rule = Rule::semantics(
    "convert/in-band",
    "a residue can travel inside the target only in the input schema of a tool",
    "The document has no tool, the input schema of one is not an object, or the document would pass \
     a limit. Keep the residue in a file of its own instead.",
);
/// A conversion would write more than its budget.
pub static WORK: Rule = Rule::semantics(
    "convert/work",
    "a conversion must not write more than its budget",
    "What the tools of a package share is written for each of them where a format holds one tool a \
     document, and what is to be known of it is told of each of them, so that a small source can \
     become a very large target or report. Choose some of the tools, or raise the budget: it is \
     `Limits::work`.",
);
