//! What only the runtime knows, in words.

use std::collections::HashMap;

use crate::map::Unknown;

/// Why the runtime's plan may be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// An operator's kernel has temporaries that are not known here.
    Kernel,
    /// With one thread, a kernel has other temporaries than with several.
    Threads,
    /// An operator allocates its output itself.
    Dynamic,
    /// An operator runs other subgraphs.
    Subgraphs,
    /// An operator is not the runtime's own.
    Custom,
    /// An operator is not in our list.
    Newer,
    /// A delegate may come.
    Delegate,
    /// Graph inputs have dimensions that the application chooses.
    Resizable,
}

impl Reason {
    /// Whether it is an operator's own affair, and no choice of the application.
    fn is_hidden(self) -> bool {
        match self {
            Reason::Kernel | Reason::Dynamic | Reason::Subgraphs | Reason::Custom | Reason::Newer => true,
            Reason::Threads | Reason::Delegate | Reason::Resizable => false,
        }
    }

    fn sentence(self, name: &str) -> String {
        match self {
            Reason::Kernel => format!("What {name} needs while it runs is only known to its kernel."),
            Reason::Threads => format!(
                "With a single thread, {name} keeps no transposed weights, and may need scratch memory in the arena."
            ),
            Reason::Dynamic => format!(
                "How much {name} gives is only known when it has run: that lies outside the arena, and what depends on it \
                 is planned with the sizes in the file."
            ),
            Reason::Subgraphs => format!(
                "{name} runs other subgraphs, which have arenas of their own. What it hands to them may lie in either."
            ),
            Reason::Custom => format!(
                "{name} is not an operator of TensorFlow Lite. What it needs while it runs, and what it does in place, \
                 only its kernel knows."
            ),
            Reason::Newer => format!(
                "{name} is an operator that this program does not know: nor what it needs while it runs or does in place."
            ),
            Reason::Delegate => {
                "A delegate, such as XNNPACK, may run nodes in the place of the runtime's own kernels. \
                                 Then less lies in these arenas, and more in its own memory."
                    .to_owned()
            }
            Reason::Resizable => "The application may choose other sizes for inputs than those in the file.".to_owned(),
        }
    }
}

/// Reasons, each with all that it is about.
#[derive(Default)]
pub(super) struct Unknowns {
    list: Vec<Unknown>,
    by_reason: HashMap<String, usize>,
}

impl Unknowns {
    /// Notes a reason, of an operator if it has to do with one, and gives the lists of what it is about.
    pub(super) fn note(&mut self, reason: Reason, name: &str) -> &mut Unknown {
        let text = reason.sentence(name);
        let next = self.list.len();
        let index = *self.by_reason.entry(text.clone()).or_insert(next);
        if index == next {
            let may_be_larger = reason.is_hidden();
            self.list.push(Unknown { text, nodes: Vec::new(), tensors: Vec::new(), may_be_larger });
        }
        &mut self.list[index]
    }

    /// First what the application has no say in.
    pub(super) fn into_list(mut self) -> Vec<Unknown> {
        self.list.sort_by_key(|unknown| !unknown.may_be_larger);
        self.list
    }
}
