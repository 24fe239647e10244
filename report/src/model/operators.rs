//! Operators by their names, and what the runtime's own ones do that bears on memory: in 2.14 to 2.16, and most of it in
//! all others since 2.3.

use std::rc::Rc;
use std::sync::LazyLock;

use crate::map::Node;

/// By code. The adapter has them of the same list.
static NAMES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| include!("../../../cpp/builtin_operators.inc").split(' ').collect());

/// An operator as a file names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// One of the schema.
    Builtin(&'static str),
    /// One of a newer schema, by its code.
    Newer(u32),
    /// Another one's.
    Custom(Rc<str>),
}

impl Operator {
    pub(super) fn new(code: u32, custom: String) -> Operator {
        match NAMES.get(code as usize) {
            Some(&"CUSTOM") => Operator::Custom(custom.into()),
            Some(name) => Operator::Builtin(name),
            None => Operator::Newer(code),
        }
    }

    /// The name of one of the schema.
    pub(super) fn builtin(&self) -> Option<&'static str> {
        match self {
            Operator::Builtin(name) => Some(name),
            _ => None,
        }
    }

    /// What people call it.
    pub(super) fn name(&self) -> String {
        match self {
            Operator::Builtin(name) => (*name).to_owned(),
            Operator::Newer(code) => format!("BUILTIN_{code}"),
            Operator::Custom(name) => name.to_string(),
        }
    }

    /// True if it runs other subgraphs of the model.
    pub(super) fn runs_subgraphs(&self) -> bool {
        let names = ["IF", "WHILE", "CALL_ONCE", "STABLEHLO_WHILE", "STABLEHLO_CASE", "STABLEHLO_COMPOSITE"];
        self.builtin().is_some_and(|name| names.contains(&name))
    }

    /// A node that runs it, without its tensors.
    pub(super) fn node(&self) -> Node {
        let inplace = self.inplace();
        match self {
            Operator::Custom(name) => {
                Node { op: "CUSTOM".to_owned(), custom: Some(name.to_string()), inplace, ..Node::default() }
            }
            _ => Node { op: self.name(), inplace, ..Node::default() },
        }
    }

    /// The in-place flags that the runtime has for it, from 2.14 on: 1 where data stays as it is, 4 and 8 where inputs 0 and 1
    /// may share their bytes with output 0.
    fn inplace(&self) -> u64 {
        match self {
            Operator::Builtin("ADD" | "SUB" | "MUL" | "DIV") => 4 + 8,
            Operator::Builtin("RESHAPE" | "EXPAND_DIMS" | "SQUEEZE" | "BITCAST") => 1 + 4,
            Operator::Builtin("SOFTMAX" | "DYNAMIC_UPDATE_SLICE") => 4,
            _ => 0,
        }
    }
}
