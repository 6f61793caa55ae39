//! Detection of bridge calls, and the pins that they name.

use super::{Command, Http, Invocation, McpTool, Node, RegistryTool, ToolDescriptor};

/// The program, and its launcher for formats whose programs are below their own folder. For
/// a format that calls modules, the launcher is a folder of modules.
pub(crate) const PROGRAM: &str = "toolglot";
pub(crate) const LAUNCHER: &str = "toolglot-bridge";

/// The suffix of a module's name.
pub(crate) const MODULE_SUFFIX: &str = ".mjs";

/// The folder of sources for the bridge, below the folder of a converted manifest. `HEX.json` is
/// the source with this digest, and `HEX/` beside it has the files that its calls name.
pub const SOURCES_FOLDER: &str = ".toolglot/sources";

/// The path segments before the digest and before the tool in the URL of a gateway.
pub(crate) const SOURCES_PATH: &str = "/sources/";
pub(crate) const TOOLS_PATH: &str = "/tools/";

/// The source and the tool that a bridge call names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pin {
    /// SHA-256 of the source, in hexadecimal.
    pub source: String,
    /// The id of the tool. In the path of a module or a URL, it is the file name made from
    /// the id.
    pub tool: String,
}

impl ToolDescriptor<'_> {
    /// Returns true if the source declares at least one way to call the tool.
    pub fn has_call(&self) -> bool {
        self.invocation.is_some() || !self.implementations.is_empty() || !self.chain.is_empty()
    }

    /// Returns true if its call is a bridge to another source.
    pub fn is_bridged(&self) -> bool {
        self.invocation.as_deref().is_some_and(Invocation::is_pinned)
    }

    /// Returns the reason for a bridge in a target, as a message.
    pub fn bridge_reason(&self) -> &'static str {
        if !self.has_call() {
            "the target requires a call, and none could be read from the source"
        } else if self.is_bridged() {
            "the target requires a call, and that of the source is a bridge itself"
        } else {
            "the target cannot make the call of the source: the bridge makes it"
        }
    }
}

impl Pin {
    /// Returns a pin, or `None` unless `source` is a digest.
    fn new(source: &str, tool: &str) -> Option<Self> {
        let is_digest = source.len() == 64 && source.bytes().all(|b| b.is_ascii_hexdigit());
        if is_digest {
            Some(Self { source: source.to_owned(), tool: tool.to_owned() })
        } else {
            None
        }
    }
}

impl Invocation<'_> {
    /// Returns the pin if the call is a bridge.
    pub fn pin(&self) -> Option<Pin> {
        match self {
            Self::Command(Command { argv, cwd: _, input }) => {
                let words = argv.iter().chain(input.templates());
                BridgeArgv(words.map(|word| word.as_ref())).pin_of_command()
            }
            Self::CommandLine(line) => {
                let words = shell_words::split(line).ok()?;
                BridgeArgv(words.iter().map(String::as_str)).pin_of_command()
            }
            Self::Node(Node { main, export: _ }) => {
                let path =
                    main.strip_prefix(LAUNCHER)?.strip_prefix('/')?.strip_suffix(MODULE_SUFFIX)?;
                let (source, tool) = path.split_once('/')?;
                Some(Pin { source: source.to_owned(), tool: tool.to_owned() })
            }
            // A server for a pinned source.
            Self::McpTool(McpTool { argv, tool, cwd: _, url: _ }) => {
                let line = BridgeArgv(argv.iter().map(|word| word.as_ref()));
                if line.is_pinned() { Some(line.pin(line.tool_id(tool))) } else { None }
            }
            // A gateway with a pinned source.
            Self::RegistryTool(RegistryTool { server, tool, registry: _ }) => {
                let source = server.as_ref()?.strip_prefix("sha256:")?;
                Pin::new(source, tool)
            }
            Self::Http(Http { url, .. }) => {
                let (_, path) = url.rsplit_once(SOURCES_PATH)?;
                let (source, tool) = path.split_once(TOOLS_PATH)?;
                Pin::new(source, tool)
            }
            Self::Python(_) | Self::A2a(_) => None,
        }
    }

    /// Returns true if the call is a bridge. Cheaper than [`pin`](Self::pin) if many tools
    /// share a server command that names each of them.
    pub fn is_pinned(&self) -> bool {
        match self {
            Self::McpTool(McpTool { argv, tool: _, cwd: _, url: _ }) => {
                BridgeArgv(argv.iter().map(|word| word.as_ref())).is_pinned()
            }
            _ => self.pin().is_some(),
        }
    }

    /// Returns the file that starts the bridge, if the call names one: a path below the folder of
    /// the manifest. Other bridge calls start our program by its name.
    pub fn bridge_file(&self) -> Option<&str> {
        let path: &str = match self {
            Self::Command(Command { argv, cwd: _, input: _ }) => argv.first()?.as_ref(),
            Self::Node(Node { main, export: _ }) => main.as_ref(),
            _ => return None,
        };
        let path = path.strip_prefix("./").unwrap_or(path);
        let is_below = path.contains('/') && path.split('/').all(is_plain_segment);
        if is_below && self.is_pinned() { Some(path) } else { None }
    }
}

/// Returns true if a segment of a path leads to no other folder or drive on any system.
fn is_plain_segment(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..") && !segment.contains(['\\', ':'])
}

