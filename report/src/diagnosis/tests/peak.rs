use super::*;
use crate::map::Options;

/// s is written at node 0 and needed again at node 7; at node 2, a and b are the largest.
const SKIP: &str = "
    x 64 input
    s 1024
    a 4096
    b 4096
    c 64
    d 64
    e 64
    f 64
    y 64 output
    CONV_2D x -> s
    CONV_2D s -> a
    CONV_2D a -> b
    CONV_2D b -> c
    CONV_2D c -> d
    CONV_2D d -> e
    CONV_2D e -> f
    ADD f s -> y
";

/// The same, but s is needed last at node 6, over one node less.
const NEAR: &str = "
    x 64 input
    s 1024
    a 4096
    b 4096
    c 64
    d 64
    e 64
    y 64 output
    CONV_2D x -> s
    CONV_2D s -> a
    CONV_2D a -> b
    CONV_2D b -> c
    CONV_2D c -> d
    CONV_2D d -> e
    ADD e s -> y
";

/// o is a graph output from node 0 on, and u is read by nobody.
const TO_THE_END: &str = "
    x 64 input
    o 1024 output
    u 1024
    a 4096
    b 4096
    c 64
    d 64
    e 64
    y 64 output
    SPLIT x -> o u
    CONV_2D x -> a
    CONV_2D a -> b
    CONV_2D b -> c
    CONV_2D c -> d
    CONV_2D d -> e
    CONV_2D e -> y
";

fn keeping_all(text: &str) -> MemoryMap {
    let map = graph(text);
    map.replanned(Options { preserve_all_tensors: true, ..map.options }).unwrap()
}

pub(super) const CASES: &[Case] = &[
    // At node 2: x 64, s 1,024, a and b 4,096 each: 9,280. 4,096 / 9,280 = 44.1 %, 1,024 / 9,280 = 11.0 %.
    Case {
        id: "peak",
        says: || vec![graph(SKIP)],
        text: "Most is needed at node 2 (CONV_2D): 9,280 bytes, for 4 tensors. The largest are a (2) with 4,096 (44.1 \
               %), b (3) with 4,096 (44.1 %) and s (1) with 1,024 (11.0 %).",
        advice: "For a smaller arena, make these smaller or let them end earlier: no other tensor counts.",
        is_silent: || vec![keeping_all(SKIP)],
    },
    // x, a and then x, y: 2 · 64 at both nodes; x stays.
    Case {
        id: "peak",
        says: || vec![graph("x 64 input\na 64\ny 64 output\nRELU x -> a\nRELU x -> y")],
        text: "Most is needed at node 1 (RELU): 192 bytes, for x (0) with 64 (33.3 %), a (1) with 64 (33.3 %) and y (2) \
               with 64 (33.3 %).",
        advice: "For a smaller arena, make these smaller or let them end earlier: no other tensor counts.",
        is_silent: || vec![graph("x 0 input\ny 0 output\nRELU x -> y")],
    },
    // x, a at node 0; x, a, b at node 1; x, b, c at node 2; x, c, y at node 3.
    Case {
        id: "peak",
        says: || {
            let text = "x 64 input\na 64\nb 64\nc 64\ny 64 output\nRELU x -> a\nRELU a -> b\nRELU b -> c\nRELU c -> y";
            vec![graph(text)]
        },
        text: "Most is needed at node 1 (RELU): 192 bytes, for x (0) with 64 (33.3 %), a (1) with 64 (33.3 %) and b (2) \
               with 64 (33.3 %).",
        advice: "2 other nodes need as much: for a smaller arena, all must need less.",
        is_silent: || vec![graph("")],
    },
    // s waits at nodes 2 to 6: last used at 1, next at 7. Without it, node 2 needs 8,256, and node 1 x, s, a, 5,184.
    Case {
        id: "long-lived",
        says: || vec![graph(SKIP)],
        text: "Of the 9,280 bytes at node 2 (CONV_2D), 1,024 (11.0 %) only wait there: s (1) (1,024 bytes), read at node \
               1 (CONV_2D) and kept over 5 nodes for node 7 (ADD).",
        advice: "Read earlier, or computed again when needed, they would not count here: then no node needs more than \
                 8,256 bytes.",
        is_silent: || vec![graph(NEAR), keeping_all(SKIP)],
    },
    // o and u wait from node 1 to the end, where x, a, b need 8,256 at node 2 without them.
    Case {
        id: "long-lived",
        says: || vec![graph(TO_THE_END)],
        text: "Of the 10,304 bytes at node 2 (CONV_2D), 2,048 (19.9 %) only wait there: o (1) (1,024 bytes), written at \
               node 0 (SPLIT) and kept to the end as a graph output; u (2) (1,024 bytes), written at node 0 (SPLIT) \
               and kept to the end though no node reads it later.",
        advice: "Read earlier, or computed again when needed, they would not count here: then no node needs more than \
                 8,256 bytes.",
        is_silent: || vec![graph("x 64 input\no 1024 output\na 4096\nSPLIT x -> o\nCONV_2D x -> a")],
    },
];
