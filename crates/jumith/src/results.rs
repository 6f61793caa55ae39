//! What searching answers with.

use manifest_core::json::{Document, Node, Number, rules as json_rules};
use manifest_core::read::{self, Extras, Others};
use manifest_core::{Depth, Profile, Report, Text, Validate, quoted, secret};
use serde::Serialize;

use crate::check::alike;
use crate::manifest::boolean;
use crate::{names, reference, rules};

/// A page of search results.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(clippy::exhaustive_structs)]
pub struct SearchResults<'a> {
    /// The tools on this page, best first.
    pub results: Vec<SearchResult<'a>>,
    /// How many there are on all pages.
    pub total: Number<'a>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// A tool that was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::exhaustive_structs)]
pub struct SearchResult<'a> {
    /// Identifies the tool in the registry.
    pub id: Text<'a>,
    /// What people call it.
    pub name: Text<'a>,
    /// Its latest version.
    pub version: Text<'a>,
    /// One sentence.
    pub summary: Text<'a>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// Who publishes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Text<'a>>,
    /// Whether a call costs money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_payment: Option<bool>,
    /// Whether a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// The secrets that the tool is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_secrets: Vec<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> SearchResults<'a> {
    /// Reads a document. What is not as it should be is absent: use
    /// [`SearchResults::check`] to hear about it.
    pub fn read(document: &'a Document<'a>) -> Self {
        page(document.root(), &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }

    /// Checks a document.
    pub fn check(document: &Document<'_>, options: &Validate) -> Report {
        let mut report = options.report();
        let root = document.root();
        if options.profile == Profile::Reference {
            if let Err(message) = reference::search(root) {
                report.push(rules::REFERENCE.at(root, message));
            }
            return report;
        }
        if let Some(page) = page(root, &mut report)
            && options.depth >= Depth::Meaning
        {
            let nodes = root.get("results").into_iter().flat_map(Node::elements);
            for (result, node) in page.results.iter().zip(nodes) {
                meaning(result, node, &mut report);
            }
        }
        let results = root.get("results").into_iter().flat_map(Node::elements);
        alike(results.filter_map(|result| result.get("id")), &mut report);
        secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
        report
    }

    /// How many tools there are on all pages, where that is a whole number.
    pub fn total(&self) -> Option<u64> {
        self.total.to_i64().and_then(|total| total.try_into().ok())
    }
}

impl Default for SearchResults<'_> {
    fn default() -> Self {
        Self { results: Vec::new(), total: Number::from(0), extras: Extras::default() }
    }
}

/// Reads a page and reports what has the wrong shape.
fn page<'a>(node: Node<'a>, report: &mut Report) -> Option<SearchResults<'a>> {
    let ([results, total], extras) =
        read::members(node, ["results", "total"], Others::Warn, report)?;
    let results = read::require(results, node, "results", report);
    let results = read::list(results, report, result);
    let at = read::require(total, node, "total", report);
    let total = read::number(at, report);
    if let (Some(at), Some(number)) = (at, &total)
        && number.to_i64().is_none_or(|total| total < 0)
    {
        report.push(json_rules::NUMBER_RANGE.at(at, "expected a whole number of at least 0"));
    }
    Some(SearchResults { results, total: total.unwrap_or_else(|| Number::from(0)), extras })
}

fn result<'a>(node: Node<'a>, report: &mut Report) -> Option<SearchResult<'a>> {
    const NAMES: [&str; 9] = [
        "id",
        "name",
        "version",
        "summary",
        "tags",
        "provider",
        "usesPayment",
        "requiresApproval",
        "requiredSecrets",
    ];
    let (found, extras) = read::members(node, NAMES, Others::Allow, report)?;
    let [id, name, version, summary, tags, provider, payment, approval, secrets] = found;
    let mut required = |value: Option<Node<'a>>, name: &str| {
        let value = read::require(value, node, name, report);
        read::text(value, report).unwrap_or_default()
    };
    Some(SearchResult {
        id: required(id, "id"),
        name: required(name, "name"),
        version: required(version, "version"),
        summary: required(summary, "summary"),
        tags: read::texts(tags, report),
        provider: read::text(provider, report),
        uses_payment: boolean(payment, report),
        requires_approval: boolean(approval, report),
        required_secrets: read::texts(secrets, report),
        extras,
    })
}

fn meaning(result: &SearchResult<'_>, node: Node<'_>, report: &mut Report) {
    let texts = [
        ("id", &result.id),
        ("name", &result.name),
        ("version", &result.version),
        ("summary", &result.summary),
    ];
    for (name, text) in texts {
        let Some(at) = node.get(name).filter(|at| at.text().is_some()) else {
            continue;
        };
        let (rule, problem) = if names::is_blank(text) {
            (&rules::BLANK, format!("{} is blank", quoted(name)))
        } else if name == "id" && !names::is_id(text) {
            (&rules::ID, format!("{} cannot be an id", quoted(text)))
        } else if name == "version" && !names::is_version(text) {
            (&rules::VERSION, format!("{} cannot be a version", quoted(text)))
        } else {
            continue;
        };
        if report.takes(rule) {
            report.push(rule.at(at, problem));
        }
    }
}
