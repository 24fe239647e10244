// All that stands around the picture: title, totals, findings, what is kept from run to run.

function drawSummary(model, select) {
  const { map } = model;
  byId("title").textContent = map.title;
  byId("about").textContent = about(model);
  showWhere("not-replayed", map.not_replayed !== null, (notice) => {
    notice.textContent = `The recorded calls give another plan now: ${map.not_replayed}.`;
  });
  byId("totals").replaceChildren(...totals(model));
  drawFindings(report.findings.filter((finding) => finding.map === null || finding.map === model.index));
  byId("unknowns-section").hidden = map.unknowns.length === 0;
  byId("unknowns").replaceChildren(...map.unknowns.map(({ text }) => element("li", {}, ...withCode(text))));
  drawPersistent(model, select);
  byId("footer").textContent = `tflite-arena ${report.library}`;
}

/** The most important come first, so only those are unfolded. */
const FIRST_FINDINGS = 4;

function drawFindings(findings) {
  const line = ({ text, advice }) =>
    element("li", {},
      element("p", {}, ...withCode(text)),
      advice && element("p", { class: "quiet" }, ...withCode(advice)));
  const rest = findings.slice(FIRST_FINDINGS);
  byId("findings-section").hidden = findings.length === 0;
  byId("findings").replaceChildren(...findings.slice(0, FIRST_FINDINGS).map(line));
  byId("more-findings").hidden = rest.length === 0;
  byId("more-findings").open = false;
  byId("more-findings-summary").textContent = `${exact(rest.length)} more`;
  byId("rest-of-findings").start = FIRST_FINDINGS + 1;
  byId("rest-of-findings").replaceChildren(...rest.map(line));
}

/** What stands between two backticks is an option, a command or the like. */
function withCode(text) {
  return text.split("`").map((piece, at) => (at % 2 === 1 ? element("code", {}, piece) : piece));
}

function showWhere(id, isShown, fill) {
  const place = byId(id);
  place.hidden = !isShown;
  if (isShown) fill(place);
}

function about({ map, nodes, tensors, steps, isTable }) {
  const { origin, options } = map;
  const source = {
    recording: () => `recorded from process ${origin.pid}, planner ${origin.planner}, subgraph ${origin.subgraph}`,
    model: () => `planned from a model's file of ${exact(origin.file_bytes)} bytes, subgraph ${origin.subgraph}`,
    table: () => "a table of buffers",
  }[origin.kind]();
  const sizes = isTable
    ? `${counted(tensors.length, "buffer")} in ${counted(steps, "step")} of time`
    : `${counted(nodes.length, "node")}, ${counted(tensors.length, "tensor")}`;
  const plan = options.strategy === null ? "places as given" : `strategy ${options.strategy}`;
  return `${source} · ${sizes} · ${plan}, alignment ${options.alignment}`;
}

function totals({ totals: { naive, arena, lower_bound: bound, persistent, padding, gap_percent: gap } }) {
  const most = Math.max(naive, arena + persistent, 1);
  const units = (bytes) => (bytes < 1024 ? "bytes" : inUnits(bytes));
  const tile = (term, bytes, remark) =>
    element("div", {},
      element("dt", {}, term),
      element("dd", { class: "number" }, exact(bytes)),
      element("dd", {}, bar(bytes / most)),
      element("dd", { class: "quiet" }, [units(bytes), remark].filter(Boolean).join(" · ")));
  // Above a lower bound of 0 there are no per cents.
  const above = arena === bound ? "at the lower bound: no plan is lower"
    : `${gap === null ? "" : `${Math.abs(gap).toFixed(2)} % `}${gap < 0 ? "below" : "above"} the lower bound`;
  const less = arena > 0 ? `${(naive / arena).toFixed(1)} times the arena` : "";
  return [
    tile("arena", arena, above),
    tile("lower bound", bound, ""),
    tile("naive", naive, less),
    tile("persistent", persistent, persistent > 0 ? "besides the arena" : ""),
    ...(persistent > 0 ? [tile("together", arena + persistent, "arena and persistent")] : []),
    tile("lost to alignment", padding, padding > 0 ? "of the lower bound" : ""),
  ];
}

/** A bar that is full at 1. */
function bar(share) {
  const fill = element("i");
  fill.style.width = `${100 * share}%`;
  return element("span", { class: "bar", "aria-hidden": "true" }, fill);
}

const FIRST_BARS = 12;
const MORE_BARS = 100;

function drawPersistent(model, select) {
  const { tensors, totals: { persistent } } = model;
  const owners = [...tensors.keys()]
    .filter((tensor) => tensors[tensor].place?.arena === "persistent" && tensors[tensor].place.root === tensor)
    .sort((a, b) => tensors[b].place.size - tensors[a].place.size || a - b);
  byId("persistent-section").hidden = owners.length === 0;
  byId("persistent-about").textContent =
    `${counted(owners.length, "tensor")}, ${bothWays(persistent)} bytes; largest first.`;
  const list = byId("persistent");
  const more = byId("persistent-more");
  const line = (tensor) => {
    const { size } = tensors[tensor].place;
    const share = size / Math.max(persistent, 1);
    return element("li", {},
      element("button", { type: "button", class: "link", onclick: () => select(tensor) },
        element("bdi", {}, model.name(tensor))),
      element("span", { class: "quiet" }, model.firstWriter(tensor) || roles(model, tensor)),
      bar(size / Math.max(tensors[owners[0]].place.size, 1)),
      element("span", { class: "number" }, `${exact(size)} · ${(100 * share).toFixed(1)} %`));
  };
  list.replaceChildren();
  const show = (count) => {
    const from = list.children.length;
    list.append(...owners.slice(from, from + count).map(line));
    const left = owners.length - list.children.length;
    more.hidden = left === 0;
    more.textContent = `Show ${exact(Math.min(left, MORE_BARS))} more`;
  };
  more.onclick = () => show(MORE_BARS);
  show(FIRST_BARS);
}
