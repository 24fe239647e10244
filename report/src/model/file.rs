//! What a .tflite file says, in plain values: all indices are checked, nothing is known yet of what the runtime makes of it.

use flatbuffers::{Follow, ForwardsUOffset, Vector};

use super::element::Element;
use super::operators::Operator as Code;
use super::place::Place;
use super::schema;
use crate::input::Refusal;

/// Far more than anybody writes. With these limits, what a file becomes here is in proportion to its size.
const MOST_SUBGRAPHS: usize = 4096;
const LONGEST_OPERATOR_NAME: usize = 256;

/// An operator's input that is left out.
const ABSENT: i32 = -1;

pub(super) struct Subgraph {
    pub(super) name: String,
    pub(super) tensors: Vec<Tensor>,
    pub(super) operators: Vec<Operator>,
    pub(super) inputs: Vec<i32>,
    pub(super) outputs: Vec<i32>,
}

pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) element: Element,
    /// No dimension is negative.
    pub(super) shape: Vec<i32>,
    /// Some dimension may be another one at run time.
    pub(super) is_flexible: bool,
    /// That of its data, where the file has it; else what it takes when it is computed.
    pub(super) bytes: usize,
    /// Its data is in the file.
    pub(super) is_constant: bool,
    pub(super) is_variable: bool,
    pub(super) is_sparse: bool,
    /// It is quantized with scales that differ along a dimension.
    pub(super) has_uneven_scales: bool,
}

pub(super) struct Operator {
    pub(super) code: Code,
    pub(super) inputs: Vec<i32>,
    pub(super) outputs: Vec<i32>,
    pub(super) conv_2d: Option<Conv2d>,
}

/// How a CONV_2D moves its filter.
#[derive(Clone, Copy)]
pub(super) struct Conv2d {
    /// Height and width.
    pub(super) stride: [i32; 2],
    pub(super) dilation: [i32; 2],
}

/// Reads and checks a file: its subgraphs, at least one.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Subgraph>, Refusal> {
    let model = schema::root(bytes)?;
    let mut reader = Reader {
        codes: each(model.operator_codes()).map(code).collect::<Result<_, _>>()?,
        buffers: model.buffers(),
        file_size: bytes.len() as u64,
        room: bytes.len(),
    };
    let num_subgraphs = model.subgraphs().map_or(0, |subgraphs| subgraphs.len());
    if !(1..=MOST_SUBGRAPHS).contains(&num_subgraphs) {
        return Err(Refusal::new(format!("the model has {num_subgraphs} subgraphs, not 1 to {MOST_SUBGRAPHS}")));
    }
    each(model.subgraphs()).enumerate().map(|(index, one)| reader.subgraph(index, one)).collect()
}

struct Reader<'a> {
    codes: Vec<Code>,
    buffers: Option<Vector<'a, ForwardsUOffset<schema::Buffer<'a>>>>,
    file_size: u64,
    /// Bytes of the file that what was read so far, sharing nothing, would have left. Thousands of operators that are
    /// one and the same table must not become as many here: the file would be small, and its graph not.
    room: usize,
}

