//! Planted faults: the shadow run finds each, and passes the same plan with the fault just avoided.

use crate::support::{parse, placed};
use arena_planner::shadow::{Arena, Fault, Graph, Moment, Place, Trouble, run};

/// Runs a graph on a plan written `x 0, A 64`, and says which tensor was lost to which, by name.
fn judge(graph: &str, plan: &str) -> Result<(), String> {
    let (graph, names) = parse(graph);
    let name = |tensor: usize| names.iter().find(|(_, index)| **index == tensor as i32).map_or("", |(name, _)| name);
    run(&graph, &placed(&graph, &names, plan)).map_err(|Fault { at, tensor, trouble }| {
        let lost = name(tensor);
        match trouble {
            Trouble::Lost { found: Some(found), .. } => format!("{at}: {lost} to {}", name(found.value.tensor)),
            Trouble::Lost { found: None, .. } => format!("{at}: {lost} to nobody"),
            other => format!("{at}: {lost} {other:?}"),
        }
    })
}

#[track_caller]
fn clean(graph: &str, plan: &str) {
    assert_eq!(judge(graph, plan), Ok(()));
}

#[track_caller]
fn faulty(graph: &str, plan: &str, fault: &str) {
    assert_eq!(judge(graph, plan), Err(fault.to_owned()));
}

#[test]
fn output_over_its_input_needs_the_flag_of_that_input() {
    let with = |flags: &str| format!("x:64 in; A,k:256; B:256 out; x->A; x->k; A,k->B {flags}");
    let over_a = "x 0, A 64, k 512, B 64";
    let over_k = "x 0, A 64, k 512, B 512";
    faulty(&with("0"), over_a, "node 2: A to B");
    clean(&with("0"), "x 0, A 64, k 512, B 1024");
    clean(&with("4"), over_a);
    faulty(&with("4"), over_k, "node 2: k to B");
    clean(&with("8"), over_k);
    faulty(&with("8"), over_a, "node 2: A to B");
    clean(&with("12"), over_a);
    clean(&with("12"), over_k);
    // 16 is about input 2, and there is none.
    faulty(&with("16"), over_a, "node 2: A to B");
}

#[test]
fn output_over_its_input_must_start_with_it_and_not_reach_beyond() {
    let sized = |bytes: usize| format!("x:64 in; A:256; B:{bytes} out; x->A; A->B S");
    clean(&sized(256), "x 0, A 64, B 64");
    faulty(&sized(256), "x 0, A 64, B 128", "node 1: A to B");
    faulty(&sized(256), "x 0, A 128, B 64", "node 1: A to B");
    faulty(&sized(257), "x 0, A 64, B 64", "node 1: A to B");
    clean(&sized(255), "x 0, A 64, B 64");
}

#[test]
fn alias_of_an_alias_is_not_written_over() {
    let graph = "x,A,B,C,D:256; E:256 out; in x; x->A; A->B R; B->C R; C->D S; B,D->E M";
    faulty(graph, "x 0, A 256, B 256, C 256, D 256, E 512", "node 4: B to D");
    clean(graph, "x 0, A 256, B 256, C 256, D 512, E 768");

    let graph = "x,A,B,C1,C2,D:256; E:64 out; in x; x->A; A->B R; B->C1 R; B->C2 R; C1->D S; C2,D->E";
    faulty(graph, "x 0, A 256, B 256, C1 256, C2 256, D 256, E 512", "node 5: C2 to D");
    clean(graph, "x 0, A 256, B 256, C1 256, C2 256, D 512, E 768");

    // Without the late reader of B the write is right.
    let graph = "x,A,B,C,D:256; E:256 out; in x; x->A; A->B R; B->C R; C->D S; D->E";
    clean(graph, "x 0, A 256, B 256, C 256, D 256, E 512");
}

#[test]
fn unmodified_data_may_be_read_under_every_name() {
    let with = |flags: &str| format!("x:64 in; A,B:256; C:64 out; x->A; A->B {flags}; A,B->C");
    let plan = "x 0, A 64, B 64, C 320";
    clean(&with("5"), plan);
    faulty(&with("4"), plan, "node 2: A to B");
}

#[test]
fn unmodified_data_must_not_be_shifted() {
    let graph = "x:64 in; A:256; B:256 out; x->A; A->B R";
    faulty(graph, "x 0, A 64, B 128", "node 1: A to A");
    clean(graph, "x 0, A 64, B 320");
}

