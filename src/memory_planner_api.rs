//! A planner of buffers without a graph, in the manner of TensorFlow Lite Micro's `tflite::MicroMemoryPlanner`.

use core::ffi::c_char;

use arena_planner::Alignment;

use crate::boundary::{Out, change, create, destroy, inspect, last_error_text, sized};
use crate::memory_planner::{Figure, NOWHERE, TfliteArenaMemoryPlanner};
use crate::status::TfliteArenaStatus;
use crate::types::{TfliteArenaMemoryBuffer, TfliteArenaMemoryPlannerOptions, TfliteArenaStrategy};

fn default_options() -> TfliteArenaMemoryPlannerOptions {
    TfliteArenaMemoryPlannerOptions {
        struct_size: size_of::<TfliteArenaMemoryPlannerOptions>(),
        strategy: TfliteArenaStrategy::Greedy as i32,
        alignment: Alignment::DEFAULT.get(),
        capacity: 0,
        steps: 0,
        order: None,
        place: None,
        user: core::ptr::null_mut(),
    }
}

/// Gives what three functions ask for.
///
/// # Safety
/// `planner` is NULL or a live planner; `place` is NULL or writable.
#[inline(never)]
unsafe fn answer(planner: *const TfliteArenaMemoryPlanner, figure: Figure, place: *mut usize) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            Out::new(place, c"the answer")?.set(planner.figure(figure)?);
            Ok(())
        })
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
pub unsafe extern "C" fn tflite_memory_planner_options_init(
    options: *mut TfliteArenaMemoryPlannerOptions,
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

/// Makes a planner without buffers. On success `*planner` is the caller's, to be given to `tflite_memory_planner_destroy`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `planner` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_create(
    planner: *mut *mut TfliteArenaMemoryPlanner,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { create(planner, || Ok(TfliteArenaMemoryPlanner::new())) }
}

/// Frees a planner; NULL is fine.
///
/// # Safety
/// `planner` is NULL or a live planner; it is gone afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_destroy(planner: *mut TfliteArenaMemoryPlanner) {
    // SAFETY: by this function's contract.
    unsafe { destroy(planner) }
}

/// Adds a buffer of `size` bytes that the nodes `first_node` to `last_node` need. An `alignment` of 0 is the one that the
/// options of a plan name. The plan is forgotten. Mirrors `tflite::MicroMemoryPlanner::AddBuffer`.
///
/// # Returns
/// * `OK` — `*handle` is the buffer's: how many were added before it
/// * `NULL_POINTER` — `planner` or `handle` is NULL
/// * `BAD_ALIGNMENT` — `alignment` is neither 0 nor a power of two
/// * `INVALID_ARGUMENT` — a node is negative, the last comes before the first, or there are more buffers than can be numbered
/// * `OUT_OF_MEMORY`
///
/// # Safety
/// `planner` is NULL or a live planner; `handle` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_add_buffer(
    planner: *mut TfliteArenaMemoryPlanner,
    size: usize,
    alignment: usize,
    first_node: i32,
    last_node: i32,
    handle: *mut i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { tflite_memory_planner_add_fixed_buffer(planner, size, alignment, first_node, last_node, NOWHERE, handle) }
}

/// Adds a buffer that must lie at `offset`; `SIZE_MAX`, where nothing can lie, leaves that open, as
/// `tflite_memory_planner_add_buffer` does. Mirrors `tflite::MicroMemoryPlanner::AddBuffer` with an offline-planned offset.
///
/// # Returns
/// As `tflite_memory_planner_add_buffer`; whether fixed buffers can lie where they must is seen when they are planned.
///
/// # Safety
/// `planner` is NULL or a live planner; `handle` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_add_fixed_buffer(
    planner: *mut TfliteArenaMemoryPlanner,
    size: usize,
    alignment: usize,
    first_node: i32,
    last_node: i32,
    offset: usize,
    handle: *mut i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(planner, |planner| {
            let handle = Out::new(handle, c"handle")?;
            handle.set(planner.add(TfliteArenaMemoryBuffer { size, alignment, offset, first_node, last_node })?);
            Ok(())
        })
    }
}

/// Gives each buffer its offset. `options` may be NULL for the defaults.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `INVALID_ARGUMENT` — the `struct_size` or the strategy is not known; fixed buffers overlap, or are not where their
///   alignment lets them be; the caller's own strategy failed, or its result is no order or no plan
/// * `BAD_ALIGNMENT` — the alignment is not a power of two
/// * `UNSUPPORTED` — the strategy is not part of this build
/// * `ABOVE_CAPACITY` — the plan is higher than the capacity
/// * `OVERFLOW` — a buffer would end beyond the address space
/// * `OUT_OF_MEMORY`
///
/// After an error the plan is what it was.
///
/// # Safety
/// `planner` is NULL or a live planner; `options` is NULL or valid; its callbacks are what their types say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_plan(
    planner: *mut TfliteArenaMemoryPlanner,
    options: *const TfliteArenaMemoryPlannerOptions,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(planner, |planner| {
            let options = if options.is_null() { default_options() } else { sized(options, c"options")? };
            planner.plan(&options)
        })
    }
}

/// Gives the handle of the buffer that was added at position `index`, counted from 0, which is what
/// `tflite::MicroMemoryPlanner::GetOffsetForBuffer` takes. Who asks for one after the other learns how many there are.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `handle` is NULL
/// * `INDEX_OUT_OF_RANGE` — there are not that many buffers
///
/// # Safety
/// `planner` is NULL or a live planner; `handle` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_get_buffer_handle(
    planner: *const TfliteArenaMemoryPlanner,
    index: usize,
    handle: *mut i32,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        inspect(planner, |planner| {
            Out::new(handle, c"handle")?.set(planner.handle(index)?);
            Ok(())
        })
    }
}

/// Gives the offset of a buffer; 0 for one of no bytes. Mirrors `tflite::MicroMemoryPlanner::GetOffsetForBuffer`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `offset` is NULL
/// * `NOT_PLANNED` — since a buffer was added last
/// * `INDEX_OUT_OF_RANGE` — no buffer has this handle
///
/// # Safety
/// `planner` is NULL or a live planner; `offset` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_get_offset(
    planner: *const TfliteArenaMemoryPlanner,
    handle: i32,
    offset: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { answer(planner, Figure::Offset(handle), offset) }
}

/// Gives the bytes that the plan needs: where its highest buffer ends.
/// Mirrors `tflite::MicroMemoryPlanner::GetMaximumMemorySize`.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `bytes` is NULL
/// * `NOT_PLANNED` — since a buffer was added last
///
/// # Safety
/// `planner` is NULL or a live planner; `bytes` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_arena_size(
    planner: *const TfliteArenaMemoryPlanner,
    bytes: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { answer(planner, Figure::Height, bytes) }
}

/// Gives the bytes that no plan can stay below, as far as the strategy has proven it. Where it is the size of the arena, the
/// plan is optimal.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `bytes` is NULL
/// * `NOT_PLANNED` — since a buffer was added last
///
/// # Safety
/// `planner` is NULL or a live planner; `bytes` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_lower_bound(
    planner: *const TfliteArenaMemoryPlanner,
    bytes: *mut usize,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { answer(planner, Figure::LowerBound, bytes) }
}

/// The text of the last error of a planner, empty when its last call succeeded. It is the planner's, and valid until the
/// next call on it. Never NULL.
///
/// # Safety
/// `planner` is NULL or a live planner.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_memory_planner_last_error(planner: *const TfliteArenaMemoryPlanner) -> *const c_char {
    // SAFETY: by this function's contract.
    unsafe { last_error_text(planner) }
}
