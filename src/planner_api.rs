//! `tflite::ArenaPlanner`.

use core::ffi::{c_char, c_void};

use arena_planner::alias::Reuse;
use arena_planner::{Alignment, Error, Options, Planner};

use crate::aligned_buffer::TfliteArenaResizableAlignedBuffer;
use crate::boundary::{Object, Out, create, destroy, inspect, last_error_text, optional, sized, slice};
use crate::graph_info::GraphCallbacks;
use crate::inspect::{Call, observed};
use crate::last_error::LastError;
use crate::runtime::{Buffers, Runtime};
use crate::status::{Failure, TfliteArenaStatus};
use crate::types::{
    TfliteArenaAllocationType, TfliteArenaEventKind, TfliteArenaGraphInfo, TfliteArenaPlanInfo,
    TfliteArenaPlannerOptions, TfliteArenaStrategy, TfliteArenaTensorPlan, TfliteArenaWrite,
};
use crate::writer::CallbackWriter;

/// A planner for one graph, with the memory of both its arenas.
pub struct TfliteArenaPlanner {
    pub(crate) planner: Planner,
    pub(crate) graph: GraphCallbacks,
    pub(crate) buffers: Buffers,
    #[cfg(feature = "inspect")]
    pub(crate) listener: crate::inspect::Listener,
    error: LastError,
}

impl Object for TfliteArenaPlanner {
    fn last_error(&self) -> &LastError {
        &self.error
    }
}

impl TfliteArenaPlanner {
    /// # Safety
    /// The options' allocator is NULL or valid.
    unsafe fn new(graph: GraphCallbacks, options: TfliteArenaPlannerOptions) -> Result<TfliteArenaPlanner, Failure> {
        let preserve_all_tensors = flag(options.preserve_all_tensors, "preserve_all_tensors is neither 0 nor 1")?;
        let preserve_inputs = flag(options.preserve_inputs, "preserve_inputs is neither 0 nor 1")?;
        let replace_range = flag(options.replace_range, "replace_range is neither 0 nor 1")?;
        let strategy = TfliteArenaStrategy::try_from(options.strategy)?;
        // Who asks for small arenas wants them shared, too.
        let small = matches!(strategy, TfliteArenaStrategy::Best | TfliteArenaStrategy::Exact);
        let tensor_alignment = Alignment::new(options.tensor_alignment)?;
        // SAFETY: by this function's contract.
        let allocator = unsafe { optional(options.allocator) };
        // Upstream refuses tensors that are aligned above its arenas' 64 bytes; here the arenas follow.
        let arena_alignment = tensor_alignment.max(Alignment::DEFAULT);
        let buffer = || TfliteArenaResizableAlignedBuffer::new(arena_alignment, allocator);
        Ok(TfliteArenaPlanner {
            planner: new_core(Options {
                reuse: if small { Reuse::ALL } else { Reuse::default() },
                preserve_all_tensors,
                preserve_inputs,
                replace_range,
                tensor_alignment,
                strategy: strategy.choice()?,
            }),
            graph,
            buffers: Buffers { rw: buffer(), persistent: buffer() },
            #[cfg(feature = "inspect")]
            listener: crate::inspect::Listener::default(),
            error: LastError::new(),
        })
    }

    /// The core planner, and the runtime around it as it is now.
    fn look(&mut self) -> Result<(&mut Planner, Runtime<'_>), Error> {
        Ok((&mut self.planner, Runtime::look(&self.graph, &mut self.buffers)?))
    }
}

/// A call: where it is made, making it anew would cost a program some hundred bytes more.
#[inline(never)]
fn new_core(options: Options) -> Planner {
    Planner::new(options)
}

/// A bool of C's, which may hold anything.
fn flag(value: i32, refusal: &'static str) -> Result<bool, Error> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::Refused(refusal)),
    }
}

