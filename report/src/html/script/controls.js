// What hands do on the picture: pointing, dragging, the wheel, keys and buttons.

const WHEEL = 0.0016;
const BUTTON = 1.6;
/** A press that moves less is a click. */
const STILL = 4;

class Controls {
  constructor(page) {
    this.page = page;
    this.plot = byId("plot");
    this.strip = byId("curve");
    for (const box of [this.plot, this.strip]) {
      box.addEventListener("pointermove", (event) => this.moved(event, box));
      box.addEventListener("pointerleave", () => page.hover(null));
      box.addEventListener("pointerdown", (event) => this.pressed(event, box));
      box.addEventListener("pointerup", (event) => this.released(event, box));
      box.addEventListener("pointercancel", () => this.dropped(box));
      box.addEventListener("wheel", (event) => this.wheeled(event, box), { passive: false });
    }
    this.plot.addEventListener("dblclick", (event) => this.clickedTwice(event));
    this.plot.addEventListener("keydown", (event) => this.keyed(event));
    byId("zoom-in").addEventListener("click", () => page.zoomMiddle(1 / BUTTON));
    byId("zoom-out").addEventListener("click", () => page.zoomMiddle(BUTTON));
    byId("zoom-reset").addEventListener("click", () => page.showAll());
    // The tooltip would stay where it was while the page below it is another one.
    document.addEventListener("keydown", () => page.hover(null), { capture: true });
    document.addEventListener("scroll", () => page.hover(null), { capture: true, passive: true });
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest("input, select, textarea");
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        byId("search").focus();
        byId("search").select();
      } else if (event.key === "Escape" && !isTyping) {
        page.letGo();
      }
    });
  }

  point(event, box) {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  moved(event, box) {
    const { page, press } = this;
    if (!press) {
      const { clientX, clientY } = event;
      page.hover({ ...this.point(event, box), isCurve: box === this.strip, clientX, clientY });
      return;
    }
    const right = press.x - event.clientX;
    const down = press.y - event.clientY;
    press.travelled += Math.abs(right) + Math.abs(down);
    if (press.travelled < STILL) return;
    box.classList.add("dragged");
    page.hover(null);
    page.move(right / box.clientWidth, box === this.strip ? 0 : -down / box.clientHeight);
    [press.x, press.y] = [event.clientX, event.clientY];
  }

  pressed(event, box) {
    if (event.button !== 0) return;
    box.setPointerCapture(event.pointerId);
    this.press = { x: event.clientX, y: event.clientY, travelled: 0 };
  }

  released(event, box) {
    const isClick = this.press && this.press.travelled < STILL;
    this.dropped(box);
    if (!isClick || box !== this.plot) return;
    const { x, y } = this.point(event, box);
    this.page.select(this.page.tensorAt(x, y));
  }

  dropped(box) {
    this.press = null;
    box.classList.remove("dragged");
  }

  wheeled(event, box) {
    const { x, y } = this.point(event, box);
    const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    // With Shift, many systems turn the wheel to the side.
    const turned = (event.deltaY || (event.shiftKey ? event.deltaX : 0)) * scale;
    if (turned === 0) {
      this.page.move((event.deltaX * scale) / box.clientWidth, 0);
      event.preventDefault();
      return;
    }
    const inBytes = !event.shiftKey && box === this.plot;
    const inTime = !event.altKey || box !== this.plot;
    // Where there is nothing more to zoom, the page scrolls.
    if (this.page.zoom(Math.exp(turned * WHEEL), x, y, { inTime, inBytes })) event.preventDefault();
  }

  clickedTwice(event) {
    const { x, y } = this.point(event, this.plot);
    const tensor = this.page.tensorAt(x, y);
    if (tensor === null) this.page.zoom(1 / BUTTON, x, y);
    else this.page.zoomTo(tensor);
  }

  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { page } = this;
    const move = event.shiftKey;
    const keys = {
      ArrowLeft: () => (move ? page.move(-0.2, 0) : page.walk(-1)),
      ArrowRight: () => (move ? page.move(0.2, 0) : page.walk(1)),
      ArrowUp: () => (move ? page.move(0, 0.2) : page.climb(1)),
      ArrowDown: () => (move ? page.move(0, -0.2) : page.climb(-1)),
      Home: () => page.walkTo(0),
      End: () => page.walkTo(-1),
      Enter: () => page.zoomTo(page.shown.selected),
      "+": () => page.zoomMiddle(1 / BUTTON),
      "=": () => page.zoomMiddle(1 / BUTTON),
      "-": () => page.zoomMiddle(BUTTON),
      "0": () => page.showAll(),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
