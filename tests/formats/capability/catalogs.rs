//! Catalogs and layers: what the reference answered, and the laws.

use capability::{Catalog, CatalogEntry, CatalogShape, Layer, Layers, ReadCatalog, Removal, merge};
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};
use serde_json::Value;
use testkit::Rng;

fn reference() -> ReadCatalog {
    let validate = ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() };
    ReadCatalog { fail_all: true, validate, ..ReadCatalog::default() }
}

fn read(text: &str, options: &ReadCatalog) -> Result<Catalog, String> {
    let document =
        Document::parse(text.as_bytes(), &Limits::for_catalog()).map_err(|d| d.to_string())?;
    let read = Catalog::read(&document, options);
    read.map(|(catalog, _)| catalog).map_err(|report| format!("{report:?}"))
}

#[test]
fn merges_as_the_reference_does() {
    let lines = include_str!("../../fixtures/capability/capability.catalog-merge.jsonl").lines();
    let cases: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let name = &case["name"];
        let load = |layer: &str| match &case[layer] {
            Value::Null => Ok(Catalog::default()),
            Value::String(text) => read(text, &reference()),
            value => read(&value.to_string(), &reference()),
        };
        let merged = load("base").and_then(|base| Ok(merge(&base, &load("local")?)));
        assert_eq!(merged.is_err(), case.get("error").is_some(), "{name}: {merged:?}");
        let Ok(merged) = merged else {
            continue;
        };
        let expected = case["merged"].as_array().unwrap();
        assert_eq!(merged.entries().len(), expected.len(), "{name}");
        for (entry, expected) in merged.entries().iter().zip(expected) {
            let manifest = entry.manifest();
            assert_eq!(expected["id"], *manifest.id, "{name}");
            assert_eq!(expected["description"], *manifest.description, "{name}");
            assert_eq!(expected["version"], *manifest.version, "{name}");
            assert_eq!(expected["enabled"].as_bool(), manifest.enabled, "{name}");
        }
    }
}

#[test]
fn canonical_json_is_what_python_writes() {
    let lines = include_str!("../../fixtures/capability/canonical.jsonl").lines();
    let mut count = 0;
    for line in lines {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(case["canonical"], capability::canonical_json(document.root()), "{text}");
        count += 1;
    }
    assert!(count > 100);
}

fn entry(rng: &mut Rng, id: usize) -> CatalogEntry {
    let text = capability::testkit::manifest(rng, id, 1).render();
    CatalogEntry::parse(&text, &ValidateOptions::default()).unwrap()
}

/// A catalog in which ids meet those of others.
fn catalog(rng: &mut Rng) -> Catalog {
    let count = rng.below(6);
    (0..count)
        .map(|_| {
            let id = rng.below(4);
            entry(rng, id)
        })
        .collect()
}

const SEEDS: u64 = 300;

/// Rows C02 and C10 of the catalogue of attacks.
#[test]
fn merging_is_associative_and_the_upper_layer_wins() {
    for seed in 0..SEEDS {
        let rng = &mut Rng::new(seed);
        let (a, b, c) = (catalog(rng), catalog(rng), catalog(rng));
        assert_eq!(merge(&a, &merge(&b, &c)), merge(&merge(&a, &b), &c), "seed {seed}");
        assert_eq!(merge(&a, &Catalog::default()), a);
        assert_eq!(merge(&Catalog::default(), &a), a);
        assert_eq!(merge(&a, &a), a);
        let merged = merge(&a, &b);
        for over in b.entries() {
            assert_eq!(merged.get(over.id()), Some(over), "whole entries, seed {seed}");
        }
        // What was there keeps its place.
        let order = |catalog: &Catalog| {
            catalog.entries().iter().map(|e| e.id().to_owned()).collect::<Vec<_>>()
        };
        assert!(order(&merged).starts_with(&order(&a)));
    }
}

