use super::*;
use crate::input;
use crate::map::Place;
use crate::strategy::Strategy;
use crate::testing::chain_of_many;

/// Greedily d, the largest, goes to 0, c to 192, a to 0 as it is gone before d begins, and b to 320: below a and c there are
/// only the 64 bytes from 128 to 192. At node 1, a, b and c need 3 · 128 = 384, and `best` puts them on one another.
const HOLE: &str = "
    c 128
    a 128
    b 128
    d 192 output
    MAKE -> c
    SPLIT c -> a b
    SINK a b ->
    JOIN c -> d
";

/// The same, and more lines.
pub(super) fn hole_and(more: &str) -> MemoryMap {
    graph(&format!("{HOLE}\n{more}"))
}

/// A buffer that must lie at 100, which no plan can change.
const FIXED: &[u8] = b"id,lower,upper,size,offset\na,0,2,10,100\nb,1,3,20,\n";

fn table(content: &[u8], strategy: Option<Strategy>) -> Vec<MemoryMap> {
    input::read(content, "table.csv", strategy).unwrap()
}

/// Both lie at 0 and are needed at node 1.
fn clash() -> MemoryMap {
    let mut map = graph("a 64\nb 64\nc 64 output\nMAKE -> a\nRELU a -> b\nADD a b -> c");
    let places = map.places.iter().map(|place| place.map(|place| Place { offset: 0, ..place })).collect();
    map.set_places(places).unwrap();
    map
}

/// a has two readers, of which the last may write over it: upstream does not, as there are two.
const LAST_READER: &str = "
    x 64 input
    a 640
    b 64
    c 640
    y 64 output
    CONV_2D x -> a
    MEAN a -> b
    MUL@12 a b -> c
    MEAN c -> y
";

