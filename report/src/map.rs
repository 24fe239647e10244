//! The memory of one graph under one plan: what everything in this crate reads.

use std::fmt;

use arena_planner::{Arena, END};

use crate::input::Refusal;
use crate::planning::Script;
use crate::strategy::Strategy;

/// A graph in execution order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// All tensors.
    pub tensors: Vec<Tensor>,
    /// All nodes. A table of buffers has none.
    pub nodes: Vec<Node>,
    /// Tensors written before the first node. Lists of tensors hold -1 for an optional one that is left out.
    pub inputs: Vec<i32>,
    /// Tensors that must hold their data after the last node.
    pub outputs: Vec<i32>,
    /// Tensors that keep their data from run to run.
    pub variables: Vec<i32>,
}

impl Network {
    /// Whether delegates run half of the nodes or more. As each stands for many of the model's, they run nearly all of it.
    #[must_use]
    pub fn is_mostly_delegated(&self) -> bool {
        let delegated = self.nodes.iter().filter(|node| node.is_delegated()).count();
        delegated > 0 && delegated >= self.nodes.len() - delegated
    }
}

/// A tensor, or a buffer of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// May be empty.
    pub name: String,
    /// `FLOAT32` and the like; empty where it is not known.
    pub data_type: String,
    /// Its dimensions, where they are known.
    pub shape: Option<Vec<i32>>,
    /// Its size.
    pub bytes: usize,
    /// Where it lives.
    pub kind: Kind,
}

/// What TensorFlow Lite calls an allocation type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nowhere.
    None,
    /// In the model's file.
    Constant,
    /// In the arena whose bytes are used again and again.
    ArenaRw,
    /// In the arena whose bytes are never given to another.
    Persistent,
    /// Allocated by its operator at run time: no plan knows it.
    Dynamic,
    /// Computed once, and kept outside the arenas.
    PersistentRo,
    /// In memory of the application.
    Custom,
    /// An object outside the arenas.
    Variant,
    /// One that is newer than this program.
    Other(i32),
}

impl Kind {
    /// From a `TfLiteAllocationType`.
    #[must_use]
    pub fn from_number(number: i32) -> Kind {
        match number {
            0 => Kind::None,
            1 => Kind::Constant,
            2 => Kind::ArenaRw,
            3 => Kind::Persistent,
            4 => Kind::Dynamic,
            5 => Kind::PersistentRo,
            6 => Kind::Custom,
            7 => Kind::Variant,
            other => Kind::Other(other),
        }
    }

    /// The `TfLiteAllocationType`.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Kind::None => 0,
            Kind::Constant => 1,
            Kind::ArenaRw => 2,
            Kind::Persistent => 3,
            Kind::Dynamic => 4,
            Kind::PersistentRo => 5,
            Kind::Custom => 6,
            Kind::Variant => 7,
            Kind::Other(number) => number,
        }
    }

    /// The arena that gives its bytes, if one does.
    #[must_use]
    pub fn arena(self) -> Option<Arena> {
        match self {
            Kind::ArenaRw => Some(Arena::Rw),
            Kind::Persistent => Some(Arena::Persistent),
            _ => None,
        }
    }
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// `CONV_2D` and the like.
    pub op: String,
    /// The name of a custom operator or a delegate.
    pub custom: Option<String>,
    /// In-place flags.
    pub inplace: u64,
    /// Tensors read.
    pub inputs: Vec<i32>,
    /// Tensors written.
    pub outputs: Vec<i32>,
    /// Tensors used inside this node only.
    pub temporaries: Vec<i32>,
}

impl Node {
    /// Whether a delegate runs it in the place of nodes of the model.
    #[must_use]
    pub fn is_delegated(&self) -> bool {
        self.op == "DELEGATE"
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.custom.as_ref().unwrap_or(&self.op))
    }
}

/// Where a tensor lies, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In which arena.
    pub arena: Arena,
    /// The tensor that owns the bytes: itself, or the one whose bytes it takes over.
    pub root: usize,
    /// First byte.
    pub offset: usize,
    /// Bytes set aside, not rounded up.
    pub size: usize,
    /// The first node that needs them.
    pub first_node: i32,
    /// The last node that needs them; `END` when they are never given back.
    pub last_node: i32,
    /// The tensor that had some of these bytes last before.
    pub previous: Option<usize>,
}

impl Place {
    /// The first byte behind.
    #[must_use]
    pub fn end(&self) -> usize {
        self.offset.saturating_add(self.size)
    }

