//! Secrets that were written where only a reference to one belongs.
//!
//! Two rules, both precise rather than complete:
//!
//! - **Shapes.** Tokens that announce themselves: a vendor's prefix and enough
//!   random characters after it, a private key block, a JSON Web Token, a password
//!   in a URL. They are found in any text. [`KINDS`] lists them.
//! - **Randomness.** A long run of random characters, in a place whose name says
//!   that a secret belongs there: `token`, `secret`, `password`, `credential`, or a
//!   key as in `api_key`.
//!
//! Placeholders (`YOUR_API_KEY`, `AKIAIOSFODNN7EXAMPLE`, `${TOKEN}`), digests,
//! UUIDs and references (`vault://kv/a#b`) are not secrets. What is found is
//! described by its kind and length; the value is never printed.
//!
//! ```
//! use manifest_core::secret;
//!
//! let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
//! let found = secret::find(&format!("curl -H {token}")).unwrap();
//! assert_eq!(found.to_string(), "a GitHub token of 40 characters");
//! assert_eq!(secret::find("vault://kv/unison/github#token"), None);
//! ```

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::json::{Kind, Node};

/// The shapes that are known: what they are, and a pattern over ASCII.
pub const KINDS: &[(&str, &str)] = &[
    ("a GitHub token", r"gh[pousr]_[0-9A-Za-z]{36}"),
    ("a GitHub token", r"github_pat_[0-9A-Za-z_]{82}"),
    ("a GitLab token", r"glpat-[0-9A-Za-z_-]{20}"),
    ("a Slack token", r"xox[abeprs]-[0-9]{10,}-[0-9A-Za-z-]{10,}"),
    ("a Slack token", r"xapp-[0-9]-[0-9A-Z]{9,}-[0-9]{10,}-[0-9a-f]{32,}"),
    ("a Slack webhook", r"hooks\.slack\.com/services/T[0-9A-Z]{8,}/B[0-9A-Z]{8,}/[0-9A-Za-z]{20,}"),
    ("an AWS access key", r"(?:AKIA|ASIA)[A-Z2-7]{16}"),
    ("a Stripe key", r"[rs]k_live_[0-9A-Za-z]{24,}"),
    ("an Anthropic key", r"sk-ant-[a-z]+[0-9]{2}-[0-9A-Za-z_-]{80,}"),
    ("an OpenAI key", r"sk-[0-9A-Za-z_-]{20,}T3BlbkFJ[0-9A-Za-z_-]{20,}"),
    ("a Google API key", r"AIza[0-9A-Za-z_-]{35}"),
    ("a Google client secret", r"GOCSPX-[0-9A-Za-z_-]{28}"),
    ("a Google access token", r"ya29\.[0-9A-Za-z_-]{40,}"),
    ("an npm token", r"npm_[0-9A-Za-z]{36}"),
    ("a PyPI token", r"pypi-AgEIcHlwaS5vcmc[0-9A-Za-z_-]{50,}"),
    ("a Hugging Face token", r"hf_[0-9A-Za-z]{34}"),
    ("a Docker token", r"dckr_pat_[0-9A-Za-z_-]{27}"),
    ("a DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("a SendGrid key", r"SG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}"),
    ("a Shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("a Linear key", r"lin_api_[0-9A-Za-z]{40}"),
    ("a Databricks token", r"dapi[0-9a-f]{32}"),
    ("a Postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("a Vault token", r"hv[bsr]\.[0-9A-Za-z_-]{24,}"),
    ("an age key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("an Azure storage key", r"AccountKey=[0-9A-Za-z+/]{86}=="),
    ("a JSON Web Token", r"eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}"),
    ("a bearer token", r"[Bb]earer [0-9A-Za-z._~+/-]{20,}={0,2}"),
    (
        "a private key",
        r"-----BEGIN [0-9A-Z ]{0,32}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]|[A-Z][A-Za-z-]{2,20}: [^\n\\]{0,80}(?:\s|\\[nr]))*[0-9A-Za-z+/]{16,}",
    ),
];

const JSON_WEB_TOKEN: &str = "a JSON Web Token";
const BEARER: &str = "a bearer token";
const PRIVATE_KEY: &str = "a private key";

/// Bits of entropy that each character of a token has at least. Real ones have
/// above three; a placeholder such as `ghp_xxxx…` has next to none.
const FLOOR: f64 = 2.5;
/// Characters in a row that random text has at least.
const RUN: usize = 16;

/// The tests see that every pattern compiles.
type Pattern = LazyLock<Option<Regex>>;

static SHAPES: Pattern = LazyLock::new(|| {
    let all: Vec<&str> = KINDS.iter().map(|(_, pattern)| *pattern).collect();
    Regex::new(&all.join("|")).ok()
});

static EACH: LazyLock<Vec<(&'static str, Option<Regex>)>> = LazyLock::new(|| {
    let whole = |pattern: &str| Regex::new(&format!("^(?:{pattern})$")).ok();
    KINDS.iter().map(|(kind, pattern)| (*kind, whole(pattern))).collect()
});

/// `name=value` and `name: value`, inside a text.
static ASSIGNED: Pattern = LazyLock::new(|| {
    let name = "[0-9A-Za-z_.-]{0,32}(?i:token|secret|passw|credential|key)[0-9A-Za-z_-]{0,32}";
    let value = "[0-9A-Za-z+/=_.~-]{16,512}";
    // In a JSON text, a backslash stands before the quote.
    let quote = r#"(?:\\?["'])?"#;
    Regex::new(&format!(r"({name}){quote}\s?[=:]\s?{quote}({value})")).ok()
});

/// What names of secrets have in them.
static WORDS: Pattern =
    LazyLock::new(|| Regex::new("(?i-u)token|secret|passw|credential|key").ok());

fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// A secret, described without its value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// What it is, with an article.
    pub kind: &'static str,
    /// Where it stands in the text.
    pub range: Range<usize>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} characters", self.kind, self.range.len())
    }
}