fn default_options() -> TfliteArenaPlannerOptions {
    TfliteArenaPlannerOptions {
        struct_size: size_of::<TfliteArenaPlannerOptions>(),
        preserve_all_tensors: 0,
        preserve_inputs: 1,
        replace_range: 0,
        strategy: TfliteArenaStrategy::Greedy as i32,
        tensor_alignment: Alignment::DEFAULT.get(),
        subgraph_index: 0,
        allocator: core::ptr::null(),
    }
}

/// Fills in the default options.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `options` is NULL
///
/// # Safety
/// `options` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_options_init(
    options: *mut TfliteArenaPlannerOptions,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    match unsafe { Out::new(options, c"options") } {
        Ok(options) => {
            options.set(default_options());
            TfliteArenaStatus::Ok
        }
        Err(failure) => failure.status(),
    }
}

/// Makes a planner for a graph. Mirrors the constructor of `tflite::ArenaPlanner`.
///
/// `graph` and `options` are copied; what `graph->context` points at must outlive the planner. `options` may be NULL for
/// the defaults. On success `*planner` is the caller's, to be given to `tflite_arena_planner_destroy`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `graph`, one of its callbacks, or `planner` is NULL
/// * `INVALID_ARGUMENT` — a `struct_size`, an option or the strategy is not known
/// * `BAD_ALIGNMENT` — the tensor alignment is not a power of two
/// * `UNSUPPORTED` — the strategy is not part of this build
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `graph` and `options` are NULL or valid; `planner` is NULL or writable; the callbacks are what
/// `TfliteArenaGraphInfo` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_create(
    graph: *const TfliteArenaGraphInfo,
    options: *const TfliteArenaPlannerOptions,
    planner: *mut *mut TfliteArenaPlanner,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        create(planner, || {
            let graph = GraphCallbacks::new(sized(graph, c"graph")?)?;
            let options = if options.is_null() { default_options() } else { sized(options, c"options")? };
            TfliteArenaPlanner::new(graph, options)
        })
    }
}

/// Frees a planner and both its arenas; NULL is fine. The tensors' pointers are left as they are.
///
/// # Safety
/// `planner` is NULL or a live planner; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_destroy(planner: *mut TfliteArenaPlanner) {
    // SAFETY: by this function's contract.
    unsafe { destroy(planner) }
}

/// Reads the graph and works out from which node to which each tensor needs its bytes, and which may share them. All
/// places are forgotten; buffers and pointers stay. Mirrors `tflite::ArenaPlanner::PlanAllocations`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `INDEX_OUT_OF_RANGE` — a list of the graph or of a node holds an index that is not a tensor
/// * `INVALID_ARGUMENT` — a callback failed, or gave something that makes no sense
/// * `OUT_OF_MEMORY`
///
/// After any error there is no plan, and executing returns that error again, as runtimes ignore it here.
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_plan_allocations(planner: *mut TfliteArenaPlanner) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::of(TfliteArenaEventKind::Plan), |planner| {
            let looked = planner.look();
            Ok(match looked {
                Ok((planner, runtime)) => planner.plan(&runtime),
                Err(error) => planner.planner.fail(error),
            }?)
        })
    }
}

/// Gives the tensors of the nodes `first_node` to `last_node` their places around all that is alive, grows the arenas and
/// sets the tensors' pointers. Mirrors `tflite::ArenaPlanner::ExecuteAllocations`.
///
/// A `last_node` beyond the end is the end; `last_node < first_node` places nothing. Sizes, allocation types and
/// temporaries are read anew: a tensor that grew gets a new place, a persistent one keeps its bytes. When a buffer moved,
/// every pointer into it is set again.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `NOT_PLANNED`, or the error of the plan that failed
/// * `INDEX_OUT_OF_RANGE` — `first_node` is negative, or a temporary is not a tensor
/// * `GRAPH_CHANGED` — there are fewer tensors than when the graph was planned
/// * `OVERFLOW` — a tensor would end beyond the address space
/// * `OUT_OF_MEMORY`
/// * `INVALID_ARGUMENT` — a callback failed, or the caller's allocator gave memory that is not aligned
///
/// After an error all places and pointers are as they were.
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_execute_allocations(
    planner: *mut TfliteArenaPlanner,
    first_node: i32,
    last_node: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::nodes(TfliteArenaEventKind::Execute, first_node, last_node), |planner| {
            let (planner, mut runtime) = planner.look()?;
            Ok(planner.execute(&mut runtime, first_node, last_node)?)
        })
    }
}

