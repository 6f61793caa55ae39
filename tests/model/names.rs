//! Names that are taken for each other, in every format.

use toolglot::FormatName::{
    self, Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};
use toolglot::json::{Document, rules};
use toolglot::testkit::{Rng, Tree, member};
use toolglot::{Limits, Profile, ValidateOptions};

/// Where the name of a tool stands.
fn place(format: FormatName) -> &'static str {
    match format {
        ToolsJson | Mcpb | ToolList => "/tools/0/name",
        Mcpkg => "/toolId",
        Jumith | Capability => "/id",
        InstallManifest => "/tool/id",
        ServerJson => {
            "/_meta/io.modelcontextprotocol.registry~1publisher-provided/invalid.toolglot~1tools/0/name"
        }
        other => panic!("{other} is a new format"),
    }
}

/// A document with these tools.
fn document(format: FormatName, names: &[&str]) -> String {
    // What breaks a rule of the text at its end is clean before.
    let text = (format.testkit().unwrap().defect)(&mut Rng::new(1), &rules::TRAILING).unwrap();
    let end = (0..=text.len()).rev().find_map(|end| Tree::parse(text.get(..end)?)).unwrap();
    let mut tools = Vec::new();
    for name in names {
        let mut tree = end.clone();
        *tree.at_mut(place(format)).unwrap() = Tree::from(*name);
        tools.push(if format == ToolsJson {
            tree.at_mut("/tools/0").unwrap().clone()
        } else {
            tree
        });
    }
    // A document of the others is one tool.
    if !matches!(format, ToolsJson | Capability) {
        return tools.pop().unwrap().render();
    }
    let list = Tree::from(tools);
    match format {
        ToolsJson => Tree::from(vec![member("tools", list)]).render(),
        Capability => {
            let version = member("catalog_version", "catalog.v1");
            Tree::from(vec![version, member("capabilities", list)]).render()
        }
        _ => unreachable!(),
    }
}

/// What is said about tools of these names, apart from what each says about itself.
fn codes(format: FormatName, names: &[&str], profile: Profile) -> Vec<&'static str> {
    let text = document(format, names);
    let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
    let report = format
        .format()
        .unwrap()
        .validate(&document, &ValidateOptions { profile, ..ValidateOptions::default() });
    let mut codes: Vec<_> = report.diagnostics.iter().map(|found| found.rule.code).collect();
    codes.retain(|code| !["tools-json/function-name", "jumith/id-form"].contains(code));
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// N01: a letter of another alphabet, where ids may have them; elsewhere it is refused.
#[test]
fn letters_of_other_alphabets() {
    let names = ["gmail-yep", "gm\u{430}il-yep"];
    for format in [ToolsJson, Capability] {
        let found = codes(format, &names, Profile::Spec);
        assert_eq!(found, ["names/confusable", "names/mixed-script"], "{format}");
        assert_eq!(codes(format, &names, Profile::Reference), [""; 0], "{format}");
        // A whole word of one alphabet mixes nothing.
        let whole = codes(format, &["\u{441}\u{430}\u{445}\u{435}", "caxe"], Profile::Spec);
        assert_eq!(whole, ["names/confusable"], "{format}");
        assert_eq!(codes(format, &["caf\u{e9}", "データ取得"], Profile::Spec), [""; 0]);
    }
    assert_eq!(
        codes(InstallManifest, &names, Profile::Spec),
        ["install-manifest/pattern", "names/mixed-script"]
    );
    let names = ["acme.gmail.yep", "acme.gm\u{430}il.yep"];
    assert_eq!(codes(Mcpkg, &names, Profile::Spec), ["mcpkg/tool-id", "names/mixed-script"]);
}

