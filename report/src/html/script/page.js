// The page: what is shown, selected and pointed at; everything else reports here.

/** Below this many pixels, a tensor that is gone to is zoomed to. */
const SMALL = { width: 24, height: 8 };

class Page {
  constructor() {
    this.picture = new Picture(byId("canvas"));
    this.tooltip = byId("tooltip");
    this.shown = { selected: null, hovered: null, matches: null };
    this.table = new Table((tensor) => this.go(tensor));
    this.search = new Search({ found: (matches) => this.found(matches), go: (tensor) => this.go(tensor) });
    this.controls = new Controls(this);
    this.offerMaps();
    this.open(0);
    new ResizeObserver(() => this.resized()).observe(byId("stage"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.picture.readColours();
      this.draw();
    });
  }

  offerMaps() {
    const choice = byId("map-choice");
    byId("choice").hidden = report.maps.length < 2;
    const together = ({ totals }) => totals.arena + totals.persistent;
    choice.append(...report.maps.map((map, at) =>
      element("option", { value: at }, `${map.title}: ${inUnits(together(map))}`)));
    const sum = (of) => report.maps.reduce((bytes, map) => bytes + of(map), 0);
    byId("sum").textContent = `All ${exact(report.maps.length)} together: ${bothWays(sum(together))}, of which arenas ` +
      `${bothWays(sum(({ totals }) => totals.arena))}, persistent ${bothWays(sum(({ totals }) => totals.persistent))}.`;
    choice.addEventListener("change", () => this.open(Number(choice.value)));
  }

  open(index) {
    this.model = new Model(index);
    const { arena, peak } = this.model.totals;
    this.view = new View(this.model.steps, arena);
    this.curveHeight = Math.max(arena, peak.bytes);
    Object.assign(this.shown, { selected: null, hovered: null, matches: null });
    this.hideTooltip();
    byId("details").replaceChildren();
    byId("announcement").textContent = "";
    drawSummary(this.model, (tensor) => this.go(tensor));
    this.table.open(this.model);
    this.search.open(this.model);
    this.resized();
  }

  resized() {
    const { width, height } = this.picture.fit();
    this.size = { width, height };
    this.draw();
    for (const name of ["plot", "curve"]) {
      for (const [side, pixels] of Object.entries(this.layout[name])) byId(name).style[side] = `${pixels}px`;
    }
  }

  draw() {
    this.layout = new Layout(this.size.width, this.size.height, this.view, this.curveHeight);
    this.picture.draw(this.model, this.layout, this.shown);
  }

  // The view

  zoom(factor, x, y, directions) {
    const { step, offset } = this.layout.at(x, y);
    const hasChanged = this.view.zoom(factor, step, offset, directions);
    if (hasChanged) this.viewChanged();
    return hasChanged;
  }

  zoomMiddle(factor) {
    const { width, height } = this.layout.plot;
    this.zoom(factor, width / 2, height / 2);
  }

  move(right, up) {
    this.view.move(right, up);
    this.viewChanged();
  }

  showAll() {
    this.view.reset();
    this.viewChanged();
  }

  zoomTo(tensor) {
    const rectangle = this.model.firstRectangle.get(tensor);
    if (!rectangle) return;
    this.view.zoomTo(rectangle);
    this.viewChanged();
  }

  viewChanged() {
    this.hover(null);
    this.draw();
  }

  // The tensor that is selected

  /** Selects and shows where it is; does nothing but tell of it where it is not in the picture. */
  go(tensor) {
    const rectangle = this.model.firstRectangle.get(tensor);
    if (rectangle) {
      this.view.bringIn(rectangle);
      this.draw();
      const { width, height } = this.layout.box(rectangle);
      if (width < SMALL.width || height < SMALL.height) this.view.zoomTo(rectangle);
      byId("stage").scrollIntoView({ block: "nearest" });
    }
    this.select(tensor);
  }

  select(tensor) {
    this.shown.selected = tensor;
    this.column = tensor === null ? null : this.model.firstRectangle.get(tensor)?.first ?? null;
    const link = (other) => element("button", { type: "button", class: "link", onclick: () => this.go(other) },
      element("bdi", {}, this.model.name(other)));
    byId("details").replaceChildren(...(tensor === null ? [] : facts(this.model, tensor, link)));
    byId("announcement").textContent = tensor === null ? "" : sentence(this.model, tensor);
    this.table.mark(tensor);
    this.draw();
  }

  letGo() {
    this.hover(null);
    this.search.clear();
    this.select(null);
  }

  found(matches) {
    this.shown.matches = matches;
    this.table.keepOnly(matches);
    if (this.layout) this.draw();
  }

  // Walking by keys

  walk(by) {
    const at = this.model.walk.findIndex(({ tensor }) => tensor === this.shown.selected);
    this.walkTo(at === -1 ? (by > 0 ? 0 : -1) : Math.min(Math.max(at + by, 0), this.model.walk.length - 1));
  }

  walkTo(at) {
    const rectangle = this.model.walk.at(at);
    if (rectangle) this.keepInView(rectangle);
  }

  /** To what lies next above (1) or below (-1) at the same time. */
  climb(by) {
    const selected = this.model.firstRectangle.get(this.shown.selected);
    if (!selected) {
      this.walk(1);
      return;
    }
    const column = this.column;
    const candidates = this.model.rectangles.filter(({ first, end, offset }) =>
      first <= column && column < end && (offset - selected.offset) * by > 0);
    if (candidates.length === 0) return;
    const nearest = candidates.reduce((best, one) => ((one.offset - best.offset) * by < 0 ? one : best));
    this.keepInView(nearest);
    this.column = column;
  }

  keepInView(rectangle) {
    this.view.bringIn(rectangle);
    this.hover(null);
    this.select(rectangle.tensor);
  }

  // What is pointed at

  tensorAt(x, y) {
    const { step, offset } = this.layout.at(x, y);
    return this.model.rectangleAt(Math.floor(step), Math.floor(offset))?.tensor ?? null;
  }

  /** `pointer` has its place in the box and on the page, or is null when it is gone. */
  hover(pointer) {
    const tensor = pointer && !pointer.isCurve ? this.tensorAt(pointer.x, pointer.y) : null;
    if (tensor !== this.shown.hovered) {
      this.shown.hovered = tensor;
      this.draw();
    }
    if (!pointer) {
      this.hideTooltip();
      return;
    }
    const { step, offset } = this.layout.at(pointer.x, pointer.y);
    const inside = Math.min(Math.max(Math.floor(step), 0), this.model.steps - 1);
    const plain = (other) => element("bdi", {}, this.model.name(other).slice(0, 120));
    const content = () => {
      if (tensor !== null) return facts(this.model, tensor, plain);
      if (pointer.isCurve) return stepFacts(this.model, inside);
      return freeFacts(this.model, inside, Math.max(Math.floor(offset), 0));
    };
    this.showTooltip(content(), pointer.clientX, pointer.clientY);
  }

  showTooltip(content, x, y) {
    const { tooltip } = this;
    tooltip.replaceChildren(...content);
    tooltip.hidden = false;
    const { width, height } = tooltip.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    // Beside the pointer, on the side that has room.
    const left = x + 16 + width > clientWidth ? x - 16 - width : x + 16;
    const top = y + 16 + height > clientHeight ? y - 16 - height : y + 16;
    tooltip.style.transform = `translate(${Math.max(left, 4)}px, ${Math.max(top, 4)}px)`;
  }

  hideTooltip() {
    this.tooltip.hidden = true;
  }
}

new Page();
performance.mark("picture-drawn");
