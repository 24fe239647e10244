use super::*;
use crate::map::Origin;

/// Two weights of 1,000 and 500 bytes of float16, dequantized, beside an arena of 2 · 640 bytes.
const FLOAT16: &str = "
    x 640 input
    w 1000 constant FLOAT16
    v 500 constant FLOAT16
    f 2000 persistent FLOAT32
    g 1000 persistent FLOAT32
    y 640 output
    DEQUANTIZE w -> f
    DEQUANTIZE v -> g
    CONV_2D x f g -> y
";

/// A sparse weight of float16 that is made dense, and then dequantized.
const SPARSE: &str = "
    x 640 input
    w 500 constant FLOAT16
    d 1000 persistent FLOAT16
    f 2000 persistent FLOAT32
    y 640 output
    DENSIFY w -> d
    DEQUANTIZE d -> f
    CONV_2D x f -> y
";

const INT8: &str = "
    x 640 input
    w 250 constant INT8
    f 1000 persistent FLOAT32
    y 640 output
    DEQUANTIZE w -> f
    CONV_2D x f -> y
";

/// c is as large as w: a copy in another order. t is no copy.
const COPY: &str = "
    x 640 input
    w 1152 constant
    b 64 constant
    c 1152 persistent
    t 128 persistent
    y 640 output
    CONV_2D x w b -> y | c t
";

const VARIABLE: &str = "
    x 640 input
    s 256 persistent variable
    t 512 persistent
    y 640 output
    SVDF x s -> y | t
";

fn of_a_file(text: &str) -> Vec<MemoryMap> {
    vec![MemoryMap { origin: Origin::Model { subgraph: 0, file_bytes: 2_345 }, ..graph(text) }]
}

pub(super) const CASES: &[Case] = &[
    // Offsets are multiples of 64, but f has 2,000, so that g lies at 2,048: 3,048 are persistent. 3,000 / 3,048 = 98.4 %.
    Case {
        id: "computed-weights",
        says: || vec![graph(FLOAT16)],
        text: "2 weights are computed once, by DEQUANTIZE, and kept: 3,000 bytes, made of 1,500 bytes of float16 in the \
               model. That is 98.4 % of the 3,048 persistent bytes. The largest: f (3) with 2,000 and g (4) with 1,000.",
        advice: "Convert the model to float32, whose weights are read where they lie in the file, or to int8; or let a \
                 delegate run it that takes float16 as it is.",
        is_silent: || vec![graph(COPY), graph(VARIABLE)],
    },
    // f, the largest, goes to 0 and d to 2,048.
    Case {
        id: "computed-weights",
        says: || of_a_file(SPARSE),
        text: "2 weights are computed once, by DENSIFY (1) and DEQUANTIZE (1), and kept: 3,000 bytes, made of 500 bytes \
               of float16 in the model. That is 98.4 % of the 3,048 persistent bytes, where the model's whole file has 2,345. The \
               largest: f (3) with 2,000 and d (2) with 1,000.",
        advice: "Convert the model to dense float32, whose weights are read where they lie in the file, or to dense int8; \
                 or let a delegate run it that takes float16 as it is.",
        is_silent: || of_a_file("x 640 input\nw 250 constant\ny 640 output\nCONV_2D x w -> y"),
    },
    Case {
        id: "computed-weights",
        says: || vec![graph(INT8)],
        text: "1 weight is computed once, by DEQUANTIZE, and kept: 1,000 bytes, made of 250 bytes in the model. That is \
               100.0 % of the 1,000 persistent bytes. The largest: f (2) with 1,000.",
        advice: "Store them in the model as its operators read them: then they are read where they lie in the file.",
        // Not even one part in a hundred.
        is_silent: || vec![graph("x 6400 input\nw 10 constant\nf 40 persistent\nDEQUANTIZE w -> f\nMEAN x f ->")],
    },
    // w is read twice, and one node makes two weights.
    Case {
        id: "computed-weights",
        says: || {
            let text = "w 100 constant FLOAT16\nf 192 persistent\ng 192 persistent\nh 64 persistent\nSPLIT w -> f g\n\
                        DEQUANTIZE w -> h";
            vec![graph(text)]
        },
        text: "3 weights are computed once, by DEQUANTIZE (1) and SPLIT (1), and kept: 448 bytes, made of 100 bytes of \
               float16 in the model. That is 100.0 % of the 448 persistent bytes. The largest: f (1) with 192, g (2) with \
               192 and h (3) with 64.",
        advice: "Convert the model to float32, whose weights are read where they lie in the file, or to int8; or let a \
                 delegate run it that takes float16 as it is.",
        is_silent: || {
            let in_the_arena = "w 100 constant FLOAT16\nf 192\ng 192\nSPLIT w -> f g";
            vec![graph(in_the_arena), graph("w 100 constant\nf 192 persistent output\nDELEGATE:XNN w -> f")]
        },
    },
    // 1,152 of 1,152 + 128.
    Case {
        id: "copied-weights",
        says: || vec![graph(COPY)],
        text: "1 weight is kept a second time, in the order that the kernels of CONV_2D want: 1,152 bytes, 90.0 % of what \
               is persistent.",
        advice: "The runtime makes them for kernels of several threads. With one thread (`num_threads`) it keeps none, \
                 but needs more of the arena: record both.",
        is_silent: || vec![graph(FLOAT16), graph(VARIABLE)],
    },
    Case {
        id: "copied-weights",
        says: || vec![graph(&COPY.replace("CONV_2D", "FULLY_CONNECTED"))],
        text: "1 weight is kept a second time, in the order that the kernels of FULLY_CONNECTED want: 1,152 bytes, 90.0 \
               % of what is persistent.",
        advice: "",
        is_silent: || vec![graph(&COPY.replace("1152 persistent", "1088 persistent"))],
    },
    Case {
        id: "kept-tensors",
        says: || vec![graph(VARIABLE)],
        text: "768 bytes of 2 persistent tensors are kept from run to run: 512 in 1 tensor of SVDF and 256 in 1 \
               variable of SVDF.",
        advice: "",
        is_silent: || vec![graph(FLOAT16)],
    },
    // c lies on a and d on that: 2 · 640 of 2 · 640 + x, a and y with 640 each.
    Case {
        id: "in-place",
        says: || {
            let text = "x 640 input\na 640\nc 640\nd 640\ny 640 output\nCONV_2D x -> a\nRELU@4 a -> c\nRELU@4 c -> d\n\
                        CONV_2D d -> y";
            vec![graph(text)]
        },
        text: "In-place operators let 2 tensors lie on bytes of other tensors: 1,280 bytes (40.0 % of all) need no room \
               of their own.",
        advice: "",
        is_silent: || {
            let apart = "x 640 input\na 640\nc 640\ny 640 output\nCONV_2D x -> a\nRELU a -> c\nCONV_2D c -> y";
            // 640 of 640 + 6,400 + 640 + 640: 7.7 %.
            let few = "x 6400 input\na 640\nc 640\ny 640 output\nCONV_2D x -> a\nRELU@4 a -> c\nCONV_2D c -> y";
            vec![graph(apart), graph(few)]
        },
    },
];
