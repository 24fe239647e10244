//! The notation, the generators and the shrinker keep their promises.

use crate::support::{Rng, for_all, hostile_graph, parse, print, random_graph, shrink};
use arena_planner::shadow::{Graph, Kind, Node, Tensor};
use std::collections::BTreeSet;

/// Whether every tensor is written at most once, and never after it was first read.
fn in_order(graph: &Graph) -> bool {
    let mut written: BTreeSet<i32> = graph.inputs.iter().chain(&graph.variables).copied().collect();
    let mut read = BTreeSet::new();
    graph.nodes.iter().all(|node| {
        read.extend(node.inputs.iter().copied());
        let mut own = node.outputs.iter().chain(&node.temporaries).filter(|&&tensor| tensor >= 0);
        own.all(|&tensor| !read.contains(&tensor) && written.insert(tensor))
    })
}

#[test]
fn the_notation_says_what_a_graph_is() {
    let (graph, names) = parse("x:256 in; P:8 persistent; k:16 elsewhere\n A,B:64; x->A->B; A,-,k->B R tmp P; out B,B");
    let tensor = |bytes, kind| Tensor { bytes, kind };
    let node = |inputs: &[i32], outputs: &[i32]| Node {
        inputs: inputs.to_vec(),
        outputs: outputs.to_vec(),
        ..Node::default()
    };
    assert_eq!(
        graph,
        Graph {
            tensors: vec![
                tensor(256, Kind::ArenaRw),
                tensor(8, Kind::Persistent),
                tensor(16, Kind::Elsewhere),
                tensor(64, Kind::ArenaRw),
                tensor(64, Kind::ArenaRw),
            ],
            nodes: vec![
                node(&[0], &[3]),
                node(&[3], &[4]),
                Node { temporaries: vec![1], inplace: 5, ..node(&[3, -1, 2], &[4]) },
            ],
            inputs: vec![0],
            outputs: vec![4, 4],
            variables: vec![],
        }
    );
    assert_eq!(names["k"], 2);
}

#[test]
fn what_is_printed_is_read_back() {
    let read_back = |graph: &Graph| {
        let back = parse(&print(graph)).0;
        if back == *graph { Ok(()) } else { Err(format!("read back as\n{}", print(&back))) }
    };
    for_all(0..500, random_graph, read_back);
    for_all(0..500, hostile_graph, read_back);
}

#[test]
fn random_graphs_are_in_order_and_hostile_ones_are_not() {
    let ordered = |graph: &Graph| in_order(graph).then_some(()).ok_or("out of order".to_owned());
    for_all(0..2000, random_graph, ordered);
    let broken = (0..2000).filter(|&seed| !in_order(&hostile_graph(seed))).count();
    assert!(broken > 1500, "only {broken} of 2000 hostile graphs are out of order");
}

#[test]
fn a_seed_names_one_graph() {
    for seed in 0..50 {
        assert_eq!(random_graph(seed), random_graph(seed));
        assert_ne!(random_graph(seed), random_graph(seed + 1));
        assert_eq!(hostile_graph(seed), hostile_graph(seed));
    }
}

