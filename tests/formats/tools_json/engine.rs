//! What a host does with a manifest: resolve, map, plan, judge, record, write.

mod audit;
mod call;
mod content;
mod growth;
mod path;
mod reference;
mod restated;
mod update;

use manifest_core::path::PathStyle;
use tools_json::{Location, Tool};

const POSIX: Location<'_> =
    Location { directory: "/srv/agent", path_style: PathStyle::Posix, allow_absolute: true };

const WINDOWS: Location<'_> =
    Location { directory: r"C:\agent", path_style: PathStyle::Windows, allow_absolute: true };

/// A tool with a program.
fn tool(program: &str) -> Tool<'_> {
    Tool { name: "t".into(), command: vec![program.into()], ..Tool::default() }
}
