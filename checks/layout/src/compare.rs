//! Two headers, fact by fact.

use crate::facts::Facts;

/// Room for fields that the adapter does not read, which the real header names otherwise.
const ROOM: &str = "::room_";

/// Structs that we describe up to the last field that we use. They are neither made nor counted through by us.
const OPEN_ENDED: [&str; 2] = ["sizeof TfLiteContext", "sizeof TfLiteIntArray"];

/// One line for each of our facts that is another, or missing, in the reference. Nothing is chosen by hand: what is in our
/// header is compared.
pub fn differences(ours: &Facts, reference: &Facts) -> Vec<String> {
    compared(ours)
        .filter_map(|(name, our_value)| match reference.get(name) {
            Some(value) if value == our_value => None,
            Some(value) => Some(format!("{name} is {our_value} here, {value} in the reference")),
            None => Some(format!("{name} is {our_value} here, and is not in the reference")),
        })
        .collect()
}

fn compared(ours: &Facts) -> impl Iterator<Item = (&str, u64)> {
    ours.iter()
        .filter(|(name, _)| !name.contains(ROOM) && !OPEN_ENDED.contains(name))
}
