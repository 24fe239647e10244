//! What is wrong with a recording is said with its place.

mod support;

use arena_report::{Strategy, input};
use serde_json::{Value, json};
use support::{Model, Operator, Recorder};

/// 0 -> 1 -> 2, where node 1 has the temporary 3; 1 and 2 are executed apart, and 2 is given its size in between.
///
/// Greedy: 1 (100 bytes, rounded up to 128) at 64 behind 0, which is kept; then 2 (300) at 192 and 3 (64) at 512. All are alive at
/// node 1: 64 + 128 + 320 + 64 bytes, but the 28 that 1 does not fill; and 528 if every offset would do.
fn recording() -> Value {
    let node =
        |input, output| Operator { op: "ADD", inputs: vec![input], outputs: vec![output], ..Operator::default() };
    let mut recorder = Recorder::greedy(Model {
        tensors: vec![(64, 2), (100, 2), (8, 2)],
        nodes: vec![node(0, 1), node(1, 2)],
        inputs: vec![0],
        outputs: vec![2],
        ..Model::default()
    });
    recorder.plan().execute(0, 0);
    recorder.model.tensors[2].0 = 300;
    recorder.model.tensors.push((64, 2));
    recorder.model.nodes[1].temporaries = vec![3];
    recorder.execute(1, 1);
    recorder.recording()
}

fn refusal(content: &[u8]) -> String {
    match input::read(content, "recording", None) {
        Ok(maps) => panic!("it is read: {:?}", maps[0].not_replayed),
        Err(refusal) => refusal.to_string(),
    }
}

/// What is said of the recording with one member, by its JSON pointer, set to something else; `null` takes it away.
#[track_caller]
fn refused(pointer: &str, value: Value, text: &str) {
    assert_eq!(refusal(&changed(pointer, value)), text, "{pointer}");
}

fn changed(pointer: &str, value: Value) -> Vec<u8> {
    let mut file = recording();
    let (parent, member) = pointer.rsplit_once('/').unwrap();
    let parent = file.pointer_mut(parent).unwrap();
    match parent {
        Value::Object(members) if value.is_null() => _ = members.remove(member).unwrap(),
        Value::Object(members) => _ = members.insert(member.to_owned(), value),
        Value::Array(elements) => elements[member.parse::<usize>().unwrap()] = value,
        other => panic!("{other} has no members"),
    }
    serde_json::to_vec(&file).unwrap()
}

/// The difference that is told of an altered place.
fn difference(pointer: &str, value: Value) -> String {
    let maps = input::read(&changed(pointer, value), "recording", None).unwrap();
    maps[0].not_replayed.clone().unwrap()
}

#[test]
fn the_recording_itself_is_fine() {
    let map = input::read(&serde_json::to_vec(&recording()).unwrap(), "recording", None).unwrap().remove(0);
    assert_eq!(map.not_replayed, None);
    let offsets: Vec<_> = map.places.iter().map(|place| place.unwrap().offset).collect();
    assert_eq!(offsets, [0, 64, 192, 512]);
}

