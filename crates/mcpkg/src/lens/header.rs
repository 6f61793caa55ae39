//! Headers that contain a credential.

use manifest_core::descriptor::Http;
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
    let (name, value) = headers.next().filter(|_| headers.next().is_none())?;
    let header = parse_credential(tool, name, value)?;
    let env = &tool.package.env;
    let known = env.iter().find(|known| known.name.value == header.variable);
    let given = known.is_none_or(|known| known.default.is_none());
    let said = tool.auth.scheme.as_ref().is_none_or(|said| {
        let first = env.first().is_some_and(|first| first.name.value == header.variable);
        said.value == header.scheme && first
    });
    (given && said).then_some(header)
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
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let known = tool.package.env.iter().find(|known| known.name.value == variable);
    (!variable.is_empty() && variable.bytes().all(plain)).then(|| CredentialHeader {
        scheme,
        variable,
        at: value.at,
        variable_at: known.and_then(|known| known.name.at),
    })
}
