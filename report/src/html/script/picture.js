// Draws: the arena, the axes, and the curve of live bytes.

const FONT = '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const KINDS = ["fresh", "reused", "alias", "kept"];
const COLOURS = ["page", "ink", "quiet", "line", "accent", "free", "grid", "peak", "bound", "live",
  ...KINDS, ...KINDS.map((kind) => `${kind}-ink`)];

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.readColours();
  }

  /** The colours of the style sheet, which depend on light and dark. */
  readColours() {
    const style = getComputedStyle(document.documentElement);
    this.colours = Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.hatch = this.hatching();
  }

  hatching() {
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const context = tile.getContext("2d");
    context.fillStyle = this.colours.alias;
    context.fillRect(0, 0, 8, 8);
    context.strokeStyle = this.colours.reused;
    for (const shift of [-8, 0, 8]) {
      context.moveTo(shift - 1, 9);
      context.lineTo(shift + 9, -1);
    }
    context.stroke();
    return this.context.createPattern(tile, "repeat");
  }

  /** Fits the canvas to its place on the page and says how large that is. */
  fit() {
    const { width, height } = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { width, height };
  }

  /** `shown`: selected and hovered tensor, and a set of matches while there is a search. */
  draw(model, layout, shown) {
    const { context, colours } = this;
    context.clearRect(0, 0, layout.width, layout.height);
    context.font = FONT;
    context.textBaseline = "middle";
    this.offsets(layout);
    this.clipped(layout.plot, () => {
      this.rectangles(model, layout, shown);
      this.bound(model, layout);
    });
    this.nodes(model, layout);
    this.curve(model, layout);
    this.peak(model, layout);
    this.clipped(layout.plot, () => {
      const { selected, hovered } = shown;
      const previous = selected === null ? null : model.tensors[selected].place?.previous;
      this.outline(model, layout, previous, colours.accent, 1.5, [4, 3]);
      this.outline(model, layout, hovered, colours.ink, 1.5, []);
      this.outline(model, layout, selected, colours.accent, 3, []);
    });
    this.whereabouts(layout);
  }

  clipped({ left, top, width, height }, draw) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(left, top, width, height);
    this.context.clip();
    draw();
    this.context.restore();
  }

  /** Free bytes, and a scale of offsets. */
  offsets(layout) {
    const { context, colours } = this;
    const { left, top, width, height } = layout.plot;
    context.fillStyle = colours.free;
    context.fillRect(left, top, width, height);
    const { from, to } = layout.view.bytes;
    context.textAlign = "right";
    const { step, all } = ticks(from, to, ((to - from) * 34) / height, 2, [1]);
    for (const tick of all) {
      const y = Math.round(layout.y(tick)) + 0.5;
      context.fillStyle = colours.grid;
      context.fillRect(left, y - 0.5, width, 1);
      context.fillStyle = colours.quiet;
      context.fillText(tickText(tick, step), left - 8, y);
    }
    context.textAlign = "left";
    context.fillText("offset", 2, top - 12);
  }

  rectangles(model, layout, { matches }) {
    const { context, colours } = this;
    const { plot } = layout;
    for (const rectangle of model.rectangles) {
      const { left, top, width, height } = layout.box(rectangle);
      if (left > plot.left + plot.width || left + width < plot.left) continue;
      if (top > plot.top + plot.height || top + height < plot.top) continue;
      context.globalAlpha = matches && !matches.has(rectangle.tensor) ? 0.22 : 1;
      const isHatched = rectangle.reuse === "alias" && width > 4 && height > 4;
      context.fillStyle = isHatched ? this.hatch : colours[rectangle.reuse];
      context.fillRect(left, top, width, height);
      const from = Math.max(left, plot.left);
      const end = Math.min(left + width, plot.left + plot.width, layout.x(rectangle.nameEnd ?? rectangle.end));
      const room = end - from - 8;
      if (room < 24 || height < 13) continue;
      const label = this.shortened(model.tensors[rectangle.tensor].name || `tensor ${rectangle.tensor}`, room);
      if (label === "") continue;
      if (isHatched) {
        context.fillStyle = colours.alias;
        context.fillRect(from + 2, top + height / 2 - 7, Math.min(context.measureText(label).width + 4, width - 4), 14);
      }
      context.fillStyle = colours[`${rectangle.reuse}-ink`];
      context.textAlign = "left";
      const middle = (Math.max(top, plot.top) + Math.min(top + height, plot.top + plot.height)) / 2;
      context.fillText(label, from + 4, middle);
    }
    context.globalAlpha = 1;
    if (model.rectangles.length > 0) return;
    context.fillStyle = colours.quiet;
    context.textAlign = "center";
    context.fillText("nothing lies in this arena", plot.left + plot.width / 2, plot.top + plot.height / 2);
  }

  /** The end of a name tells most: "model/block_3/conv" is "…ock_3/conv" where there is less room. */
  shortened(name, room) {
    // No more than could ever fit is measured, however long a name is.
    let piece = name.length > 200 ? `…${name.slice(-200)}` : name;
    const full = this.context.measureText(piece).width;
    if (full <= room) return piece;
    const letters = Math.floor((piece.length * room) / full) - 1;
    if (letters < 5) return "";
    piece = `…${piece.slice(-letters)}`;
    return this.context.measureText(piece).width <= room ? piece : `…${piece.slice(-letters + 1)}`;
  }

  outline(model, layout, tensor, colour, thickness, dashes) {
    if (tensor === null || tensor === undefined) return;
    const { context } = this;
    context.strokeStyle = colour;
    context.lineWidth = thickness;
    context.setLineDash(dashes);
    for (const rectangle of model.rectangles) {
      if (rectangle.tensor !== tensor) continue;
      const { left, top, width, height } = layout.box(rectangle);
      const out = thickness / 2;
      context.strokeRect(left - out + 1, top - out + 1, width + thickness - 2, height + thickness - 2);
    }
    context.setLineDash([]);
  }

  bound(model, layout) {
    const { arena, lower_bound: bound } = model.totals;
    if (bound >= arena) return;
    this.level(layout.plot, layout.y(bound), "lower bound");
  }

  /** A dashed line over the whole box, with a word on it. */
  level(box, y, word) {
    const { context, colours } = this;
    context.strokeStyle = colours.bound;
    context.lineWidth = 1;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(box.left, Math.round(y) + 0.5);
    context.lineTo(box.left + box.width, Math.round(y) + 0.5);
    context.stroke();
    context.setLineDash([]);
    const width = context.measureText(word).width + 8;
    context.fillStyle = colours.page;
    context.fillRect(box.left + box.width - width - 4, y - 8, width, 16);
    context.fillStyle = colours.ink;
    context.textAlign = "right";
    context.fillText(word, box.left + box.width - 8, y);
  }

  /** The scale of time, between the two pictures, with the names of operations where there is room. */
  nodes(model, layout) {
    const { context, colours } = this;
    const { left, top, width, height } = layout.plot;
    const { from, to } = layout.view.time;
    const step = width / (to - from);
    const end = top + height;
    context.textAlign = "center";
    for (const tick of ticks(Math.floor(from), Math.ceil(to) - 1, 44 / step, 10, [1, 2, 5]).all) {
      const x = layout.x(tick + 0.5);
      if (x < left || x > left + width) continue;
      context.fillStyle = colours.quiet;
      context.fillRect(Math.round(x), end, 1, 4);
      context.fillText(exact(model.time(tick)), x, end + 12);
      const op = step >= 44 ? this.shortened(model.op(tick), step - 6) : "";
      if (op !== "") context.fillText(op, x, end + 27);
    }
    context.textAlign = "left";
    context.fillStyle = colours.quiet;
    context.fillText(model.isTable ? "time" : "node", 2, end + 12);
  }

  /** Bytes that are needed at each node, with the arena's height and the lower bound. */
  curve(model, layout) {
    const { context, colours } = this;
    const { left, top, width, height } = layout.curve;
    const { arena, lower_bound: bound } = model.totals;
    context.fillStyle = colours.free;
    context.fillRect(left, top, width, height);
    this.clipped(layout.curve, () => {
      const { from, to } = layout.view.time;
      const base = layout.curveY(0);
      context.beginPath();
      context.moveTo(left, base);
      // Of the nodes that share a pixel, the highest is drawn.
      const perPixel = Math.max(Math.floor((to - from) / width), 1);
      const first = Math.floor(from / perPixel) * perPixel;
      for (let step = first; step < Math.min(to, model.steps); step += perPixel) {
        const y = layout.curveY(Math.max(...model.live.slice(step, step + perPixel)));
        context.lineTo(layout.x(step), y);
        context.lineTo(layout.x(step + perPixel), y);
      }
      context.lineTo(left + width, base);
      context.fillStyle = colours.live;
      context.fill();
    });
    this.level(layout.curve, layout.curveY(bound), bound >= arena ? "lower bound = arena" : "lower bound");
    if (bound < arena) {
      context.fillStyle = colours.ink;
      context.fillRect(left, Math.round(layout.curveY(arena)), width, 1);
      context.textAlign = "left";
      context.fillText("arena", left + 6, layout.curveY(arena) + 9);
    }
    context.fillStyle = colours.quiet;
    context.textAlign = "left";
    context.fillText("live bytes", 2, top - 8);
    context.textAlign = "right";
    for (const [bytes, y] of [[0, top + height - 5], [layout.curveHeight, top + 6]]) {
      context.fillText(inUnits(bytes), left - 8, y);
    }
  }

  /** The first node at which most is alive, across both pictures. */
  peak(model, layout) {
    const { context, colours } = this;
    const { node, bytes } = model.totals.peak;
    const [start, end] = [layout.x(node), layout.x(node + 1)];
    const middle = (start + end) / 2;
    const { left, width, top } = layout.plot;
    if (middle < left || middle > left + width || bytes === 0) return;
    context.fillStyle = colours.peak;
    for (const { top: boxTop, height } of [layout.plot, layout.curve]) {
      if (end - start > 6) {
        context.globalAlpha = 0.14;
        context.fillRect(start, boxTop, end - start, height);
        context.globalAlpha = 1;
        context.fillRect(Math.round(start), boxTop, 1, height);
        context.fillRect(Math.round(end) - 1, boxTop, 1, height);
      } else {
        context.fillRect(Math.round(middle), boxTop, 1.5, height);
      }
    }
    context.beginPath();
    context.moveTo(middle - 5, top - 7);
    context.lineTo(middle + 5, top - 7);
    context.lineTo(middle, top - 1);
    context.fill();
    const text = `peak: ${model.step(node)}, ${inUnits(bytes)} alive`;
    const half = context.measureText(text).width / 2;
    context.textAlign = "center";
    context.fillText(text, Math.min(Math.max(middle, left + half), left + width - half), top - 15);
  }

  /** Bars along the edges that say which part is shown. */
  whereabouts(layout) {
    const { view, plot } = layout;
    if (view.isWhole) return;
    const { context, colours } = this;
    context.fillStyle = colours.accent;
    const across = plot.width / view.steps;
    const up = plot.height / view.height;
    const { time, bytes } = view;
    const wide = Math.max((time.to - time.from) * across, 4);
    context.fillRect(plot.left + time.from * across, plot.top + plot.height + 1, wide, 2);
    const high = Math.max((bytes.to - bytes.from) * up, 4);
    context.fillRect(plot.left + plot.width + 3, plot.top + plot.height - bytes.from * up - high, 2, high);
  }
}
