// All tensors as a table: what the picture shows, and what no arena holds; sorted by any column, a page at a time.

const ROWS = 50;

const COLUMNS = [
  { title: "number", value: (model, tensor) => tensor, text: exact, isNumber: true },
  { title: "name", value: (model, tensor) => model.tensors[tensor].name },
  { title: "type", value: (model, tensor) => model.tensors[tensor].type },
  { title: "shape", value: (model, tensor) => model.tensors[tensor].shape?.join("×") ?? "" },
  { title: "bytes", value: (model, tensor) => model.tensors[tensor].bytes, text: exact, isNumber: true },
  { title: "lives in", value: (model, tensor) => home(model.tensors[tensor]) },
  { title: "written by", value: (model, tensor) => model.firstWriter(tensor) },
  { title: "first", value: (model, tensor) => firstOf(model, model.tensors[tensor].place), text: exact, isNumber: true },
  { title: "last", value: (model, tensor) => lastOf(model, model.tensors[tensor].place), text: lastText, isNumber: true },
  { title: "offset", value: (model, tensor) => model.tensors[tensor].place?.offset, text: exact, isNumber: true },
];

function home({ kind, place }) {
  if (place) return place.arena === "rw" ? "arena" : "persistent arena";
  return kind === "arena_rw" || kind === "persistent" ? "nowhere" : String(kind).replace("_", " ");
}

function firstOf(model, place) {
  return place && model.time(place.first);
}

/** What is never given back comes after all that is. A table has the time up to which a buffer is needed. */
function lastOf(model, place) {
  if (model.isTable) return place && model.time(place.last + 1);
  return place && (place.last ?? Infinity);
}

function lastText(last) {
  return last === Infinity ? "end" : exact(last);
}

class Table {
  /** `select` is called with a tensor that was chosen here. */
  constructor(select) {
    this.select = select;
    this.head = byId("table").tHead;
    this.body = byId("table").tBodies[0];
    this.before = byId("page-before");
    this.after = byId("page-after");
    this.before.addEventListener("click", () => this.turn(-1));
    this.after.addEventListener("click", () => this.turn(1));
    const cells = COLUMNS.map((column, at) =>
      element("th", { scope: "col", class: column.isNumber ? "number" : "" },
        element("button", { type: "button", onclick: () => this.sortBy(at) }, column.title)));
    this.head.replaceChildren(element("tr", {}, ...cells));
  }

  open(model) {
    this.model = model;
    this.column = COLUMNS.findIndex(({ title }) => title === "bytes");
    this.isDescending = true;
    this.selected = null;
    this.keepOnly(null);
  }

  /** Those that a search has found, or all. */
  keepOnly(tensors) {
    this.tensors = tensors ? [...tensors] : this.model.tensors.map((_, tensor) => tensor);
    this.sort();
  }

  sortBy(column) {
    this.isDescending = column === this.column ? !this.isDescending : COLUMNS[column].title === "bytes";
    this.column = column;
    this.sort();
  }

  sort() {
    const { value } = COLUMNS[this.column];
    const sign = this.isDescending ? -1 : 1;
    const keyed = this.tensors.map((tensor) => ({ tensor, key: value(this.model, tensor) }));
    // What has no value comes last, either way.
    const missing = (key) => key === undefined || key === null || key === "";
    keyed.sort((a, b) => missing(a.key) - missing(b.key) || sign * compared(a.key, b.key) || a.tensor - b.tensor);
    this.tensors = keyed.map(({ tensor }) => tensor);
    this.page = 0;
    this.draw();
  }

  turn(by) {
    this.page += by;
    this.draw();
  }

  mark(tensor) {
    this.selected = tensor;
    for (const row of this.body.rows) row.classList.toggle("selected", Number(row.dataset.tensor) === tensor);
  }

  draw() {
    const first = this.page * ROWS;
    const rows = this.tensors.slice(first, first + ROWS);
    this.body.replaceChildren(...rows.map((tensor) => this.row(tensor)));
    this.mark(this.selected);
    const last = first + rows.length;
    const all = this.tensors.length;
    const found = all === this.model.tensors.length ? "" : " found";
    byId("table-caption").textContent =
      all === 0 ? "none found" : `${exact(first + 1)} to ${exact(last)} of ${counted(all, "tensor")}${found}`;
    this.before.disabled = this.page === 0;
    this.after.disabled = last >= all;
    for (const [at, cell] of [...this.head.rows[0].cells].entries()) {
      const isSorted = at === this.column;
      if (isSorted) cell.setAttribute("aria-sort", this.isDescending ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
      cell.firstChild.textContent = COLUMNS[at].title + (isSorted ? (this.isDescending ? " ↓" : " ↑") : "");
    }
  }

  row(tensor) {
    const row = element("tr", { "data-tensor": tensor });
    for (const { title, value, text, isNumber } of COLUMNS) {
      const key = value(this.model, tensor);
      if (title === "name") {
        const name = element("bdi", {}, key || `tensor ${tensor}`);
        const button = element("button", { type: "button", class: "link", onclick: () => this.select(tensor) }, name);
        row.append(element("td", { class: "name" }, button));
      } else {
        const shown = key === undefined || key === null ? "" : text ? text(key) : key;
        row.append(element("td", { class: isNumber ? "number" : "clipped" }, shown));
      }
    }
    return row;
  }
}