/// Forgets all places; the plan and the buffers stay, and pointers until the next execution.
/// Mirrors `tflite::ArenaPlanner::ResetAllocations`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_reset_allocations(planner: *mut TfliteArenaPlanner) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::of(TfliteArenaEventKind::Reset), |planner| {
            planner.planner.reset_allocations();
            Ok(())
        })
    }
}

/// Forgets the places of ArenaRw tensors whose first node is after `node`, and sets their pointers and those of their
/// aliases to NULL. Persistent tensors stay. Mirrors `tflite::ArenaPlanner::ResetAllocationsAfter`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `INVALID_ARGUMENT` — the callback for the tensors failed
/// * `OUT_OF_MEMORY` — bookkeeping; nothing has changed
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_reset_allocations_after(
    planner: *mut TfliteArenaPlanner,
    node: i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::nodes(TfliteArenaEventKind::ResetAfter, node, -1), |planner| {
            let (planner, mut runtime) = planner.look()?;
            Ok(planner.reset_allocations_after(&mut runtime, node)?)
        })
    }
}

/// Frees the ArenaRw buffer and sets the pointers of all ArenaRw tensors to NULL; the plan stays. Calling it twice is
/// fine. Mirrors `tflite::ArenaPlanner::ReleaseNonPersistentMemory`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `INVALID_ARGUMENT` — the callback for the tensors failed
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_release_non_persistent_memory(
    planner: *mut TfliteArenaPlanner,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::of(TfliteArenaEventKind::Release), |planner| {
            let (planner, mut runtime) = planner.look()?;
            planner.release_non_persistent_memory(&mut runtime);
            Ok(())
        })
    }
}

/// Gets the ArenaRw buffer back after a release and sets the pointers of all ArenaRw tensors, at the same offsets as
/// before; what they held is gone. Mirrors `tflite::ArenaPlanner::AcquireNonPersistentMemory`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `OUT_OF_MEMORY` — the pointers are NULL
/// * `INVALID_ARGUMENT` — a callback failed, or the caller's allocator gave memory that is not aligned
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_acquire_non_persistent_memory(
    planner: *mut TfliteArenaPlanner,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        observed(planner, Call::of(TfliteArenaEventKind::Acquire), |planner| {
            let (planner, mut runtime) = planner.look()?;
            Ok(planner.acquire_non_persistent_memory(&mut runtime)?)
        })
    }
}

/// Says whether the ArenaRw buffer has been committed and not released since; true for a buffer of no bytes, too.
/// Mirrors `tflite::ArenaPlanner::HasNonPersistentMemory` as of 2.16.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `has` is NULL
///
/// # Safety
/// `planner` is NULL or a live planner; `has` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_has_non_persistent_memory(
    planner: *const TfliteArenaPlanner,
    has: *mut bool,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            Out::new(has, c"has")?.set(planner.planner.has_non_persistent_memory());
            Ok(())
        })
    }
}

/// Gives the sizes of both buffers, in bytes. They never shrink; what the plan needs is in
/// `tflite_arena_planner_get_plan_info`. Mirrors `tflite::ArenaPlanner::GetAllocInfo`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner`, `arena_size` or `arena_persist_size` is NULL
///
/// # Safety
/// `planner` is NULL or a live planner; both places are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_get_alloc_info(
    planner: *const TfliteArenaPlanner,
    arena_size: *mut usize,
    arena_persist_size: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            let arena_size = Out::new(arena_size, c"arena_size")?;
            let arena_persist_size = Out::new(arena_persist_size, c"arena_persist_size")?;
            arena_size.set(planner.buffers.rw.size());
            arena_persist_size.set(planner.buffers.persistent.size());
            Ok(())
        })
    }
}

