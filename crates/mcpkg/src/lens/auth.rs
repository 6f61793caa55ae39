//! Lowers the authentication of calls.
//!
//! The host sends the first variable of `configHints.env` that has a value, in the header
//! that the scheme implies. So if the call is a request, `env` must not contain a variable
//! that the source does not send.

use manifest_core::descriptor::{Auth, EnvVar, Invocation};
use manifest_core::format::{ToolContext, Writer};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

use super::call;
use super::header::{self, CredentialHeader};
use crate::rules::AUTH_TYPES;

/// The variable whose value is sent to a gateway. It is the first in `env`, so that the
/// host sends no other value if it is set.
const GATEWAY_TOKEN: &str = "TOOLGLOT_TOKEN";

/// The type to write if there are secrets, and the source does not declare how they are
/// sent.
const DEFAULT_TYPE: &str = "api_key";

/// The reason for writing a scheme and a variable in place of a header.
const HEADER_REASON: &str = "the scheme and the variable stand for the header";

/// Returns the header that the bridge sends, for a request that this format cannot express.
/// The request may have other headers.
fn bridge_header<'h>(tool: &'h ToolDescriptor<'_>) -> Option<CredentialHeader<'h>> {
    let Some(Invocation::Http(http)) = tool.invocation.as_deref() else { return None };
    http.headers.iter().find_map(|(name, value)| header::parse_credential(tool, name, value))
}

/// The value that `auth` is written from.
enum AuthSource<'t, 'a> {
    /// A declared scheme, written with all secrets.
    Scheme(&'t Sourced<Text<'a>>),
    /// A header that implies a scheme.
    Header(CredentialHeader<'t>),
    /// Variables that may be secret, and whose purpose is unknown. A program receives no
    /// values through `auth`; it only lists the variables to set.
    Secrets,
    Absent,
}

fn auth_source<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> AuthSource<'t, 'a> {
    if let Some(scheme) = &tool.auth.scheme
        && (own || AUTH_TYPES.contains(&scheme.as_ref()))
    {
        return AuthSource::Scheme(scheme);
    }
    if own {
        return AuthSource::Absent;
    }
    if let Some(http) = call::request(tool) {
        return match header::sole_credential(tool, http) {
            Some(header) => AuthSource::Header(header),
            None => AuthSource::Absent,
        };
    }
    let secrets = tool.package.env.iter().any(EnvVar::is_secret);
    match bridge_header(tool) {
        // The result is the same without the header.
        Some(header) if secrets && header.scheme == DEFAULT_TYPE => AuthSource::Secrets,
        Some(header) => AuthSource::Header(header),
        None if secrets => AuthSource::Secrets,
        None => AuthSource::Absent,
    }
}

/// Returns the variables that `env` may contain. With a request, a host would send public
/// ones too, so they are left out. A program receives no values through `auth`, so all are
/// listed.
fn listable_variables<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Vec<&'t EnvVar<'a>> {
    let all = own || call::request(tool).is_none();
    tool.package.env.iter().filter(|variable| all || variable.is_secret()).collect()
}

/// Returns the secrets that `env` does not list, because a host would send them with the
/// request.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let listed = match auth_source(tool, false) {
        AuthSource::Scheme(_) | AuthSource::Secrets => return Vec::new(),
        AuthSource::Header(_) if call::request(tool).is_none() => return Vec::new(),
        AuthSource::Header(header) => Some(header.variable),
        AuthSource::Absent => None,
    };
    let secrets = tool.package.env.iter().filter(|variable| variable.is_secret());
    secrets.filter(|variable| listed != Some(variable.name.value.as_ref())).collect()
}

/// Writes `auth`, if there is a scheme, a credential, a secret or a gateway.
pub(super) fn write(w: &mut Writer<'_>, lowered: &ToolContext<'_, '_>) {
    let ToolContext { tool, says: _, context } = lowered;
    let own = context.same_format;
    let mut names = EnvNames { first: None, variables: listable_variables(tool, own), own };
    if lowered.gateway_origin().is_some() {
        names.first = Some(FirstName::GatewayToken);
        w.member("auth").object(|w| {
            w.member("type").bridge("bearer");
            write_rest(w, tool, &names);
        });
        return;
    }
    match auth_source(tool, own) {
        AuthSource::Scheme(scheme) => w.member("auth").object(|w| {
            if scheme.at.is_some_and(|at| !at.exact) && !own {
                let why = "the scheme, and not that it is set up before the first call";
                w.member("type").approximate(&scheme.value, scheme.at.as_slice(), why);
            } else {
                w.member("type").copy(scheme);
            }
            write_rest(w, tool, &names);
        }),
        AuthSource::Header(header) => {
            // A program receives no values through `auth`, so other variables can be
            // listed.
            if call::request(tool).is_some() {
                names.variables.clear();
            }
            names.variables.retain(|one| one.name.value != header.variable);
            let (scheme, at) = (header.scheme, header.at);
            names.first = Some(FirstName::Header(header));
            w.member("auth").object(|w| {
                w.member("type").approximate(scheme, at.as_slice(), HEADER_REASON);
                write_rest(w, tool, &names);
            });
        }
        AuthSource::Secrets => w.member("auth").object(|w| {
            write_type(w, tool);
            write_rest(w, tool, &names);
        }),
        AuthSource::Absent => {}
    }
}

