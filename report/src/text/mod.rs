//! The report for a terminal: about a screen of it.

mod comparison;
mod lines;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use arena_planner::Arena;

use crate::diagnosis::Finding;
use crate::map::{Kind, MemoryMap, Node, Origin, Place};
use crate::numbers::{grouped, in_units};
pub use comparison::comparison;
pub use lines::printable;
use lines::{Column, WIDTH, shortened, table, wrapped};

/// Of each list that much, so that all of them fit a screen.
const FINDING_LINES: usize = 16;
const MAPS: usize = 12;
const NODES: usize = 3;
const TENSORS: usize = 5;
const PERSISTENT: usize = 3;

/// Most builtin operations have shorter names.
const OP_WIDTH: usize = 20;

/// What there is to say of these maps: an overview if there are several, what was found, and the heaviest of them in detail.
///
/// With `colours` headings stand out; that is for terminals.
#[must_use]
pub fn text(maps: &[MemoryMap], findings: &[Finding], colours: bool) -> String {
    let mut page = Page { lines: Vec::new(), colours };
    if maps.len() > 1 {
        overview(maps, &mut page);
    }
    let heaviest =
        maps.iter().enumerate().max_by_key(|(at, map)| (map.totals.arena + map.totals.persistent, Reverse(*at)));
    if let Some((_, map)) = heaviest {
        page.heading(&map.title);
        figures(map, &mut page);
    }
    tell(findings, maps, &mut page);
    if let Some((_, map)) = heaviest {
        nodes(map, &mut page);
        tensors(map, &mut page);
        persistent(map, &mut page);
    }
    page.lines.join("\n") + "\n"
}

struct Page {
    lines: Vec<String>,
    colours: bool,
}

impl Page {
    /// Begins a part.
    fn heading(&mut self, text: &str) {
        if !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        let text = printable(text);
        let text = shortened(&text, WIDTH);
        self.lines.push(if self.colours { format!("\x1b[1m{text}\x1b[0m") } else { text.into_owned() });
    }
}

/// A line a map, the heaviest first.
fn overview(maps: &[MemoryMap], page: &mut Page) {
    page.heading(&format!("{} graphs", maps.len()));
    let mut order: Vec<usize> = (0..maps.len()).collect();
    order.sort_by_key(|&at| Reverse(maps[at].totals.arena + maps[at].totals.persistent));
    let row = |&at: &usize| {
        let MemoryMap { title, network, totals, .. } = &maps[at];
        let number = (at + 1).to_string();
        let [nodes, tensors] = [network.nodes.len(), network.tensors.len()].map(grouped);
        let [arena, bound, persistent] = [totals.arena, totals.lower_bound, totals.persistent].map(grouped);
        [number, printable(title).into_owned(), nodes, tensors, arena, bound, persistent]
    };
    let mut rows: Vec<_> = order.iter().take(MAPS).map(row).collect();
    let sum = |part: fn(&MemoryMap) -> usize| grouped(maps.iter().map(part).fold(0, usize::saturating_add));
    rows.push([
        String::new(),
        if maps.len() > MAPS { format!("all, with {} not shown", maps.len() - MAPS) } else { "all".to_owned() },
        sum(|map| map.network.nodes.len()),
        sum(|map| map.network.tensors.len()),
        sum(|map| map.totals.arena),
        sum(|map| map.totals.lower_bound),
        sum(|map| map.totals.persistent),
    ]);
    let columns = [
        Column::Right("#"),
        Column::Cut("graph"),
        Column::Right("nodes"),
        Column::Right("tensors"),
        Column::Right("arena"),
        Column::Right("lower bound"),
        Column::Right("persistent"),
    ];
    page.lines.extend(table(&columns, &rows));
}

