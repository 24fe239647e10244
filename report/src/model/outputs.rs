//! Where operators put what they compute.

use super::temporaries::Site;
use crate::map::Kind;

/// Operators whose output gets its size from the values of these inputs. If one is not known beforehand, the runtime allocates
/// the output when the operator runs.
const SIZED_BY: [(&str, &[usize]); 42] = [
    ("ARG_MAX", &[1]),
    ("ARG_MIN", &[1]),
    ("BATCH_TO_SPACE_ND", &[1, 2]),
    ("BROADCAST_TO", &[1]),
    ("DILATE", &[1]),
    ("EXPAND_DIMS", &[1]),
    ("FILL", &[0]),
    ("MEAN", &[1]),
    ("MIRROR_PAD", &[1]),
    ("MULTINOMIAL", &[0, 1]),
    ("NON_MAX_SUPPRESSION_V4", &[2]),
    ("NON_MAX_SUPPRESSION_V5", &[2]),
    ("ONE_HOT", &[1]),
    ("PAD", &[1]),
    ("PADV2", &[1]),
    ("RANDOM_STANDARD_NORMAL", &[0]),
    ("RANDOM_UNIFORM", &[0]),
    ("RANGE", &[0, 1, 2]),
    ("REDUCE_ALL", &[1]),
    ("REDUCE_ANY", &[1]),
    ("REDUCE_MAX", &[1]),
    ("REDUCE_MIN", &[1]),
    ("REDUCE_PROD", &[1]),
    ("RESHAPE", &[1]),
    ("RESIZE_BILINEAR", &[1]),
    ("RESIZE_NEAREST_NEIGHBOR", &[1]),
    ("RFFT2D", &[1]),
    ("SCATTER_ND", &[2]),
    ("SEGMENT_SUM", &[0, 1]),
    ("SLICE", &[2]),
    ("SPACE_TO_BATCH_ND", &[1, 2]),
    ("SPARSE_TO_DENSE", &[1]),
    ("SPLIT", &[0]),
    ("SPLIT_V", &[1, 2]),
    ("STRIDED_SLICE", &[1, 2, 3]),
    ("SUM", &[1]),
    ("TILE", &[1]),
    ("TOPK_V2", &[1]),
    ("TRANSPOSE", &[1]),
    ("TRANSPOSE_CONV", &[0]),
    ("UNSORTED_SEGMENT_SUM", &[1, 2]),
    ("WHERE", &[0]),
];

/// Operators that are computed once and for all before the first run if the values of all inputs are known by then.
const COMPUTED_EARLY: [&str; 9] =
    ["BROADCAST_ARGS", "CONCATENATION", "GATHER", "MUL", "RANGE", "REDUCE_PROD", "RESHAPE", "STRIDED_SLICE", "TILE"];

/// Of more values than this, REDUCE_PROD is computed in each run.
const MOST_PRODUCTS: u64 = 8;

impl Site<'_> {
    /// Where the runtime puts an output, if not into the arena.
    pub(super) fn output_kind(&self, slot: usize) -> Option<Kind> {
        match self.operator.code.builtin()? {
            // Of a constant, they are computed in the first run and kept.
            "DEQUANTIZE" if self.kind(0) == Some(Kind::Constant) => Some(Kind::Persistent),
            "DENSIFY" | "VAR_HANDLE" => Some(Kind::Persistent),
            // Sizes are known before any value is.
            "SHAPE" | "RANK" => Some(Kind::PersistentRo),
            "UNIQUE" if slot == 0 => Some(Kind::Dynamic),
            // The last one is the number of boxes that are selected.
            "NON_MAX_SUPPRESSION_V4" | "NON_MAX_SUPPRESSION_V5" if slot + 1 == self.operator.outputs.len() => None,
            operator if !self.size_is_known(operator) => Some(Kind::Dynamic),
            operator => self.is_computed_early(operator).then_some(Kind::PersistentRo),
        }
    }

    fn size_is_known(&self, operator: &str) -> bool {
        let sized_by = SIZED_BY.iter().find(|&&(name, _)| name == operator);
        // An input that is not even there has no say: its value is among the options.
        sized_by.is_none_or(|(_, slots)| slots.iter().all(|&slot| self.kind(slot).is_none() || self.is_known(slot)))
    }

    /// True if the runtime computes its output while it prepares the graph.
    pub(super) fn is_computed_early(&self, operator: &str) -> bool {
        let few = operator != "REDUCE_PROD" || self.output_elements().is_some_and(|elements| elements <= MOST_PRODUCTS);
        COMPUTED_EARLY.contains(&operator) && few && (0..self.operator.inputs.len()).all(|slot| self.is_known(slot))
    }
}
