//! What is written of a small recording, whose numbers are worked out by hand.
//!
//! ```text
//! tensor   bytes  in units of 64   nodes
//! image     1000            1024   0 to the end: an input that is kept
//! conv      3000            3008   1 to 3, with flat, which takes its bytes over at node 2
//! pool       500             512   3 and 4
//! sum        700             704   4 to the end
//! 7          100             128   4
//! ```
//!
//! So 1024, 4032, 4032, 4544 and 2368 bytes are needed at the nodes 0 to 4, and 5376 in sum. At node 3 the last one needs no
//! padding: the bound is 4544 - 24. Without alignment it would be 4500. The plan leaves conv the place behind image, and so pool
//! ends at 4032 + 500.

use arena_report::model_explorer::{Values, model_explorer};
use arena_report::{MemoryMap, csv, input, json, trace};
use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

const SMALL: &str = include_str!("small.json");

fn small() -> MemoryMap {
    read(SMALL)
}

fn read(content: &str) -> MemoryMap {
    input::read(content.as_bytes(), "small.json", None).unwrap().remove(0)
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn json_has_the_recording_s_numbers() {
    let report = parse(&json::json(&[small()], &[]));
    assert_eq!(report["tflite_arena_report"], 1);
    let (map, recording) = (&report["maps"][0], parse(SMALL));
    for total in ["naive", "arena", "lower_bound", "persistent", "padding", "placed"] {
        assert_eq!(map["totals"][total], recording["totals"][total], "{total}");
    }
    assert_eq!(map["totals"]["peak"], json!({ "node": 3, "bytes": 4544 }));
    assert_eq!(map["totals"]["gap_percent"], 100.0 * (4532.0 / 4520.0 - 1.0));
    assert_eq!(map["live_bytes"], json!([1024, 4032, 4032, 4544, 2368]));
    assert_eq!(map["options"], recording["options"]);
    assert_eq!(map["origin"], json!({ "kind": "recording", "pid": 4242, "planner": 2, "subgraph": 0 }));
    for list in ["inputs", "outputs", "variables"] {
        assert_eq!(map[list], recording[list], "{list}");
    }
    let (tensors, recorded) = (map["tensors"].as_array().unwrap(), recording["tensors"].as_array().unwrap());
    assert_eq!(tensors.len(), recorded.len());
    for (tensor, recorded) in tensors.iter().zip(recorded) {
        for member in ["name", "shape", "bytes"] {
            assert_eq!(tensor[member], recorded[member], "{recorded}");
        }
        for member in ["offset", "size", "first", "last", "root"] {
            assert_eq!(tensor["place"][member], recorded["place"][member], "{recorded}");
        }
    }
    assert_eq!(tensors[1]["place"], Value::Null);
    let told = |at: usize| [&tensors[at]["type"], &tensors[at]["kind"], &tensors[at]["place"]["arena"]];
    assert_eq!(told(1), [&json!("FLOAT16"), &json!("constant"), &Value::Null]);
    assert_eq!(told(2), [&json!("FLOAT32"), &json!("persistent"), &json!("persistent")]);
    assert_eq!(told(7), [&json!("INT8"), &json!("arena_rw"), &json!("rw")]);
    // sum lies where conv did, and tensor 7 there as well.
    let previous: Vec<_> = [0, 3, 4, 5, 6, 7].map(|at| &tensors[at]["place"]["previous"]).into();
    assert_eq!(json!(previous), json!([null, null, null, null, 3, 3]));
    let operations = map["nodes"].as_array().unwrap();
    for (node, recorded) in operations.iter().zip(recording["nodes"].as_array().unwrap()) {
        for member in ["op", "custom", "inplace", "inputs", "outputs", "temporaries"] {
            assert_eq!(node[member], recorded[member], "{recorded}");
        }
    }
    assert_eq!((operations.len(), &map["not_replayed"]), (5, &Value::Null));
}

#[test]
fn a_table_keeps_its_own_times() {
    let map = read("id,lower,upper,size\na,100,200,5\nb,150,300,7\n");
    let told: Value = serde_json::from_str(&json::json(&[map], &[])).unwrap();
    let told = &told["maps"][0];
    assert_eq!((&told["times"], &told["live_bytes"]), (&json!([100, 150, 200, 300]), &json!([5, 12, 7])));
    let graph: Value = serde_json::from_str(&json::json(&[small()], &[])).unwrap();
    assert_eq!(graph["maps"][0].get("times"), None);
}

#[test]
fn csv_has_the_owners_of_the_arena() {
    let expected = "\
id,lower,upper,size,alignment,offset,name,type
0,0,5,1000,64,0,image,FLOAT32
3,1,4,3000,64,1024,conv,FLOAT32
5,3,5,500,64,4032,pool,FLOAT32
6,4,5,700,64,1024,sum,FLOAT32
7,4,5,100,64,1728,,INT8
";
    assert_eq!(String::from_utf8(csv::csv(&small()).unwrap()).unwrap(), expected);
}

/// The table's totals are the map's, and so are those of the table of a table with gaps.
#[test]
fn csv_is_read_again() {
    let again = |map: &MemoryMap| read(&String::from_utf8(csv::csv(map).unwrap()).unwrap());
    let mut expected = small().totals;
    // A table has one arena.
    expected.persistent = 0;
    assert_eq!(again(&small()).totals, expected);

    // b lies in a's gaps, above the bytes of a that are needed there, and c keeps to its own alignment.
    let table = "id,lower,upper,size,gaps,alignment\na,0,9,16,2-4@0:4 5-7,\nb,2,4,12,,\nc,8,30,5,,8\n";
    let map = read(table);
    assert_eq!(map.totals.arena, 16 + 5);
    let csv = String::from_utf8(csv::csv(&map).unwrap()).unwrap();
    let expected = "\
id,lower,upper,size,alignment,offset,name,type,gaps
a,0,6,16,1,0,a,,1-2@0:4 3-4
b,1,2,12,1,4,b,,
c,5,7,5,8,16,c,,
";
    assert_eq!(csv, expected);
    assert_eq!((again(&map).totals, again(&map).gaps), (map.totals, map.gaps));
}

#[test]
fn model_explorer_gets_a_number_a_node_by_the_name_of_its_output() {
    let data = parse(&model_explorer(&small(), Values::LiveBytes));
    assert_eq!(data["name"], "live bytes, small.json");
    let expected = json!({
        "kernel": { "value": 1024 },
        "conv": { "value": 4032 },
        "flat": { "value": 4032 },
        "pool": { "value": 4544 },
        "sum": { "value": 2368 },
    });
    assert_eq!(data["results"], expected);
    let stops: Vec<_> = data["gradient"].as_array().unwrap().iter().map(|item| &item["stop"]).collect();
    assert_eq!(stops, [0, 1]);
    let data = parse(&model_explorer(&small(), Values::OutputBytes));
    let bytes = ["kernel", "conv", "flat", "pool", "sum"].map(|name| &data["results"][name]["value"]);
    assert_eq!(bytes, [400, 3000, 3000, 500, 700]);
}

/// Where names do not tell nodes apart, their numbers in the file do, unless they are some tensor's name or a delegate has moved them.
#[test]
fn model_explorer_falls_back_on_numbers_where_these_are_sound() {
    let keys = |recording: &str| {
        let data = parse(&model_explorer(&read(recording), Values::OutputBytes));
        let mut keys: Vec<_> = data["results"].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let twice = SMALL.replace(r#""name": "flat""#, r#""name": "conv""#);
    assert_eq!(keys(&twice), ["1", "2", "kernel", "pool", "sum"]);
    let numbered = twice.replace(r#""name": "image""#, r#""name": "2""#);
    assert_eq!(keys(&numbered), ["1", "kernel", "pool", "sum"]);
    let delegated = twice.replace("\"CONV_2D\"", "\"DELEGATE\"");
    assert_eq!(keys(&delegated), ["kernel", "pool", "sum"]);
}

/// What the format asks of events, and Perfetto of tracks.
///
/// It asks for `ph`, `pid`, and `name`; for `ts` of all but metadata; for `dur` of complete events, which on one track must not
/// overlap unless they nest; for a scope of instants; for numbers in counters. Perfetto takes a `tid` for one thread, whatever
/// its process, and 0 for the idle one.
fn check_trace(text: &str) -> Vec<Value> {
    let events = parse(text)["traceEvents"].as_array().unwrap().clone();
    let mut slices: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    let mut processes = BTreeMap::new();
    let mut named = BTreeSet::new();
    for event in &events {
        let number = |member: &str| event[member].as_u64().unwrap_or_else(|| panic!("{member} of {event}"));
        let name = event["name"].as_str().unwrap();
        let pid = number("pid");
        assert!(pid > 0, "{event}");
        match event["ph"].as_str().unwrap() {
            "M" if name == "process_name" => assert!(event["args"]["name"].is_string() && named.insert((pid, 0))),
            "M" if name == "thread_name" => {
                assert!(event["args"]["name"].is_string() && named.insert((pid, number("tid"))));
            }
            "M" => assert!(name.ends_with("_sort_index") && event["args"]["sort_index"].is_u64(), "{event}"),
            "X" => slices.entry(number("tid")).or_default().push((number("ts"), number("ts") + number("dur"))),
            "i" => assert!(event["s"] == "t" && event["ts"].is_u64() && event["tid"].is_u64(), "{event}"),
            "C" => {
                number("ts");
                assert!(event["args"].as_object().unwrap().values().all(Value::is_u64), "{event}");
            }
            other => panic!("{other:?} is not written here: {event}"),
        }
        if let Some(tid) = event["tid"].as_u64() {
            assert_eq!(*processes.entry(tid).or_insert(pid), pid, "{event}");
            assert!(tid > 0 && named.contains(&(pid, 0)), "{event}");
        }
    }
    for (tid, mut slices) in slices {
        assert!(named.contains(&(processes[&tid], tid)), "track {tid} has no name");
        slices.sort_unstable();
        for pair in slices.windows(2) {
            assert!(pair[0].1 <= pair[1].0, "track {tid} has {pair:?}");
        }
    }
    events
}

#[test]
fn a_trace_has_nodes_tensors_counters_and_calls() {
    let events = check_trace(&trace::trace(&[small()]));
    let of = |ph: &str| events.iter().filter(|event| event["ph"] == ph).collect::<Vec<_>>();
    // Of slices: which, from when, and how long.
    let slices: BTreeSet<_> = of("X")
        .iter()
        .map(|event| (event["name"].as_str().unwrap(), event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap()))
        .collect();
    let expected = [
        ("DEQUANTIZE", 0, 1),
        ("CONV_2D", 1, 1),
        ("RESHAPE", 2, 1),
        ("MAX_POOL_2D", 3, 1),
        ("Blend", 4, 1),
        ("image (0)", 0, 5),
        ("kernel (2)", 0, 5),
        ("conv (3)", 1, 3),
        ("pool (5)", 3, 2),
        ("sum (6)", 4, 1),
        ("tensor 7", 4, 1),
    ];
    assert_eq!(slices, expected.into());

    let sum = events.iter().find(|event| event["name"] == "sum (6)").unwrap();
    let args = json!({
        "tensor": 6, "type": "FLOAT32", "bytes": 700, "offset": 1024, "written_by": "Blend 4", "bytes_before_of": "conv (3)",
    });
    assert_eq!(sum["args"], args);
    let conv = events.iter().find(|event| event["name"] == "conv (3)").unwrap();
    assert_eq!((&conv["tid"], &conv["args"]["taken_over_by"]), (&sum["tid"], &json!(["flat (4)"])));

    let counted = |name: &str| {
        let of_name = of("C").into_iter().filter(|event| event["name"] == name);
        of_name
            .map(|event| (event["ts"].as_u64().unwrap(), event["args"]["bytes"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(counted("live"), [(0, 1024), (1, 4032), (3, 4544), (4, 2368), (5, 0)]);
    assert_eq!(counted("arena"), [(0, 4532), (5, 4532)]);
    assert_eq!(counted("lower bound"), [(0, 4520), (5, 4520)]);

    let calls: Vec<_> = of("i").iter().map(|event| (event["name"].as_str().unwrap(), &event["args"]["ns"])).collect();
    let (none, plan, execute) = (&Value::Null, &json!(1500), &json!(2500));
    let expected = [
        ("create", none),
        ("plan", plan),
        ("grow from 0 to 4532", none),
        ("grow persistent from 0 to 400", none),
        ("execute 0 to 4", execute),
    ];
    assert_eq!(calls, expected);
}

/// Two maps, one with gaps and one in which the places clash, and names that JSON has to escape.
#[test]
fn a_trace_keeps_slices_apart_whatever_it_is_given() {
    let table = "id,lower,upper,size,gaps,offset\na,0,9,16,2-4@0:4 5-7,0\nb,2,4,12,,4\nc,5,7,16,,0\n";
    let clash = "id,lower,upper,size,offset\n\"x\"\"y\",0,4,8,0\nz,2,6,8,0\n";
    let events = check_trace(&trace::trace(&[read(table), read(clash), small()]));
    let pieces: Vec<_> = events.iter().filter(|event| event["name"] == "buffer a").collect();
    let spans: Vec<_> = pieces.iter().map(|event| (event["ts"].as_u64(), event["args"]["bytes"].as_u64())).collect();
    // Times 0, 2, 4, 5, 7 and 9 are the nodes 0 to 5.
    assert_eq!(spans, [(Some(0), Some(16)), (Some(1), Some(4)), (Some(2), Some(16)), (Some(4), Some(16))]);
    assert_eq!(events.iter().filter(|event| event["name"] == "buffer x\"y" || event["name"] == "buffer z").count(), 2);
}
