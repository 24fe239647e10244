//! What cannot be told from a file is said.

use crate::map;
use crate::model_file::{Data, Graph};
use crate::one_node;

/// Begins of sentences, each with the nodes and tensors that it is about. The one that is true of all models comes last.
fn unknowns(graph: &Graph) -> Vec<(String, Vec<usize>, Vec<usize>)> {
    let words = |text: &str| text.split(' ').take(4).collect::<Vec<_>>().join(" ");
    map(graph).unknowns.into_iter().map(|unknown| (words(&unknown.text), unknown.nodes, unknown.tensors)).collect()
}

fn delegate() -> (String, Vec<usize>, Vec<usize>) {
    ("A delegate, such as".to_owned(), vec![], vec![])
}

#[test]
fn of_an_operator() {
    for (operator, words) in [
        ("Mine", "Mine is not an"),
        ("#1000", "BUILTIN_1000 is an operator"),
        ("LSTM", "What LSTM needs while"),
        ("WHILE", "WHILE runs other subgraphs,"),
        ("CALL_ONCE", "CALL_ONCE runs other subgraphs,"),
        ("WHERE", "How much WHERE gives"),
    ] {
        assert_eq!(
            unknowns(&one_node(operator, &[4])),
            [(words.to_owned(), vec![0], vec![]), delegate()],
            "{operator}"
        );
    }
}

#[test]
fn of_all_nodes_with_the_same_operator_at_once() {
    let mut graph = one_node("Mine", &[4]);
    graph.node("ABS", &[0], &[1]);
    graph.node("Mine", &[0], &[1]);
    graph.node("Yours", &[0], &[1]);
    let [mine, yours] = ["Mine is not an", "Yours is not an"].map(str::to_owned);
    assert_eq!(unknowns(&graph), [(mine, vec![0, 2], vec![]), (yours, vec![3], vec![]), delegate()]);
}

#[test]
fn of_inputs_that_may_have_other_sizes() {
    let mut graph = one_node("ABS", &[1, 4]);
    graph.at(0).signature = vec![-1, 4];
    // What follows from it is no news.
    graph.at(1).signature = vec![-1, 4];
    assert_eq!(unknowns(&graph), [("The application may choose".to_owned(), vec![], vec![0]), delegate()]);
    graph.at(0).signature = vec![1, 4];
    assert_eq!(unknowns(&graph), [delegate()]);
}

#[test]
fn of_threads() {
    let mut graph = Graph::default();
    let x = graph.tensor("x", "FLOAT32", &[1, 4, 4, 2]);
    let filter = graph.constant("filter", "FLOAT32", &[2, 3, 3, 2], 144);
    let bias = graph.constant("bias", "FLOAT32", &[2], 8);
    let y = graph.tensor("y", "FLOAT32", &[1, 4, 4, 2]);
    graph.node("CONV_2D", &[x, filter, bias], &[y]).conv_2d = Some([1, 1]);
    graph.outputs = vec![y];
    assert_eq!(unknowns(&graph), [("With a single thread,".to_owned(), vec![0], vec![]), delegate()]);
    graph.at(filter).data = Data::None;
    assert_eq!(unknowns(&graph), [delegate()]);
}

#[test]
fn of_a_kernel_whose_operands_are_not_as_they_should_be() {
    // A convolution without options, and one whose input has no height.
    let mut graph = one_node("CONV_2D", &[4]);
    graph.node("CONV_2D", &[0, 0], &[1]).conv_2d = Some([1, 1]);
    assert_eq!(unknowns(&graph), [("What CONV_2D needs while".to_owned(), vec![0, 1], vec![]), delegate()]);
}

#[test]
fn not_of_a_graph_without_nodes() {
    let mut graph = Graph::default();
    graph.inputs = vec![graph.tensor("x", "FLOAT32", &[4])];
    assert_eq!(unknowns(&graph), []);
}