impl Reader<'_> {
    fn subgraph(&mut self, index: usize, subgraph: schema::SubGraph<'_>) -> Result<Subgraph, Refusal> {
        let mut tensors = Vec::new();
        for (tensor, one) in each(subgraph.tensors()).enumerate() {
            let here = |text| Refusal::at(Place::Tensor { subgraph: index, tensor }, text);
            tensors.push(self.tensor(one).map_err(here)?);
        }
        let mut operators = Vec::new();
        for (operator, one) in each(subgraph.operators()).enumerate() {
            let code = one.opcode_index().unwrap_or_default();
            let code = self.codes.get(code as usize).ok_or_else(|| {
                let text = format!("operator {operator} is of code {code}, there are {}", self.codes.len());
                Refusal::at(Place::Subgraph(index), text)
            })?;
            let code = code.clone();
            let here = |text| Refusal::at(Place::Operator { subgraph: index, operator, name: &code.name() }, text);
            operators.push(self.operator(one, code.clone(), tensors.len()).map_err(here)?);
        }
        let list = |numbers, what| {
            tensor_list(numbers, tensors.len(), what).map_err(|text| Refusal::at(Place::Subgraph(index), text))
        };
        Ok(Subgraph {
            name: text(subgraph.name()),
            inputs: list(subgraph.inputs(), "input")?,
            outputs: list(subgraph.outputs(), "output")?,
            tensors,
            operators,
        })
    }

    fn tensor(&mut self, tensor: schema::Tensor<'_>) -> Result<Tensor, String> {
        self.take(&[length(tensor.shape())])?;
        let shape = numbers(tensor.shape());
        if let Some(negative) = shape.iter().find(|&&size| size < 0) {
            return Err(format!("a dimension of its shape is {negative}"));
        }
        let scales = tensor.quantization().and_then(schema::Quantization::scale);
        let constant = self.data(tensor)?;
        let is_variable = tensor.is_variable().unwrap_or_default();
        if constant.is_some() && is_variable {
            return Err("it is a variable with data, which the runtime does not know".to_owned());
        }
        let code = tensor.element().unwrap_or_default();
        let element = Element::new(code).ok_or_else(|| format!("its type, {code}, is not known here"))?;
        let bytes = constant.or_else(|| element.bytes(&shape)).and_then(|bytes| usize::try_from(bytes).ok());
        Ok(Tensor {
            name: text(tensor.name()),
            element,
            bytes: bytes.ok_or_else(|| too_large(element, &shape))?,
            is_flexible: tensor.shape_signature().is_some_and(|signature| signature.iter().any(|size| size < 0)),
            shape,
            is_constant: constant.is_some(),
            is_variable,
            is_sparse: tensor.sparsity().and_then(schema::Sparsity::traversal_order).is_some(),
            has_uneven_scales: scales
                .is_some_and(|scales| scales.iter().zip(scales.iter().skip(1)).any(|(one, next)| one != next)),
        })
    }

    /// The size of a tensor's data; none where it is to be computed.
    fn data(&self, tensor: schema::Tensor<'_>) -> Result<Option<u64>, String> {
        let index = tensor.buffer().unwrap_or_default() as usize;
        let count = self.buffers.map_or(0, |buffers| buffers.len());
        // Buffer 0 is "none"; a file without buffers needs not even have that.
        if index == 0 {
            return Ok(None);
        }
        let buffer = self.buffers.filter(|_| index < count).map(|buffers| buffers.get(index));
        let buffer = buffer.ok_or_else(|| format!("it has its data in buffer {index}, there are {count}"))?;
        if let Some(data) = buffer.data().filter(|data| !data.is_empty()) {
            return Ok(Some(data.len() as u64));
        }
        // What does not fit into 2 GB lies behind the tables. Offsets 0 and 1 mean that there is nothing.
        let (offset, size) = (buffer.offset().unwrap_or_default(), buffer.size().unwrap_or_default());
        if offset <= 1 {
            return Ok(None);
        }
        match offset.checked_add(size) {
            Some(end) if end <= self.file_size => Ok(Some(size)),
            _ => Err(format!("its data, {size} bytes from byte {offset}, is beyond the end of the file")),
        }
    }

    fn operator(&mut self, operator: schema::Operator<'_>, code: Code, num_tensors: usize) -> Result<Operator, String> {
        self.take(&[length(operator.inputs()), length(operator.outputs())])?;
        let inputs = tensor_list(operator.inputs(), num_tensors, "input")?;
        let outputs = tensor_list(operator.outputs(), num_tensors, "output")?;
        let conv_2d = operator.conv_2d().map(|options| Conv2d {
            stride: [options.stride_height().unwrap_or_default(), options.stride_width().unwrap_or_default()],
            dilation: [options.dilation_height().unwrap_or(1), options.dilation_width().unwrap_or(1)],
        });
        Ok(Operator { code, inputs, outputs, conv_2d })
    }

    /// Takes what a table takes at least that has lists of so many numbers: its place in a vector, the place of its
    /// layout, and of each list its place, its length and the numbers.
    fn take(&mut self, lists: &[usize]) -> Result<(), String> {
        let bytes = 8 + lists.iter().map(|&length| 8 + 4 * length).sum::<usize>();
        self.room =
            self.room.checked_sub(bytes).ok_or("there are more tensors and operators than the file has room for")?;
        Ok(())
    }
}

fn code(code: schema::OperatorCode<'_>) -> Result<Code, Refusal> {
    // Files from before there were more than 127 operators have the first field alone.
    let old = i32::from(code.deprecated_builtin_code().unwrap_or_default());
    let number = old.max(code.builtin_code().unwrap_or_default());
    let number = u32::try_from(number).map_err(|_| Refusal::new(format!("an operator's code is {number}")))?;
    let name = text(code.custom_code());
    if name.len() > LONGEST_OPERATOR_NAME {
        return Err(Refusal::new(format!("an operator's name has more than {LONGEST_OPERATOR_NAME} bytes")));
    }
    Ok(Code::new(number, name))
}

/// Whatever the file says, the text is short.
fn too_large(element: Element, shape: &[i32]) -> String {
    let dots = if shape.len() > 8 { ", ..." } else { "" };
    let sizes: Vec<_> = shape.iter().take(8).map(i32::to_string).collect();
    format!("its size, [{}{dots}] of {}, cannot be addressed", sizes.join(", "), element.name())
}

/// A list of tensors, checked.
fn tensor_list(list: Option<Vector<'_, i32>>, num_tensors: usize, what: &str) -> Result<Vec<i32>, String> {
    let list = numbers(list);
    let wild = |tensor: i32| tensor != ABSENT && usize::try_from(tensor).map_or(true, |tensor| tensor >= num_tensors);
    match list.iter().position(|&tensor| wild(tensor)) {
        Some(slot) => Err(format!("{what} {slot} is tensor {}, there are {num_tensors}", list[slot])),
        None => Ok(list),
    }
}

/// The tables of a vector; none where there is no vector.
fn each<'a, T: Follow<'a, Inner = T> + 'a>(
    tables: Option<Vector<'a, ForwardsUOffset<T>>>,
) -> impl Iterator<Item = T> + 'a {
    tables.into_iter().flat_map(|tables| tables.iter())
}

fn length(numbers: Option<Vector<'_, i32>>) -> usize {
    numbers.map_or(0, |numbers| numbers.len())
}

fn numbers(numbers: Option<Vector<'_, i32>>) -> Vec<i32> {
    numbers.map(|numbers| numbers.iter().collect()).unwrap_or_default()
}

fn text(bytes: Option<Vector<'_, u8>>) -> String {
    bytes.map(|bytes| String::from_utf8_lossy(bytes.bytes()).into_owned()).unwrap_or_default()
}
