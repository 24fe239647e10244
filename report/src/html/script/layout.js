// Where on the canvas things are drawn, in CSS pixels.

const LEFT = 84;
const RIGHT = 22;
const TOP = 24;
const AXIS = 44;
const CURVE = 92;
const BOTTOM = 6;

/** Boxes of the picture and of the curve below it, and how to get from steps and bytes to pixels and back. */
class Layout {
  constructor(width, height, view, curveHeight) {
    const inner = Math.max(width - LEFT - RIGHT, 50);
    this.width = width;
    this.height = height;
    this.plot = { left: LEFT, top: TOP, width: inner, height: Math.max(height - TOP - AXIS - CURVE - BOTTOM, 50) };
    this.curve = { left: LEFT, top: this.plot.top + this.plot.height + AXIS, width: inner, height: CURVE };
    this.view = view;
    this.curveHeight = Math.max(curveHeight, 1);
  }

  x(step) {
    const { from, to } = this.view.time;
    return this.plot.left + ((step - from) / (to - from)) * this.plot.width;
  }

  y(offset) {
    const { from, to } = this.view.bytes;
    return this.plot.top + this.plot.height * (1 - (offset - from) / (to - from));
  }

  curveY(bytes) {
    return this.curve.top + this.curve.height * (1 - bytes / this.curveHeight);
  }

  /** A rectangle in whole pixels, never too thin to be seen, and with a seam to its neighbours where there is room. */
  box({ first, end, offset, size }) {
    const left = Math.round(this.x(first));
    const top = Math.round(this.y(offset + size));
    const width = Math.max(Math.round(this.x(end)) - left, 1);
    const height = Math.max(Math.round(this.y(offset)) - top, 1);
    return { left, top, width: width > 3 ? width - 1 : width, height: height > 3 ? height - 1 : height };
  }

  /** The step and offset at a point of the plot, given from its upper left corner. */
  at(x, y) {
    const { time, bytes } = this.view;
    return {
      step: time.from + (x / this.plot.width) * (time.to - time.from),
      offset: bytes.from + (1 - y / this.plot.height) * (bytes.to - bytes.from),
    };
  }
}

/** Round numbers at least `least` apart: multiples of a power of `base` times one of `factors`. */
function ticks(from, to, least, base, factors) {
  let step = 1;
  for (let power = 1; step < least; power *= base) {
    step = factors.map((factor) => factor * power).find((candidate) => candidate >= least) ?? power * base;
  }
  const all = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) all.push(tick);
  return { step, all };
}
