//! What a planner tells beyond upstream's methods.

use core::ffi::c_void;

use arena_planner::{Arena, Error, NOBODY};

use crate::boundary::{self, Object, change};
use crate::planner_api::TfliteArenaPlanner;
use crate::runtime::Buffers;
use crate::status::{Failure, TfliteArenaStatus};
use crate::types::{
    TfliteArenaAllocationType, TfliteArenaEvent, TfliteArenaEventCallback, TfliteArenaEventKind,
    TfliteArenaTensorRecord, TfliteArenaVisitTensor,
};

/// Who is told of a planner's events, if anybody.
#[derive(Default)]
pub(crate) struct Listener(Option<Listening>);

#[derive(Clone, Copy)]
struct Listening {
    callback: unsafe extern "C" fn(*mut c_void, *const TfliteArenaEvent),
    user: *mut c_void,
    /// As of the last event.
    known: Sizes,
}

/// The sizes of both buffers, in bytes.
#[derive(Clone, Copy)]
struct Sizes {
    rw: usize,
    persistent: usize,
}

impl Sizes {
    fn of(buffers: &Buffers) -> Sizes {
        Sizes { rw: buffers.rw.size(), persistent: buffers.persistent.size() }
    }
}

/// A call that is an event.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    kind: TfliteArenaEventKind,
    first_node: i32,
    last_node: i32,
}

impl Call {
    pub(crate) fn of(kind: TfliteArenaEventKind) -> Call {
        Call::nodes(kind, -1, -1)
    }

    pub(crate) fn nodes(kind: TfliteArenaEventKind, first_node: i32, last_node: i32) -> Call {
        Call { kind, first_node, last_node }
    }
}

/// Calls `body` as [`change`] does, and then tells the listener.
///
/// # Safety
/// As [`change`].
pub(crate) unsafe fn observed(
    planner: *mut TfliteArenaPlanner,
    call: Call,
    body: impl FnOnce(&mut TfliteArenaPlanner) -> Result<(), Failure>,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    let status = unsafe { change(planner, body) };
    // SAFETY: by this function's contract.
    if let Some(planner) = unsafe { planner.as_mut() } {
        planner.tell(call, status);
    }
    status
}

impl TfliteArenaPlanner {
    // Once, not in each function that is an event.
    #[inline(never)]
    fn tell(&mut self, call: Call, status: TfliteArenaStatus) {
        let after = Sizes::of(&self.buffers);
        let Some(listening) = &mut self.listener.0 else { return };
        let before = core::mem::replace(&mut listening.known, after);
        let listening = *listening;
        let event = TfliteArenaEvent {
            struct_size: size_of::<TfliteArenaEvent>(),
            kind: call.kind as i32,
            status: status as i32,
            first_node: call.first_node,
            last_node: call.last_node,
            arena: TfliteArenaAllocationType::MemNone as i32,
            before: 0,
            after: 0,
            arena_size: after.rw,
            arena_persist_size: after.persistent,
            text: self.last_error().as_ptr(),
        };
        let of_buffer = |event, arena, before, after| {
            let arena = TfliteArenaAllocationType::of(Some(arena)) as i32;
            TfliteArenaEvent { arena, before, after, ..event }
        };
        let grow = TfliteArenaEvent {
            kind: TfliteArenaEventKind::Grow as i32,
            status: TfliteArenaStatus::Ok as i32,
            first_node: -1,
            last_node: -1,
            text: c"".as_ptr(),
            ..event
        };
        if after.rw > before.rw {
            listening.tell(of_buffer(grow, Arena::Rw, before.rw, after.rw));
        }
        if after.persistent > before.persistent {
            listening.tell(of_buffer(grow, Arena::Persistent, before.persistent, after.persistent));
        }
        listening.tell(match call.kind {
            TfliteArenaEventKind::Release => of_buffer(event, Arena::Rw, before.rw, after.rw),
            _ => event,
        });
    }
}

impl Listening {
    #[inline(never)]
    fn tell(self, event: TfliteArenaEvent) {
        // SAFETY: the caller's callback, with the argument it wants and an event that lives until it returns.
        unsafe { (self.callback)(self.user, &event) }
    }
}

/// # Safety
/// As [`change`].
pub(crate) unsafe fn listen(
    planner: *mut TfliteArenaPlanner,
    callback: TfliteArenaEventCallback,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        change(planner, |planner| {
            let known = Sizes::of(&planner.buffers);
            planner.listener = Listener(callback.map(|callback| Listening { callback, user, known }));
            Ok(())
        })
    }
}

/// # Safety
/// As [`boundary::inspect`]; `visit` is NULL or the callback it should be.
pub(crate) unsafe fn visit_tensors(
    planner: *const TfliteArenaPlanner,
    visit: TfliteArenaVisitTensor,
    user: *mut c_void,
) -> TfliteArenaStatus {
    // SAFETY: by this function's contract.
    unsafe {
        boundary::inspect(planner, |planner| {
            let visit = visit.ok_or(Failure::null(c"visit"))?;
            each_tensor(planner, &mut |record| visit(user, &record))
        })
    }
}

fn each_tensor(planner: &TfliteArenaPlanner, visit: &mut dyn FnMut(TfliteArenaTensorRecord)) -> Result<(), Failure> {
    let tensors = planner.graph.tensors()?;
    let count = i32::try_from(tensors.count()).map_err(|_| Error::TooMany { count: tensors.count() })?;
    let previous = planner.planner.previous_owners()?;
    for index in 0..count {
        let tensor = tensors.tensor(index as usize);
        let plan = planner.planner.plan_of(index);
        visit(TfliteArenaTensorRecord {
            tensor: index,
            allocation_type: tensor.kind,
            bytes: tensor.bytes.0,
            arena: TfliteArenaAllocationType::of(plan.arena) as i32,
            root: plan.root,
            offset: plan.offset.0,
            size: plan.size.0,
            first_node: plan.first_node,
            last_node: plan.last_node,
            previous: previous.get(plan.root as usize).copied().unwrap_or(NOBODY),
        });
    }
    Ok(())
}
