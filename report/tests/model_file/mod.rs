//! Writes small .tflite files, sound ones and others: what is said here goes into the file as it is.
#![allow(dead_code, reason = "each test uses a part of it")]

use flatbuffers::{FlatBufferBuilder, TableFinishedWIPOffset, WIPOffset};

type Builder = FlatBufferBuilder<'static>;
type Table = WIPOffset<TableFinishedWIPOffset>;

/// Types of tensors in the order of their codes, as far as they are needed here.
const TYPES: [&str; 18] = [
    "FLOAT32",
    "FLOAT16",
    "INT32",
    "UINT8",
    "INT64",
    "STRING",
    "BOOL",
    "INT16",
    "COMPLEX64",
    "INT8",
    "FLOAT64",
    "COMPLEX128",
    "UINT64",
    "RESOURCE",
    "VARIANT",
    "UINT32",
    "UINT16",
    "INT4",
];
const OPERATORS: &str = include!("../../../cpp/builtin_operators.inc");
const CUSTOM: i32 = 32;
/// The code of a CONV_2D's options among the options of operators.
const CONV_2D_OPTIONS: u8 = 1;

/// A subgraph.
#[derive(Clone, Default)]
pub(crate) struct Graph {
    pub(crate) name: &'static str,
    pub(crate) tensors: Vec<Tensor>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) inputs: Vec<i32>,
    pub(crate) outputs: Vec<i32>,
}

#[derive(Clone, Default)]
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) element: i8,
    pub(crate) shape: Vec<i32>,
    pub(crate) signature: Vec<i32>,
    pub(crate) data: Data,
    pub(crate) is_variable: bool,
    pub(crate) is_sparse: bool,
    pub(crate) scales: Vec<f32>,
}

/// Where a tensor has its data.
#[derive(Clone, Copy, Default)]
pub(crate) enum Data {
    /// Nowhere: buffer 0.
    #[default]
    None,
    /// In a buffer of the file, of so many bytes.
    Bytes(usize),
    /// Behind the tables: offset and size.
    Behind(u64, u64),
    /// In a buffer of this number, which is not written.
    Buffer(u32),
}

#[derive(Clone, Default)]
pub(crate) struct Node {
    /// The name of a builtin operator; `#250` for the code of one that has none; any other is a custom operator's.
    pub(crate) operator: String,
    pub(crate) inputs: Vec<i32>,
    pub(crate) outputs: Vec<i32>,
    /// Of a CONV_2D: stride and dilation, in both directions the same.
    pub(crate) conv_2d: Option<[i32; 2]>,
    /// Instead of that which follows from the operator.
    pub(crate) code_index: Option<u32>,
}

impl Graph {
    /// A convolution of `x` to `y` with a filter that is dequantized, the first five tensors; x is the input and y the output.
    pub(crate) fn convolution() -> Graph {
        let mut graph = Graph { name: "main", ..Graph::default() };
        let x = graph.tensor("x", "FLOAT32", &[1, 8, 8, 4]);
        let half = graph.constant("half", "FLOAT16", &[6, 3, 3, 4], 432);
        let filter = graph.tensor("filter", "FLOAT32", &[6, 3, 3, 4]);
        let bias = graph.constant("bias", "FLOAT32", &[6], 24);
        let y = graph.tensor("y", "FLOAT32", &[1, 8, 8, 6]);
        graph.node("DEQUANTIZE", &[half], &[filter]);
        graph.node("CONV_2D", &[x, filter, bias], &[y]).conv_2d = Some([1, 1]);
        (graph.inputs, graph.outputs) = (vec![x], vec![y]);
        graph
    }

    /// Adds a tensor that is computed.
    pub(crate) fn tensor(&mut self, name: &str, element: &str, shape: &[i32]) -> i32 {
        let element = TYPES.iter().position(|&name| name == element).unwrap() as i8;
        self.tensors.push(Tensor { name: name.to_owned(), element, shape: shape.to_vec(), ..Tensor::default() });
        self.tensors.len() as i32 - 1
    }

    /// Adds a tensor whose data, of so many bytes, is in the file.
    pub(crate) fn constant(&mut self, name: &str, element: &str, shape: &[i32], bytes: usize) -> i32 {
        let tensor = self.tensor(name, element, shape);
        self.at(tensor).data = Data::Bytes(bytes);
        tensor
    }

    pub(crate) fn at(&mut self, tensor: i32) -> &mut Tensor {
        &mut self.tensors[tensor as usize]
    }

    pub(crate) fn node(&mut self, operator: &str, inputs: &[i32], outputs: &[i32]) -> &mut Node {
        let (inputs, outputs) = (inputs.to_vec(), outputs.to_vec());
        self.nodes.push(Node { operator: operator.to_owned(), inputs, outputs, ..Node::default() });
        self.nodes.last_mut().unwrap()
    }

    /// The file of a model that has this subgraph alone.
    pub(crate) fn file(&self) -> Vec<u8> {
        file(std::slice::from_ref(self))
    }
}

/// The file of a model.
pub(crate) fn file(graphs: &[Graph]) -> Vec<u8> {
    let mut writer = Writer { builder: Builder::new(), codes: Vec::new(), buffers: Vec::new() };
    writer.buffer(Data::None);
    let subgraphs: Vec<_> = graphs.iter().map(|graph| writer.subgraph(graph)).collect();
    let Writer { mut builder, codes, buffers } = writer;
    let codes: Vec<_> = codes.iter().map(|name| code(&mut builder, name)).collect();
    let [codes, subgraphs, buffers] = [codes, subgraphs, buffers].map(|tables| builder.create_vector(&tables));
    let model = builder.start_table();
    builder.push_slot_always(slot(0), 3_u32);
    builder.push_slot_always(slot(1), codes);
    builder.push_slot_always(slot(2), subgraphs);
    builder.push_slot_always(slot(4), buffers);
    let model = builder.end_table(model);
    builder.finish(model, Some("TFL3"));
    builder.finished_data().to_vec()
}

