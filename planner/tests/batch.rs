//! Random graphs executed in one batch: no data is lost, no two live tensors overlap, and the arena lies between the
//! lower bound and the naive sum.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

mod support;

use arena_planner::alias::Reuse;
use arena_planner::shadow::{self, Graph};
use arena_planner::strategy::Choice;
use arena_planner::validate::{Placed, reference_lower_bound, reference_naive};
use arena_planner::{Arena, Options, Planner};
use support::{
    Bias, LAST, Rng, World, any_reuse, biased_graph, for_all, hostile_graph, is_orderly, judge_plan, owners, parse,
    random_graph, rewritten_graph,
};

fn executed(graph: &Graph, options: Options) -> Result<(Planner, World), String> {
    let mut world = World::new(graph);
    let mut planner = Planner::new(options);
    planner.plan(&world).map_err(|error| format!("plan: {error:?}"))?;
    planner.execute(&mut world, 0, LAST).map_err(|error| format!("execute: {error:?}"))?;
    judge_plan(&planner, &world)?;
    world.pointers_inside(0..graph.nodes.len())?;
    Ok((planner, world))
}

fn judge(graph: &Graph) -> Result<(), String> {
    judge_with(graph, Options::default())
}

fn judge_with(graph: &Graph, options: Options) -> Result<(), String> {
    let (planner, world) = executed(graph, options)?;
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
    let unaligned: Vec<_> = owners.iter().map(|&owner| Placed { alignment: 1, ..owner }).collect();
    if reference_lower_bound(&unaligned) != Some(bound - info.padding.0) {
        return Err(format!(
            "lower bound {bound}, of which padding {}, is not what the reference says",
            info.padding.0
        ));
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

/// All that upstream does not dare, one by one and together.
#[test]
fn sharing_beyond_upstream_is_clean() {
    for_all(0..10_000, random_graph, |graph| judge_with(graph, Options { reuse: Reuse::ALL, ..Options::default() }));
    for bias in Bias::ALL {
        for_all(
            0..2_000,
            |seed| biased_graph(bias, seed),
            |graph| {
                let reuse = any_reuse(&mut Rng::new(graph.tensors.len() as u64));
                judge_with(graph, Options { reuse, ..Options::default() })
            },
        );
    }
}

/// Several writers of a tensor, and temporaries that are graph outputs, under all that upstream does not dare.
#[test]
fn tensors_written_again_are_clean() {
    let judge = |graph: &Graph| {
        let options = Options { reuse: Reuse::ALL, strategy: Choice::Best, ..Options::default() };
        if is_orderly(graph) { judge_with(graph, options) } else { Ok(()) }
    };
    for_all(0..10_000, rewritten_graph, judge);
}

/// A temporary that the graph hands out is needed to the end: y must not lie on it.
#[test]
fn a_temporary_that_is_a_graph_output_is_kept() {
    judge(&parse("T:64 out; y:64; -> tmp T; ->y").0).expect("nothing is lost");
}

/// The bytes that the arena needs; all that a plan must hold up to is judged.
fn arena(graph: &Graph, reuse: Reuse, strategy: Choice) -> Result<usize, String> {
    let options = Options { reuse, strategy, ..Options::default() };
    judge_with(graph, options)?;
    let (planner, _) = executed(graph, options)?;
    Ok(planner.info().map_err(|error| format!("{error:?}"))?.arena_needed.0)
}

#[test]
fn searching_never_needs_more_than_greedy() {
    let mut lower = 0;
    for_all(0..3_000, random_graph, |graph| {
        let [greedy, best, exact] =
            [Choice::Greedy, Choice::Best, Choice::Exact].map(|strategy| arena(graph, Reuse::ALL, strategy));
        let (greedy, best, exact) = (greedy?, best?, exact?);
        if !(exact <= best && best <= greedy) {
            return Err(format!("exact {exact}, best {best}, greedy {greedy}"));
        }
        Ok(())
    });
    for seed in 0..500 {
        let graph = random_graph(seed);
        let [greedy, best] = [Choice::Greedy, Choice::Best].map(|strategy| arena(&graph, Reuse::ALL, strategy));
        lower += usize::from(best < greedy);
    }
    assert!(lower >= 10, "only {lower} of 500 graphs had a lower plan");
}

/// Kept for the whole run, every tensor is an output, so the shadow run may demand them all at the end.
#[test]
fn preserving_all_tensors_keeps_every_value() {
    for_all(0..2_000, random_graph, |graph| {
        let (_, world) = executed(graph, Options { preserve_all_tensors: true, ..Options::default() })?;
        let mut all = graph.clone();
        all.outputs = (0..graph.tensors.len() as i32).collect();
        shadow::run(&all, &world.places()).map_err(|fault| fault.to_string())
    });
}

/// What no runtime should send: tensors written twice or read before they are written, temporaries that are not only
/// that. The data is lost anyway; the bytes of live tensors must not overlap all the same.
#[test]
fn hostile_graphs_are_placed_without_overlap() {
    for_all(0..10_000, hostile_graph, |graph| executed(graph, Options::default()).map(|_| ()));
}
