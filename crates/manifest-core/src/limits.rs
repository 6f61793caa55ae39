//! The bounds on the cost of untrusted input, in one value.

use serde::{Deserialize, Serialize};

/// Declares the limits, each with its default.
macro_rules! limits {
    (
        $(#[$about:meta])*
        pub struct Limits { $($(#[$limit_about:meta])* $limit:ident: $type:ty = $default:expr,)+ }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $($(#[$limit_about])* pub $limit: $type,)+
        }

        impl Default for Limits {
            fn default() -> Self {
                Self { $($limit: $default,)+ }
            }
        }
    };
}

limits! {
    /// Bounds on size, depth, count and work.
    ///
    /// The defaults are safe for untrusted input. A host with other needs changes single
    /// fields:
    ///
    /// ```
    /// use toolglot_manifest_core::Limits;
    ///
    /// let limits = Limits { document_bytes: 64 << 20, ..Limits::default() };
    /// assert_eq!(limits.depth, 127);
    /// ```
    pub struct Limits {
        /// Bytes in one JSON document.
        document_bytes: usize = 1 << 20,
        /// Levels of nesting in a JSON document.
        depth: usize = 127,
        /// Values in a JSON document.
        nodes: usize = 200_000,
        /// Bytes in one JSON string, as written.
        string_bytes: usize = 256 << 10,
        /// Bytes in one member name, as written.
        key_bytes: usize = 1 << 10,
        /// Bytes in one JSON number, as written.
        number_bytes: usize = 1 << 10,
        /// Diagnostics kept in one report. The others are only counted.
        diagnostics: usize = 100,
        /// Bytes for work that is not linear in the input: values that tools share are written
        /// and compared once per tool, and values that alternatives share once per alternative.
        /// It bounds three things: the documents and the report of one conversion; the report
        /// of one comparison, with the tools and packages that it reads repeatedly; and one
        /// schema that is rewritten for a model provider.
        work: usize = 64 << 20,

        /// Documents in one toolbox, including invalid ones.
        toolbox_documents: usize = 1_000,
        /// Bytes in all documents of one toolbox.
        toolbox_bytes: usize = 64 << 20,
        /// Tools in one toolbox.
        toolbox_tools: usize = 10_000,

        /// Bytes in one embedded JSON Schema.
        schema_bytes: usize = 512 << 10,
        /// Subschemas in one embedded JSON Schema.
        subschemas: usize = 10_000,
        /// Levels of nested subschemas.
        schema_depth: usize = 64,
        /// Steps that a schema may take on one value.
        schema_cost: u64 = 100_000,
        /// Subschema evaluations for one instance.
        schema_fuel: u64 = 1_000_000,
        /// Steps to prove that one schema accepts everything that another accepts. Small
        /// schemas get fewer.
        comparison_steps: u64 = 200_000,

        /// Bytes in one regular expression.
        pattern_bytes: usize = 4 << 10,
        /// Bytes of one compiled regular expression.
        pattern_compiled_bytes: usize = 1 << 20,
        /// Nested groups in one regular expression.
        pattern_nesting: u32 = 64,
        /// Bytes of text that a regular expression may be run against.
        pattern_haystack_bytes: usize = 1 << 20,

        /// Bytes in one `JSONPath` query.
        jsonpath_bytes: usize = 1 << 10,
        /// Segments in one `JSONPath` query.
        jsonpath_segments: usize = 32,
        /// Nested filters and parentheses in one `JSONPath` query.
        jsonpath_nesting: usize = 8,
        /// Nodes that one `JSONPath` query may visit.
        jsonpath_nodes: usize = 100_000,

        /// Bytes in one path.
        path_bytes: usize = 1024,
        /// Bytes in one segment of a path.
        path_segment_bytes: usize = 255,
        /// Segments in one path.
        path_segments: usize = 32,

        /// Files in one bundle.
        bundle_files: usize = 10_000,
        /// Bytes in all files of one bundle, decoded.
        bundle_bytes: usize = 64 << 20,
        /// Secrets that one tool may require.
        secrets: usize = 256,

        /// Steps in one chain.
        chain_steps: usize = 64,
        /// Bytes of all inputs and outputs in one run of a chain.
        chain_bytes: usize = 16 << 20,

        /// Bytes in one archive.
        archive_bytes: usize = 32 << 20,
        /// Entries in one archive.
        archive_entries: usize = 4096,
        /// Bytes in one entry of an archive, once expanded.
        entry_bytes: usize = 16 << 20,
        /// Bytes in all entries of an archive, once expanded.
        expanded_bytes: usize = 64 << 20,
        /// The maximum ratio of an entry's expanded size to its compressed size, for entries
        /// larger than a mebibyte.
        expansion_ratio: u64 = 200,
        /// Bytes in one signature.
        signature_bytes: usize = 64 << 10,

        /// Elements of one command line, the program included.
        arguments: usize = 1024,

        /// Bytes in one template.
        template_bytes: usize = 16 << 10,
        /// References in one template.
        template_references: usize = 64,
        /// Bytes of one template once its values are filled in.
        filled_bytes: usize = 64 << 10,
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