    /// Whether the bytes are needed at a node.
    #[must_use]
    pub fn is_alive_at(&self, node: usize) -> bool {
        usize::try_from(self.first_node).is_ok_and(|first| first <= node)
            && usize::try_from(self.last_node).is_ok_and(|last| node <= last)
    }

    /// Whether the bytes are never given back.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        self.last_node == END
    }
}

/// Bytes of a buffer that are not needed for some time in the midst of its life. Tables alone have these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The buffer.
    pub tensor: usize,
    /// The first node at which they are not needed.
    pub first_node: i32,
    /// The last one.
    pub last_node: i32,
    /// The bytes of the buffer that are needed all the same, if any are.
    pub window: Option<(usize, usize)>,
}

/// Where a map comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A planner of a process that ran.
    Recording {
        /// The process.
        pid: u64,
        /// Counts its planners, from 1.
        planner: u64,
        /// The runtime's number of the subgraph.
        subgraph: i64,
    },
    /// A model's file, planned here.
    Model {
        /// The position of the subgraph.
        subgraph: usize,
        /// The size of the whole file.
        file_bytes: usize,
    },
    /// A table of buffers.
    Table,
}

/// How it was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// `None` where the places were given.
    pub strategy: Option<Strategy>,
    /// What offsets are multiples of, in bytes; of a table, the smallest of its buffers'.
    pub alignment: usize,
    /// No tensor's bytes are ever used again.
    pub preserve_all_tensors: bool,
    /// Graph inputs are kept for the whole run.
    pub preserve_inputs: bool,
    /// An execution places the tensors of its range anew.
    pub replace_range: bool,
}

/// Sums, in bytes where not said otherwise. All but `persistent` are about the arena whose bytes are used again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// What the tensors would need if no byte were used twice.
    pub naive: usize,
    /// What the plan needs.
    pub arena: usize,
    /// What no plan can go below.
    pub lower_bound: usize,
    /// What the plan needs of the arena of persistent tensors.
    pub persistent: usize,
    /// What alignment costs: how much the lower bound is above what it would be if every address would do.
    pub padding: usize,
    /// Tensors with bytes of their own in the arena.
    pub placed: usize,
}

impl Totals {
    /// How far the arena is above the lower bound, in per cent of that.
    #[must_use]
    pub fn gap_percent(&self) -> f64 {
        if self.arena == self.lower_bound { 0.0 } else { 100.0 * (self.arena as f64 / self.lower_bound as f64 - 1.0) }
    }

    /// The same in words. Only where tensors overlap is an arena below.
    #[must_use]
    pub fn gap_in_words(&self) -> String {
        match self.gap_percent() {
            0.0 => "at the lower bound".to_owned(),
            gap if gap.is_infinite() => "above the lower bound".to_owned(),
            gap if gap < 0.0 => format!("{:.2} % below the lower bound", -gap),
            gap => format!("{gap:.2} % above the lower bound"),
        }
    }

    /// What both arenas take.
    #[must_use]
    pub fn together(&self) -> usize {
        self.arena.saturating_add(self.persistent)
    }
}

/// A call that a runtime made of its planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Which one.
    pub call: Call,
    /// How long it took, in nanoseconds, where it was measured.
    pub ns: Option<u64>,
    /// The size of the buffer of the arena after it.
    pub arena: usize,
    /// The size of the buffer of persistent tensors after it.
    pub persistent: usize,
}

/// What was called.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are named as upstream's methods, and nodes are nodes")]
pub enum Call {
    Create,
    Plan,
    Execute {
        first: i32,
        last: i32,
    },
    /// No call: a buffer grew during the call that follows.
    Grow {
        of: Arena,
        before: usize,
        after: usize,
    },
    Reset,
    ResetAfter {
        node: i32,
    },
    Release,
    Acquire,
    Error {
        call: String,
        status: i64,
        text: String,
    },
}

/// Something that only the runtime knows, so that its plan may differ from the one that was made of the model's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// What, as a whole sentence.
    pub text: String,
    /// The nodes that it is about.
    pub nodes: Vec<usize>,
    /// The tensors that it is about.
    pub tensors: Vec<usize>,
    /// Whether the arena may be larger for it whatever the application does; if not, it is the application that chooses.
    pub may_be_larger: bool,
}