#[test]
fn an_edit_to_the_view_is_an_edit_to_local() {
    for seed in 0..SEEDS {
        let rng = &mut Rng::new(seed);
        let layers = Layers::new(catalog(rng), catalog(rng));
        let view: Vec<CatalogEntry> = layers.view().map(|shown| shown.entry.clone()).collect();
        assert_eq!(layers.to_catalog().entries(), view);

        // Putting back what one got changes nothing.
        let mut same = layers.clone();
        same.set_view(view.clone());
        assert_eq!(same, layers, "seed {seed}");

        // An edit shows, and is all that changes; the base is never touched.
        let mut edited = layers.clone();
        let id = rng.below(5);
        let new = entry(rng, id);
        edited.set(new.clone());
        assert_eq!(edited.base(), layers.base());
        assert_eq!(edited.get(new.id()).unwrap().entry, &new);
        for shown in layers.view().filter(|shown| shown.entry.id() != new.id()) {
            assert_eq!(edited.get(shown.entry.id()).unwrap().entry, shown.entry);
        }
        // Two edits of one entry are the last one.
        let mut twice = layers.clone();
        twice.set(entry(rng, id));
        twice.set(new.clone());
        assert_eq!(twice.get(new.id()).unwrap().entry, &new);

        // What is not in a new view is gone, or switched off when it was shipped.
        let mut fewer = layers.clone();
        let keep = view.iter().skip(1).cloned().collect::<Vec<_>>();
        fewer.set_view(keep.clone());
        if let Some(first) = view.first() {
            let after = fewer.get(first.id());
            assert_eq!(after.is_some(), layers.base().get(first.id()).is_some(), "seed {seed}");
            assert!(after.is_none_or(|shown| !shown.entry.manifest().is_enabled()));
        }
        for kept in keep {
            assert_eq!(fewer.get(kept.id()).unwrap().entry, &kept);
        }
    }
}

#[test]
fn removing_uncovers_or_switches_off() {
    let rng = &mut Rng::new(1);
    let (shipped, other) = (entry(rng, 0), entry(rng, 1));
    let shipped = shipped.with_enabled(true);
    let over = shipped.with_enabled(false);
    let base: Catalog = [shipped.clone()].into_iter().collect();
    let mut layers = Layers::new(base.clone(), [over, other.clone()].into_iter().collect());

    assert_eq!(layers.remove(other.id()), Some(Removal::Deleted));
    assert!(layers.get(other.id()).is_none());
    assert_eq!(layers.remove(shipped.id()), Some(Removal::BaseVisible));
    assert_eq!(layers.get(shipped.id()).unwrap().layer, Layer::Base);
    assert_eq!(layers.remove(shipped.id()), Some(Removal::Disabled));
    assert!(!layers.get(shipped.id()).unwrap().entry.manifest().is_enabled());
    assert_eq!(layers.remove("nobody"), None);
    layers.reset();
    assert_eq!(layers.to_catalog(), base);
}

