// The part of time and of the arena that is shown.

class View {
  constructor(steps, height) {
    this.steps = steps;
    this.height = Math.max(height, 1);
    this.reset();
  }

  reset() {
    this.time = { from: 0, to: this.steps };
    this.bytes = { from: 0, to: this.height };
  }

  get isWhole() {
    const { time, bytes } = this;
    return time.from === 0 && time.to === this.steps && bytes.from === 0 && bytes.to === this.height;
  }

  /** Shows less (a factor below 1) or more around a point; says whether anything has changed. */
  zoom(factor, step, offset, { inTime = true, inBytes = true } = {}) {
    const before = [this.time.from, this.time.to, this.bytes.from, this.bytes.to];
    if (inTime) this.time = zoomed(this.time, factor, step, this.steps, Math.min(this.steps, 2));
    if (inBytes) this.bytes = zoomed(this.bytes, factor, offset, this.height, Math.min(this.height, 64));
    const after = [this.time.from, this.time.to, this.bytes.from, this.bytes.to];
    return before.some((value, at) => value !== after[at]);
  }

  /** By parts of what is shown. */
  move(right, up) {
    this.time = moved(this.time, right * (this.time.to - this.time.from), this.steps);
    this.bytes = moved(this.bytes, up * (this.bytes.to - this.bytes.from), this.height);
  }

  /** Moves no further than needed to have the rectangle in view; zooms out when it does not fit. */
  bringIn(rectangle) {
    this.time = including(this.time, rectangle.first, rectangle.end, this.steps);
    this.bytes = including(this.bytes, rectangle.offset, rectangle.offset + rectangle.size, this.height);
  }

  /** Puts the rectangle in the middle, at a third of what is shown. */
  zoomTo(rectangle) {
    this.time = around(rectangle.first, rectangle.end, this.steps);
    this.bytes = around(rectangle.offset, rectangle.offset + rectangle.size, this.height);
  }
}

function zoomed({ from, to }, factor, at, whole, least) {
  const length = Math.min(Math.max((to - from) * factor, least), whole);
  const share = (at - from) / (to - from);
  return moved({ from: at - share * length, to: at - share * length + length }, 0, whole);
}

/** The same length, moved, within the whole. */
function moved({ from, to }, by, whole) {
  const length = to - from;
  const start = Math.max(0, Math.min(from + by, whole - length));
  return { from: start, to: start + length };
}

function including(range, first, end, whole) {
  const length = range.to - range.from;
  if (end - first > length) return around(first, end, whole);
  if (first < range.from) return moved(range, first - range.from, whole);
  if (end > range.to) return moved(range, end - range.to, whole);
  return range;
}

function around(first, end, whole) {
  const length = Math.min((end - first) * 3, whole);
  const start = (first + end - length) / 2;
  return moved({ from: start, to: start + length }, 0, whole);
}
