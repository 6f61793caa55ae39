//! Every rule explains itself. That each can be broken is seen in `testkit.rs`.

use std::collections::BTreeSet;
use toolglot_tests::root;

#[test]
fn every_rule_has_a_code_and_an_explanation() {
    let mut codes = BTreeSet::new();
    for rule in toolglot::rules() {
        let (area, name) = rule.code.split_once('/').expect("area/name");
        let plain = |text: &str| {
            text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        assert!(plain(area) && plain(name), "{}", rule.code);
        assert!(codes.insert(rule.code), "{} is there twice", rule.code);
        assert!(!rule.summary.is_empty() && !rule.explanation.is_empty(), "{}", rule.code);
        assert!(!rule.summary.ends_with('.') && rule.explanation.ends_with('.'), "{}", rule.code);
    }
    assert!(codes.len() > 60);
}

#[test]
fn the_rules_page_is_up_to_date() {
    let path = root().join("docs/rules.md");
    let mut page = String::from(
        "# Rules\n\nEvery rule that a document can break. `toolglot explain CODE` prints the same.\n",
    );
    for rule in toolglot::rules() {
        let severity = format!("{:?}", rule.severity).to_lowercase();
        let depth = format!("{:?}", rule.depth).to_lowercase();
        let explanation = rule.explanation;
        let section = format!(
            "\n## {}\n\n{severity} · {depth}\n\n**{}.** {explanation}\n",
            rule.code, rule.summary
        );
        page.push_str(&section);
    }
    if std::env::var_os("TOOLGLOT_BLESS").is_some() {
        std::fs::write(&path, &page).expect("docs/rules.md is written");
    }
    let written = std::fs::read_to_string(path).expect("docs/rules.md is there");
    assert!(
        written == page,
        "run TOOLGLOT_BLESS=1 cargo test --test project rules, and read the diff"
    );
}