/// The memory of one graph under one plan.
#[derive(Clone, Debug)]
pub struct MemoryMap {
    /// What to call it: the name of the file, and which part of it where it has several.
    pub title: String,
    /// Where it comes from.
    pub origin: Origin,
    /// How it was planned.
    pub options: Options,
    /// The graph.
    pub network: Network,
    /// Steps of time: nodes, and where there are none the times of the table. At least 1.
    pub steps: usize,
    /// Of a table, the file's time at which each step begins, and at last when the last one ends; else empty.
    pub times: Vec<u64>,
    /// By tensor, where it lies.
    pub places: Vec<Option<Place>>,
    /// Sorted by buffer, then by node.
    pub gaps: Vec<Gap>,
    /// Sums.
    pub totals: Totals,
    /// What the runtime called, in a recording.
    pub events: Vec<Event>,
    /// What only the runtime knows, of a model.
    pub unknowns: Vec<Unknown>,
    /// The first tensor that lies elsewhere when the recorded calls are made again, if any does, as a whole sentence.
    pub not_replayed: Option<String>,
    pub(crate) script: Script,
}

impl MemoryMap {
    /// A graph without any place yet.
    pub(crate) fn unplaced(
        title: &str,
        origin: Origin,
        options: Options,
        network: Network,
        script: Script,
    ) -> MemoryMap {
        MemoryMap {
            title: title.to_owned(),
            origin,
            options,
            steps: network.nodes.len().max(1),
            network,
            times: Vec::new(),
            places: Vec::new(),
            gaps: Vec::new(),
            totals: Totals::default(),
            events: Vec::new(),
            unknowns: Vec::new(),
            not_replayed: None,
            script,
        }
    }

    /// The same graph through the same calls, planned in another way.
    ///
    /// # Errors
    ///
    /// The planner refuses.
    pub fn replanned(&self, options: Options) -> Result<MemoryMap, Refusal> {
        let places = self.script.places(&self.network, &options)?;
        let mut map = MemoryMap { options, not_replayed: None, ..self.clone() };
        map.set_places(places)?;
        Ok(map)
    }

    /// The same, by a strategy.
    ///
    /// # Errors
    ///
    /// The planner refuses.
    pub fn by(&self, strategy: Strategy) -> Result<MemoryMap, Refusal> {
        self.replanned(Options { strategy: Some(strategy), ..self.options })
    }

    /// What a tensor is called: its name and number.
    #[must_use]
    pub fn name(&self, tensor: usize) -> String {
        match self.network.tensors.get(tensor).map(|tensor| tensor.name.as_str()) {
            Some(name) if !name.is_empty() && matches!(self.origin, Origin::Table) => format!("buffer {name}"),
            Some(name) if !name.is_empty() => format!("{name} ({tensor})"),
            _ => format!("tensor {tensor}"),
        }
    }

    /// Why the real arenas may be larger than these, in one sentence without a full stop, if there is a reason that no choice of
    /// the application takes away.
    #[must_use]
    pub fn caveat(&self) -> Option<String> {
        let hidden: Vec<&Unknown> = self.unknowns.iter().filter(|unknown| unknown.may_be_larger).collect();
        let operators = hidden.iter().map(|unknown| unknown.nodes.len()).sum::<usize>();
        if let [first, ..] = hidden.as_slice() {
            let example = first.nodes.first().and_then(|&node| self.network.nodes.get(node));
            let example = example.map_or_else(String::new, |node| format!(" ({node})"));
            let what =
                if operators == 1 { "what 1 node needs".to_owned() } else { format!("what {operators} nodes need") };
            return Some(format!("{what}{example} is not known here; the real arenas may be larger"));
        }
        let delegated = self.network.nodes.iter().filter(|node| node.is_delegated()).count();
        (delegated > 0).then(|| {
            let nodes = self.network.nodes.len();
            format!("a delegate runs {delegated} of the {nodes} nodes; its own memory is not counted")
        })
    }

    /// Bytes, or an offset, rounded up to the alignment; as they are where that would be too large for a number.
    #[must_use]
    pub(crate) fn rounded_up(&self, bytes: usize) -> usize {
        bytes.checked_next_multiple_of(self.options.alignment).unwrap_or(bytes)
    }

    /// Tensors that own bytes in an arena, with their places.
    pub fn owners(&self, arena: Arena) -> impl Iterator<Item = (usize, &Place)> {
        let own = move |(tensor, place): (usize, &Option<Place>)| {
            place.as_ref().is_some_and(|place| place.arena == arena && place.root == tensor)
        };
        self.places
            .iter()
            .enumerate()
            .filter(move |&(tensor, place)| own((tensor, place)))
            .filter_map(|(tensor, place)| Some((tensor, place.as_ref()?)))
    }

