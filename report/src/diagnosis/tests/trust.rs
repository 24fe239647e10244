use super::*;
use crate::map::{Call, Event, Unknown};

fn failed(texts: &[&str]) -> Vec<MemoryMap> {
    let event = |text: &&str| {
        let call = Call::Error { call: "execute".to_owned(), status: 101, text: (*text).to_owned() };
        Event { call, ns: None, arena: 0, persistent: 0 }
    };
    vec![MemoryMap { events: texts.iter().map(event).collect(), ..graph("x 64 input") }]
}

fn unknown(texts: &[&str]) -> Vec<MemoryMap> {
    let unknown =
        |text: &&str| Unknown { text: (*text).to_owned(), nodes: vec![0], tensors: Vec::new(), may_be_larger: true };
    vec![MemoryMap { unknowns: texts.iter().map(unknown).collect(), ..graph("x 64 input") }]
}

const LOOK_FIRST: &str = "Look at this first: places may be those from before the failure.";
const RECORD: &str = "`tflite-arena run --record DIR -- PROGRAM` records what the runtime does.";

pub(super) const CASES: &[Case] = &[
    Case {
        id: "failed-calls",
        says: || failed(&["tensor 3 is too large"]),
        text: "1 call failed: `execute`, with status 101 (tensor 3 is too large).",
        advice: LOOK_FIRST,
        is_silent: || failed(&[]),
    },
    Case {
        id: "failed-calls",
        says: || failed(&["no memory", "still none"]),
        text: "2 calls failed, first: `execute`, with status 101 (no memory).",
        advice: LOOK_FIRST,
        is_silent: || {
            let plan = Event { call: Call::Plan, ns: None, arena: 0, persistent: 0 };
            vec![MemoryMap { events: vec![plan], ..graph("x 64 input") }]
        },
    },
    Case {
        id: "not-replayed",
        says: || {
            let other = Some("tensor 2 lies at 0 in the recording, but at 64 when made again".to_owned());
            vec![MemoryMap { not_replayed: other, ..graph("x 64 input") }]
        },
        text: "tensor 2 lies at 0 in the recording, but at 64 when made again.",
        advice: "The recording was changed by hand or comes from another version: record it again. What other options \
                 would save may be wrong until then.",
        is_silent: || vec![graph("x 64 input")],
    },
    Case {
        id: "unknown",
        says: || unknown(&["MEAN at node 3 may need temporaries."]),
        text: "Only the runtime knows all, so its arena may differ. MEAN at node 3 may need temporaries.",
        advice: RECORD,
        is_silent: || unknown(&[]),
    },
    Case {
        id: "unknown",
        says: || unknown(&["A.", "B.", "C.", "D.", "E."]),
        text: "Only the runtime knows all, so its arena may differ. A. B. C. And 2 more reasons.",
        advice: RECORD,
        is_silent: || vec![graph("x 64 input")],
    },
];
