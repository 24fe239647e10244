//! Generators and shadow run against each other: a planner as plain as can be, which shares bytes by the right rule or
//! by a rule with one mistake. The right rule is clean on every graph; every mistake is found, and shrinks to a few
//! nodes.

use crate::support::{Bias, biased_graph, for_all, hostile_graph, random_graph, shrink};
use arena_planner::shadow::{Arena, Graph, Kind, Node, Place, run};

/// What a rule of sharing forgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    None,
    /// Later readers of aliases: only those of the operand itself and of the tensor that owns the bytes count.
    OtherAliases,
    /// Later readers altogether.
    LaterReaders,
    /// Other slots of the same node.
    OtherSlots,
    /// That graph outputs are read after the last node.
    GraphOutputs,
    /// That graph inputs and variables are read after the last node.
    HeldTensors,
    /// That flag 2 changes which output an input may be shared with.
    FlagTwo,
    /// That data is unmodified only if it is input 0 which is shared.
    WhoIsUnmodified,
}

/// A place for every tensor, none used twice but by sharing.
fn plan(graph: &Graph, mistake: Mistake) -> Vec<Option<Place>> {
    let mut roots: Vec<usize> = (0..graph.tensors.len()).collect();
    for (index, node) in graph.nodes.iter().enumerate() {
        for slot in (0..node.inputs.len().min(3)).filter(|slot| node.inplace & (4 << slot) != 0) {
            let own = node.inplace & 2 != 0 && mistake != Mistake::FlagTwo;
            let output = if own { slot } else { 0 };
            if let Some((input, output)) = may_share(graph, &roots, index, slot, output, mistake) {
                roots[output] = roots[input];
            }
        }
    }
    let mut ends = 0;
    let mut owned = Vec::new();
    for tensor in &graph.tensors {
        owned.push(Place { arena: Arena::Rw, offset: ends, size: tensor.bytes });
        ends += tensor.bytes;
    }
    roots.into_iter().map(|root| Some(owned[root])).collect()
}

/// The tensors of a slot and an output, if the output may take over the input's bytes.
fn may_share(
    graph: &Graph,
    roots: &[usize],
    index: usize,
    slot: usize,
    output: usize,
    mistake: Mistake,
) -> Option<(usize, usize)> {
    let node = &graph.nodes[index];
    let input = usize::try_from(*node.inputs.get(slot)?).ok()?;
    let target = usize::try_from(*node.outputs.get(output)?).ok()?;
    let taken = roots[target] != target;
    let listed = |list: &[i32], tensor: usize| list.contains(&(tensor as i32));
    let equal = graph.tensors[input].bytes == graph.tensors[target].bytes;
    let placed = [input, target].iter().all(|&tensor| graph.tensors[tensor].kind != Kind::Elsewhere);
    if taken || !equal || !placed || listed(&graph.outputs, target) {
        return None;
    }
    let unmodified_slot = (slot == 0 && output == 0) || mistake == Mistake::WhoIsUnmodified;
    if node.inplace & 1 != 0 && unmodified_slot {
        return Some((input, target));
    }
    let family = (0..roots.len()).filter(|&member| roots[member] == roots[input]);
    let in_use = |member: usize| {
        let ignored = mistake == Mistake::OtherAliases && member != input && member != roots[input];
        let reads = |node: &Node| listed(&node.inputs, member);
        let later = graph.nodes[index + 1..].iter().any(reads);
        let slots = node.inputs.iter().enumerate();
        let mut others = slots.filter(|&(other, &tensor)| other != slot && tensor == member as i32);
        let held = listed(&graph.inputs, member) || listed(&graph.variables, member);
        (later && !ignored && mistake != Mistake::LaterReaders)
            || (others.next().is_some() && mistake != Mistake::OtherSlots)
            || (listed(&graph.outputs, member) && mistake != Mistake::GraphOutputs)
            || (held && mistake != Mistake::HeldTensors)
    };
    (!family.into_iter().any(in_use)).then_some((input, target))
}

fn judge(graph: &Graph, mistake: Mistake) -> Result<(), String> {
    run(graph, &plan(graph, mistake)).map_err(|fault| fault.to_string())
}

fn shares(graph: &Graph) -> bool {
    let places = plan(graph, Mistake::None);
    let clashes = |a: usize| (0..a).any(|b| graph.tensors[a].bytes > 0 && places[a] == places[b]);
    (0..places.len()).any(clashes)
}

#[test]
fn the_right_rule_is_clean_on_every_graph() {
    for_all(0..10_000, random_graph, |graph| judge(graph, Mistake::None));
    for bias in Bias::ALL {
        for_all(0..1000, |seed| biased_graph(bias, seed), |graph| judge(graph, Mistake::None));
    }
}

#[test]
fn graphs_give_much_to_share() {
    let sharing = (0..1000).filter(|&seed| shares(&random_graph(seed))).count();
    assert!(sharing > 400, "only {sharing} of 1000");
}

/// Demands that a mistake is found in many graphs of a bias, and that the smallest graph shows it in a few nodes.
#[track_caller]
fn finds(mistake: Mistake, bias: Bias, nodes: usize) {
    let wrong = |graph: &Graph| judge(graph, mistake).is_err();
    let found: Vec<Graph> = (0..1000).map(|seed| biased_graph(bias, seed)).filter(wrong).collect();
    let by_chance = (0..1000).map(|seed| biased_graph(Bias::None, seed)).filter(wrong).count();
    assert!(found.len() >= 200, "{mistake:?}: only {} of 1000", found.len());
    assert!(found.len() > by_chance, "{mistake:?}: {} of 1000, but {by_chance} without a bias", found.len());
    for graph in &found[..10] {
        let smallest = shrink(graph, wrong);
        assert!(smallest.nodes.len() <= nodes, "{mistake:?}: {}", crate::support::print(&smallest));
    }
}

#[test]
fn readers_of_other_aliases_forgotten() {
    finds(Mistake::OtherAliases, Bias::AliasOfAlias, 3);
}

#[test]
fn later_readers_forgotten() {
    finds(Mistake::LaterReaders, Bias::LastReader, 3);
}

#[test]
fn other_slots_forgotten() {
    finds(Mistake::OtherSlots, Bias::OperandAgain, 2);
}

#[test]
fn graph_outputs_forgotten() {
    finds(Mistake::GraphOutputs, Bias::OutputRoots, 2);
}

#[test]
fn variables_forgotten() {
    finds(Mistake::HeldTensors, Bias::VariablesAliased, 2);
}

#[test]
fn flags_misread() {
    for mistake in [Mistake::FlagTwo, Mistake::WhoIsUnmodified] {
        let wrong = (0..2000).filter(|&seed| judge(&random_graph(seed), mistake).is_err()).count();
        assert!(wrong >= 40, "{mistake:?}: only in {wrong} of 2000 graphs");
    }
}

#[test]
fn hostile_graphs_are_survived() {
    let judged: Vec<bool> = (0..2000).map(|seed| judge(&hostile_graph(seed), Mistake::None).is_ok()).collect();
    assert!(judged.contains(&true) && judged.contains(&false));
}
