//! The files of a conversion: the documents, and what the bridge needs beside them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use json_text::{Text, quote};
use manifest_core::descriptor::{Invocation, SOURCES_FOLDER, ToolDescriptor};
use manifest_core::{Sourced, secret, sha256_hex};

use crate::conversion::Conversion;
use crate::needs::calls_gateway;
use crate::output::RunMode;

/// The options of the files of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOptions {
    /// The program that a launcher or a module starts: a name on the search path, or a path.
    pub program: String,
}

impl Default for FileOptions {
    fn default() -> Self {
        Self { program: "toolglot".to_owned() }
    }
}

/// The files of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConversionFiles<'c> {
    /// The files, in an order in which they can be written: the documents first.
    pub files: Vec<OutputFile<'c>>,
    /// The files that the calls of the source name, to be copied from the folder of the source.
    /// They are not needed if the source is in the folder that the files are written to.
    pub copies: Vec<FileCopy>,
    /// True if tools call the bridge, but the source contains a secret. The files then do not
    /// include the source and what starts the bridge, and those tools do not run.
    pub has_secret: bool,
}

/// A file of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputFile<'c> {
    /// The purpose of the file.
    pub kind: FileKind,
    /// A relative path of forward slashes. It leads to no folder above.
    pub path: Cow<'c, str>,
    /// The content.
    pub bytes: Cow<'c, [u8]>,
    /// True if the file must be executable.
    pub is_executable: bool,
}

/// The purpose of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FileKind {
    /// A document of the target.
    Document,
    /// The copy of the source that the bridge reads.
    Source,
    /// A program or a module that starts the bridge.
    Launcher,
}

/// A file to copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileCopy {
    /// The path below the folder of the source.
    pub from: String,
    /// The path below the folder of the target.
    pub to: String,
}

impl Conversion {
    /// Returns the files to write, and the names of files to copy beside them. If the source
    /// contains a secret, the bridge's files are missing: see
    /// [`has_secret`](ConversionFiles::has_secret).
    ///
    /// If tools call the bridge on the machine of their host, the files to write are the
    /// documents, the source, and the launcher or the modules that the documents name. Otherwise,
    /// they are the documents.
    ///
    /// ```
    /// # use toolglot_convert::{Conversion, FileOptions};
    /// /// Writes the files below a folder.
    /// fn write(conversion: &Conversion, folder: &std::path::Path) -> std::io::Result<()> {
    ///     let files = conversion.files(&FileOptions::default());
    ///     for file in &files.files {
    ///         let path = folder.join(&*file.path);
    ///         std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
    ///         std::fs::write(&path, &file.bytes)?;
    ///         #[cfg(unix)]
    ///         if file.is_executable {
    ///             use std::os::unix::fs::PermissionsExt;
    ///             let mode = std::fs::Permissions::from_mode(0o755);
    ///             std::fs::set_permissions(&path, mode)?;
    ///         }
    ///     }
    ///     // Copy `files.copies` too, unless the source is in this folder.
    ///     Ok(())
    /// }
    /// ```
    pub fn files(&self, options: &FileOptions) -> ConversionFiles<'_> {
        let mut found = ConversionFiles::default();
        for document in &self.documents {
            found.files.push(OutputFile {
                kind: FileKind::Document,
                path: Cow::Borrowed(&document.name),
                bytes: Cow::Borrowed(document.text.as_bytes()),
                is_executable: false,
            });
        }
        self.add_bridge_files(&mut found, options);
        found
    }

    /// Adds the files that the bridge needs.
    fn add_bridge_files<'c>(&'c self, found: &mut ConversionFiles<'c>, options: &FileOptions) {
        let bridged = self.bridged_tools();
        if bridged.is_empty() {
            return;
        }
        let source = self.source();
        if !secret::scan(source.root(), 1).is_empty() {
            found.has_secret = true;
            return;
        }
        let digest = sha256_hex(source.text().as_bytes());
        found.files.push(OutputFile {
            kind: FileKind::Source,
            path: Cow::Owned(format!("{SOURCES_FOLDER}/{digest}.json")),
            bytes: Cow::Borrowed(self.source_text().as_bytes()),
            is_executable: false,
        });
        let lifted = self.from().lift_valid(&source, 0);
        let mut tools: BTreeMap<&str, &ToolDescriptor<'_>> = BTreeMap::new();
        for tool in &lifted.tools {
            tools.entry(tool.id.as_ref()).or_insert(tool);
        }
        let (mut copied, mut launchers) = (BTreeSet::new(), BTreeSet::new());
        for BridgedTool { id, launcher } in &bridged {
            let tool = tools.get(id).copied();
            copied.extend(tool.map(ToolDescriptor::local_files).unwrap_or_default());
            if let Some(launcher) = launcher
                && launchers.insert(launcher.path.clone())
            {
                let words = self.bridge_words(&digest, id, tool);
                found.files.push(launcher.file(&words, options));
            }
        }
        for from in copied {
            let to = format!("{SOURCES_FOLDER}/{digest}/{from}");
            found.copies.push(FileCopy { from, to });
        }
    }

    /// Returns the arguments with which a module starts the bridge for a tool of the source.
    fn bridge_words<'w>(
        &self,
        digest: &str,
        id: &'w str,
        tool: Option<&ToolDescriptor<'_>>,
    ) -> Vec<Cow<'w, str>> {
        let source = format!("sha256:{digest}");
        let mut words = ["bridge", "--for", self.to().name, "--source"].map(Cow::Borrowed).to_vec();
        words.extend([Cow::Owned(source), Cow::Borrowed("--tool"), Cow::Borrowed(id)]);
        let losses = tool.map(|tool| self.to().losses_to_accept(tool)).unwrap_or_default();
        for loss in losses {
            words.extend(["--accept", loss.word()].map(Cow::Borrowed));
        }
        if self.options.defaults.private {
            words.extend(["--allow", "private"].map(Cow::Borrowed));
        }
        words
    }

    /// Returns the tools that call the bridge on the machine of their host, in order.
    fn bridged_tools(&self) -> Vec<BridgedTool<'_>> {
        let mut bridged = Vec::new();
        // The outcomes are in the order of the documents.
        let mut outcomes = self.tools.iter().peekable();
        for (number, output) in self.documents.iter().enumerate() {
            let mut own = Vec::new();
            while let Some(outcome) = outcomes.next_if(|tool| tool.document == number) {
                own.push(outcome);
            }
            if own.iter().all(|tool| tool.runs != RunMode::ThroughTheBridge) {
                continue;
            }
            let document = output.open();
            let targets = self.to().lift_valid(&document, 0).tools;
            for (outcome, target) in own.into_iter().zip(&targets) {
                let runs = outcome.runs == RunMode::ThroughTheBridge;
                if runs && !target.invocations().any(calls_gateway) {
                    bridged.push(BridgedTool { id: &outcome.id, launcher: Launcher::of(target) });
                }
            }
        }
        bridged
    }
}

