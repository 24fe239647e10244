//! Random graphs executed in one batch: no data is lost, no two live tensors overlap, and the arena lies between the
//! lower bound and the naive sum.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

mod support;

use arena_planner::shadow::{self, Graph};
use arena_planner::validate::{reference_lower_bound, reference_naive};
use arena_planner::{Arena, Planner};
use support::{Bias, LAST, World, biased_graph, for_all, hostile_graph, judge_plan, owners, planner, random_graph};

fn executed(graph: &Graph, preserve_all_tensors: bool) -> Result<(Planner, World), String> {
    let mut world = World::new(graph);
    let mut planner = planner(preserve_all_tensors);
    planner.plan(&world).map_err(|error| format!("plan: {error:?}"))?;
    planner.execute(&mut world, 0, LAST).map_err(|error| format!("execute: {error:?}"))?;
    judge_plan(&planner, &world)?;
    world.pointers_inside(0..graph.nodes.len())?;
    Ok((planner, world))
}

fn judge(graph: &Graph) -> Result<(), String> {
    let (planner, world) = executed(graph, false)?;
    shadow::run(graph, &world.places()).map_err(|fault| fault.to_string())?;

    let info = planner.info().map_err(|error| format!("{error:?}"))?;
    let (bound, arena, naive) = (info.lower_bound.0, info.arena_needed.0, info.naive.0);
    if !(bound <= arena && arena <= naive) {
        return Err(format!("lower bound {bound}, arena {arena}, naive {naive}"));
    }
    let owners = owners(&planner, graph.tensors.len(), Arena::Rw);
    if (Some(bound), Some(naive)) != (reference_lower_bound(&owners), reference_naive(&owners)) {
        return Err(format!("lower bound {bound} or naive {naive} is not what the reference says"));
    }
    Ok(())
}

#[test]
fn random_graphs_are_clean() {
    for_all(0..10_000, random_graph, judge);
}

#[test]
fn graphs_biased_towards_each_kind_of_sharing_are_clean() {
    for bias in Bias::ALL {
        for_all(0..2_000, |seed| biased_graph(bias, seed), judge);
    }
}

/// Kept for the whole run, every tensor is an output, so the shadow run may demand them all at the end.
#[test]
fn preserving_all_tensors_keeps_every_value() {
    for_all(0..2_000, random_graph, |graph| {
        let (_, world) = executed(graph, true)?;
        let mut all = graph.clone();
        all.outputs = (0..graph.tensors.len() as i32).collect();
        shadow::run(&all, &world.places()).map_err(|fault| fault.to_string())
    });
}

/// What no runtime should send: tensors written twice or read before they are written, temporaries that are not only
/// that. The data is lost anyway; the bytes of live tensors must not overlap all the same.
#[test]
fn hostile_graphs_are_placed_without_overlap() {
    for_all(0..10_000, hostile_graph, |graph| executed(graph, false).map(|_| ()));
}
