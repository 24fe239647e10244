//! The plain structs and enums of the C ABI.

use core::ffi::{c_char, c_void};

use arena_planner::strategy::Choice;
use arena_planner::{Arena, Error};

/// Where a tensor's bytes come from. The values are upstream's `TfLiteAllocationType`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfliteArenaAllocationType {
    /// Not allocated.
    MemNone = 0,
    /// Constant, mapped from the model file.
    MmapRo = 1,
    /// In the arena whose bytes are reused.
    ArenaRw = 2,
    /// In the arena whose bytes keep their address.
    ArenaRwPersistent = 3,
    /// On the heap, sized while the graph runs.
    Dynamic = 4,
    /// Constant, computed once.
    PersistentRo = 5,
    /// The application's own memory.
    Custom = 6,
    /// An object of the runtime's.
    VariantObject = 7,
}

impl TfliteArenaAllocationType {
    /// The arena that a tensor of this type is placed in. Values from the future are placed nowhere.
    pub(crate) fn arena(value: i32) -> Option<Arena> {
        if value == TfliteArenaAllocationType::ArenaRw as i32 {
            Some(Arena::Rw)
        } else if value == TfliteArenaAllocationType::ArenaRwPersistent as i32 {
            Some(Arena::Persistent)
        } else {
            None
        }
    }

    pub(crate) fn of(arena: Option<Arena>) -> TfliteArenaAllocationType {
        match arena {
            Some(Arena::Rw) => TfliteArenaAllocationType::ArenaRw,
            Some(Arena::Persistent) => TfliteArenaAllocationType::ArenaRwPersistent,
            None => TfliteArenaAllocationType::MemNone,
        }
    }
}

/// In which order tensors are given their places.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfliteArenaStrategy {
    /// Upstream's since 2.2: the largest first, into the best-fitting gap.
    Greedy = 0,
    /// Upstream's up to 2.1: in the order of execution.
    InOrder = 1,
    /// Greedy, then a search for a smaller arena: 6,000 steps, each a tensor or buffer placed by trial, or one for each.
    Best = 2,
    /// Greedy, then a search that goes on until it has proved its optimum, or taken 1,000,000 steps.
    Exact = 3,
}

impl TryFrom<i32> for TfliteArenaStrategy {
    type Error = Error;

    fn try_from(value: i32) -> Result<TfliteArenaStrategy, Error> {
        [
            TfliteArenaStrategy::Greedy,
            TfliteArenaStrategy::InOrder,
            TfliteArenaStrategy::Best,
            TfliteArenaStrategy::Exact,
        ]
        .into_iter()
        .find(|&strategy| strategy as i32 == value)
        .ok_or(Error::Refused("strategy is not a TfliteArenaStrategy"))
    }
}

impl TfliteArenaStrategy {
    /// Refuses what is not part of this build.
    pub(crate) fn choice(self) -> Result<Choice, Error> {
        match self {
            TfliteArenaStrategy::Greedy => Ok(Choice::Greedy),
            TfliteArenaStrategy::InOrder => Ok(Choice::InOrder),
            #[cfg(feature = "best")]
            TfliteArenaStrategy::Best => Ok(Choice::Best),
            #[cfg(not(feature = "best"))]
            TfliteArenaStrategy::Best => Err(Error::Unsupported("strategy best")),
            #[cfg(feature = "exact")]
            TfliteArenaStrategy::Exact => Ok(Choice::Exact),
            #[cfg(not(feature = "exact"))]
            TfliteArenaStrategy::Exact => Err(Error::Unsupported("strategy exact")),
        }
    }
}

/// In-place flags of an operator, to be combined. The values are upstream's `TfLiteInPlaceOp`.
#[repr(u64)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfliteArenaInplace {
    /// No output may lie on an input.
    None = 0,
    /// Output 0 holds the same data as input 0.
    DataUnmodified = 1,
    /// The flags below pair input N with output N instead of output 0.
    CorrespondingOutput = 2,
    /// Input 0 may share its bytes with an output.
    Input0Shared = 4,
    /// Input 1 may share its bytes with an output.
    Input1Shared = 8,
    /// Input 2 may share its bytes with an output.
    Input2Shared = 16,
}

/// A list of tensor indices that belongs to somebody else. -1 stands for "no tensor".
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaIntList {
    /// The indices; may be NULL when there are none.
    pub data: *const i32,
    /// How many.
    pub size: usize,
}

/// A node of the execution plan, in answer to `TfliteArenaGraphInfo.node`. The lists need to stay valid until the next
/// callback only.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaNode {
    /// Tensors it reads.
    pub inputs: TfliteArenaIntList,
    /// Tensors it writes.
    pub outputs: TfliteArenaIntList,
    /// Tensors it uses while it runs; read again at each execution.
    pub temporaries: TfliteArenaIntList,
    /// `TfliteArenaInplace` flags of its operator.
    pub inplace_operator: u64,
}

