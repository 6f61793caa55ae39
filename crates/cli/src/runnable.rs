//! What a converted manifest needs beside it, so that its bridge runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use host::disk::{Access, Folder};
use host::sources::Kept;
use toolglot::convert::ToolOutcome;
use toolglot::core::{printable, sha256_hex};
use toolglot::json::{Document, Node, quote};
use toolglot::{Conversion, Format, Limits, Options, Runs, ToolDescriptor};

use crate::input::shown;
use crate::residues::holds_secret;
use crate::terminal::{Failure, Terminal};

/// The launcher of a format whose programs are below a folder of their own. It finds the folder
/// of the manifest from its own path.
const LAUNCHER: &str = "\
#!/bin/sh
# Makes the call of the source that a converted tool stands for.
exec toolglot bridge --folder \"$(dirname \"$0\")/../..\" \"$@\"
";

/// What a conversion leaves to the bridge.
pub(crate) struct Bridged<'c> {
    pub(crate) conversion: &'c Conversion,
    pub(crate) source: &'c Document<'c>,
    pub(crate) from: &'static Format,
    pub(crate) to: &'static Format,
    /// The folder of the source, if it was read from one.
    pub(crate) folder: Option<PathBuf>,
}

impl Bridged<'_> {
    /// The tools that call the bridge.
    fn tools(&self) -> impl Iterator<Item = &ToolOutcome> {
        self.conversion.tools.iter().filter(|tool| tool.runs == Runs::ThroughTheBridge)
    }

    /// Writes the source that the bridge reads, the files that it names and what starts the
    /// bridge, to a folder or to the user's store or to both, and tells their names.
    ///
    /// A source that holds a secret is not copied.
    pub(crate) fn write(
        &self,
        folder: Option<&Path>,
        to_store: bool,
        options: &Options,
        terminal: &Terminal,
    ) -> Result<Vec<String>, Failure> {
        let Self { source, to, .. } = self;
        let limits = &options.limits;
        if self.tools().next().is_none() || folder.is_none() && !to_store {
            return Ok(Vec::new());
        }
        if holds_secret(source) {
            terminal.say(
                "warning: the source holds a secret and is not copied: its bridge does not run\n",
            );
            return Ok(Vec::new());
        }
        let mut written = Vec::new();
        if to_store {
            let stored = self.kept(self.files(limits), terminal).write_to_store();
            let stored = stored.map_err(|error| terminal.trouble(&format!("no store: {error}")))?;
            written.push(shown(&stored));
        }
        let Some(folder) = folder else { return Ok(written) };
        let trouble = |error: std::io::Error| {
            terminal.trouble(&format!("cannot write to {}: {error}", shown(folder)))
        };
        let opened = Folder::open(folder, Access::Shared).map_err(trouble)?;
        // What is in the folder of the source already is found there.
        let in_place = self.folder().is_some_and(|own| is_same(own, folder));
        let files = if in_place { Vec::new() } else { self.files(limits) };
        let kept = self.kept(files, terminal);
        written.extend(kept.write_beside(&opened).map_err(trouble)?);
        match to.name {
            "tools-json" => {
                let name = "tools/bin/toolglot-bridge";
                opened.write_program(name, LAUNCHER.as_bytes()).map_err(trouble)?;
                written.push(name.to_owned());
            }
            "jumith" => written.extend(self.modules(&opened, options).map_err(trouble)?),
            _ => {}
        }
        Ok(written)
    }

    /// The source with files that it names. What cannot be copied is told.
    fn kept(&self, files: Vec<String>, terminal: &Terminal) -> Kept<'_> {
        let kept = Kept::new(self.source.text(), files, self.folder());
        for (name, why) in &kept.left_out {
            let name = printable(name, 128);
            let warning = format!("warning: {name} {why}: without it, the bridge may not run\n");
            terminal.say(&warning);
        }
        kept
    }

    fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The files that calls of the source name.
    fn files(&self, limits: &Limits) -> Vec<String> {
        let bridged: BTreeSet<&str> = self.tools().map(|tool| tool.id.as_str()).collect();
        let lifted = self.from.lift(self.source, limits);
        let tools = lifted.map(|lifted| lifted.tools).unwrap_or_default();
        let tools = tools.iter().filter(|tool| bridged.contains(tool.id.as_ref() as &str));
        let files: BTreeSet<String> = tools.flat_map(ToolDescriptor::files).collect();
        files.into_iter().collect()
    }

    /// Writes the modules that bundles name.
    fn modules(&self, folder: &Folder, options: &Options) -> std::io::Result<Vec<String>> {
        let digest = sha256_hex(self.source.text().as_bytes());
        let lifted = self.from.lift(self.source, &options.limits);
        let tools = lifted.map(|lifted| lifted.tools).unwrap_or_default();
        let mut written = Vec::new();
        for tool in self.tools() {
            let Some(document) = self.conversion.documents.get(tool.document) else { continue };
            let document = document.open();
            let main = document.root().get("entry").and_then(|entry| entry.get("main"));
            let Some(main) = main.and_then(Node::text) else { continue };
            let source = tools.iter().find(|one| *one.id.value == tool.id);
            let accepted = source.map(|one| self.to.accepted(one)).unwrap_or_default();
            let accepted = accepted.iter().map(|accept| ["--accept", accept.word()]);
            let allowed = options.defaults.private.then_some(["--allow", "private"]);
            let more: Vec<&str> = accepted.chain(allowed).flatten().collect();
            folder.write(main.as_ref(), module(&digest, &tool.id, &more).as_bytes())?;
            written.push(main.into_owned());
        }
        Ok(written)
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The module of a bundle that starts the bridge. It stands two folders below the bundle's own.
fn module(digest: &str, tool: &str, more: &[&str]) -> String {
    let (source, tool) = (quote(&format!("sha256:{digest}")), quote(tool));
    let more: Vec<String> = more.iter().map(|word| format!(", {}", quote(word))).collect();
    let more = more.concat();
    format!(
        r#"// Makes the call of the source that a converted tool stands for.
import {{ spawn }} from "node:child_process";
import {{ fileURLToPath }} from "node:url";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const line = ["bridge", "--for", "jumith", "--source", {source}, "--tool", {tool}{more}, "--folder", folder];

export const tool = {{
  execute(input, context = {{}}) {{
    return new Promise((resolve, reject) => {{
      const env = {{ ...process.env, ...context.env }};
      const child = spawn("toolglot", line, {{ env, stdio: ["pipe", "pipe", "pipe"] }});
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
