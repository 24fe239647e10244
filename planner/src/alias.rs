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
//!
//! [`Reuse`] goes as far as the rule allows, where upstream stops earlier.

use alloc::vec::Vec;

use crate::fallible::{OutOfMemory, at, at_mut, push, push_within, reserve};
use crate::graph::inplace;
use crate::topology::{Connections, Topology};
use crate::usage::{Role, Usage};
use crate::{Arena, Bytes, Tensor};

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
        reuse: Reuse,
        tensor: impl Fn(i32) -> Option<Tensor>,
    ) -> Result<Aliases, OutOfMemory> {
        let mut aliases = Aliases::default();
        for ((here, &flags), connections) in (0..).zip(&topology.inplace).zip(topology.nodes_from(0)) {
            if flags == 0 {
                continue;
            }
            let node = Node { connections, flags: u64::from(flags), here };
            // Upstream gives output 0 alone the bytes of an input.
            let outputs = if reuse.any_operand() { inplace::SHARABLE_INPUTS } else { 1 };
            for output in 0..outputs {
                if let Some(candidate) = aliases.choose(node, output, usages, reuse, &tensor) {
                    aliases.add_missing(usages)?;
                    aliases.join(candidate);
                }
            }
        }
        Ok(aliases)
    }

    /// The input whose bytes an output of a node takes over: the first that upstream would take, if that is safe; where any
    /// operand will do, the one that saves most. That is one whose data stays as it is, as it may be needed for long; of
    /// the others each saves the same, for that one node.
    fn choose(
        &self,
        node: Node<'_>,
        output: usize,
        usages: &[Usage],
        reuse: Reuse,
        tensor: &impl Fn(i32) -> Option<Tensor>,
    ) -> Option<Candidate> {
        for slot in 0..inplace::SHARABLE_INPUTS {
            let Some((candidate, fit)) = candidate(node, slot, output, usages, reuse, tensor) else { continue };
            let safe = fit && self.is_safe(node, usages, reuse, candidate);
            if safe || !reuse.any_operand() {
                // Slot 0 comes first, and only its data can stay as it is.
                return safe.then_some(candidate);
            }
        }
        None
    }

    /// Adds the tensors that came after planning, each a group of its own.
    pub fn grow(&mut self, usages: &[Usage]) -> Result<(), OutOfMemory> {
        if self.are_any() { self.add_missing(usages) } else { Ok(()) }
    }

    fn add_missing(&mut self, usages: &[Usage]) -> Result<(), OutOfMemory> {
        let known = self.members.len();
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
    pub fn regroup(
        &mut self,
        root: i32,
        usages: &[Usage],
        keep: &dyn Fn(i32, i32, i32) -> bool,
    ) -> Result<(), OutOfMemory> {
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

    fn is_safe(&self, node: Node<'_>, usages: &[Usage], reuse: Reuse, candidate: Candidate) -> bool {
        let Node { connections, here, .. } = node;
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
        let slots = connections.inputs.iter().filter(|&&input| self.root(input) == owner).count();
        let unshared =
            if reuse.last_reader() { !root.role.is(Role::PINNED.and(Role::GRAPH_INPUT)) } else { root.references <= 1 };
        !candidate.modified || unshared && self.last_read(owner, root) <= here && slots == 1
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

/// How far tensors share bytes beyond what upstream does. All of it is safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reuse {
    /// The last reader of a tensor may write in place, whoever read it before. Upstream asks for the only reader.
    pub last_reader: bool,
    /// Each output may take over any operand that is fit for it. Upstream looks at output 0 and the first operand only.
    pub any_operand: bool,
    /// What no node reads is needed where it is written, and no longer. Upstream keeps it to the end.
    pub unread_outputs: bool,
}

impl Reuse {
    /// All of it.
    pub const ALL: Reuse = Reuse { last_reader: true, any_operand: true, unread_outputs: true };

    fn last_reader(self) -> bool {
        cfg!(feature = "best") && self.last_reader
    }

    fn any_operand(self) -> bool {
        cfg!(feature = "best") && self.any_operand
    }

    pub(crate) fn unread_outputs(self) -> bool {
        cfg!(feature = "best") && self.unread_outputs
    }
}

/// A node that may write in place.
#[derive(Clone, Copy)]
struct Node<'a> {
    connections: Connections<'a>,
    flags: u64,
    here: i32,
}

/// A node's output that may take over an operand's bytes, before the rest of the operand's group is looked at.
#[derive(Clone, Copy)]
struct Candidate {
    operand: i32,
    output: i32,
    /// The operator writes other data there than it reads.
    modified: bool,
}

/// The input in a slot, if upstream would let the output take over its bytes; and whether it is fit for that at all.
fn candidate(
    node: Node<'_>,
    slot: usize,
    output: usize,
    usages: &[Usage],
    reuse: Reuse,
    tensor: &impl Fn(i32) -> Option<Tensor>,
) -> Option<(Candidate, bool)> {
    let Node { connections: Connections { inputs, outputs }, flags, here } = node;
    let paired = if flags & inplace::CORRESPONDING_OUTPUT != 0 { slot } else { 0 };
    if flags & (inplace::INPUT0_SHARED << slot) == 0 || paired != output {
        return None;
    }
    let (&input, &output) = (inputs.get(slot)?, outputs.get(output)?);
    let (operand, written) = (at(usages, input)?, at(usages, output)?);
    let (from, to) = (tensor(input)?, tensor(output)?);
    // "Unmodified" speaks of input 0 and output 0: over any other input its data is a change.
    let modified = flags & inplace::DATA_UNMODIFIED == 0 || slot != 0;
    let read_by_others = operand.references > 1 && !reuse.last_reader();
    if modified && (from.bytes != to.bytes || from.bytes <= SCALAR || read_by_others) {
        return None;
    }
    if operand.role.is(Role::GRAPH_INPUT) || written.role.is(Role::GRAPH_OUTPUT) {
        return None;
    }
    if from.kind != to.kind && from.arena != Some(Arena::Rw) {
        return None;
    }
    // Upstream takes it. It must also have been written before, once, and the output be written here alone.
    let ready = operand.writers <= 1 && operand.first >= 0 && operand.last_write < here;
    let fresh = written.writers == 1 && written.first == here && !written.role.is(Role::PINNED);
    Some((Candidate { operand: input, output, modified }, ready && fresh && !inputs.contains(&output)))
}
