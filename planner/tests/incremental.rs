//! Execution in parts: random cuts of the execution plan, ranges executed again, rewinds after which sizes and kinds
//! have changed, growth of persistent tensors, refused memory. The shadow run watches the pointers all the time.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a test stops where something is wrong")]

mod support;

use arena_planner::shadow::{self, Graph, Kind, Shadow};
use arena_planner::strategy::Choice;
use arena_planner::{Arena, Error, Options, Planner};
use support::{Bias, Rng, World, any_reuse, biased_graph, for_all, hostile_graph, judge_plan, random_graph};

const STRATEGIES: [Choice; 3] = [Choice::Greedy, Choice::InOrder, Choice::Best];

/// A planner, its world and the shadow run over both.
struct Run {
    planner: Planner,
    world: World,
    shadow: Shadow,
}

impl Run {
    fn plan(graph: &Graph) -> Result<Run, String> {
        let world = World::new(graph);
        let rng = &mut choices(graph);
        let mut planner =
            Planner::new(Options { reuse: any_reuse(rng), strategy: rng.pick(&STRATEGIES), ..Options::default() });
        planner.plan(&world).map_err(|error| format!("plan: {error:?}"))?;
        Ok(Run { planner, world, shadow: Shadow::new(graph.clone()) })
    }

    /// Executes the allocations of some nodes, and then the nodes.
    fn run(&mut self, first: usize, last: usize) -> Result<(), String> {
        self.world.copies.clear();
        self.planner
            .execute(&mut self.world, first as i32, last as i32)
            .map_err(|error| format!("execute {first}..={last}: {error:?}"))?;
        judge_plan(&self.planner, &self.world)
            .and_then(|()| self.world.pointers_inside(first..last + 1))
            .and_then(|()| self.world.no_pointer_dangles())
            .map_err(|clash| format!("after {first}..={last}: {clash}"))?;
        let moves = self.world.copies.iter().map(|&(arena, from, to, len)| {
            let arena = match arena {
                Arena::Rw => shadow::Arena::Rw,
                Arena::Persistent => shadow::Arena::Persistent,
            };
            let place = |offset| shadow::Place { arena, offset, size: len };
            (place(from), place(to))
        });
        let moves: Vec<_> = moves.collect();
        self.shadow.moved(&moves);
        self.step(first, last)
    }

