//! A trace for Perfetto and Chrome, in the Trace Event Format: a microsecond a node, and a track an offset, the highest on top.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use arena_planner::Arena;
use serde_json::{Value, json};

use crate::map::{Call, Event, MemoryMap, Place};
use crate::numbers::grouped;
use crate::picture::{Rectangle, Reuse, Uses, indices, rectangles};

/// A process for the arena of each map, and one for its persistent tensors where it has any.
#[must_use]
pub fn trace(maps: &[MemoryMap]) -> String {
    let mut trace = Trace::default();
    for map in maps {
        arena(map, &mut trace);
        persistent(map, &mut trace);
    }
    format!("{{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{}\n]}}\n", trace.events)
}

/// Processes and threads count on in one row: Perfetto takes a thread's number for the same one in all processes.
#[derive(Default)]
struct Trace {
    /// As text: a million of them as values would take gigabytes.
    events: String,
    numbers: u64,
}

/// Where events go.
#[derive(Clone, Copy)]
struct Track {
    pid: u64,
    tid: u64,
}

impl Trace {
    /// A new process; its own number is that of its first track.
    fn process(&mut self, name: &str) -> Track {
        self.numbers += 1;
        let track = Track { pid: self.numbers, tid: self.numbers };
        self.describe(track, "process_name", json!({ "name": name }));
        self.describe(track, "process_sort_index", json!({ "sort_index": track.pid }));
        track
    }

    /// A new track below those that the process has.
    fn track(&mut self, process: Track, name: &str) -> Track {
        self.numbers += 1;
        let track = Track { tid: self.numbers, ..process };
        self.name(track, name);
        track
    }

    fn name(&mut self, track: Track, name: &str) {
        self.describe(track, "thread_name", json!({ "name": name }));
        self.describe(track, "thread_sort_index", json!({ "sort_index": track.tid }));
    }

    fn add(&mut self, event: &Value) {
        if !self.events.is_empty() {
            self.events += ",\n";
        }
        self.events += &event.to_string();
    }

    fn describe(&mut self, Track { pid, tid }: Track, what: &str, args: Value) {
        self.add(&json!({ "ph": "M", "name": what, "pid": pid, "tid": tid, "args": args }));
    }

    fn slice(&mut self, Track { pid, tid }: Track, category: &str, name: &str, span: (usize, usize), args: Value) {
        let (first, end) = span;
        self.add(&json!({
            "ph": "X", "cat": category, "name": name, "ts": first, "dur": end - first, "pid": pid, "tid": tid, "args": args,
        }));
    }

    fn instant(&mut self, Track { pid, tid }: Track, name: &str, at: usize, args: Value) {
        self.add(&json!({
            "ph": "i", "s": "t", "cat": "call", "name": name, "ts": at, "pid": pid, "tid": tid, "args": args,
        }));
    }

    fn count(&mut self, Track { pid, .. }: Track, name: &str, at: usize, bytes: usize) {
        self.add(&json!({ "ph": "C", "name": name, "ts": at, "pid": pid, "args": { "bytes": bytes } }));
    }
}

fn arena(map: &MemoryMap, trace: &mut Trace) {
    let process = trace.process(&map.title);
    trace.name(process, "nodes");
    let live_bytes = map.live_bytes();
    for (at, (node, &live)) in map.network.nodes.iter().zip(&live_bytes).enumerate() {
        let outputs: Vec<String> = indices(&node.outputs).map(|tensor| map.name(tensor)).collect();
        trace.slice(
            process,
            "node",
            &node.to_string(),
            (at, at + 1),
            json!({
                "node": at, "live_bytes": live, "outputs": outputs,
            }),
        );
    }
    if !map.events.is_empty() {
        let track = trace.track(process, "calls");
        calls(map, track, trace);
    }
    counters(map, &live_bytes, process, trace);
    let owned = rectangles(map).into_iter().filter(|rectangle| rectangle.reuse != Reuse::Alias).collect();
    lanes(map, owned, process, trace);
}

fn persistent(map: &MemoryMap, trace: &mut Trace) {
    let rectangle = |(tensor, place): (usize, &Place)| Rectangle {
        tensor,
        reuse: Reuse::Kept,
        first: usize::try_from(place.first_node).unwrap_or(0),
        end: map.steps,
        offset: place.offset,
        size: place.size,
    };
    let kept: Vec<_> = map.owners(Arena::Persistent).map(rectangle).collect();
    if !kept.is_empty() {
        let process = trace.process(&format!("{}, persistent", map.title));
        lanes(map, kept, process, trace);
    }
}

