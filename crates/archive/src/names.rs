//! Checks names: each must mean one file, on every system.

use std::collections::BTreeMap;

use diagnostic::Rule;
use manifest_core::Limits;
use manifest_core::path::{PathError, PathLimits, check_portable, collision_key};

use crate::directory::{IS_UTF8, is_directory};
use crate::reader::Reader;
use crate::record::Central;
use crate::rules;

/// Checks all names. Returns them as text, or `None` if one is invalid.
pub(crate) fn check<'a>(
    reader: &mut Reader<'a, '_>,
    headers: &[Central<'a>],
) -> Option<Vec<&'a str>> {
    let mut taken = NameTree::default();
    let mut names = Vec::with_capacity(headers.len());
    for header in headers {
        let bytes = header.common.name;
        let flagged = header.common.flags & IS_UTF8 != 0;
        let text = std::str::from_utf8(bytes).ok().filter(|text| flagged || text.is_ascii());
        let Some(text) = text else {
            let message = "the name is not UTF-8, or is not marked as such";
            reader.push_named(&rules::PATH_ENCODING, header.span, bytes, message);
            continue;
        };
        let problem = check_name(text, reader.limits).and_then(|()| taken.insert(text));
        match problem {
            Ok(()) => names.push(text),
            Err((rule, message)) => reader.push_named(rule, header.span, bytes, &message),
        }
    }
    (names.len() == headers.len()).then_some(names)
}

/// Checks one name by itself. The name of a directory ends with a slash.
pub(crate) fn check_name(name: &str, limits: &Limits) -> Result<(), (&'static Rule, String)> {
    // A lone slash is an absolute path, not a directory without a name.
    let path = match name.strip_suffix('/') {
        Some(path) if !path.is_empty() => path,
        _ => name,
    };
    check_portable(path, &PathLimits::from(limits))
        .map_err(|error| (path_rule(&error), error.to_string()))
}

fn path_rule(error: &PathError) -> &'static Rule {
    match error {
        PathError::Empty => &rules::PATH_EMPTY,
        PathError::Absolute => &rules::PATH_ABSOLUTE,
        PathError::Separator { .. } => &rules::PATH_SEPARATOR,
        PathError::Traversal => &rules::PATH_TRAVERSAL,
        PathError::NonCanonical => &rules::PATH_NONCANONICAL,
        PathError::Reserved => &rules::PATH_RESERVED,
        PathError::TrailingDotOrSpace => &rules::PATH_TRAILING,
        PathError::Normalization => &rules::PATH_NORMALIZATION,
        PathError::TooLong => &rules::PATH_LENGTH,
        // Errors that later versions add are probably about characters too.
        _ => &rules::PATH_CHARACTER,
    }
}

/// The names in use, as a tree, so that the cost of a path is proportional to its length.
#[derive(Default)]
pub(crate) struct NameTree<'n> {
    /// The names in each folder, by the number of the folder and the collision key of the
    /// name.
    nodes: BTreeMap<(usize, String), NameNode<'n>>,
}

struct NameNode<'n> {
    /// The first spelling of the name.
    spelling: &'n str,
    number: usize,
    is_file: bool,
    /// True if an entry has this name, false if it is only a folder in the path of another.
    has_entry: bool,
}

impl<'n> NameTree<'n> {
    /// Adds a name. Fails if some system treats it as the same file as an earlier one.
    pub(crate) fn insert(&mut self, name: &'n str) -> Result<(), (&'static Rule, String)> {
        let collision = |message: &str| Err((&rules::PATH_COLLISION, message.to_owned()));
        let is_directory = is_directory(name.as_bytes());
        let path = name.strip_suffix('/').unwrap_or(name);
        let mut folder = 0;
        let mut segments = path.split('/').peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            let is_file = is_last && !is_directory;
            let number = self.nodes.len() + 1;
            let place = self.nodes.entry((folder, collision_key(segment))).or_insert(NameNode {
                spelling: segment,
                number,
                is_file,
                has_entry: false,
            });
            if place.spelling != segment {
                return collision("differs from another name in spelling only");
            }
            if place.is_file != is_file {
                return collision("is a file by one name and a directory by another");
            }
            if is_last {
                if place.has_entry {
                    return Err((&rules::DUPLICATE, "is there twice".to_owned()));
                }
                place.has_entry = true;
            }
            folder = place.number;
        }
        Ok(())
    }
}
