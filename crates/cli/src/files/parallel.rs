//! Runs a function for many files at once, and prints the output in the order of the files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::files::input::check_stdin_once;
use crate::terminal::console::{Failure, Terminal};

/// The number of files for each thread in a batch. Output is printed after each batch.
const BATCH_PER_THREAD: usize = 8;
/// Progress is shown after this time.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

/// Runs a function for each file, several at once. The output is printed in the order of
/// the files.
///
/// Returns the worst failure, if any.
pub(crate) fn each_file(
    files: &[PathBuf],
    terminal: &Terminal,
    run: impl Fn(&Path, &Terminal) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let failed = |file: &Path, terminal: &Terminal| run(file, terminal).err();
    let failures = map_files(files, terminal, failed)?;
    failures.into_iter().flatten().max().map_or(Ok(()), Err)
}

/// Runs a function for each file like [`each_file`], and returns the result of each.
pub(crate) fn map_files<T: Send>(
    files: &[PathBuf],
    terminal: &Terminal,
    run: impl Fn(&Path, &Terminal) -> T + Sync,
) -> Result<Vec<T>, Failure> {
    check_stdin_once(files, terminal)?;
    if let [only] = files {
        return Ok(vec![run(only, terminal)]);
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let began = Instant::now();
    let mut found = Vec::with_capacity(files.len());
    for some in files.chunks(threads * BATCH_PER_THREAD) {
        for (kept, value) in run_parallel(some, threads, terminal, &run) {
            terminal.release(kept)?;
            found.push(value);
        }
        if began.elapsed() > PROGRESS_DELAY {
            terminal.progress(&format!("{} of {} files", found.len(), files.len()));
        }
    }
    if began.elapsed() > PROGRESS_DELAY {
        terminal.progress("");
    }
    Ok(found)
}

/// Runs a function for some files, and returns the buffered output and the result of each,
/// in order.
fn run_parallel<T: Send>(
    files: &[PathBuf],
    threads: usize,
    terminal: &Terminal,
    run: &(impl Fn(&Path, &Terminal) -> T + Sync),
) -> Vec<(Terminal, T)> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(index) else { return done };
            let kept = terminal.buffered();
            let value = run(file, &kept);
            done.push((index, kept, value));
        }
    };
    let mut all = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.min(files.len())).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(index, ..)| *index);
    all.into_iter().map(|(_, kept, value)| (kept, value)).collect()
}
