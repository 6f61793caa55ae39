//! Searching, against what a plain scan finds and what people expect.

use jumith::search::{Index, Query, SearchEntry};
use testkit::Rng;

const WORDS: [&str; 40] = [
    "send",
    "email",
    "mail",
    "message",
    "weather",
    "forecast",
    "file",
    "files",
    "read",
    "write",
    "convert",
    "image",
    "resize",
    "payment",
    "invoice",
    "calendar",
    "event",
    "create",
    "delete",
    "list",
    "translate",
    "text",
    "speech",
    "search",
    "web",
    "page",
    "fetch",
    "database",
    "query",
    "table",
    "chart",
    "report",
    "summarise",
    "document",
    "café",
    "naïve",
    "straße",
    "git",
    "commit",
    "branch",
];

struct Tool {
    name: String,
    summary: String,
    description: String,
    tags: Vec<&'static str>,
}

fn tools(count: usize) -> Vec<Tool> {
    let rng = &mut Rng::new(7);
    (0..count)
        .map(|_| {
            let mut words = |count: usize, by: &str| {
                (0..count).map(|_| rng.word(&WORDS)).collect::<Vec<_>>().join(by)
            };
            let (name, summary) = (words(2, "."), words(4, " "));
            let description = words(12, " ");
            let tags = (0..rng.below(3)).map(|_| rng.word(&WORDS)).collect();
            Tool { name, summary, description, tags }
        })
        .collect()
}

fn index(tools: &[Tool]) -> Index {
    Index::build(tools.iter().map(|tool| SearchEntry {
        name: &tool.name,
        summary: &tool.summary,
        description: &tool.description,
        tags: &tool.tags,
    }))
}

fn all(index: &Index, q: &str, tags: &[&str]) -> Vec<usize> {
    let found = index.search(&Query { q, tags, offset: 0, limit: usize::MAX });
    assert_eq!(found.total, found.entries.len());
    found.entries
}

/// Whether a tool has a word that begins with this one, in any of its texts.
fn has(tool: &Tool, word: &str) -> bool {
    let texts = [tool.name.as_str(), &tool.summary, &tool.description];
    let words = texts.iter().flat_map(|text| text.split([' ', '.']));
    words.chain(tool.tags.iter().copied()).any(|found| found.starts_with(word))
}

#[test]
fn all_tools_with_all_words_and_no_others() {
    let tools = tools(500);
    let index = index(&tools);
    for a in ["send", "mail", "fil", "s", "web"] {
        for b in ["", "read", "pay", "image"] {
            let mut found = all(&index, &format!("{a} {b}"), &[]);
            found.sort_unstable();
            let expected: Vec<usize> =
                (0..tools.len()).filter(|i| has(&tools[*i], a) && has(&tools[*i], b)).collect();
            assert_eq!(found, expected, "{a} {b}");
            assert!(!expected.is_empty());
        }
    }
}

#[test]
fn tags_narrow_the_search() {
    let tools = tools(300);
    let index = index(&tools);
    let tagged = |i: &usize| tools[*i].tags.iter().any(|tag| ["git", "café"].contains(tag));
    let mut found = all(&index, "send", &["GIT", "CAFE"]);
    found.sort_unstable();
    let expected: Vec<usize> =
        (0..tools.len()).filter(|i| has(&tools[*i], "send")).filter(tagged).collect();
    assert_eq!(found, expected);
    let only: Vec<usize> = (0..tools.len()).filter(tagged).collect();
    assert_eq!(all(&index, "", &["git", "café"]), only);
    assert!(all(&index, "send", &["nobody"]).is_empty());
}

#[test]
fn pages_are_parts_of_the_whole() {
    let tools = tools(200);
    let index = index(&tools);
    for q in ["send", "s", "file read", "emial"] {
        let whole = all(&index, q, &[]);
        for limit in [1, 7, 50] {
            let mut pages = Vec::new();
            for offset in (0..whole.len()).step_by(limit) {
                let page = index.search(&Query { q, tags: &[], offset, limit });
                assert_eq!(page.total, whole.len());
                pages.extend(page.entries);
            }
            assert_eq!(pages, whole, "{q} {limit}");
        }
        let past = index.search(&Query { q, tags: &[], offset: usize::MAX, limit: usize::MAX });
        assert!(past.entries.is_empty());
    }
}

#[test]
fn what_people_expect() {
    let entry = |name, summary, description| SearchEntry { name, summary, description, tags: &[] };
    let index = Index::build([
        entry("archive.mail", "Archive old messages", "Moves email away."),
        entry("email.send", "Send transactional email", "One message through SMTP."),
        entry("email", "Everything about email", ""),
        entry("sendSms", "Text somebody", "Sends a text message."),
        entry("weather.forecast", "Tell the weather", "For the next days."),
        entry("café.menu", "What is for lunch", "At the Café Zentral."),
    ]);
    let find = |q| all(&index, q, &[]);
    assert_eq!(find("email")[0], 2, "the very name comes first");
    assert_eq!(find("email").len(), 3, "and others after it");
    assert_eq!(find("email.send")[0], 1);
    assert_eq!(find("send email")[0], 1);
    assert_eq!(find("EMAIL SEND")[0], 1, "case and order do not matter");
    assert_eq!(find("wether"), [4], "a letter left out");
    assert_eq!(find("waether"), [4], "two letters swapped");
    assert_eq!(find("forcaste"), [4], "two slips in a long word");
    assert_eq!(find("cafe"), [5], "without the accent");
    assert_eq!(find("sms"), [3], "a part of a name");
    assert_eq!(find("weather qqqq"), [4], "a word that nobody has is passed over");
    assert_eq!(find("lunch smtp").len(), 2, "no tool has both, so each will do");
    assert!(find("qqqq").is_empty());
    assert!(find("?!").is_empty());
    assert!(find("xyz").is_empty(), "short words must be right");
}

/// A query is answered in bounded time, whatever is in it.
#[test]
fn hostile_queries() {
    let tools = tools(2000);
    let index = index(&tools);
    let long = "send ".repeat(100_000);
    let wide: Vec<String> = (0..10_000).map(|i| format!("w{i}")).collect();
    let wide = wide.join(" ");
    let giant = "x".repeat(1 << 20);
    for q in
        [long.as_str(), &wide, &giant, "\0", "\u{202e}", "e\u{301}\u{301}", "ﬀﬀﬀﬀ", "a b c d e"]
    {
        let found = index.search(&Query { q, tags: &[], offset: 0, limit: 20 });
        assert!(found.entries.len() <= 20);
    }
    let empty = Index::build([]);
    assert!(empty.is_empty() && all(&empty, "send", &[]).is_empty());
}
