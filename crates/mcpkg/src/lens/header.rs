//! Headers that contain a credential.

use manifest_core::descriptor::{EnvVar, Http};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

/// A header that an authentication scheme implies.
pub(super) struct CredentialHeader<'h> {
    pub(super) scheme: &'static str,
    pub(super) variable: &'h str,
    /// The place of the header.
    pub(super) at: Option<Place>,
    /// The place of the variable's name.
    pub(super) variable_at: Option<Place>,
}

/// Returns the only header of a request, if an authentication scheme implies it. It must
/// agree with the scheme that the tool declares, if any. Its variable must not have a
/// default, because a scheme cannot express one.
pub(super) fn sole_credential<'h>(
    tool: &'h ToolDescriptor<'_>,
    http: &'h Http<'_>,
) -> Option<CredentialHeader<'h>> {
    let mut headers = http.headers.iter();
    let (Some((name, value)), None) = (headers.next(), headers.next()) else { return None };
    let header = parse_credential(tool, name, value)?;
    if let Some(variable) = find_variable(tool, header.variable)
        && variable.default.is_some()
    {
        return None;
    }
    if let Some(declared) = &tool.auth.scheme {
        let first = tool.package.env.first()?;
        if declared.value != header.scheme || first.name.value != header.variable {
            return None;
        }
    }
    Some(header)
}

fn find_variable<'t, 'a>(tool: &'t ToolDescriptor<'a>, name: &str) -> Option<&'t EnvVar<'a>> {
    tool.package.env.iter().find(|variable| variable.name.value == name)
}

/// Parses a header whose value is one variable, in the form that a scheme requires.
pub(super) fn parse_credential<'h>(
    tool: &'h ToolDescriptor<'_>,
    name: &str,
    value: &'h Sourced<Text<'_>>,
) -> Option<CredentialHeader<'h>> {
    let (scheme, prefix) = match name.to_ascii_lowercase().as_str() {
        "authorization" => ("bearer", "Bearer "),
        "x-api-key" => ("api_key", ""),
        _ => return None,
    };
    let variable = value.strip_prefix(prefix)?.strip_prefix("${env.")?.strip_suffix('}')?;
    let is_plain = variable.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if variable.is_empty() || !is_plain {
        return None;
    }
    let variable_at = match find_variable(tool, variable) {
        Some(declared) => declared.name.at,
        None => None,
    };
    Some(CredentialHeader { scheme, variable, at: value.at, variable_at })
}
