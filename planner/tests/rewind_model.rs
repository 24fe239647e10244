//! Rewinds among executions of any ranges, while sizes, kinds and temporaries change: after each, what is gone and what is
//! left is exactly what a list of all places says.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

mod support;

use arena_planner::shadow::{Graph, Kind};
use arena_planner::strategy::Choice;
use arena_planner::{Arena, Options, Planner, TensorPlan};
use support::{Rng, World, for_all, hostile_graph, judge_plan, random_graph};

fn plans(planner: &Planner, tensors: usize) -> Vec<TensorPlan> {
    (0..tensors as i32).map(|tensor| planner.tensor_plan(tensor).expect("the tensor is known")).collect()
}

fn height(plans: &[TensorPlan], arena: Arena) -> usize {
    let ends = plans.iter().filter(|plan| plan.arena == Some(arena)).map(|plan| plan.offset.0 + plan.size.0);
    ends.max().unwrap_or(0)
}

fn rewind(planner: &mut Planner, world: &mut World, node: i32) -> Result<(), String> {
    let count = planner.info().map_err(|error| format!("{error:?}"))?.num_tensors;
    let before = plans(planner, count);
    let pointers = world.pointers.clone();
    planner.reset_allocations_after(world, node).map_err(|error| format!("rewind: {error:?}"))?;
    let after = plans(planner, count);
    for (tensor, (was, is)) in before.iter().zip(&after).enumerate() {
        let gone = was.arena == Some(Arena::Rw) && was.first_node > node;
        if gone != (was.arena.is_some() && is.arena.is_none()) {
            return Err(format!("after {node}: tensor {tensor} was {was:?} and is {is:?}"));
        }
        if !gone && was.arena.is_some() && was != is {
            return Err(format!("after {node}: tensor {tensor} was {was:?} and is {is:?}"));
        }
        let pointer = world.pointers[tensor];
        if gone && world.graph.tensors[tensor].kind == Kind::ArenaRw && pointer.is_some() {
            return Err(format!("after {node}: tensor {tensor} has no place, but still a pointer"));
        }
        let own = is.root == tensor as i32;
        if !gone && own && pointer != pointers[tensor] {
            return Err(format!("after {node}: tensor {tensor} keeps its place, but not its pointer"));
        }
    }
    let info = planner.info().map_err(|error| format!("{error:?}"))?;
    for (arena, needed) in [(Arena::Rw, info.arena_needed), (Arena::Persistent, info.persistent_needed)] {
        if needed.0 != height(&after, arena) {
            return Err(format!("after {node}: {arena:?} needs {needed:?}, not {}", height(&after, arena)));
        }
    }
    judge_plan(planner, world)
}

/// Changes sizes, kinds and temporaries, as a runtime may between two executions.
fn change(world: &mut World, rng: &mut Rng) {
    for tensor in 0..world.graph.tensors.len() {
        let now = &mut world.graph.tensors[tensor];
        if rng.percent(6) {
            now.bytes = [0, 4, 36, 64, 200, 15_840][rng.below(6)];
        }
        if rng.percent(3) {
            now.kind = rng.pick(&[Kind::ArenaRw, Kind::ArenaRw, Kind::Elsewhere, Kind::Persistent]);
            world.pointers[tensor] = None;
        }
    }
    let nodes = world.graph.nodes.len();
    if nodes > 0 && rng.percent(30) {
        let (from, to) = (rng.below(nodes), rng.below(nodes));
        if let Some(temporary) = world.graph.nodes[from].temporaries.pop() {
            world.graph.nodes[to].temporaries.push(temporary);
        }
    }
}

fn steps(graph: &Graph, changes: bool) -> Result<(), String> {
    for round in 0..3 {
        let mut rng = Rng::new(graph.nodes.len() as u64 * 1_000 + graph.tensors.len() as u64 + 7_777 * round);
        let mut world = World::new(graph);
        let mut planner = Planner::new(Options {
            preserve_inputs: rng.percent(50),
            replace_range: rng.percent(25),
            strategy: if rng.percent(50) { Choice::Greedy } else { Choice::InOrder },
            ..Options::default()
        });
        planner.plan(&world).map_err(|error| format!("plan: {error:?}"))?;
        let nodes = graph.nodes.len();
        if rng.percent(50) {
            rewind(&mut planner, &mut world, -1)?;
        }
        let mut next = 0;
        for _ in 0..25 {
            match rng.below(10) {
                0..4 => {
                    let last = next + rng.below(3);
                    planner.execute(&mut world, next as i32, last as i32).map_err(|e| format!("{e:?}"))?;
                    next = if last + 1 < nodes { last + 1 } else { 0 };
                }
                4..6 => {
                    let (first, last) = (rng.below(nodes + 2), rng.below(nodes + 2));
                    planner.execute(&mut world, first as i32, last as i32).map_err(|e| format!("{e:?}"))?;
                }
                6 => {
                    world.limit = world.rw_bytes.max(world.persistent_bytes);
                    let _ = planner.execute(&mut world, 0, nodes as i32);
                    world.limit = usize::MAX;
                }
                7..9 => {
                    let node = rng.below(nodes + 3) as i32 - 2;
                    rewind(&mut planner, &mut world, node)?;
                    next = (node + 1).max(0) as usize;
                }
                _ if changes => change(&mut world, &mut rng),
                _ => {}
            }
            judge_plan(&planner, &world)?;
            world.no_pointer_dangles()?;
        }
    }
    Ok(())
}

#[test]
fn a_rewind_takes_back_what_begins_later() {
    for_all(0..6_000, random_graph, |graph| steps(graph, false));
}

#[test]
fn a_rewind_takes_back_what_begins_later_where_sizes_change() {
    for_all(0..6_000, random_graph, |graph| steps(graph, true));
}

#[test]
fn a_rewind_takes_back_what_begins_later_in_hostile_graphs() {
    for_all(0..6_000, hostile_graph, |graph| steps(graph, true));
}
