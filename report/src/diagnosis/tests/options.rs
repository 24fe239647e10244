use super::*;
use crate::map::Options;

/// At node 1, x, a and b: 3 · 640.
const CHAIN: &str = "
    x 640 input
    a 640
    b 640
    c 640
    y 64 output
    CONV_2D x -> a
    CONV_2D a -> b
    CONV_2D b -> c
    MEAN c -> y
";

/// The input is not needed where most is, as nothing else is there then.
const SHORT: &str = "x 640 input\ny 640 output\nCONV_2D x -> y";

fn with(text: &str, change: fn(&mut Options)) -> Vec<MemoryMap> {
    let map = graph(text);
    let mut options = map.options;
    change(&mut options);
    vec![map.replanned(options).unwrap()]
}

/// 65 bytes take 128 where offsets are multiples of 64.
const ODD: &str = "
    x 65 input
    a 65
    b 65
    y 65 output
    CONV_2D x -> a
    CONV_2D a -> b
    CONV_2D b -> y
";

pub(super) const CASES: &[Case] = &[
    // All: 4 · 640 + 64. Without: x and two others.
    Case {
        id: "keep-all",
        says: || with(CHAIN, |options| options.preserve_all_tensors = true),
        text: "All tensors are preserved, so no byte is used twice: the arena takes 2,624 bytes. Without that it takes \
               1,920, 704 less.",
        advice: "Turn it off where nobody looks at intermediate tensors: `experimental_preserve_all_tensors` in Python, \
                 `InterpreterOptions::SetPreserveAllTensors` in C++, `preserve_all_tensors` in the C ABI.",
        is_silent: || {
            let on = with(SHORT, |options| options.preserve_all_tensors = true);
            [on, vec![graph(CHAIN)]].concat()
        },
    },
    // Held: x, a and b at node 1. Given back after node 0: two of the others at a time.
    Case {
        id: "held-inputs",
        says: || vec![graph(CHAIN)],
        text: "Graph inputs are kept for the whole run: x (0), with 640 bytes. Given back after their last reader, the \
               arena takes 1,280 bytes, 640 less.",
        advice: "From C, set `preserve_inputs` to 0, and fill all inputs anew before each run. TensorFlow Lite itself \
                 gives them back up to 2.6 only.",
        is_silent: || [vec![graph(SHORT)], with(CHAIN, |options| options.preserve_inputs = false)].concat(),
    },
    // Three at a time: 128 + 128 + 65 = 321, of which 3 · 65 = 195 are needed; 126 / 321 = 39.3 %. By 16s: 80 + 80 + 65.
    Case {
        id: "padding",
        says: || vec![graph(ODD)],
        text: "Alignment costs 126 bytes, 39.3 % of the lower bound: each tensor takes a multiple of 64 bytes.",
        advice: "Where the operators are content with an alignment of 16, the arena takes 225 bytes, 96 less.",
        is_silent: || vec![graph(CHAIN)],
    },
    // By 4s: 68 + 68 + 65 = 201.
    Case {
        id: "padding",
        says: || with(ODD, |options| options.alignment = 4),
        text: "Alignment costs 6 bytes, 3.0 % of the lower bound: each tensor takes a multiple of 4 bytes.",
        advice: "",
        is_silent: || with(ODD, |options| options.alignment = 1),
    },
];