pub(super) const CASES: &[Case] = &[
    // 448 bytes, of which 64 are too many: 64 / 384 = 16.7 %.
    Case {
        id: "above-lower-bound",
        says: || vec![graph(HOLE)],
        text: "The arena takes 448 bytes, 16.7 % (64 bytes) above the lower bound of 384. At node 1 (SPLIT), where 384 \
               are needed, 64 bytes lie free between a (1) and c (0); b (2) lies highest.",
        advice: "Strategy `best` takes it to 384 bytes, the lower bound. Set TFLITE_ARENA_STRATEGY=best.",
        is_silent: || vec![graph(HOLE).by(Strategy::Best).unwrap()],
    },
    // b fits below a, at 0: 110 bytes, where 10 + 20 are needed from 1 to 2, 80 more. Below a, 20 are b's.
    Case {
        id: "above-lower-bound",
        says: || table(FIXED, Some(Strategy::Greedy)),
        text: "The arena takes 110 bytes, 266.7 % (80 bytes) above the lower bound of 30. At time 1, where 30 are \
               needed, 80 bytes lie free between buffer b and buffer a, which lies highest.",
        advice: "Strategy `best` finds nothing lower; `exact` searches longer: some ten seconds with a few hundred \
                 tensors.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,\n", Some(Strategy::Greedy)),
    },
    // The first three bytes are free all the time.
    Case {
        id: "above-lower-bound",
        says: || table(b"id,lower,upper,size,offset\na,0,2,10,3\n", None),
        text: "The arena takes 13 bytes, 30.0 % (3 bytes) above the lower bound of 10. At time 0, where 10 are needed, 3 \
               bytes lie free at the bottom, below buffer a, which lies highest.",
        advice: "Strategy `best` takes it to 10 bytes, the lower bound. Give `--strategy best`.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,2,10,0\n", None),
    },
    Case {
        id: "above-lower-bound",
        says: || table(FIXED, Some(Strategy::Best)),
        text: "The arena takes 110 bytes, 266.7 % (80 bytes) above the lower bound of 30. At time 1, where 30 are \
               needed, 80 bytes lie free between buffer b and buffer a, which lies highest.",
        advice: "Strategy `exact` searches longer: some ten seconds with a few hundred tensors.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,\n", Some(Strategy::Best)),
    },
    Case {
        id: "above-lower-bound",
        says: || table(FIXED, Some(Strategy::Exact)),
        text: "The arena takes 110 bytes, 266.7 % (80 bytes) above the lower bound of 30. At time 1, where 30 are \
               needed, 80 bytes lie free between buffer b and buffer a, which lies highest.",
        advice: "A long search has found nothing lower; there may be nothing.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,2,10,20\nb,1,3,20,\n", Some(Strategy::Exact)),
    },
    // Free are 0 to 3 and 13 to 20.
    Case {
        id: "above-lower-bound",
        says: || table(b"id,lower,upper,size,offset\na,0,2,10,3\nb,0,2,10,20\n", None),
        text: "The arena takes 30 bytes, 50.0 % (10 bytes) above the lower bound of 20. At time 0, where 20 are needed, 10 \
               bytes lie free in 2 holes, the largest, 7 bytes, between buffer a and buffer b, which lies highest.",
        advice: "Strategy `best` takes it to 20 bytes, the lower bound. Give `--strategy best`.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,2,10,10\nb,0,2,10,0\n", None),
    },
    // Both end at 20: the first is named.
    Case {
        id: "above-lower-bound",
        says: || table(b"id,lower,upper,size,offset\na,0,1,10,10\nb,1,2,10,10\n", None),
        text: "The arena takes 20 bytes, 100.0 % (10 bytes) above the lower bound of 10. At time 0, where 10 are needed, 10 \
               bytes lie free at the bottom, below buffer a, which lies highest.",
        advice: "Strategy `best` takes it to 10 bytes, the lower bound. Give `--strategy best`.",
        is_silent: || table(b"id,lower,upper,size,offset\na,0,1,10,0\nb,1,2,10,0\n", None),
    },
    // While b is there, at step 1, nothing of a is needed.
    Case {
        id: "above-lower-bound",
        says: || table(b"id,lower,upper,size,offset,gaps\na,0,6,10,0,2-4\nb,2,4,3,10,\n", None),
        text: "The arena takes 13 bytes, 30.0 % (3 bytes) above the lower bound of 10. At time 2, where 3 are needed, 10 \
               bytes lie free at the bottom, below buffer b, which lies highest.",
        advice: "Strategy `best` takes it to 10 bytes, the lower bound. Give `--strategy best`.",
        is_silent: || table(b"id,lower,upper,size,offset,gaps\na,0,6,10,0,2-4\nb,2,4,3,7,\n", None),
    },
    // Now a needs its last four bytes then.
    Case {
        id: "above-lower-bound",
        says: || table(b"id,lower,upper,size,offset,gaps\na,0,6,10,0,2-4@6:10\nb,2,4,3,10,\n", None),
        text: "The arena takes 13 bytes, 30.0 % (3 bytes) above the lower bound of 10. At time 2, where 7 are needed, 6 \
               bytes lie free at the bottom, below buffer a; buffer b lies highest.",
        advice: "Strategy `best` takes it to 10 bytes, the lower bound. Give `--strategy best`.",
        is_silent: || table(b"id,lower,upper,size,offset,gaps\na,0,6,10,0,2-4@6:10\nb,2,4,3,3,\n", None),
    },
    Case {
        id: "below-lower-bound",
        says: || vec![clash()],
        text: "The arena takes 64 bytes, less than the 192 that are needed at once: tensors overlap, or are not aligned.",
        advice: "`tflite-arena check --validate` names them.",
        is_silent: || vec![graph("a 64\nb 64\nc 64 output\nMAKE -> a\nRELU a -> b\nADD a b -> c")],
    },
    // Node 2 needs x, a, b and c: 64 + 640 + 64 + 640. With c on a, x, a and b and, as c is a from then on, no more.
    Case {
        id: "more-sharing",
        says: || vec![graph(LAST_READER)],
        text: "The arena takes 1,408 bytes, the lower bound as long as tensors share bytes and are kept as they are now.",
        advice: "Strategy `best` takes it to 768 bytes, 640 less, as it shares and frees bytes wherever that is safe. Set \
                 TFLITE_ARENA_STRATEGY=best.",
        is_silent: || vec![graph(LAST_READER).by(Strategy::Best).unwrap()],
    },
    Case {
        id: "at-lower-bound",
        says: || vec![graph(HOLE).by(Strategy::Best).unwrap()],
        text: "The arena takes 384 bytes, the lower bound: no order of placement makes it smaller.",
        advice: "",
        is_silent: || vec![graph(HOLE), graph(LAST_READER)],
    },
    Case {
        id: "not-planned-again",
        says: || vec![chain_of_many(4_001)],
        text: "With 4,001 tensors in the arena, more than 4,000, it was not planned again here: what other options would \
               save is not told.",
        advice: "`tflite-arena report --strategy best` plans it again.",
        is_silent: || vec![chain_of_many(4_000)],
    },
];