/// The first secret in a text that shows by its shape.
pub fn find(text: &str) -> Option<Finding> {
    Hints::ALL.find(text)
}

/// A secret in a value whose name says that it is one.
///
/// ```
/// use manifest_core::secret;
///
/// assert!(secret::find_named("api_key", "9fK2mQ8xV4nB7tR1wZ5y").is_some());
/// assert!(secret::find_named("api_key", "projects/acme/keys/weather").is_none());
/// assert!(secret::find_named("title", "9fK2mQ8xV4nB7tR1wZ5y").is_none());
/// ```
pub fn find_named(name: &str, value: &str) -> Option<Finding> {
    Hints::ALL.find_named(name, value)
}

/// What a text may hold, so that the rest need not be looked for.
#[derive(Clone, Copy)]
#[allow(clippy::struct_excessive_bools)] // four questions, each with its answer
struct Hints {
    /// A token that shows by its shape.
    shapes: bool,
    /// A URL with a password.
    urls: bool,
    /// A name that promises a secret.
    names: bool,
    /// Such a name and its value in one string.
    pairs: bool,
}

impl Hints {
    const ALL: Self = Self { shapes: true, urls: true, names: true, pairs: true };

    /// What the strings of a JSON text may hold.
    fn of(raw: &str) -> Self {
        // Such escapes may stand for any character.
        if raw.contains("\\u") || raw.contains("\\/") {
            return Self::ALL;
        }
        let raw = &visible(raw);
        let names = matches(&WORDS, raw);
        Self {
            shapes: matches(&SHAPES, raw),
            urls: raw.contains('@') && raw.contains("://"),
            names,
            pairs: names && matches(&ASSIGNED, raw),
        }
    }

    fn is_nothing(self) -> bool {
        !(self.shapes || self.urls || self.names)
    }

