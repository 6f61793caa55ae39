//! The checks of a package: every file by itself, and all of them together.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node, Span};
use manifest_core::path::{PathFinding, findings};
#[cfg(feature = "schema")]
use manifest_core::some_or_bug;
use manifest_core::{Depth, Diagnostic, Pointer, Report, ValidateOptions, prose, quoted, secret};

use super::contents::{
    MANIFEST, OPENAPI, PROVENANCE, PUBLISHER, Package, README, Role, SIGNATURE, file_name,
    reference_file_name,
};
use super::{openapi, rules};
use crate::Manifest;
use crate::check::follows_published_tool;
use crate::meta;
use crate::rules::REFERENCE;
use crate::testing::{self, TestCase};

/// The options of a package check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The profile, the depth and the limits.
    pub validate: ValidateOptions,
    /// The file name of the package.
    pub file_name: Option<String>,
    /// The time, in seconds since 1970. If it is missing, no time is reported as being in
    /// the future.
    pub now: Option<i64>,
}

/// The findings in one file of a package. The name is empty if they concern the whole
/// package.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct FileReport {
    /// The name of the file.
    pub file: String,
    /// The findings in it.
    pub report: Report,
}

/// The findings in a package, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Findings {
    /// The files with findings.
    pub files: Vec<FileReport>,
}

impl Findings {
    /// Returns true if there are no errors.
    pub fn is_valid(&self) -> bool {
        self.files.iter().all(|file| file.report.is_valid())
    }

    /// Returns all findings, each with the name of its file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Diagnostic)> {
        self.files.iter().flat_map(|file| {
            file.report.diagnostics.iter().map(move |found| (file.file.as_str(), found))
        })
    }

    /// Returns only the errors.
    pub fn errors(&self) -> impl Iterator<Item = (&str, &Diagnostic)> {
        self.iter().filter(|(_, found)| found.is_error())
    }
}

impl Package<'_> {
    /// Checks the manifest, the tests, the examples and the files in `meta`, and that they
    /// are consistent.
    pub fn check(&self, options: &CheckOptions) -> Findings {
        let mut check = Check { package: self, options, findings: Findings::default() };
        check.run();
        let mut findings = check.findings;
        findings.files.retain(|file| !file.report.diagnostics.is_empty());
        findings
    }
}

struct Check<'p> {
    package: &'p Package<'p>,
    options: &'p CheckOptions,
    findings: Findings,
}

