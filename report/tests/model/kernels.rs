//! What kernels need beside their operands. The sizes are those that the stock runtime 2.14 has told of the same models.

use arena_report::map::Kind;
use arena_report::map::Kind::{ArenaRw, Dynamic, Persistent};

use crate::map;
use crate::model_file::{Data, Graph};

/// Tensors are named by letters for their types: f for FLOAT32, b for INT8, u for UINT8, i for INT32; upper case for constants.
fn needs(operator: &str, inputs: &[(char, &[i32])], output: &[i32], change: impl Fn(&mut Graph)) -> Vec<(usize, Kind)> {
    let mut graph = Graph::default();
    let mut names = Vec::new();
    for &(letter, shape) in inputs.iter().chain([&(inputs[0].0.to_ascii_lowercase(), output)]) {
        let (element, size) = match letter.to_ascii_lowercase() {
            'f' => ("FLOAT32", 4),
            'b' => ("INT8", 1),
            'u' => ("UINT8", 1),
            'i' => ("INT32", 4),
            other => panic!("{other} is no type"),
        };
        let tensor = graph.tensor("", element, shape);
        if letter.is_ascii_uppercase() {
            graph.at(tensor).data = Data::Bytes(size * shape.iter().product::<i32>() as usize);
        }
        names.push(tensor);
    }
    let output = names.pop().unwrap();
    graph.node(operator, &names, &[output]);
    graph.outputs = vec![output];
    change(&mut graph);
    let map = map(&graph);
    let tensor = |&tensor: &i32| &map.network.tensors[tensor as usize];
    map.network.nodes[0].temporaries.iter().map(tensor).map(|tensor| (tensor.bytes, tensor.kind)).collect()
}

const X: &[i32] = &[2, 8, 8, 4];
const Y: &[i32] = &[2, 8, 8, 6];
const FILTER: &[i32] = &[6, 3, 3, 4];
const POINTS: &[i32] = &[6, 1, 1, 4];
const BIAS: &[i32] = &[6];

fn conv_2d(types: &str, filter: &[i32], stride: i32, dilation: i32, scales: &[f32]) -> Vec<(usize, Kind)> {
    let letters: Vec<char> = types.chars().collect();
    let output = [2, 8 / stride, 8 / stride, 6];
    needs("CONV_2D", &[(letters[0], X), (letters[1], filter), (letters[2], BIAS)], &output, |graph| {
        graph.nodes[0].conv_2d = Some([stride, dilation]);
        graph.at(1).scales = scales.to_vec();
    })
}

#[test]
fn a_convolution_in_threads_keeps_its_weights_transposed() {
    assert_eq!(conv_2d("fFF", FILTER, 1, 1, &[]), [(864, Persistent)]);
    assert_eq!(conv_2d("fFF", POINTS, 1, 1, &[]), [(96, Persistent)]);
    // In groups: each filter sees half of the channels.
    assert_eq!(conv_2d("fFF", &[6, 3, 3, 2], 1, 1, &[]), [(432, Persistent)]);
}

#[test]
fn a_convolution_that_cannot_run_in_threads_lays_its_input_out_in_rows() {
    assert_eq!(conv_2d("fFF", FILTER, 1, 2, &[]), [(18_432, ArenaRw)]);
    // Weights that are computed in each run.
    assert_eq!(conv_2d("ffF", FILTER, 1, 1, &[]), [(18_432, ArenaRw)]);
    assert_eq!(conv_2d("ffF", POINTS, 2, 1, &[]), [(512, ArenaRw)]);
    assert_eq!(conv_2d("bBI", FILTER, 1, 1, &[0.5]), [(4608, ArenaRw)]);
    assert_eq!(conv_2d("uUI", FILTER, 1, 1, &[0.5]), [(4608, ArenaRw)]);
    // They lie in rows as they are.
    assert_eq!(conv_2d("ffF", POINTS, 1, 1, &[]), []);
    assert_eq!(conv_2d("bBI", POINTS, 1, 1, &[0.5]), []);
}

#[test]
fn a_convolution_with_quantized_weights_alone_quantizes_its_input() {
    let quantizing = [(512, ArenaRw), (512, ArenaRw), (3072, ArenaRw)];
    let rows = [(4608, ArenaRw)];
    assert_eq!(conv_2d("fBF", FILTER, 1, 1, &[0.5]), [&rows[..], &quantizing].concat());
    assert_eq!(conv_2d("fBF", POINTS, 1, 1, &[0.5]), quantizing);
    assert_eq!(conv_2d("fBF", FILTER, 1, 1, &[0.5; 6]), [&rows[..], &quantizing].concat());
    let uneven = conv_2d("fBF", FILTER, 1, 1, &[0.5, 0.5, 0.75, 0.5, 0.5, 0.5]);
    assert_eq!(uneven, [&rows[..], &quantizing, &[(512, ArenaRw), (24, Persistent)]].concat());
}

