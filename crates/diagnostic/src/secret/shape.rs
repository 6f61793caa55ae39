//! The shapes of secrets.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::finding::Finding;
use super::runs::{MAX_WORDY_RUN, MIN_RUN, Runs, count_class_changes, is_harmless};
use crate::{Span, ok_or_bug};

/// The known shapes: a description, and a pattern over ASCII.
pub const SHAPES: &[(&str, &str)] = &[
    ("a GitHub token", r"gh[pousr]_[0-9A-Za-z]{36}"),
    ("a GitHub token", r"github_pat_[0-9A-Za-z_]{82}"),
    (
        "a GitLab token",
        r"gl(?:pat|oas|dt|rtr?|cbt|ptt|ft|imt|agent|wt|soat|ffct)-(?:[0-9A-Za-z]{1,5}_)?[0-9A-Za-z_-]{20}",
    ),
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
    ("a Telegram bot token", r"[0-9]{6,12}:A[0-9A-Za-z_-]{34}"),
    ("a Discord bot token", r"[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}"),
    (
        "a Discord webhook",
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[0-9A-Za-z_-]{60,}",
    ),
    (
        "a Doppler token",
        r"dp\.(?:pt|st|ct|sa|said|scim|audit)\.(?:[0-9a-z_-]{2,35}\.)?[0-9A-Za-z]{40,44}",
    ),
    ("a Groq key", r"gsk_[0-9A-Za-z]{48,}"),
    ("an xAI key", r"xai-[0-9A-Za-z]{70,}"),
    ("a Perplexity key", r"pplx-[0-9A-Za-z]{48}"),
    ("a Replicate token", r"r8_[0-9A-Za-z]{37}"),
    ("a LangSmith key", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("a Notion token", r"ntn_[0-9]{11}[0-9A-Za-z]{35}"),
    ("a Supabase token", r"sbp_[0-9a-f]{40}"),
    ("a Grafana token", r"glsa_[0-9A-Za-z]{32}_[0-9a-fA-F]{8}"),
    ("a Sentry token", r"sntryu_[0-9a-f]{64}"),
    ("a Sentry token", r"sntrys_eyJ[0-9A-Za-z+/=_-]{60,}"),
    ("a New Relic key", r"NRAK-[0-9A-Z]{27}"),
    ("an Atlassian token", r"ATATT3[0-9A-Za-z=_-]{180,186}"),
    ("a 1Password token", r"ops_eyJ[0-9A-Za-z+/=_-]{80,}"),
    ("a Fly.io token", r"fo1_[0-9A-Za-z_-]{43}"),
    ("a PlanetScale token", r"pscale_(?:tkn|pw|oauth)_[0-9A-Za-z=._-]{32,64}"),
    ("a Pulumi token", r"pul-[0-9a-f]{40}"),
    ("a RubyGems key", r"rubygems_[0-9a-f]{48}"),
    ("a Mailgun key", r"key-[0-9a-f]{32}"),
    ("a Mailgun key", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    ("a Twilio key", r"SK[0-9a-f]{32}"),
    ("a Twilio token", r"AC[0-9a-f]{32}:[0-9a-f]{32}"),
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
pub(super) const PRIVATE_KEY: &str = "a private key";

/// The minimum entropy of a token, in bits per character. Real ones have more than three; a
/// placeholder such as `ghp_xxxx…` has almost zero.
const MIN_ENTROPY: f64 = 2.5;

pub(super) type Pattern = LazyLock<Option<Regex>>;

/// Compiles one of our patterns. Tests check that all of them compile.
pub(super) fn compile(pattern: &str) -> Option<Regex> {
    ok_or_bug(Regex::new(pattern))
}

/// The pattern of an optional quote. In JSON text, a backslash precedes it.
pub(super) const QUOTE: &str = r#"(?:\\?["'])?"#;

pub(super) static ANY_SHAPE: Pattern = LazyLock::new(|| {
    let all: Vec<&str> = SHAPES.iter().map(|(_, pattern)| *pattern).collect();
    compile(&all.join("|"))
});

pub(super) static SHAPE_PATTERNS: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    for (kind, pattern) in SHAPES {
        patterns.extend(compile(&format!("^(?:{pattern})$")).map(|pattern| (*kind, pattern)));
    }
    patterns
});

/// Matches `name=value` and `name: value` inside a text.
pub(super) static ASSIGNMENT: Pattern = LazyLock::new(|| {
    let name = "[0-9A-Za-z_.-]{0,32}(?i:token|secret|passw|credential|key)[0-9A-Za-z_-]{0,32}";
    let value = "[0-9A-Za-z+/=_.~-]{20,512}";
    compile(&format!(r"({name}){QUOTE}\s?[=:]\s?{QUOTE}({value})"))
});

/// Matches `--name value` and `"--name", "value"`.
pub(super) static FLAG_VALUE: Pattern = LazyLock::new(|| {
    compile(&format!(
        r"(--?[0-9A-Za-z_.-]{{2,64}}){QUOTE}[,\s]\s{{0,16}}{QUOTE}([0-9A-Za-z+/=_.~-]{{20,512}})"
    ))
});

/// Matches words that occur in the names of secrets.
pub(super) static SECRET_NAME: Pattern =
    LazyLock::new(|| compile("(?i-u)token|secret|passw|credential|key"));

fn matches(pattern: &Pattern, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Finds the first token of a known shape. With `anywhere`, it may also begin inside a
/// word.
pub(super) fn find_shape(text: &str, anywhere: bool) -> Option<Finding> {
    let (mut from, mut tries) = (0, 0);
    while let Some(found) = ANY_SHAPE.as_ref()?.find_at(text, from) {
        // A token may begin inside a match that is not one. After 64 matches, assume an
        // attack and skip whole matches.
        tries += 1;
        from = if tries < 64 { found.start() + 1 } else { found.end() };
        let token = found.as_str();
        let Some((kind, _)) = SHAPE_PATTERNS.iter().find(|(_, shape)| shape.is_match(token)) else {
            continue;
        };
        let before = text.get(..found.start())?;
        let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if (anywhere || !is_inside) && is_real(kind, token) && has_suspect(text, found.range()) {
            return Some(Finding { kind, range: found.range() });
        }
    }
    None
}

/// Returns true unless a token of this kind is a placeholder.
fn is_real(kind: &str, token: &str) -> bool {
    let body = token.strip_prefix("Bearer ").or(token.strip_prefix("bearer ")).unwrap_or(token);
    match kind {
        PRIVATE_KEY => true,
        BEARER if !is_random(body) => false,
        _ => !is_placeholder(body) && entropy(body) >= MIN_ENTROPY,
    }
}

/// Returns true if a part of a text overlaps a run that is neither a digest nor words. The
/// run includes its continuation outside the part, as far as that can change the result.
fn has_suspect(text: &str, part: Range<usize>) -> bool {
    let from = part.start.saturating_sub(MAX_WORDY_RUN + 1);
    let to = text.len().min(part.end + MAX_WORDY_RUN + 1);
    let around = Span { start: from, end: to }.slice_bytes(text.as_bytes());
    Runs::of(around).any(|run| {
        let overlaps = from + run.end > part.start && from + run.start < part.end;
        overlaps && !around.get(run).is_some_and(is_harmless)
    })
}

/// Finds a password in a URL: `scheme://user:password@host`.
pub(super) fn find_url_password(text: &str) -> Option<Finding> {
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
        // A default such as `guest:guest` is publicly known.
        if !password.is_empty() && password != name && !is_placeholder(password) {
            let from = start + user.len() - password.len();
            let range = from..from + password.len();
            return Some(Finding { kind: "a password in a URL", range });
        }
    }
    None
}

pub(super) fn find_assigned(text: &str) -> Option<Finding> {
    if !text.contains(['=', ':']) || !matches(&SECRET_NAME, text) {
        return None;
    }
    find_random_value(&ASSIGNMENT, text)
}

/// Finds a random value of a command-line argument whose name suggests a secret.
pub(super) fn find_flag_value(text: &str) -> Option<Finding> {
    if text.contains('-') && matches(&SECRET_NAME, text) {
        find_random_value(&FLAG_VALUE, text)
    } else {
        None
    }
}

/// Finds a random value after the name of a secret.
fn find_random_value(pattern: &Pattern, text: &str) -> Option<Finding> {
    pattern.as_ref()?.captures_iter(text).find_map(|captures| {
        let (name, value) = (captures.get(1)?, captures.get(2)?);
        let real = is_secret_name(name.as_str()) && is_random(value.as_str());
        real.then(|| Finding { kind: "a random value", range: value.range() })
    })
}

/// Returns true if a name suggests that its value is a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    if name.len() < 3 || name.len() > 128 {
        return false;
    }
    let name = name.to_ascii_lowercase();
    let whole = ["token", "secret", "passw", "credential", "bearer", "authorization"];
    // Many keys are names of things; these give access.
    let keys = ["api", "access", "private", "auth", "signing", "encryption", "master", "account"];
    whole.iter().any(|word| name.contains(word))
        || (name.contains("key") && keys.iter().any(|word| name.contains(word)))
        || name.trim_start_matches('-') == "key"
}