    fn step(&mut self, first: usize, last: usize) -> Result<(), String> {
        let places = self.world.places();
        if first == 0 {
            self.shadow.begin(&places).map_err(|fault| fault.to_string())?;
        }
        for node in first..=last.min(self.world.graph.nodes.len().saturating_sub(1)) {
            self.shadow.step(node, &places).map_err(|fault| format!("{first}..={last}: {fault}"))?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        self.shadow.finish(&self.world.places()).map_err(|fault| fault.to_string())
    }

    /// Executes from `first` to the end in random pieces.
    fn run_in_pieces(&mut self, mut first: usize, rng: &mut Rng) -> Result<(), String> {
        let nodes = self.world.graph.nodes.len();
        while first < nodes {
            let last = first + rng.below(nodes - first);
            self.run(first, last)?;
            first = last + 1;
        }
        Ok(())
    }
}

/// A generator of choices that a shrunk graph repeats: what is random about a run hangs on the graph alone.
fn choices(graph: &Graph) -> Rng {
    Rng::new(graph.nodes.len() as u64 * 1_000 + graph.tensors.len() as u64)
}

#[test]
fn pieces_are_as_clean_as_a_batch() {
    for_all(0..6_000, random_graph, |graph| {
        let mut run = Run::plan(graph)?;
        run.run_in_pieces(0, &mut choices(graph))?;
        run.finish()
    });
}

/// The same pieces again find everything in its place: no byte moves.
#[test]
fn a_second_run_changes_nothing() {
    for_all(0..2_000, random_graph, |graph| {
        let mut run = Run::plan(graph)?;
        run.run_in_pieces(0, &mut choices(graph))?;
        let before = run.world.places();
        run.run_in_pieces(0, &mut choices(graph))?;
        if run.world.places() != before {
            return Err("a tensor has moved".into());
        }
        run.finish()
    });
}

/// Rewinds to a random node, changes sizes and kinds behind it, and runs on; several times.
fn rewind(graph: &Graph) -> Result<(), String> {
    let mut rng = choices(graph);
    let mut run = Run::plan(graph)?;
    run.run_in_pieces(0, &mut rng)?;
    run.finish()?;
    for _ in 0..4 {
        if graph.nodes.is_empty() {
            break;
        }
        let node = rng.below(graph.nodes.len());
        // Some ranges are executed again from the start, over what is still in place.
        let first = if rng.percent(30) { 0 } else { node + 1 };
        // The nodes before have run again when a runtime learns of new sizes.
        run.step(0, node)?;
        run.planner
            .reset_allocations_after(&mut run.world, node as i32)
            .map_err(|error| format!("rewind: {error:?}"))?;
        for later in graph.nodes.iter().skip(node + 1) {
            for &tensor in later.outputs.iter().chain(&later.temporaries).filter(|&&tensor| tensor >= 0) {
                let tensor = tensor as usize;
                let now = &mut run.world.graph.tensors[tensor];
                if rng.percent(30) {
                    now.bytes = [0, 4, 36, 64, 200, 15_840][rng.below(6)];
                }
                if rng.percent(10) && now.kind == Kind::ArenaRw {
                    now.kind = Kind::Elsewhere;
                    run.world.pointers[tensor] = None;
                }
                run.shadow.graph.tensors[tensor] = run.world.graph.tensors[tensor];
            }
        }
        run.run_in_pieces(first, &mut rng)?;
        run.finish()?;
    }
    Ok(())
}

#[test]
fn rewinds_are_clean() {
    for_all(0..6_000, random_graph, rewind);
}

#[test]
fn rewinds_among_aliases_are_clean() {
    for bias in Bias::ALL {
        for_all(0..1_000, |seed| biased_graph(bias, seed), rewind);
    }
}

/// Tensors grow without any reset before everything is executed again.
#[test]
fn growth_without_a_reset_never_overlaps() {
    for_all(0..4_000, random_graph, |graph| {
        let mut rng = choices(graph);
        let mut run = Run::plan(graph)?;
        run.run_in_pieces(0, &mut rng)?;
        for round in 0..3 {
            for (now, shadow) in run.world.graph.tensors.iter_mut().zip(&mut run.shadow.graph.tensors) {
                if now.kind == Kind::ArenaRw && rng.percent(20) {
                    now.bytes += [1, 64, 4_096][round];
                    shadow.bytes = now.bytes;
                }
            }
            run.run_in_pieces(0, &mut rng)?;
            run.finish()?;
        }
        Ok(())
    });
}

/// Persistent tensors grow between two executions and keep the bytes they had.
#[test]
fn persistent_growth_keeps_bytes_and_never_overlaps() {
    for_all(
        0..4_000,
        |seed| biased_graph(Bias::VariablesAliased, seed),
        |graph| {
            let mut rng = choices(graph);
            let mut run = Run::plan(graph)?;
            run.run_in_pieces(0, &mut rng)?;
            for _ in 0..3 {
                let before = run.world.places();
                let mut grown = Vec::new();
                for (index, now) in run.world.graph.tensors.iter_mut().enumerate() {
                    if now.kind == Kind::Persistent && before[index].is_some() && rng.percent(40) {
                        grown.push((index, now.bytes));
                        now.bytes += 100;
                        run.shadow.graph.tensors[index].bytes = now.bytes;
                    }
                }
                run.world.copies.clear();
                let nodes = graph.nodes.len() as i32;
                run.planner.execute(&mut run.world, 0, nodes).map_err(|error| format!("{error:?}"))?;
                judge_plan(&run.planner, &run.world)?;
                let after = run.world.places();
                for (index, bytes) in grown {
                    let offset = |places: &[Option<shadow::Place>]| places[index].map(|place| place.offset);
                    let (Some(from), Some(to)) = (offset(&before), offset(&after)) else {
                        continue;
                    };
                    if from != to && !run.world.copies.contains(&(Arena::Persistent, from, to, bytes)) {
                        return Err(format!("tensor {index} moved from {from} to {to} without its {bytes} bytes"));
                    }
                }
                run.shadow = Shadow::new(run.world.graph.clone());
                run.step(0, graph.nodes.len())?;
                run.finish()?;
            }
            Ok(())
        },
    );
}

/// Release loses the ArenaRw bytes and nothing else; acquire gives the same offsets back.
#[test]
fn release_and_acquire_give_the_same_places() {
    for_all(0..2_000, random_graph, |graph| {
        let mut run = Run::plan(graph)?;
        run.run_in_pieces(0, &mut choices(graph))?;
        let before = run.world.places();
        run.planner.release_non_persistent_memory(&mut run.world);
        for (index, (now, was)) in run.world.places().iter().zip(&before).enumerate() {
            let rw = run.world.graph.tensors[index].kind == Kind::ArenaRw;
            if (rw && now.is_some()) || (!rw && now != was) {
                return Err(format!("tensor {index} has the wrong pointer after a release"));
            }
        }
        run.planner.acquire_non_persistent_memory(&mut run.world).map_err(|error| format!("acquire: {error:?}"))?;
        if run.world.places() != before {
            return Err("a tensor has another place after acquire".into());
        }
        Ok(())
    });
}

/// A commit that is refused changes no place and no pointer, and the next one that is not refused succeeds.
#[test]
fn refused_memory_changes_nothing() {
    for_all(0..3_000, random_graph, |graph| {
        let mut rng = choices(graph);
        let mut run = Run::plan(graph)?;
        let middle = graph.nodes.len() / 2;
        run.run(0, middle)?;
        let (places, info) = (run.world.places(), run.planner.info());
        // Room for what is there; more is refused.
        run.world.limit = run.world.rw_bytes.max(run.world.persistent_bytes);
        let last = graph.nodes.len() as i32;
        match run.planner.execute(&mut run.world, middle as i32 + 1, last) {
            Ok(()) => {}
            Err(Error::OutOfMemory { .. }) => {
                if run.world.places() != places || run.planner.info() != info {
                    return Err("a refused execution has left something changed".into());
                }
                judge_plan(&run.planner, &run.world)?;
            }
            Err(error) => return Err(format!("{error:?}")),
        }
        run.world.limit = usize::MAX;
        run.run_in_pieces(middle + 1, &mut rng)?;
        run.finish()
    });
}

/// Graphs that make no sense, in pieces and with rewinds, under all options: live tensors never overlap.
#[test]
fn hostile_graphs_in_pieces_never_overlap() {
    for_all(0..4_000, hostile_graph, |graph| {
        let mut rng = choices(graph);
        let mut world = World::new(graph);
        let mut planner = Planner::new(Options {
            preserve_inputs: rng.percent(50),
            replace_range: rng.percent(50),
            reuse: any_reuse(&mut rng),
            strategy: rng.pick(&STRATEGIES),
            ..Options::default()
        });
        planner.plan(&world).map_err(|error| format!("plan: {error:?}"))?;
        for _ in 0..8 {
            let nodes = graph.nodes.len() + 2;
            let first = rng.below(nodes) as i32;
            let last = rng.below(nodes) as i32;
            planner.execute(&mut world, first, last).map_err(|error| format!("execute: {error:?}"))?;
            judge_plan(&planner, &world)?;
            if rng.percent(40) {
                planner
                    .reset_allocations_after(&mut world, rng.below(nodes) as i32 - 1)
                    .map_err(|error| format!("rewind: {error:?}"))?;
                judge_plan(&planner, &world)?;
            }
            for tensor in &mut world.graph.tensors {
                if rng.percent(10) {
                    tensor.bytes = rng.below(500);
                }
            }
        }
        Ok(())
    });
}