/// Gives the address of the buffer for an allocation type, 0 for a buffer of no bytes and for types that have none.
/// Mirrors `tflite::ArenaPlanner::BasePointer`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `base` is NULL
///
/// # Safety
/// `planner` is NULL or a live planner; `base` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_base_pointer(
    planner: *const TfliteArenaPlanner,
    allocation_type: i32,
    base: *mut isize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            let memory = TfliteArenaAllocationType::arena(allocation_type)
                .map_or(core::ptr::null_mut(), |arena| planner.buffers.of(arena).memory());
            Out::new(base, c"base")?.set(memory.expose_provenance() as isize);
            Ok(())
        })
    }
}

/// Writes as text: a picture of the ArenaRw arena, in lines of up to 80 columns; every tensor that has a place, aliases with
/// the tensor whose bytes they use, and who had the bytes before; and the live bytes of each node. Built without the
/// feature `inspect`, the picture is left out, and who had the bytes before. Mirrors
/// `tflite::ArenaPlanner::DumpDebugInfo`.
///
/// `execution_plan` names the nodes by position. `write` is called many times, with `user` and a piece of the text each.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `write` is NULL, or `execution_plan` is NULL and `count` is not 0
/// * `INVALID_ARGUMENT` — `count` is more than can be numbered
/// * `OUT_OF_MEMORY` — the picture takes memory in proportion to the number of tensors; nothing is written
///
/// # Safety
/// `planner` is NULL or a live planner; `execution_plan` points at `count` indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_dump_debug_info(
    planner: *const TfliteArenaPlanner,
    execution_plan: *const i32,
    count: usize,
    write: TfliteArenaWrite,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            let execution_plan = slice(execution_plan, count, c"execution_plan")?;
            Ok(planner.planner.dump(execution_plan, &mut CallbackWriter::new(write, user)?)?)
        })
    }
}

/// Gives the figures of the plan as far as it has been executed.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `info` is NULL
/// * `OUT_OF_MEMORY` — the lower bound takes memory in proportion to nodes and tensors
///
/// # Safety
/// `planner` is NULL or a live planner; `info` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_get_plan_info(
    planner: *const TfliteArenaPlanner,
    info: *mut TfliteArenaPlanInfo,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            let out = Out::new(info, c"info")?;
            let info = planner.planner.info()?;
            out.set(TfliteArenaPlanInfo {
                num_nodes: info.num_nodes,
                num_tensors: info.num_tensors,
                placed_tensors: info.placed_tensors,
                arena_needed: info.arena_needed.0,
                persistent_needed: info.persistent_needed.0,
                naive: info.naive.0,
                lower_bound: info.lower_bound.0,
                padding: info.padding.0,
            });
            Ok(())
        })
    }
}

/// Gives the place of one tensor.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `plan` is NULL
/// * `INDEX_OUT_OF_RANGE` — `tensor` is not a tensor that the planner knows
///
/// # Safety
/// `planner` is NULL or a live planner; `plan` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_get_tensor_plan(
    planner: *const TfliteArenaPlanner,
    tensor: i32,
    plan: *mut TfliteArenaTensorPlan,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            let out = Out::new(plan, c"plan")?;
            let plan = planner.planner.tensor_plan(tensor)?;
            out.set(TfliteArenaTensorPlan {
                arena: TfliteArenaAllocationType::of(plan.arena) as i32,
                root: plan.root,
                offset: plan.offset.0,
                size: plan.size.0,
                first_node: plan.first_node,
                last_node: plan.last_node,
            });
            Ok(())
        })
    }
}

/// The text of the last error of a planner, empty when its last call succeeded. It is the planner's, and valid until the
/// next call on it. Never NULL.
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_last_error(planner: *const TfliteArenaPlanner) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { last_error_text(planner) }
}