#[test]
fn one_bad_entry_is_reported_alone() {
    let rng = &mut Rng::new(3);
    let good = entry(rng, 0);
    let text = format!(r#"{{"capabilities":[{{"id":"bad"}},{},5]}}"#, good.text());
    let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
    let (catalog, report) = Catalog::read(&document, &ReadCatalog::default()).unwrap();
    assert_eq!(catalog.entries(), [good]);
    let places: Vec<_> = report.errors().map(|error| error.pointer.to_string()).collect();
    assert!(!places.is_empty() && places.iter().all(|place| !place.starts_with("/capabilities/1")));
    let fail_all = ReadCatalog { fail_all: true, ..ReadCatalog::default() };
    assert!(Catalog::read(&document, &fail_all).is_err());
}

#[test]
fn static_catalogs_come_in_more_shapes() {
    let rng = &mut Rng::new(4);
    let one = entry(rng, 0);
    let list = format!("[{}]", one.text());
    let items = format!(r#"{{"items":{list}}}"#);
    let options = ReadCatalog { shape: CatalogShape::Static, ..ReadCatalog::default() };
    for text in [&list, &items] {
        assert_eq!(read(text, &options).unwrap().entries(), std::slice::from_ref(&one));
        assert!(read(text, &ReadCatalog::default()).is_err());
    }
}

#[test]
fn a_file_changes_only_where_entries_have() {
    let rng = &mut Rng::new(5);
    let (one, two) = (entry(rng, 0), entry(rng, 1));
    let text = format!(
        "{{ \"note\" : 1e2,\n  \"capabilities\":[\n {},\n {}  ] }}\n",
        one.text(),
        two.text()
    );
    let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
    let (mut catalog, _) = Catalog::read(&document, &ReadCatalog::default()).unwrap();
    assert_eq!(catalog.render_into(&document), text);
    catalog.set(one.with_enabled(false).with_enabled(true));
    let kept = catalog.render_into(&document);
    assert!(kept.contains("\"note\" : 1e2") && kept.contains(two.text()), "{kept}");
    catalog.remove(one.id());
    let fewer = catalog.render_into(&document);
    assert!(!fewer.contains(one.text()) && fewer.contains(two.text()));
    let again = read(&catalog.render(), &ReadCatalog::default()).unwrap();
    assert!(again.get(two.id()).unwrap().has_same_value(&two));
}

/// Row C03 of the catalogue of attacks.
#[test]
fn bold_overrides_are_worth_a_second_look() {
    let rng = &mut Rng::new(6);
    let base = entry(rng, 0).text().to_owned();
    let base: Value = serde_json::from_str(&base).unwrap();
    let with = |changes: &[(&str, Value)]| {
        let mut value = base.clone();
        value["trust_level"] = "community".into();
        value["version"] = "1.2.0".into();
        value["type"] = "tool".into();
        value["enabled"] = false.into();
        value["requires_oauth"] = true.into();
        value["origin"]["signature"] = "x".into();
        value["permissions"] =
            serde_json::json!({"network": "deny", "filesystem": "none", "devices": []});
        for (pointer, change) in changes {
            *value.pointer_mut(pointer).unwrap() = change.clone();
        }
        CatalogEntry::parse(&value.to_string(), &ValidateOptions::default()).unwrap()
    };
    let shipped: Catalog = [with(&[])].into_iter().collect();
    let codes = |over: CatalogEntry| {
        let layers = Layers::new(shipped.clone(), [over].into_iter().collect());
        let report = layers.check_overrides(Profile::Spec, 100);
        report.diagnostics.iter().map(|d| d.rule.code).collect::<Vec<_>>()
    };
    assert!(codes(with(&[("/description", "other".into())])).is_empty());
    let cases: [(&str, Value, &str); 8] = [
        ("/trust_level", "verified".into(), "capability/override-trust"),
        ("/permissions/filesystem", "read".into(), "capability/override-permissions"),
        ("/permissions/devices", serde_json::json!(["camera"]), "capability/override-permissions"),
        ("/version", "1.1.9".into(), "capability/override-version"),
        ("/type", "a2a_peer".into(), "capability/override-type"),
        ("/enabled", true.into(), "capability/override-enabled"),
        ("/requires_oauth", false.into(), "capability/override-oauth"),
        ("/trust_level", "untrusted".into(), ""),
    ];
    for (place, value, code) in cases {
        let expected: Vec<_> = Some(code).filter(|code| !code.is_empty()).into_iter().collect();
        assert_eq!(codes(with(&[(place, value)])), expected, "{place}");
    }
    let mut unsigned: Value = serde_json::from_str(with(&[]).text()).unwrap();
    unsigned["origin"].as_object_mut().unwrap().remove("signature");
    let unsigned = CatalogEntry::parse(&unsigned.to_string(), &ValidateOptions::default()).unwrap();
    assert_eq!(codes(unsigned), ["capability/override-signature"]);
}

/// A hundred thousand entries merge in a moment.
#[test]
fn merging_is_linear() {
    let rng = &mut Rng::new(8);
    let one = entry(rng, 0).text().replace("\"enabled\":true,", "");
    let value: Value = serde_json::from_str(&one).unwrap();
    let make = |id: usize| {
        let mut value = value.clone();
        value["id"] = format!("id{id}").into();
        CatalogEntry::parse(&value.to_string(), &ValidateOptions::default()).unwrap()
    };
    let base: Catalog = (0..2_000).map(make).collect();
    let local: Catalog = (1_000..3_000).map(make).collect();
    assert_eq!(merge(&base, &local).entries().len(), 3_000);
}
