//! Values in templates: the rows of section 5 of the attack catalogue.

use call::{Missing, Plan, Request, Step};
use manifest_core::Diagnostic;
use serde_json::{Value, json};

use super::{called, changed, codes, value};

fn plan(invocation: &Value, input: &Value) -> Result<Plan, Vec<Diagnostic>> {
    let manifest = changed(&[("/actions/0/invocation", invocation.clone())]);
    called(&manifest, &input.to_string(), &|name| value(name).is_some())
}

/// The codes of warnings.
fn warned(plan: &Plan) -> Vec<&str> {
    plan.warnings.iter().map(|found| found.rule.as_str()).collect()
}

fn argument(template: &str, input: &Value) -> Result<String, Vec<&'static str>> {
    let invocation = json!({"kind": "subcommand", "argv_template": [template]});
    match plan(&invocation, input).map_err(|problems| codes(&problems))?.step {
        Step::Run(program) => Ok(program.argv[2].fill(&value).unwrap()),
        step => panic!("{step:?}"),
    }
}

fn request(
    path: &str,
    headers: &Value,
    method: &str,
    input: &Value,
) -> Result<Request, Vec<&'static str>> {
    let invocation = json!({"kind": "http", "method": method, "path": path, "headers": headers});
    match plan(&invocation, input).map_err(|problems| codes(&problems))?.step {
        Step::Send(request) => Ok(request),
        step => panic!("{step:?}"),
    }
}

fn path(path: &str, input: &Value) -> Result<String, Vec<&'static str>> {
    let request = request(path, &json!({}), "GET", input)?;
    let url = request.fill_url(&value).unwrap();
    Ok(url.strip_prefix("https://api.good.com/v1").unwrap().to_owned())
}

fn header(template: &str, input: &Value) -> Result<String, Vec<&'static str>> {
    let request = request("/x", &json!({"X-Value": template}), "GET", input)?;
    Ok(request.headers[0].1.fill(&value).unwrap())
}

#[test]
fn what_is_no_template() {
    let templates = [
        "${env.API_KEY",
        "${",
        "${}",
        "${input}",
        "${input.}",
        "${env.}",
        "${foo.x}",
        "${ env.K }",
        "${ENV.K}",
        "${env.k}",
        "${input.${env.K}}",
        "${env.${input.x}}",
        "${${input.a}}",
        "${input.a[0]}",
        "${input.a..b}",
        "${input.a b}",
        "${REGION}",
    ];
    for template in templates {
        assert_eq!(argument(template, &json!({"a": "x"})), Err(vec!["template"]), "{template}");
    }
    assert_eq!(argument("a$", &json!({})).unwrap(), "a$");
    assert_eq!(argument("$a{b}", &json!({})).unwrap(), "$a{b}");
    assert_eq!(argument("$${env.REGION}}", &json!({})).unwrap(), "$eu west}");
    assert_eq!(argument("\\${env.REGION}", &json!({})).unwrap(), "\\eu west");
}

/// Rows T26 and T27 of the catalogue of attacks.
#[test]
fn what_has_no_value() {
    let missing = Err(vec!["missing-argument"]);
    let input = json!({"a": ["x"], "b": {"c": 1}});
    for template in [
        "${input.nope}",
        "${input.a.0}",
        "${input.b.d}",
        "${input.__proto__.x}",
        "${input.constructor}",
        "--x=${input.nope}",
    ] {
        assert_eq!(argument(template, &input), missing, "{template}");
    }
    assert_eq!(argument("${env.NOT_DECLARED}", &input), Err(vec!["template"]));
    let invocation = json!({"kind": "subcommand", "argv_template": ["${env.REGION}"]});
    let manifest = changed(&[("/actions/0/invocation", invocation)]);
    let made = called(&manifest, "{}", &|name| name == "API_KEY").unwrap();
    assert_eq!(made.missing, [Missing::Value("REGION".to_owned())]);
    let invocation = json!({"kind": "subcommand", "argv_template": ["${input.nope}"]});
    let problems = plan(&invocation, &json!({})).unwrap_err();
    assert_eq!(codes(&problems), ["missing-argument"]);
    assert_eq!(problems[0].pointer.as_str(), "/actions/0/invocation/argv_template/0");
}

/// Row T25 of the catalogue of attacks.
#[test]
fn values_are_written_as_json_writes_them() {
    let input = json!({"text": "a b", "number": 2.50, "yes": true, "deep": {"er": "x"},
        "none": null, "list": [1], "object": {}});
    let exact = r#"{"number": 2.50, "big": 9007199254740993}"#;
    assert_eq!(argument("${input.text}", &input).unwrap(), "a b");
    assert_eq!(argument("${input.yes}", &input).unwrap(), "true");
    assert_eq!(argument("<${input.deep.er}>", &input).unwrap(), "<x>");
    for name in ["none", "list", "object"] {
        let template = format!("${{input.{name}}}");
        assert_eq!(argument(&template, &input), Err(vec!["value"]), "{name}");
        assert_eq!(header(&template, &input), Err(vec!["value"]), "{name}");
        assert_eq!(path(&format!("/{template}"), &input), Err(vec!["value"]), "{name}");
    }
    // The spelling of a number is that of the input.
    let templates = json!(["${input.number}", "${input.big}"]);
    let invocation = json!({"kind": "subcommand", "argv_template": templates});
    let manifest = changed(&[("/actions/0/invocation", invocation)]);
    let plan = called(&manifest, exact, &|_| true).unwrap();
    let Step::Run(program) = plan.step else { panic!("a program") };
    assert_eq!(program.argv[2..], ["2.50".into(), "9007199254740993".into()]);
}