/// All tensors of a graph as a strided array: tensor `i` is the struct at `base + i * stride`, and the library reads and
/// writes just the three members named here. Whoever fills it uses `sizeof` and `offsetof` of the struct that it has.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaTensorView {
    /// The first struct; may be NULL when there are none.
    pub base: *mut c_void,
    /// How many there are.
    pub count: usize,
    /// Bytes from one struct to the next.
    pub stride: usize,
    /// Where the tensor's size is, a `size_t`.
    pub bytes_offset: usize,
    /// Where its `TfliteArenaAllocationType` is, an `int32_t`.
    pub allocation_type_offset: usize,
    /// Where its data pointer is, a `void *`; the only member that is written.
    pub data_offset: usize,
}

/// A graph, in execution order, behind callbacks. Mirrors `tflite::GraphInfo`.
///
/// Every callback is needed. Those that return an `int32_t` return 0 when they have filled the struct they were given;
/// any other value makes the call that asked fail. Callbacks must not throw, and must not call back into the planner.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TfliteArenaGraphInfo {
    /// `sizeof(TfliteArenaGraphInfo)`.
    pub struct_size: usize,
    /// Handed to each callback.
    pub context: *mut c_void,
    /// All tensors; asked again at each call, as tensors may be added, move, and change.
    pub tensors: Option<unsafe extern "C" fn(context: *mut c_void, view: *mut TfliteArenaTensorView) -> i32>,
    /// Nodes in the execution plan.
    pub num_execution_nodes: Option<unsafe extern "C" fn(context: *mut c_void) -> usize>,
    /// The node at a position in the execution plan.
    pub node: Option<unsafe extern "C" fn(context: *mut c_void, index: usize, node: *mut TfliteArenaNode) -> i32>,
    /// Graph inputs. The list needs to stay valid until the next callback only, like those below.
    pub inputs: Option<unsafe extern "C" fn(context: *mut c_void, list: *mut TfliteArenaIntList) -> i32>,
    /// Graph outputs.
    pub outputs: Option<unsafe extern "C" fn(context: *mut c_void, list: *mut TfliteArenaIntList) -> i32>,
    /// Variable tensors.
    pub variables: Option<unsafe extern "C" fn(context: *mut c_void, list: *mut TfliteArenaIntList) -> i32>,
}

/// The caller's memory for arenas, in the layout of upstream's `TfLiteAllocator`. It is copied when an object is created;
/// what `data` points at must outlive the object. One without `allocate` or `deallocate` is ignored, as upstream does.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TfliteArenaAllocator {
    /// Handed to each callback.
    pub data: *mut c_void,
    /// Gives `bytes` bytes at a multiple of `alignment`, or NULL.
    pub allocate: Option<unsafe extern "C" fn(data: *mut c_void, bytes: usize, alignment: usize) -> *mut c_void>,
    /// Grows a block, keeping what it holds, or gives NULL and leaves it alone. May be NULL: then a new block is
    /// allocated and the old one copied.
    pub reallocate: Option<
        unsafe extern "C" fn(
            data: *mut c_void,
            memory: *mut c_void,
            old_bytes: usize,
            new_bytes: usize,
            alignment: usize,
        ) -> *mut c_void,
    >,
    /// Takes a block back.
    pub deallocate:
        Option<unsafe extern "C" fn(data: *mut c_void, memory: *mut c_void, bytes: usize, alignment: usize)>,
}

/// How a planner plans. `tflite_arena_planner_options_init` fills in the defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TfliteArenaPlannerOptions {
    /// `sizeof(TfliteArenaPlannerOptions)`.
    pub struct_size: usize,
    /// 1: no tensor's bytes are reused or shared, so that all can be read afterwards. 0 is the default.
    pub preserve_all_tensors: i32,
    /// A `TfliteArenaStrategy`; greedy is the default.
    pub strategy: i32,
    /// What every tensor's address is a multiple of, in bytes: a power of two; 64 is the default.
    pub tensor_alignment: usize,
    /// Upstream's, for profilers; it changes nothing here.
    pub subgraph_index: i32,
    /// Memory for the arenas; NULL, the default, means the C library's.
    pub allocator: *const TfliteArenaAllocator,
    /// 1, the default: graph inputs are kept for the whole run. 0: they are freed after their last read, as upstream's
    /// constructor allowed up to 2.6.
    pub preserve_inputs: i32,
    /// 1: an execution places the ArenaRw tensors whose first node is in its range anew, also those that have a place, as
    /// upstream did from 2.2 to 2.10. 0, the default: what has a fitting place keeps it.
    pub replace_range: i32,
}

