//! Paths as text, with the same answer on every host.
//!
//! `std::path` follows the rules of the machine that it runs on. A manifest is written on
//! one machine and used on another, so these functions do not depend on the machine.

mod absolute;
mod finding;
mod fold;
mod portable;

pub use absolute::{PathStyle, is_absolute, to_slash};
pub use finding::{PathFinding, findings};
pub use fold::collision_key;
pub use portable::{PathError, PathLimits, check_portable};

/// Returns the shortest path of the same meaning, like Go's `path.Clean`.
///
/// Repeated slashes become one. `.` segments are removed, and so is each `..` with the
/// segment before it. Links are not followed.
///
/// ```
/// use manifest_core::path::clean;
///
/// assert_eq!(clean("./tools/bin/../hack"), "tools/hack");
/// assert_eq!(clean("/../a//b/."), "/a/b");
/// assert_eq!(clean(""), ".");
/// ```
pub fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => match kept.last() {
                Some(&"..") => kept.push(".."),
                Some(_) => {
                    kept.pop();
                }
                None if rooted => {}
                None => kept.push(".."),
            },
            name => kept.push(name),
        }
    }
    let joined = kept.join("/");
    if rooted {
        format!("/{joined}")
    } else if joined.is_empty() {
        ".".to_owned()
    } else {
        joined
    }
}
