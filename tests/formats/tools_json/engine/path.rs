//! Where programs are, and that nothing leads elsewhere.

use manifest_core::path::PathStyle;
use proptest::prelude::*;
use tools_json::{Location, ResolveError, Tool};

use super::restated;
use super::{POSIX, WINDOWS, tool};

/// Paths made of what is awkward in paths.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "/",
        "\\",
        "//",
        ".",
        "..",
        "./",
        "../",
        "...",
        "tools",
        "tools/bin",
        "bin",
        "x",
        "C:",
        "C:\\",
        "\\\\host\\share",
        "\\\\?\\",
        "nul",
        "con.txt",
        "x.",
        "x ",
        " ",
        ":",
        "\0",
        "\n",
        "é",
        "~",
        "./tools/bin/",
        ".\\tools\\bin\\",
        "tools/bin/",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn resolve(program: &str, location: &Location<'_>) -> Result<String, String> {
    let tool = tool(program);
    let argv = tool.resolve(location).map_err(|refused| refused.to_string())?;
    Ok(argv[0].clone().into_owned())
}

proptest! {
    #![proptest_config(toolglot_tests::random(4096))]

    #[test]
    fn clean_is_go_s(path in awkward()) {
        prop_assert_eq!(manifest_core::path::clean(&path), restated::clean(&path));
    }

    #[test]
    fn a_posix_host_resolves_as_the_reference_does(program in awkward()) {
        let ours = resolve(&program, &POSIX);
        if program.contains('\0') {
            prop_assert!(ours.is_err());
            return Ok(());
        }
        match restated::program(&program, POSIX.directory) {
            Ok(path) => prop_assert_eq!(ours, Ok(path)),
            Err(words) => prop_assert!(ours.unwrap_err().starts_with(words)),
        }
    }

    #[test]
    fn nothing_leaves_the_folder_of_programs(program in awkward()) {
        for location in [POSIX, WINDOWS] {
            let location = Location { allow_absolute: false, ..location };
            let Ok(path) = resolve(&program, &location) else { continue };
            let separator = if location.path_style == PathStyle::Posix { '/' } else { '\\' };
            let folder = format!("{0}{1}tools{1}bin{1}", location.directory, separator);
            let below = path.strip_prefix(&folder).expect("a program in the folder");
            prop_assert!(!below.contains('\0'));
            for segment in below.split(separator) {
                prop_assert!(!matches!(segment, "" | "." | ".."), "{path:?}");
                if location.path_style == PathStyle::Windows {
                    prop_assert!(!segment.contains(['/', ':']), "{path:?}");
                    prop_assert!(!segment.ends_with(['.', ' ']), "{path:?}");
                    prop_assert!(!segment.eq_ignore_ascii_case("nul"), "{path:?}");
                }
            }
        }
    }
}

#[test]
fn a_directory_is_cleaned_and_must_be_absolute() {
    let posix = |directory| resolve("./tools/bin/x", &Location { directory, ..POSIX });
    assert_eq!(posix("/").unwrap(), "/tools/bin/x");
    assert_eq!(posix("/a//b/../c/").unwrap(), "/a/c/tools/bin/x");
    for relative in ["", ".", "a", "../a", r"C:\a"] {
        assert!(posix(relative).unwrap_err().contains("is not absolute"), "{relative}");
    }

    let windows = |directory| resolve("./tools/bin/x", &Location { directory, ..WINDOWS });
    for (directory, expected) in [
        (r"C:\", r"C:\tools\bin\x"),
        (r"C:\a\..\b\", r"C:\b\tools\bin\x"),
        (r"C:/a/..\..\b", r"C:\b\tools\bin\x"),
        (r"\\host\share", r"\\host\share\tools\bin\x"),
        (r"\\host\share\..\..\a", r"\\host\share\a\tools\bin\x"),
        (r"\\?\C:\a", r"\\?\C:\a\tools\bin\x"),
        (r"\\?\UNC\host\share\a", r"\\?\UNC\host\share\a\tools\bin\x"),
    ] {
        assert_eq!(windows(directory).as_deref(), Ok(expected), "{directory}");
    }
    for relative in ["", "a", r"C:a", r"\a", "/a"] {
        assert!(windows(relative).unwrap_err().contains("is not absolute"), "{relative}");
    }
}

#[test]
fn what_is_absolute_depends_on_the_flavour() {
    for program in [r"C:\x.exe", "C:/x.exe", r"\\host\share\x.exe"] {
        assert_eq!(resolve(program, &WINDOWS).as_deref(), Ok(program));
        assert!(resolve(program, &POSIX).is_err(), "{program}");
    }
    for program in ["/bin/x", "/usr//bin/../bin/env"] {
        assert_eq!(resolve(program, &POSIX).as_deref(), Ok(program));
        assert!(resolve(program, &WINDOWS).is_err(), "{program}");
    }
    for (program, location) in [("/bin/x", POSIX), (r"C:\x.exe", WINDOWS)] {
        let strict = Location { allow_absolute: false, ..location };
        let tool = tool(program);
        assert_eq!(tool.resolve(&strict), Err(ResolveError::Absolute));
    }
}

#[test]
fn names_that_windows_would_take_for_others_are_refused_there() {
    for name in ["nul", "COM1.txt", "x.", "x ", "x:stream", "a|b", "sub/aux"] {
        let program = format!("./tools/bin/{name}");
        let tool = tool(&program);
        let refused = tool.resolve(&WINDOWS).unwrap_err();
        assert!(matches!(refused, ResolveError::Windows(_)), "{name}");
        assert!(tool.resolve(&POSIX).is_ok(), "{name}");
    }
}

#[test]
fn arguments_stay_as_they_are() {
    let tool = Tool {
        command: ["/x", "", "-a", "../..", "a b"].map(Into::into).into(),
        ..Tool::default()
    };
    assert_eq!(tool.resolve(&POSIX).unwrap(), ["/x", "", "-a", "../..", "a b"]);
    assert_eq!(Tool::default().resolve(&POSIX), Err(ResolveError::Empty));
    let nul = Tool { command: vec!["/x".into(), "a\0b".into()], ..Tool::default() };
    assert_eq!(nul.resolve(&POSIX), Err(ResolveError::Nul { index: 1 }));
}

/// Row L08 of the catalogue of attacks.
#[test]
fn refusals_stay_short_and_printable() {
    let mut refusals = 0;
    for c in ["\\", "\u{1b}", "\u{202e}", "é", "\u{10ffff}"] {
        let text = c.repeat(100_000);
        for program in
            [text.clone(), format!("./tools/bin/../{text}"), format!("./tools/bin/{text}\0")]
        {
            for location in [POSIX, WINDOWS] {
                let Err(refused) = tool(&program).resolve(&location) else {
                    continue;
                };
                refusals += 1;
                for shown in [format!("{refused}"), format!("{refused:?}")] {
                    assert!(shown.len() <= 4096, "{} bytes", shown.len());
                    assert!(!shown.contains(char::is_control), "{shown}");
                }
            }
        }
    }
    assert!(refusals >= 20, "{refusals}");
}
