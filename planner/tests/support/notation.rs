//! Graphs as text, so that a test shows what it plans and a failing one explains itself.
//!
//! ```text
//! x:256 in; A,B,C,D:256; E:256 out; P:64 persistent; k:16 elsewhere; V:128 variable
//! x->A; A->B R; B->C R tmp P; C->D S; B,D->E M; V,-,k->E 20
//! ```
//!
//! Statements end with `;` or the line. `name,name:bytes words` declares tensors, in the order of their indices.
//! `inputs->outputs flags tmp names` is a node; `a->b->c` is a chain of plain nodes; `-` is an optional tensor left
//! out. Flags: R = 5 (input 0, data unmodified), S = 4 (input 0), M = 12 (inputs 0 and 1), or a number.
//! `in names`, `out names` and `var names` add to the graph's lists, which keep their order and duplicates.

use arena_planner::shadow::{Arena, Graph, Kind, Node, Place, Tensor};
use std::collections::BTreeMap;

/// The index of every named tensor.
pub(crate) type Names = BTreeMap<String, i32>;

/// Reads a graph; panics, naming the statement, where the text is wrong.
pub(crate) fn parse(text: &str) -> (Graph, Names) {
    let mut graph = Graph::default();
    let mut names = Names::new();
    for statement in text.split([';', '\n']).map(str::trim).filter(|statement| !statement.is_empty()) {
        if statement.contains("->") {
            parse_nodes(statement, &mut graph, &names);
        } else if statement.contains(':') {
            parse_tensors(statement, &mut graph, &mut names);
        } else {
            let (word, list) = statement.split_once(' ').unwrap_or((statement, ""));
            list_named(word, &mut graph, statement).extend(parse_list(list, &names, statement));
        }
    }
    (graph, names)
}

fn list_named<'graph>(word: &str, graph: &'graph mut Graph, statement: &str) -> &'graph mut Vec<i32> {
    match word {
        "in" => &mut graph.inputs,
        "out" => &mut graph.outputs,
        "var" | "variable" => &mut graph.variables,
        _ => panic!("unknown word {word:?} in {statement:?}"),
    }
}

fn parse_list(list: &str, names: &Names, statement: &str) -> Vec<i32> {
    let index = |name: &str| match name.trim() {
        "-" => -1,
        name => *names.get(name).unwrap_or_else(|| panic!("unknown tensor {name:?} in {statement:?}")),
    };
    list.split(',').filter(|name| !name.trim().is_empty()).map(index).collect()
}

fn parse_tensors(statement: &str, graph: &mut Graph, names: &mut Names) {
    let (list, rest) = statement.split_once(':').expect("the caller saw a colon");
    let mut words = rest.split_whitespace();
    let bytes = words.next().and_then(|bytes| bytes.parse().ok());
    let bytes = bytes.unwrap_or_else(|| panic!("no size in {statement:?}"));
    let words: Vec<&str> = words.collect();
    for name in list.split(',') {
        let index = graph.tensors.len() as i32;
        let mut tensor = Tensor { bytes, kind: Kind::ArenaRw };
        for &word in &words {
            match word {
                "persistent" => tensor.kind = Kind::Persistent,
                "elsewhere" => tensor.kind = Kind::Elsewhere,
                _ => list_named(word, graph, statement).push(index),
            }
        }
        graph.tensors.push(tensor);
        let known = names.insert(name.trim().to_owned(), index);
        assert_eq!(known, None, "{name:?} is declared twice");
    }
}

fn parse_nodes(statement: &str, graph: &mut Graph, names: &Names) {
    let (body, temporaries) = statement.split_once(" tmp ").unwrap_or((statement, ""));
    let (chain, last) = body.rsplit_once("->").expect("the caller saw an arrow");
    let (last, flags) = last.trim().split_once(' ').unwrap_or((last, "0"));
    let read = |list| parse_list(list, names, statement);
    let links: Vec<Vec<i32>> = chain.split("->").chain([last]).map(read).collect();
    for pair in links.windows(2) {
        graph.nodes.push(Node { inputs: pair[0].clone(), outputs: pair[1].clone(), ..Node::default() });
    }
    let node = graph.nodes.last_mut().expect("an arrow makes a node");
    node.temporaries = read(temporaries);
    node.inplace = match flags.trim() {
        "R" => 5,
        "S" => 4,
        "M" => 12,
        number => number.parse().unwrap_or_else(|_| panic!("unknown flags {number:?} in {statement:?}")),
    };
}

/// What `print` calls a tensor.
fn name(tensor: i32) -> String {
    if tensor < 0 { "-".to_owned() } else { format!("t{tensor}") }
}

/// Writes a graph so that `parse` reads it back, a node a line.
pub(crate) fn print(graph: &Graph) -> String {
    let list = |tensors: &[i32]| tensors.iter().map(|&tensor| name(tensor)).collect::<Vec<_>>().join(",");
    let mut text = String::new();
    for (index, Tensor { bytes, kind }) in graph.tensors.iter().enumerate() {
        let kind = match kind {
            Kind::ArenaRw => "",
            Kind::Persistent => " persistent",
            Kind::Elsewhere => " elsewhere",
        };
        text += &format!("t{index}:{bytes}{kind}; ");
    }
    text += "\n";
    for (word, tensors) in [("in", &graph.inputs), ("var", &graph.variables), ("out", &graph.outputs)] {
        if !tensors.is_empty() {
            text += &format!("{word} {}\n", list(tensors));
        }
    }
    for node in &graph.nodes {
        text += &format!("{}->{}", list(&node.inputs), list(&node.outputs));
        match node.inplace {
            0 => {}
            5 => text += " R",
            4 => text += " S",
            12 => text += " M",
            flags => text += &format!(" {flags}"),
        }
        if !node.temporaries.is_empty() {
            text += &format!(" tmp {}", list(&node.temporaries));
        }
        text += "\n";
    }
    text
}

/// The places of a plan written `x 0, A 64`: name and offset. Each tensor is in the arena of its kind, in a place just
/// large enough; what is not named has no place.
pub(crate) fn placed(graph: &Graph, names: &Names, plan: &str) -> Vec<Option<Place>> {
    let mut places = vec![None; graph.tensors.len()];
    for part in plan.split(',').map(str::trim) {
        let (name, offset) = part.split_once(' ').unwrap_or_else(|| panic!("no offset in {part:?}"));
        let index = names.get(name).unwrap_or_else(|| panic!("unknown tensor {name:?}"));
        let Tensor { bytes, kind } = graph.tensors[*index as usize];
        let arena = match kind {
            Kind::ArenaRw => Arena::Rw,
            Kind::Persistent => Arena::Persistent,
            Kind::Elsewhere => panic!("{name:?} is in no arena"),
        };
        let offset = offset.parse().unwrap_or_else(|_| panic!("no number in {part:?}"));
        places[*index as usize] = Some(Place { arena, offset, size: bytes });
    }
    places
}