/// Returns true if this command line is a bridge call.
pub(crate) fn is_pinned<'w>(words: impl Iterator<Item = &'w str> + Clone) -> bool {
    BridgeArgv(words).is_pinned()
}

struct BridgeArgv<W>(W);

impl<'w, W: Iterator<Item = &'w str> + Clone> BridgeArgv<W> {
    /// Returns the argument that follows `name`.
    fn option_value(&self, name: &str) -> Option<&'w str> {
        let mut words = self.0.clone();
        words.find(|word| *word == name)?;
        words.next()
    }

    /// Reads at most two arguments if the program is not ours.
    fn is_pinned(&self) -> bool {
        let mut words = self.0.clone();
        let Some(path) = words.next() else { return false };
        let program = path.rsplit(['/', '\\']).next().unwrap_or(path);
        match (program.strip_suffix(".exe").unwrap_or(program), words.next()) {
            (LAUNCHER, _) | (PROGRAM, Some("bridge")) => true,
            // Without a source, it serves any tools that its host chooses.
            (PROGRAM, Some("mcp")) => self.option_value("--source").is_some(),
            _ => false,
        }
    }

    /// Returns the pin if this is the command of one tool.
    fn pin_of_command(&self) -> Option<Pin> {
        if self.is_pinned() { Some(self.pin(self.option_value("--tool"))) } else { None }
    }

    /// Returns the source that the line names, with this tool. A missing one is empty.
    fn pin(&self, tool: Option<&str>) -> Pin {
        let source = self.option_value("--source").unwrap_or("");
        let source = source.trim_start_matches("sha256:").to_owned();
        Pin { source, tool: tool.unwrap_or("").to_owned() }
    }

    /// Returns the id of the tool `name` of a server. An id ends with the tool's name
    /// within its package, and begins with the package's id. If the line names several
    /// tools, the shortest matching id wins.
    fn tool_id(&self, name: &str) -> Option<&'w str> {
        let mut ids = Vec::new();
        let mut words = self.0.clone();
        while let Some(word) = words.next() {
            if word == "--tool" {
                ids.extend(words.clone().next());
            }
        }
        if let [only] = ids[..] {
            return Some(only);
        }
        ids.retain(|id| match id.strip_suffix(name) {
            Some(package) => package.is_empty() || package.ends_with('.'),
            None => false,
        });
        ids.into_iter().min_by_key(|id| id.len())
    }
}

#[cfg(test)]
mod tests {
    use json_text::Text;

    use super::*;
    use crate::descriptor::CommandInput;

    #[test]
    fn a_line_is_pinned_by_the_words_that_a_shell_reads() {
        let line = r#"toolglot  bridge --for mcpkg --source "sha256:12ab" --tool 'a b'\''c'"#;
        let pin = Invocation::CommandLine(Text::Borrowed(line).into()).pin();
        let pinned = |source: &str, tool: &str| Pin { source: source.into(), tool: tool.into() };
        assert_eq!(pin, Some(pinned("12ab", "a b'c")));
        let module = |main: &'static str| {
            Invocation::Node(Node { main: Text::Borrowed(main).into(), export: None }).pin()
        };
        assert_eq!(module("toolglot-bridge/12ab/find.mjs"), Some(pinned("12ab", "find")));
        assert_eq!(module("dist/index.mjs"), None);
    }

    #[test]
    fn a_bridge_file_is_below_the_folder_of_the_manifest() {
        let file = |program: &'static str| {
            let argv = [program, "--source", "sha256:12ab"];
            let argv = argv.iter().map(|word| Text::Borrowed(*word).into()).collect();
            let call = Invocation::Command(Command { argv, cwd: None, input: CommandInput::Stdin });
            call.bridge_file().map(str::to_owned)
        };
        let below = Some("tools/bin/toolglot-bridge".to_owned());
        assert_eq!(file("./tools/bin/toolglot-bridge"), below);
        assert_eq!(file("tools/bin/toolglot-bridge"), below);
        for path in [
            "toolglot-bridge",
            "/usr/bin/toolglot-bridge",
            "../toolglot-bridge",
            "tools/../../toolglot-bridge",
            "tools//toolglot-bridge",
            "././toolglot-bridge",
            "C:/tools/toolglot-bridge",
            "tools\\bin/toolglot-bridge",
            "tools/bin/other",
        ] {
            assert_eq!(file(path), None, "{path}");
        }
    }

    #[test]
    fn a_server_is_pinned_where_it_names_its_source() {
        let server = |words: &[&'static str]| {
            let argv = words.iter().map(|word| Text::Borrowed(*word).into()).collect();
            let tool = Text::Borrowed("find").into();
            Invocation::McpTool(McpTool { tool, argv, cwd: None, url: None }).pin()
        };
        let pinned = ["toolglot", "mcp", "--source", "sha256:12ab", "--tool", "find"];
        let pin = Pin { source: "12ab".into(), tool: "find".into() };
        assert_eq!(server(&pinned), Some(pin));
        let several = ["notes.write", "notes.re.find", "notes.find"].map(|id| ["--tool", id]);
        let several: Vec<&str> = ["toolglot", "mcp", "--source", "sha256:12ab"]
            .into_iter()
            .chain(several.into_iter().flatten())
            .collect();
        assert_eq!(server(&several).map(|pin| pin.tool), Some("notes.find".to_owned()));
        assert_eq!(server(&["toolglot", "mcp", "tools.json"]), None);
        assert_eq!(server(&["node", "server.js"]), None);
    }
}
