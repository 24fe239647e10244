//! The shadow run in steps: plans that change between nodes.

use crate::support::{parse, placed};
use arena_planner::shadow::{Arena, Byte, Fault, Moment, Place, Shadow, Trouble};

/// The tensor whose bytes were lost, and when.
fn lost(outcome: Result<(), Fault>) -> Option<(usize, Moment)> {
    match outcome {
        Err(Fault { at, tensor, trouble: Trouble::Lost { .. } }) => Some((tensor, at)),
        _ => None,
    }
}

#[test]
fn a_new_place_needs_the_old_bytes() {
    let (graph, names) = parse("x:64 in; A:64; B:64 out; x->A; A->B");
    let [before, after] = ["x 0, A 64", "x 0, A 256, B 64"].map(|plan| placed(&graph, &names, plan));
    let first_node = || {
        let mut shadow = Shadow::new(graph.clone());
        assert_eq!(shadow.begin(&before), Ok(()));
        assert_eq!(shadow.step(0, &before), Ok(()));
        shadow
    };

    let mut forgotten = first_node();
    assert_eq!(lost(forgotten.step(1, &after)), Some((1, Moment::Node(1))));

    let mut copied = first_node();
    copied.moved(&[(before[1].unwrap(), after[1].unwrap())]);
    assert_eq!(copied.step(1, &after), Ok(()));
    assert_eq!(copied.finish(&after), Ok(()));
}

#[test]
fn tensors_that_change_places_move_at_once() {
    let (graph, names) = parse("x,y:64 in; A:64 out; x,y->A");
    let [before, after] = ["x 0, y 32, A 128", "x 32, y 96, A 160"].map(|plan| placed(&graph, &names, plan));
    let wide = placed(&graph, &names, "x 0, y 64");
    let [x, y] = [0, 1].map(|tensor: usize| (wide[tensor].unwrap(), after[tensor].unwrap()));
    for moves in [[x, y], [y, x]] {
        let mut shadow = Shadow::new(graph.clone());
        assert_eq!(shadow.begin(&wide), Ok(()));
        // x goes to where half of it and half of y were.
        shadow.moved(&moves);
        assert_eq!(shadow.step(0, &after), Ok(()));
        assert_eq!(shadow.finish(&after), Ok(()));
    }
    // Where they overlap from the start, moving them apart brings nothing back.
    let mut shadow = Shadow::new(graph);
    assert_eq!(shadow.begin(&before), Ok(()));
    shadow.moved(&[(before[0].unwrap(), after[0].unwrap()), (before[1].unwrap(), after[1].unwrap())]);
    assert_eq!(lost(shadow.step(0, &after)), Some((0, Moment::Node(0))));
}

#[test]
fn a_tensor_that_grows_keeps_what_it_had() {
    let place = |offset, size| Some(Place { arena: Arena::Persistent, offset, size });
    for (copied, expected) in [(true, None), (false, Some((1, Moment::End)))] {
        let (graph, _) = parse("x:64 in elsewhere; P:64 persistent; A:64 elsewhere; x->A tmp P; out P");
        let mut shadow = Shadow::new(graph);
        let (small, large) = ([None, place(0, 64), None], [None, place(64, 4096), None]);
        assert_eq!(shadow.begin(&small), Ok(()));
        assert_eq!(shadow.step(0, &small), Ok(()));
        shadow.graph.tensors[1].bytes = 4096;
        assert_eq!(shadow.finish(&small).map_err(|fault| fault.trouble), Err(Trouble::TooSmall));
        if copied {
            shadow.moved(&[(small[1].unwrap(), large[1].unwrap())]);
        }
        assert_eq!(lost(shadow.finish(&large)), expected);
    }
}

#[test]
fn a_tensor_that_shrinks_gives_up_its_end() {
    let (graph, names) = parse("x:64 in; A:64; B:64 out; x->A; x,A->B");
    let mut shadow = Shadow::new(graph.clone());
    let before = placed(&graph, &names, "x 0, A 64, B 96");
    assert_eq!(shadow.begin(&before), Ok(()));
    assert_eq!(shadow.step(0, &before), Ok(()));
    for (bytes, expected) in [(32, None), (33, Some((1, Moment::Node(1))))] {
        shadow.graph.tensors[1].bytes = bytes;
        assert_eq!(lost(shadow.step(1, &before)), expected);
    }
}

#[test]
fn a_range_executed_again_must_spare_what_came_before() {
    let (graph, names) = parse("x:64 in; A,B,C:64; D:64 out; x->A->B->C->D");
    let first = placed(&graph, &names, "x 0, A 64, B 128, C 64, D 128");
    let again = |plan: &str| {
        let mut shadow = Shadow::new(graph.clone());
        assert_eq!(shadow.begin(&first), Ok(()));
        assert_eq!((0..4).try_for_each(|node| shadow.step(node, &first)), Ok(()));
        let second = placed(&graph, &names, plan);
        assert_eq!((0..4).try_for_each(|node| shadow.step(node, &second)), Ok(()));
        shadow.finish(&second)
    };
    assert_eq!(again("x 0, A 64, B 128, C 64, D 128"), Ok(()));
    assert_eq!(lost(again("x 0, A 64, B 128, C 0, D 128")), Some((0, Moment::End)));
}

#[test]
fn bytes_nobody_wrote_are_told_apart() {
    let (graph, names) = parse("x:64 in; A:64 out; x->A");
    let mut shadow = Shadow::new(graph.clone());
    assert_eq!(shadow.begin(&placed(&graph, &names, "x 0")), Ok(()));
    let fault = shadow.step(0, &placed(&graph, &names, "x 32, A 128")).expect_err("x was not moved");
    // Byte 32 of x lies where its byte 0 is looked for.
    assert!(matches!(fault.trouble, Trouble::Lost { found: Some(Byte { index: 32, .. }), .. }));
    let mut shadow = Shadow::new(graph.clone());
    assert_eq!(shadow.begin(&placed(&graph, &names, "x 64")), Ok(()));
    let fault = shadow.step(0, &placed(&graph, &names, "x 32, A 128")).expect_err("x was not moved");
    assert!(matches!(fault.trouble, Trouble::Lost { found: None, .. }));
}
