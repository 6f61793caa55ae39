//! What is done to one document that grows, without another format.

use toolglot::call::{self, HostFacts, Policy};
use toolglot::compare::{Catalog, Side};
use toolglot::json::{Document, Edit, apply, compact, patch, quote};
use toolglot::providers::{self, ConfigHost, Source};
use toolglot::stream::{Names, SplitOptions, Splitter};
use toolglot::{
    Format, FormatName, LiftedDocument, Pointer, Profile, ValidateOptions, capability, compare,
    detect, install_engine, install_manifest, jumith, mcpkg,
};

use crate::grow::{Case, roomy};
use crate::ways::{first_edit, parse};
use crate::work::Counts;

/// A document of one size, what it says after an edit, and when everything that grows says
/// something else.
struct Given<'g> {
    text: &'g str,
    format: &'static Format,
    document: &'g Document<'g>,
    lifted: &'g LiftedDocument<'g>,
    edited: &'g Document<'g>,
    edited_lifted: &'g LiftedDocument<'g>,
    rewritten: &'g Document<'g>,
    rewritten_lifted: &'g LiftedDocument<'g>,
}

/// A function of the library. It gives the bytes that come out, or none where it refuses.
type Entry = fn(&Given<'_>) -> Option<usize>;

/// What takes a document of any format.
const ANY: &[(&str, Entry)] = &[
    ("parse", |given| Some(parse(given.text).root().raw().len())),
    ("detect", |given| detect(given.document).ok().map(|_| 0)),
    ("validate", |given| Some(valid(given, Profile::Spec))),
    ("strict", |given| Some(valid(given, Profile::Strict))),
    ("reference", |given| Some(valid(given, Profile::Reference))),
    ("read", |given| Some(given.format.lift_valid(given.document, 0).tools.len())),
    ("stream", streamed),
    ("compact", |given| Some(compact(given.document.root()).len())),
    ("patch", |given| Some(patch(given.document, given.edited.root(), &["id", "name"]).len())),
    ("diff", |given| {
        Some(compare::documents(&given.old(), &given.edited(), &roomy()).changes.len())
    }),
    ("diff-all", |given| {
        Some(compare::documents(&given.old(), &given.rewritten(), &roomy()).changes.len())
    }),
    ("duplicates", |given| Some(duplicates(given.old(), given.edited()))),
    ("duplicates-all", |given| Some(duplicates(given.old(), given.rewritten()))),
    ("export", |given| Some(exported(given))),
    ("compat", |given| {
        let compat = providers::compat(&[given.source()], &roomy());
        Some(compat.is_complete().into())
    }),
    ("config", |given| {
        Some(providers::mcp_config(&[given.source()], ConfigHost::Claude).json.len())
    }),
    ("call", |given| Some(planned(given))),
];

impl<'g> Given<'g> {
    const fn old(&self) -> Side<'g> {
        Side { lifted: self.lifted, source: Some((self.format, self.document)) }
    }

    const fn edited(&self) -> Side<'g> {
        Side { lifted: self.edited_lifted, source: Some((self.format, self.edited)) }
    }

    const fn rewritten(&self) -> Side<'g> {
        Side { lifted: self.rewritten_lifted, source: Some((self.format, self.rewritten)) }
    }

    fn source(&self) -> Source<'g, 'g> {
        Source { label: "a", prefix: None, path: Some("/a"), tools: &self.lifted.tools }
    }
}

fn duplicates(old: Side<'_>, new: Side<'_>) -> usize {
    let catalogs = [("old", old), ("new", new)].map(|(label, side)| Catalog { label, side });
    compare::duplicates(&catalogs, &roomy()).has_conflicts().into()
}

/// What takes documents of one format only.
fn own(name: FormatName) -> &'static [(&'static str, Entry)] {
    match name {
        FormatName::Mcpkg => &[
            ("package", packaged),
            ("mermaid", |given| {
                let manifest = mcpkg::Manifest::read(given.document);
                Some(mcpkg::chain::mermaid(&manifest, &roomy()).len())
            }),
        ],
        FormatName::Jumith => &[("registry", registered)],
        FormatName::Capability => &[("catalog", catalogued)],
        FormatName::InstallManifest => &[("engine", installed)],
        _ => &[],
    }
}

/// Everything that is done to one case, counted.
pub(crate) fn run(case: &Case, name: FormatName, counts: &Counts) {
    for (size, text) in case.texts.iter().enumerate() {
        each(case, name, text, |way, entry| {
            counts.count(&case.name, way, size, text.len(), entry);
        });
    }
}

/// The same without counting, on the smallest document.
pub(crate) fn warm_up(case: &Case, name: FormatName) {
    each(case, name, &case.texts[0], |_, entry| {
        std::hint::black_box(entry());
    });
}