    fn find(self, text: &str) -> Option<Finding> {
        // The shortest shape has twenty characters, a URL with a password ten.
        if text.len() < 10 {
            return None;
        }
        match visible(text) {
            Cow::Borrowed(text) => {
                let shape = self.shapes.then(|| shape(text)).flatten();
                let shape = shape.or_else(|| self.urls.then(|| password(text)).flatten());
                shape.or_else(|| self.pairs.then(|| assigned(text)).flatten())
            }
            // Places in the stripped text are not places in this one.
            Cow::Owned(stripped) => {
                self.find(&stripped).map(|found| Finding { range: 0..text.len(), ..found })
            }
        }
    }

    fn find_named(self, name: &str, value: &str) -> Option<Finding> {
        self.find(value).or_else(|| {
            let random = self.names
                && value.len() >= RUN
                && !value.contains(' ')
                && is_secretive(name)
                && is_random(value);
            random.then_some(Finding { kind: "a random value", range: 0..value.len() })
        })
    }
}

/// A secret in a document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found<'a> {
    /// The string, or the value of the member whose name it is.
    pub node: Node<'a>,
    /// What is in it.
    pub finding: Finding,
    /// Whether it is the name of a member that holds it.
    pub name: Option<Node<'a>>,
}

/// All secrets in a value, up to `limit`.
///
/// A value without any, and without names that promise one, costs a search over
/// its text.
pub fn scan(root: Node<'_>, limit: usize) -> Vec<Found<'_>> {
    let mut found = Vec::new();
    let hints = Hints::of(root.raw());
    if hints.is_nothing() {
        return found;
    }
    let mut open = vec![(root, Cow::Borrowed(""))];
    while let Some((node, name)) = open.pop() {
        if found.len() >= limit {
            break;
        }
        match node.kind() {
            Kind::String => {
                let text = node.text().unwrap_or_default();
                let finding = hints.find_named(&name, &text).filter(|f| !is_signature(&name, f));
                found.extend(finding.map(|finding| Found { node, finding, name: None }));
            }
            Kind::Array => {
                // The value of `--token` is the next argument.
                let mut before = name.clone();
                for element in node.elements() {
                    let text = element.text().unwrap_or_default();
                    let flag = text.starts_with('-') && !text.contains('=');
                    open.push((element, before));
                    before = if flag { text } else { name.clone() };
                }
            }
            Kind::Object => {
                for member in node.members() {
                    let key = member.name();
                    if let Some(finding) = hints.find(&key) {
                        let name = Some(member.key);
                        found.push(Found { node: member.value, finding, name });
                    }
                    // In a schema, the value of a property hides below its name.
                    let holds = matches!(&*key, "default" | "const" | "enum" | "examples");
                    open.push((member.value, if holds { name.clone() } else { key }));
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    found.sort_by_key(|found| found.node.span().start);
    found
}

/// A text in which every secret that shows by its shape is written as asterisks.
/// The result has the length of the text.
pub fn masked(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    // What is masked is not found again.
    while let Some(Finding { range, .. }) = find(&out).filter(|f| !f.range.is_empty()) {
        let stars = "*".repeat(range.len());
        out.to_mut().replace_range(range, &stars);
    }
    out
}

/// The text without characters that do not show.
fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}');
    if text.is_ascii() || !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|c| !hidden(*c)).collect())
}

fn shape(text: &str) -> Option<Finding> {
    let (mut from, mut tries) = (0, 0);
    while let Some(found) = SHAPES.as_ref()?.find_at(text, from) {
        // One may begin inside what is none; many times over, it is an attack.
        tries += 1;
        from = if tries < 64 { found.start() + 1 } else { found.end() };
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = text.get(..found.start())?.chars().next_back().is_none_or(|c| !inside(c));
        let is = |shape: &Option<Regex>| shape.as_ref().is_some_and(|s| s.is_match(found.as_str()));
        let Some((kind, _)) = EACH.iter().find(|(_, shape)| is(shape)) else {
            continue;
        };
        let body = found.as_str().strip_prefix("Bearer ").unwrap_or(found.as_str());
        let real = *kind == PRIVATE_KEY || (!is_placeholder(body) && entropy(body) >= FLOOR);
        let real = real && (*kind != BEARER || is_random(body));
        if begins && real {
            return Some(Finding { kind, range: found.range() });
        }
    }
    None
}

/// A password in a URL: `scheme://user:password@host`.
fn password(text: &str) -> Option<Finding> {
    let mut rest = 0;
    while let Some(at) = text.get(rest..)?.find("://") {
        let start = rest + at + 3;
        rest = start;
        let tail = text.get(start..)?;
        let end = tail.find(|c: char| "/?# \"'<>".contains(c)).unwrap_or(tail.len());
        let authority = tail.get(..end)?;
        let Some((user, _)) = authority.rsplit_once('@') else {
            continue;
        };
        let Some((name, password)) = user.split_once(':') else {
            continue;
        };
        // A default such as `guest:guest` is known to everybody.
        if !password.is_empty() && password != name && !is_placeholder(password) {
            let from = start + user.len() - password.len();
            let range = from..from + password.len();
            return Some(Finding { kind: "a password in a URL", range });
        }
    }
    None
}

fn assigned(text: &str) -> Option<Finding> {
    if !text.contains(['=', ':']) || !matches(&WORDS, text) {
        return None;
    }
    ASSIGNED.as_ref()?.captures_iter(text).find_map(|captures| {
        let (name, value) = (captures.get(1)?, captures.get(2)?);
        let real = is_secretive(name.as_str()) && is_random(value.as_str());
        real.then(|| Finding { kind: "a random value", range: value.range() })
    })
}

/// Whether a name says that its value is a secret.
fn is_secretive(name: &str) -> bool {
    if name.len() < 3 || name.len() > 128 {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let whole = ["token", "secret", "passw", "credential", "bearer", "authorization"];
    // Many keys are names of things; these open something.
    let keys = ["api", "access", "private", "auth", "signing", "encryption", "master", "account"];
    whole.iter().any(|word| name.contains(word))
        || (name.contains("key") && keys.iter().any(|word| name.contains(word)))
        || name.trim_start_matches('-') == "key"
}

/// A signature may be a JSON Web Token, and is no secret.
fn is_signature(name: &str, finding: &Finding) -> bool {
    finding.kind == JSON_WEB_TOKEN && name == "signature"
}

/// Whether a text stands for a secret without being one.
fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = ["example", "your", "placeholder", "changeme", "xxxx", "redacted", "dummy", "****"];
    words.iter().any(|word| lower.contains(word))
        || text.contains(['<', '{', '$', '%'])
        || matches!(lower.as_str(), "password" | "pass" | "pwd" | "secret" | "token" | "p")
}

/// Whether a text has a long run of characters that nobody would think up.
fn is_random(text: &str) -> bool {
    let text = text.trim();
    if is_placeholder(text) || text.contains("://") || text.contains(char::is_whitespace) {
        return false;
    }
    // Names and paths are made of short words; Base64 has `+` and `/` inside.
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '+').any(|run| {
        let hexadecimal = run.bytes().all(|b| b.is_ascii_hexdigit());
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        run.len() >= RUN
            && !hexadecimal // a digest, a UUID, a commit
            && digits >= 2
            && digits < run.len()
            && entropy(run) >= 3.3
            && changes(run) * 20 >= run.len() * 9
    })
}

/// How often the class of characters changes: in words rarely, in noise often.
fn changes(text: &str) -> usize {
    let class = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase(), b.is_ascii_lowercase());
    text.bytes().zip(text.bytes().skip(1)).filter(|(a, b)| class(*a) != class(*b)).count()
}

/// Shannon entropy, in bits for each byte.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in text.bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let length = f64::from(u32::try_from(text.len().max(1)).unwrap_or(u32::MAX));
    let used = counts.iter().filter(|count| **count > 0);
    used.map(|count| f64::from(*count) / length).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests;
