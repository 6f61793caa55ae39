//! The answer of the search endpoint.

use manifest_core::json::{Document, Node, Number, rules as json_rules};
use manifest_core::read::{self, Extras, UnknownMembers};
use manifest_core::{Profile, Report, Text};
use serde::Serialize;

mod check;

/// A page of search results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResults<'a> {
    /// The tools on this page, best first.
    pub results: Vec<SearchResult<'a>>,
    /// The number of tools on all pages.
    pub total: Number<'a>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// A tool in search results.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResult<'a> {
    /// Identifies the tool in the registry.
    pub id: Text<'a>,
    /// The name for people.
    pub name: Text<'a>,
    /// Its latest version.
    pub version: Text<'a>,
    /// One sentence.
    pub summary: Text<'a>,
    /// Tags for search and filters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Text<'a>>,
    /// The publisher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider: Option<Text<'a>>,
    /// True if a call costs money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses_payment: Option<bool>,
    /// True if a person must approve each call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_approval: Option<bool>,
    /// The names of the secrets that the tool is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_secrets: Vec<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

impl<'a> SearchResults<'a> {
    /// Reads a document. Invalid members are read as missing: [`SearchResults::check`]
    /// reports them.
    pub fn read(document: &'a Document<'a>) -> Self {
        page(document.root(), &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }

    /// Returns the number of tools on all pages, if it is a whole number of at least 0.
    pub fn total(&self) -> Option<u64> {
        self.total.to_i64()?.try_into().ok()
    }
}

impl Default for SearchResults<'_> {
    fn default() -> Self {
        Self { results: Vec::new(), total: Number::from(0), extras: Extras::default() }
    }
}

/// Reads a page and reports errors of structure.
fn page<'a>(node: Node<'a>, report: &mut Report) -> Option<SearchResults<'a>> {
    let ([results, total], extras) =
        read::split_members(node, ["results", "total"], UnknownMembers::Warn, report)?;
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
    let (found, extras) = read::split_members(node, NAMES, UnknownMembers::Allow, report)?;
    let [id, name, version, summary, tags, provider, payment, approval, secrets] = found;
    let mut required = |value: Option<Node<'a>>, name: &str| {
        // A text that is missing is reported, and empty.
        let value = read::require(value, node, name, report);
        read::text(value, report).unwrap_or(Text::Borrowed(""))
    };
    Some(SearchResult {
        id: required(id, "id"),
        name: required(name, "name"),
        version: required(version, "version"),
        summary: required(summary, "summary"),
        tags: read::texts(tags, report),
        provider: read::text(provider, report),
        uses_payment: read::boolean(payment, report),
        requires_approval: read::boolean(approval, report),
        required_secrets: read::texts(secrets, report),
        extras,
    })
}
