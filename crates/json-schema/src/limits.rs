//! Limits on schemas and regular expressions.

/// Limits on schemas and patterns. The defaults are safe for untrusted input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in one schema.
    pub schema_bytes: usize,
    /// Subschemas in one schema.
    pub subschemas: usize,
    /// Levels of nested subschemas.
    pub schema_depth: usize,
    /// Steps that a schema may take on one value.
    pub schema_cost: u64,
    /// Subschema evaluations for one instance.
    pub schema_fuel: u64,
    /// Steps to compare two schemas. Small schemas get fewer.
    pub comparison_steps: u64,
    /// Bytes of one instance with its defaults filled in.
    pub filled_bytes: usize,
    /// Problems reported for one schema, instance or comparison.
    pub diagnostics: usize,

    /// Bytes in one regular expression.
    pub pattern_bytes: usize,
    /// Bytes of one compiled regular expression.
    pub pattern_compiled_bytes: usize,
    /// Nested groups in one regular expression.
    pub pattern_nesting: u32,
    /// Bytes of text that a regular expression may be run against.
    pub pattern_haystack_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            schema_bytes: 512 << 10,
            subschemas: 10_000,
            schema_depth: 64,
            schema_cost: 100_000,
            schema_fuel: 1_000_000,
            comparison_steps: 200_000,
            filled_bytes: 1 << 20,
            diagnostics: 100,
            pattern_bytes: 4 << 10,
            pattern_compiled_bytes: 1 << 20,
            pattern_nesting: 64,
            pattern_haystack_bytes: 1 << 20,
        }
    }
}

/// Lets every function that takes limits accept a reference.
impl From<&Self> for Limits {
    fn from(limits: &Self) -> Self {
        *limits
    }
}
