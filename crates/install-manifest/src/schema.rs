//! The table as a JSON Schema.

use manifest_core::table;
use serde_json::Value;

use crate::enums::Version;
use crate::table::TABLE;

/// Returns the JSON Schema (2020-12) of a version, as this crate understands it.
///
/// It is generated from the table that [`validate`](crate::validate()) checks against.
///
/// ```
/// use toolglot_install_manifest::{Version, schema};
///
/// let schema = schema(Version::V0_4);
/// assert_eq!(schema["properties"]["manifest_version"]["const"], "0.4");
/// ```
pub fn schema(version: Version) -> Value {
    table::schema(&TABLE, version as u8)
}
