//! What a host gives a tool, and what it asks of a module.

use jumith::contract::{Export, ModuleTool, check_module};
use jumith::secrets::{Naming, collisions, environment, key, missing};
use jumith::{EntryPoint, Manifest};
use manifest_core::Profile;

#[test]
fn keys() {
    assert_eq!(
        key("order_pizza", "dominos_password", Naming::Plain),
        "order_pizza-dominos_password"
    );
    assert_eq!(
        key("order_pizza", "payment.card_number", Naming::Plain),
        "order_pizza-payment.card_number"
    );
    assert_eq!(
        key("order_pizza", "payment.card_number", Naming::Shared),
        "shared-payment.card_number"
    );
}

/// Row B15 of the catalogue of attacks.
#[test]
fn secrets_that_are_one_by_accident() {
    let found = collisions([("a-b", ["c"]), ("a", ["b-c"]), ("x", ["c"])], Naming::Plain);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.code, "jumith/secret-collision");
    let shared = [("a", ["pay.card"]), ("b", ["pay.card"])];
    assert!(collisions(shared, Naming::Shared).is_empty(), "meant to be shared");
    let tool = [("shared", ["pay.card"]), ("b", ["pay.card"])];
    assert!(collisions(tool, Naming::Shared).is_empty());
    let stolen = [("shared", ["x"]), ("shared-x", ["y"]), ("shared", ["x-y"])];
    assert_eq!(collisions(stolen, Naming::Plain).len(), 1);
}

#[test]
fn a_tool_gets_its_own_secrets_and_no_others() {
    let stored = |key: &str| match key {
        "t-a" => Some("  one\n".to_owned()),
        "t-blank" => Some("  ".to_owned()),
        _ => Some("other".to_owned()).filter(|_| key == "u-b"),
    };
    let env = environment("t", ["a", "a"], Naming::Plain, stored).unwrap();
    assert_eq!(env.iter().collect::<Vec<_>>(), [("t-a", "one")]);
    assert!(!format!("{env:?}").contains("one"), "values are not printed");
    let prompts = environment("t", ["a", "b", "blank", "b"], Naming::Plain, stored).unwrap_err();
    let keys: Vec<_> = prompts.iter().map(|prompt| prompt.key.as_str()).collect();
    assert_eq!(keys, ["t-b", "t-blank"]);
    let odd = missing("\u{1b}[2J", ["x"], Naming::Plain, |_| false);
    assert!(!odd[0].message.contains('\u{1b}'));
}

fn manifest(export: Option<&'static str>) -> Manifest<'static> {
    Manifest {
        name: "t".into(),
        required_secrets: vec!["a".into()],
        entry: EntryPoint { export: export.map(Into::into), ..EntryPoint::default() },
        ..Manifest::default()
    }
}

fn export(name: &'static str) -> Export<'static> {
    Export {
        export: name,
        name: Some("t"),
        description: Some("does"),
        has_execute: true,
        ..Export::default()
    }
}

fn verdict(
    wanted: Option<&'static str>,
    exports: &[Export<'_>],
    profile: Profile,
) -> Result<ModuleTool, Vec<&'static str>> {
    check_module(&manifest(wanted), exports, profile)
        .map_err(|report| report.errors().map(|error| error.rule.code).collect())
}

#[test]
fn the_export_that_is_the_tool() {
    let exports = [export("default"), export("tool"), export("other")];
    let found = |wanted, exports: &[Export<'_>], profile| {
        verdict(wanted, exports, profile).map(|agreed| agreed.export)
    };
    assert_eq!(found(None, &exports, Profile::Spec).unwrap(), "tool");
    assert_eq!(found(None, &exports[..1], Profile::Spec).unwrap(), "default");
    assert_eq!(found(Some("other"), &exports, Profile::Spec).unwrap(), "other");
    assert_eq!(found(Some("none"), &exports, Profile::Spec), Err(vec!["jumith/export-missing"]));
    assert_eq!(found(Some("none"), &exports, Profile::Reference).unwrap(), "tool");
    assert_eq!(found(None, &[], Profile::Reference), Err(vec!["jumith/export-missing"]));
}

#[test]
fn the_contract() {
    let nothing = Export { export: "tool", ..Export::default() };
    let contract = "jumith/tool-contract";
    assert_eq!(verdict(None, &[nothing], Profile::Spec).unwrap_err(), [contract; 3]);
    let blank = Export { name: Some(" "), ..export("tool") };
    assert_eq!(
        verdict(None, std::slice::from_ref(&blank), Profile::Strict).unwrap_err()[0],
        contract
    );
    assert!(verdict(None, &[blank], Profile::Reference).is_ok());
    let greedy = Export { required_secrets: vec!["a", "b"], ..export("tool") };
    let refused = verdict(None, std::slice::from_ref(&greedy), Profile::Spec).unwrap_err();
    assert_eq!(refused, ["jumith/undeclared-secret"]);
    let taken = verdict(None, &[greedy], Profile::Reference).unwrap();
    assert_eq!(taken.secrets, ["a", "b"], "the published client believes the module");
    let renamed = Export { name: Some("u"), ..export("tool") };
    let agreed = verdict(None, &[renamed], Profile::Spec).unwrap();
    assert_eq!(agreed.name, "u");
    assert_eq!(agreed.report.diagnostics[0].rule.code, "jumith/tool-name");
}

/// One that asks for approval is enough, and silence asks for it too.
#[test]
fn approval_is_never_lost() {
    let cases = [
        (None, None, true),
        (Some(true), None, true),
        (None, Some(true), true),
        (Some(false), Some(true), true),
        (Some(true), Some(false), true),
        (Some(false), None, false),
        (None, Some(false), false),
        (Some(false), Some(false), false),
    ];
    for (module, manifest, expected) in cases {
        let export = Export { requires_approval: module, ..export("tool") };
        let manifest = Manifest { requires_approval: manifest, ..self::manifest(None) };
        let agreed = check_module(&manifest, &[export], Profile::Spec).unwrap();
        assert_eq!(agreed.requires_approval, expected, "{module:?} {manifest:?}");
        let differs =
            module.is_some() && manifest.requires_approval.is_some_and(|m| Some(m) != module);
        let codes: Vec<_> = agreed.report.diagnostics.iter().map(|found| found.rule.code).collect();
        let expected: &[&str] = if differs { &["jumith/undeclared-approval"] } else { &[] };
        assert_eq!(codes, expected, "{module:?} {manifest:?}");
    }
}
