//! `cpp/tflite_abi.h` says the same as TFLite's own header, and the comparison can tell.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, process};

use layout_check::{Facts, differences, reference_package};

static REFERENCE: LazyLock<Facts> = LazyLock::new(|| {
    let package = reference_package();
    Facts::of_header(&package.join("tensorflow/lite/core/c/common.h"), Some(&package))
});

fn our_header() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cpp/tflite_abi.h")
}

/// What differs after `from` was replaced by `to` in our header.
fn differences_with(test: &str, from: &str, to: &str) -> Vec<String> {
    let text = fs::read_to_string(our_header()).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from} must be in the header once");
    let path = env::temp_dir().join(format!("tflite-abi-{}-{test}.h", process::id()));
    fs::write(&path, text.replace(from, to)).unwrap();
    let facts = Facts::of_header(&path, None);
    fs::remove_file(&path).unwrap();
    differences(&facts, &REFERENCE)
}

#[test]
fn our_header_agrees_with_the_real_one() {
    let none: [String; 0] = [];
    assert_eq!(
        differences(&Facts::of_header(&our_header(), None), &REFERENCE),
        none
    );
}

/// What the adapter relies on, as the released runtimes have it, so that neither header can lose it unseen.
#[test]
fn the_facts_that_the_adapter_uses_are_among_those_compared() {
    let ours = Facts::of_header(&our_header(), None);
    for (name, value) in [
        ("sizeof TfLiteTensor", 112),
        ("TfLiteTensor::type", 0),
        ("TfLiteTensor::data", 8),
        ("TfLiteTensor::dims", 16),
        ("TfLiteTensor::allocation_type", 32),
        ("TfLiteTensor::bytes", 40),
        ("TfLiteTensor::name", 56),
        ("TfLiteNode::inputs", 0),
        ("TfLiteNode::outputs", 8),
        ("TfLiteNode::temporaries", 24),
        ("TfLiteIntArray::size", 0),
        ("TfLiteIntArray::data", 4),
        ("sizeof TfLiteRegistration", 0x58),
        ("TfLiteRegistration::builtin_code", 0x28),
        ("TfLiteRegistration::custom_name", 0x30),
        ("TfLiteRegistration::inplace_operator", 0x50),
        ("TfLiteContext::ReportError", 40),
        ("sizeof TfLiteAllocationType", 4),
        ("kTfLiteOk", 0),
        ("kTfLiteError", 1),
        ("kTfLiteArenaRw", 2),
        ("kTfLiteArenaRwPersistent", 3),
        ("kTfLiteVariantObject", 7),
        ("kTfLiteInplaceOpDataUnmodified", 1),
        ("kTfLiteInplaceInputCanBeSharedWithCorrespondingOutput", 2),
        ("kTfLiteInplaceOpInput2Shared", 16),
    ] {
        assert_eq!(ours.get(name), Some(value), "{name}");
        assert_eq!(REFERENCE.get(name), Some(value), "{name} in the reference");
    }
}

#[test]
fn a_shifted_field_is_found() {
    let found = differences_with(
        "shift",
        "room_for_scale[8]",
        "room_for_scale[16]",
    );
    for field in [
        "TfLiteTensor::allocation_type is 40",
        "TfLiteTensor::bytes is 48",
        "sizeof TfLiteTensor is 120",
    ] {
        assert!(
            found.iter().any(|line| line.starts_with(field)),
            "{field} not in {found:?}"
        );
    }
}

#[test]
fn another_enum_value_is_found() {
    let found = differences_with(
        "value",
        "kTfLiteArenaRwPersistent = 3",
        "kTfLiteArenaRwPersistent = 9",
    );
    assert_eq!(found, ["kTfLiteArenaRwPersistent is 9 here, 3 in the reference"]);
}

#[test]
fn a_struct_that_ends_elsewhere_is_found() {
    let found = differences_with("end", "room_for_operator_data[48]", "room_for_operator_data[40]");
    assert_eq!(found, ["sizeof TfLiteNode is 72 here, 80 in the reference"]);
}

#[test]
fn a_field_that_tflite_does_not_have_is_found() {
    let found = differences_with("name", "const char* name;", "const char* label;");
    assert_eq!(
        found,
        ["TfLiteTensor::label is 56 here, and is not in the reference"]
    );
}

/// Recordings name operators by it.
#[test]
fn the_list_of_operators_is_the_schemas() {
    let names = include!("../../../cpp/builtin_operators.inc");
    let schema = reference_package().join("tensorflow/compiler/mlir/lite/schema/schema.fbs");
    let schema = fs::read_to_string(schema).unwrap();
    let (_, operators) = schema.split_once("enum BuiltinOperator : int32 {").unwrap();
    let (operators, _) = operators.split_once('}').unwrap();
    let operators: Vec<&str> = operators.lines().filter(|line| line.contains('=')).collect();
    assert!(operators.len() >= 210, "{} operators in the schema", operators.len());
    assert_eq!(names.split(' ').count(), operators.len());
    for (code, (ours, line)) in names.split(' ').zip(operators).enumerate() {
        let (name, value) = line.split_once('=').unwrap();
        let digits: String = value.trim_start().chars().take_while(char::is_ascii_digit).collect();
        assert_eq!((ours, digits.parse()), (name.trim(), Ok(code)));
    }
}

/// The log names types by it.
#[test]
fn the_list_of_types_is_tflites() {
    let names = include!("../../../cpp/tensor_types.inc");
    let known: BTreeMap<String, u64> = REFERENCE
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix("kTfLite")?.to_uppercase(), value)))
        .collect();
    assert!(names.split(' ').count() >= 20);
    for (value, name) in names.split(' ').enumerate() {
        assert_eq!(known.get(name), Some(&(value as u64)), "{name}");
    }
}
