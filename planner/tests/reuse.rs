//! What may share bytes beyond what upstream shares: graphs with the arena worked out by hand.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

mod support;

use arena_planner::alias::Reuse;
use arena_planner::{Options, Planner, shadow};
use support::{LAST, World, parse};

/// The bytes that the arena needs, and who owns the bytes of the tensors named.
fn planned(text: &str, options: Options, named: &[&str]) -> (usize, Vec<String>) {
    let (graph, names) = parse(text);
    let mut world = World::new(&graph);
    let mut planner = Planner::new(options);
    planner.plan(&world).expect("a good graph");
    planner.execute(&mut world, 0, LAST).expect("a good graph");
    // The shadow run wants graph inputs to be there at the end.
    if options.preserve_inputs {
        shadow::run(&graph, &world.places()).expect("no data is lost");
    }
    let owner = |name: &&str| {
        let root = planner.tensor_plan(names[*name]).expect("a tensor of the graph").root;
        names.iter().find(|(_, index)| **index == root).map(|(name, _)| name.clone()).expect("it has a name")
    };
    (planner.info().expect("a plan").arena_needed.0, named.iter().map(owner).collect())
}

fn with(reuse: Reuse) -> Options {
    Options { reuse, ..Options::default() }
}

const LAST_READER: Reuse = Reuse { last_reader: true, any_operand: false, unread_outputs: false };
const ANY_OPERAND: Reuse = Reuse { last_reader: false, any_operand: true, unread_outputs: false };
const UNREAD: Reuse = Reuse { last_reader: false, any_operand: false, unread_outputs: true };

/// x is kept: 64. A and D lie on the same 4,096, u and E need 64 each, and E begins where u still lives.
#[test]
fn the_last_reader_writes_in_place() {
    let text = "x:64 in; A:4096; u:64; D:4096; E:64 out; x->A; A->u; A->D S; D,u->E";
    assert_eq!(planned(text, with(LAST_READER), &["D"]), (64 + 4096 + 64 + 64, vec!["A".into()]));
    // Without it A and D are alive at once, and u with them; E takes the place of A.
    assert_eq!(planned(text, with(Reuse::default()), &["D"]), (64 + 4096 + 4096 + 64, vec!["D".into()]));
}

/// The twin: the operator comes before the other reader.
#[test]
fn an_earlier_reader_does_not() {
    let text = "x:64 in; A:4096; D:4096; u:64; E:64 out; x->A; A->D S; A->u; D,u->E";
    for reuse in [Reuse::default(), LAST_READER, Reuse::ALL] {
        assert_eq!(planned(text, with(reuse), &["D"]), (64 + 4096 + 4096 + 64, vec!["D".into()]), "{reuse:?}");
    }
}

/// V is a view of A that is read again: writing in place on A would change it.
#[test]
fn the_last_reader_of_one_name_is_not_that_of_the_bytes() {
    let text = "x:64 in; A,V,D:4096; E:64 out; x->A; A->V R; A->D S; D,V->E";
    assert_eq!(planned(text, with(Reuse::ALL), &["V", "D"]).1, ["A", "D"]);
    let text = "x:64 in; A,V,D:4096; u,E:64; F:64 out; x->A; A->V R; V->u; A->D S; D,u->F";
    assert_eq!(planned(text, with(Reuse::ALL), &["V", "D"]).1, ["A", "A"]);
}

/// What must be there at the end is never written in place: a graph output, an input, a view of either.
#[test]
fn the_last_reader_leaves_what_is_pinned() {
    for text in [
        "x:64 in; A:4096 out; D:4096; E:64 out; x->A; A->D S; D->E",
        "x:64 in; A:4096 out; V,D:4096; E:64 out; x->A; A->V R; V->D S; D->E",
        "A:4096 in; D:4096; E:64 out; A->D S; D->E",
        "A:4096 variable; D:4096; E:64 out; A->D S; D->E",
    ] {
        assert_eq!(planned(text, with(Reuse::ALL), &["D"]).1, ["D"], "{text}");
    }
}

/// A is read again, so B is taken instead, where upstream gives up: V, a view of A, comes first and has one reader.
#[test]
fn another_operand_is_taken_where_the_first_is_not_safe() {
    let text = "x:64 in; A,V,B,D:256; E:64 out; x->A; A->V R; x->B; V,B->D M; A,D->E";
    assert_eq!(planned(text, with(Reuse::default()), &["D"]).1, ["D"]);
    assert_eq!(planned(text, with(ANY_OPERAND), &["D"]).1, ["B"]);
}

/// Flags 2 and 4 and 8: input 0 goes with output 0, input 1 with output 1.
#[test]
fn each_output_has_an_operand() {
    let text = "x:64 in; A,B,C,D:256; E:64 out; x->A; x->B; A,B->C,D 14; C,D->E";
    assert_eq!(planned(text, with(Reuse::default()), &["C", "D"]).1, ["A", "D"]);
    assert_eq!(planned(text, with(ANY_OPERAND), &["C", "D"]).1, ["A", "B"]);
}

/// W is written beside A and never read. Kept to the end, it is in the way of B: 64 + 1,024 + 256 + 1,024. Needed at its
/// node only, its bytes and more go to B: 64 + 1,024 + 1,024.
#[test]
fn what_nobody_reads_is_needed_where_it_is_written() {
    let text = "x:64 in; A:1024; W:256; B:1024; E:64 out; x->A,W; A->B; B->E";
    assert_eq!(planned(text, with(Reuse::default()), &[]).0, 64 + 1024 + 1024 + 256);
    assert_eq!(planned(text, with(UNREAD), &[]).0, 64 + 1024 + 1024);
}

/// x is read by the first node only. Kept, it lies below E, and A and B take turns with E; else E lies where x was, A above
/// it, and B, which is alive with both, above A.
#[test]
fn graph_inputs_are_reused_only_when_that_is_asked_for() {
    let text = "x:1024 in; A,B:64; E:1024 out; x->A; A->B; B->E";
    for (preserve_inputs, bytes) in [(true, 1024 + 1024 + 64), (false, 1024 + 64 + 64)] {
        let options = Options { preserve_inputs, ..with(Reuse::ALL) };
        assert_eq!(planned(text, options, &[]).0, bytes, "preserve_inputs: {preserve_inputs}");
    }
}