fn each(case: &Case, name: FormatName, text: &str, run: impl Fn(&str, &dyn Fn() -> Option<usize>)) {
    let format = name.format().unwrap();
    let document = parse(text);
    let inside = |at: &Pointer| at.as_str().starts_with(case.at.as_str());
    let leaves: Vec<_> = document.root().leaves().map(|(at, _)| at).collect();
    let own = leaves.iter().rev().filter(|at| inside(at)).take(6);
    let edited = first_edit(&document, own.chain(&leaves), format);
    let edited = edited.unwrap_or_else(|| text.to_owned());
    let edited = parse(&edited);
    let rewritten = rewritten(&document, leaves.iter().filter(|at| inside(at)));
    let rewritten = parse(&rewritten);
    let [lifted, edited_lifted, rewritten_lifted] =
        [&document, &edited, &rewritten].map(|document| format.lift_valid(document, 0));
    let given = Given {
        text,
        format,
        document: &document,
        lifted: &lifted,
        edited: &edited,
        edited_lifted: &edited_lifted,
        rewritten: &rewritten,
        rewritten_lifted: &rewritten_lifted,
    };
    for (way, entry) in ANY.iter().chain(self::own(name)) {
        run(way, &|| entry(&given));
    }
}

/// A document with other texts at some places.
fn rewritten<'p>(document: &Document<'_>, places: impl Iterator<Item = &'p Pointer>) -> String {
    let edits: Vec<Edit> = places
        .filter_map(|at| {
            let text = document.root().at(at)?.text()?;
            Some(Edit::Set(at.clone(), quote(&format!("{text}x"))))
        })
        .collect();
    apply(document, &edits).expect("texts in place of texts")
}

fn valid(given: &Given<'_>, profile: Profile) -> usize {
    let options = ValidateOptions { profile, limits: roomy(), ..ValidateOptions::default() };
    given.format.validate(given.document, &options).diagnostics.len()
}

fn streamed(given: &Given<'_>) -> Option<usize> {
    let members = vec!["tools", "capabilities"];
    let mut splitter =
        Splitter::new(SplitOptions { members, limits: roomy(), ..SplitOptions::default() });
    let (mut names, mut found) = (Names::default(), 0);
    let options = ValidateOptions { limits: roomy(), ..ValidateOptions::default() };
    for block in given.text.as_bytes().chunks(4096) {
        splitter.push(block);
        while let Some(item) = splitter.next() {
            found += item.ok()?.validate(given.format, &options, &mut names).diagnostics.len();
        }
    }
    splitter.finish();
    Some(found)
}

fn exported(given: &Given<'_>) -> usize {
    let targets = providers::Target::ALL.iter().map(|(_, target)| {
        let options = providers::Options {
            strict: true,
            sentences: true,
            limits: roomy(),
            ..providers::Options::new(*target)
        };
        let sources = [given.source()];
        providers::export_all(&sources, &options).to_json().len()
    });
    targets.sum()
}

fn planned(given: &Given<'_>) -> usize {
    let policy = Policy::default();
    let facts =
        HostFacts { has_value: &|_| true, implementation: Some(0), ..HostFacts::new(&policy) };
    let mut written = 0;
    for tool in &given.lifted.tools {
        let contract = (given.format.contract)(tool);
        let plan = call::plan_in_manifest(given.document, tool, &contract, "{}", &facts, &roomy());
        // Each tool has a plan of its own, with the whole line of its server.
        written += serde_json::to_string(&plan).expect("JSON").len();
    }
    written
}

fn packaged(given: &Given<'_>) -> Option<usize> {
    use mcpkg::{
        archive::Entry,
        package::{CheckOptions, Package},
    };

    let entry = Entry::new("manifest.json".to_owned(), given.text.as_bytes().to_vec());
    let package = Package::new(vec![entry]).ok()?;
    let validate = ValidateOptions { limits: roomy(), ..ValidateOptions::default() };
    let options = CheckOptions { validate, now: Some(0), ..CheckOptions::default() };
    Some(package.check(&options).iter().count())
}

fn registered(given: &Given<'_>) -> Option<usize> {
    let package = jumith::server::Package {
        manifest: given.text.to_owned(),
        files: Vec::new(),
        yanked: false,
    };
    let options = ValidateOptions { limits: roomy(), ..ValidateOptions::default() };
    let registry = jumith::server::Registry::new(vec![package], &options).ok()?;
    Some(registry.handle("GET", "/v1/tools/search?q=a", &[]).body.len())
}

fn catalogued(given: &Given<'_>) -> Option<usize> {
    let options = capability::ReadCatalog {
        validate: ValidateOptions { limits: roomy(), ..ValidateOptions::default() },
        ..capability::ReadCatalog::default()
    };
    let (old, _) = capability::Catalog::read(given.document, &options).ok()?;
    let (new, _) = capability::Catalog::read(given.edited, &options).ok()?;
    let layers = capability::Layers::new(old, new);
    std::hint::black_box(layers.check_overrides(Profile::Spec, 100));
    Some(layers.to_catalog().render().len())
}

fn installed(given: &Given<'_>) -> Option<usize> {
    use install_engine::{acquire, consent, diff, revoke, smoke};

    let old = install_manifest::Manifest::read(given.document)?;
    let new = install_manifest::Manifest::read(given.edited)?;
    let tools = &given.lifted.tools;
    std::hint::black_box(diff::diff(&old, &new, &roomy()));
    std::hint::black_box(smoke::plan(&old, tools, &|_| true, &smoke::Options::default()).is_ok());
    std::hint::black_box(revoke::plan(&old, tools, &|_| true).is_ok());
    std::hint::black_box(acquire::plan(&old, &acquire::InstallHost::new("/opt/tool")).is_ok());
    std::hint::black_box(install_engine::env::prompts(&old.env));
    Some(consent::Summary::new(&old).text().len())
}
