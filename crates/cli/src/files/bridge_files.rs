//! Writes the files that the bridge of a converted manifest needs: the source, the files that
//! its calls name, and the launcher.

use std::io;
use std::path::Path;

use disk::sources::StoredSource;
use disk::{Access, Folder};
use toolglot::Conversion;
use toolglot::convert::{ConversionFiles, FileKind, FileOptions};
use toolglot::core::printable;

use crate::files::input::display_path;

/// The files written for the bridge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BridgeFiles {
    /// The names of the files.
    pub(crate) written: Vec<String>,
    /// Reasons why the bridge may not run.
    pub(crate) warnings: Vec<String>,
}

/// The folders of a conversion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BridgeFolders<'f> {
    /// The folder of the source, if it was read from one.
    pub(crate) source: Option<&'f Path>,
    /// The folder of the target, if it is one.
    pub(crate) target: Option<&'f Path>,
    /// True to write the source to the user's store.
    pub(crate) store: bool,
}

/// Writes the source for the bridge, the files that its calls name, and the launcher, to a
/// folder, to the user's store, or to both.
///
/// A source that contains a secret is not copied. If the tools call a gateway, nothing is
/// written.
pub(crate) fn write(
    conversion: &Conversion,
    folders: BridgeFolders<'_>,
) -> io::Result<BridgeFiles> {
    let mut beside = BridgeFiles::default();
    if folders.target.is_none() && !folders.store {
        return Ok(beside);
    }
    let files = conversion.files(&FileOptions::default());
    if files.has_secret {
        let warning = "the source holds a secret and is not copied: its bridge does not run";
        beside.warnings.push(warning.to_owned());
        return Ok(beside);
    }
    if files.files.iter().all(|file| file.kind == FileKind::Document) {
        return Ok(beside);
    }
    let source = conversion.source();
    if folders.store {
        let stored = collect_source(source.text(), &files, folders.source, &mut beside);
        beside.written.push(display_path(&stored.write_to_store()?));
    }
    if let Some(folder) = folders.target {
        write_to(folder, source.text(), &files, folders.source, &mut beside)?;
    }
    Ok(beside)
}

fn write_to(
    folder: &Path,
    source: &str,
    files: &ConversionFiles<'_>,
    source_folder: Option<&Path>,
    beside: &mut BridgeFiles,
) -> io::Result<()> {
    let opened = Folder::open(folder, Access::Shared)?;
    // The source's own folder already contains the files that its calls name.
    let in_place = source_folder.is_some_and(|own| is_same(own, folder));
    let stored = if in_place {
        StoredSource::new(source, [], source_folder)
    } else {
        collect_source(source, files, source_folder, beside)
    };
    beside.written.extend(stored.write_beside(&opened)?);
    for file in &files.files {
        if file.kind != FileKind::Launcher {
            continue;
        }
        if file.is_executable {
            opened.write_program(&*file.path, &file.bytes)?;
        } else {
            opened.write(&*file.path, &file.bytes)?;
        }
        beside.written.push(file.path.to_string());
    }
    Ok(())
}

/// Collects the source and its files, and adds a warning for each file that cannot be
/// stored.
fn collect_source<'s>(
    source: &'s str,
    files: &ConversionFiles<'_>,
    folder: Option<&Path>,
    beside: &mut BridgeFiles,
) -> StoredSource<'s> {
    let names = files.copies.iter().map(|copy| copy.from.clone());
    let stored = StoredSource::new(source, names, folder);
    for (name, why) in &stored.skipped_files {
        let name = printable(name, 128);
        let warning = format!("{name} {why}: without it, the bridge may not run");
        if !beside.warnings.contains(&warning) {
            beside.warnings.push(warning);
        }
    }
    stored
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
