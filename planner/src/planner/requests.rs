//! The requests of an execution, and what became of them the last time.

use alloc::vec::Vec;

use crate::fallible::{OutOfMemory, push, reserve};
use crate::strategy::Request;

/// Requests for one arena. Written over those of the execution before, so that the same ones are noticed.
#[derive(Debug, Default)]
pub(super) struct Requests {
    list: Vec<Request>,
    /// How many belong to this execution.
    len: usize,
    /// The list is that of an execution that placed it into an empty arena.
    placed_into_empty: bool,
}

impl Requests {
    /// A new execution.
    pub(super) fn start(&mut self) {
        self.len = 0;
    }

    /// Makes room for `count` of them.
    pub(super) fn reserve(&mut self, count: usize) -> Result<(), OutOfMemory> {
        let more = count.saturating_sub(self.list.len());
        reserve(&mut self.list, more)
    }

    /// Adds one, which is still without an offset.
    pub(super) fn add(&mut self, request: Request) -> Result<(), OutOfMemory> {
        match self.list.get_mut(self.len) {
            Some(old) => {
                if *old != (Request { offset: old.offset, ..request }) {
                    *old = request;
                    self.placed_into_empty = false;
                }
            }
            None => {
                push(&mut self.list, request)?;
                self.placed_into_empty = false;
            }
        }
        self.len += 1;
        Ok(())
    }

    /// Those of this execution.
    pub(super) fn all(&self) -> &[Request] {
        self.list.get(..self.len).unwrap_or_default()
    }

    /// True when their offsets are right already: the same requests have been placed into an empty arena before.
    pub(super) fn are_placed(&self, into_empty: bool) -> bool {
        into_empty && self.placed_into_empty && self.len == self.list.len()
    }

    /// Those of this execution, to be placed.
    pub(super) fn unplaced(&mut self) -> &mut [Request] {
        self.placed_into_empty = false;
        self.list.truncate(self.len);
        &mut self.list
    }

    /// Notes that they have been placed.
    pub(super) fn note_placed(&mut self, into_empty: bool) {
        self.placed_into_empty = into_empty;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Bytes};

    fn request(tensor: i32, size: usize) -> Request {
        Request {
            tensor,
            size: Bytes(size),
            alignment: Alignment::DEFAULT,
            first_node: 0,
            last_node: 1,
            whole_run: false,
            offset: Bytes::ZERO,
        }
    }

    fn ask(requests: &mut Requests, asked: &[Request]) {
        requests.start();
        asked.iter().try_for_each(|&request| requests.add(request)).unwrap();
    }

    /// Asks for them, and places them at 64, 128 and so on.
    fn placed(asked: &[Request]) -> Requests {
        let mut requests = Requests::default();
        ask(&mut requests, asked);
        for (position, request) in requests.unplaced().iter_mut().enumerate() {
            request.offset = Bytes(64 * (position + 1));
        }
        requests.note_placed(true);
        requests
    }

    #[test]
    fn the_same_requests_are_placed_already() {
        let asked = [request(3, 100), request(4, 50)];
        let mut requests = placed(&asked);
        ask(&mut requests, &asked);
        assert!(requests.are_placed(true));
        assert_eq!(requests.all().iter().map(|request| request.offset.0).collect::<Vec<_>>(), [64, 128]);
        assert!(!requests.are_placed(false), "something may be in the way");
    }

    #[test]
    fn an_execution_without_requests_forgets_nothing() {
        let asked = [request(3, 100), request(4, 50)];
        let mut requests = placed(&asked);
        ask(&mut requests, &[]);
        ask(&mut requests, &asked);
        assert!(requests.are_placed(true));
    }

    #[test]
    fn other_requests_are_to_be_placed_and_so_are_the_old_ones_after_them() {
        let asked = [request(3, 100), request(4, 50)];
        for other in [
            &[request(3, 100)][..],
            &[request(3, 100), request(4, 51)],
            &[request(3, 100), request(5, 50)],
            &[request(3, 100), request(4, 50), request(5, 50)],
            &[request(4, 50), request(3, 100)],
        ] {
            let mut requests = placed(&asked);
            ask(&mut requests, other);
            assert!(!requests.are_placed(true));
            // The execution failed before it placed any: what it overwrote must not come back.
            ask(&mut requests, &asked);
            let placed = requests.are_placed(true);
            let offsets: Vec<_> = requests.all().iter().map(|request| request.offset.0).collect();
            assert!(!placed || offsets == [64, 128], "{offsets:?}");
        }
    }
}
