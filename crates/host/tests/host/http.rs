//! Requests, to servers that behave.

use call::{Outcome, PlaceholderPosition, Request, Step, Template};
use toolglot_host::{Host, Options, Origin, Values};

use crate::support::{LONG, Server, answer, done, get, host};

fn request(method: &str, url: impl Into<String>, body: Option<&str>) -> Request {
    let headers = match body {
        Some(_) => vec![("Content-Type".to_owned(), Template::from("application/json"))],
        None => Vec::new(),
    };
    let url = Template::from(url.into());
    Request { method: method.to_owned(), url, headers, body: body.map(Into::into) }
}

async fn send(host: &Host, request: Request) -> Outcome {
    done(host, &Step::Send(request)).await
}

fn responded(outcome: Outcome) -> (u16, String) {
    match outcome {
        Outcome::Responded { status, body } => (status, String::from_utf8(body).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn why(outcome: Outcome) -> String {
    match outcome {
        Outcome::NotDone(why) => why,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_request_arrives_as_it_was_planned() {
    let server = Server::answering(|_| answer("201 Created", "", r#"{"id":7}"#)).await;
    let mut token = Template::from("Bearer ");
    token.push_placeholder("KEY", PlaceholderPosition::Header);
    let mut request = request("PUT", server.url("/a%2Fb?c=d%20e"), Some(r#"{"x":1.10}"#));
    request.headers.push(("X-Order".to_owned(), "1".into()));
    request.headers.push(("Authorization".to_owned(), token));
    let mut values = Values::new();
    values.set("KEY", "s3cret");
    let step = Step::Send(request);
    let outcome = host().run_unchecked(&step, &Origin::default(), &values, LONG).await;
    assert_eq!(responded(outcome), (201, r#"{"id":7}"#.to_owned()));
    let got = server.requests().remove(0);
    assert!(got.starts_with("PUT /a%2Fb?c=d%20e HTTP/1.1\r\n"), "{got}");
    assert!(got.ends_with("\r\n\r\n{\"x\":1.10}"), "{got}");
    let lower = got.to_ascii_lowercase();
    assert!(lower.contains("\r\nauthorization: bearer s3cret\r\n"));
    assert!(lower.contains("\r\nx-order: 1\r\n"));
    for absent in ["cookie:", "accept-encoding:", "referer:", "user-agent:"] {
        assert!(!lower.contains(absent), "{absent} in {got}");
    }
}

#[tokio::test]
async fn a_manifest_does_not_set_what_frames_a_message() {
    let server = Server::answering(|_| answer("200 OK", "", "")).await;
    for name in ["Host", "Content-Length", "Transfer-Encoding", "connection", "a b", ""] {
        let mut request = request("POST", server.url("/"), Some("{}"));
        request.headers.push((name.to_owned(), "1".into()));
        why(send(&host(), request).await);
    }
    assert!(server.requests().is_empty());
}

/// Row T31 of the catalogue of attacks.
#[tokio::test]
async fn private_addresses_are_not_reached_unless_allowed() {
    let server = Server::answering(|_| answer("200 OK", "", "hello")).await;
    let strict = Host::new(Options::default()).unwrap();
    let port = server.port;
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "127.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "0.0.0.0",
    ] {
        let url = format!("http://{host}:{port}/");
        let why = why(send(&strict, get(url)).await);
        assert!(why.contains("not one of the public internet"), "{host}: {why}");
    }
    assert!(server.requests().is_empty());
    for host_name in ["127.0.0.1", "localhost"] {
        let url = format!("http://{host_name}:{port}/");
        assert_eq!(responded(send(&host(), get(url)).await).0, 200);
    }
}

#[tokio::test]
async fn redirects_to_another_host_are_not_followed() {
    let other = Server::answering(|_| answer("200 OK", "", "other")).await;
    let port = other.port;
    for location in [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("//127.0.0.2:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let header = format!("Location: {location}\r\n");
        let server = Server::answering(move |_| answer("302 Found", &header, "away")).await;
        let outcome = send(&host(), get(server.url("/"))).await;
        assert_eq!(responded(outcome), (302, "away".to_owned()), "{location}");
        assert_eq!(server.requests().len(), 1);
    }
    assert!(other.requests().is_empty());
}

/// RFC 9110, 15.4: what becomes of method and body.
#[tokio::test]
async fn redirects_to_the_same_host_keep_the_meaning_of_the_method() {
    for (status, method, becomes) in [
        ("301 Moved Permanently", "POST", "GET /there HTTP/1.1|"),
        ("302 Found", "POST", "GET /there HTTP/1.1|"),
        ("303 See Other", "POST", "GET /there HTTP/1.1|"),
        ("303 See Other", "PUT", "GET /there HTTP/1.1|"),
        ("302 Found", "PUT", "PUT /there HTTP/1.1|{}"),
        ("307 Temporary Redirect", "POST", "POST /there HTTP/1.1|{}"),
        ("308 Permanent Redirect", "DELETE", "DELETE /there HTTP/1.1|{}"),
    ] {
        let server = Server::answering(move |request| {
            let is_there = request.contains(" /there ");
            let elsewhere = || answer(status, "Location: /there\r\n", "");
            if is_there { answer("200 OK", "", "there") } else { elsewhere() }
        })
        .await;
        let outcome = send(&host(), request(method, server.url("/here"), Some("{}"))).await;
        assert_eq!(responded(outcome), (200, "there".to_owned()), "{status} {method}");
        let second = server.requests().remove(1);
        let (head, body) = second.split_once("\r\n\r\n").unwrap();
        assert_eq!(format!("{}|{body}", head.lines().next().unwrap()), becomes);
        assert_eq!(body.is_empty(), !head.to_ascii_lowercase().contains("content-type:"));
    }
}

#[tokio::test]
async fn redirects_are_followed_five_times() {
    let server = Server::answering(|_| answer("302 Found", "Location: /again\r\n", "")).await;
    let outcome = send(&host(), get(server.url("/"))).await;
    assert_eq!(responded(outcome).0, 302);
    assert_eq!(server.requests().len(), 6);
}

#[tokio::test]
async fn nothing_is_decompressed() {
    let gzip = "\u{1f}not decompressed";
    let server =
        Server::answering(move |_| answer("200 OK", "Content-Encoding: gzip\r\n", gzip)).await;
    let outcome = send(&host(), get(server.url("/"))).await;
    assert_eq!(responded(outcome), (200, gzip.to_owned()));
}

/// The environment of a test cannot be changed: so the test runs itself with another.
#[tokio::test]
async fn proxies_of_the_environment_are_ignored_unless_asked_for() {
    const ASKED: &str = "TOOLGLOT_TEST_PROXIES";
    let server = Server::answering(|_| answer("200 OK", "", "direct")).await;
    let proxy = Server::answering(|_| answer("200 OK", "", "by proxy")).await;
    if let Ok(proxies) = std::env::var(ASKED) {
        let proxies = proxies == "yes";
        let options = Options { private_addresses: true, proxies, ..Options::default() };
        let host = Host::new(options).unwrap();
        let outcome = send(&host, get(server.url("/"))).await;
        let expected = if proxies { "by proxy" } else { "direct" };
        assert_eq!(responded(outcome), (200, expected.to_owned()));
        return;
    }
    for asked in ["yes", "no"] {
        let status = tokio::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "http::proxies_of_the_environment_are_ignored_unless_asked_for"])
            .envs([("http_proxy", proxy.url("")), ("HTTP_PROXY", proxy.url(""))])
            .env_remove("NO_PROXY")
            .env_remove("no_proxy")
            .env(ASKED, asked)
            .output()
            .await
            .unwrap();
        assert!(status.status.success(), "{asked}: {}", String::from_utf8_lossy(&status.stdout));
    }
    assert_eq!(proxy.requests().len(), 1);
}

/// As much as may be taken is taken, whether its length is told before or not.
#[tokio::test]
async fn an_answer_is_as_long_as_it_may_be() {
    for told in [true, false] {
        for (length, taken) in [((1 << 20) - 1, true), (1 << 20, true), ((1 << 20) + 1, false)] {
            let server = Server::answering(move |_| {
                let header =
                    if told { format!("Content-Length: {length}\r\n") } else { String::new() };
                let body = "x".repeat(length);
                format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{header}\r\n{body}")
            });
            let server = server.await;
            let outcome = send(&host(), get(server.url("/"))).await;
            match outcome {
                Outcome::Responded { body, .. } => assert!(taken && body.len() == length),
                Outcome::TooMuch { limit } => assert!(!taken && limit == 1 << 20, "{length}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

/// What is fetched comes with its mark; that there is nothing is told in words.
#[tokio::test]
async fn fetching() {
    let server = Server::answering(|request| {
        if request.starts_with("GET /large ") {
            answer("200 OK", "", &"x".repeat((1 << 20) + 1))
        } else {
            answer("203 Odd", "ETag: \"v1\"\r\n", "body")
        }
    });
    let server = server.await;
    let fetched = host().fetch(&get(server.url("/")), LONG).await.unwrap();
    assert_eq!((fetched.status, fetched.etag.as_deref()), (203, Some("\"v1\"")));
    assert_eq!(fetched.body, b"body");
    let large = host().fetch(&get(server.url("/large")), LONG).await.unwrap_err();
    assert!(large.contains("1048576 bytes"), "{large}");
    let strict = Host::new(Options::default()).unwrap();
    let private = strict.fetch(&get(server.url("/")), LONG).await.unwrap_err();
    assert!(private.contains("not one of the public internet"), "{private}");
}
