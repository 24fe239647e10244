//! What the kernels of the commonest operators need beside their operands: as in the runtime's 2.14 on x86-64, with its
//! default number of threads.

use super::element::Element;
use super::file::{Conv2d, Operator, Tensor};
use super::unknowns::Reason;
use crate::map::Kind;

/// A tensor that the runtime adds to the graph.
pub(super) struct Temporary {
    pub(super) name: &'static str,
    pub(super) element: Element,
    pub(super) shape: Vec<u64>,
    pub(super) kind: Kind,
}

/// What a kernel asks for.
#[derive(Default)]
pub(super) struct Needs {
    pub(super) temporaries: Vec<Temporary>,
    /// They get their numbers when the graph is built; those of other operators when it is prepared, which is later.
    pub(super) at_building: bool,
    /// Why there may be others, if so.
    pub(super) doubt: Option<Reason>,
}

/// An operator with its tensors, as they are when it is prepared.
pub(super) struct Site<'a> {
    pub(super) operator: &'a Operator,
    pub(super) tensors: &'a [Tensor],
    pub(super) kinds: &'a [Kind],
}

impl<'a> Site<'a> {
    fn input(&self, slot: usize) -> Option<&'a Tensor> {
        at(self.tensors, *self.operator.inputs.get(slot)?)
    }

    fn output(&self, slot: usize) -> Option<&'a Tensor> {
        at(self.tensors, *self.operator.outputs.get(slot)?)
    }

    /// Where an input lives; `None` for an absent one.
    pub(super) fn kind(&self, slot: usize) -> Option<Kind> {
        at(self.kinds, *self.operator.inputs.get(slot)?).copied()
    }

    /// True if the value of an input is known before anything is computed.
    pub(super) fn is_known(&self, slot: usize) -> bool {
        matches!(self.kind(slot), Some(Kind::Constant | Kind::PersistentRo))
    }

    /// How many values the operator gives.
    pub(super) fn output_elements(&self) -> Option<u64> {
        elements(self.output(0)?)
    }

    /// What the operator needs while it runs.
    pub(super) fn needs(&self) -> Needs {
        let of_kernel = match self.operator.code.builtin() {
            Some("ADD_N") => self.add_n(),
            Some("BATCH_MATMUL") => self.batch_matmul(),
            Some("CONV_2D") => self.conv_2d(),
            Some("DEPTHWISE_CONV_2D") => self.depthwise_conv_2d(),
            Some("FULLY_CONNECTED") => self.fully_connected(),
            Some("TRANSPOSE_CONV") => self.transpose_conv(),
            Some("MEAN" | "SUM" | "REDUCE_PROD" | "REDUCE_MAX" | "REDUCE_MIN" | "REDUCE_ANY" | "REDUCE_ALL") => {
                self.reduce()
            }
            Some(other) if !OTHERS_WITH_TEMPORARIES.contains(&other) => Some(Needs::default()),
            _ => None,
        };
        of_kernel.unwrap_or(Needs { doubt: Some(Reason::Kernel), ..Needs::default() })
    }

    fn add_n(&self) -> Option<Needs> {
        // Each thread has scratch memory and at least two operands; how many threads there are is not known here.
        if self.operator.inputs.len() >= 4 {
            return None;
        }
        let input = self.input(0)?;
        let mut needs = Needs { at_building: true, ..Needs::default() };
        needs.scratch("sums", input.element, shape(input));
        Some(needs)
    }

    fn batch_matmul(&self) -> Option<Needs> {
        let (left, right, output) = (self.input(0)?, self.input(1)?, self.output(0)?);
        let mut needs = Needs { at_building: true, ..Needs::default() };
        let kind = if self.kind(1) == Some(Kind::Constant) { Kind::Persistent } else { Kind::ArenaRw };
        needs.scratch("transposed left operand", left.element, shape(left));
        needs.add("transposed right operand", right.element, shape(right), kind);
        if left.element == Element::Float32 && right.element == Element::Int8 {
            let &[.., rows, columns] = &shape(output)[..] else { return None };
            let all_rows = matrices(left)?.checked_mul(rows)?;
            needs.scratch("quantized input", Element::Int8, shape(left));
            needs.scratch("scaling factors", Element::Float32, vec![all_rows]);
            needs.scratch("sums", Element::Int32, vec![columns, rows]);
            needs.scratch("input offsets", Element::Int32, vec![all_rows]);
            needs.add("row sums", Element::Int32, vec![matrices(right)?, columns], Kind::Persistent);
        }
        Some(needs)
    }

    fn conv_2d(&self) -> Option<Needs> {
        let (input, filter, output) = (self.input(0)?, self.input(1)?, self.output(0)?);
        let Conv2d { stride, dilation } = self.operator.conv_2d?;
        let [filters, height, width, depth] = dims(filter)?;
        let [batches, output_height, output_width, _] = dims(output)?;
        let is_hybrid = input.element == Element::Float32
            && matches!(filter.element, Element::UInt8 | Element::Int8 | Element::Int4);
        let is_dilated = dilation != [1, 1];
        let runs_in_threads = !is_hybrid && !is_dilated && !matches!(self.kind(1), Some(Kind::ArenaRw | Kind::Dynamic));
        let has_copy = runs_in_threads && input.element == Element::Float32;
        let looks_around = is_dilated || stride != [1, 1] || [height, width] != [1, 1];

        let mut needs = Needs { doubt: has_copy.then_some(Reason::Threads), ..Needs::default() };
        if looks_around && !has_copy {
            let element = if is_hybrid { Element::Int8 } else { input.element };
            let patch = height.checked_mul(width)?.checked_mul(depth)?;
            needs.scratch("im2col", element, vec![batches, output_height, output_width, patch]);
        }
        if has_copy {
            let patch = height.checked_mul(width)?.checked_mul(depth)?;
            needs.add("transposed weights", Element::Float32, vec![patch, filters], Kind::Persistent);
        }
        if is_hybrid {
            let rows = elements(input)?.checked_div(depth)?;
            needs.scratch("quantized input", Element::Int8, shape(input));
            needs.scratch("scaling factors", Element::Float32, vec![rows]);
            needs.scratch("sums", Element::Int32, vec![filters, batches, output_height, output_width]);
            if filter.has_uneven_scales && filter.element != Element::UInt8 {
                needs.scratch("input offsets", Element::Int32, vec![rows]);
                needs.add("row sums", Element::Int32, vec![filters], Kind::Persistent);
            }
        }
        Some(needs)
    }

    fn depthwise_conv_2d(&self) -> Option<Needs> {
        let (input, filter) = (self.input(0)?, self.input(1)?);
        let mut needs = Needs::default();
        if input.element == Element::Float32 && filter.element == Element::Int8 {
            let [batches, ..] = dims(input)?;
            needs.scratch("quantized input", Element::Int8, shape(input));
            needs.scratch("scaling factors", Element::Float32, vec![batches]);
            needs.scratch("input offsets", Element::Int32, vec![batches]);
        }
        Some(needs)
    }

    fn fully_connected(&self) -> Option<Needs> {
        let (input, filter) = (self.input(0)?, self.input(1)?);
        let mut needs = Needs { at_building: true, ..Needs::default() };
        let is_hybrid = input.element == Element::Float32 && filter.element != Element::Float32;
        if is_hybrid {
            // Other kernels do the rest.
            if filter.is_sparse || !matches!(filter.element, Element::UInt8 | Element::Int8) {
                return None;
            }
            let &[units, depth] = &shape(filter)[..] else { return None };
            let batches = elements(input)?.checked_div(depth)?;
            needs.scratch("quantized input", Element::Int8, shape(input));
            needs.scratch("scaling factors", Element::Float32, vec![batches]);
            needs.scratch("sums", Element::Int32, vec![units, batches]);
            needs.scratch("input offsets", Element::Int32, vec![batches]);
            needs.add("row sums", Element::Int32, vec![units], Kind::Persistent);
        }
        Some(needs)
    }

    fn transpose_conv(&self) -> Option<Needs> {
        let (weights, input, output) = (self.input(1)?, self.input(2)?, self.output(0)?);
        let [channels, height, width, depth] = dims(weights)?;
        let [_, input_height, input_width, _] = dims(input)?;
        let sum = if input.element == Element::Float32 { Element::Float32 } else { Element::Int32 };
        let [rows, columns] = [input_height.checked_mul(input_width)?, channels.checked_mul(height)?];
        // What gets its size when the operator runs has none before.
        let if_known = |shape| if self.is_known(0) { shape } else { vec![0] };
        let mut needs = Needs::default();
        needs.add("col2im", sum, if_known(vec![rows, columns, width]), Kind::Dynamic);
        needs.add("transposed weights", weights.element, shape(weights), Kind::Dynamic);
        match (input.element, weights.element) {
            (Element::Float32, Element::Int8) => {
                let rows = elements(input)?.checked_div(depth)?;
                needs.scratch("quantized input", Element::Int8, shape(input));
                needs.scratch("scaling factors", Element::Float32, vec![rows]);
                needs.scratch("input offsets", Element::Int32, vec![rows]);
            }
            (Element::Float32, _) => {}
            (Element::Int16, _) => needs.add("sums", Element::Int64, if_known(shape(output)), Kind::Dynamic),
            _ => needs.add("sums", Element::Int32, if_known(shape(output)), Kind::Dynamic),
        }
        Some(needs)
    }

    fn reduce(&self) -> Option<Needs> {
        let (input, axes, output) = (self.input(0)?, self.input(1)?, self.output(0)?);
        let rank = input.shape.len() as u64;
        let name = self.operator.code.builtin()?;
        let sum = match input.element {
            Element::Int32 | Element::Int64 => Element::Int64,
            Element::UInt8 | Element::Int8 | Element::Int16 => Element::Int32,
            other => other,
        };
        let mut needs = Needs { at_building: true, ..Needs::default() };
        needs.scratch("index", Element::Int32, vec![rank]);
        let is_early = self.is_computed_early(name);
        let place = |length, is_known| match (is_early, is_known) {
            (true, _) => (vec![length], Kind::Dynamic),
            (_, true) => (vec![length], Kind::ArenaRw),
            // It gets its size when the operator runs.
            _ => (vec![0], Kind::Dynamic),
        };
        let has_sums = matches!(name, "MEAN" | "SUM" | "REDUCE_PROD");
        let sums = if has_sums { place(elements(output)?, self.is_known(1)) } else { (vec![0], Kind::None) };
        for (name, element, (shape, kind)) in [
            ("axes", Element::Int32, place(elements(axes)?, self.is_known(1))),
            ("sums", sum, sums),
            ("dimensions", Element::Int32, place(rank, self.is_known(0))),
        ] {
            needs.add(name, element, shape, kind);
        }
        Some(needs)
    }
}

