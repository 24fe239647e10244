//! Files that were damaged, or made to do damage: each gives maps or a refusal, and takes memory in proportion to its size.
//!
//! A process of its own, as it counts all memory: its tests are one, so that they run one after the other.

mod counting;
#[path = "../model_file/mod.rs"]
mod model_file;

use arena_report::map::MemoryMap;
use arena_report::{Refusal, Strategy, input};
use counting::most_bytes;
use flatbuffers::FlatBufferBuilder;
use model_file::{Data, Graph};

/// For a file of so many bytes.
fn allowed(file: usize) -> usize {
    (4 << 20) + 10 * file
}

fn read(file: &[u8], what: &str) -> Result<Vec<MemoryMap>, Refusal> {
    let (bytes, result) = most_bytes(|| input::read(file, what, Some(Strategy::Best)));
    assert!(bytes <= allowed(file.len()), "{what}: {bytes} bytes for a file of {}", file.len());
    if let Err(refusal) = &result {
        assert!(!refusal.to_string().trim().is_empty(), "{what} is refused without a word");
    }
    result
}

/// A small model with all kinds of things in it.
fn model() -> Graph {
    let mut graph = Graph::convolution();
    let [x, half, y] = [0, 1, 4];
    let axis = graph.constant("axis", "INT32", &[2], 8);
    let mean = graph.tensor("mean", "FLOAT32", &[1, 6]);
    let weights = graph.constant("weights", "INT8", &[5, 6], 30);
    let z = graph.tensor("z", "FLOAT32", &[1, 5]);
    let out = graph.tensor("out", "FLOAT32", &[1, 5]);
    let state = graph.tensor("state", "FLOAT32", &[4]);
    graph.at(state).is_variable = true;
    graph.at(half).is_sparse = true;
    graph.at(weights).scales = vec![0.5, 0.25];
    graph.at(x).signature = vec![-1, 8, 8, 4];
    graph.node("MEAN", &[y, axis], &[mean]);
    graph.node("FULLY_CONNECTED", &[mean, weights, -1], &[z]);
    graph.node("Mine", &[z, state], &[out]);
    graph.outputs = vec![out];
    graph
}

/// Two subgraphs, one of which has data behind the tables.
fn two_subgraphs() -> Vec<u8> {
    let mut second = Graph::default();
    let x = second.tensor("x", "FLOAT32", &[4]);
    let y = second.tensor("y", "FLOAT32", &[4]);
    let weights = second.tensor("weights", "FLOAT32", &[4]);
    second.at(weights).data = Data::Behind(8, 16);
    second.node("WHERE", &[x, weights], &[y]);
    second.node("SOFTMAX", &[y], &[y]);
    (second.inputs, second.outputs) = (vec![x], vec![y]);
    model_file::file(&[model(), second])
}

#[test]
fn hostile_files_give_maps_or_refusals_and_take_little_memory() {
    let (one, two) = (model().file(), two_subgraphs());
    read(&one, "the first model").unwrap();
    read(&two, "the second model").unwrap();
    truncated(&one);
    truncated(&two);
    with_flipped_bits(&two);
    with_absurd_numbers(&two);
    with_shared_tables();
    with_a_long_name();
    large_but_sound();
}

fn truncated(file: &[u8]) {
    for length in 0..file.len() {
        // What is missing may be nothing but the end of data that nobody reads.
        let _ = read(&file[..length], &format!("{length} bytes of {}", file.len()));
    }
    read(&file[..file.len() / 2], "half a file").unwrap_err();
}

/// Some still are models, others are refused.
fn with_flipped_bits(file: &[u8]) {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = |limit: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % limit as u64) as usize
    };
    let mut read_so_far = 0;
    const FILES: usize = 2000;
    for number in 0..FILES {
        let mut file = file.to_vec();
        for _ in 0..=next(4) {
            let byte = next(file.len());
            file[byte] ^= 1 << next(8);
        }
        read_so_far += usize::from(read(&file, &format!("file {number} with flipped bits")).is_ok());
    }
    assert!((1..FILES).contains(&read_so_far), "{read_so_far} of {FILES} were read");
}

