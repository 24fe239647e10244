//! Random graphs that a runtime could really bring: every tensor is written by one node at most and read only after it
//! was written. Within that, whatever makes plans go wrong comes often: equal sizes, in-place flags, aliases of
//! aliases, operands read again, temporaries, variables, graph outputs read again, tensors of no bytes.

use super::Rng;
use arena_planner::shadow::{Graph, Kind, Node, Tensor};

/// What a graph has more of than chance would give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bias {
    /// Nothing in particular.
    None,
    /// Reshapes of reshapes, with a write in place on one of them and a late reader of another.
    AliasOfAlias,
    /// Several readers of one tensor, of which any may be the one that writes in place.
    LastReader,
    /// Nodes that read one tensor, or its alias, in several slots.
    OperandAgain,
    /// Graph outputs that are reshaped, and the reshaped then written in place.
    OutputRoots,
    /// Variables and graph inputs that are reshaped, and the reshaped then written in place.
    VariablesAliased,
}

impl Bias {
    pub(crate) const ALL: [Self; 6] = [
        Self::None,
        Self::AliasOfAlias,
        Self::LastReader,
        Self::OperandAgain,
        Self::OutputRoots,
        Self::VariablesAliased,
    ];
}

/// The graph of a seed; half of them are biased, each bias as often as the others.
pub(crate) fn random_graph(seed: u64) -> Graph {
    let mut rng = Rng::new(seed);
    let bias = if rng.percent(50) { Bias::None } else { rng.pick(&Bias::ALL[1..]) };
    biased_graph(bias, rng.next())
}

/// The graph of a seed with more of one thing.
pub(crate) fn biased_graph(bias: Bias, seed: u64) -> Graph {
    let mut maker = Maker::new(Rng::new(seed), bias);
    maker.sources();
    for _ in 0..maker.node_count() {
        if maker.bias != Bias::None && maker.rng.percent(25) {
            maker.motif();
        } else {
            maker.node();
        }
    }
    maker.sinks();
    maker.graph
}

const RESHAPE: u64 = 5;
const IN_PLACE: u64 = 4;
const BINARY: u64 = 12;

/// In-place flags and their weights: those of real operators, then every combination that a contract allows.
const FLAGS: [(usize, u64); 16] = [
    (28, 0),
    (18, RESHAPE),
    (14, IN_PLACE),
    (14, BINARY),
    (3, 8),
    (2, 16),
    (3, 28),
    (2, 20),
    (2, 2 | 4),
    (4, 2 | 8),
    (3, 2 | 4 | 8),
    (2, 2 | 4 | 8 | 16),
    (2, 1 | 8),
    (2, 1 | 4 | 8),
    (2, 1 | 2 | 4 | 8),
    (1, 1),
];

struct Maker {
    rng: Rng,
    bias: Bias,
    graph: Graph,
    /// Sizes that this graph prefers, so that tensors can take over each other's bytes.
    palette: Vec<usize>,
    /// Tensors that may be read: written by now, or constant.
    readable: Vec<i32>,
}

impl Maker {
    fn new(mut rng: Rng, bias: Bias) -> Self {
        let palette = (0..=rng.below(3)).map(|_| any_size(&mut rng)).collect();
        Self { rng, bias, graph: Graph::default(), palette, readable: Vec::new() }
    }

    fn node_count(&mut self) -> usize {
        let (least, spread) = self.rng.weighted(&[(55, (1, 7)), (30, (6, 12)), (15, (18, 23))]);
        least + self.rng.below(spread)
    }

    fn size(&mut self) -> usize {
        if self.rng.percent(75) { self.rng.pick(&self.palette) } else { any_size(&mut self.rng) }
    }

    fn tensor(&mut self, bytes: usize, kind: Kind) -> i32 {
        self.graph.tensors.push(Tensor { bytes, kind });
        self.graph.tensors.len() as i32 - 1
    }

    fn bytes(&self, tensor: i32) -> usize {
        usize::try_from(tensor).map_or(0, |index| self.graph.tensors[index].bytes)
    }

