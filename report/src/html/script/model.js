// What is known of each map: the report as `--json` writes it, and the rectangles to draw.

const report = JSON.parse(byId("report").textContent);
const allRectangles = JSON.parse(byId("rectangles").textContent);

/** A map with what follows from it: who writes and reads each tensor, and in what order to walk. */
class Model {
  constructor(index) {
    this.index = index;
    this.map = report.maps[index];
    this.tensors = this.map.tensors;
    this.nodes = this.map.nodes;
    this.live = this.map.live_bytes;
    this.steps = this.live.length;
    this.totals = this.map.totals;
    this.isTable = this.map.origin.kind === "table";
    this.rectangles = allRectangles[index];
    // The way through the picture: by time, then by offset.
    this.walk = [...this.rectangles].sort((a, b) => a.first - b.first || a.offset - b.offset);
    this.firstRectangle = new Map();
    for (const rectangle of this.walk) {
      if (!this.firstRectangle.has(rectangle.tensor)) this.firstRectangle.set(rectangle.tensor, rectangle);
    }
    // Where an alias covers the rest of its owner, the owner's name ends there, too.
    for (const { tensor, reuse, first } of this.rectangles) {
      const owner = reuse === "alias" ? this.firstRectangle.get(this.tensors[tensor].place.root) : undefined;
      if (owner && first > owner.first) owner.nameEnd = Math.min(owner.nameEnd ?? owner.end, first);
    }
    this.writers = this.tensors.map(() => []);
    this.readers = this.tensors.map(() => []);
    this.users = this.tensors.map(() => []);
    this.aliases = this.tensors.map(() => []);
    for (const [node, { inputs, outputs, temporaries }] of this.nodes.entries()) {
      for (const tensor of outputs) this.writers[tensor]?.push(node);
      for (const tensor of inputs) this.readers[tensor]?.push(node);
      for (const tensor of temporaries) this.users[tensor]?.push(node);
    }
    for (const [tensor, { place }] of this.tensors.entries()) {
      if (place && place.root !== tensor) this.aliases[place.root].push(tensor);
    }
    this.inputs = new Set(this.map.inputs);
    this.outputs = new Set(this.map.outputs);
    this.variables = new Set(this.map.variables);
  }

  /** What a tensor is called: as `MemoryMap::name` has it. */
  name(tensor) {
    const { name } = this.tensors[tensor];
    if (!name) return `tensor ${tensor}`;
    return this.isTable ? `buffer ${name}` : `${name} (${tensor})`;
  }

  /** What the input calls a step: the number of the node, or a table's own time. */
  time(step) {
    return this.map.times?.[step] ?? step;
  }

  /** "node 43 CONV_2D"; tables have times instead. */
  step(step) {
    return this.isTable ? `time ${exact(this.time(step))}` : `node ${step} ${this.op(step)}`;
  }

  op(step) {
    const node = this.nodes[step];
    return node ? node.custom ?? node.op : "";
  }

  /** The step of a place's end that is drawn: what is never given back goes on to the last. */
  lastStep(place) {
    return Math.min(place.last ?? this.steps - 1, this.steps - 1);
  }

  /** "node 3 CONV_2D" or "node 3 CONV_2D and 2 more". */
  firstWriter(tensor) {
    const nodes = this.writers[tensor].length > 0 ? this.writers[tensor] : this.users[tensor];
    if (nodes.length === 0) return this.inputs.has(tensor) ? "graph input" : "";
    return this.step(nodes[0]);
  }

  rectangleAt(step, offset) {
    // The last one is drawn on top.
    return this.rectangles.findLast((one) =>
      one.first <= step && step < one.end && one.offset <= offset && offset < one.offset + one.size);
  }

  /** Tensors whose name holds a text, or whose number it is; those in the picture first, in the order of the walk. */
  find(text) {
    const wanted = text.toLowerCase();
    const found = [];
    for (const [tensor, { name }] of this.tensors.entries()) {
      if (name.toLowerCase().includes(wanted) || String(tensor) === text) found.push(tensor);
    }
    const rank = (tensor) => this.firstRectangle.get(tensor)?.first ?? Infinity;
    const offset = (tensor) => this.firstRectangle.get(tensor)?.offset ?? 0;
    return found.sort((a, b) => compared(rank(a), rank(b)) || offset(a) - offset(b) || a - b);
  }
}