/// Where a map comes from, and its totals.
fn figures(map: &MemoryMap, page: &mut Page) {
    let (nodes, tensors) = (counted(map.network.nodes.len(), "node"), counted(map.network.tensors.len(), "tensor"));
    let origin = match map.origin {
        Origin::Recording { pid, planner, subgraph } => {
            format!("Subgraph {subgraph} as planner {planner} of process {pid} recorded it: {nodes}, {tensors}.")
        }
        Origin::Model { subgraph, file_bytes } => {
            let bytes = grouped(file_bytes);
            format!("Subgraph {subgraph} of a model file of {bytes} bytes: {nodes}, {tensors}.")
        }
        Origin::Table => {
            format!("A table of {} over {}.", counted(map.places.len(), "buffer"), counted(map.steps, "step"))
        }
    };
    let planned = match map.options.strategy {
        Some(strategy) => format!("Planned by `{}`", strategy.name()),
        None => "Placed as the file says".to_owned(),
    };
    page.lines.extend(wrapped(&format!("{origin} {planned}, alignment {}.", map.options.alignment), "  "));
    let (totals, (peak, most)) = (&map.totals, map.peak());
    let alive = counted(map.alive_at(peak).len(), "tensor");
    let above = match totals.gap_percent() {
        0.0 => "at the lower bound".to_owned(),
        gap => format!("{gap:.2} % above the lower bound"),
    };
    let figure = |name: &str, bytes: usize, meaning: &str| {
        [name.to_owned(), grouped(bytes), in_units(bytes), meaning.to_owned()]
    };
    let rows = [
        figure("arena", totals.arena, &above),
        figure("lower bound", totals.lower_bound, "no plan can take less"),
        figure("peak", most, &format!("{alive} at {}", step_name(map, peak))),
        figure("naive", totals.naive, "if no byte were used twice"),
        figure("persistent", totals.persistent, "kept from run to run, beside the arena"),
        figure("padding", totals.padding, "of the lower bound, lost to alignment"),
    ];
    let columns = [Column::Left(""), Column::Right("bytes"), Column::Right(""), Column::Cut("")];
    page.lines.extend(table(&columns, &rows));
}

