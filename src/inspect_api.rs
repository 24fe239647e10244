//! What a planner tells beyond upstream's methods: its tensors one by one, and its events as they come.

use core::ffi::c_void;

use crate::inspect;
use crate::planner_api::TfliteArenaPlanner;
use crate::status::TfliteArenaStatus;
use crate::types::{TfliteArenaEventCallback, TfliteArenaVisitTensor};

/// Calls `visit` with `user` and a record for each tensor that the graph has now, in order of index, also for those without
/// a place and those that have not been planned. It says what `tflite_arena_planner_get_tensor_plan` does, and more.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` or `visit` is NULL
/// * `INVALID_ARGUMENT` — the callback for the tensors failed, or gave something that makes no sense
/// * `OUT_OF_MEMORY` — it takes memory in proportion to the number of tensors
/// * `UNSUPPORTED` — built without the feature `inspect`
///
/// After an error `visit` has not been called.
///
/// # Safety
/// `planner` is NULL or a live planner; `visit` is NULL or what `TfliteArenaVisitTensor` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_visit_tensors(
    planner: *const TfliteArenaPlanner,
    visit: TfliteArenaVisitTensor,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { inspect::visit_tensors(planner, visit, user) }
}

/// From now on calls `callback` with `user` and an event at the end of each call that plans, places or gives back, also when
/// it failed; before it with a `GROW` for each buffer that has grown. NULL, as a new planner has it: for no event.
///
/// # Returns
/// * `OK`
/// * `NULL_POINTER` — `planner` is NULL
/// * `UNSUPPORTED` — built without the feature `inspect`
///
/// # Safety
/// `planner` is NULL or a live planner; `callback` is NULL or what `TfliteArenaEventCallback` says, until it is replaced or
/// the planner destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tflite_arena_planner_set_event_callback(
    planner: *mut TfliteArenaPlanner,
    callback: TfliteArenaEventCallback,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { inspect::listen(planner, callback, user) }
}
