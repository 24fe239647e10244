use super::*;
use crate::input;
use crate::map::Options;

/// s is written at node 0, read at node 1 and needed again at node 7; most is needed at node 2.
const SKIP: &str = "
    x 64 input
    s 6016
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
    s 6016
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
    // At node 2: x 64, s 6,016, a and b 4,096 each: 14,272. 6,016 / 14,272 = 42.2 %, 4,096 / 14,272 = 28.7 %.
    Case {
        id: "peak",
        says: || vec![graph(SKIP)],
        text: "Most is needed at node 2 (CONV_2D): 14,272 bytes, for 4 tensors. The largest are s (1) with 6,016 (42.2 \
               %), a (2) with 4,096 (28.7 %) and b (3) with 4,096 (28.7 %).",
        advice: "For a smaller arena, make these smaller or let them end earlier. If they took nothing, 192 bytes (1.3 \
                 %) would still be needed at node 4 (CONV_2D).",
        is_silent: || vec![keeping_all(SKIP)],
    },
    // x, a and then x, y: 2 · 64 at both nodes; x stays.
    Case {
        id: "peak",
        says: || vec![graph("x 64 input\na 64\ny 64 output\nRELU x -> a\nRELU x -> y")],
        text: "Most is needed at node 1 (RELU): 192 bytes, for x (0) with 64 (33.3 %), a (1) with 64 (33.3 %) and y (2) \
               with 64 (33.3 %).",
        advice: "For a smaller arena, make these smaller or let them end earlier. Nothing else is needed at any time.",
        is_silent: || vec![graph("x 0 input\ny 0 output\nRELU x -> y")],
    },
    // By 1s, 3 bytes at steps 1 and 2.
    Case {
        id: "peak",
        says: || input::read(b"id,lower,upper,size\na,0,2,2\nb,1,3,1\nc,2,4,2\n", "table", None).unwrap(),
        text: "Most is needed at time 1: 3 bytes, for buffer a with 2 (66.7 %) and buffer b with 1 (33.3 %).",
        advice: "1 other step needs as much: for a smaller arena, all must need less.",
        is_silent: || vec![graph("")],
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
    // s waits at nodes 2 to 6: last used at 1, next at 7. Without it, node 2 needs 8,256, and node 1 x, s, a: 10,176.
    Case {
        id: "long-lived",
        says: || vec![graph(SKIP)],
        text: "Of the 14,272 bytes at node 2 (CONV_2D), 6,016 (42.2 %) only wait there: s (1) (6,016 bytes), read at node \
               1 (CONV_2D) and kept over 5 nodes for node 7 (ADD).",
        advice: "Read earlier, or computed again when needed, they would not count here: then no node needs more than \
                 10,176 bytes.",
        // In the last, s has less than 5 % of 64 + 384 + 2 · 4,096.
        is_silent: || vec![graph(NEAR), keeping_all(SKIP), graph(&SKIP.replace("s 6016", "s 384"))],
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