struct Writer {
    builder: Builder,
    /// The operators that were met, in the order of their codes in the file.
    codes: Vec<String>,
    buffers: Vec<Table>,
}

impl Writer {
    fn subgraph(&mut self, graph: &Graph) -> Table {
        let tensors: Vec<_> = graph.tensors.iter().map(|tensor| self.tensor(tensor)).collect();
        let nodes: Vec<_> = graph.nodes.iter().map(|node| self.node(node)).collect();
        let builder = &mut self.builder;
        let [tensors, nodes] = [tensors, nodes].map(|tables| builder.create_vector(&tables));
        let [inputs, outputs] = [&graph.inputs, &graph.outputs].map(|list| builder.create_vector(list));
        let name = builder.create_string(graph.name);
        let table = builder.start_table();
        builder.push_slot_always(slot(0), tensors);
        builder.push_slot_always(slot(1), inputs);
        builder.push_slot_always(slot(2), outputs);
        builder.push_slot_always(slot(3), nodes);
        builder.push_slot_always(slot(4), name);
        builder.end_table(table)
    }

    fn tensor(&mut self, tensor: &Tensor) -> Table {
        let buffer = self.buffer(tensor.data);
        let builder = &mut self.builder;
        let name = builder.create_string(&tensor.name);
        let [shape, signature] = [&tensor.shape, &tensor.signature].map(|list| builder.create_vector(list));
        let quantization = (!tensor.scales.is_empty()).then(|| {
            let scales = builder.create_vector(&tensor.scales);
            let table = builder.start_table();
            builder.push_slot_always(slot(2), scales);
            builder.end_table(table)
        });
        let sparsity = tensor.is_sparse.then(|| {
            let order = builder.create_vector(&[0, 1]);
            let table = builder.start_table();
            builder.push_slot_always(slot(0), order);
            builder.end_table(table)
        });
        let table = builder.start_table();
        builder.push_slot_always(slot(0), shape);
        builder.push_slot(slot(1), tensor.element, 0);
        builder.push_slot(slot(2), buffer, 0);
        builder.push_slot_always(slot(3), name);
        for (place, part) in [(4, quantization), (6, sparsity)] {
            if let Some(part) = part {
                builder.push_slot_always(slot(place), part);
            }
        }
        builder.push_slot(slot(5), tensor.is_variable, false);
        builder.push_slot_always(slot(7), signature);
        builder.end_table(table)
    }

    /// The number of a buffer, which is written unless it is there already.
    fn buffer(&mut self, data: Data) -> u32 {
        let builder = &mut self.builder;
        let bytes = match data {
            Data::None if !self.buffers.is_empty() => return 0,
            Data::Buffer(index) => return index,
            Data::Bytes(size) => Some(builder.create_vector(&vec![0_u8; size])),
            Data::None | Data::Behind(..) => None,
        };
        let table = builder.start_table();
        if let Some(bytes) = bytes {
            builder.push_slot_always(slot(0), bytes);
        }
        if let Data::Behind(offset, size) = data {
            builder.push_slot_always(slot(1), offset);
            builder.push_slot_always(slot(2), size);
        }
        self.buffers.push(builder.end_table(table));
        self.buffers.len() as u32 - 1
    }

    fn node(&mut self, node: &Node) -> Table {
        let known = self.codes.iter().position(|code| *code == node.operator);
        let code = known.unwrap_or_else(|| {
            self.codes.push(node.operator.clone());
            self.codes.len() - 1
        });
        let builder = &mut self.builder;
        let [inputs, outputs] = [&node.inputs, &node.outputs].map(|list| builder.create_vector(list));
        let options = node.conv_2d.map(|[stride, dilation]| {
            let table = builder.start_table();
            for (place, value) in [(1, stride), (2, stride), (4, dilation), (5, dilation)] {
                builder.push_slot_always(slot(place), value);
            }
            builder.end_table(table)
        });
        let table = builder.start_table();
        builder.push_slot_always(slot(0), node.code_index.unwrap_or(code as u32));
        builder.push_slot_always(slot(1), inputs);
        builder.push_slot_always(slot(2), outputs);
        if let Some(options) = options {
            builder.push_slot_always(slot(3), CONV_2D_OPTIONS);
            builder.push_slot_always(slot(4), options);
        }
        builder.end_table(table)
    }
}

fn code(builder: &mut Builder, operator: &str) -> Table {
    let builtin = OPERATORS.split(' ').position(|name| name == operator).map(|code| code as i32);
    let newer = operator.strip_prefix('#').map(|code| code.parse().unwrap());
    let custom = (builtin.is_none() && newer.is_none()).then(|| builder.create_string(operator));
    let number = builtin.or(newer).unwrap_or(CUSTOM);
    let table = builder.start_table();
    builder.push_slot_always(slot(0), number.min(127) as i8);
    if let Some(custom) = custom {
        builder.push_slot_always(slot(1), custom);
    }
    builder.push_slot_always(slot(3), number);
    builder.end_table(table)
}

/// The place of a slot in a table's layout.
fn slot(number: u16) -> u16 {
    4 + 2 * number
}