/// Operators that have temporaries which are not worked out here. Those in no list have none.
const OTHERS_WITH_TEMPORARIES: [&str; 13] = [
    "BIDIRECTIONAL_SEQUENCE_LSTM",
    "BIDIRECTIONAL_SEQUENCE_RNN",
    "CALL",
    "CONV_3D",
    "CONV_3D_TRANSPOSE",
    "DELEGATE",
    "LSTM",
    "RFFT2D",
    "RNN",
    "STABLEHLO_REDUCE_WINDOW",
    "SVDF",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
    "UNIDIRECTIONAL_SEQUENCE_RNN",
];

impl Needs {
    fn add(&mut self, name: &'static str, element: Element, shape: Vec<u64>, kind: Kind) {
        self.temporaries.push(Temporary { name, element, shape, kind });
    }

    fn scratch(&mut self, name: &'static str, element: Element, shape: Vec<u64>) {
        self.add(name, element, shape, Kind::ArenaRw);
    }
}

fn at<T>(all: &[T], index: i32) -> Option<&T> {
    all.get(usize::try_from(index).ok()?)
}

fn shape(tensor: &Tensor) -> Vec<u64> {
    tensor.shape.iter().map(|&size| u64::from(size.unsigned_abs())).collect()
}

/// The dimensions of a tensor that has four.
fn dims(tensor: &Tensor) -> Option<[u64; 4]> {
    shape(tensor).try_into().ok()
}

fn elements(tensor: &Tensor) -> Option<u64> {
    product(&shape(tensor))
}

/// How many matrices its last two dimensions make.
fn matrices(tensor: &Tensor) -> Option<u64> {
    let [others @ .., _, _] = &shape(tensor)[..] else { return None };
    product(others)
}

fn product(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))
}
