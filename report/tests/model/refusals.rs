//! Files that are refused, with the place and the reason.

use arena_report::input;

use crate::model_file::{self, Data, Graph, Tensor};
use crate::{maps, one_node};

/// The code of a type with elements of one byte.
const UINT8: i8 = 3;

/// Why a file is refused.
fn refusal(file: &[u8]) -> String {
    match input::read(file, "model", None) {
        Ok(_) => "it is not".to_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

/// Why a model is refused that was sound before this change.
fn with(change: impl Fn(&mut Graph)) -> String {
    let mut graph = one_node("ABS", &[4]);
    assert_eq!(refusal(&graph.file()), "it is not");
    change(&mut graph);
    refusal(&graph.file())
}

#[test]
fn tensors_that_are_not_there() {
    for (refused, text) in [
        (with(|graph| graph.inputs = vec![0, 2]), "subgraph 0: input 1 is tensor 2, there are 2"),
        (with(|graph| graph.outputs = vec![-2]), "subgraph 0: output 0 is tensor -2, there are 2"),
        (
            with(|graph| graph.nodes[0].inputs = vec![99]),
            "subgraph 0, operator 0 (ABS): input 0 is tensor 99, there are 2",
        ),
        (
            with(|graph| graph.nodes[0].outputs = vec![1, i32::MIN]),
            "subgraph 0, operator 0 (ABS): output 1 is tensor -2147483648, there are 2",
        ),
    ] {
        assert_eq!(refused, text);
    }
    assert_eq!(with(|graph| graph.nodes[0].inputs = vec![0, -1]), "it is not", "-1 is an input that is left out");
}

#[test]
fn other_things_that_cannot_be() {
    let refused = with(|graph| graph.nodes[0].code_index = Some(7));
    assert_eq!(refused, "subgraph 0: operator 0 is of code 7, there are 1");
    let refused = with(|graph| graph.nodes[0].operator = "M".repeat(257));
    assert_eq!(refused, "an operator's name has more than 256 bytes");
    let refused = with(|graph| graph.at(1).data = Data::Buffer(5));
    assert_eq!(refused, "subgraph 0, tensor 1: it has its data in buffer 5, there are 1");
    assert_eq!(refusal(&model_file::file(&[])), "the model has 0 subgraphs, not 1 to 4096");
}

#[test]
fn tensors_that_cannot_be() {
    let refused = with(|graph| graph.at(0).shape = vec![4, -3]);
    assert_eq!(refused, "subgraph 0, tensor 0: a dimension of its shape is -3");
    let refused = with(|graph| graph.at(0).shape = vec![i32::MAX; 3]);
    let text = "subgraph 0, tensor 0: its size, [2147483647, 2147483647, 2147483647] of FLOAT32, cannot be addressed";
    assert_eq!(refused, text);
    for code in [-1, 23, 100] {
        let refused = with(|graph| graph.at(1).element = code);
        assert_eq!(refused, format!("subgraph 0, tensor 1: its type, {code}, is not known here"));
    }
    let refused = with(|graph| {
        graph.at(1).data = Data::Bytes(16);
        graph.at(1).is_variable = true;
    });
    assert_eq!(refused, "subgraph 0, tensor 1: it is a variable with data, which the runtime does not know");
}

#[test]
fn kernels_that_need_too_much() {
    let refused = with(|graph| {
        graph.at(0).shape = vec![1, i32::MAX, i32::MAX, 1];
        graph.at(0).element = UINT8;
        let filter = graph.tensor("filter", "UINT8", &[1, i32::MAX, i32::MAX, 1]);
        let output = graph.tensor("output", "UINT8", &[1, i32::MAX, i32::MAX, 1]);
        graph.node("CONV_2D", &[0, filter], &[output]).conv_2d = Some([1, 1]);
    });
    assert_eq!(refused, "subgraph 0: the im2col of a CONV_2D cannot be addressed");
}

#[test]
fn a_graph_that_is_too_large_as_a_whole() {
    let refused = with(|graph| {
        graph.nodes[0].outputs = vec![1, 2, 3, 4];
        let huge = Tensor { element: UINT8, shape: vec![i32::MAX; 2], ..Tensor::default() };
        graph.tensors = vec![huge; 5];
    });
    assert!(refused.contains("tensor "), "{refused}");
}

#[test]
fn data_behind_the_tables_is_a_constant_and_must_be_in_the_file() {
    let mut graph = one_node("ABS", &[4]);
    let weights = graph.tensor("weights", "FLOAT32", &[4]);
    // The offset has its bytes whatever it is, so the file is as long.
    graph.at(weights).data = Data::Behind(2, 16);
    let length = graph.file().len() as u64;
    graph.at(weights).data = Data::Behind(length, 16);
    let mut file = graph.file();
    file.resize(file.len() + 16, 0);
    let map = &maps(&file)[0];
    let tensor = &map.network.tensors[weights as usize];
    assert_eq!((tensor.kind.number(), tensor.bytes), (1, 16));

    file.pop();
    let text = format!("subgraph 0, tensor 2: its data, 16 bytes from byte {length}, is beyond the end of the file");
    assert_eq!(refusal(&file), text);
    graph.at(weights).data = Data::Behind(u64::MAX, 16);
    assert!(refusal(&graph.file()).ends_with("is beyond the end of the file"));
    // Offsets 0 and 1 say that there is none.
    graph.at(weights).data = Data::Behind(1, 16);
    assert_eq!(maps(&graph.file())[0].network.tensors[weights as usize].kind.number(), 2);
}

#[test]
fn files_that_are_damaged() {
    let file = one_node("ABS", &[4]).file();
    assert_eq!(refusal(&file[..file.len() / 2]).split(':').next(), Some("damaged model, subgraphs[0].tensors"));
    // The place of the root.
    let mut wild = file.clone();
    wild[..4].copy_from_slice(&(file.len() as u32 * 4).to_le_bytes());
    assert!(refusal(&wild).starts_with("damaged model: "), "{}", refusal(&wild));
}

#[test]
fn each_subgraph_has_a_map() {
    let mut second = one_node("RELU", &[1024]);
    second.name = "loop body";
    let maps = maps(&model_file::file(&[one_node("ABS", &[4]), second]));
    let titles: Vec<_> = maps.iter().map(|map| map.title.as_str()).collect();
    assert_eq!(titles, ["model, subgraph 0", "model, subgraph 1 (loop body)"]);
    assert_eq!(maps.iter().map(|map| map.totals.arena).collect::<Vec<_>>(), [80, 8192]);
}
