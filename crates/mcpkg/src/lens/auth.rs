//! How calls are authenticated.
//!
//! The host sends the first variable of `configHints.env` that has a value, in the
//! header that the scheme stands for. So no variable may be named there that the source
//! does not send, where the call is a request.

use manifest_core::convert::{Tool, Writer};
use manifest_core::descriptor::{Auth, EnvVar, Http};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

use super::call;
use crate::rules::AUTH_TYPES;

/// A header that a scheme stands for.
pub(super) struct Header<'h> {
    scheme: &'static str,
    variable: &'h str,
    /// The places of the header and of the variable.
    places: Vec<Place>,
    /// Those of the rest of the call: a request that cannot be said has no scheme.
    call: [Option<Place>; 3],
}

/// The header of a request, if it has one, which a scheme stands for: the one that is
/// said besides, where one is. A variable that has a value when nobody gives one is more
/// than a scheme says.
pub(super) fn header<'h>(tool: &'h ToolDescriptor<'_>, http: &'h Http<'_>) -> Option<Header<'h>> {
    let mut headers = http.headers.iter();
    let (name, value) = headers.next()?;
    let (scheme, prefix) = match name.to_ascii_lowercase().as_str() {
        "authorization" => ("bearer", "Bearer "),
        "x-api-key" => ("api_key", ""),
        _ => return None,
    };
    let variable = value.strip_prefix(prefix)?.strip_prefix("${env.")?.strip_suffix('}')?;
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let env = &tool.package.env;
    let known = env.iter().find(|known| known.name.value == variable);
    let given = known.is_none_or(|known| known.default.is_none());
    let said = tool.auth.scheme.as_ref().is_none_or(|said| {
        said.value == scheme && env.first().is_some_and(|first| first.name.value == variable)
    });
    let alone = headers.next().is_none() && !variable.is_empty();
    (alone && given && said && variable.bytes().all(plain)).then(|| Header {
        scheme,
        variable,
        places: value.at.into_iter().chain(known.and_then(|known| known.name.at)).collect(),
        call: [http.method.at, http.url.at, http.path.as_ref().and_then(|path| path.at)],
    })
}

/// Writes `auth`, if there is anything to say.
pub(super) fn write(w: &mut Writer<'_>, Tool { tool, says: _, context }: &Tool<'_, '_>) {
    let own = context.own;
    let env = &tool.package.env;
    let secrets: Vec<&EnvVar<'_>> = env.iter().filter(|one| own || one.is_secret()).collect();
    let names = |w: &mut Writer<'_>| secrets.iter().for_each(|one| write_name(w, one, own));
    let known = |scheme: &&Sourced<Text<'_>>| own || AUTH_TYPES.contains(&scheme.as_ref());
    let scheme = tool.auth.scheme.as_ref().filter(known);
    let request = call::request(tool);
    let header = request.filter(|_| !own).and_then(|http| header(tool, http));
    if let Some(scheme) = scheme {
        w.member("auth").object(|w| {
            w.member("type").copy(scheme);
            write_rest(w, tool, own, (!secrets.is_empty()).then_some(&names));
        });
    } else if let Some(Header { scheme, variable, places, call }) = header {
        let why = "the scheme and the variable stand for the header";
        let name = |w: &mut Writer<'_>| w.item().approximate(variable, &places, why);
        let decide: Vec<Place> = places.iter().copied().chain(call.into_iter().flatten()).collect();
        w.member("auth").object(|w| {
            w.member("type").approximate(scheme, &decide, why);
            write_rest(w, tool, own, Some(&name));
        });
    } else if request.is_none() && !secrets.is_empty() && !own {
        // A program is given nothing by this: it says what must be set.
        let places: Vec<Place> = secrets.iter().flat_map(|one| places(one)).collect();
        let why = "the source names secrets, and not what they are for";
        w.member("auth").object(|w| {
            w.member("type").approximate("api_key", &places, why);
            write_rest(w, tool, own, Some(&names));
        });
    }
}

/// Writes what follows the type. `names` are the elements of `env`.
fn write_rest(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    own: bool,
    names: Option<&dyn Fn(&mut Writer<'_>)>,
) {
    let Auth { scheme: _, scopes, docs_url } = &tool.auth;
    let others = tool.package.scopes.iter().filter_map(|scope| scope.provider_scope.as_ref());
    let others: Vec<&Sourced<Text<'_>>> = others.filter(|_| !own).collect();
    if !scopes.is_empty() || !others.is_empty() {
        w.member("scopes").list(|w| {
            for scope in scopes {
                w.item().copy(scope);
            }
            for scope in others {
                let why = "what the tool does with it is not said";
                w.item().approximate(&scope.value, scope.at.as_slice(), why);
            }
        });
    }
    w.some_object("configHints", |w| {
        if let Some(names) = names {
            w.member("env").list(|w| names(w));
        }
        w.copy("docsUrl", docs_url.as_ref());
    });
}

/// A variable, by its name. That its value is known to be secret is why it stands here.
fn write_name(w: &mut Writer<'_>, variable: &EnvVar<'_>, own: bool) {
    match &variable.secret {
        Some(_) if !own => {
            let why = "a name, and not that its value is secret";
            w.item().approximate(&variable.name.value, &places(variable), why);
        }
        _ => w.item().copy(&variable.name),
    }
}

/// Where a variable is named and called secret.
fn places(variable: &EnvVar<'_>) -> Vec<Place> {
    let secret = variable.secret.as_ref().and_then(|secret| secret.at);
    variable.name.at.into_iter().chain(secret).collect()
}
