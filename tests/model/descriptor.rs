//! A descriptor is data: it can be written and read again, and its derived JSON
//! Schema describes what is written.

use schemars::generate::SchemaSettings;
use toolglot::call::{self, HostFacts, Planned, Policy};
use toolglot::core::StoredReport;
use toolglot::json::Document;
use toolglot::testkit::{Rng, Testkit};
use toolglot::{
    FORMATS, LiftedDocument, Limits, Options, Residue, ToolDescriptor, ValidateOptions, convert,
    testkits,
};

fn schema<T: schemars::JsonSchema>() -> serde_json::Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn descriptors_are_what_their_schema_says() {
    let described = jsonschema::validator_for(&schema::<ToolDescriptor<'_>>()).unwrap();
    let mut checked = 0;
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..64 {
            let text = generate(&mut Rng::new(seed), 3);
            let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let LiftedDocument { tools, .. } = format.lift(&document, &Limits::default()).unwrap();
            for tool in &tools {
                let written = serde_json::to_string(tool).unwrap();
                let again: ToolDescriptor<'_> = serde_json::from_str(&written).unwrap();
                assert_eq!(serde_json::to_string(&again).unwrap(), written, "{}", format.name);
                // Numbers of any size are kept, and the other reader cannot hold them.
                let Ok(value) = serde_json::from_str(&written) else { continue };
                checked += 1;
                let wrong: Vec<_> = described.iter_errors(&value).map(|e| e.to_string()).collect();
                assert!(wrong.is_empty(), "{}: {wrong:?}\n{written}", format.name);
            }
        }
    }
    assert!(checked > 200, "{checked}");
}

#[test]
fn residues_are_what_their_schema_says() {
    let described = jsonschema::validator_for(&schema::<Residue>()).unwrap();
    let mut checked = 0;
    for Testkit { format: from, generate, .. } in testkits() {
        for to in FORMATS {
            for seed in 0..4 {
                let text = generate(&mut Rng::new(seed), 2);
                let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
                let Ok(converted) = convert(&document, *from, *to, &Options::default()) else {
                    continue;
                };
                let Ok(value) = serde_json::from_str(&converted.residue().to_json()) else {
                    continue;
                };
                checked += 1;
                let wrong: Vec<_> = described.iter_errors(&value).map(|e| e.to_string()).collect();
                assert!(wrong.is_empty(), "{wrong:?}\n{value}");
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

/// Whether a value is as it was after writing and reading it, and as its schema says.
fn stored<T>(value: &T) -> bool
where
    T: serde::Serialize + serde::de::DeserializeOwned + schemars::JsonSchema,
    T: PartialEq + std::fmt::Debug,
{
    let written = serde_json::to_string(value).unwrap();
    let again: T = serde_json::from_str(&written).unwrap();
    assert_eq!(&again, value);
    // Numbers of any size are kept, and the other reader cannot hold them.
    let Ok(json) = serde_json::from_str(&written) else { return false };
    let described = jsonschema::validator_for(&schema::<T>()).unwrap();
    let wrong: Vec<_> = described.iter_errors(&json).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{written}");
    true
}

#[test]
fn accounts_plans_and_reports_can_be_stored() {
    let (mut accounts, mut plans, mut reports) = (0, 0, 0);
    let limits = Limits::default();
    let policy = Policy::default();
    let facts = HostFacts { installed: false, ..HostFacts::new(&policy) };
    assert!(stored(&limits) && stored(&policy));
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..8 {
            let text = generate(&mut Rng::new(seed), 2);
            let document = Document::parse(text.as_bytes(), &limits).unwrap();
            let report = format.validate(&document, &ValidateOptions::default());
            reports += usize::from(stored(&StoredReport::from(&report)));
            for tool in format.lift(&document, &limits).unwrap().tools {
                let contract = (format.contract)(&tool);
                let plan = match call::plan(&tool, &contract, "{}", &facts, &limits) {
                    Planned::Ready(plan) => plan,
                    Planned::Ask(ask) => ask.approve(),
                    Planned::Refused(_) => continue,
                };
                plans += usize::from(stored(&plan));
            }
            for to in FORMATS {
                if let Ok(converted) = convert(&document, *format, *to, &Options::default()) {
                    accounts += usize::from(stored(&converted.report()));
                }
            }
        }
    }
    assert!(accounts > 50 && plans > 20 && reports > 30, "{accounts} {plans} {reports}");
}

/// A stored report is written as the report itself is.
#[test]
fn a_stored_report_reads_a_report() {
    let document = Document::parse(br#"{"tools": [{"name": 1, "name2": []}]}"#, &Limits::default());
    let document = document.unwrap();
    let format = toolglot::format("tools-json").unwrap();
    let report = format.validate(&document, &ValidateOptions::default());
    assert!(!report.is_valid());
    let read: StoredReport =
        serde_json::from_str(&serde_json::to_string(&report).unwrap()).unwrap();
    assert_eq!(read, StoredReport::from(&report));
}

/// What programs share between threads.
#[test]
fn everything_public_can_be_shared() {
    fn shared<T: Send + Sync>() {}
    fn error<T: std::error::Error + Send + Sync + 'static>() {}
    shared::<Document<'_>>();
    shared::<ToolDescriptor<'_>>();
    shared::<LiftedDocument<'_>>();
    shared::<toolglot::Conversion>();
    shared::<toolglot::RestoredSource>();
    shared::<toolglot::ConversionReport>();
    shared::<Residue>();
    shared::<toolglot::Format>();
    shared::<toolglot::Formats<'_>>();
    shared::<call::Plan>();
    error::<toolglot::Report>();
    error::<toolglot::Diagnostic>();
    error::<toolglot::DetectError>();
    error::<toolglot::UnknownFormat>();
    error::<toolglot::Error>();
    error::<call::VariableErrors>();
    error::<call::Failure>();
    error::<call::FillError>();
}
