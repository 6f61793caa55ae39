//! What a tool can be asked to do.

use testkit::{Rng, Tree, member, value};

use super::draw::{Members, flag, maybe, some_of, text, texts};
use super::plan::Plan;
use crate::words::{Method, Version};

pub(super) fn action(
    rng: &mut Rng,
    plan: &Plan,
    (index, name): (usize, &str),
    size: usize,
) -> Tree {
    let invocation = invocation(rng, plan);
    let effects = match (plan.smoked, index) {
        // What a smoke test calls changes nothing.
        (true, 0) => rng.word(&["none", "read"]),
        _ => rng.word(crate::manifest::SIDE_EFFECTS),
    };
    let mut members = vec![
        member("name", name),
        member("summary", text(rng, 280)),
        member("invocation", invocation.tree),
        member("side_effects", effects),
    ];
    maybe(rng, &mut members, "description", |rng| text(rng, 4000).into());
    if invocation.refers {
        members.push(member("input", input(rng, size)));
    } else {
        maybe(rng, &mut members, "input", |rng| match rng.below(4) {
            0 => value::nothing(),
            1 => Tree::Object(Vec::new()),
            _ => value::schema(rng, size),
        });
    }
    maybe(rng, &mut members, "output", |rng| {
        let mut output = vec![member("format", rng.word(crate::manifest::OUTPUT_FORMATS))];
        maybe(rng, &mut output, "schema", |rng| value::schema(rng, size));
        output.into()
    });
    maybe(rng, &mut members, "idempotent", flag);
    maybe(rng, &mut members, "scopes_used", |rng| {
        let declared: Vec<_> = plan.scopes.iter().filter(|_| rng.once_in(2)).copied().collect();
        let undeclared = rng
            .once_in(4)
            .then(|| rng.word(&["not.declared", "net.unlisted", "fs.unlisted", "device.unlisted"]));
        texts(&declared.into_iter().chain(undeclared).collect::<Vec<_>>())
    });
    maybe(rng, &mut members, "error_envelope", |rng| {
        rng.word(crate::manifest::ERROR_ENVELOPES).into()
    });
    maybe(rng, &mut members, "examples", |rng| {
        let examples = (0..rng.below(3)).map(|_| {
            let mut example = vec![member("description", text(rng, 280))];
            maybe(rng, &mut example, "input", |rng| value::value(rng, size));
            maybe(rng, &mut example, "output", |rng| value::value(rng, size));
            Tree::from(example)
        });
        examples.collect::<Vec<_>>().into()
    });
    if plan.version >= Version::V0_3 {
        let docs = [
            ("goal", "Send mail."),
            ("inputs_brief", "to"),
            ("outputs_brief", ""),
            ("errors_brief", "é"),
            ("example", "send"),
        ];
        maybe(rng, &mut members, "docs", |rng| some_of(rng, &docs));
        maybe(rng, &mut members, "runtime_telemetry", |rng| {
            vec![member("any", value::value(rng, size))].into()
        });
    }
    members.into()
}

/// A schema with the property that the templates refer to.
fn input(rng: &mut Rng, size: usize) -> Tree {
    let mut schema = value::schema(rng, size);
    let to = vec![member("type", "string"), member("default", "me")];
    if let Tree::Object(members) = &mut schema {
        match members.iter_mut().find(|(name, _)| name == "properties") {
            Some((_, Tree::Object(properties))) => properties.push(member("to", to)),
            _ => members.push(member("properties", vec![member("to", to)])),
        }
    }
    schema
}

/// How an action is called.
struct Invocation {
    tree: Tree,
    /// Whether a template refers to an input.
    refers: bool,
}

fn invocation(rng: &mut Rng, plan: &Plan) -> Invocation {
    let kind = rng.word(plan.ways);
    let mut members = vec![member("kind", kind)];
    match kind {
        "subcommand" => members.push(member("argv_template", arguments(rng, plan))),
        "stdin-json" => maybe(rng, &mut members, "argv_template", |rng| match rng.below(4) {
            0 => arguments(rng, plan),
            1 => texts(&["send", "--now"]),
            _ => texts(&[]),
        }),
        "http" => request(rng, plan, &mut members),
        _ => members.push(member("tool_name", rng.word(&["send_mail", "a/b", ""]))),
    }
    let tree = Tree::from(members);
    let refers = tree.render().contains("${input.");
    Invocation { tree, refers }
}

fn arguments(rng: &mut Rng, plan: &Plan) -> Tree {
    let public = plan.env.iter().find(|(_, secret)| !secret).map(|(name, _)| *name);
    let mut arguments = vec![Tree::from("send")];
    for _ in 0..rng.below(3) {
        arguments.push(match (rng.below(4), public) {
            (0, Some(name)) => format!("--with=${{env.{name}}}").into(),
            (1, _) => "${input.to}".into(),
            (2, _) => value::text(rng).replace('\0', "").into(),
            _ => "--flag".into(),
        });
    }
    arguments.into()
}

fn request(rng: &mut Rng, plan: &Plan, members: &mut Members) {
    members.push(member("method", rng.word(Method::WORDS)));
    let paths = ["/send", "/send", "/", "/v1/x?y=z", "/to/${input.to}", "/${input.to}/${input.to}"];
    members.push(member("path", rng.word(&paths)));
    let secret = plan.env.iter().find(|(_, secret)| *secret).map(|(name, _)| *name);
    let public = plan.env.iter().find(|(_, secret)| !secret).map(|(name, _)| *name);
    // Some of them are what other formats have a word for.
    maybe(rng, members, "headers", |rng| {
        let mut headers = Vec::new();
        if let Some(name) = secret {
            match rng.below(5) {
                0 => {}
                1 => headers.push(member("X-API-Key", format!("${{env.{name}}}"))),
                2 => headers.push(member("authorization", format!("bearer  ${{env.{name}}}"))),
                _ => headers.push(member("Authorization", format!("Bearer ${{env.{name}}}"))),
            }
        }
        match (rng.below(8), public) {
            (0, _) => headers.push(member("X-To", "${input.to}")),
            (1, Some(name)) => headers.push(member("X-Region", format!("eu ${{env.{name}}}"))),
            (2, _) => headers.push(member("Accept", "application/json")),
            _ => {}
        }
        headers.into()
    });
}