    /// What can be read before the first node.
    fn sources(&mut self) {
        for _ in 0..self.rng.weighted(&[(8, 0), (60, 1), (22, 2), (10, 3)]) {
            let bytes = self.size();
            let kind = self.rng.weighted(&[(90, Kind::ArenaRw), (5, Kind::Persistent), (5, Kind::Elsewhere)]);
            let input = self.tensor(bytes, kind);
            self.graph.inputs.push(input);
        }
        let aliased = usize::from(self.bias == Bias::VariablesAliased);
        for _ in 0..aliased + self.rng.weighted(&[(60, 0), (25, 1), (15, 2)]) {
            let bytes = self.size();
            let kind = self.rng.pick(&[Kind::ArenaRw, Kind::Persistent]);
            let variable = self.tensor(bytes, kind);
            self.graph.variables.push(variable);
        }
        for _ in 0..self.rng.below(3) {
            let bytes = self.size();
            let constant = self.tensor(bytes, Kind::Elsewhere);
            self.readable.push(constant);
        }
        self.readable.extend(self.graph.inputs.iter().chain(&self.graph.variables));
        if self.rng.percent(4) {
            self.stray_tensor();
        }
        // Lists that name a tensor twice, or none.
        if let Some(&input) = self.graph.inputs.first() {
            if self.rng.percent(5) {
                self.graph.inputs.push(input);
            }
            if self.rng.percent(3) {
                self.graph.variables.push(input);
            }
        }
        if self.rng.percent(4) {
            self.graph.inputs.push(-1);
        }
    }

    /// A tensor that no list names.
    fn stray_tensor(&mut self) {
        let bytes = self.size();
        self.tensor(bytes, Kind::ArenaRw);
    }

    /// A node of any shape.
    fn node(&mut self) {
        let inplace = self.rng.weighted(&FLAGS);
        let mut outputs = self.rng.weighted(&[(76, 1), (18, 2), (6, 3)]);
        let mut inputs = self.rng.weighted(&[(4, 0), (45, 1), (35, 2), (11, 3), (5, 4)]);
        if inplace & 2 != 0 && self.rng.percent(75) {
            // Flag 2 says little where there is only one input or output.
            outputs = outputs.max(2);
            inputs = inputs.max(2);
        }
        let mut operands: Vec<i32> = Vec::new();
        for _ in 0..inputs {
            let again = if self.bias == Bias::OperandAgain { 40 } else { 10 };
            let operand = match operands.last() {
                Some(&before) if self.rng.percent(again) => before,
                _ if self.rng.percent(4) => -1,
                _ => self.any_readable(),
            };
            operands.push(operand);
        }
        self.push_node(operands, outputs, inplace);
    }

    /// Most often the newest, so that chains grow; else anything, however old.
    fn any_readable(&mut self) -> i32 {
        let newest = if self.bias == Bias::LastReader { 30 } else { 55 };
        match self.readable.last() {
            None => -1,
            Some(&last) if self.rng.percent(newest) => last,
            Some(_) => self.rng.pick(&self.readable),
        }
    }

    fn push_node(&mut self, inputs: Vec<i32>, outputs: usize, inplace: u64) {
        let outputs: Vec<i32> = (0..outputs).map(|slot| self.output(&inputs, slot, inplace)).collect();
        let mut temporaries = Vec::new();
        if self.rng.percent(18) {
            for _ in 0..=self.rng.below(2) {
                let bytes = self.size();
                let kind = self.rng.weighted(&[(70, Kind::ArenaRw), (25, Kind::Persistent), (5, Kind::Elsewhere)]);
                temporaries.push(self.tensor(bytes, kind));
            }
        }
        self.readable.extend(outputs.iter().filter(|&&output| output >= 0));
        self.graph.nodes.push(Node { inputs, outputs, temporaries, inplace });
    }

    /// A new output, as large as the input it may lie on more often than not.
    fn output(&mut self, inputs: &[i32], slot: usize, inplace: u64) -> i32 {
        if self.rng.percent(2) {
            return -1;
        }
        let sharers: Vec<i32> = (0..inputs.len().min(3))
            .filter(|&input| inplace & (4 << input) != 0)
            .filter(|&input| slot == if inplace & 2 == 0 { 0 } else { input })
            .map(|input| inputs[input])
            .collect();
        let bytes = match sharers.is_empty() {
            false if self.rng.percent(88) => {
                let host = self.rng.pick(&sharers);
                self.bytes(host)
            }
            _ => self.size(),
        };
        let kind = self.rng.weighted(&[(91, Kind::ArenaRw), (4, Kind::Persistent), (5, Kind::Elsewhere)]);
        self.tensor(bytes, kind)
    }