/// A buffer of a memory planner, as a caller's own strategy sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaMemoryBuffer {
    /// Its size in bytes; 0 takes no room.
    pub size: usize,
    /// What its offset must be a multiple of, a power of two; 0 for what the options of the plan say.
    pub alignment: usize,
    /// Where it must lie; `SIZE_MAX` when it is to be given a place.
    pub offset: usize,
    /// The first node that needs it.
    pub first_node: i32,
    /// The last node that needs it, not before the first.
    pub last_node: i32,
}

/// A caller's own strategy that says in which order buffers are placed, each into the best-fitting gap: it fills `order`
/// with the handles of all `count` buffers. Fixed buffers are placed before all others, wherever they stand.
/// Anything but 0 makes the call that asked fail. It must not throw, and must not call back into the planner.
pub type TfliteArenaOrderBuffers = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        buffers: *const TfliteArenaMemoryBuffer,
        count: usize,
        order: *mut i32,
    ) -> i32,
>;

/// A caller's own strategy that places buffers itself: it fills `offsets`, one for each of the `count` buffers.
/// Anything but 0 makes the call that asked fail. It must not throw, and must not call back into the planner.
pub type TfliteArenaPlaceBuffers = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        buffers: *const TfliteArenaMemoryBuffer,
        count: usize,
        offsets: *mut usize,
    ) -> i32,
>;

/// How a memory planner plans. `tflite_memory_planner_options_init` fills in the defaults.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct TfliteArenaMemoryPlannerOptions {
    /// `sizeof(TfliteArenaMemoryPlannerOptions)`.
    pub struct_size: usize,
    /// A `TfliteArenaStrategy`; greedy is the default.
    pub strategy: i32,
    /// The alignment of buffers that were added with none, in bytes: a power of two; 64 is the default.
    pub alignment: usize,
    /// The height that the arena may have, in bytes: a search ends as soon as it is met, and a plan that is higher is
    /// refused. 0, the default, for any height.
    pub capacity: usize,
    /// How long to search, in buffers placed by trial; 0, the default, for as many as `TfliteArenaStrategy` says.
    pub steps: u64,
    /// In the place of the strategy: orders the buffers. NULL is the default; at most one of the two is set.
    pub order: TfliteArenaOrderBuffers,
    /// In the place of the strategy: places the buffers.
    pub place: TfliteArenaPlaceBuffers,
    /// Handed to either.
    pub user: *mut c_void,
}

/// The figures of a plan, in bytes where not said otherwise. `naive` and `lower_bound` are about the ArenaRw arena, and
/// are stated for a plan that is executed in one batch.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaPlanInfo {
    /// Nodes in the execution plan.
    pub num_nodes: usize,
    /// Tensors known to the planner.
    pub num_tensors: usize,
    /// Tensors with bytes of their own in the ArenaRw arena.
    pub placed_tensors: usize,
    /// What the plan needs of the ArenaRw arena. The buffer may be larger: it never shrinks.
    pub arena_needed: usize,
    /// What the plan needs of the persistent arena.
    pub persistent_needed: usize,
    /// What the ArenaRw tensors would need if no byte were used twice.
    pub naive: usize,
    /// What no placement of the ArenaRw tensors can go below.
    pub lower_bound: usize,
    /// What alignment costs of that: `lower_bound` less what it would be with an alignment of 1.
    pub padding: usize,
}

/// Where one tensor lies.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaTensorPlan {
    /// `TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW` or `..._ARENA_RW_PERSISTENT`; `..._MEM_NONE` while it has no place.
    pub arena: i32,
    /// The tensor that owns the bytes: itself, or the one whose bytes it takes over.
    pub root: i32,
    /// Offset in the arena, in bytes.
    pub offset: usize,
    /// Bytes set aside.
    pub size: usize,
    /// The first node that needs the bytes; -1 when none does.
    pub first_node: i32,
    /// The last node that needs the bytes; `INT32_MAX` when they are never given back.
    pub last_node: i32,
}

/// One tensor, as `tflite_arena_planner_visit_tensors` tells of it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaTensorRecord {
    /// Its index.
    pub tensor: i32,
    /// Its `TfliteArenaAllocationType`, as the graph says it now.
    pub allocation_type: i32,
    /// Its size, as the graph says it now.
    pub bytes: usize,
    /// `TFLITE_ARENA_ALLOCATION_TYPE_ARENA_RW` or `..._ARENA_RW_PERSISTENT`; `..._MEM_NONE` while it has no place.
    pub arena: i32,
    /// The tensor that owns the bytes: itself, or the one whose bytes it takes over.
    pub root: i32,
    /// Offset in the arena, in bytes.
    pub offset: usize,
    /// Bytes set aside.
    pub size: usize,
    /// The first node that needs the bytes; -1 when none does.
    pub first_node: i32,
    /// The last node that needs the bytes; `INT32_MAX` when they are never given back.
    pub last_node: i32,
    /// The tensor that had some of the bytes last before `root`; -1 when nobody had.
    pub previous: i32,
}

