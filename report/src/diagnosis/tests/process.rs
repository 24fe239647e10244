use super::*;
use crate::map::{Call, Event, Origin};
use arena_planner::Arena;

/// An arena of so many bytes, of a planner of a process.
fn recorded(bytes: usize, pid: u64, planner: u64, subgraph: i64) -> MemoryMap {
    MemoryMap { origin: Origin::Recording { pid, planner, subgraph }, ..graph(&format!("x {bytes} input")) }
}

fn subgraph(bytes: usize, subgraph: usize) -> MemoryMap {
    MemoryMap { origin: Origin::Model { subgraph, file_bytes: 1 }, ..graph(&format!("x {bytes} input")) }
}

fn with(calls: &[(Call, Option<u64>)]) -> Vec<MemoryMap> {
    let event = |(call, ns): &(Call, Option<u64>)| Event { call: call.clone(), ns: *ns, arena: 0, persistent: 0 };
    vec![MemoryMap { events: calls.iter().map(event).collect(), ..graph("x 64 input") }]
}

fn executed(times: usize, ns: Option<u64>) -> Vec<(Call, Option<u64>)> {
    let execute = (Call::Execute { first: 0, last: 1 }, ns);
    [vec![(Call::Plan, ns)], vec![execute; times]].concat()
}

fn grow(of: Arena, before: usize, after: usize) -> (Call, Option<u64>) {
    (Call::Grow { of, before, after }, None)
}

const SHARED: &str = "`Interpreter::ReleaseNonPersistentMemory` after each run gives an arena back, with the inputs and \
                      outputs that lie in it: copy the outputs first. The next `AllocateTensors` takes it again.";

pub(super) const CASES: &[Case] = &[
    Case {
        id: "several-planners",
        says: || vec![recorded(1_024, 7, 1, 0), recorded(4_096, 7, 2, 0), recorded(2_048, 7, 3, 0)],
        text: "Process 7 has 3 interpreters, whose arenas take 1,024 + 4,096 + 2,048 = 7,168 bytes. If no two of them run \
               at once, one arena that they share takes 4,096, 3,072 less.",
        advice: SHARED,
        is_silent: || vec![recorded(1_024, 7, 1, 0), recorded(0, 7, 2, 0)],
    },
    // The second planner is of a subgraph of the first interpreter, which needs 1,024 + 512 then.
    Case {
        id: "several-planners",
        says: || vec![recorded(512, 7, 2, 1), recorded(1_024, 7, 1, 0), recorded(2_048, 7, 3, 0)],
        text: "Process 7 has 2 interpreters, whose arenas take 1,536 + 2,048 = 3,584 bytes. If no two of them run at once, \
               one arena that they share takes 2,048, 1,536 less.",
        advice: SHARED,
        // Two processes, two of the same number, and files of two models.
        is_silent: || {
            let apart = [recorded(1_024, 7, 1, 0), recorded(512, 7, 2, 1), recorded(1_024, 8, 1, 0)];
            let mixed = [recorded(1_024, 9, 1, 0), recorded(1_024, 9, 1, 0)];
            [apart.to_vec(), mixed.to_vec(), vec![subgraph(1_024, 0), subgraph(1_024, 0)]].concat()
        },
    },
    Case {
        id: "several-subgraphs",
        says: || vec![subgraph(1_024, 0), subgraph(256, 1), subgraph(512, 2)],
        text: "Each of 3 subgraphs has an arena of its own: 1,024 + 256 + 512 = 1,792 bytes. The first waits while others \
               run; if no two of the others run at once, one arena for those makes it 1,536, 256 less.",
        advice: "",
        is_silent: || vec![subgraph(1_024, 0), subgraph(0, 1)],
    },
    Case {
        id: "several-subgraphs",
        says: || vec![recorded(1_024, 7, 1, 0), recorded(256, 7, 2, 1)],
        text: "Each of 2 subgraphs has an arena of its own: 1,024 + 256 = 1,280 bytes.",
        advice: "",
        is_silent: || vec![recorded(1_024, 7, 1, 0), recorded(256, 7, 2, 0)],
    },
    // 10 calls of 1,500 ns.
    Case {
        id: "planned-repeatedly",
        says: || with(&executed(9, Some(1_500))),
        text: "The graph was planned once and executed 9 times, in 15 µs altogether.",
        advice: "Sizes that are set once, before the first run, are planned once.",
        is_silent: || with(&executed(8, Some(1_500))),
    },
    Case {
        id: "planned-repeatedly",
        says: || with(&[executed(1, None), executed(1, None), executed(1, None)].concat()),
        text: "The graph was planned 3 times and executed 3 times.",
        advice: "Sizes that are set once, before the first run, are planned once.",
        is_silent: || with(&[executed(1, None), executed(1, None)].concat()),
    },
    // 1,000 + 2,000, and then 2,000 + 2,500 at once. The first growth is from nothing; the persistent one is another buffer.
    Case {
        id: "grown-buffer",
        says: || {
            with(&[
                grow(Arena::Rw, 0, 1_000),
                grow(Arena::Persistent, 10, 9_000),
                grow(Arena::Rw, 1_000, 2_000),
                grow(Arena::Rw, 2_000, 2_500),
                (Call::Release, None),
                grow(Arena::Rw, 0, 1_000),
                grow(Arena::Rw, 1_000, 1_200),
            ])
        },
        text: "The arena's buffer was made with 1,000 bytes and has grown 3 times since, to 2,500: each time its bytes \
               may have moved, and old and new ones were held together, 4,500 bytes at most.",
        advice: "Run with the largest sizes first: a buffer never shrinks, so it need not grow later.",
        is_silent: || with(&[grow(Arena::Rw, 0, 1_000), grow(Arena::Persistent, 10, 9_000)]),
    },
];
