//! Recordings and tables that were damaged, or made to do damage: each gives maps, of which everything can be told, or a refusal.
//!
//! A process of its own, as it counts all memory: its tests are one, so that they run one after the other.

#[path = "../hostile/counting.rs"]
mod counting;
#[path = "../model_file/mod.rs"]
mod model_file;
#[path = "../../../planner/tests/support/rng.rs"]
#[allow(dead_code, reason = "the planner's tests use more of it")]
mod rng;
#[path = "../support/mod.rs"]
mod support;

use arena_report::check::{Rules, check};
use arena_report::comparison::Comparison;
use arena_report::diagnosis::diagnose;
use arena_report::model_explorer::{Values, model_explorer};
use arena_report::{MemoryMap, Refusal, Strategy, csv, html, input, json, svg, text, trace};
use counting::most_bytes;
use rng::Rng;
use support::{Model, Operator, Recorder};

/// The most bytes that any command may take.
const MOST_BYTES: usize = 200 << 20;

/// Does all that the commands do with a file; true if it was read.
fn everything(content: &[u8], what: &str) -> bool {
    let (bytes, read) = most_bytes(|| {
        let maps = input::read(content, what, None)?;
        tell(&maps);
        // The planner may refuse to do anew what the file says was done.
        if let Ok(anew) = input::read(content, what, Some(Strategy::Best)) {
            tell(&anew);
            maps.iter().zip(&anew).for_each(|(map, anew)| drop(text::comparison(&Comparison::new(map, anew), true)));
        }
        Ok::<(), Refusal>(())
    });
    assert!(bytes <= MOST_BYTES, "{what}: {bytes} bytes for a file of {}", content.len());
    if let Err(refusal) = &read {
        assert!(!refusal.to_string().trim().is_empty(), "{what} is refused without a word");
    }
    read.is_ok()
}

fn tell(maps: &[MemoryMap]) {
    let findings = diagnose(maps);
    drop(text::text(maps, &findings, true));
    drop(json::json(maps, &findings));
    drop(html::html(maps, &findings));
    drop(trace::trace(maps));
    for map in maps {
        drop(csv::csv(map).unwrap());
        drop(svg::svg(map));
        drop([Values::LiveBytes, Values::OutputBytes].map(|values| model_explorer(map, values)));
    }
    let rules = Rules { max_arena: Some(1), max_persistent: Some(1), max_gap: Some(1.0), validate: true };
    drop(check(&[maps.to_vec()], &rules));
}

/// A small recording with everything in it.
fn recording() -> String {
    let node = |op, inplace, inputs: &[i32], output, temporaries: &[i32]| Operator {
        op,
        inplace,
        inputs: inputs.to_vec(),
        outputs: vec![output],
        temporaries: temporaries.to_vec(),
    };
    let mut recorder = Recorder::greedy(Model {
        tensors: vec![(64, 2), (100, 2), (100, 2), (300, 2), (8, 3), (64, 1), (40, 4), (70, 2)],
        nodes: vec![
            node("CONV_2D", 0, &[0, 5, -1], 1, &[]),
            node("RESHAPE", 5, &[1], 2, &[]),
            node("ADD", 12, &[2, 0], 3, &[7]),
            node("WHERE", 0, &[3, 4], 6, &[]),
        ],
        inputs: vec![0],
        outputs: vec![6],
        variables: vec![4],
        ..Model::default()
    });
    recorder.plan().execute(0, 3).reset_after(1);
    recorder.model.tensors[3].0 = 400;
    recorder.release().acquire();
    recorder.model.refuses = true;
    recorder.execute(2, 3);
    recorder.model.refuses = false;
    serde_json::to_string(&recorder.execute(2, 3).recording()).unwrap()
}

const TABLE: &str = "id,lower,upper,size,alignment,offset,gaps,name\n\
                     a,0,4,8,4,0,1-2@0:4 2-3,x\n\
                     \"b,\"\"c\",1,2,4,,4,,\n\
                     d,3,9,16,16,,4-5,y\n";

#[test]
fn hostile_texts_are_told_of_or_refused_and_take_little_memory() {
    for (file, what) in [(recording(), "a recording"), (TABLE.to_owned(), "a table")] {
        assert!(everything(file.as_bytes(), what));
        truncated(file.as_bytes(), what);
        with_flipped_bits(file.as_bytes(), what);
        with_absurd_numbers(&file, what);
    }
    models_with_flipped_bits();
    deep();
    long();
    far();
}

fn truncated(file: &[u8], what: &str) {
    for length in 0..file.len() {
        everything(&file[..length], &format!("{length} bytes of {what}"));
    }
}

fn with_flipped_bits(file: &[u8], what: &str) {
    const FILES: usize = 2000;
    let mut rng = Rng::new(7);
    let mut read = 0;
    for number in 0..FILES {
        let damaged = flipped(file, &mut rng);
        read += usize::from(everything(&damaged, &format!("{what} number {number} with flipped bits")));
    }
    assert!((1..FILES).contains(&read), "{read} of {FILES} were read");
}

fn flipped(file: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut file = file.to_vec();
    for _ in 0..=rng.below(3) {
        let byte = rng.below(file.len());
        file[byte] ^= 1 << rng.below(8);
    }
    file
}

