// Numbers and names as people read them.

const groups = new Intl.NumberFormat("en-US");

/** With a comma before each three digits. */
function exact(number) {
  return groups.format(number);
}

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** Bytes in the largest unit that leaves a whole one, rounded as everywhere in the reports: "1.7 MiB". */
function inUnits(bytes) {
  let unit = 0;
  while (bytes >= 1024 && unit < UNITS.length - 1) {
    bytes /= 1024;
    unit += 1;
  }
  return `${bytes.toFixed(unit === 0 ? 0 : 1)} ${UNITS[unit]}`;
}

/** A multiple of a power of two, in the largest unit in which it has three decimals at most. */
function tickText(tick, step) {
  let unit = UNITS.length - 1;
  while (unit > 0 && (step < 1024 ** unit / 8 || tick < 1024 ** unit)) unit -= 1;
  return unit === 0 ? `${exact(tick)} B` : `${exact(tick / 1024 ** unit)} ${UNITS[unit]}`;
}

/** "1,769,472 (1.7 MiB)", and short numbers alone. */
function bothWays(bytes) {
  return bytes < 1024 ? exact(bytes) : `${exact(bytes)} (${inUnits(bytes)})`;
}

function counted(number, what) {
  return `${exact(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** For sorting, infinities included. */
function compared(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A node of the document. Children are nodes or texts, so no name is ever taken for markup. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

function byId(id) {
  return document.getElementById(id);
}