#[test]
fn a_depthwise_convolution_quantizes_its_input_where_its_weights_are() {
    let needs = |weights| {
        let filter = (weights, &[1, 3, 3, 4][..]);
        needs("DEPTHWISE_CONV_2D", &[('f', X), filter, ('F', &[4])], X, |graph| graph.at(1).scales = vec![0.5; 4])
    };
    assert_eq!(needs('F'), []);
    assert_eq!(needs('B'), [(512, ArenaRw), (8, ArenaRw), (8, ArenaRw)]);
}

#[test]
fn a_fully_connected_layer_quantizes_its_input_where_its_weights_alone_are() {
    let needs = |types: [char; 3]| {
        let inputs = [(types[0], &[3, 8][..]), (types[1], &[5, 8]), (types[2], &[5])];
        needs("FULLY_CONNECTED", &inputs, &[3, 5], |_| ())
    };
    assert_eq!(needs(['f', 'F', 'F']), []);
    assert_eq!(needs(['b', 'B', 'I']), []);
    let quantizing = [(24, ArenaRw), (12, ArenaRw), (60, ArenaRw), (12, ArenaRw), (20, Persistent)];
    assert_eq!(needs(['f', 'B', 'F']), quantizing);
}

#[test]
fn a_product_of_matrices_has_both_transposed() {
    let (left, right, output) = (&[2, 3, 4][..], &[2, 4, 5][..], &[2, 3, 5][..]);
    let needs =
        |left_type, right_type| needs("BATCH_MATMUL", &[(left_type, left), (right_type, right)], output, |_| ());
    assert_eq!(needs('f', 'f'), [(96, ArenaRw), (160, ArenaRw)]);
    assert_eq!(needs('b', 'b'), [(24, ArenaRw), (40, ArenaRw)]);
    assert_eq!(needs('f', 'F'), [(96, ArenaRw), (160, Persistent)]);
    let quantizing = [(24, ArenaRw), (24, ArenaRw), (60, ArenaRw), (24, ArenaRw), (40, Persistent)];
    assert_eq!(needs('f', 'B'), [&[(96, ArenaRw), (40, Persistent)][..], &quantizing].concat());
}

#[test]
fn a_transposed_convolution_works_outside_the_arena() {
    let needs = |shape, weights, input| {
        let inputs = [(shape, &[4][..]), (weights, &[6, 3, 3, 4]), (input, &[1, 4, 4, 4])];
        needs("TRANSPOSE_CONV", &inputs, &[1, 8, 8, 6], |_| ())
    };
    assert_eq!(needs('I', 'F', 'f'), [(3456, Dynamic), (864, Dynamic)]);
    assert_eq!(needs('i', 'F', 'f'), [(0, Dynamic), (864, Dynamic)]);
    assert_eq!(needs('I', 'B', 'b'), [(3456, Dynamic), (216, Dynamic), (1536, Dynamic)]);
}

#[test]
fn a_reduction_has_four_small_tensors() {
    let needs = |operator, input: (char, &[i32]), axis| needs(operator, &[input, (axis, &[1])], &[1, 4], |_| ());
    let (x, constant) = (('f', &[2, 4][..]), ('F', &[2, 4][..]));
    assert_eq!(needs("MEAN", x, 'I'), [(8, ArenaRw), (4, ArenaRw), (16, ArenaRw), (0, Dynamic)]);
    assert_eq!(needs("MEAN", x, 'i'), [(8, ArenaRw), (0, Dynamic), (0, Dynamic), (0, Dynamic)]);
    assert_eq!(needs("MEAN", constant, 'I'), [(8, ArenaRw), (4, ArenaRw), (16, ArenaRw), (8, ArenaRw)]);
    assert_eq!(needs("REDUCE_MAX", x, 'I'), [(8, ArenaRw), (4, ArenaRw), (0, Kind::None), (0, Dynamic)]);
    // Few products are computed before the first run.
    let early = [(8, ArenaRw), (4, Dynamic), (16, Dynamic), (8, Dynamic)];
    assert_eq!(needs("REDUCE_PROD", constant, 'I'), early);
}

#[test]
fn what_kernels_need_is_numbered_as_the_runtime_does_it() {
    let mut graph = Graph::default();
    let x = graph.tensor("x", "FLOAT32", X);
    let filter = graph.constant("filter", "FLOAT32", POINTS, 96);
    let bias = graph.constant("bias", "FLOAT32", BIAS, 24);
    let y = graph.tensor("y", "FLOAT32", Y);
    let axis = graph.constant("axis", "INT32", &[1], 4);
    let mean = graph.tensor("mean", "FLOAT32", &[2, 8, 6]);
    graph.node("CONV_2D", &[x, filter, bias], &[y]).conv_2d = Some([1, 1]);
    graph.node("MEAN", &[y, axis], &[mean]);
    (graph.inputs, graph.outputs) = (vec![x], vec![mean]);
    let map = map(&graph);
    // Those of a reduction are there when the graph is built, those of a convolution come when it is prepared.
    assert_eq!(map.network.nodes[1].temporaries, [6, 7, 8, 9]);
    assert_eq!(map.network.nodes[0].temporaries, [10]);
    assert_eq!(map.network.tensors.len(), 11);
}
