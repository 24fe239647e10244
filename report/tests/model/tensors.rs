//! What is in the file as it is: tensors and operators.

use arena_report::map::Kind;

use crate::model_file::{Data, Graph};
use crate::{kinds, map, one_node};

#[test]
fn tensors_have_the_name_type_shape_and_size_that_the_file_gives_them() {
    let mut graph = Graph::default();
    for (element, shape, bytes) in [
        ("FLOAT32", &[2, 3][..], 24),
        ("FLOAT16", &[3], 6),
        ("INT64", &[3], 24),
        ("COMPLEX128", &[1], 16),
        ("BOOL", &[7], 7),
        // Two in a byte.
        ("INT4", &[3], 2),
        ("INT32", &[], 4),
        ("INT32", &[5, 0], 0),
        ("STRING", &[4], 0),
    ] {
        let tensor = graph.tensor(&format!("a {element}"), element, shape);
        let tensor = &map(&graph).network.tensors[tensor as usize];
        assert_eq!((tensor.name.as_str(), tensor.bytes), (format!("a {element}").as_str(), bytes));
        assert_eq!((tensor.data_type.as_str(), tensor.shape.as_deref()), (element, Some(shape)));
    }
}

#[test]
fn a_tensor_lives_where_the_runtime_puts_it() {
    let mut graph = one_node("ABS", &[16]);
    let weights = graph.constant("weights", "FLOAT32", &[4], 16);
    let words = graph.constant("words", "STRING", &[2], 11);
    let state = graph.tensor("state", "FLOAT32", &[8]);
    graph.at(state).is_variable = true;
    let text = graph.tensor("text", "STRING", &[2]);
    let empty = graph.tensor("empty", "FLOAT32", &[4]);
    graph.at(empty).data = Data::Bytes(0);
    let map = map(&graph);
    let kind = |tensor: i32| (map.network.tensors[tensor as usize].kind, map.network.tensors[tensor as usize].bytes);
    assert_eq!(kind(0), (Kind::ArenaRw, 64));
    assert_eq!(kind(weights), (Kind::Constant, 16));
    assert_eq!(kind(words), (Kind::Constant, 11));
    assert_eq!(kind(state), (Kind::Persistent, 32));
    assert_eq!(kind(text), (Kind::Dynamic, 0));
    assert_eq!(kind(empty), (Kind::ArenaRw, 16), "a buffer without data makes no constant");
    assert_eq!(map.network.variables, [state]);
    assert_eq!((map.totals.arena, map.totals.persistent), (128, 32));
}

#[test]
fn weights_that_are_dequantized_or_made_dense_once_are_kept() {
    let mut graph = Graph::default();
    let half = graph.constant("half", "FLOAT16", &[16], 32);
    let kept = graph.tensor("kept", "FLOAT32", &[16]);
    let sparse = graph.constant("sparse", "FLOAT16", &[16], 8);
    graph.at(sparse).is_sparse = true;
    let dense = graph.tensor("dense", "FLOAT16", &[16]);
    let again = graph.tensor("again", "FLOAT32", &[16]);
    graph.node("DEQUANTIZE", &[half], &[kept]);
    graph.node("DENSIFY", &[sparse], &[dense]);
    graph.node("DEQUANTIZE", &[dense], &[again]);
    graph.outputs = vec![kept, again];
    let map = map(&graph);
    // What DENSIFY gives is no constant, so it is dequantized in each run.
    assert_eq!(kinds(&map, &[kept, dense, again]), [Kind::Persistent, Kind::Persistent, Kind::ArenaRw]);
    assert_eq!((map.totals.persistent, map.totals.arena), (64 + 32, 64));
}

#[test]
fn operators_do_in_place_what_the_runtime_says() {
    for (operator, flags) in [
        ("ADD", 12),
        ("SUB", 12),
        ("MUL", 12),
        ("DIV", 12),
        ("RESHAPE", 5),
        ("EXPAND_DIMS", 5),
        ("SQUEEZE", 5),
        ("BITCAST", 5),
        ("SOFTMAX", 4),
        ("DYNAMIC_UPDATE_SLICE", 4),
        ("RELU", 0),
        ("LOG_SOFTMAX", 0),
        ("Other", 0),
        ("#1000", 0),
    ] {
        let node = &map(&one_node(operator, &[4])).network.nodes[0];
        assert_eq!((node.inplace, node.inputs.as_slice(), node.outputs.as_slice()), (flags, &[0][..], &[1][..]));
    }
}

#[test]
fn operators_have_their_names() {
    let node = |operator| map(&one_node(operator, &[4])).network.nodes.remove(0);
    assert_eq!((node("STABLEHLO_CASE").op, node("STABLEHLO_CASE").custom), ("STABLEHLO_CASE".to_owned(), None));
    assert_eq!((node("Mine").op, node("Mine").custom), ("CUSTOM".to_owned(), Some("Mine".to_owned())));
    assert_eq!((node("#1000").op, node("#1000").custom), ("BUILTIN_1000".to_owned(), None));
}

#[test]
fn an_operator_writes_over_its_operand_where_it_may() {
    // x -> a -> b -> y, where b = RELU(a) may not and b = SOFTMAX(a) may lie on a.
    for (operator, arena) in [("RELU", 4 * 4096), ("SOFTMAX", 3 * 4096)] {
        let mut graph = Graph::default();
        let [x, a, b, y] = ["x", "a", "b", "y"].map(|name| graph.tensor(name, "FLOAT32", &[1024]));
        graph.node("ABS", &[x], &[a]);
        graph.node(operator, &[a], &[b]);
        graph.node("ABS", &[b], &[y]);
        (graph.inputs, graph.outputs) = (vec![x], vec![y]);
        let map = map(&graph);
        assert_eq!(map.totals.naive, arena, "{operator}");
    }
}
