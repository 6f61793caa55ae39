//! The MCPKG packages of a folder.

use std::io;
use std::path::Path;

use toolglot::core::secret;
use toolglot::mcpkg::package::{CheckOptions, Package};
use toolglot::mcpkg::registry::PackageIndex;
use toolglot::{Limits, ValidateOptions};

use super::folder::{read, visible_entries};
use crate::skipped::SkippedItem;

/// The packages that a folder offers, and the files that it does not.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FolderOffers {
    /// The packages.
    pub offers: PackageIndex,
    /// Package files that are not offered.
    pub skipped: Vec<SkippedItem>,
}

/// Reads the `.mcpkg` files of a folder. Blocks.
pub fn read_offers(folder: &Path) -> io::Result<FolderOffers> {
    let mut offered = FolderOffers::default();
    for path in visible_entries(folder)? {
        let is_package = path.extension().is_some_and(|end| end == "mcpkg") && path.is_file();
        if !is_package {
            continue;
        }
        if let Err(why) = add(&path, &mut offered.offers) {
            offered.skipped.push(SkippedItem::file(&path, why));
        }
    }
    Ok(offered)
}

/// Adds a package. Fails if it is invalid or contains a secret.
fn add(path: &Path, offers: &mut PackageIndex) -> Result<(), String> {
    let limits = Limits::default();
    let bytes = read(path, limits.archive_bytes).map_err(|_| "it cannot be read".to_owned())?;
    let package = Package::read(&bytes, &limits).map_err(|_| "it is no package".to_owned())?;
    let validate = ValidateOptions { limits: limits.clone(), ..ValidateOptions::default() };
    let findings = package.check(&CheckOptions { validate, ..CheckOptions::default() });
    if let Some((file, first)) = findings.errors().next() {
        return Err(if file.is_empty() { first.to_string() } else { format!("{file}: {first}") });
    }
    let document = package.document(&limits).map_err(|found| found.to_string())?;
    if !secret::scan(document.root(), 1).is_empty() {
        return Err("it holds a secret, which everybody could read".to_owned());
    }
    offers.add(&document, &format!("sha256:{}", package.digest()));
    Ok(())
}
