//! A format is small.

#![allow(clippy::unwrap_used)]

/// Lines of code, besides the table: no blank lines, and no comments.
#[test]
fn a_format_takes_less_than_200_lines_besides_its_table() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut lines = 0;
    for file in folder.read_dir().unwrap().map(|file| file.unwrap().path()) {
        let name = file.file_name().unwrap().to_owned();
        // What tests it is no part of it, nor is the program.
        if !["table.rs", "testkit.rs", "main.rs"].contains(&name.to_str().unwrap()) {
            let text = std::fs::read_to_string(file).unwrap();
            let code = text.lines().map(str::trim);
            lines += code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
        }
    }
    assert!(lines < 200, "{lines} lines");
}
