//! The formats that this build knows.

use manifest_core::Format;

/// The formats that are compiled in.
pub static FORMATS: &[&Format] = &[
    #[cfg(feature = "tools-json")]
    &tools_json::FORMAT,
    #[cfg(feature = "mcpkg")]
    &mcpkg::FORMAT,
    #[cfg(feature = "jumith")]
    &jumith::FORMAT,
    #[cfg(feature = "capability")]
    &capability::FORMAT,
    #[cfg(feature = "install-manifest")]
    &install_manifest::FORMAT,
];

/// The format of that name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().copied().find(|format| format.name == name)
}
