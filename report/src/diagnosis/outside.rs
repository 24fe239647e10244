//! What takes memory outside the arena, where no plan knows it.

use super::Said;
use super::subject::{Subject, tensors};
use super::words::{NAMED, bytes, count, first_few, list, node, number, tensor};
use crate::map::Kind;

pub(super) fn dynamic(subject: &Subject<'_>) -> Option<Said> {
    let network = &subject.map.network;
    let is_dynamic = |tensor: &usize| subject.is(*tensor, Kind::Dynamic);
    let dynamic: Vec<usize> = (0..network.tensors.len()).filter(is_dynamic).collect();
    if dynamic.is_empty() {
        return None;
    }
    let writers = network.nodes.iter().enumerate().filter_map(|(at, operator)| {
        let written = tensors(&operator.outputs).chain(tensors(&operator.temporaries)).find(is_dynamic)?;
        Some(format!("{} at {}", tensor(subject.map, written), node(subject.map, at)))
    });
    let writers: Vec<String> = writers.collect();
    let known = dynamic.iter().map(|&tensor| network.tensors[tensor].bytes).fold(0, usize::saturating_add);
    let size = if known == 0 { String::new() } else { format!(", with {} as last seen", bytes(known)) };
    let mut text = format!(
        "{} dynamic: allocated at run time, outside the arena{size}.",
        if dynamic.len() == 1 { "1 tensor is".to_owned() } else { format!("{} tensors are", number(dynamic.len())) },
    );
    if !writers.is_empty() {
        text += &format!(" First written: {}.", first_few(writers));
    }
    Some(Said::fact(text).with("Where the model can be given fixed shapes instead, they are planned like all others."))
}

pub(super) fn delegated(subject: &Subject<'_>) -> Option<Said> {
    let network = &subject.map.network;
    let delegated: Vec<_> = network.nodes.iter().filter(|node| node.is_delegated()).collect();
    if delegated.is_empty() {
        return None;
    }
    let mut names: Vec<String> = delegated.iter().map(|node| node.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names.truncate(NAMED);
    let are = if delegated.len() == 1 { "is" } else { "are" };
    let text = format!(
        "Of {}, {} {are} run by a delegate ({}): what it allocates for itself is not in this map.",
        count(network.nodes.len(), "node"),
        number(delegated.len()),
        list(&names)
    );
    let said = if network.is_mostly_delegated() { Said::doubt(text) } else { Said::fact(text) };
    Some(said.with(if names.iter().any(|name| name.contains(DEFAULT)) { WITHOUT_DEFAULT } else { WITHOUT }))
}

/// The delegate that a runtime takes by itself, in the names that it goes by.
const DEFAULT: &str = "XNNPACK";

const WITHOUT: &str = "To see what its operators would need in the arena, run once without the delegate.";

const WITHOUT_DEFAULT: &str = "To see what its operators would need in the arena, run once without it: in Python with \
     `experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES`, in C++ with \
     `BuiltinOpResolverWithoutDefaultDelegates`.";