/// Row T12 of the catalogue of attacks.
#[test]
fn a_value_is_put_in_once() {
    for value in ["${env.API_KEY}", "${input.b}", "; rm -rf /", "$(x)", "`x`", "a\nb", "é\u{202e}"]
    {
        let input = json!({"a": value, "b": "no"});
        assert_eq!(argument("${input.a}", &input).unwrap(), value);
    }
    assert_eq!(argument("${input.a}", &json!({"a": "x\0y"})), Err(vec!["value"]));
    assert_eq!(argument("x\0", &json!({})), Err(vec!["value"]));
}

#[test]
fn secrets_stay_out_of_sight() {
    assert_eq!(argument("${env.API_KEY}", &json!({})), Err(vec!["secret-place"]));
    assert_eq!(path("/${env.API_KEY}", &json!({})), Err(vec!["secret-place"]));
    assert_eq!(path("/x?key=${env.API_KEY}", &json!({})), Err(vec!["secret-place"]));
    let stdin = json!({"kind": "stdin-json", "argv_template": ["${env.API_KEY}"]});
    assert_eq!(codes(&plan(&stdin, &json!({})).unwrap_err()), ["secret-place"]);

    let sent = request("/x", &json!({"Authorization": "Bearer ${env.API_KEY}"}), "GET", &json!({}));
    let sent = sent.unwrap();
    assert_eq!(sent.headers[0].1.fill(&value).unwrap(), "Bearer hunter2");
    assert_eq!(sent.headers[0].1.to_string(), "Bearer ${API_KEY}");

    let invocation = json!({"kind": "http", "method": "GET", "path": "/x",
        "headers": {"Authorization": "${env.API_KEY}"}});
    let manifest = changed(&[
        ("/actions/0/invocation", invocation),
        ("/runtime/endpoint_url", json!("http://api.good.com")),
    ]);
    let plan = called(&manifest, "", &|_| true).unwrap();
    assert_eq!(warned(&plan), ["call/insecure"]);
}

/// Rows T17 and T18 of the catalogue of attacks.
#[test]
fn a_value_is_one_segment_of_a_path() {
    let cases = [
        ("a/b", "a%2Fb"),
        ("a?b", "a%3Fb"),
        ("a#b", "a%23b"),
        ("a%2fb", "a%252fb"),
        ("a\\b", "a%5Cb"),
        ("a;b", "a%3Bb"),
        ("é", "%C3%A9"),
        (" ", "%20"),
        ("a-b._~", "a-b._~"),
        ("...", "..."),
        ("@evil.com", "%40evil.com"),
        ("\r\n", "%0D%0A"),
        ("..%2f", "..%252f"),
    ];
    for (value, encoded) in cases {
        let input = json!({"a": value});
        assert_eq!(path("/x/${input.a}/y", &input).unwrap(), format!("/x/{encoded}/y"));
        let url = path("/x?q=${input.a}&r=1", &input).unwrap();
        assert_eq!(url, format!("/x?q={encoded}&r=1"));
    }
    for value in ["..", ".", ""] {
        assert_eq!(path("/x/${input.a}", &json!({"a": value})), Err(vec!["value"]), "{value:?}");
    }
    assert_eq!(path("/${input.a}${input.b}", &json!({"a": ".", "b": "."})), Err(vec!["value"]));
    assert_eq!(path("/%2e${input.b}/x", &json!({"b": "."})), Err(vec!["value"]));
    assert_eq!(path("/x/../y", &json!({})), Err(vec!["value"]));
    assert_eq!(path("/x?q=${input.a}", &json!({"a": ""})).unwrap(), "/x?q=");
}

/// Rows T19 and T20 of the catalogue of attacks.
#[test]
fn a_path_stays_on_its_host() {
    for bad in [
        "@evil.com/x",
        ".evil.com",
        ":8080/",
        "//evil.com/",
        "\\evil",
        "x",
        "",
        "/a\\b",
        "/a b",
        "/a#b",
        "${input.a}/x",
    ] {
        assert_eq!(path(bad, &json!({"a": "x"})), Err(vec!["value"]), "{bad}");
    }
    let endpoints = [
        ("https://api.good.com/v1?x=1", "url"),
        ("https://u:p@h/", "url"),
        ("file:///etc", "url"),
        ("https://${env.REGION}/", "url"),
        ("https://h:99999/", "url"),
    ];
    for (endpoint, code) in endpoints {
        let invocation = json!({"kind": "http", "method": "GET", "path": "/x"});
        let manifest = changed(&[
            ("/actions/0/invocation", invocation),
            ("/runtime/endpoint_url", json!(endpoint)),
        ]);
        let refused = called(&manifest, "", &|_| true).unwrap_err();
        assert_eq!(codes(&refused), [code], "{endpoint}");
    }
}

