//! In the place of what a planner tells beyond upstream's methods: a refusal. Part of a build without the feature `inspect`.

use core::ffi::c_void;

use arena_planner::Error;

use crate::boundary::{self, change};
use crate::planner_api::TfliteArenaPlanner;
use crate::status::{Failure, TfliteArenaStatus};
use crate::types::{TfliteArenaEventCallback, TfliteArenaEventKind, TfliteArenaVisitTensor};

pub(crate) struct Call;

impl Call {
    pub(crate) fn of(_: TfliteArenaEventKind) -> Call {
        Call
    }

    pub(crate) fn nodes(_: TfliteArenaEventKind, _: i32, _: i32) -> Call {
        Call
    }
}

/// # Safety
/// As [`change`].
pub(crate) unsafe fn observed(
    planner: *mut TfliteArenaPlanner,
    _: Call,
    body: impl FnOnce(&mut TfliteArenaPlanner) -> Result<(), Failure>,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { change(planner, body) }
}

/// # Safety
/// As [`boundary::inspect`].
pub(crate) unsafe fn visit_tensors(
    planner: *const TfliteArenaPlanner,
    _: TfliteArenaVisitTensor,
    _: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { refuse(planner, "visiting tensors") }
}

/// # Safety
/// As [`boundary::inspect`].
pub(crate) unsafe fn listen(
    planner: *const TfliteArenaPlanner,
    _: TfliteArenaEventCallback,
    _: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { refuse(planner, "telling events") }
}

/// # Safety
/// As [`boundary::inspect`].
#[inline(never)]
unsafe fn refuse(planner: *const TfliteArenaPlanner, what: &'static str) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe { boundary::inspect(planner, |_| Err(Error::Unsupported(what).into())) }
}
