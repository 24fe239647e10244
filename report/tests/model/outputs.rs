//! Where operators put what they compute. The kinds are those that the stock runtime 2.14 has told of the same models.

use arena_report::map::Kind::{self, ArenaRw, Dynamic, PersistentRo};

use crate::model_file::Graph;
use crate::{kinds, map};

/// Where the outputs live of an operator whose inputs are constants (`c`), are computed (`v`) or absent (`-`).
fn outputs(operator: &str, inputs: &str, num_outputs: usize) -> Vec<Kind> {
    let mut graph = Graph::default();
    let shape = [2];
    let inputs: Vec<i32> = inputs
        .chars()
        .map(|input| match input {
            'c' => graph.constant("constant", "INT32", &shape, 8),
            'v' => graph.tensor("computed", "INT32", &shape),
            _ => -1,
        })
        .collect();
    let outputs: Vec<i32> = (0..num_outputs).map(|_| graph.tensor("output", "INT32", &shape)).collect();
    graph.node(operator, &inputs, &outputs);
    graph.outputs = outputs.clone();
    kinds(&map(&graph), &outputs)
}

#[test]
fn an_output_whose_size_hangs_on_a_computed_value_is_allocated_when_it_is_known() {
    for (operator, inputs) in [
        ("ARG_MAX", "vv"),
        ("BATCH_TO_SPACE_ND", "vvc"),
        ("BATCH_TO_SPACE_ND", "vcv"),
        ("EXPAND_DIMS", "vv"),
        ("FILL", "vc"),
        ("MEAN", "vv"),
        ("ONE_HOT", "vvcc"),
        ("PAD", "vv"),
        ("RANDOM_UNIFORM", "v"),
        ("RANGE", "cvc"),
        ("RESHAPE", "vv"),
        ("RESIZE_BILINEAR", "vv"),
        ("SCATTER_ND", "vvv"),
        ("SLICE", "vcv"),
        ("STRIDED_SLICE", "vvcc"),
        ("TILE", "vv"),
        ("TRANSPOSE", "vv"),
        ("TRANSPOSE_CONV", "vcv"),
        ("UNSORTED_SEGMENT_SUM", "vvc"),
        ("WHERE", "v"),
    ] {
        assert_eq!(outputs(operator, inputs, 1), [Dynamic], "{operator} {inputs}");
    }
    assert_eq!(outputs("SPLIT", "vv", 2), [Dynamic, Dynamic]);
    assert_eq!(outputs("TOPK_V2", "vv", 2), [Dynamic, Dynamic]);
    assert_eq!(outputs("UNIQUE", "v", 2), [Dynamic, ArenaRw]);
    assert_eq!(outputs("NON_MAX_SUPPRESSION_V4", "vvvcc", 2), [Dynamic, ArenaRw]);
    assert_eq!(outputs("NON_MAX_SUPPRESSION_V5", "vvvccc", 3), [Dynamic, Dynamic, ArenaRw]);
}

#[test]
fn an_output_whose_size_is_known_lies_in_the_arena() {
    for (operator, inputs) in [
        ("ARG_MAX", "vc"),
        ("FILL", "cv"),
        ("RANDOM_UNIFORM", "c"),
        ("RESHAPE", "vc"),
        // Its shape is among the operator's options.
        ("RESHAPE", "v"),
        ("RESHAPE", "v-"),
        ("SCATTER_ND", "vvc"),
        ("SLICE", "vvc"),
        ("STRIDED_SLICE", "vccc"),
        ("TILE", "vc"),
        ("UNSORTED_SEGMENT_SUM", "vcc"),
        ("WHERE", "c"),
        ("ADD", "vv"),
    ] {
        assert_eq!(outputs(operator, inputs, 1), [ArenaRw], "{operator} {inputs}");
    }
}

#[test]
fn some_operators_on_known_values_are_computed_before_the_first_run() {
    for (operator, inputs) in [
        ("SHAPE", "v"),
        ("RANK", "v"),
        ("RANGE", "ccc"),
        ("RESHAPE", "cc"),
        ("STRIDED_SLICE", "cccc"),
        ("TILE", "cc"),
        ("MUL", "cc"),
        ("GATHER", "cc"),
        ("CONCATENATION", "cc"),
        ("BROADCAST_ARGS", "cc"),
        ("REDUCE_PROD", "cc"),
    ] {
        assert_eq!(outputs(operator, inputs, 1), [PersistentRo], "{operator} {inputs}");
    }
    for (operator, inputs) in [
        ("ADD", "cc"),
        ("DIV", "cc"),
        ("PACK", "cc"),
        ("CAST", "c"),
        ("TRANSPOSE", "cc"),
        ("SLICE", "ccc"),
        ("MEAN", "cc"),
        ("MUL", "cv"),
        ("GATHER", "vc"),
    ] {
        assert_eq!(outputs(operator, inputs, 1), [ArenaRw], "{operator} {inputs}");
    }
}

#[test]
fn what_is_computed_early_is_known_to_those_that_read_it() {
    let mut graph = Graph::default();
    let x = graph.tensor("x", "FLOAT32", &[2, 3]);
    let shape = graph.tensor("shape", "INT32", &[2]);
    let y = graph.tensor("y", "FLOAT32", &[2, 3]);
    graph.node("SHAPE", &[x], &[shape]);
    graph.node("RESHAPE", &[x, shape], &[y]);
    (graph.inputs, graph.outputs) = (vec![x], vec![y]);
    assert_eq!(kinds(&map(&graph), &[shape, y]), [PersistentRo, ArenaRw]);
}

#[test]
fn what_follows_a_dynamic_output_is_planned_when_that_is_known() {
    // b, which is large, is planned when WHERE has run, and a, x and the place that p has left are as they are then.
    let mut graph = Graph::default();
    let x = graph.tensor("x", "FLOAT32", &[16]);
    let a = graph.tensor("a", "FLOAT32", &[16]);
    let found = graph.tensor("found", "INT64", &[16, 1]);
    let b = graph.tensor("b", "FLOAT32", &[1024]);
    let y = graph.tensor("y", "FLOAT32", &[16]);
    graph.node("ABS", &[x], &[a]);
    graph.node("WHERE", &[a], &[found]);
    graph.node("GATHER", &[x, found], &[b]);
    graph.node("ABS", &[b], &[y]);
    (graph.inputs, graph.outputs) = (vec![x], vec![y]);
    let map = map(&graph);
    assert_eq!(kinds(&map, &[a, found, b]), [ArenaRw, Dynamic, ArenaRw]);
    let offset = |tensor: i32| map.places[tensor as usize].map(|place| place.offset);
    // Planned at once, b would come before a, as it is larger.
    assert_eq!([x, a, found, b].map(offset), [Some(0), Some(64), None, Some(64)]);
}
