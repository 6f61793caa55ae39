//! What is done to a document that grows.

use toolglot::compare::{self, Side};
use toolglot::convert;
use toolglot::json::{Document, Edit, Node, apply, quote};
use toolglot::{
    AcceptedLoss, Conversion, Derivation, Format, FormatName, Options, Pointer, Residue,
    RestoreOptions, Target,
};

use crate::grow::{Case, is_valid, roomy};
use crate::work::Counts;

/// One source at one size, converted.
struct Sized<'s> {
    case: &'s Case,
    size: usize,
    source: &'s Document<'s>,
    from: &'static Format,
    to: &'static Format,
    /// None where calls are only made, for what is made once in all of them.
    counts: Option<&'s Counts>,
}

fn options() -> Options {
    let accept = AcceptedLoss::ALL.into();
    Options { accept, limits: roomy(), ..Options::default() }
}

pub(crate) fn parse(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &roomy()).expect("JSON")
}

/// Does everything to a case once, without counting.
pub(crate) fn warm_up(case: &Case, from: &'static Format, to: &'static Format) {
    let source = parse(&case.texts[0]);
    Sized { case, size: 0, source: &source, from, to, counts: None }.run();
}

/// Everything that is done to one case.
pub(crate) fn run(case: &Case, from: &'static Format, to: &'static Format, counts: &Counts) {
    for (size, text) in case.texts.iter().enumerate() {
        let source = parse(text);
        Sized { case, size, source: &source, from, to, counts: Some(counts) }.run();
    }
}

