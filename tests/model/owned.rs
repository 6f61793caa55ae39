//! A descriptor that outlives its document is the same descriptor.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use toolglot::call::{self, HostFacts, Policy};
use toolglot::core::format::{Context, lower};
use toolglot::core::{Defaults, Sourced};
use toolglot::descriptor::{Invocation, Package, SharedArgv};
use toolglot::json::{Document, Text};
use toolglot::providers::{Column, Options, export};
use toolglot::testkit::{Rng, Testkit};
use toolglot::toolbox::Offer;
use toolglot::{
    FORMATS, Format, LiftedDocument, Limits, Manifest, ManifestError, ToolDescriptor, Toolbox,
    testkits,
};

/// What a program can keep, and give to another thread.
fn can_be_kept<T: Send + Sync + 'static>() {}

#[test]
fn tools_can_be_kept() {
    can_be_kept::<ToolDescriptor<'static>>();
    can_be_kept::<LiftedDocument<'static>>();
    can_be_kept::<Manifest>();
    can_be_kept::<ManifestError>();
    can_be_kept::<Toolbox>();
    can_be_kept::<Offer>();
}

/// Calls `check` with what is lifted from generated documents of all formats, borrowed and owned.
fn each(
    check: impl Fn(&'static Format, &Document<'_>, &LiftedDocument<'_>, &LiftedDocument<'static>),
) {
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..32 {
            let text = generate(&mut Rng::new(seed), 3);
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let borrowed = format.lift(&document, &Limits::default()).unwrap();
            let owned = borrowed.clone().into_owned();
            check(format, &document, &borrowed, &owned);
        }
    }
}

/// All values with their places: equality of descriptors would ignore the places.
fn shown(value: &impl Debug) -> String {
    format!("{value:?}")
}

#[test]
fn values_and_places_are_the_same() {
    each(|format, _, borrowed, owned| {
        assert_eq!(shown(borrowed), shown(owned), "{}", format.name);
        for (borrowed, owned) in std::iter::zip(&borrowed.tools, &owned.tools) {
            assert_eq!(borrowed, owned, "{}", format.name);
            assert_eq!(shown(borrowed), shown(&borrowed.clone().into_owned()), "{}", format.name);
        }
    });
}

#[test]
fn packages_are_still_shared() {
    each(|format, _, borrowed, owned| {
        let sizes = |lifted: &LiftedDocument<'_>| -> Vec<usize> {
            lifted.packages().map(<[ToolDescriptor<'_>]>::len).collect()
        };
        assert_eq!(sizes(borrowed), sizes(owned), "{}", format.name);
    });
}

/// Parts that tools share in memory are copied once, so that the copy is not larger than what was
/// copied.
#[test]
fn what_is_shared_is_copied_once() {
    let line: SharedArgv<'_> =
        ["serve", "--all"].into_iter().map(|word| Sourced::from(Text::Borrowed(word))).collect();
    let package = Arc::new(Package { command: line.clone(), ..Package::default() });
    let mut tools = Vec::new();
    for id in ["a", "b", "c"] {
        let command = call_of(line.clone());
        let mut tool = ToolDescriptor::empty(Arc::clone(&package));
        (tool.id, tool.invocation) = (id.into(), Some(command.into()));
        tools.push(tool);
    }
    let owned = LiftedDocument { tools, ..LiftedDocument::default() }.into_owned();
    let addresses: BTreeSet<usize> = owned
        .tools
        .iter()
        .flat_map(|tool| {
            let Some(Invocation::Command(command)) = tool.invocation.as_deref() else { panic!() };
            [command.argv.memory_address(), tool.package.command.memory_address()]
        })
        .collect();
    assert_eq!(addresses.len(), 1);
    assert_ne!(addresses, [line.memory_address()].into());
    assert_eq!(owned.packages().count(), 1);
}

fn call_of(argv: SharedArgv<'_>) -> Invocation<'_> {
    let input = toolglot::descriptor::CommandInput::Stdin;
    Invocation::Command(toolglot::descriptor::Command { argv, cwd: None, input })
}

#[test]
fn plans_are_the_same() {
    let (policy, limits) = (Policy::default(), Limits::default());
    let facts = HostFacts::new(&policy);
    each(|format, _, borrowed, owned| {
        for (borrowed, owned) in std::iter::zip(&borrowed.tools, &owned.tools) {
            let contract = (format.contract)(borrowed);
            assert_eq!(contract, (format.contract)(owned));
            let examples = borrowed.examples.iter().filter_map(|example| example.input.as_ref());
            for arguments in examples.map(|input| input.as_str()).chain(["{}"]) {
                let one = call::plan(borrowed, &contract, arguments, &facts, &limits);
                let other = call::plan(owned, &contract, arguments, &facts, &limits);
                assert_eq!(one, other, "{}", format.name);
            }
        }
    });
}

#[test]
fn exports_are_the_same() {
    each(|format, _, borrowed, owned| {
        for Column { target, strict, .. } in Column::ALL {
            let options = Options { strict: *strict, ..Options::new(*target) };
            let (one, other) = (export(&borrowed.tools, &options), export(&owned.tools, &options));
            assert_eq!(one.to_json(), other.to_json(), "{}", format.name);
            assert_eq!(shown(&one.skipped), shown(&other.skipped), "{}", format.name);
        }
    });
}

/// What a conversion writes, with the provenance of every value.
#[test]
fn conversions_are_the_same() {
    each(|from, document, borrowed, owned| {
        for to in FORMATS {
            let context = Context {
                format: to,
                sources: &[document],
                same_format: from.name == to.name,
                version: None,
                defaults: &Defaults::default(),
                accept: &BTreeSet::new(),
                digest: "",
                as_list: borrowed.is_list,
                budget: usize::MAX,
            };
            let [one, other] = [borrowed, owned].map(|lifted| lower(lifted, context, false));
            assert_eq!(shown(&one), shown(&other), "{} to {}", from.name, to.name);
        }
    });
}

#[test]
fn a_manifest_is_its_document() {
    for Testkit { format, generate, .. } in testkits() {
        let text = generate(&mut Rng::new(7), 3);
        let limits = Limits::default();
        // Some generated documents are those of several formats, which nobody can tell apart.
        let manifest = match Manifest::parse("it", text.as_bytes(), FORMATS, &limits) {
            Ok(manifest) => manifest,
            Err(ManifestError::Format(_)) => continue,
            Err(error) => panic!("{}: {error}", format.name),
        };
        assert_eq!((manifest.name(), manifest.text()), ("it", text.as_str()));
        let document = manifest.document();
        let lifted = manifest.format().lift(&document, &limits).unwrap();
        assert_eq!(shown(manifest.lifted()), shown(&lifted));
        for tool in manifest.tools() {
            let (Some(at), true) = (tool.id.at, tool.id.at.is_some_and(|at| at.exact)) else {
                continue;
            };
            let written = document.node(at.entry).unwrap().text().unwrap();
            assert_eq!(written, *tool.id, "the place of the id is an entry of the document");
        }
    }
}
