//! What the runtime makes of a subgraph before it plans: where each tensor lives, and what is added for the kernels.

use super::element::Element;
use super::file::{Operator, Subgraph, Tensor};
use super::operators::Operator as Code;
use super::place::Place;
use super::temporaries::{Needs, Site, Temporary};
use super::unknowns::{Reason, Unknowns};
use crate::input::Refusal;
use crate::map::{self, Kind, Network, Unknown};

/// The bytes of a tensor that stands for a variable of the runtime.
const HANDLE: usize = 4;

/// A subgraph that is ready to be planned.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) network: Network,
    /// The nodes that are planned together: the first and the last of each range.
    pub(crate) executions: Vec<(i32, i32)>,
    pub(crate) unknowns: Vec<Unknown>,
}

/// Prepares a subgraph; `index` is its place in the file.
///
/// # Errors
///
/// What a kernel needs is more than can be addressed.
pub(super) fn prepare(subgraph: Subgraph, index: usize) -> Result<Prepared, Refusal> {
    let Subgraph { name, tensors, operators, inputs, outputs } = subgraph;
    let mut stage = Stage::new(&tensors);
    let needs: Vec<Needs> = (0..).zip(&operators).map(|(node, operator)| stage.prepare(node, operator)).collect();
    stage.finish(&inputs, operators.len());
    let Stage { kinds, executions, unknowns, .. } = stage;

    let variables = (0..).zip(&tensors).filter(|(_, tensor)| tensor.is_variable).map(|(tensor, _)| tensor).collect();
    let mut nodes: Vec<_> = operators.into_iter().map(node).collect();
    let mut tensors: Vec<_> = tensors.into_iter().zip(kinds).map(|(tensor, kind)| on_map(tensor, kind)).collect();
    for at_building in [true, false] {
        for (node, needs) in nodes.iter_mut().zip(&needs).filter(|(_, needs)| needs.at_building == at_building) {
            for temporary in &needs.temporaries {
                let added = added(temporary).ok_or_else(|| {
                    let text = format!("the {} of a {node} cannot be addressed", temporary.name);
                    Refusal::at(Place::Subgraph(index), text)
                })?;
                node.temporaries.push(tensors.len() as i32);
                tensors.push(added);
            }
        }
    }
    let network = Network { tensors, nodes, inputs, outputs, variables };
    Ok(Prepared { name, network, executions, unknowns: unknowns.into_list() })
}

/// The runtime on its way through the nodes.
struct Stage<'a> {
    tensors: &'a [Tensor],
    kinds: Vec<Kind>,
    executions: Vec<(i32, i32)>,
    unknowns: Unknowns,
}

impl<'a> Stage<'a> {
    fn new(tensors: &'a [Tensor]) -> Stage<'a> {
        let kinds = tensors.iter().map(kind_at_start).collect();
        Stage { tensors, kinds, executions: Vec::new(), unknowns: Unknowns::default() }
    }

    fn prepare(&mut self, node: i32, operator: &Operator) -> Needs {
        let site = Site { operator, tensors: self.tensors, kinds: &self.kinds };
        let needs = site.needs();
        let kinds: Vec<_> = (0..operator.outputs.len()).map(|slot| site.output_kind(slot)).collect();
        for (&output, kind) in operator.outputs.iter().zip(kinds) {
            let place = usize::try_from(output).ok().and_then(|output| self.kinds.get_mut(output));
            let (Some(place), Some(kind)) = (place, kind) else { continue };
            *place = kind;
        }
        // The runtime goes on when the node has run, and the sizes of its outputs are known.
        let dynamic = |&output: &i32| usize::try_from(output).is_ok_and(|output| self.kinds[output] == Kind::Dynamic);
        let is_dynamic = operator.outputs.iter().any(dynamic);
        if is_dynamic {
            self.stop_behind(node);
        }
        let of_code = match &operator.code {
            Code::Custom(_) => Some(Reason::Custom),
            Code::Newer(_) => Some(Reason::Newer),
            code if code.runs_subgraphs() => Some(Reason::Subgraphs),
            _ => needs.doubt,
        };
        for reason in of_code.into_iter().chain(is_dynamic.then_some(Reason::Dynamic)) {
            self.unknowns.note(reason, &operator.code.name()).nodes.push(node as usize);
        }
        needs
    }

    /// Ends a range of nodes.
    fn stop_behind(&mut self, last: i32) {
        let first = self.executions.last().map_or(0, |&(_, last)| last + 1);
        self.executions.push((first, last));
    }

    fn finish(&mut self, inputs: &[i32], num_nodes: usize) {
        let last = num_nodes as i32 - 1;
        // A graph without nodes is executed, too: for its inputs.
        if self.executions.last().is_none_or(|&(_, planned)| planned < last) {
            self.stop_behind(last.max(0));
        }
        for input in inputs.iter().filter_map(|&input| usize::try_from(input).ok()) {
            if self.tensors[input].is_flexible {
                self.unknowns.note(Reason::Resizable, "").tensors.push(input);
            }
        }
        if num_nodes > 0 {
            self.unknowns.note(Reason::Delegate, "");
        }
    }
}

/// Where a tensor lives unless an operator says otherwise.
fn kind_at_start(tensor: &Tensor) -> Kind {
    if tensor.is_constant {
        Kind::Constant
    } else if tensor.element.bits().is_none() {
        Kind::Dynamic
    } else if tensor.is_variable {
        Kind::Persistent
    } else {
        Kind::ArenaRw
    }
}

fn node(operator: Operator) -> map::Node {
    let Operator { code, inputs, outputs, .. } = operator;
    map::Node { inputs, outputs, ..code.node() }
}

fn on_map(tensor: Tensor, kind: Kind) -> map::Tensor {
    let Tensor { name, element, shape, bytes, .. } = tensor;
    let bytes = if kind == Kind::Persistent && element == Element::Resource { HANDLE } else { bytes };
    map::Tensor { name, data_type: element.name(), shape: Some(shape), bytes, kind }
}

/// `None` if it is too large.
fn added(temporary: &Temporary) -> Option<map::Tensor> {
    let Temporary { name, element, shape, kind } = temporary;
    let bytes = element.bytes(shape)?;
    Some(map::Tensor {
        name: (*name).to_owned(),
        data_type: element.name(),
        shape: shape.iter().map(|&size| i32::try_from(size).ok()).collect(),
        bytes: usize::try_from(bytes).ok()?,
        kind: *kind,
    })
}
