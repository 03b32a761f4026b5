// The list of the stops, each with its numbers for one token in small: of all stages, and of the stations of a first
// walk.
import { BOLD, END, fitted, SMALL, TICK, text } from "../look/draw.js";
import { s } from "../look/markup.js";
import { SMALLEST, spark } from "./small.js";
import { shapeOf } from "./words.js";

const LINE = 22,
  STATION = 84; // px; of a station's name and small picture, where they fit into one line

const PARTS = { input: "from letters to rows", answer: "from a row to a word" };
const partName = ({ part }, { layer, seen }) =>
  PARTS[part] ?? (seen.L > 1 ? `block ${layer}, of 0 to ${seen.L - 1}` : "the block");

/** The list: parts of the way as headings, stops below them, the open one in bold. */
export function way(v, width) {
  const marks = [],
    room = Math.max(0, width - 108 - SMALLEST - 64);
  let y = 0,
    part = "";
  v.shown.forEach((stop, k) => {
    if (stop.part !== part) {
      part = stop.part;
      y += k ? 10 : 0;
      marks.push(text(0, y + 9, partName(stop, v), SMALL));
      y += 20;
    }
    const on = k === v.at,
      small = spark(v, stop);
    marks.push(
      on && s("rect", { x: -4, y: y + 0.5, width: width + 8, height: LINE - 1, rx: 4, fill: "var(--itt-hover)" }),
      text(4, y + LINE / 2, fitted(stop.title, 104 + room), on ? BOLD : {}),
      text(width - SMALLEST - 12, y + LINE / 2, shapeOf(stop.shape), { ...TICK, ...END }),
      small && s("g", { transform: `translate(${width - SMALLEST} ${y + 3})` }, small),
    );
    y += LINE;
  });
  return { marks, high: y };
}

/** The stations side by side, in as many lines as it takes; the open one in bold. */
export function stations(v, width) {
  const across = Math.max(1, Math.floor(width / STATION)),
    each = width / Math.min(across, v.shown.length);
  const marks = v.shown.map((stop, k) => {
    const x = each * (k % across),
      y = 52 * Math.floor(k / across),
      small = spark(v, stop, SMALLEST);
    return [
      k === v.at && s("rect", { x, y, width: each - 6, height: 46, rx: 4, fill: "var(--itt-hover)" }),
      text(x + 6, y + 12, stop.title, k === v.at ? BOLD : {}),
      small && s("g", { transform: `translate(${x + 6} ${y + 25})` }, small),
    ];
  });
  return { marks, high: 52 * Math.ceil(v.shown.length / across) };
}
