//! What a converted manifest needs beside it, so that its bridge runs.

use std::path::Path;

use host::disk::{Access, Folder};
use toolglot::core::sha256_hex;
use toolglot::json::{Document, Node, quote};
use toolglot::{Conversion, Format, Runs};

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

/// Writes the source that the bridge reads and what starts the bridge, and tells their names.
/// A source that holds a secret is not copied.
pub(crate) fn write(
    folder: &Path,
    source: &Document<'_>,
    conversion: &Conversion,
    to: &Format,
    terminal: &Terminal,
) -> Result<Vec<String>, Failure> {
    let bridged: Vec<_> =
        conversion.tools.iter().filter(|tool| tool.runs == Runs::ThroughTheBridge).collect();
    if bridged.is_empty() {
        return Ok(Vec::new());
    }
    if holds_secret(source) {
        terminal
            .say("warning: the source holds a secret and is not copied: its bridge does not run\n");
        return Ok(Vec::new());
    }
    let trouble = |error: std::io::Error| {
        terminal.trouble(&format!("cannot write to {}: {error}", shown(folder)))
    };
    let opened = Folder::open(folder, Access::Shared).map_err(trouble)?;
    let mut written = Vec::new();
    let digest = sha256_hex(source.text().as_bytes());
    let name = format!(".toolglot/sources/{digest}.json");
    opened.write(&name, source.text().as_bytes()).map_err(trouble)?;
    written.push(name);
    match to.name {
        "tools-json" => {
            let name = "tools/bin/toolglot-bridge";
            opened.write_program(name, LAUNCHER.as_bytes()).map_err(trouble)?;
            written.push(name.to_owned());
        }
        "jumith" => {
            for tool in bridged {
                let Some(document) = conversion.documents.get(tool.document) else { continue };
                let document = document.open();
                let main = document.root().get("entry").and_then(|entry| entry.get("main"));
                let Some(main) = main.and_then(Node::text) else { continue };
                let module = module(&digest, &tool.id);
                opened.write(main.as_ref(), module.as_bytes()).map_err(trouble)?;
                written.push(main.into_owned());
            }
        }
        _ => {}
    }
    Ok(written)
}

/// The module of a bundle that starts the bridge. It stands two folders below the bundle's own.
fn module(digest: &str, tool: &str) -> String {
    let (source, tool) = (quote(&format!("sha256:{digest}")), quote(tool));
    format!(
        r#"// Makes the call of the source that a converted tool stands for.
import {{ spawn }} from "node:child_process";
import {{ fileURLToPath }} from "node:url";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const line = ["bridge", "--for", "jumith", "--source", {source}, "--tool", {tool}, "--folder", folder];

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
