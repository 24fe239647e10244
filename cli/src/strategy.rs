//! The strategies by the names that people give.

use clap::ValueEnum;

/// In which order tensors or buffers get their places, and what is searched.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Strategy {
    /// The largest first, each into the best-fitting gap, as upstream since 2.2
    Greedy,
    /// In the order in which they begin, as upstream before that
    InOrder,
    /// Greedy, then a search for a lower arena for a short while
    Best,
    /// A search for the lowest arena, with a proof
    Exact,
}
