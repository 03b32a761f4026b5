// The tree as an SVG: what is kept stands in full boxes, what is dropped in empty ones, and the path spoken of in ink.
import { BOLD, drawing, fitted, inkOn, ramp, SMALL, TICK, text, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { label } from "../look/words.js";
import { bestOf, columns, nodeAt, parentOf, wayTo } from "./numbers.js";
import { chance, heading, readout, wordOf } from "./words.js";

const HIGH = 40,
  GAP = 10,
  TOP = 26,
  ROOT = 112;

/** Where the boxes stand: of each path its x, y and width; and the height of the whole. */
export function places(found, state, width) {
  const cols = columns(found, state.width, state.step),
    most = Math.max(...found.widths[state.width].steps.map((nodes) => nodes.length)),
    height = Math.max(2, most) * (HIGH + GAP),
    root = Math.min(ROOT, width / 4),
    across = (width - root) / found.most,
    lane = Math.min(46, across / 3),
    boxes = new Map([["", { x: 0, y: TOP + height / 2 - HIGH / 2, width: root - 4 }]]);
  cols.forEach((nodes, i) => {
    const room = height / nodes.length;
    nodes.forEach((node, k) => {
      boxes.set(node.path, {
        x: root + i * across + lane,
        y: TOP + room * (k + 0.5) - HIGH / 2,
        width: across - lane,
      });
    });
  });
  return { cols, boxes, height: TOP + height, root, across };
}

export function picture(found, state, width) {
  const { cols, boxes, height, root, across } = places(found, state, width),
    spoken = nodeAt(cols, state.node) ?? bestOf(found, state.width, state.step),
    way = new Set(wayTo(cols, spoken.path).map((node) => node.path));
  const steps = cols.map((_, i) =>
    text(root + i * across + Math.min(46, across / 3), 6, i ? `word ${i + 1}` : "word 1", SMALL),
  );
  return drawing(
    width,
    height + 4,
    steps,
    cols.flat().map((node) => edge(node, boxes, way.has(node.path))),
    rootBox(found, boxes.get("")),
    cols.flat().map((node) => box(node, boxes.get(node.path), way.has(node.path))),
  );
}

function edge(node, boxes, on) {
  const from = boxes.get(parentOf(node.path)),
    to = boxes.get(node.path),
    [x0, y0, x1, y1] = [from.x + from.width, from.y + HIGH / 2, to.x, to.y + HIGH / 2],
    mid = (x0 + x1) / 2,
    at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return s("path", {
    d: `M${at(x0, y0)}C${at(mid, y0)} ${at(mid, y1)} ${at(x1, y1)}`,
    fill: "none",
    stroke: on ? "var(--itt-ink)" : node.fate === "dropped" ? "var(--itt-ghost)" : "var(--itt-w)",
    "stroke-width": on ? 2.5 : node.fate === "dropped" ? 1 : 1.75,
    ...(node.fate === "dropped" && !on ? { "stroke-dasharray": "3 3" } : {}),
  });
}

function rootBox({ text: given }, { x, y, width }) {
  const words = label(given, 60).split(" "),
    said = () => words.join(" ");
  let shown = said();
  while (words.length > 1 && wide(shown, 13) * 0.86 > width) {
    words.shift();
    shown = `… ${said()}`;
  }
  return text(x, y + HIGH / 2, fitted(shown, width), { ...BOLD, "font-size": 13 });
}

function box(node, { x, y, width }, on) {
  const kept = node.fate !== "dropped",
    t = 0.12 + 0.5 * Math.sqrt(node.p),
    ink = kept ? inkOn("seq", t) : "var(--itt-muted)";
  return s(
    "g",
    { class: "bm-node", "data-path": node.path },
    s("rect", {
      ...{ x: x + 1, y: y + 1, width: width - 2, height: HIGH - 2, rx: 4 },
      fill: kept ? ramp("seq", t) : "var(--itt-paper)",
      stroke: on ? "var(--itt-ink)" : kept ? "none" : "var(--itt-ghost)",
      "stroke-width": on ? 2.5 : 1,
      ...(kept || on ? {} : { "stroke-dasharray": "3 3" }),
    }),
    text(x + 9, y + 13, fitted(wordOf(node, width < 110), width - 14), { ...(kept ? BOLD : {}), fill: ink }),
    text(x + 9, y + 29, chance(node.p), { ...TICK, fill: ink }),
  );
}

export const source = (found) =>
  `${found.label}. Filled: kept. Dashed: dropped. ` +
  "Of each step the best continuations are drawn, twice as many as beams.";

export function still(traits) {
  const found = traits.finished,
    state = { width: 2, step: found.most, node: "" };
  return framed(traits, {
    draw: (width) => picture(found, state, width),
    name: heading(found, state),
    said: readout(found, state),
    source: source(found),
  });
}
