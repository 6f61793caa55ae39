//! Documents for tests: valid ones, and ones with one defect.

use testkit::{Hints, Rng, Testkit, Vocabulary, generate_object, value};

use crate::table::TABLE;

mod defects;

pub use defects::{OTHER_DOCUMENT_RULES, defect};

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The words of this format.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "id",
        "name",
        "version",
        "summary",
        "description",
        "tags",
        "provider",
        "entry",
        "runtime",
        "main",
        "export",
        "schema",
        "input",
        "output",
        "usesPayment",
        "requiresApproval",
        "requiredSecrets",
        "sha256",
    ],
    maps: &[],
    open: &[],
};

const HINTS: Hints<'_> = Hints {
    samples: &[
        (
            "/id",
            &[
                "tool:email.send",
                "tool:a",
                "email.send",
                "acme.email.send",
                "é ~",
                "UPPER:x",
                "a.b",
                "tool:A-b_c",
                value::LONG_NAME,
                value::LONG_ODD_NAME,
            ],
        ),
        ("/name", &["email.send", "order_pizza", "Send mail", "a/b ~", "é"]),
        (
            "/version",
            &["1.2.0", "0.1.0", "1.2.3-rc.1+build.5", "10.20.30", "1.0.0-RC.1", "1.0.0+Build"],
        ),
        ("tags", &["email", "Email", "two words", "é", "smtp", "a,b"]),
        ("provider", &["acme", "A. Person", "é", ""]),
        ("main", &["dist/index.js", "dist/index.js", "index.mjs", "a b/é.cjs", "..x/main.py"]),
        ("export", &["tool", "default", "$x", "été"]),
        (
            "requiredSecrets",
            &["smtp_user", "smtp_pass", "payment.card_number", "API_KEY", "b-c", "é", "9a"],
        ),
        (
            "sha256",
            &[
                "0000000000000000000000000000000000000000000000000000000000000000",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f",
            ],
        ),
    ],
    always: &[],
};

/// Generates a valid document, with up to `size` properties in each of its schemas.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let mut tree = generate_object(TABLE.root, 0, HINTS, rng, size);
    tree.remove_duplicates("/requiredSecrets", "");
    tree.render()
}