/// Returns true if a finding is a JSON Web Token in a member named `signature`, which is
/// not secret.
pub fn is_signature(name: &str, finding: &Finding) -> bool {
    finding.kind == JSON_WEB_TOKEN && name == "signature"
}

/// Returns true if a text is a placeholder for a secret.
pub(super) fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = ["example", "your", "placeholder", "changeme", "xxxx", "redacted", "dummy", "****"];
    words.iter().any(|word| lower.contains(word))
        || text.bytes().all(|b| b == b'*') // a short masked secret
        || text.contains(['<', '{', '$', '%'])
        || matches!(lower.as_str(), "password" | "passwd" | "pass" | "pwd" | "secret" | "token")
}

/// Returns true if a text contains a long run of characters that looks random.
pub(super) fn is_random(text: &str) -> bool {
    let text = text.trim();
    let is_url = text.contains("://") || text.starts_with("data:");
    if is_placeholder(text) || is_url || text.contains(char::is_whitespace) {
        return false;
    }
    // Names and paths consist of short words; Base64 contains `+` and `/`.
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '+').any(|run| {
        let hexadecimal = run.bytes().all(|b| b.is_ascii_hexdigit());
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        run.len() >= MIN_RUN
            && !hexadecimal // a digest, a UUID, a commit
            && digits >= 2
            && digits < run.len()
            && entropy(run) >= 3.3
            && count_class_changes(run.as_bytes()) * 20 >= run.len() * 9
    })
}

/// Returns the Shannon entropy in bits per byte.
pub(super) fn entropy(text: &str) -> f64 {
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