/// Each number of the file in turn: lengths, places, indices, sizes.
fn with_absurd_numbers(file: &[u8]) {
    for place in (0..file.len() - 4).step_by(4) {
        for number in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, file.len() as u32, file.len() as u32 / 4] {
            let mut file = file.to_vec();
            file[place..place + 4].copy_from_slice(&number.to_le_bytes());
            let _ = read(&file, &format!("{number} at byte {place}"));
        }
    }
}

/// A file of a few tables, in which `count` places in a vector lead to the same operator, tensor, or both.
fn sharing(operators: usize, tensors: usize, subgraphs: usize) -> Vec<u8> {
    let mut builder = FlatBufferBuilder::new();
    let slot = |number: u16| 4 + 2 * number;
    let shape = builder.create_vector(&[1, 8, 8, 4]);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), shape);
    let tensor = builder.end_table(table);
    let list = builder.create_vector(&[0, 0, 0]);
    let table = builder.start_table();
    builder.push_slot_always(slot(1), list);
    builder.push_slot_always(slot(2), list);
    let operator = builder.end_table(table);
    let tensors = builder.create_vector(&vec![tensor; tensors]);
    let operators = builder.create_vector(&vec![operator; operators]);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), tensors);
    builder.push_slot_always(slot(3), operators);
    let subgraph = builder.end_table(table);
    let subgraphs = builder.create_vector(&vec![subgraph; subgraphs]);
    let table = builder.start_table();
    // All fields left out: it is an ADD.
    let code = builder.end_table(table);
    let codes = builder.create_vector(&[code]);
    let table = builder.start_table();
    builder.push_slot_always(slot(1), codes);
    builder.push_slot_always(slot(2), subgraphs);
    let model = builder.end_table(table);
    builder.finish(model, Some("TFL3"));
    builder.finished_data().to_vec()
}

fn with_shared_tables() {
    read(&sharing(2, 1, 1), "a little sharing").unwrap();
    for (operators, tensors, subgraphs) in
        [(100_000, 1, 1), (1, 100_000, 1), (1000, 1, 1000), (1, 1, 100_000), (0, 1, 4097)]
    {
        let what = format!("{operators} operators, {tensors} tensors, {subgraphs} subgraphs");
        read(&sharing(operators, tensors, subgraphs), &what).unwrap_err();
    }
    // As many subgraphs as may be.
    let maps = read(&model_file::file(&vec![Graph::default(); 4096]), "empty subgraphs").unwrap();
    assert_eq!(maps.len(), 4096);
}

/// Thousands of tensors whose names are the same, long one.
fn with_a_long_name() {
    let mut builder = FlatBufferBuilder::new();
    let slot = |number: u16| 4 + 2 * number;
    let name = builder.create_string(&"n".repeat(100_000));
    let tensors: Vec<_> = (0..1000)
        .map(|_| {
            let table = builder.start_table();
            builder.push_slot_always(slot(3), name);
            builder.end_table(table)
        })
        .collect();
    let tensors = builder.create_vector(&tensors);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), tensors);
    let subgraph = builder.end_table(table);
    let subgraphs = builder.create_vector(&[subgraph]);
    let table = builder.start_table();
    builder.push_slot_always(slot(2), subgraphs);
    let model = builder.end_table(table);
    builder.finish(model, Some("TFL3"));
    read(builder.finished_data(), "a long name").unwrap_err();
}

/// A long chain of nodes: it is planned, in memory that is in proportion, too.
fn large_but_sound() {
    let mut graph = Graph::default();
    graph.tensor("", "FLOAT32", &[16]);
    for node in 0..10_000 {
        graph.tensor("", "FLOAT32", &[16]);
        graph.node("RELU", &[node], &[node + 1]);
    }
    let maps = read(&graph.file(), "a long chain").unwrap();
    assert_eq!(maps[0].network.nodes.len(), 10_000);
    assert_eq!(maps[0].totals.arena, 128);
}
