//! Removes unfinished files if a signal ends the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

static PENDING: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Registers a file, which is removed if a signal ends the program.
pub(crate) fn register(path: &Path) {
    static WATCH: Once = Once::new();
    WATCH.call_once(watch);
    with_pending(|pending| pending.insert(path.to_owned()));
}

/// Unregisters a file that was renamed or removed.
pub(crate) fn unregister(path: &Path) {
    with_pending(|pending| pending.remove(path));
}

fn with_pending<T>(change: impl FnOnce(&mut BTreeSet<PathBuf>) -> T) -> T {
    change(&mut PENDING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Waits in a thread for a signal that ends the program. Removes the pending files, then
/// ends the program as that signal would have.
#[cfg(unix)]
fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    // Without signals, unfinished files are left behind, and everything else works.
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            with_pending(|pending| {
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
