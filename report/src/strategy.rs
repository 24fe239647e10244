//! The strategies by the names that people give.

use arena_planner::alias::Reuse;
use arena_planner::strategy::Choice;
use serde::{Deserialize, Serialize};

/// In which order tensors or buffers get their places, and what is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// The largest first, each into the best-fitting gap, as upstream since 2.2
    Greedy,
    /// In the order in which they begin, as upstream before that
    InOrder,
    /// Greedy, then a search for a lower arena for a short while
    Best,
    /// A search for the lowest arena, with a proof if it comes to its end
    Exact,
}

impl Strategy {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Greedy => "greedy",
            Strategy::InOrder => "in-order",
            Strategy::Best => "best",
            Strategy::Exact => "exact",
        }
    }

    pub(crate) fn choice(self) -> Choice {
        match self {
            Strategy::Greedy => Choice::Greedy,
            Strategy::InOrder => Choice::InOrder,
            Strategy::Best => Choice::Best,
            Strategy::Exact => Choice::Exact,
        }
    }

    /// Who asks for small arenas wants them shared, too: as the C ABI has it.
    pub(crate) fn reuse(self) -> Reuse {
        match self {
            Strategy::Greedy | Strategy::InOrder => Reuse::default(),
            Strategy::Best | Strategy::Exact => Reuse::ALL,
        }
    }
}
