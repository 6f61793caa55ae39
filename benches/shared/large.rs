//! A large `tools.json`, and the memory that reading it takes.

/// The most memory that this process has had, in bytes.
pub(crate) fn peak() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

/// One tool of a `tools.json`, after a comma if it is not the first.
pub(crate) fn tool(number: usize) -> String {
    let comma = if number > 0 { "," } else { "" };
    format!(
        r#"{comma}
    {{
      "name": "get_time_{number}",
      "description": "Get current time for an IANA timezone",
      "schema": {{
        "type": "object",
        "properties": {{
          "timezone": {{"type": "string", "description": "IANA timezone, e.g. Europe/Helsinki"}},
          "tz": {{"type": "string", "description": "Alias for timezone (deprecated)"}}
        }},
        "required": ["timezone"],
        "additionalProperties": false
      }},
      "command": ["./tools/bin/get_time_{number}"],
      "timeoutSec": 5,
      "envPassthrough": ["TZ", "OAI_HTTP_TIMEOUT"]
    }}"#
    )
}
