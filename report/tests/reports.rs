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
use arena_report::{MemoryMap, csv, input, json};
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