    /// A few nodes of the shape that the bias is about.
    fn motif(&mut self) {
        let root = match self.bias {
            Bias::VariablesAliased if self.rng.percent(75) => {
                let held = [self.graph.inputs.as_slice(), &self.graph.variables].concat();
                self.rng.pick(&held)
            }
            _ => self.fresh_root(),
        };
        match self.bias {
            Bias::None => {}
            Bias::AliasOfAlias => {
                let mut family = vec![root];
                for _ in 0..=self.rng.below(3) {
                    let parent = self.rng.pick(&family);
                    family.push(self.unary(parent, RESHAPE));
                }
                let victim = self.rng.pick(&family);
                let written = self.unary(victim, IN_PLACE);
                let late = self.rng.pick(&family);
                self.push_node(vec![late, written], 1, BINARY);
            }
            Bias::LastReader => {
                for _ in 0..2 + self.rng.below(3) {
                    let inplace = self.rng.pick(&[0, IN_PLACE, BINARY]);
                    self.unary(root, inplace);
                }
            }
            Bias::OperandAgain => {
                let other = if self.rng.percent(50) { root } else { self.unary(root, RESHAPE) };
                let third = self.rng.pick(&[root, other, -1]);
                let inplace = self.rng.pick(&[4, 8, 12, 16, 28, 2 | 4, 2 | 8, 2 | 4 | 8, 1 | 8]);
                let outputs = 1 + self.rng.below(2);
                self.push_node(vec![root, other, third], outputs, inplace);
            }
            Bias::OutputRoots => {
                let alias = self.unary(root, RESHAPE);
                let output = self.rng.pick(&[root, alias]);
                self.graph.outputs.push(output);
                let victim = self.rng.pick(&[root, alias]);
                self.unary(victim, IN_PLACE);
            }
            Bias::VariablesAliased => {
                let alias = self.unary(root, RESHAPE);
                self.unary(alias, IN_PLACE);
            }
        }
    }

    /// A tensor just written, with more than 4 bytes: smaller ones are not worth sharing.
    fn fresh_root(&mut self) -> i32 {
        let read = self.any_readable();
        let bytes = self.size().max(36);
        let root = self.tensor(bytes, Kind::ArenaRw);
        self.readable.push(root);
        self.graph.nodes.push(Node { inputs: vec![read], outputs: vec![root], ..Node::default() });
        root
    }

    /// A node from one tensor to one of equal size, and what it writes.
    fn unary(&mut self, input: i32, inplace: u64) -> i32 {
        let kind = if self.rng.percent(4) { Kind::Elsewhere } else { Kind::ArenaRw };
        let output = self.tensor(self.bytes(input), kind);
        self.readable.push(output);
        self.graph.nodes.push(Node { inputs: vec![input], outputs: vec![output], inplace, ..Node::default() });
        output
    }

    /// What must be there after the last node.
    fn sinks(&mut self) {
        if let Some(node) = self.graph.nodes.last() {
            let last = node.outputs.clone();
            self.graph.outputs.extend(last);
        }
        // Written long ago and perhaps read again; perhaps an input, a variable or a constant.
        for _ in 0..self.rng.weighted(&[(50, 0), (30, 1), (20, 3)]) {
            let output = self.any_readable();
            self.graph.outputs.push(output);
        }
        if self.rng.percent(4) {
            self.graph.outputs.push(-1);
        }
        if self.rng.percent(8) {
            self.graph.outputs.clear();
        }
    }
}

fn any_size(rng: &mut Rng) -> usize {
    match rng.below(100) {
        0..3 => 0,
        3..8 => rng.pick(&[1, 4, 36]),
        8..40 => rng.pick(&[63, 64, 65, 128, 256, 1024, 4096]),
        40..70 => 64 * (1 + rng.below(16)),
        _ => 1 + rng.below(3000),
    }
}
