// What is told of a tensor, and of a place where no tensor is.

/** Where tensors live that no arena gives bytes to. */
const ELSEWHERE = {
  none: "has no memory",
  constant: "a constant: in the model's file",
  dynamic: "allocated by its operator at run time: no plan knows it",
  persistent_ro: "computed once, kept outside the arenas",
  custom: "in memory of the application",
  variant: "an object outside the arenas",
};

const MOST_NAMES = 8;

/** `link` makes a node of a tensor: a plain name in the tooltip, a button among the details. */
function facts(model, tensor, link) {
  const { type, shape, bytes, kind, place } = model.tensors[tensor];
  const list = element("dl", { class: "facts" });
  const add = (term, ...content) => {
    if (content.some((piece) => piece !== "")) list.append(element("dt", {}, term), element("dd", {}, ...content));
  };
  const nodes = (steps) => {
    const more = steps.length > MOST_NAMES ? ` and ${exact(steps.length - MOST_NAMES)} more` : "";
    return steps.slice(0, MOST_NAMES).map((step) => model.step(step)).join(", ") + more;
  };
  const links = (tensors) => {
    const all = tensors.slice(0, MOST_NAMES).flatMap((other, at) => (at > 0 ? [", ", link(other)] : [link(other)]));
    return tensors.length > MOST_NAMES ? [...all, ` and ${exact(tensors.length - MOST_NAMES)} more`] : all;
  };
  add("bytes", bothWays(bytes));
  add("type", [type, shape?.join("×")].filter(Boolean).join(" "));
  add("is", roles(model, tensor));
  add("written by", nodes(model.writers[tensor]));
  add("inside of", nodes(model.users[tensor]));
  if (place) {
    add("read by", nodes(model.readers[tensor]));
    if (place.size !== bytes) add("set aside", bothWays(place.size));
    add("needed", life(model, place));
    add("offset", `${exact(place.offset)} up to ${exact(place.offset + place.size)}`);
    if (place.arena === "persistent") add("lies in", "the persistent arena");
    if (place.root !== tensor) add("takes over", link(place.root));
    else add("bytes before", ...(place.previous === null ? ["nobody had them"] : [link(place.previous)]));
    if (model.aliases[tensor].length > 0) add("taken over by", ...links(model.aliases[tensor]));
  } else {
    add("read by", nodes(model.readers[tensor]));
    add("lies", ELSEWHERE[kind] ?? "nowhere: nothing needs it");
  }
  return [element("p", { class: "facts-name" }, element("bdi", {}, model.name(tensor))), list];
}

function roles(model, tensor) {
  const names = [["graph input", model.inputs], ["graph output", model.outputs], ["variable", model.variables]];
  return names.filter(([, tensors]) => tensors.has(tensor)).map(([name]) => name).join(", ");
}

function life(model, place) {
  if (model.isTable) return `from time ${exact(model.time(place.first))} to ${exact(model.time(place.last + 1))}`;
  if (place.last === null) return `from node ${exact(place.first)}, never given back`;
  const count = place.last - place.first + 1;
  return count === 1 ? `node ${exact(place.first)} only`
    : `nodes ${exact(place.first)} to ${exact(place.last)}, ${exact(count)} in all`;
}

/** In one sentence, for who cannot see the picture. */
function sentence(model, tensor) {
  const { bytes, place } = model.tensors[tensor];
  const where = place ? `${life(model, place)}, offset ${exact(place.offset)}` : "not in the arena";
  return `${model.name(tensor).slice(0, 200)}, ${counted(bytes, "byte")}, ${where}`;
}

/** A place in the picture that no tensor has. */
function freeFacts(model, step, offset) {
  return [
    element("p", { class: "facts-name" }, "free"),
    element("dl", { class: "facts" },
      element("dt", {}, "at"), element("dd", {}, model.step(step)),
      ...(offset === null ? [] : [element("dt", {}, "offset"), element("dd", {}, exact(offset))]),
      element("dt", {}, "alive here"), element("dd", {}, bothWays(model.live[step])),
      element("dt", {}, "free here"), element("dd", {}, bothWays(Math.max(model.totals.arena - model.live[step], 0)))),
  ];
}

/** A node on the curve. */
function stepFacts(model, step) {
  const [, list] = freeFacts(model, step, null);
  list.firstChild.remove();
  list.firstChild.remove();
  return [element("p", { class: "facts-name" }, model.step(step)), list];
}