impl Check<'_> {
    fn run(&mut self) {
        let limits = &self.options.validate.limits;
        let whole = self.report();
        self.add("", whole);
        for warning in &self.package.warnings {
            let mut warning = warning.clone();
            // The span is one of the archive, not of a file in it.
            warning.clear_spans();
            self.push("", warning);
        }
        self.check_paths();
        self.check_secrets();
        let document = match self.package.document(limits) {
            Ok(document) => document,
            Err(diagnostic) => return self.push(MANIFEST, diagnostic),
        };
        let mut report = crate::validate(&document, &self.options.validate);
        prose::check(document.root(), &mut report);
        self.add(MANIFEST, report);
        if document.root().is_array() {
            let message = "a package holds one manifest, and this is a list";
            let diagnostic = manifest_core::json::rules::TYPE.at(document.root(), message);
            return self.push(MANIFEST, diagnostic);
        }
        let manifest = Manifest::read(&document);
        self.check_listed_files(&document, &manifest);
        self.check_tests(&document, &manifest);
        self.check_examples(&manifest);
        self.check_unlisted_files(&manifest);
        self.check_file_name(&manifest);
        self.check_openapi();
        self.check_meta(&document);
    }

    fn report(&self) -> Report {
        self.options.validate.new_report()
    }

    /// Adds the report of a file that has none yet.
    fn add(&mut self, file: &str, report: Report) {
        self.findings.files.push(FileReport { file: file.to_owned(), report });
    }

    fn push(&mut self, file: &str, diagnostic: Diagnostic) {
        for found in &mut self.findings.files {
            if found.file == file {
                return found.report.push(diagnostic);
            }
        }
        let mut report = self.report();
        report.push(diagnostic);
        self.add(file, report);
    }

    fn check_openapi(&mut self) {
        let package = self.package;
        let Some(bytes) = package.file(OPENAPI) else { return };
        let found = match Document::parse(bytes, &self.options.validate.limits) {
            Ok(document) => openapi::check(&document),
            Err(diagnostic) => vec![diagnostic],
        };
        for diagnostic in found {
            self.push(OPENAPI, diagnostic);
        }
    }

    /// Reports names that other programs act on, or take for other files.
    fn check_paths(&mut self) {
        for entry in self.package.entries() {
            for finding in findings(&entry.name) {
                let (rule, message) = match finding {
                    PathFinding::Sensitive => {
                        (&rules::SENSITIVE_FILE, "other programs act on a file of this name")
                    }
                    PathFinding::Expansion => {
                        (&rules::ODD_FILE_NAME, "a shell makes another name of it")
                    }
                    PathFinding::ShortName => {
                        (&rules::ODD_FILE_NAME, "Windows may take it for another file")
                    }
                    _ => (&rules::ODD_FILE_NAME, "it may be another name elsewhere"),
                };
                self.push(&entry.name, rule.at_pointer(Pointer::root(), message));
            }
        }
    }

    /// Reports secrets in files other than the manifest, which has been checked. A
    /// signature is left out, because it can look like a secret.
    fn check_secrets(&mut self) {
        if !self.report().includes_depth(Depth::Advice) {
            return;
        }
        let (rule, help) = (&crate::rules::SECRET, crate::rules::SECRET_HELP);
        for entry in self.package.entries() {
            if entry.name == MANIFEST || entry.name == SIGNATURE {
                continue;
            }
            let mut report = self.report();
            if let Ok(document) = Document::parse(&entry.data, &self.options.validate.limits) {
                secret::check(rule, document.root(), help, &mut report);
            } else if let Ok(text) = std::str::from_utf8(&entry.data)
                && let Some(finding) = secret::find(text)
            {
                let span = Span { start: finding.range.start, end: finding.range.end };
                let message = format!("the file holds {finding}");
                let diagnostic = rule.at_pointer(Pointer::root(), message);
                report.push(diagnostic.span(span).help(help));
            }
            for diagnostic in report.diagnostics {
                self.push(&entry.name, diagnostic);
            }
        }
    }

    /// Reports files that the manifest lists and the package lacks.
    fn check_listed_files(&mut self, document: &Document<'_>, manifest: &Manifest<'_>) {
        let as_published = follows_published_tool(self.options.validate.profile);
        for (member, files) in [("tests", &manifest.tests), ("examples", &manifest.examples)] {
            // The published tool looks for tests only.
            if as_published && member == "examples" {
                continue;
            }
            let nodes = document.root().get(member).into_iter().flat_map(Node::elements);
            for (file, node) in files.iter().zip(nodes) {
                if self.package.file(file).is_some() {
                    continue;
                }
                let file = quoted(file);
                let diagnostic = if as_published {
                    REFERENCE.at(node, format!("Test file not found: {file}"))
                } else {
                    rules::FILE_MISSING.at(node, format!("there is no {file} in the package"))
                };
                self.push(MANIFEST, diagnostic);
            }
        }
    }

    fn check_tests(&mut self, document: &Document<'_>, manifest: &Manifest<'_>) {
        #[cfg(not(feature = "schema"))]
        let _ = document;
        #[cfg(feature = "schema")]
        let schema = document.root().get("input_schema").and_then(|schema| {
            // A schema that does not compile was reported with the manifest.
            manifest_core::schema::Schema::compile(schema, &self.options.validate.limits).ok()
        });
        let package = self.package;
        let mut names: Vec<&str> = manifest.tests.iter().map(AsRef::as_ref).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let Some(bytes) = package.file(name) else { continue };
            let case = match Document::parse(bytes, &self.options.validate.limits) {
                Ok(case) => case,
                Err(diagnostic) => {
                    self.push(name, diagnostic);
                    continue;
                }
            };
            let report = testing::check(&case, &self.options.validate);
            for diagnostic in report.diagnostics {
                self.push(name, diagnostic);
            }
            #[cfg(feature = "schema")]
            if let (Some(schema), Some(input)) = (&schema, case.root().get("input")) {
                self.check_input(name, schema, input, &TestCase::read(&case));
            }
            #[cfg(not(feature = "schema"))]
            let _ = TestCase::read(&case);
        }
    }

    /// Reports a test's input if the tool would refuse it.
    #[cfg(feature = "schema")]
    fn check_input(
        &mut self,
        name: &str,
        schema: &manifest_core::schema::Schema,
        input: Node<'_>,
        case: &TestCase<'_>,
    ) {
        let outcome = match schema.validate(input) {
            Ok(outcome) => outcome,
            Err(diagnostic) => return self.push(name, diagnostic),
        };
        if follows_published_tool(self.options.validate.profile) && !outcome.is_valid() {
            let test = quoted(&case.name);
            let message = format!("Test {test} input does not match input_schema");
            return self.push(name, REFERENCE.at(input, message));
        }
        let prefix = input.pointer();
        for violation in outcome.violations {
            let below = some_or_bug(violation.pointer.strip_prefix(&prefix));
            let node = input.at(&below).unwrap_or(input);
            let message = format!("the input does not match input_schema: {}", violation.message);
            self.push(name, rules::TEST_INPUT.at(node, message));
        }
    }

    fn check_examples(&mut self, manifest: &Manifest<'_>) {
        let package = self.package;
        for name in manifest.examples.iter().map(AsRef::as_ref).chain([README]) {
            if let Some(bytes) = package.file(name)
                && std::str::from_utf8(bytes).is_err()
            {
                let message = "the file is not UTF-8 text";
                self.push(name, rules::EXAMPLE_TEXT.at_pointer(Pointer::root(), message));
            }
        }
    }

    /// Reports unlisted files at the root and in `tests`, `examples` and `meta`, and
    /// leftovers of macOS.
    fn check_unlisted_files(&mut self, manifest: &Manifest<'_>) {
        let package = self.package;
        let lists = manifest.tests.iter().chain(&manifest.examples);
        let listed: BTreeSet<&str> = lists.map(AsRef::as_ref).collect();
        for entry in package.entries() {
            let name = entry.name.as_ref();
            if listed.contains(name) {
                continue;
            }
            let folder = name.split_once('/').map(|(folder, _)| folder);
            let is_leftover = folder == Some("__MACOSX") || name.ends_with(".DS_Store");
            let is_odd = matches!(folder, None | Some("tests" | "examples" | "meta"));
            if Role::of_fixed_name(name) == Role::Other
                && (is_leftover || is_odd)
                // Those have been reported by `check_paths`.
                && !findings(name).contains(&PathFinding::Sensitive)
            {
                let message = match folder {
                    Some(folder @ ("tests" | "examples")) => {
                        format!("the manifest does not list it under {}", quoted(folder))
                    }
                    _ => "the specification does not say what it is for".to_owned(),
                };
                self.push(name, rules::UNLISTED_FILE.at_pointer(Pointer::root(), message));
            }
        }
    }

    fn check_file_name(&mut self, manifest: &Manifest<'_>) {
        let Some(found) = self.options.file_name.as_deref() else { return };
        let expected = file_name(manifest);
        if found != expected && found != reference_file_name(manifest) {
            let message = format!("the file is {}, not {}", quoted(found), quoted(&expected));
            self.push("", rules::FILE_NAME.at_pointer(Pointer::root(), message));
        }
    }

    fn check_meta(&mut self, manifest: &Document<'_>) {
        let package = self.package;
        let limits = &self.options.validate.limits;
        for name in [PUBLISHER, PROVENANCE] {
            let Some(bytes) = package.file(name) else { continue };
            let found = match Document::parse(bytes, limits) {
                Err(diagnostic) => vec![diagnostic],
                Ok(document) if name == PUBLISHER => {
                    meta::check_publisher(&document, manifest, self.report())
                }
                Ok(document) => meta::check_provenance(&document, self.options.now, self.report()),
            };
            for diagnostic in found {
                self.push(name, diagnostic);
            }
        }
        if let Some(signature) = package.file(SIGNATURE)
            && let Err((rule, message)) = meta::check_size(signature, limits)
        {
            self.push(SIGNATURE, rule.at_pointer(Pointer::root(), message));
        }
    }
}