#[test]
fn random_graphs_have_everything_often_enough() {
    type Feature = (&'static str, fn(&Graph) -> bool);
    fn any_node(graph: &Graph, has: impl Fn(&Node) -> bool) -> bool {
        graph.nodes.iter().any(has)
    }
    fn any_tensor(graph: &Graph, tensors: &[i32], has: impl Fn(Tensor) -> bool) -> bool {
        tensors.iter().any(|&tensor| tensor >= 0 && has(graph.tensors[tensor as usize]))
    }
    fn readers(graph: &Graph, tensor: i32) -> usize {
        graph.nodes.iter().flat_map(|node| &node.inputs).filter(|&&input| input == tensor).count()
    }
    fn written_by_reshape(graph: &Graph, tensor: i32) -> bool {
        any_node(graph, |node| node.inplace == 5 && node.outputs.first() == Some(&tensor) && tensor >= 0)
    }
    const FEATURES: [Feature; 22] = [
        ("no bytes", |g| g.tensors.iter().any(|tensor| tensor.bytes == 0)),
        ("4 bytes", |g| g.tensors.iter().any(|tensor| tensor.bytes == 4)),
        ("20 nodes", |g| g.nodes.len() >= 20),
        ("3 nodes at most", |g| g.nodes.len() <= 3),
        ("optional input", |g| any_node(g, |node| node.inputs.contains(&-1))),
        ("optional output", |g| any_node(g, |node| node.outputs.contains(&-1))),
        ("operand twice", |g| any_node(g, |node| node.inputs.windows(2).any(|pair| pair[0] == pair[1]))),
        ("four inputs", |g| any_node(g, |node| node.inputs.len() == 4)),
        ("no inputs", |g| any_node(g, |node| node.inputs.is_empty())),
        ("flag 2", |g| any_node(g, |node| node.inplace & 2 != 0)),
        ("flags 1 and 8", |g| any_node(g, |node| node.inplace & 9 == 9)),
        ("alias of alias", |g| {
            any_node(g, |node| node.inplace == 5 && node.inputs.iter().any(|&t| written_by_reshape(g, t)))
        }),
        ("in place on an alias", |g| {
            any_node(g, |node| node.inplace == 4 && node.inputs.iter().any(|&t| written_by_reshape(g, t)))
        }),
        ("temporary", |g| any_node(g, |n| any_tensor(g, &n.temporaries, |tensor| tensor.kind == Kind::ArenaRw))),
        ("persistent temporary", |g| {
            any_node(g, |n| any_tensor(g, &n.temporaries, |tensor| tensor.kind == Kind::Persistent))
        }),
        ("dynamic output", |g| any_node(g, |n| any_tensor(g, &n.outputs, |tensor| tensor.kind == Kind::Elsewhere))),
        ("variable of two readers", |g| g.variables.iter().any(|&variable| readers(g, variable) >= 2)),
        ("graph output read", |g| g.outputs.iter().any(|&output| output >= 0 && readers(g, output) > 0)),
        ("graph output twice", |g| (1..g.outputs.len()).any(|i| g.outputs[..i].contains(&g.outputs[i]))),
        ("graph input twice", |g| (1..g.inputs.len()).any(|i| g.inputs[..i].contains(&g.inputs[i]))),
        ("graph input is output", |g| g.inputs.iter().any(|&input| input >= 0 && g.outputs.contains(&input))),
        ("output never read", |g| {
            any_node(g, |n| n.outputs.iter().any(|&o| o >= 0 && readers(g, o) == 0 && !g.outputs.contains(&o)))
        }),
    ];
    let graphs: Vec<Graph> = (0..2000).map(random_graph).collect();
    for (what, has) in FEATURES {
        let count = graphs.iter().filter(|graph| has(graph)).count();
        assert!(count >= 40, "{what}: only in {count} of 2000 graphs");
    }
}

#[test]
fn shrinking_leaves_what_the_failure_needs() {
    // A write in place on an alias of an alias: three nodes, four tensors, and nothing else.
    let needs = |graph: &Graph| {
        graph.nodes.windows(3).any(|nodes| {
            [5, 5, 4] == [0, 1, 2].map(|index| nodes[index].inplace)
                && nodes.windows(2).all(|pair| pair[0].outputs.first() == pair[1].inputs.first())
                && nodes.iter().all(|node| node.outputs.first() != node.inputs.first())
                && nodes.iter().all(|node| node.outputs.first() >= Some(&0) && node.inputs.first() >= Some(&0))
        })
    };
    let found: Vec<Graph> = (0..2000).map(random_graph).filter(needs).take(5).collect();
    assert_eq!(found.len(), 5);
    for graph in found {
        let smallest = shrink(&graph, needs);
        let (nodes, tensors) = (smallest.nodes.len(), smallest.tensors.len());
        assert_eq!((nodes, tensors), (3, 4), "from\n{}to\n{}", print(&graph), print(&smallest));
        assert!(smallest.tensors.iter().all(|&tensor| tensor == Tensor { bytes: 64, kind: Kind::ArenaRw }));
    }
}

#[test]
#[should_panic(expected = "the smallest graph that fails: too many nodes\n\n->\n->\n->\n")]
fn a_failure_shows_the_smallest_graph() {
    let judge = |graph: &Graph| {
        if graph.nodes.len() < 3 { Ok(()) } else { Err("too many nodes".to_owned()) }
    };
    for_all(0..100, random_graph, judge);
}

#[test]
fn random_numbers_reach_every_choice() {
    let mut rng = Rng::new(1);
    let drawn: BTreeSet<usize> = (0..1000).map(|_| rng.below(7)).collect();
    assert_eq!(drawn, (0..7).collect());
    let drawn: BTreeSet<char> = (0..1000).map(|_| rng.weighted(&[(1, 'a'), (0, 'b'), (5, 'c')])).collect();
    assert_eq!(drawn, BTreeSet::from(['a', 'c']));
}
