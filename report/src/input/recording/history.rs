//! The events of a recording: what they tell, and the calls that are to be made again.

use super::file::{FileEvent, Name, arena};
use crate::input::Refusal;
use crate::map::{Call, Event, Kind, Network};
use crate::planning::{Calls, Changed, Step, Temporaries};

/// The events, and the calls since the last plan: `None` where that failed, or where there was none.
///
/// The calls are checked to lead to the tensors and nodes that are recorded.
pub(super) fn history(network: &Network, events: Vec<FileEvent>) -> Result<(Vec<Event>, Option<Calls>), Refusal> {
    let last_plan = events.iter().rposition(FileEvent::plans);
    let mut told = Vec::with_capacity(events.len());
    let mut state: Option<State<'_>> = None;
    for (at, event) in events.into_iter().enumerate() {
        let refused = |refusal| Refusal::at(format!("events[{at}]"), refusal);
        if last_plan == Some(at) && event.event == Name::Plan {
            state = Some(State::planned(network, &event).map_err(refused)?);
        } else if let Some(state) = &mut state {
            state.take(&event).map_err(refused)?;
        }
        let &FileEvent { ns, arena, persistent, .. } = &event;
        told.push(Event { call: event.told().map_err(refused)?, ns, arena, persistent });
    }
    let Some(mut state) = state else { return Ok((told, None)) };
    state.check_end()?;
    // Tensors are recorded as they were at the last planning or execution.
    while state.calls.steps.pop_if(|step| !matches!(step, Step::Execute { .. })).is_some() {}
    Ok((told, Some(state.calls)))
}

/// What an event of this kind has to have.
fn needed<T>(member: Option<T>, name: &str) -> Result<T, Refusal> {
    member.ok_or_else(|| Refusal::new(format!("missing field `{name}`")))
}

impl FileEvent {
    /// Whether the planner was asked to plan; if it failed, it then had no plan.
    fn plans(&self) -> bool {
        self.event == Name::Plan || self.event == Name::Error && self.call.as_deref() == Some("plan")
    }

    fn told(self) -> Result<Call, Refusal> {
        Ok(match self.event {
            Name::Create => Call::Create,
            Name::Plan => Call::Plan,
            Name::Execute => Call::Execute { first: needed(self.first, "first")?, last: needed(self.last, "last")? },
            Name::Grow => Call::Grow {
                of: arena(needed(self.of, "of")?).map_err(|text| Refusal::at("of", text))?,
                before: needed(self.before, "before")?,
                after: needed(self.after, "after")?,
            },
            Name::Reset => Call::Reset,
            Name::ResetAfter => Call::ResetAfter { node: needed(self.node, "node")? },
            Name::Release => Call::Release,
            Name::Acquire => Call::Acquire,
            Name::Error => Call::Error {
                call: needed(self.call, "call")?,
                status: needed(self.status, "status")?,
                text: needed(self.text, "text")?,
            },
        })
    }
}

/// What is known at an event after the last plan.
struct State<'a> {
    network: &'a Network,
    tensors: Vec<(usize, Kind)>,
    /// By node.
    temporaries: Vec<Vec<i32>>,
    calls: Calls,
}

impl<'a> State<'a> {
    fn planned(network: &'a Network, event: &FileEvent) -> Result<State<'a>, Refusal> {
        let sizes = event.sizes.as_ref().ok_or_else(|| Refusal::new("the last plan has no `sizes`"))?;
        if sizes.len() > network.tensors.len() {
            let text = format!("there are {} for {} tensors", sizes.len(), network.tensors.len());
            return Err(Refusal::at("sizes", text));
        }
        let tensors: Vec<_> = sizes.iter().map(|&(bytes, kind)| (bytes, Kind::from_number(kind))).collect();
        let calls = Calls { planned: tensors.clone(), steps: Vec::new() };
        Ok(State { network, tensors, temporaries: vec![Vec::new(); network.nodes.len()], calls })
    }

    /// Takes in what followed.
    fn take(&mut self, event: &FileEvent) -> Result<(), Refusal> {
        let failed = event.event == Name::Error;
        match event.event {
            Name::Execute => {}
            Name::Error if event.call.as_deref() == Some("execute") => {}
            Name::Reset => {
                self.calls.steps.push(Step::Reset);
                return Ok(());
            }
            Name::ResetAfter => {
                self.calls.steps.push(Step::ResetAfter(needed(event.node, "node")?));
                return Ok(());
            }
            // They change no place.
            _ => return Ok(()),
        }
        let (first, last) = (needed(event.first, "first")?, needed(event.last, "last")?);
        let (changed, temporaries) = self.change(event)?;
        self.calls.steps.push(Step::Execute { first, last, failed, changed, temporaries });
        Ok(())
    }

    fn change(&mut self, event: &FileEvent) -> Result<(Changed, Temporaries), Refusal> {
        let changed = event.changed.as_deref().unwrap_or_default();
        let temporaries = event.temporaries.clone().unwrap_or_default();
        let changed: Vec<_> =
            changed.iter().map(|&(tensor, bytes, kind)| (tensor, bytes, Kind::from_number(kind))).collect();
        for (at, &(tensor, bytes, kind)) in changed.iter().enumerate() {
            let place = || format!("changed[{at}]");
            if tensor >= self.network.tensors.len() {
                let count = self.network.tensors.len();
                return Err(Refusal::at(place(), format!("there is no tensor {tensor}, there are {count}")));
            } else if let Some(known) = self.tensors.get_mut(tensor) {
                *known = (bytes, kind);
            } else if tensor == self.tensors.len() {
                self.tensors.push((bytes, kind));
            } else {
                let text = format!("tensor {tensor} is new, but the next new one is {}", self.tensors.len());
                return Err(Refusal::at(place(), text));
            }
        }
        for (at, (node, list)) in temporaries.iter().enumerate() {
            let Some(known) = self.temporaries.get_mut(*node) else {
                let text = format!("there is no node {node}, there are {}", self.temporaries.len());
                return Err(Refusal::at(format!("temporaries[{at}]"), text));
            };
            known.clone_from(list);
        }
        Ok((changed, temporaries))
    }

    /// The events lead to the tensors and nodes that are recorded.
    fn check_end(&self) -> Result<(), Refusal> {
        let tensors = &self.network.tensors;
        if self.tensors.len() != tensors.len() {
            let text = format!("there are {}, but {} after all events", tensors.len(), self.tensors.len());
            return Err(Refusal::at("tensors", text));
        }
        for (at, (tensor, &(bytes, kind))) in tensors.iter().zip(&self.tensors).enumerate() {
            if (tensor.bytes, tensor.kind) != (bytes, kind) {
                let text = format!(
                    "{} bytes of allocation type {}, but {bytes} of {} after all events",
                    tensor.bytes,
                    tensor.kind.number(),
                    kind.number()
                );
                return Err(Refusal::at(format!("tensors[{at}]"), text));
            }
        }
        // Before the first execution nobody tells which there are: a plan made again finds those of the one before.
        let executed = self.calls.steps.iter().any(|step| matches!(step, Step::Execute { .. }));
        for (at, (node, temporaries)) in self.network.nodes.iter().zip(&self.temporaries).enumerate() {
            if executed && node.temporaries != *temporaries {
                let text = format!("{:?}, but {temporaries:?} after all events", node.temporaries);
                return Err(Refusal::at(format!("nodes[{at}].temporaries"), text));
            }
        }
        Ok(())
    }
}