/// Each number of the file in turn, and pairs of them.
fn with_absurd_numbers(file: &str, what: &str) {
    const ABSURD: [&str; 14] = [
        "0",
        "-1",
        "1",
        "2",
        "3",
        "64",
        "2147483646",
        "2147483647",
        "4294967295",
        "1000000000000000000",
        "4611686018427387904",
        "9223372036854775807",
        "18446744073709551615",
        "1e400",
    ];
    let numbers = numbers(file);
    let mut rng = Rng::new(8);
    let mut read = 0;
    let mut tried = |changes: &[(usize, &str)]| {
        let mut damaged = file.to_owned();
        // The last first, so that the others stay where they are.
        for &(at, number) in changes {
            damaged.replace_range(numbers[at].clone(), number);
        }
        read += usize::from(everything(damaged.as_bytes(), &format!("{what} with {changes:?}")));
    };
    for at in 0..numbers.len() {
        ABSURD.iter().for_each(|number| tried(&[(at, number)]));
    }
    for _ in 0..1000 {
        let mut pair = [rng.below(numbers.len()), rng.below(numbers.len())];
        pair.sort_unstable_by(|one, other| other.cmp(one));
        if pair[0] != pair[1] {
            tried(&pair.map(|at| (at, rng.pick(&ABSURD))));
        }
    }
    assert!(read > 0, "none was read");
}

/// Where the numbers of a text are.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut numbers: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, byte) in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()) {
        debug_assert!(byte.is_ascii_digit());
        match numbers.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => numbers.push(at..at + 1),
        }
    }
    numbers
}

/// What is read from such a file can be told, too.
fn models_with_flipped_bits() {
    let mut graph = model_file::Graph::default();
    let x = graph.tensor("x", "FLOAT32", &[1, 8, 8, 4]);
    let half = graph.constant("half", "FLOAT16", &[64], 128);
    let weights = graph.tensor("weights", "FLOAT32", &[64]);
    let y = graph.tensor("y", "FLOAT32", &[1, 8, 8, 4]);
    graph.node("DEQUANTIZE", &[half], &[weights]);
    graph.node("MUL", &[x, weights], &[y]);
    (graph.inputs, graph.outputs) = (vec![x], vec![y]);
    let file = graph.file();
    assert!(everything(&file, "a model"));
    let mut rng = Rng::new(9);
    for number in 0..1000 {
        everything(&flipped(&file, &mut rng), &format!("model number {number} with flipped bits"));
    }
}

/// Brackets in brackets.
fn deep() {
    for open in ["[", "{\"a\":"] {
        let nested = open.repeat(200_000);
        assert!(!everything(nested.as_bytes(), "brackets in brackets"));
        // In a member that nobody knows, and in one that holds a list.
        let file = recording();
        assert!(!everything(
            file.replacen("\"inputs\":[", &format!("\"inputs\":[{nested}"), 1).as_bytes(),
            "a deep list"
        ));
        assert!(!everything(file.replacen('{', &format!("{{\"new\":{nested},"), 1).as_bytes(), "a deep member"));
    }
    let closed = "[".repeat(100_000) + &"]".repeat(100_000);
    everything(
        recording().replacen('{', &format!("{{\"new\":{closed},"), 1).as_bytes(),
        "a deep member that is closed",
    );
}

/// A megabyte of the least that can be said.
fn long() {
    let file = recording();
    let with = |member: &str, element: &str, count: usize| {
        let list = format!("\"{member}\":[{}", format!("{element},").repeat(count));
        file.replacen(&format!("\"{member}\":["), &list, 1)
    };
    for (member, element) in [
        ("events", r#"{"event":"reset","arena":0,"persistent":0}"#),
        ("events", r#"{"event":"execute","arena":0,"persistent":0,"first":0,"last":3}"#),
        ("nodes", r#"{"op":"","inplace":0,"inputs":[],"outputs":[],"temporaries":[]}"#),
        ("tensors", r#"{"name":"","type":0,"bytes":1,"allocation_type":2}"#),
        ("outputs", "0"),
        ("sizes", "[1,2]"),
        ("changed", "[0,64,2]"),
    ] {
        let count = 1_000_000 / (element.len() + 1);
        everything(with(member, element, count).as_bytes(), &format!("{count} more of {member}"));
    }
    let rows: String = (0..10_000).map(|id| format!("{id},0,{},64\n", id + 1)).collect();
    assert!(everything(format!("id,lower,upper,size\n{rows}").as_bytes(), "a long table"));
    let rows: String = (0..5_000).map(|id| format!("{id},0,1,64,0\n")).collect();
    assert!(everything(format!("id,lower,upper,size,offset\n{rows}").as_bytes(), "a table in which all clash"));
    let gaps: String = (0..20_000).map(|at| format!("{}-{} ", 2 * at + 1, 2 * at + 2)).collect();
    assert!(everything(
        format!("id,lower,upper,size,gaps\na,0,100000,64,{gaps}\n").as_bytes(),
        "a buffer with many gaps"
    ));
    everything(format!("id,lower,upper,size{}\na,0,1,1\n", ",".repeat(1_000_000)).as_bytes(), "a row with many cells");
}

/// Numbers that are far apart.
fn far() {
    let most = usize::MAX;
    let half = usize::MAX / 2;
    for rows in [
        format!("a,0,{most},1\nb,{},{most},1\n", most - 1),
        format!("a,0,1,{half}\n"),
        format!("a,0,1,{}\nb,0,1,1\n", half - 10),
        format!("a,0,1,{most}\n"),
    ] {
        everything(format!("id,lower,upper,size\n{rows}").as_bytes(), &rows);
    }
}