/// A tool that calls the bridge on the machine of its host.
struct BridgedTool<'c> {
    /// The id in the source.
    id: &'c str,
    launcher: Option<Launcher>,
}

/// The file that starts the bridge for a target.
struct Launcher {
    path: String,
    /// The name and the description of the tool that a module exports. `None` for a program.
    module: Option<[String; 2]>,
}

impl Launcher {
    /// Returns the launcher that the call of a target names.
    fn of(target: &ToolDescriptor<'_>) -> Option<Self> {
        let call = target.invocations().find(|call| call.bridge_file().is_some())?;
        let path = call.bridge_file()?.to_owned();
        let module = match call {
            Invocation::Node(_) => {
                let [name, description] = [&target.name, &target.description];
                Some([text_of(name.as_ref()), text_of(description.as_ref())])
            }
            _ => None,
        };
        Some(Self { path, module })
    }

    /// Returns the file. `words` are the arguments with which a module starts the bridge.
    fn file<'f>(&self, words: &[Cow<'_, str>], options: &FileOptions) -> OutputFile<'f> {
        let levels = self.path.matches('/').count();
        let text = match &self.module {
            Some(tool) => module(words, levels, tool, &options.program),
            None => launcher(levels, &options.program),
        };
        OutputFile {
            kind: FileKind::Launcher,
            path: Cow::Owned(self.path.clone()),
            bytes: Cow::Owned(text.into_bytes()),
            is_executable: self.module.is_none(),
        }
    }
}

fn text_of(value: Option<&Sourced<Text<'_>>>) -> String {
    value.map(|text| text.value.to_string()).unwrap_or_default()
}

/// Returns the program that starts the bridge, for a format whose programs must be in a folder
/// below the manifest. It finds the folder of the manifest, `levels` folders above, from its own
/// path.
fn launcher(levels: usize, program: &str) -> String {
    let program = shell_word(program);
    let above = "/..".repeat(levels);
    format!(
        "#!/bin/sh\n\
         # Makes the call of the source that a converted tool stands for.\n\
         exec {program} bridge --folder \"$(dirname \"$0\"){above}\" \"$@\"\n"
    )
}

/// Returns a word that a POSIX shell reads as this text.
fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+');
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Returns the module that starts the bridge. The folder of the manifest is `levels` folders above
/// that of the module.
fn module(
    words: &[Cow<'_, str>],
    levels: usize,
    [name, description]: &[String; 2],
    program: &str,
) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    let (words, above) = (words.join(", "), quote(&"../".repeat(levels)));
    let (name, description, program) = (quote(name), quote(description), quote(program));
    format!(
        r#"// Makes the call of the source that a converted tool stands for.
import {{ spawn }} from "node:child_process";
import {{ fileURLToPath }} from "node:url";

const folder = fileURLToPath(new URL({above}, import.meta.url));
const line = [{words}, "--folder", folder];

// Secrets come under keys that begin with the name of the tool.
const secrets = (env = {{}}) => {{
  const own = Object.entries(env).filter(([key]) => key.startsWith(`${{tool.name}}-`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(tool.name.length + 1), value]));
}};

export const tool = {{
  name: {name},
  description: {description},
  execute(input, context = {{}}) {{
    return new Promise((resolve, reject) => {{
      const env = {{ ...process.env, ...secrets(context.env) }};
      const child = spawn({program}, line, {{ env, stdio: ["pipe", "pipe", "pipe"] }});
      let out = "";
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text) => {{ out += text; }});
      child.stderr.setEncoding("utf8").on("data", (text) => {{ said += text; }});
      child.on("error", reject);
      child.stdin.on("error", () => {{}});
      child.on("close", (code) => {{
        if (code !== 0) return reject(new Error(said.trim() || `the bridge ended with code ${{code}}`));
        try {{ resolve(JSON.parse(out)); }} catch (error) {{ reject(error); }}
      }});
      child.stdin.end(JSON.stringify(input ?? {{}}));
    }});
  }},
}};

export default tool;
"#
    )
}
