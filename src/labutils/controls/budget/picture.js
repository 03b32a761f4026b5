// The drawing, once: in the page, in the file that a reader saves and in the still picture.
import { BOLD, drawing, END, SMALL, text } from "../look/draw.js";
import { s } from "../look/markup.js";
import { still as framed } from "../look/still.js";
import { view } from "./numbers.js";
import { PARTS } from "./parts.js";
import { facts, heading, number, readout, SOURCE, size, table } from "./words.js";

const BAR = 22,
  LINE = 58; // px

/** Two bars on one scale, and three facts below. */
export function picture(seen, width) {
  const most = Math.max(seen.weights, seen.kept),
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
  const below = 2 * LINE + 14,
    lines = facts(seen).map(([name, value], i) => [
      s("line", { x1: 0, x2: width, y1: below + 30 * i - 8, y2: below + 30 * i - 8, stroke: "var(--itt-line)" }),
      text(0, below + 30 * i + 7, name, {}),
      text(width, below + 30 * i + 7, value, { ...END, ...BOLD }),
    ]);
  return drawing(width, below + 30 * lines.length - 4, bars, lines);
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
