//! A runtime that records its planner, as docs/record.md has it; written without a look at what reads recordings.

#![allow(dead_code, reason = "each test file uses its own part")]

use arena_planner::validate::{Placed, reference_lower_bound, reference_naive};
use arena_planner::{Alignment, Arena, Bytes, END, Error, Graph, Memory, Node, Options, Planner, Tensor};
use serde_json::{Value, json};

/// A node, with its lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operator {
    pub(crate) op: &'static str,
    pub(crate) inplace: u64,
    pub(crate) inputs: Vec<i32>,
    pub(crate) outputs: Vec<i32>,
    pub(crate) temporaries: Vec<i32>,
}

/// A graph as a runtime holds it: it may change between calls. Sizes come with their `TfLiteAllocationType`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) tensors: Vec<(usize, i32)>,
    pub(crate) nodes: Vec<Operator>,
    pub(crate) inputs: Vec<i32>,
    pub(crate) outputs: Vec<i32>,
    pub(crate) variables: Vec<i32>,
    /// Memory for the arena is refused.
    pub(crate) refuses: bool,
    /// The bytes of the buffers of the arena and of persistent tensors.
    pub(crate) buffers: [usize; 2],
}

impl Model {
    fn buffer(&mut self, arena: Arena) -> &mut usize {
        &mut self.buffers[usize::from(arena == Arena::Persistent)]
    }
}

impl Graph for Model {
    fn num_tensors(&self) -> usize {
        self.tensors.len()
    }

    fn tensor(&self, tensor: usize) -> Tensor {
        let (bytes, kind) = self.tensors[tensor];
        let arena = [(2, Arena::Rw), (3, Arena::Persistent)].into_iter().find(|&(number, _)| number == kind);
        Tensor { bytes: Bytes(bytes), arena: arena.map(|(_, arena)| arena), kind }
    }

    fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    fn node(&self, node: usize) -> Result<Node<'_>, Error> {
        let Operator { inplace, inputs, outputs, temporaries, .. } = &self.nodes[node];
        Ok(Node { inputs, outputs, temporaries, inplace: *inplace })
    }

    fn inputs(&self) -> Result<&[i32], Error> {
        Ok(&self.inputs)
    }

    fn outputs(&self) -> Result<&[i32], Error> {
        Ok(&self.outputs)
    }

    fn variables(&self) -> Result<&[i32], Error> {
        Ok(&self.variables)
    }
}

impl Memory for Model {
    fn commit(&mut self, arena: Arena, asked: Bytes, _: &mut bool) -> Result<(), Error> {
        if self.refuses {
            return Err(Error::OutOfMemory { asked: asked.0 });
        }
        let buffer = self.buffer(arena);
        *buffer = asked.0.max(*buffer);
        Ok(())
    }

    fn release(&mut self, arena: Arena) {
        *self.buffer(arena) = 0;
    }

    fn copy(&mut self, _: Arena, _: Bytes, _: Bytes, _: Bytes) {}

    fn bind(&mut self, _: usize, _: Option<(Arena, Bytes)>) {}

    fn follow(&mut self, _: usize) {}

    fn forget(&mut self, _: usize) {}
}

/// Arena, offset, size, first and last node, and root of a tensor.
pub(crate) type Place = (Arena, usize, usize, i32, i32, usize);

/// A planner that is recorded.
pub(crate) struct Recorder {
    pub(crate) model: Model,
    planner: Planner,
    options: Value,
    alignment: usize,
    events: Vec<Value>,
    /// The place of the last plan among the events.
    last_plan: Option<usize>,
    /// What was told of tensors and temporaries.
    told: Model,
    /// What was there at the last planning or execution.
    seen: Value,
}

impl Recorder {
    /// `strategy` is the name of the options' choice.
    pub(crate) fn new(model: Model, strategy: &str, options: Options) -> Recorder {
        let alignment = options.tensor_alignment.get();
        let written = json!({
            "strategy": strategy,
            "alignment": alignment,
            "preserve_all_tensors": options.preserve_all_tensors,
            "preserve_inputs": options.preserve_inputs,
            "replace_range": options.replace_range,
        });
        let mut recorder = Recorder {
            planner: Planner::new(options),
            options: written,
            alignment,
            events: Vec::new(),
            last_plan: None,
            told: Model::default(),
            seen: Value::Null,
            model,
        };
        recorder.add("create", json!({}));
        recorder
    }

    /// Greedy, and else as TensorFlow Lite plans.
    pub(crate) fn greedy(model: Model) -> Recorder {
        Recorder::new(model, "greedy", Options { tensor_alignment: Alignment::new(64).unwrap(), ..Options::default() })
    }

    pub(crate) fn plan(&mut self) -> &mut Self {
        self.planner.plan(&self.model).unwrap();
        for event in &mut self.events {
            let event = event.as_object_mut().unwrap();
            event.retain(|member, _| !["sizes", "changed", "temporaries"].contains(&member.as_str()));
        }
        self.last_plan = Some(self.events.len());
        let sizes: Vec<_> = self.model.tensors.iter().map(|&(bytes, kind)| json!([bytes, kind])).collect();
        self.add("plan", json!({"sizes": sizes}));
        self.told = self.model.clone();
        self.told.nodes.iter_mut().for_each(|node| node.temporaries.clear());
        self.see();
        self
    }