#[test]
fn unmodified_data_is_a_prefix_at_most() {
    let sized = |bytes: usize| format!("x:64 in; A:256; B:{bytes}; C:64 out; x->A; A->B R; A,B->C");
    clean(&sized(255), "x 0, A 64, B 64, C 512");
    faulty(&sized(257), "x 0, A 64, B 64, C 512", "node 1: A to B");
}

#[test]
fn unmodified_data_is_that_of_output_0_only() {
    let graph = "x:64 in; a:64; A,B:64 out; x->a; a->A,B R";
    faulty(graph, "x 0, a 64, A 64, B 64", "node 1: a to B");
    clean(graph, "x 0, a 64, A 64, B 128");
}

#[test]
fn unmodified_data_on_another_input_destroys_that_input() {
    // Flags 9: B holds the data of a, and may lie on b.
    let graph = |last: &str| format!("x:64 in; a,b,B:256; C:64 out; x->a; x->b; a,b->B 9; {last}->C");
    let plan = "x 0, a 64, b 320, B 320, C 576";
    clean(&graph("B"), plan);
    clean(&graph("a,B"), plan);
    faulty(&graph("b,B"), plan, "node 3: b to a");
}

#[test]
fn flag_2_pairs_each_input_with_its_own_output() {
    let graph = |flags: u64| format!("x:64 in; a,b:256; o0,o1:256 out; x->a; x->b; a,b->o0,o1 {flags}");
    let own = "x 0, a 64, b 320, o0 576, o1 320";
    let crossed = "x 0, a 64, b 320, o0 320, o1 576";
    clean(&graph(2 | 8), own);
    faulty(&graph(2 | 8), crossed, "node 2: b to o0");
    clean(&graph(8), crossed);
    faulty(&graph(8), own, "node 2: b to o1");
    clean(&graph(2 | 4 | 8), "x 0, a 64, b 320, o0 64, o1 320");
    faulty(&graph(2 | 4 | 8), "x 0, a 64, b 320, o0 320, o1 64", "node 2: a to o1");
}

#[test]
fn operand_in_another_slot_is_still_read() {
    let with = |flags: &str| format!("x:64 in; A:256; B:256 out; x->A; A,A->B {flags}");
    let plan = "x 0, A 64, B 64";
    faulty(&with("4"), plan, "node 1: A to B");
    faulty(&with("8"), plan, "node 1: A to B");
    clean(&with("12"), plan);
    let alias = "x:64 in; A,R:256; B:256 out; x->A; A->R R; A,R->B S";
    faulty(alias, "x 0, A 64, R 64, B 64", "node 2: R to B");
    clean(alias, "x 0, A 64, R 64, B 320");
}

#[test]
fn temporary_over_an_input() {
    let graph = "x:64 in; A:64 out; T:64; x->A tmp T";
    faulty(graph, "x 0, A 64, T 63", "node 0: x to T");
    clean(graph, "x 0, A 64, T 128");
    let in_place = "x:64 in; A,B,T:64; x->A; A->B S tmp T; out B";
    faulty(in_place, "x 0, A 64, B 64, T 64", "node 1: A to T");
    clean(in_place, "x 0, A 64, B 64, T 128");
}

#[test]
fn temporary_over_an_output() {
    let graph = "x:64 in; A:64 out; T:64; x->A tmp T";
    faulty(graph, "x 0, A 64, T 127", "node 0: T to A");
    // B ends before A does, and the temporary lies where only A was.
    let in_place = "x:64 in; A:128; B:64 out; T:64; x->A; A->B S tmp T";
    faulty(in_place, "x 0, A 64, B 64, T 128", "node 1: A to T");
    clean(in_place, "x 0, A 64, B 64, T 192");
}

#[test]
fn two_temporaries_or_two_outputs_over_each_other() {
    let temporaries = "x:64 in; A:64 out; S,T:64; x->A tmp S,T";
    faulty(temporaries, "x 0, A 64, S 128, T 128", "node 0: S to T");
    clean(temporaries, "x 0, A 64, S 128, T 192");
    let outputs = "x:64 in; A,B:64; x->A,B";
    faulty(outputs, "x 0, A 64, B 127", "node 0: A to B");
    clean(outputs, "x 0, A 64, B 128");
    let in_place = "x:64 in; a:64; A,B:64; x->a; a->A,B S";
    faulty(in_place, "x 0, a 64, A 64, B 64", "node 1: a to B");
    clean(in_place, "x 0, a 64, A 64, B 128");
}