#[test]
fn what_is_no_recording() {
    assert_eq!(refusal(b"{"), "EOF while parsing an object at line 1 column 1");
    assert_eq!(refusal(b"{}"), "missing field `tflite_arena_recording` at line 1 column 2");
    assert_eq!(refusal(b"{\n\"tflite_arena_recording\": 1,,\n"), "key must be a string at line 2 column 29");
    let version = "tflite_arena_recording: version 2 of the format is not known here, only 1 is";
    assert_eq!(refusal(br#"{"tflite_arena_recording": 2, "nodes": {}}"#), version);
    refused(
        "/tflite_arena_recording",
        json!(0),
        "tflite_arena_recording: version 0 of the format is not known here, only 1 is",
    );
}

#[test]
fn a_file_that_is_cut_off_is_refused_at_its_end() {
    let whole = serde_json::to_string_pretty(&recording()).unwrap();
    for cut in 1..whole.len() {
        let head = &whole[..cut];
        let (line, column) = (head.lines().count(), head.lines().last().unwrap_or_default().len());
        let said = refusal(head.as_bytes());
        assert!(said.starts_with("EOF while parsing "), "cut at {cut}: {said}");
        // An end right behind a line break is told of the line before or of the next one.
        let ends = [format!("at line {line} column {column}"), format!("at line {} column 0", line + 1)];
        assert!(ends.iter().any(|end| said.ends_with(end.as_str())), "cut at {cut}: {said}, not {ends:?}");
    }
}

#[test]
fn members_that_are_missing_or_of_the_wrong_kind() {
    let said = refusal(&changed("/totals/padding", json!(null)));
    assert!(said.starts_with("missing field `padding` at line 1 column "), "{said}");
    let said = refusal(&changed("/tensors/1/bytes", json!(-1)));
    assert!(said.starts_with("invalid value: integer `-1`, expected usize at line 1 column "), "{said}");
    let said = refusal(&changed("/tensors/1/place/last", Value::Object(Default::default())));
    assert!(said.starts_with("invalid type: map, expected i32 at line 1 column "), "{said}");
    let said = refusal(&changed("/options/strategy", json!("worst")));
    assert!(said.starts_with("unknown variant `worst`, expected one of `greedy`"), "{said}");
    let said = refusal(&changed("/events/2/event", json!("dance")));
    assert!(said.starts_with("unknown variant `dance`, expected one of `create`"), "{said}");
    refused("/events/2/first", json!(null), "events[2]: missing field `first`");
    refused("/events/0/event", json!("grow"), "events[0]: missing field `of`");
    refused("/events/0/event", json!("reset_after"), "events[0]: missing field `node`");
    refused("/events/0/event", json!("error"), "events[0]: missing field `call`");
    refused("/events/1/sizes", json!(null), "events[1]: the last plan has no `sizes`");
    let grow = json!({"event": "grow", "arena": 0, "persistent": 0, "of": 4, "before": 0, "after": 1});
    refused("/events/0", grow, "events[0]: of: 4 is no arena: 2 and 3 are");
    refused("/options/alignment", json!(48), "options.alignment: 48 is not a power of two");
}

#[test]
fn numbers_of_tensors_and_nodes_that_are_none() {
    refused("/inputs/0", json!(4), "inputs[0]: there is no tensor 4, there are 4");
    refused("/outputs/0", json!(-2), "outputs[0]: there is no tensor -2, there are 4");
    refused("/nodes/1/inputs/0", json!(9), "nodes[1].inputs[0]: there is no tensor 9, there are 4");
    refused(
        "/nodes/1/temporaries/0",
        json!(i32::MAX),
        "nodes[1].temporaries[0]: there is no tensor 2147483647, there are 4",
    );
    refused("/tensors/1/place/root", json!(4), "tensors[1].place: there is no tensor 4, there are 4");
    refused("/tensors/1/place/arena", json!(1), "tensors[1].place: 1 is no arena: 2 and 3 are");
    refused("/tensors/1/place/first", json!(2), "tensors[1].place: there is no node 2, there are 2");
    refused("/tensors/1/place/first", json!(-1), "tensors[1].place: there is no node -1, there are 2");
    refused("/tensors/1/place/last", json!(2), "tensors[1].place: 2 is no last node for a tensor that begins at 0");
    refused("/tensors/2/place/last", json!(0), "tensors[2].place: 0 is no last node for a tensor that begins at 1");
    let text = "tensors[1].place.root: it takes over the bytes of tensor 0, which has not this place";
    refused("/tensors/1/place/root", json!(0), text);
}

#[test]
fn places_and_totals_that_cannot_be() {
    refused("/tensors/1/place/offset", json!(i64::MAX), "tensors[1].place: it ends beyond the address space");
    refused("/tensors/1/place/size", json!(u64::MAX), "tensors[1].place: it ends beyond the address space");
    // 0, rounded up, and 1, from there to the end of the address space.
    let text = "tensors[2].place: the places up to here exceed the address space";
    let mut file: Value = serde_json::from_slice(&changed("/tensors/1/place/size", json!(i64::MAX - 1024))).unwrap();
    file["tensors"][2]["place"]["size"] = json!(2048);
    assert_eq!(refusal(&serde_json::to_vec(&file).unwrap()), text);
    for (total, right) in
        [("naive", 576), ("arena", 576), ("lower_bound", 548), ("persistent", 0), ("padding", 20), ("placed", 4)]
    {
        let text = format!("totals.{total}: 7 does not fit the places, which give {right}");
        refused(&format!("/totals/{total}"), json!(7), &text);
    }
}

#[test]
fn events_that_lead_elsewhere() {
    refused("/events/2/changed", json!([[9, 1, 2]]), "events[2]: changed[0]: there is no tensor 9, there are 4");
    refused(
        "/events/2/changed",
        json!([[1, 1, 2], [5, 1, 2]]),
        "events[2]: changed[1]: there is no tensor 5, there are 4",
    );
    refused("/events/1/sizes", json!([[64, 2]]), "events[3]: changed[0]: tensor 2 is new, but the next new one is 1");
    refused(
        "/events/1/sizes",
        json!([[1, 2], [1, 2], [1, 2], [1, 2], [1, 2]]),
        "events[1]: sizes: there are 5 for 4 tensors",
    );
    refused("/events/3/temporaries", json!([[2, []]]), "events[3]: temporaries[0]: there is no node 2, there are 2");
    refused("/events/3/temporaries", json!([]), "nodes[1].temporaries: [3], but [] after all events");
    refused("/events/3/changed", json!([[2, 300, 2]]), "tensors: there are 4, but 3 after all events");
    let text = "tensors[2]: 300 bytes of allocation type 2, but 8 of 2 after all events";
    refused("/events/3/changed", json!([[2, 8, 2], [3, 64, 2]]), text);
    let text = "events: node -3 is not in the execution plan";
    refused("/events/2/first", json!(-3), text);
}

#[test]
fn places_that_the_calls_do_not_lead_to_are_told() {
    let text = "t1 (1) lies at offset 128 with 100 bytes from node 0 to 1 in the recording, but at offset 64 with 100 bytes from \
                node 0 to 1 when the recorded calls are made again";
    assert_eq!(difference("/tensors/1/place/offset", json!(128)), text);
    let text = "t2 (2) lies at offset 192 with 300 bytes from node 0 to the end in the recording, but at offset 192 with 300 \
                bytes from node 1 to the end when the recorded calls are made again";
    let mut file = recording();
    file["tensors"][2]["place"]["first"] = json!(0);
    file["totals"]["lower_bound"] = json!(548);
    let maps = input::read(&serde_json::to_vec(&file).unwrap(), "recording", None).unwrap();
    assert_eq!(maps[0].not_replayed.as_deref(), Some(text));
}

#[test]
fn places_without_a_plan_are_told() {
    let mut file = recording();
    file["events"] =
        json!([{"event": "error", "arena": 0, "persistent": 0, "call": "plan", "status": 1, "text": "no"}]);
    let maps = input::read(&serde_json::to_vec(&file).unwrap(), "recording", None).unwrap();
    let difference = maps[0].not_replayed.as_deref().unwrap();
    assert!(
        difference
            .starts_with("t0 (0) lies at offset 0 with 64 bytes from node 0 to the end in the recording, but nowhere")
    );
    let anew = input::read(&serde_json::to_vec(&file).unwrap(), "recording", Some(Strategy::Best)).unwrap();
    assert_eq!((anew[0].places.as_slice(), anew[0].totals.arena), ([None; 4].as_slice(), 0));
}
