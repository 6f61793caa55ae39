//! The published loader, restated from its description: the verdicts, messages and answers that
//! the `reference` profile and the lens are compared with.

use serde_json::{Map, Value, json};

/// A manifest's tool, as the loader reads it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) schema: Option<Value>,
    pub(crate) command: Vec<String>,
    pub(crate) timeout: i64,
    pub(crate) env: Vec<String>,
}

/// Reads the tools of a manifest whose values have the right types. The case of names does not
/// count, `null` counts as missing, and the last of equal names wins.
pub(crate) fn decode(manifest: &Value) -> Vec<Tool> {
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let texts = |value| list(value).iter().map(|one| text(Some(one))).collect();
    let tools = list(member(manifest, "tools"));
    let tools = tools.iter().map(|tool| Tool {
        name: text(member(tool, "name")),
        description: text(member(tool, "description")),
        schema: member(tool, "schema").cloned(),
        command: texts(member(tool, "command")),
        timeout: member(tool, "timeoutSec").and_then(Value::as_i64).unwrap_or_default(),
        env: texts(member(tool, "envPassthrough")),
    });
    tools.collect()
}

fn member<'v>(object: &'v Value, name: &str) -> Option<&'v Value> {
    let mut members = object.as_object()?.iter().rev();
    members.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// Checks the tools. The first problem stops the loader.
pub(crate) fn check(tools: &[Tool]) -> Result<(), String> {
    for (i, tool) in tools.iter().enumerate() {
        if tool.name.is_empty() {
            return Err(format!("tool[{i}]: name is required"));
        }
        let about = |message: String| format!("tool[{i}] {}: {message}", quote(&tool.name));
        if tools.iter().take(i).any(|earlier| earlier.name == tool.name) {
            return Err(about("duplicate name".to_owned()));
        }
        let Some(first) = tool.command.first() else {
            return Err(about("command must have at least program name".to_owned()));
        };
        for (j, name) in tool.env.iter().enumerate() {
            if name.trim_matches(is_space).is_empty() {
                return Err(about(format!("envPassthrough[{j}]: empty name")));
            }
            if env_name(name).is_none() {
                let name = quote(name);
                return Err(about(format!(
                    "envPassthrough[{j}]: invalid name {name} (must match [A-Z_][A-Z0-9_]*)"
                )));
            }
        }
        program(first, "").map_err(about)?;
    }
    Ok(())
}

/// Returns the loader's registry of valid tools: each tool by its name, with its program's path.
pub(crate) fn registry(tools: &[Tool], directory: &str) -> Value {
    let mut registry = Map::new();
    for tool in tools {
        let mut command = tool.command.clone();
        command[0] = program(&command[0], directory).unwrap();
        let mut entry = json!({"name": tool.name, "command": command});
        if !tool.description.is_empty() {
            entry["description"] = json!(tool.description);
        }
        if let Some(schema) = &tool.schema {
            entry["schema"] = schema.clone();
        }
        match tool.timeout {
            0 => {}
            // The recorded answers were written in JavaScript.
            i64::MAX => entry["timeoutSec"] = json!(9_223_372_036_854_776_000_u64),
            seconds => entry["timeoutSec"] = json!(seconds),
        }
        let mut names: Vec<String> = Vec::new();
        for name in tool.env.iter().filter_map(|name| env_name(name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if !names.is_empty() {
            entry["envPassthrough"] = json!(names);
        }
        registry.insert(tool.name.clone(), entry);
    }
    Value::Object(registry)
}

/// Returns the functions that are sent to the provider, and `null` if there are none.
pub(crate) fn openai_tools(tools: &[Tool]) -> Value {
    let mut functions = Vec::new();
    for tool in tools {
        let mut function = json!({"name": tool.name});
        if !tool.description.is_empty() {
            function["description"] = json!(tool.description);
        }
        if let Some(schema) = &tool.schema {
            function["parameters"] = schema.clone();
        }
        functions.push(json!({"type": "function", "function": function}));
    }
    if functions.is_empty() { Value::Null } else { Value::Array(functions) }
}

/// Returns the path that a program has on a POSIX host, or the refusal, in the loader's order of
/// questions.
pub(crate) fn program(program: &str, directory: &str) -> Result<String, String> {
    if program.starts_with('/') {
        return Ok(program.to_owned());
    }
    let raw = program.replace('\\', "/");
    let mut norm = clean(&raw);
    if norm == "tools" || norm.starts_with("tools/") {
        norm.insert_str(0, "./");
    }
    let got = quote(program);
    if norm == ".." || norm.starts_with("../") {
        return Err(format!("command[0] must not start with '..' or escape tools/bin (got {got})"));
    }
    if norm.starts_with("./tools/bin/") {
        return Ok(format!("{directory}/{}", &norm[2..]));
    }
    if raw == "./tools/bin" || raw.starts_with("./tools/bin/") {
        let norm = quote(&norm);
        return Err(format!(
            "command[0] escapes ./tools/bin after normalization (got {got} -> {norm})"
        ));
    }
    Err("relative command[0] must start with ./tools/bin/".to_owned())
}

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

/// `%q`. The standard library and Go escape the same characters inside a text,
/// each in its own way.
pub(crate) fn quote(text: &str) -> String {
    let quoted: String = text.chars().map(quote_one).collect();
    format!("\"{quoted}\"")
}

fn quote_one(c: char) -> String {
    let code = u32::from(c);
    match c {
        '"' | '\\' => format!("\\{c}"),
        '\'' => c.to_string(),
        '\u{7}' => "\\a".to_owned(),
        '\u{8}' => "\\b".to_owned(),
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\u{b}' => "\\v".to_owned(),
        '\u{c}' => "\\f".to_owned(),
        '\r' => "\\r".to_owned(),
        c if is_shown(c) => c.to_string(),
        _ if code < 0x80 => format!("\\x{code:02x}"),
        _ if code < 0x10000 => format!("\\u{code:04x}"),
        _ => format!("\\U{code:08x}"),
    }
}

/// Returns true if the standard library shows a character without an escape.
pub(crate) fn is_shown(c: char) -> bool {
    // Behind a letter, so that a combining mark is not escaped for being first.
    format!("x{c}").escape_debug().skip(1).eq([c])
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

/// The text of bytes, with one replacement character for each byte that is part of none.
pub(crate) fn decode_lossy(mut bytes: &[u8]) -> String {
    let mut out = String::new();
    while !bytes.is_empty() {
        let found = (1..=bytes.len().min(4)).find_map(|length| {
            let text = std::str::from_utf8(&bytes[..length]).ok()?;
            Some((text.chars().next()?, length))
        });
        let (c, length) = found.unwrap_or(('\u{fffd}', 1));
        out.push(c);
        bytes = &bytes[length..];
    }
    out
}

/// An environment variable's name, trimmed and in upper case, if it is one.
pub(crate) fn env_name(name: &str) -> Option<String> {
    // Simple case mapping: a character that becomes two stays as it is.
    let upper = |c: char| match c.to_uppercase().collect::<Vec<_>>()[..] {
        [upper] => upper,
        _ => c,
    };
    let name: String = name.trim_matches(is_space).chars().map(upper).collect();
    let valid = name.chars().enumerate().all(|(at, c)| match c {
        'A'..='Z' | '_' => true,
        '0'..='9' => at > 0,
        _ => false,
    });
    (valid && !name.is_empty()).then_some(name)
}