impl Sized<'_> {
    fn count(&self, way: &str, input: usize, run: impl FnOnce() -> Option<usize>) {
        match self.counts {
            Some(counts) => counts.count(&self.case.name, way, self.size, input, run),
            None => drop(std::hint::black_box(run())),
        }
    }

    fn run(&self) {
        let length = self.source.text().len();
        let mut converted = None;
        self.count("convert", length, || {
            let conversion = convert::convert(self.source, self.from, self.to, &options()).ok()?;
            std::hint::black_box(conversion.report());
            std::hint::black_box(conversion.residue());
            let output = emitted(&conversion);
            converted = Some(conversion);
            Some(output)
        });
        let Some(conversion) = converted else { return };
        self.count("told", length, || Some(conversion.report().text().len()));
        let texts: Vec<String> =
            conversion.documents.iter().map(|document| document.text.clone()).collect();
        if let [text] = texts.as_slice() {
            self.diff(text);
        }
        self.back("restore", &conversion, &texts, true, false);
        if let Some((edited, leaf)) = self.edited(&conversion, &texts) {
            self.back("edited", &conversion, &edited, true, false);
            self.reconcile(&conversion, &edited, &leaf);
            self.by_the_source(&conversion, &edited);
            self.onwards(&conversion, &edited);
        }
        if conversion.tools.len() > 8 {
            self.many_tools(&conversion, &texts);
        }
        if let Some(without) = self.without_arguments(&texts) {
            self.back("no arguments", &conversion, &without, true, false);
        }
    }

    /// Compares the source with what came of it: one format says once what another says of each tool.
    fn diff(&self, text: &str) {
        let target = parse(text);
        let lifted = [(self.from, self.source), (self.to, &target)].map(|(format, document)| {
            format.lift(document, &roomy()).map(|lifted| (format, document, lifted))
        });
        let [Ok(old), Ok(new)] = lifted else { return };
        self.count("diff", self.source.text().len() + text.len(), || {
            let [old, new] = [&old, &new].map(|(format, document, lifted)| Side {
                lifted,
                source: Some((format, document)),
            });
            let found = compare::documents(&old, &new, &roomy());
            serde_json::to_vec(&found).ok().map(|text| text.len())
        });
    }

    /// What is done to many tools at once.
    fn many_tools(&self, conversion: &Conversion, texts: &[String]) {
        let renamed: Vec<String> = texts.iter().map(|text| renamed(text, self.to)).collect();
        self.back("all renamed", conversion, &renamed, true, false);
        self.back("all new", conversion, &renamed, false, false);
        let half: Vec<String> = texts.iter().map(|text| halved(text, self.to)).collect();
        self.back("half removed", conversion, &half, true, true);
        let mut carried = None;
        // Where no document can carry the residue, they were written all the same.
        let length = self.source.text().len() + emitted(conversion);
        self.count("in-band", length, || {
            let options = Options { in_band: true, ..options() };
            let conversion = convert::convert(self.source, self.from, self.to, &options).ok()?;
            std::hint::black_box(conversion.report());
            let output = emitted(&conversion);
            carried = Some(conversion);
            Some(output)
        });
        if let Some(conversion) = carried {
            let texts: Vec<String> =
                conversion.documents.into_iter().map(|document| document.text).collect();
            let documents: Vec<Document<'_>> = texts.iter().map(|text| parse(text)).collect();
            let targets: Vec<Target<'_>> =
                documents.iter().map(|document| Target { name: None, document }).collect();
            let bytes = texts.iter().map(String::len).sum();
            self.count("in-band back", bytes, || {
                let [first, ..] = documents.as_slice() else { return None };
                let residue = convert::carried_residue(first, self.to).ok()??;
                self.restore(&targets, &residue, false)
            });
        }
    }

    fn restore(&self, targets: &[Target<'_>], residue: &Residue, all: bool) -> Option<usize> {
        let options = RestoreOptions { delete_missing: all, limits: roomy() };
        let restored = toolglot::restore(targets, residue, &options).ok()?;
        Some(restored.text.len())
    }

    fn back(&self, way: &str, conversion: &Conversion, texts: &[String], named: bool, all: bool) {
        let documents: Vec<Document<'_>> = texts.iter().map(|text| parse(text)).collect();
        let targets = targets(conversion, &documents, named);
        let residue = conversion.residue();
        let bytes = texts.iter().map(String::len).sum::<usize>() + self.source.text().len();
        self.count(way, bytes, || self.restore(&targets, &residue, all));
    }

    fn reconcile(&self, conversion: &Conversion, texts: &[String], leaf: &Pointer) {
        let leaves = self.source.root().leaves().map(|(at, _)| at);
        let others: Vec<Pointer> = leaves.filter(|at| at != leaf).collect();
        let Some(now) = first_edit(self.source, others.iter(), self.from) else { return };
        let documents: Vec<Document<'_>> = texts.iter().map(|text| parse(text)).collect();
        let targets = targets(conversion, &documents, true);
        let residue = conversion.residue();
        let bytes = texts.iter().map(String::len).sum::<usize>() + 2 * self.source.text().len();
        let now = parse(&now);
        self.count("reconcile", bytes, || {
            let options = RestoreOptions { delete_missing: false, limits: roomy() };
            let restored = toolglot::restore_and_merge(&targets, &residue, &now, &options).ok()?;
            Some(restored.text.len())
        });
    }

    /// The edited target back to the source, of which nothing but its text is known.
    fn by_the_source(&self, conversion: &Conversion, texts: &[String]) {
        let documents: Vec<Document<'_>> = texts.iter().map(|text| parse(text)).collect();
        let targets = targets(conversion, &documents, true);
        let bytes = texts.iter().map(String::len).sum::<usize>() + self.source.text().len();
        self.count("by the source", bytes, || {
            let options = RestoreOptions { delete_missing: false, limits: roomy() };
            let (source, from, to) = (self.source, self.from, self.to);
            let back = toolglot::restore_without_residue(&targets, source, from, to, &options);
            Some(back.ok()?.text.len())
        });
    }

    /// The edited target to a third format.
    fn onwards(&self, conversion: &Conversion, texts: &[String]) {
        let two = [self.from.name, self.to.name];
        let formats = FormatName::ALL.iter().map(|name| name.format().unwrap());
        let mut others = formats.cycle().skip_while(|format| format.name != self.to.name);
        let Some(third) = others.find(|format| !two.contains(&format.name)) else { return };
        let documents: Vec<Document<'_>> = texts.iter().map(|text| parse(text)).collect();
        let targets = targets(conversion, &documents, true);
        let residue = conversion.residue();
        let bytes = texts.iter().map(String::len).sum::<usize>() + self.source.text().len();
        self.count("onwards", bytes, || {
            let conversion = toolglot::convert_via(&targets, &residue, third, &options()).ok()?;
            std::hint::black_box(conversion.report());
            Some(emitted(&conversion))
        });
    }

    /// The target with one value edited, in what grows if possible; and where the source
    /// says that value.
    fn edited(&self, conversion: &Conversion, texts: &[String]) -> Option<(Vec<String>, Pointer)> {
        let report = conversion.report();
        let native = |leaf: &&toolglot::convert::TargetLeaf| {
            matches!(leaf.how, Derivation::Native | Derivation::Equivalent)
                && leaf.source.len() == 1
        };
        let inside = |leaf: &&toolglot::convert::TargetLeaf| {
            leaf.source.iter().any(|from| from.pointer.as_str().starts_with(self.case.at.as_str()))
        };
        let own = report.target.iter().rev().filter(native).filter(inside).take(6);
        let any = report.target.iter().filter(native).take(20);
        for leaf in own.chain(any) {
            let document = parse(texts.get(leaf.target.document)?);
            let edited = first_edit(&document, [&leaf.target.pointer], self.to);
            if let (Some(edited), Some(from)) = (edited, leaf.source.first()) {
                let mut texts = texts.to_vec();
                *texts.get_mut(leaf.target.document)? = edited;
                return Some((texts, from.pointer.clone()));
            }
        }
        None
    }

    /// The target with no argument in any input schema that has many.
    fn without_arguments(&self, texts: &[String]) -> Option<Vec<String>> {
        let mut changed = false;
        let without = |text: &String| {
            let document = parse(text);
            let lifted = self.to.lift(&document, &roomy()).ok()?;
            let schemas = lifted.tools.iter().filter_map(|tool| tool.input_schema.as_ref()?.at);
            let properties = schemas.filter_map(|at| document.node(at.entry)?.get("properties"));
            let edits: Vec<Edit> = properties
                .filter(|node| node.members().count() > 8)
                .map(|node| Edit::Set(node.pointer(), "{}".to_owned()))
                .collect();
            changed |= !edits.is_empty();
            apply(&document, &edits).ok()
        };
        let texts: Option<Vec<String>> = texts.iter().map(without).collect();
        texts.filter(|_| changed)
    }
}

