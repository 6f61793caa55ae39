//! The options of verbs that read streams.

use std::path::Path;

use clap::ValueEnum;
use toolglot::stream::Shape;

/// Whether the input is a stream, and of what shape.
#[derive(Clone, clap::Args)]
pub(crate) struct Jsonl {
    /// Read a stream, entry by entry, and write JSON Lines
    #[arg(
        long,
        value_name = "SHAPE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "auto"
    )]
    jsonl: Option<ShapeName>,
    /// How many entries a stream may have
    #[arg(long, value_name = "N", default_value_t = 1_000_000, requires = "jsonl")]
    pub(crate) entries: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShapeName {
    /// Told by the first bytes, or a name that ends in .jsonl or .ndjson
    Auto,
    /// A document on each line
    Lines,
    /// An array of documents or tools
    Array,
    /// An object with a list of tools or capabilities
    Catalog,
}

impl Jsonl {
    /// Returns true if the input is a stream.
    pub(crate) const fn is_set(&self) -> bool {
        self.jsonl.is_some()
    }

    /// Returns the shape of a file, or `None` to detect it from the first bytes.
    pub(crate) fn shape(&self, path: &Path) -> Option<Shape> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        match self.jsonl.unwrap_or(ShapeName::Auto) {
            ShapeName::Auto if matches!(extension, Some("jsonl" | "ndjson")) => Some(Shape::Lines),
            ShapeName::Auto => None,
            ShapeName::Lines => Some(Shape::Lines),
            ShapeName::Array => Some(Shape::Array),
            ShapeName::Catalog => Some(Shape::Member),
        }
    }
}