/// The elements of `env`.
struct EnvNames<'t, 'a> {
    first: Option<FirstName<'t>>,
    variables: Vec<&'t EnvVar<'a>>,
    /// True if the source has this format.
    own: bool,
}

/// A name that comes before those of other variables.
enum FirstName<'t> {
    GatewayToken,
    /// The variable of a header.
    Header(CredentialHeader<'t>),
}

impl EnvNames<'_, '_> {
    fn write(&self, w: &mut Writer<'_>) {
        match &self.first {
            Some(FirstName::GatewayToken) => w.item().bridge(GATEWAY_TOKEN),
            Some(FirstName::Header(CredentialHeader { variable, at, variable_at, .. })) => {
                let places: Vec<Place> = at.iter().chain(variable_at).copied().collect();
                w.item().approximate(*variable, &places, HEADER_REASON);
            }
            None => {}
        }
        for variable in &self.variables {
            match &variable.secret {
                Some(secret) if secret.value && !self.own => {
                    let why = "a name, and not that its value is secret";
                    w.item().approximate(&variable.name.value, variable.name.at.as_slice(), why);
                }
                _ => w.item().copy(&variable.name),
            }
        }
    }
}

/// Writes the type if the source does not declare one. It comes from the `secret` flag of
/// the only secret variable, or from all declared secrets together. If none is declared, it
/// is assumed.
fn write_type(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let slot = w.member("type");
    let why = "it is given secrets, and the source does not say how calls are authenticated";
    // The places of the flags and the names of the variables that are declared secret.
    let mut declared = Vec::new();
    for variable in &tool.package.env {
        if let Some(flag) = &variable.secret
            && flag.value
        {
            declared.push((flag.at, variable.name.at));
        }
    }
    match declared.as_slice() {
        [] => {
            let why = "a type must stand beside the names of variables, and the source has none";
            slot.assume(DEFAULT_TYPE, why);
        }
        // Any other variable that may be secret would lead to the same type.
        [(Some(flag), _)] if tool.package.env.iter().filter(|one| one.is_secret()).count() == 1 => {
            slot.approximate(DEFAULT_TYPE, &[*flag], why);
        }
        _ => {
            let places: Vec<Place> =
                declared.iter().filter_map(|(flag, name)| flag.or(*name)).collect();
            slot.approximate_joint(DEFAULT_TYPE, &places, why);
        }
    }
}

/// Writes the members after the type.
fn write_rest(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, names: &EnvNames<'_, '_>) {
    let Auth { scheme: _, scopes, docs_url } = &tool.auth;
    let mut others: Vec<(&Sourced<Text<'_>>, Vec<Place>)> = Vec::new();
    if !names.own {
        for (scope, used) in tool.used_scopes() {
            let Some(provider_scope) = &scope.provider_scope else { continue };
            let mut places: Vec<Place> = provider_scope.at.into_iter().collect();
            // If a tool lists the scopes that it uses, it does so by their names.
            if !tool.scopes_used.is_empty() {
                places.extend(scope.resource.at);
                places.extend(used);
            }
            others.push((provider_scope, places));
        }
    }
    if !scopes.is_empty() || !others.is_empty() {
        w.member("scopes").list(|w| {
            for scope in scopes {
                w.item().copy(scope);
            }
            for (scope, places) in others {
                let why = "what the tool does with it is not said";
                w.item().approximate(&scope.value, &places, why);
            }
        });
    }
    w.object_if_any("configHints", |w| {
        if names.first.is_some() || !names.variables.is_empty() {
            w.member("env").list(|w| names.write(w));
        }
        w.copy("docsUrl", docs_url.as_ref());
    });
}
