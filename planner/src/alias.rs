//! Alias groups: which tensors may lie on the same bytes.
//!
//! Sharing happens exactly where upstream shares (first candidate in flag order), less what would let a write reach
//! bytes that are still to be read under another name. The rule, for an operator that writes its output over an operand:
//!
//! * no member of the operand's group is read after this node, or by another input slot of this node;
//! * no member is a graph input, graph output or variable.
//!
//! An operator that leaves the data as it is may share more freely, except with a variable that some later node reads:
//! whoever is given a variable may write it.

use alloc::vec::Vec;

use crate::fallible::{at, at_mut, push, push_within, reserve};
use crate::graph::inplace;
use crate::topology::{Connections, Topology};
use crate::usage::{Role, Usage};
use crate::{Arena, Bytes, Error, OPTIONAL_TENSOR, Tensor};

/// No link, no next member.
const NONE: i32 = -1;

/// Operators leave tensors of up to this size alone: such a size often stands for "not known yet".
const SCALAR: Bytes = Bytes(4);

#[derive(Clone, Copy, Debug)]
struct Member {
    /// The operand whose bytes this tensor takes over; `NONE` for a root.
    parent: i32,
    /// The tensor that owns the bytes; itself for a root.
    root: i32,
    /// The next member of the same group in execution order; `NONE` for the last.
    next: i32,
    /// For a root: the last member of its group.
    tail: i32,
    /// For a root: the last reader of any member.
    last_read: i32,
}

/// Every tensor's group. A tensor that shares with no other is a group of its own.
#[derive(Debug, Default)]
pub struct Aliases {
    /// By tensor; empty as long as all are groups of their own.
    members: Vec<Member>,
    /// What [`Aliases::regroup`] has changed, to put back if the execution that asked for it fails.
    undo: Vec<(i32, Member)>,
}

impl Aliases {
    /// Finds the groups of a graph.
    pub fn find(
        topology: &Topology,
        usages: &[Usage],
        tensor: impl Fn(i32) -> Option<Tensor>,
    ) -> Result<Aliases, Error> {
        let mut aliases = Aliases::default();
        for ((here, &flags), node) in (0..).zip(&topology.inplace).zip(topology.nodes_from(0)) {
            let Some(candidate) = candidate(node, flags, usages, &tensor, here) else {
                continue;
            };
            if aliases.is_safe(node, usages, here, candidate) {
                aliases.add_from(aliases.members.len(), usages)?;
                aliases.join(candidate);
            }
        }
        Ok(aliases)
    }

    /// Adds the tensors that came after planning, each a group of its own.
    pub fn grow(&mut self, usages: &[Usage]) -> Result<(), Error> {
        if self.are_any() { self.add_from(self.members.len(), usages) } else { Ok(()) }
    }

    fn add_from(&mut self, known: usize, usages: &[Usage]) -> Result<(), Error> {
        reserve(&mut self.members, usages.len().saturating_sub(known))?;
        for tensor in known..usages.len() {
            let Some(usage) = usages.get(tensor) else { break };
            push_within(&mut self.members, Member::alone(tensor as i32, usage));
        }
        Ok(())
    }

    /// The tensor that owns the bytes of `tensor`.
    pub fn root(&self, tensor: i32) -> i32 {
        self.get(tensor).map_or(tensor, |member| member.root)
    }

    /// The last reader of the group that `root` owns; `usage` is that of the root.
    pub fn last_read(&self, root: i32, usage: &Usage) -> i32 {
        self.get(root).map_or(usage.last_read, |member| member.last_read)
    }

