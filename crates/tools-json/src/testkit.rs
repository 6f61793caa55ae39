//! Test documents: valid ones, and ones with one defect.

use testkit::{Hints, Rng, Testkit, Vocabulary, generate_object, value};

use crate::table::TABLE;

mod defects;

pub use defects::defect;

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The member names of this format.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &["tools", "name", "description", "schema", "command", "timeoutSec", "envPassthrough"],
    maps: &[],
    open: &[],
};

const HINTS: Hints<'_> = Hints {
    samples: &[
        (
            "name",
            &[
                "get_time",
                "acme.files.read",
                "Read File",
                "é/~",
                "UPPER",
                "-",
                "tool:email.send",
                value::LONG_NAME,
                value::LONG_ODD_NAME,
            ],
        ),
        (
            "command/0",
            &[
                "./tools/bin/get_time",
                "./tools/bin/get_time",
                "./tools/bin/sub/read file",
                "./tools/bin/../bin/x",
                ".\\tools\\bin\\x.exe",
                "./tools/bin//x",
                "/usr/bin/env",
                "/opt/acme/bin/tool",
                "/opt/acme/bin/a b",
                "/opt//acme/../bin/x",
            ],
        ),
        ("command", value::ARGUMENTS),
        ("timeoutSec", &["5", "30", "3600", "0", "-0", "-5", "9223372036854775807"]),
        (
            "envPassthrough",
            &[
                "TZ",
                "tz",
                " Path ",
                "_",
                "OAI_API_KEY",
                "oai_api_key",
                "HOME",
                "API_KEY",
                "SMTP_PASS2",
            ],
        ),
    ],
    always: &[],
};

/// Generates a valid document with up to `size` tools, which have distinct names and
/// schemas of up to `size` properties.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    let mut tree = generate_object(TABLE.root, 0, HINTS, rng, size);
    tree.append_indices("/tools", "/name");
    tree.render()
}
