// The drawing, once: in the page, in the file that a reader saves and in the still picture.
import { BOLD, drawing, END, MIDDLE, SMALL, TICK, text } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { range } from "../look/words.js";
import { view } from "./numbers.js";
import { PARTS } from "./parts.js";
import { facts, heading, number, readout, SOURCE, size, table } from "./words.js";

const BAR = 22,
  LINE = 58,
  FOOT = 2 * LINE - 10, // px; where the bars' axis stands
  MARKS = 4; // steps of the axis, at most

/** The sizes marked on an axis, from 0 on: whole numbers of the unit in which its end is written. */
function marks(most) {
  const unit = 1024 ** Math.floor(Math.log2(most) / 10),
    step = [1, 2, 5, 10, 20, 50, 100, 200, 500].map((n) => n * unit).find((n) => most / n <= MARKS);
  return range(1 + Math.floor(most / step)).map((i) => i * step);
}

/** The bars' axis, with its sizes below. */
const axis = (most, room) => [
  s("line", { x1: 0, x2: room, y1: FOOT, y2: FOOT, stroke: "var(--itt-line)" }),
  marks(most).map((bytes) => {
    const x = (room * bytes) / most,
      from = bytes ? MIDDLE : {};
    return [
      s("line", { x1: x, x2: x, y1: FOOT, y2: FOOT + 4, stroke: "var(--itt-line)" }),
      text(x, FOOT + 14, bytes ? size(bytes) : "0", { ...TICK, ...from }),
    ];
  }),
];

/** Two bars on one scale, which stays as it is while the formats of the numbers change, and three facts below. */
export function picture(seen, width) {
  const most = seen.largest,
    room = width - 92;
  const bars = [
    [`weights, ${number(seen.weight_bits)}`, seen.weights, "var(--itt-k)"],
    [`kept keys and values, ${number(seen.kept_bits)}`, seen.kept, "var(--itt-q)"],
  ].map(([name, bytes, fill], i) => {
    const long = Math.max(2, (room * Number(bytes)) / most);
    return [
      text(0, LINE * i + 8, name, SMALL),
      s("rect", { x: 0, y: LINE * i + 20, width: long, height: BAR, rx: 2, fill }),
      text(long + 8, LINE * i + 20 + BAR / 2, size(bytes), BOLD),
    ];
  });
  const below = FOOT + 48,
    lines = facts(seen).map(([name, value], i) => [
      s("line", { x1: 0, x2: width, y1: below + 30 * i - 8, y2: below + 30 * i - 8, stroke: "var(--itt-line)" }),
      text(0, below + 30 * i + 7, name, {}),
      text(width, below + 30 * i + 7, value, { ...END, ...BOLD }),
    ]);
  return drawing(width, below + 30 * lines.length - 4, axis(most, room), bars, lines);
}

const MEMORY = { picture, heading, readout, table, source: SOURCE };
/** What is drawn and said: of memory, or of parameters and operations by what they are for. */
export const looks = (parts) => (parts ? PARTS : MEMORY);

export function still(traits) {
  const seen = view(traits.finished, traits),
    { picture, heading, readout, source } = looks(traits.parts);
  return framed(traits, {
    draw: (width) => picture(seen, width),
    name: heading(seen),
    said: readout(seen),
    source,
  });
}