/// N02: case, separators, and what looks the same in ASCII.
#[test]
fn case_and_separators() {
    let similar =
        ["Email.Send", "email_send", "email-send", "EMAIL send", "emailsend", "EMAI1.send"];
    for (rule, others) in [
        ("names/similar", &similar[..]),
        ("names/confusable", &["emai1.send", "ernail.send", "ernai1.send"]),
    ] {
        for other in others {
            for format in [ToolsJson, Capability] {
                let found = codes(format, &["email.send", other], Profile::Spec);
                assert_eq!(found, [rule], "{format} {other}");
            }
        }
    }
    for other in ["email.sent", "mail.send", "email.send2", "email.receive"] {
        assert_eq!(codes(Capability, &["email.send", other], Profile::Spec), [""; 0], "{other}");
    }
}

/// N03: names that hosts have for tools of their own.
#[test]
fn tools_of_the_host() {
    for name in ["read_file", "bash", "computer", "web_search", "Web-Search"] {
        for format in [ToolsJson, Jumith, Capability] {
            assert_eq!(codes(format, &[name], Profile::Spec), ["names/shadow"], "{format} {name}");
        }
    }
    assert_eq!(codes(ToolsJson, &["acme_read_file"], Profile::Strict), [""; 0]);
}

/// W04, W05: what does not show has no place in an id.
#[test]
fn hidden_characters() {
    let refused = [
        "tools-json/control-character",
        "mcpkg/tool-id",
        "jumith/id",
        "capability/control-character",
        "install-manifest/pattern",
    ];
    for c in "\u{202e}\u{2066}\u{61c}\u{200e}\u{200b}\u{2060}\u{feff}\u{180e}\u{ad}\u{115f}\u{3164}\u{2800}\u{fff9}\u{1b}\u{9b}\u{7f}".chars() {
        for (format, rule) in refused.iter().enumerate() {
            let format = FormatName::ALL[format];
            let found = codes(format, &[&format!("ab{c}cd")], Profile::Spec);
            assert!(found.contains(rule), "{format} {c:?}: {found:?}");
        }
    }
}

/// N05, N06: grammars of ids, and what the reference says of names.
#[test]
fn grammars() {
    let long = "a".repeat(300);
    for id in ["stripe..x", ".x", "x.", "STRIPE.x", &long, "stripe.payments.create charge"] {
        assert!(codes(Mcpkg, &[id], Profile::Spec).contains(&"mcpkg/tool-id"), "{id}");
    }
    assert_eq!(codes(Mcpkg, &["stripe.charge"], Profile::Spec), ["mcpkg/tool-id-segments"]);
    let message = |names: &[&str]| {
        let text = document(ToolsJson, names);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let options = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
        let report = ToolsJson.format().unwrap().validate(&document, &options);
        report.diagnostics.first().map(|found| found.message.clone())
    };
    assert_eq!(message(&["a", "a"]).unwrap(), "tool[1] \"a\": duplicate name");
    assert_eq!(message(&[""]).unwrap(), "tool[0]: name is required");
    assert_eq!(message(&[" x", "x"]), None);
    for name in [" x", &"x".repeat(65)] {
        let text = document(ToolsJson, &[name]);
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        let report = ToolsJson.format().unwrap().validate(&document, &ValidateOptions::default());
        let codes: Vec<_> = report.diagnostics.iter().map(|found| found.rule.code).collect();
        assert_eq!(codes, ["tools-json/function-name"], "{name}");
    }
}

/// Many names that look the same cost no more than many.
///
/// Row C11 of the catalogue of attacks.
#[test]
fn a_flood() {
    let list: Vec<String> =
        (0..100_000).map(|i| format!("{{\"id\":\"a{}b\"}}", ".".repeat(i % 7))).collect();
    let text =
        format!("{{\"catalog_version\":\"catalog.v1\",\"capabilities\":[{}]}}", list.join(","));
    let document =
        Document::parse(text.as_bytes(), &Limits { nodes: 1 << 20, ..Limits::for_catalog() })
            .unwrap();
    let report = capability::FORMAT.validate(&document, &ValidateOptions::default());
    assert!(!report.is_valid());
}