/// `1 node`, `2 nodes`.
fn counted(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// What to call a step of time.
fn step_name(map: &MemoryMap, step: usize) -> String {
    match map.network.nodes.get(step) {
        Some(node) => format!("node {step} ({})", op_name(node)),
        None => format!("time {}", map.time(step)),
    }
}

/// An operation; the names of custom ones are as long as they like.
fn op_name(node: &Node) -> String {
    shortened(&printable(&node.to_string()), OP_WIDTH).into_owned()
}

/// Findings, each with what to do below it.
fn tell(findings: &[Finding], maps: &[MemoryMap], page: &mut Page) {
    if findings.is_empty() {
        return;
    }
    page.heading("What stands out");
    let mut lines = Vec::new();
    for (at, Finding { map, text, advice, .. }) in findings.iter().enumerate() {
        let of = map.filter(|_| maps.len() > 1).map_or_else(String::new, |map| format!("[{}] ", map + 1));
        let mut told = wrapped(&printable(&format!("{of}{text}")), " * ");
        told.extend(advice.iter().flat_map(|advice| wrapped(&printable(advice), "   > ")));
        if at > 0 && lines.len() + told.len() > FINDING_LINES {
            lines.push(format!("   and {} more, which --html and --json have", findings.len() - at));
            break;
        }
        lines.extend(told);
    }
    page.lines.extend(lines);
}

/// The nodes at which most is alive.
fn nodes(map: &MemoryMap, page: &mut Page) {
    let (live, (_, most)) = (map.live_bytes(), map.peak());
    let mut order: Vec<usize> = (0..live.len()).filter(|&step| live[step] > 0).collect();
    order.sort_by_key(|&step| Reverse(live[step]));
    let row = |&step: &usize| {
        let alive = map.alive_at(step);
        let op = map.network.nodes.get(step).map_or_else(String::new, op_name);
        let largest = alive.first().map_or_else(String::new, |&tensor| name(map, tensor));
        [map.time(step).to_string(), op, grouped(live[step]), share(live[step], most), alive.len().to_string(), largest]
    };
    let rows: Vec<_> = order.iter().take(NODES).map(row).collect();
    if rows.is_empty() {
        return;
    }
    let is_table = map.network.nodes.is_empty();
    page.heading(if is_table { "Where most bytes are needed" } else { "Nodes that need most bytes" });
    let columns = [
        Column::Right(if is_table { "time" } else { "node" }),
        Column::Left(""),
        Column::Right("bytes"),
        Column::Right("peak"),
        Column::Right("tensors"),
        Column::Cut("largest of them"),
    ];
    page.lines.extend(table(&columns, &rows));
}

/// The largest tensors of the arena.
fn tensors(map: &MemoryMap, page: &mut Page) {
    let (peak, most) = map.peak();
    let row = |&(tensor, place): &(usize, &Place)| {
        let alive = map.needed_at(peak, tensor).map_or_else(|| "-".to_owned(), |bytes| share(bytes, most));
        [name(map, tensor), writer(map, tensor), life(map, place), grouped(place.offset), grouped(place.size), alive]
    };
    let rows: Vec<_> = largest(map, Arena::Rw).iter().take(TENSORS).map(row).collect();
    if rows.is_empty() {
        return;
    }
    page.heading("Largest tensors in the arena");
    let columns = [
        Column::Cut("tensor"),
        Column::Left("written by"),
        Column::Left("alive"),
        Column::Right("offset"),
        Column::Right("bytes"),
        Column::Right("peak"),
    ];
    page.lines.extend(table(&columns, &rows));
}

/// The largest tensors that are kept from run to run.
fn persistent(map: &MemoryMap, page: &mut Page) {
    let row = |&(tensor, place): &(usize, &Place)| {
        let of_all = share(place.size, map.totals.persistent);
        [name(map, tensor), writer(map, tensor), grouped(place.offset), grouped(place.size), of_all]
    };
    let all = largest(map, Arena::Persistent);
    let rows: Vec<_> = all.iter().take(PERSISTENT).map(row).collect();
    if rows.is_empty() {
        return;
    }
    page.heading(&if all.len() > PERSISTENT {
        format!("Kept from run to run: the largest of {} tensors", grouped(all.len()))
    } else {
        "Kept from run to run".to_owned()
    });
    let columns = [
        Column::Cut("tensor"),
        Column::Left("written by"),
        Column::Right("offset"),
        Column::Right("bytes"),
        Column::Right("of all"),
    ];
    page.lines.extend(table(&columns, &rows));
}

fn largest(map: &MemoryMap, arena: Arena) -> Vec<(usize, &Place)> {
    let mut owners: Vec<_> = map.owners(arena).filter(|(_, place)| place.size > 0).collect();
    owners.sort_by_key(|(_, place)| Reverse(place.size));
    owners
}

fn name(map: &MemoryMap, tensor: usize) -> String {
    printable(&map.name(tensor)).into_owned()
}

/// The operation that writes a tensor first, or what else it is.
fn writer(map: &MemoryMap, tensor: usize) -> String {
    let network = &map.network;
    let holds = |list: &[i32]| list.iter().any(|&other| usize::try_from(other) == Ok(tensor));
    if holds(&network.inputs) {
        return "input".to_owned();
    }
    match network.nodes.iter().position(|node| holds(&node.outputs) || holds(&node.temporaries)) {
        Some(node) => format!("{} {node}", op_name(&network.nodes[node])),
        None if holds(&network.variables) => "variable".to_owned(),
        None if network.tensors.get(tensor).is_some_and(|tensor| tensor.kind == Kind::Custom) => {
            "the program".to_owned()
        }
        None => String::new(),
    }
}

/// From the first node to the last; of a table, from a time up to another.
fn life(map: &MemoryMap, place: &Place) -> String {
    let &Place { first_node: first, last_node: last, .. } = place;
    match map.origin {
        Origin::Table => format!("{}-{}", map.time(first as usize), map.time(last as usize + 1)),
        _ if place.is_kept() => format!("{first}-end"),
        _ => format!("{first}-{last}"),
    }
}

fn share(bytes: usize, of: usize) -> String {
    if of == 0 { String::new() } else { format!("{:.0} %", 100.0 * bytes as f64 / of as f64) }
}