    /// What the input calls a step: the number of the node, or a table's own time.
    #[must_use]
    pub fn time(&self, step: usize) -> u64 {
        self.times.get(step).copied().unwrap_or(step as u64)
    }

    /// The gaps of one buffer.
    #[must_use]
    pub fn gaps_of(&self, buffer: usize) -> &[Gap] {
        let first = self.gaps.partition_point(|gap| gap.tensor < buffer);
        let end = self.gaps.partition_point(|gap| gap.tensor <= buffer);
        &self.gaps[first..end]
    }

    /// A place without the gaps of its buffer: what is needed between them and in them, by time.
    #[must_use]
    pub fn pieces(&self, tensor: usize, place: &Place) -> Vec<Place> {
        let gaps = self.gaps_of(tensor);
        let (mut pieces, mut rest) = (Vec::new(), *place);
        for &Gap { first_node, last_node, window, .. } in gaps {
            if rest.first_node < first_node {
                pieces.push(Place { last_node: first_node - 1, ..rest });
            }
            if let Some((start, end)) = window {
                pieces.push(Place { offset: place.offset + start, size: end - start, first_node, last_node, ..*place });
            }
            rest.first_node = last_node.saturating_add(1);
        }
        if gaps.is_empty() || rest.first_node <= rest.last_node {
            pieces.push(rest);
        }
        pieces
    }

    /// The bytes that an owner needs at a node; `None` where it needs none, as in a gap.
    #[must_use]
    pub fn needed_at(&self, node: usize, tensor: usize) -> Option<usize> {
        let place = self.places[tensor].as_ref().filter(|place| place.is_alive_at(node))?;
        self.pieces(tensor, place).iter().find(|piece| piece.is_alive_at(node)).map(|piece| piece.size)
    }

    /// The owners whose bytes of the arena are needed at a node, largest first.
    #[must_use]
    pub fn alive_at(&self, node: usize) -> Vec<usize> {
        let needed = |(tensor, _)| Some((tensor, self.needed_at(node, tensor)?));
        let mut alive: Vec<(usize, usize)> = self.owners(Arena::Rw).filter_map(needed).collect();
        alive.sort_by_key(|&(_, bytes)| std::cmp::Reverse(bytes));
        alive.into_iter().map(|(tensor, _)| tensor).collect()
    }

    /// The bytes of the arena that are needed at each node, each tensor rounded up to the alignment.
    #[must_use]
    pub fn live_bytes(&self) -> Vec<usize> {
        self.live_bytes_without(&[])
    }

    /// The same, if some tensors took no bytes.
    pub(crate) fn live_bytes_without(&self, left_out: &[usize]) -> Vec<usize> {
        // Steps of the sum: what begins at a node is added there, what has ended is taken off at the next.
        let mut steps = vec![0usize; self.steps + 1];
        let mut add = |first: i32, last: i32, bytes: usize| {
            let first = usize::try_from(first).unwrap_or(0).min(self.steps);
            let end = usize::try_from(last).map_or(0, |last| last.min(self.steps - 1) + 1).max(first);
            steps[first] = steps[first].wrapping_add(bytes);
            steps[end] = steps[end].wrapping_sub(bytes);
        };
        for (_, place) in self.owners(Arena::Rw).filter(|(tensor, _)| !left_out.contains(tensor)) {
            add(place.first_node, place.last_node, self.rounded_up(place.size));
        }
        for gap in self.gaps.iter().filter(|gap| !left_out.contains(&gap.tensor)) {
            let Some(place) = self.places[gap.tensor] else { continue };
            let needed = gap.window.map_or(0, |(start, end)| self.rounded_up(end - start));
            add(gap.first_node, gap.last_node, needed.wrapping_sub(self.rounded_up(place.size)));
        }
        let mut sum = 0usize;
        steps.truncate(self.steps);
        for step in &mut steps {
            sum = sum.wrapping_add(*step);
            *step = sum;
        }
        steps
    }

    /// The first of the nodes at which most bytes are needed, and how many.
    #[must_use]
    pub fn peak(&self) -> (usize, usize) {
        let live = self.live_bytes();
        let most = live.iter().copied().max().unwrap_or(0);
        (live.iter().position(|&bytes| bytes == most).unwrap_or(0), most)
    }
}
