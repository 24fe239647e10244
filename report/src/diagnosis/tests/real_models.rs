//! Graphs that were recorded from real models. They have no names, and operators only where a test gives them.

use std::path::Path;

use super::*;
use crate::map::{Kind, Network, Node, Tensor};
use crate::testing::planned;

/// Reads a file of ctests/recorded.
fn recorded(model: &str) -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ctests/recorded").join(format!("{model}.graph"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut network = Network::default();
    for line in text.lines() {
        let (what, rest) = line.split_once(' ').unwrap_or((line, ""));
        let numbers = |list: &str| list.split_whitespace().map(|number| number.parse().unwrap()).collect::<Vec<i32>>();
        match what {
            "tensor" => network.tensors.push(tensor(&numbers(rest))),
            "node" => {
                let (inplace, lists) = rest.split_once(" i").unwrap();
                let (inputs, lists) = lists.split_once(" o").unwrap();
                let (outputs, temporaries) = lists.split_once(" t").unwrap();
                network.nodes.push(Node {
                    inplace: inplace.parse().unwrap(),
                    inputs: numbers(inputs),
                    outputs: numbers(outputs),
                    temporaries: numbers(temporaries),
                    ..Node::default()
                });
            }
            "inputs" => network.inputs = numbers(rest),
            "outputs" => network.outputs = numbers(rest),
            "variables" => network.variables = numbers(rest),
            _ => {}
        }
    }
    network
}

/// From its number, bytes and allocation type.
fn tensor(numbers: &[i32]) -> Tensor {
    Tensor {
        name: String::new(),
        data_type: String::new(),
        shape: None,
        bytes: numbers[1] as usize,
        kind: Kind::from_number(numbers[2]),
    }
}

fn only(map: MemoryMap, id: &str) -> Finding {
    let mut found = findings(&[map], id);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn a_face_detector_planned_greedily_has_a_hole_that_best_closes() {
    let finding = only(planned(recorded("face_detection_short_range")), "above-lower-bound");
    assert_eq!(
        finding.text,
        "The arena takes 1,769,472 bytes, 17.39 % (262,144 bytes) above the lower bound of 1,507,328. At node 18, where \
         1,507,328 are needed, 262,144 bytes lie free between tensor 20 and tensor 12, which lies highest."
    );
    assert_eq!(
        finding.advice.as_deref(),
        Some("Strategy `best` takes it to 1,507,328 bytes, the lower bound. Set TFLITE_ARENA_STRATEGY=best.")
    );
}

/// All nodes of this model that read one constant and write a persistent tensor twice as large are DEQUANTIZE.
fn pose_landmark_full() -> MemoryMap {
    let mut network = recorded("pose_landmark_full");
    for node in &mut network.nodes {
        let (&[input], &[output]) = (node.inputs.as_slice(), node.outputs.as_slice()) else { continue };
        let (input, output) = (input as usize, output as usize);
        if network.tensors[input].kind == Kind::Constant && network.tensors[output].kind == Kind::Persistent {
            node.op = "DEQUANTIZE".to_owned();
            network.tensors[input].data_type = "FLOAT16".to_owned();
        }
    }
    planned(network)
}

/// 24,511,556 bytes are persistent: 12,677,956 of weights, 11,832,448 of copies of those, and 1,152 between them.
#[test]
fn a_pose_landmark_model_has_its_weights_dequantized() {
    let finding = only(pose_landmark_full(), "computed-weights");
    assert_eq!(
        finding.text,
        "192 weights are computed once, by DEQUANTIZE, and kept: 12,677,956 bytes, made of 6,338,978 bytes of float16 in \
         the model. That is 51.7 % of the 24,511,556 persistent bytes. The largest: tensor 482 with 995,328, tensor 425 with 898,560 \
         and tensor 400 with 539,136."
    );
}

#[test]
fn and_keeps_copies_of_them() {
    let finding = only(pose_landmark_full(), "copied-weights");
    assert_eq!(
        finding.text,
        "58 weights are kept a second time, in the order that the kernels of unnamed operators want: 11,832,448 bytes, \
         48.3 % of what is persistent."
    );
}

#[test]
fn and_keeps_a_skip_over_most_of_the_network() {
    let finding = only(pose_landmark_full(), "long-lived");
    assert_eq!(
        finding.text,
        "Of the 9,831,424 bytes at node 19, 524,288 (5.3 %) only wait there: tensor 209 (524,288 bytes), written at node \
         18 and kept over 179 nodes for node 198."
    );
}
