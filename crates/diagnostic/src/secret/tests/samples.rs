//! A secret of each shape, for tests.

/// Returns pseudo-random characters that are the same on every machine.
fn noise(length: usize, alphabet: &str) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = 0x9e37_79b9_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        alphabet[usize::try_from(state >> 33).unwrap() % alphabet.len()]
    };
    (0..length).map(|_| next()).collect()
}

const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Returns a secret of each shape.
pub(super) fn samples() -> Vec<String> {
    [keys(), settings()].concat()
}

/// Returns keys and tokens that need no name before them.
fn keys() -> Vec<String> {
    let any = |length| noise(length, BASE62);
    let hex = |length| noise(length, "0123456789abcdef");
    vec![
        format!("ghp_{}", any(36)),
        // Without a digit.
        format!("ghp_{}", noise(36, BASE62.trim_end_matches(char::is_numeric))),
        format!("github_pat_{}", any(82)),
        format!("glpat-{}", any(20)),
        format!("xoxb-123456789012-123456789012-{}", any(24)),
        format!("https://hooks.slack.com/services/T{0}/B{0}/{1}", "0AB12CD34", any(24)),
        format!("AKIA{}", noise(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")),
        format!("sk_live_{}", any(24)),
        format!("sk-ant-api03-{}AA", any(93)),
        format!("sk-proj-{}T3BlbkFJ{}", any(74), any(74)),
        format!("AIza{}", any(35)),
        format!("npm_{}", any(36)),
        format!("hf_{}", any(34)),
        format!("dop_v1_{}", hex(64)),
        format!("SG.{}.{}", any(22), any(43)),
        format!("hvs.{}", any(24)),
        format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", any(30), any(43)),
        format!("-----BEGIN RSA PRIVATE KEY-----\nMIIE{}", any(60)),
        format!("-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\nlQPG{}", any(60)),
        format!("glrt-{}", any(20)),
        format!("glcbt-64_{}", any(20)),
        format!("glptt-{}", hex(40)),
        format!("110201543:AA{}", any(33)),
        format!("M{}.{}.{}", any(25), any(6), any(38)),
        format!("https://discord.com/api/webhooks/1234567890123456789/{}", any(68)),
        format!("dp.pt.{}", any(43)),
        format!("dp.st.dev.{}", any(43)),
        format!("gsk_{}", any(52)),
        format!("xai-{}", any(80)),
        format!("pplx-{}", any(48)),
        format!("r8_{}", any(37)),
        format!("lsv2_pt_{}_{}", hex(32), hex(10)),
        format!("ntn_{}{}", noise(11, "0123456789"), any(35)),
        format!("sbp_{}", hex(40)),
        format!("glsa_{}_{}", any(32), hex(8)),
        format!("sntryu_{}", hex(64)),
        format!("sntrys_eyJ{}_{}", any(120), any(43)),
        format!("NRAK-{}", noise(27, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")),
        format!("ATATT3{}", any(186)),
        format!("ops_eyJ{}", any(400)),
        format!("fo1_{}", any(43)),
        format!("pscale_tkn_{}", any(43)),
        format!("pul-{}", hex(40)),
        format!("rubygems_{}", hex(48)),
        format!("key-{}", hex(32)),
        format!("{}-{}-{}", hex(32), hex(8), hex(8)),
        format!("SK{}", hex(32)),
        format!("AC{}:{}", hex(32), hex(32)),
    ]
}

/// Returns secrets that are recognised by the text around them: a name, a scheme, a URL.
fn settings() -> Vec<String> {
    let any = |length| noise(length, BASE62);
    let hex = |length| noise(length, "0123456789abcdef");
    vec![
        format!("API_TOKEN={}", any(32)),
        format!("TWILIO_AUTH_TOKEN={}", hex(32)),
        format!("https://a.blob.core.windows.net/c?sv=2024-11-04&sig={}%2B{}%3D", any(20), any(22)),
        format!("aws_secret_access_key = {}/{}+{}", any(12), any(13), any(13)),
        format!("Authorization: Bearer {}", any(40)),
        "Authorization: Basic bWU6aHVudGVyMg==".to_owned(),
        "Server=tcp:db.acme.net,1433;Database=x;User ID=me;Password=correcthorse;".to_owned(),
        "postgres://admin:hunter2@db.example.com/x".to_owned(),
        "https://db.acme.net/login?password=correcthorse".to_owned(),
        "host=db.acme.net password=correcthorse".to_owned(),
        "host=localhost user=me password=hunter2 dbname=x".to_owned(),
        "https://api.acme.net/login?user=me&pwd=hunt%40er2".to_owned(),
        // Short secrets.
        "--password=hunter2".to_owned(),
        "pwd=a1b2".to_owned(),
        "postgres://u:p@h".to_owned(),
        "x://:p@h".to_owned(),
        "x://u:a!long!password!of!many!words@h".to_owned(),
        format!("say \"secret\": \"{}\"", any(32)),
    ]
}
