// Finds tensors by name: all matches stand out in the picture and fill the table, Enter goes from one to the next.

class Search {
  /** `found` is called with the matches (null when nothing is looked for), `go` with one of them. */
  constructor({ found, go }) {
    this.found = found;
    this.go = go;
    this.field = byId("search");
    this.count = byId("matches");
    this.buttons = [byId("previous-match"), byId("next-match")];
    this.field.addEventListener("input", () => this.look());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === "Escape") {
        event.preventDefault();
        this.clear();
      }
    });
    this.buttons[0].addEventListener("click", () => this.step(-1));
    this.buttons[1].addEventListener("click", () => this.step(1));
  }

  open(model) {
    this.model = model;
    this.look();
  }

  clear() {
    this.field.value = "";
    this.look();
  }

  look() {
    const text = this.field.value.trim();
    this.matches = text === "" ? [] : this.model.find(text);
    this.current = -1;
    this.found(text === "" ? null : new Set(this.matches));
    this.tell();
  }

  step(by) {
    const count = this.matches.length;
    if (count === 0) return;
    this.current = this.current === -1 ? (by > 0 ? 0 : count - 1) : (this.current + by + count) % count;
    this.tell();
    this.go(this.matches[this.current]);
  }

  tell() {
    const count = this.matches.length;
    for (const button of this.buttons) button.disabled = count === 0;
    if (this.field.value.trim() === "") this.count.textContent = "";
    else if (count === 0) this.count.textContent = "no match";
    else if (this.current === -1) this.count.textContent = `${exact(count)} match${count === 1 ? "" : "es"}`;
    else this.count.textContent = `${exact(this.current + 1)} of ${exact(count)}`;
  }
}