/// What changes, and at the end nothing is needed any more.
fn counters(map: &MemoryMap, live_bytes: &[usize], process: Track, trace: &mut Trace) {
    let mut before = None;
    for (at, &bytes) in live_bytes.iter().chain([&0]).enumerate() {
        if before != Some(bytes) {
            trace.count(process, "live", at, bytes);
        }
        before = Some(bytes);
    }
    for (name, bytes) in [("arena", map.totals.arena), ("lower bound", map.totals.lower_bound)] {
        trace.count(process, name, 0, bytes);
        trace.count(process, name, map.steps, bytes);
    }
}

/// Calls at the node that they begin with; those that have none at that of the call before.
fn calls(map: &MemoryMap, track: Track, trace: &mut Trace) {
    let mut at = 0;
    for Event { call, ns, arena, persistent } in &map.events {
        let (name, node) = match call {
            Call::Create => ("create".to_owned(), Some(0)),
            Call::Plan => ("plan".to_owned(), Some(0)),
            Call::Execute { first, last } => (format!("execute {first} to {last}"), Some(*first)),
            Call::Grow { of: Arena::Rw, before, after } => (format!("grow from {before} to {after}"), None),
            Call::Grow { of: Arena::Persistent, before, after } => {
                (format!("grow persistent from {before} to {after}"), None)
            }
            Call::Reset => ("reset".to_owned(), Some(0)),
            Call::ResetAfter { node } => (format!("reset after {node}"), Some(*node)),
            Call::Release => ("release".to_owned(), None),
            Call::Acquire => ("acquire".to_owned(), None),
            Call::Error { call, text, .. } => (format!("error in {call}: {text}"), None),
        };
        if let Some(node) = node {
            at = usize::try_from(node).unwrap_or(0).min(map.steps);
        }
        let mut args = json!({ "arena": arena, "persistent": persistent });
        if let Some(ns) = ns {
            args["ns"] = json!(ns);
        }
        trace.instant(track, &name, at, args);
    }
}

/// A track for each offset. Slices of one track must not overlap: where a plan is wrong and two do, the offset has two tracks.
fn lanes(map: &MemoryMap, mut rectangles: Vec<Rectangle>, process: Track, trace: &mut Trace) {
    rectangles.retain(|rectangle| rectangle.size > 0 && rectangle.first < rectangle.end);
    rectangles.sort_by_key(|rectangle| rectangle.first);
    let mut lanes: BTreeMap<Reverse<usize>, Vec<Vec<Rectangle>>> = BTreeMap::new();
    for rectangle in rectangles {
        let lanes = lanes.entry(Reverse(rectangle.offset)).or_default();
        let free = |lane: &&mut Vec<Rectangle>| lane.last().is_none_or(|last| last.end <= rectangle.first);
        match lanes.iter_mut().find(free) {
            Some(lane) => lane.push(rectangle),
            None => lanes.push(vec![rectangle]),
        }
    }
    let facts = Facts::of(map);
    for (Reverse(offset), lanes) in lanes {
        for lane in lanes {
            let track = trace.track(process, &format!("offset {}", grouped(offset)));
            for Rectangle { tensor, reuse, first, end, size, .. } in lane {
                let category = match reuse {
                    Reuse::Fresh => "fresh",
                    Reuse::Reused | Reuse::Alias => "reused",
                    Reuse::Kept => "kept",
                };
                let args = facts.of_tensor(tensor, offset, size);
                trace.slice(track, category, &map.name(tensor), (first, end), args);
            }
        }
    }
}

/// What is told of a tensor, found once for all.
struct Facts<'a> {
    map: &'a MemoryMap,
    uses: Uses,
    /// By owner, who else lies on its bytes.
    takers: Vec<Vec<usize>>,
}

impl<'a> Facts<'a> {
    fn of(map: &'a MemoryMap) -> Facts<'a> {
        let mut takers = vec![Vec::new(); map.network.tensors.len()];
        for (tensor, place) in map.places.iter().enumerate() {
            if let Some(place) = place.as_ref().filter(|place| place.root != tensor) {
                takers[place.root].push(tensor);
            }
        }
        Facts { map, uses: Uses::of(map), takers }
    }

    fn of_tensor(&self, tensor: usize, offset: usize, size: usize) -> Value {
        let Facts { map, uses, takers } = self;
        let network = &map.network;
        let name = |&tensor: &usize| map.name(tensor);
        let mut args = json!({
            "tensor": tensor,
            "type": network.tensors[tensor].data_type,
            "bytes": size,
            "offset": offset,
        });
        if let Some(node) = uses.first_writer[tensor] {
            args["written_by"] = json!(format!("{} {node}", network.nodes[node]));
        }
        if !takers[tensor].is_empty() {
            args["taken_over_by"] = json!(takers[tensor].iter().map(name).collect::<Vec<_>>());
        }
        if let Some(previous) = map.places[tensor].and_then(|place| place.previous) {
            args["bytes_before_of"] = json!(map.name(previous));
        }
        args
    }
}