fn emitted(conversion: &Conversion) -> usize {
    conversion.documents.iter().map(|document| document.text.len()).sum()
}

fn targets<'t>(
    conversion: &'t Conversion,
    documents: &'t [Document<'t>],
    named: bool,
) -> Vec<Target<'t>> {
    let pairs = documents.iter().zip(&conversion.documents);
    let targets = pairs.map(|(document, emitted)| Target {
        name: Some(emitted.name.as_str()).filter(|_| named),
        document,
    });
    targets.collect()
}

/// A document with the first of those values edited that can be.
pub(crate) fn first_edit<'p>(
    document: &Document<'_>,
    leaves: impl IntoIterator<Item = &'p Pointer>,
    format: &Format,
) -> Option<String> {
    leaves.into_iter().take(40).find_map(|at| {
        let leaf = document.root().at(at)?;
        let value = match (leaf.text(), leaf.bool()) {
            (Some(text), _) => quote(&format!("{text}x")),
            (_, Some(value)) => (!value).to_string(),
            _ => return None,
        };
        let text = apply(document, &[Edit::Set(at.clone(), value)]).ok()?;
        is_valid(&parse(&text), format).then_some(text)
    })
}

/// A document whose tools all have other names.
fn renamed(text: &str, format: &Format) -> String {
    let document = parse(text);
    let Ok(lifted) = format.lift(&document, &roomy()) else { return text.to_owned() };
    let edits = lifted.tools.iter().filter_map(|tool| {
        let at = tool.name.as_ref().and_then(|name| name.at).or(tool.id.at)?;
        let node = document.node(at.entry)?;
        Some(Edit::Set(node.pointer(), quote(&format!("{}x", node.text()?))))
    });
    apply(&document, &edits.collect::<Vec<_>>()).unwrap_or_else(|_| text.to_owned())
}

/// A document without every other tool of its list.
fn halved(text: &str, format: &Format) -> String {
    let document = parse(text);
    let Ok(lifted) = format.lift(&document, &roomy()) else { return text.to_owned() };
    let nodes = lifted.tools.iter().filter_map(|tool| document.node(tool.at?.entry));
    let inside = nodes.filter(|node| !node.pointer().is_root());
    let edits = inside.skip(1).step_by(2).map(|node: Node<'_>| Edit::Remove(node.pointer()));
    apply(&document, &edits.collect::<Vec<_>>()).unwrap_or_else(|_| text.to_owned())
}