/// Takes one tensor's record, which lives until it returns. It must not throw, and must not call back into the planner.
pub type TfliteArenaVisitTensor =
    Option<unsafe extern "C" fn(user: *mut c_void, record: *const TfliteArenaTensorRecord)>;

/// What has happened to a planner: the call that it was, or what came of one.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfliteArenaEventKind {
    /// `tflite_arena_planner_plan_allocations`.
    Plan = 0,
    /// `tflite_arena_planner_execute_allocations`.
    Execute = 1,
    /// A buffer has grown. The event of the call in which it has is the next that is no `GROW`.
    Grow = 2,
    /// `tflite_arena_planner_release_non_persistent_memory`.
    Release = 3,
    /// `tflite_arena_planner_acquire_non_persistent_memory`.
    Acquire = 4,
    /// `tflite_arena_planner_reset_allocations`.
    Reset = 5,
    /// `tflite_arena_planner_reset_allocations_after`.
    ResetAfter = 6,
}

/// Something that has happened to a planner. Members that mean nothing for its kind are -1 for nodes,
/// `TFLITE_ARENA_ALLOCATION_TYPE_MEM_NONE` for the arena and 0 for bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaEvent {
    /// The size of the struct that the library has filled. What a newer header adds at its end is there if this says so.
    pub struct_size: usize,
    /// A `TfliteArenaEventKind`. Kinds may be added.
    pub kind: i32,
    /// What the call returned, a `TfliteArenaStatus`. `OK` for `GROW`, also where the call fails after all.
    pub status: i32,
    /// `EXECUTE`: as it was asked for. `RESET_AFTER`: its node.
    pub first_node: i32,
    /// `EXECUTE`: as it was asked for.
    pub last_node: i32,
    /// `GROW`: the buffer that has grown. `RELEASE`: the one that is given back, the ArenaRw arena's.
    pub arena: i32,
    /// `GROW` and `RELEASE`: the size of that buffer before the call.
    pub before: usize,
    /// `GROW` and `RELEASE`: its size now.
    pub after: usize,
    /// Every kind: the size of the ArenaRw arena's buffer after the call.
    pub arena_size: usize,
    /// Every kind: the size of the persistent arena's buffer after the call.
    pub arena_persist_size: usize,
    /// Every kind: the text of the error, empty when there is none. It lives until the callback returns.
    pub text: *const c_char,
}

/// Takes an event, which lives until it returns. It must not throw, and must not call back into the planner.
pub type TfliteArenaEventCallback = Option<unsafe extern "C" fn(user: *mut c_void, event: *const TfliteArenaEvent)>;

/// Bytes of an arena from one node to another. Same layout as upstream's `ArenaAllocWithUsageInterval`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaAllocWithUsageInterval {
    /// Offset in the arena, in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
    /// The tensor.
    pub tensor: i32,
    /// The first node that needs the bytes.
    pub first_node: i32,
    /// The last node that needs the bytes; `INT32_MAX` when they are never given back.
    pub last_node: i32,
}

/// Bytes of an arena that belong to nobody else until they are deallocated. Same layout as upstream's `ArenaAlloc`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TfliteArenaAlloc {
    /// Offset in the arena, in bytes.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Takes the next `length` bytes of a text, which does not end with a NUL byte.
pub type TfliteArenaWrite = Option<unsafe extern "C" fn(user: *mut c_void, text: *const c_char, length: usize)>;

// C programs are compiled against these layouts; upstream's structs have the last two.
#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<TfliteArenaGraphInfo>() == 64);
    assert!(size_of::<TfliteArenaPlannerOptions>() == 48);
    assert!(size_of::<TfliteArenaMemoryPlannerOptions>() == 64);
    assert!(size_of::<TfliteArenaMemoryBuffer>() == 32);
    assert!(size_of::<TfliteArenaPlanInfo>() == 64);
    assert!(size_of::<TfliteArenaTensorRecord>() == 56);
    assert!(size_of::<TfliteArenaEvent>() == 72);
    assert!(size_of::<TfliteArenaNode>() == 56);
    assert!(size_of::<TfliteArenaTensorView>() == 48);
    assert!(size_of::<TfliteArenaAllocator>() == 32);
    assert!(size_of::<TfliteArenaAllocWithUsageInterval>() == 32);
    assert!(core::mem::offset_of!(TfliteArenaAllocWithUsageInterval, last_node) == 24);
};
