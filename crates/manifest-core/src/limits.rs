//! The bounds on the cost of untrusted input, in one value.

use serde::{Deserialize, Serialize};

/// Bounds on size, depth, count and work.
///
/// The defaults are safe for untrusted input. A host with other needs changes single
/// fields:
///
/// ```
/// use manifest_core::Limits;
///
/// let limits = Limits { document_bytes: 64 << 20, ..Limits::default() };
/// assert_eq!(limits.depth, 127);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes in one JSON document.
    pub document_bytes: usize,
    /// Levels of nesting in a JSON document.
    pub depth: usize,
    /// Values in a JSON document.
    pub nodes: usize,
    /// Bytes in one JSON string, as written.
    pub string_bytes: usize,
    /// Bytes in one member name, as written.
    pub key_bytes: usize,
    /// Bytes in one JSON number, as written.
    pub number_bytes: usize,
    /// Diagnostics kept in one report. The others are only counted.
    pub diagnostics: usize,
    /// Bytes for work that is not linear in the input: values that tools share are written
    /// and compared once per tool, and values that alternatives share once per alternative.
    /// It bounds three things: the documents and the report of one conversion; the report
    /// of one comparison, with the tools and packages that it reads repeatedly; and one
    /// schema that is rewritten for a model provider.
    pub work: usize,

    /// Bytes in one embedded JSON Schema.
    pub schema_bytes: usize,
    /// Subschemas in one embedded JSON Schema.
    pub subschemas: usize,
    /// Levels of nested subschemas.
    pub schema_depth: usize,
    /// Steps that a schema may take on one value.
    pub schema_cost: u64,
    /// Subschema evaluations for one instance.
    pub schema_fuel: u64,
    /// Steps to prove that one schema accepts everything that another accepts. Small
    /// schemas get fewer.
    pub comparison_steps: u64,

    /// Bytes in one regular expression.
    pub pattern_bytes: usize,
    /// Bytes of one compiled regular expression.
    pub pattern_compiled_bytes: usize,
    /// Nested groups in one regular expression.
    pub pattern_nesting: u32,
    /// Bytes of text that a regular expression may be run against.
    pub pattern_haystack_bytes: usize,

    /// Bytes in one `JSONPath` query.
    pub jsonpath_bytes: usize,
    /// Segments in one `JSONPath` query.
    pub jsonpath_segments: usize,
    /// Nested filters and parentheses in one `JSONPath` query.
    pub jsonpath_nesting: usize,
    /// Nodes that one `JSONPath` query may visit.
    pub jsonpath_nodes: usize,

    /// Bytes in one path.
    pub path_bytes: usize,
    /// Bytes in one segment of a path.
    pub path_segment_bytes: usize,
    /// Segments in one path.
    pub path_segments: usize,

    /// Files in one bundle.
    pub bundle_files: usize,
    /// Bytes in all files of one bundle, decoded.
    pub bundle_bytes: usize,
    /// Secrets that one tool may require.
    pub secrets: usize,

    /// Steps in one chain.
    pub chain_steps: usize,
    /// Bytes of all inputs and outputs in one run of a chain.
    pub chain_bytes: usize,

    /// Bytes in one archive.
    pub archive_bytes: usize,
    /// Entries in one archive.
    pub archive_entries: usize,
    /// Bytes in one entry of an archive, once expanded.
    pub entry_bytes: usize,
    /// Bytes in all entries of an archive, once expanded.
    pub expanded_bytes: usize,
    /// The maximum ratio of an entry's expanded size to its compressed size, for entries
    /// larger than a mebibyte.
    pub expansion_ratio: u64,
    /// Bytes in one signature.
    pub signature_bytes: usize,

    /// Elements of one command line, the program included.
    pub arguments: usize,

    /// Bytes in one template.
    pub template_bytes: usize,
    /// References in one template.
    pub template_references: usize,
    /// Bytes of one template once its values are filled in.
    pub filled_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes: 1 << 20,
            depth: 127,
            nodes: 200_000,
            string_bytes: 256 << 10,
            key_bytes: 1 << 10,
            number_bytes: 1 << 10,
            diagnostics: 100,
            work: 64 << 20,
            schema_bytes: 512 << 10,
            subschemas: 10_000,
            schema_depth: 64,
            schema_cost: 100_000,
            schema_fuel: 1_000_000,
            comparison_steps: 200_000,
            pattern_bytes: 4 << 10,
            pattern_compiled_bytes: 1 << 20,
            pattern_nesting: 64,
            pattern_haystack_bytes: 1 << 20,
            jsonpath_bytes: 1 << 10,
            jsonpath_segments: 32,
            jsonpath_nesting: 8,
            jsonpath_nodes: 100_000,
            path_bytes: 1024,
            path_segment_bytes: 255,
            path_segments: 32,
            bundle_files: 10_000,
            bundle_bytes: 64 << 20,
            secrets: 256,
            chain_steps: 64,
            chain_bytes: 16 << 20,
            archive_bytes: 32 << 20,
            archive_entries: 4096,
            entry_bytes: 16 << 20,
            expanded_bytes: 64 << 20,
            expansion_ratio: 200,
            signature_bytes: 64 << 10,
            arguments: 1024,
            template_bytes: 16 << 10,
            template_references: 64,
            filled_bytes: 64 << 10,
        }
    }
}

impl Limits {
    /// Returns the defaults with room for a bundle: a manifest and the files of a tool.
    pub fn for_bundle() -> Self {
        Self { document_bytes: 32 << 20, string_bytes: 16 << 20, ..Self::default() }
    }

    /// Returns the defaults with room for a catalog of many tools.
    pub fn for_catalog() -> Self {
        Self { document_bytes: 8 << 20, nodes: 1_600_000, work: 512 << 20, ..Self::default() }
    }
}

/// The limits of one JSON text.
impl From<&Limits> for json_text::Limits {
    fn from(limits: &Limits) -> Self {
        Self {
            document_bytes: limits.document_bytes,
            depth: limits.depth,
            nodes: limits.nodes,
            string_bytes: limits.string_bytes,
            key_bytes: limits.key_bytes,
            number_bytes: limits.number_bytes,
        }
    }
}

/// The limits of one schema.
impl From<&Limits> for json_schema::Limits {
    fn from(limits: &Limits) -> Self {
        Self {
            schema_bytes: limits.schema_bytes,
            subschemas: limits.subschemas,
            schema_depth: limits.schema_depth,
            schema_cost: limits.schema_cost,
            schema_fuel: limits.schema_fuel,
            comparison_steps: limits.comparison_steps,
            filled_bytes: limits.document_bytes,
            diagnostics: limits.diagnostics,
            pattern_bytes: limits.pattern_bytes,
            pattern_compiled_bytes: limits.pattern_compiled_bytes,
            pattern_nesting: limits.pattern_nesting,
            pattern_haystack_bytes: limits.pattern_haystack_bytes,
        }
    }
}