    pub(crate) fn execute(&mut self, first: i32, last: i32) -> &mut Self {
        let done = self.planner.execute(&mut self.model, first, last);
        let mut more =
            json!({"first": first, "last": last, "changed": self.changed(), "temporaries": self.temporaries()});
        self.told = self.model.clone();
        match done {
            Ok(()) => self.add("execute", more),
            Err(_) => {
                more["call"] = json!("execute");
                more["status"] = json!(101);
                more["text"] = json!("refused");
                self.add("error", more);
            }
        }
        self.see();
        self
    }

    pub(crate) fn reset(&mut self) -> &mut Self {
        self.planner.reset_allocations();
        self.add("reset", json!({}));
        self
    }

    pub(crate) fn reset_after(&mut self, node: i32) -> &mut Self {
        self.planner.reset_allocations_after(&mut self.model, node).unwrap();
        self.add("reset_after", json!({"node": node}));
        self
    }

    pub(crate) fn release(&mut self) -> &mut Self {
        self.planner.release_non_persistent_memory(&mut self.model);
        self.add("release", json!({}));
        self
    }

    pub(crate) fn acquire(&mut self) -> &mut Self {
        self.planner.acquire_non_persistent_memory(&mut self.model).unwrap();
        self.add("acquire", json!({}));
        self
    }

    /// The whole file.
    pub(crate) fn recording(&self) -> Value {
        let mut file = json!({
            "tflite_arena_recording": 1, "library": "0.1.0", "pid": 77, "planner": 1, "subgraph": 0,
            "options": self.options,
        });
        let members = file.as_object_mut().unwrap();
        members.extend(self.seen.as_object().unwrap().clone());
        members.insert("events".to_owned(), json!(self.events));
        file
    }

    /// By tensor.
    pub(crate) fn places(&self) -> Vec<Option<Place>> {
        let place = |tensor: usize| {
            let plan = self.planner.tensor_plan(tensor as i32).ok()?;
            Some((plan.arena?, plan.offset.0, plan.size.0, plan.first_node, plan.last_node, plan.root as usize))
        };
        (0..self.model.tensors.len()).map(place).collect()
    }

    fn add(&mut self, name: &str, more: Value) {
        let mut event = json!({"event": name, "arena": self.model.buffers[0], "persistent": self.model.buffers[1]});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.events.push(event);
    }

    fn changed(&self) -> Value {
        let known = &self.told.tensors;
        let now = self.model.tensors.iter().enumerate();
        let other = now.filter(|&(tensor, size)| known.get(tensor) != Some(size));
        other.map(|(tensor, (bytes, kind))| json!([tensor, bytes, kind])).collect()
    }

    fn temporaries(&self) -> Value {
        let nodes = self.model.nodes.iter().zip(&self.told.nodes).enumerate();
        let other = nodes.filter(|(_, (now, told))| now.temporaries != told.temporaries);
        other.map(|(node, (now, _))| json!([node, now.temporaries])).collect()
    }

    fn see(&mut self) {
        let places = self.places();
        let kinds = self.model.tensors.iter().zip(&places).enumerate();
        let tensors: Vec<_> = kinds
            .map(|(tensor, (&(bytes, kind), place))| {
                let mut told =
                    json!({"name": format!("t{tensor}"), "type": 1, "bytes": bytes, "allocation_type": kind});
                if let Some((arena, offset, size, first, last, root)) = *place {
                    let arena = if arena == Arena::Rw { 2 } else { 3 };
                    let last = (last != END).then_some(last);
                    told["place"] = json!({
                        "arena": arena, "offset": offset, "size": size, "first": first, "last": last, "root": root,
                    });
                }
                told
            })
            .collect();
        let nodes: Vec<_> = self
            .model
            .nodes
            .iter()
            .map(|Operator { op, inplace, inputs, outputs, temporaries }| {
                json!({
                    "op": op, "inplace": inplace, "inputs": inputs, "outputs": outputs, "temporaries": temporaries,
                })
            })
            .collect();
        let Model { inputs, outputs, variables, .. } = &self.model;
        self.seen = json!({
            "tensors": tensors, "nodes": nodes, "inputs": inputs, "outputs": outputs, "variables": variables,
            "totals": self.totals(&places),
        });
    }

    /// By definition, not by the planner's own figures.
    fn totals(&self, places: &[Option<Place>]) -> Value {
        let placed = |in_arena: Arena, alignment: usize| -> Vec<Placed> {
            let own = places.iter().enumerate().filter_map(|(id, place)| {
                let (arena, offset, size, first_node, last_node, root) = (*place)?;
                let placed = Placed { id, first_node, last_node, offset, size, alignment };
                (arena == in_arena && root == id).then_some(placed)
            });
            own.collect()
        };
        let end = |placed: &[Placed]| placed.iter().map(|placed| placed.offset + placed.size).max().unwrap_or(0);
        let rw = placed(Arena::Rw, self.alignment);
        let bound = reference_lower_bound(&rw).unwrap();
        json!({
            "naive": reference_naive(&rw).unwrap(),
            "arena": end(&rw),
            "lower_bound": bound,
            "persistent": end(&placed(Arena::Persistent, self.alignment)),
            "padding": bound - reference_lower_bound(&placed(Arena::Rw, 1)).unwrap(),
            "placed": rw.len(),
        })
    }
}