#[test]
fn a_header_is_one_line() {
    for value in ["x\r\nX-Evil: 1", "x\ny", "x\0", "x\u{85}", "é", " x", "x "] {
        assert_eq!(header("${input.a}", &json!({"a": value})), Err(vec!["value"]), "{value:?}");
        assert_eq!(header(value, &json!({})), Err(vec!["value"]), "{value:?}");
    }
    assert_eq!(header("a\tb ${input.a}", &json!({"a": "c d"})).unwrap(), "a\tb c d");

    for name in ["A B", "A:", "", "\u{212a}", "X\r\nY"] {
        let sent = request("/x", &json!({name: "x"}), "GET", &json!({}));
        assert_eq!(sent.unwrap_err(), ["value"], "{name:?}");
    }
    for name in ["Host", "content-length", "Transfer-Encoding", "CONNECTION"] {
        let sent = request("/x", &json!({name: "x"}), "GET", &json!({}));
        assert_eq!(sent.unwrap_err(), ["value"], "{name}");
    }
    let twice = json!({"Authorization": "a", "authorization": "b"});
    assert_eq!(request("/x", &twice, "GET", &json!({})).unwrap_err(), ["value"]);
}

/// Row T29 of the catalogue of attacks.
#[test]
fn a_body_is_the_input_without_the_path() {
    let input = json!({"id": 7, "user": {"name": "a", "age": 3}, "note": "n", "q": "z"});
    let sent = request(
        "/x/${input.id}/${input.user.name}?q=${input.q}",
        &json!({"X-Note": "${input.note}"}),
        "POST",
        &input,
    )
    .unwrap();
    assert_eq!(sent.url, "https://api.good.com/v1/x/7/a?q=z".into());
    let body: Value = serde_json::from_str(&sent.body.unwrap().to_string()).unwrap();
    assert_eq!(body, json!({"user": {"age": 3}, "note": "n"}));
    assert_eq!(sent.headers[1].0, "Content-Type");

    let invocation = json!({"kind": "http", "method": "DELETE", "path": "/x/${input.id}",
        "headers": {"X-Note": "${input.note}"}});
    let plan = plan(&invocation, &input).unwrap();
    assert_eq!(warned(&plan), ["call/unsent", "call/unsent"]);
    let Step::Send(sent) = plan.step else { panic!("a request") };
    assert_eq!(sent.body, None);
    assert_eq!(sent.headers.len(), 1);

    // A whole and a part of it.
    let sent = request("/${input.user.name}/${input.user.name}", &json!({}), "PUT", &input);
    assert_eq!(sent.unwrap().url, "https://api.good.com/v1/a/a".into());
}

/// Row T28 of the catalogue of attacks.
#[test]
fn limits() {
    let long = "x".repeat(16 << 10);
    assert_eq!(argument(&long, &json!({})).unwrap(), long);
    assert_eq!(argument(&format!("{long}x"), &json!({})), Err(vec!["size"]));
    let input = json!({"a": "x".repeat(1 << 10)});
    assert_eq!(argument(&"${input.a}".repeat(64), &input).unwrap().len(), 64 << 10);
    assert_eq!(argument(&"${input.a}".repeat(65), &input), Err(vec!["size"]));
    let input = json!({"a": "x".repeat((1 << 10) + 1)});
    assert_eq!(argument(&"${input.a}".repeat(64), &input), Err(vec!["size"]));
}

#[test]
fn a_value_that_looks_like_an_option() {
    let warned = |templates: Value, value: &str| {
        let invocation = json!({"kind": "subcommand", "argv_template": templates});
        plan(&invocation, &json!({"a": value})).unwrap().warnings.len()
    };
    assert_eq!(warned(json!(["${input.a}"]), "--config=/etc/passwd"), 1);
    assert_eq!(warned(json!(["--to", "${input.a}"]), "-rf"), 1);
    assert_eq!(warned(json!(["--", "${input.a}"]), "-rf"), 0);
    assert_eq!(warned(json!(["--to=${input.a}"]), "-rf"), 0);
    assert_eq!(warned(json!(["--limit", "${input.a}"]), "-5"), 0);
}

#[test]
fn all_problems_at_once() {
    let templates = json!(["${input.a}", "${env.API_KEY}", "${nope}"]);
    let invocation = json!({"kind": "subcommand", "argv_template": templates});
    let problems = plan(&invocation, &json!({})).unwrap_err();
    assert_eq!(codes(&problems), ["missing-argument", "secret-place", "template"]);
}
