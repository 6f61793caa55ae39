//! Files that are being written, and are not to be left behind when somebody ends the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

static PENDING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// From now on, the file goes when the program is ended by a signal.
pub(crate) fn begin(path: &Path) {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    all(|pending| pending.insert(path.to_owned()));
}

/// The file has its name, or is gone.
pub(crate) fn end(path: &Path) {
    all(|pending| pending.remove(path));
}

fn all<T>(change: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    change(&mut PENDING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits for the signals that end a program: removes what is pending, and ends it so.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Where signals cannot be had, files are left behind, and nothing else is wrong.
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            all(|pending| {
                for path in std::mem::take(pending) {
                    let _ = fs::remove_file(path);
                }
            });
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
fn watch() {}