    /// The members of the group that `root` owns, the root first.
    pub fn members(&self, root: i32) -> impl Iterator<Item = i32> + '_ {
        core::iter::successors(Some(root), |&tensor| self.get(tensor).map(|member| member.next))
            .take_while(|&tensor| tensor != NONE)
    }

    /// Forms the group of `root` anew. `keep(member, operand, owner)` says whether a member may stay on the bytes that it
    /// took over from `operand` and that `owner` now owns; one that may not gets bytes of its own, and those that took
    /// theirs over from it go with it.
    ///
    /// [`Aliases::put_back`] undoes all of it since the last [`Aliases::begin`].
    pub fn regroup(&mut self, root: i32, usages: &[Usage], keep: &dyn Fn(i32, i32, i32) -> bool) -> Result<(), Error> {
        let mut next = root;
        while let Some(&member) = self.get(next) {
            push(&mut self.undo, (next, member))?;
            next = member.next;
        }
        // Members stand in the order of execution, so an operand has found its owner before it is asked for. Each is
        // taken out of the list as it is met: what follows it has been read before.
        let mut next = root;
        while let Some(&Member { parent, next: after, .. }) = self.get(next) {
            let Some(usage) = at(usages, next) else { break };
            let owner = self.root(parent);
            let stays = parent != NONE && keep(next, parent, owner);
            let alone = Member::alone(next, usage);
            self.set(next, if stays { Member { parent, ..alone } } else { alone });
            if stays {
                self.append(owner, next);
            }
            next = after;
        }
        Ok(())
    }

    /// Starts a change that may have to be put back.
    pub fn begin(&mut self) {
        self.undo.clear();
    }

    /// True when a group has been formed anew since [`Aliases::begin`].
    pub fn have_changed(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Undoes every change of groups since [`Aliases::begin`].
    pub fn put_back(&mut self) {
        while let Some((tensor, member)) = self.undo.pop() {
            self.set(tensor, member);
        }
    }

    /// True when some tensor may lie on bytes that another one owns.
    pub fn are_any(&self) -> bool {
        !self.members.is_empty()
    }

    /// True when `tensor` lies on bytes that another tensor owns.
    pub fn is_alias(&self, tensor: i32) -> bool {
        self.root(tensor) != tensor
    }

    fn is_safe(&self, node: Connections<'_>, usages: &[Usage], here: i32, candidate: Candidate) -> bool {
        let owner = self.root(candidate.operand);
        let Some(root) = at(usages, owner) else {
            return false;
        };
        // Only a root can be a variable: no variable takes over bytes.
        if root.role.is(Role::VARIABLE) && root.last_read > here {
            return false;
        }
        // Upstream asks the reference count of the root, and being pinned counts as one: an operand that is, or lies on, a
        // graph input, output or variable has two. The rest is what upstream forgets.
        let slots = node.inputs.iter().filter(|&&input| self.root(input) == owner).count();
        !candidate.modified || root.references <= 1 && self.last_read(owner, root) <= here && slots == 1
    }

    fn join(&mut self, candidate: Candidate) {
        let root = self.root(candidate.operand);
        if let Some(member) = self.get_mut(candidate.output) {
            member.parent = candidate.operand;
        }
        self.append(root, candidate.output);
    }

    /// Puts a tensor that is alone at the end of a group.
    fn append(&mut self, root: i32, tensor: i32) {
        let Some(&added) = self.get(tensor) else { return };
        let Some(group) = self.get_mut(root) else { return };
        let before = group.tail;
        group.tail = tensor;
        group.last_read = group.last_read.max(added.last_read);
        if let Some(member) = self.get_mut(before) {
            member.next = tensor;
        }
        if let Some(member) = self.get_mut(tensor) {
            member.root = root;
        }
    }

    fn get(&self, tensor: i32) -> Option<&Member> {
        at(&self.members, tensor)
    }

    fn get_mut(&mut self, tensor: i32) -> Option<&mut Member> {
        at_mut(&mut self.members, tensor)
    }

    fn set(&mut self, tensor: i32, member: Member) {
        if let Some(slot) = self.get_mut(tensor) {
            *slot = member;
        }
    }
}

impl Member {
    fn alone(tensor: i32, usage: &Usage) -> Member {
        Member { parent: NONE, root: tensor, next: NONE, tail: tensor, last_read: usage.last_read }
    }
}

/// A node's output that may take over an operand's bytes, before the rest of the operand's group is looked at.
#[derive(Clone, Copy)]
struct Candidate {
    operand: i32,
    output: i32,
    /// The operator writes other data there than it reads.
    modified: bool,
}

/// The first input in flag order that upstream would take, if what it takes is fit for sharing at all.
fn candidate(
    node: Connections<'_>,
    flags: u8,
    usages: &[Usage],
    tensor: &impl Fn(i32) -> Option<Tensor>,
    here: i32,
) -> Option<Candidate> {
    let flags = Some(u64::from(flags)).filter(|&flags| flags != 0)?;
    let Connections { inputs, outputs } = node;
    let output = *outputs.first()?;
    let written = at(usages, output)?;
    let output_tensor = tensor(output)?;
    let slots = inputs.iter().enumerate().take(inplace::SHARABLE_INPUTS);
    for (slot, &input) in slots {
        let paired_elsewhere = slot > 0 && flags & inplace::CORRESPONDING_OUTPUT != 0;
        if flags & (inplace::INPUT0_SHARED << slot) == 0 || paired_elsewhere || input == OPTIONAL_TENSOR {
            continue;
        }
        // "Unmodified" speaks of input 0: over any other input its data is a change.
        let modified = flags & inplace::DATA_UNMODIFIED == 0 || slot != 0;
        let operand = at(usages, input)?;
        let input_tensor = tensor(input)?;
        if modified
            && (input_tensor.bytes != output_tensor.bytes || input_tensor.bytes <= SCALAR || operand.references > 1)
        {
            continue;
        }
        if operand.role.is(Role::GRAPH_INPUT) || written.role.is(Role::GRAPH_OUTPUT) {
            continue;
        }
        if input_tensor.kind != output_tensor.kind && input_tensor.arena != Some(Arena::Rw) {
            continue;
        }
        // Upstream takes it. It must also have been written before, once, and the output be written here alone.
        let ready = operand.writers <= 1 && operand.first >= 0 && operand.last_write < here;
        let fresh = written.writers == 1
            && written.first == here
            && !written.role.is(Role::PINNED)
            && !inputs.contains(&output);
        return (ready && fresh).then_some(Candidate { operand: input, output, modified });
    }
    None
}
