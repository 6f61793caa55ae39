//! Resolves the program of a tool on its host, without access to the disk.

use manifest_core::path::{
    PathError, PathLimits, PathStyle, check_portable, clean, is_absolute, to_slash,
};
use manifest_core::{Profile, Text};

use crate::{Tool, command};

/// The location of a manifest, and the paths that its host allows.
#[derive(Clone, Copy, Debug)]
pub struct Location<'h> {
    /// The directory of the manifest, as an absolute path.
    pub directory: &'h str,
    /// The path style of the machine that runs the tools.
    pub path_style: PathStyle,
    /// True if a manifest may name programs by absolute paths. The reference allows it. A
    /// host that runs untrusted manifests should not.
    pub allow_absolute: bool,
}

/// The reason why a command cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The command is empty.
    #[error("command must have at least program name")]
    Empty,
    /// An element contains a NUL, which ends a text for the operating system.
    #[error("command[{index}] holds a NUL")]
    Nul {
        /// The index of the element in the command.
        index: usize,
    },
    /// The program is not in `./tools/bin`. The message is the reference's.
    #[error("{0}")]
    Outside(String),
    /// The path is absolute, and the host does not allow that.
    #[error("command[0] must not be an absolute path")]
    Absolute,
    /// Windows would resolve the path to another one.
    #[error("command[0] does not work on Windows: {0}")]
    Windows(PathError),
    /// The directory of the manifest is not absolute.
    #[error("resolve command[0]: the directory of the manifest is not absolute")]
    Directory,
}

impl Tool<'_> {
    /// Returns the command with its program resolved, ready to run.
    ///
    /// An absolute program stays as written. Any other must be below `tools/bin` in the
    /// manifest's directory. Links are not followed, because only a host can do that.
    ///
    /// ```
    /// use manifest_core::path::PathStyle;
    /// use tools_json::{Location, Tool};
    ///
    /// let location = Location {
    ///     directory: "/srv/agent",
    ///     path_style: PathStyle::Posix,
    ///     allow_absolute: true,
    /// };
    /// let tool = |program: &'static str| Tool {
    ///     command: vec![program.into(), "--json".into()],
    ///     ..Tool::default()
    /// };
    /// assert_eq!(
    ///     tool("./tools/bin/get_time").resolve(&location)?,
    ///     ["/srv/agent/tools/bin/get_time", "--json"],
    /// );
    /// assert!(tool("./tools/bin/../../secret").resolve(&location).is_err());
    ///
    /// let windows = Location { directory: r"C:\agent", path_style: PathStyle::Windows, ..location };
    /// assert_eq!(
    ///     tool("./tools/bin/get_time.exe").resolve(&windows)?[0],
    ///     r"C:\agent\tools\bin\get_time.exe",
    /// );
    /// # Ok::<(), tools_json::ResolveError>(())
    /// ```
    pub fn resolve(&self, location: &Location<'_>) -> Result<Vec<Text<'_>>, ResolveError> {
        let (program, arguments) = self.command.split_first().ok_or(ResolveError::Empty)?;
        if let Some(index) = self.command.iter().position(|text| text.contains('\0')) {
            return Err(ResolveError::Nul { index });
        }
        let mut argv = Vec::with_capacity(self.command.len());
        argv.push(resolve(program, location)?);
        argv.extend(arguments.iter().map(|text| Text::Borrowed(text.as_ref())));
        Ok(argv)
    }
}

fn resolve<'p>(program: &'p str, location: &Location<'_>) -> Result<Text<'p>, ResolveError> {
    let &Location { directory, path_style: flavour, allow_absolute } = location;
    // The `spec` profile only adds requirements on the spelling of the path.
    command::check_on(program, Profile::Reference, flavour)
        .map_err(|(_, words)| ResolveError::Outside(words))?;
    if is_absolute(program, flavour) {
        let verbatim = allow_absolute.then_some(Text::Borrowed(program));
        return verbatim.ok_or(ResolveError::Absolute);
    }
    if !is_absolute(directory, flavour) {
        return Err(ResolveError::Directory);
    }
    let below = clean(&to_slash(program));
    match flavour {
        PathStyle::Posix => Ok(clean(&format!("{directory}/{below}")).into()),
        PathStyle::Windows => {
            check_portable(&below, &PathLimits::default()).map_err(ResolveError::Windows)?;
            let (volume, rest) = split_volume(directory);
            let path = clean(&format!("/{rest}/{below}"));
            Ok(format!("{volume}{path}").replace('/', r"\").into())
        }
    }
}

/// Splits an absolute Windows path into the part that `..` cannot leave (`C:`,
/// `\\host\share` or a device) and the rest. Both have forward slashes.
fn split_volume(path: &str) -> (String, String) {
    let path = to_slash(path);
    let segments: Vec<&str> = path.split('/').collect();
    let length = match segments.as_slice() {
        ["", "", "." | "?", unc, ..] if unc.eq_ignore_ascii_case("UNC") => 6,
        ["", "", ..] => 4,
        ["", "??", ..] => 3,
        _ => 1,
    };
    let (volume, rest) = segments.split_at(length.min(segments.len()));
    (volume.join("/"), rest.join("/"))
}