#[test]
fn tensor_freed_before_its_last_reader() {
    let graph = |last: &str| format!("x:64 in; A,B,C:64; D:64 out; x->A->B->C; {last}->D");
    let plan = "x 0, A 64, B 128, C 64, D 192";
    faulty(&graph("A,C"), plan, "node 3: A to C");
    clean(&graph("B,C"), plan);
}

#[test]
fn graph_input_is_there_at_the_end() {
    let graph = |input: &str| format!("x:64 {input}; A:64; B:64 out; x->A->B");
    let plan = "x 0, A 64, B 0";
    faulty(&graph("in"), plan, "end: x to B");
    faulty(&graph("var"), plan, "end: x to B");
    clean(&graph("in"), "x 0, A 64, B 128");
    // A tensor of the graph's own may go after its last reader.
    clean("i:64 in; x,A:64; B:64 out; i->x->A->B", "i 128, x 0, A 64, B 0");
}

#[test]
fn graph_output_is_there_at_the_end() {
    let graph = |output: &str| format!("x:64 in; A:64 {output}; B,C:64; x->A->B->C; out C");
    let plan = "x 0, A 64, B 128, C 64";
    faulty(&graph("out"), plan, "end: A to C");
    clean(&graph(""), plan);
    // An input that is also an output and read by nobody.
    faulty("x:64 in out; A:64; ->A", "x 0, A 0", "end: x to A");
}

#[test]
fn variable_is_there_for_every_reader_and_at_the_end() {
    let graph = "V:64 var persistent; A,B:64; P:64 persistent; V->A; A->P; P->B; out B";
    faulty(graph, "V 0, A 0, P 0, B 64", "end: V to P");
    clean(graph, "V 0, A 0, P 64, B 64");
    faulty("V:64 var; A,B:64; V->A; V,A->B", "V 0, A 0, B 64", "node 0: V to A");
}

#[test]
fn the_two_arenas_are_two_memories() {
    let graph = |kind: &str| format!("x:64 in; A:64 {kind}; B:64 out; x->A; A->B");
    clean(&graph("persistent"), "x 0, A 0, B 64");
    faulty(&graph(""), "x 0, A 0, B 64", "node 0: x to A");
}

#[test]
fn tensors_elsewhere_and_of_no_bytes_are_in_nobodys_way() {
    clean("x:64 in; k,d:64 elsewhere; z:0; A:64; x,k->d; d->z; z,d,k,-->A; out A,d,z,-", "x 0, A 64");
    // A chain of aliases keeps its value while it runs through memory of another.
    let through = "x:64 in; A,C:64; d:64 elsewhere; B:64 out; x->A; A->d R; d->C R; A,C->B";
    clean(through, "x 0, A 64, C 64, B 128");
}

#[test]
fn what_was_never_written_cannot_be_lost() {
    clean("x:64 in; A,G:64; x,G->A; out A,G", "x 0, A 64");
}

#[test]
fn tensors_with_bytes_need_a_place_that_holds_them() {
    faulty("x:64 in; A:64; x->A", "A 0", "start: x Unplaced");
    faulty("x:64 in; A:64; x->A", "x 0", "node 0: A Unplaced");
    faulty("x:64 in; A,T:64; x->A tmp T", "x 0, A 64", "node 0: T Unplaced");

    let (graph, names) = parse("x:64 in; A:65 out; x->A");
    let with = |size, offset| {
        let mut places = placed(&graph, &names, "x 0, A 64");
        places[1] = Some(Place { arena: Arena::Rw, offset, size });
        run(&graph, &places).map_err(|fault| fault.trouble)
    };
    assert_eq!(with(65, 64), Ok(()));
    assert_eq!(with(64, 64), Err(Trouble::TooSmall));
    assert_eq!(with(65, usize::MAX - 65), Ok(()));
    assert_eq!(with(65, usize::MAX - 64), Err(Trouble::OutOfReach));
}

#[test]
fn a_fault_tells_its_story() {
    let (graph, names) = parse("x:64 in; A:64; B:64 out; x->A; A->B");
    let fault = run(&graph, &placed(&graph, &names, "x 0, A 64, B 124")).expect_err("B lies over the end of A");
    assert_eq!((fault.at, fault.tensor), (Moment::Node(1), 1));
    // x, A and B were given the values 1, 2 and 3; B begins 60 bytes after A.
    assert_eq!(
        fault.to_string(),
        "node 1: tensor 1 byte 60: expected byte 60 of value 2 (tensor 1, node 0), \
         found byte 0 of value 3 (tensor 2, node 1)"
    );
    assert_eq!(run(&Graph::default(), &[]), Ok(()));
}
