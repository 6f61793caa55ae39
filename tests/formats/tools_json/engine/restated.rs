//! Go's rules, written a second time and another way.

/// `path.Clean`, as its documentation states it: four rewritings of the list of
/// elements, until none applies.
pub(crate) fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut elements: Vec<&str> = path.split('/').collect();
    loop {
        let before = elements.len();
        elements.retain(|element| !matches!(*element, "" | "."));
        let inner = elements.windows(2).position(|w| w[0] != ".." && w[1] == "..");
        if let Some(at) = inner {
            elements.drain(at..at + 2);
        }
        if rooted && elements.first() == Some(&"..") {
            elements.remove(0);
        }
        if elements.len() == before {
            break;
        }
    }
    let joined = elements.join("/");
    match (rooted, joined.as_str()) {
        (true, _) => format!("/{joined}"),
        (false, "") => ".".to_owned(),
        (false, _) => joined,
    }
}

/// What the reference makes of a program on a POSIX host, in its own order of
/// questions: the path that it runs, or the words that its refusal begins with.
pub(crate) fn program(program: &str, directory: &str) -> Result<String, &'static str> {
    if program.starts_with('/') {
        return Ok(program.to_owned());
    }
    let raw = program.replace('\\', "/");
    let mut norm = clean(&raw);
    if norm == "tools" || norm.starts_with("tools/") {
        norm.insert_str(0, "./");
    }
    if norm == ".." || norm.starts_with("../") {
        return Err("command[0] must not start with '..' or escape tools/bin");
    }
    let inside = norm.starts_with("./tools/bin/");
    if raw == "./tools/bin" || raw.starts_with("./tools/bin/") {
        if !inside {
            return Err("command[0] escapes ./tools/bin after normalization");
        }
    } else if !inside {
        return Err("relative command[0] must start with ./tools/bin/");
    }
    Ok(format!("{directory}/{}", &norm[2..]))
}

/// Unicode's `White_Space`, which `unicode.IsSpace` is.
pub(crate) fn is_space(c: char) -> bool {
    "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}".contains(c)
        || ('\u{2000}'..='\u{200a}').contains(&c)
}

/// `strings.Join(strings.Fields(text), " ")`, one character at a time.
pub(crate) fn one_line(text: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    for c in text.chars() {
        if is_space(c) {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

/// The characters of bytes, and nothing for each byte that is part of none.
pub(crate) fn decode(mut bytes: &[u8]) -> Vec<Option<char>> {
    let mut out = Vec::new();
    while !bytes.is_empty() {
        let found = (1..=bytes.len().min(4)).find_map(|length| {
            let text = std::str::from_utf8(&bytes[..length]).ok()?;
            Some((text.chars().next()?, length))
        });
        out.push(found.map(|(c, _)| c));
        bytes = &bytes[found.map_or(1, |(_, length)| length)..];
    }
    out
}

/// A string as `json.Marshal` writes it.
pub(crate) fn marshal(bytes: &[u8]) -> String {
    let one = |c: Option<char>| match c {
        None => r"\ufffd".to_owned(),
        Some(c) if "<>&\u{2028}\u{2029}".contains(c) => format!("\\u{:04x}", u32::from(c)),
        // Everything else is as in any other JSON.
        Some(c) => {
            let quoted = serde_json::to_string(&c).unwrap();
            quoted[1..quoted.len() - 1].to_owned()
        }
    };
    let text: String = decode(bytes).into_iter().map(one).collect();
    format!("\"{text}\"")
}

/// An environment variable's name, trimmed and in upper case, if it is one.
pub(crate) fn env_name(name: &str) -> Option<String> {
    let upper: String = name
        .trim_matches(is_space)
        .chars()
        .map(|c| match c {
            'ſ' => 'S',
            'ı' => 'I',
            'a'..='z' => char::from(u8::try_from(c).unwrap() - 32),
            c => c,
        })
        .collect();
    let valid = regex::Regex::new("^[A-Z_][A-Z0-9_]*$").unwrap();
    // The reference's `$` is the end of the text, never before a line break.
    valid.is_match(&upper).then_some(upper)
}
