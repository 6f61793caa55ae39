//! Converts a `tools.json` of any size to MCPKG manifests, one on each line, from
//! standard input to standard output.
//!
//! ```sh
//! cargo run -p toolglot-examples --example stream < examples/manifests/get_time.tools.json
//! ```

use std::io::{Read, Write};

use toolglot::json::compact;
use toolglot::stream::{Item, Names, SplitOptions, Splitter, StreamError};
use toolglot::{Options, mcpkg, tools_json};

fn main() -> std::io::Result<()> {
    let mut splitter =
        Splitter::new(SplitOptions { members: vec!["tools"], ..SplitOptions::default() });
    let mut names = Names::default();
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut block = vec![0; 64 << 10];
    loop {
        let count = input.read(&mut block)?;
        splitter.push(block.get(..count).unwrap_or_default());
        if count == 0 {
            splitter.finish();
        }
        while let Some(entry) = splitter.next() {
            match convert(entry, &mut names) {
                Ok(line) => writeln!(output, "{line}")?,
                // The rest goes on.
                Err(problem) => eprintln!("{problem}"),
            }
        }
        if count == 0 {
            return Ok(());
        }
    }
}

fn convert(entry: Result<Item<'_>, StreamError>, names: &mut Names) -> Result<String, String> {
    let item = entry.map_err(|broken| broken.to_string())?;
    let converted = item.convert(&tools_json::FORMAT, &mcpkg::FORMAT, &Options::default(), names);
    let conversion = converted.map_err(|report| {
        let problems = report.diagnostics.iter().map(|found| {
            let place = item.position(found.span.map_or(0, |span| span.start));
            format!("{}:{}: {found}", place.line, place.column)
        });
        problems.collect::<Vec<_>>().join("\n")
    })?;
    // An entry of this list is one tool, and one document.
    let documents = conversion.documents.iter().map(|document| compact(document.open().root()));
    Ok(documents.collect::<Vec<_>>().join("\n"))
}
