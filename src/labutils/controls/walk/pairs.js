// For each head, what the row that is followed finds in every token.
import { BOLD, cells, END, fitted, hatched, raised, SMALL, TICK, text, upright, wide } from "../look/draw.js";
import { s } from "../look/markup.js";
import { num, range } from "../look/words.js";
import { flat, leading, parts, reach } from "./numbers.js";
import { written } from "./stops.js";
import { chip } from "./words.js";

const READABLE = 12, // px of a column with a label
  START = 58,
  HIGH = 22; // px: where the cells begin, and the height of a line

/** A line of cells for each head; below them the scale, and the numbers of the head that looks hardest. */
export function pairs(v, width, values) {
  const { stop, i, seen } = v,
    each = parts(stop, values, i),
    side = Math.min(56, (width - START) / seen.n),
    names = seen.tokens.map((token) => fitted(chip(token), 84, 12)),
    top = 12 + (upright(seen.n) ? 1 : 0.64) * Math.max(...names.map((t) => wide(t, 12))),
    shares = stop.key === "weights",
    far = shares ? 1 : reach(flat(each)),
    left = seen.info.causal ? seen.n - 1 - i : 0,
    foot = top + HIGH * each.length + 14;
  const hidden =
    left > 0 &&
    each.map((_, k) => hatched(START + side * (i + 1) + 0.5, top + HIGH * k + 0.5, side * left - 1, HIGH - 1));
  const rows = each.map((_, k) => text(START - 10, top + HIGH * (k + 0.5), `head ${k}`, { ...SMALL, ...END }));
  const { k: most } = leading(each),
    line = written(each[most], `${chip(seen.tokens[i])}, head ${most}`, width, foot + 46);
  return {
    marks: [
      above(names, i, side, top),
      rows,
      found(each, { side, top, shares, far }),
      hidden,
      legend(foot, { shares, far, masked: left > 0 }),
      line.marks,
    ],
    high: line.high,
  };
}

/** The names of the tokens above their columns. */
function above(names, i, side, top) {
  return names.map(
    (name, k) =>
      (side >= READABLE || k === i) &&
      s("text", {
        transform: raised(START + side * (k + 0.5), top - 6, names.length),
        "font-size": 12,
        text: name,
        fill: "var(--itt-ink)",
        ...(k === i ? BOLD : {}),
      }),
  );
}

const found = (each, { side, top, shares, far }) =>
  cells(
    shares ? "seq" : "div",
    each.flatMap((one, k) =>
      Array.from(one, (x, j) => ({
        x: START + side * j + 0.5,
        y: top + HIGH * k + 0.5,
        width: side - 1,
        height: HIGH - 1,
        t: shares ? x : 0.5 + x / (2 * far),
      })).filter((_, j) => one[j] !== -Infinity),
    ),
  );

const legend = (foot, { shares, far, masked }) => [
  range(9).map((k) =>
    s("rect", {
      x: START + 12 * k,
      y: foot,
      width: 12,
      height: 9,
      fill: `var(--itt-${shares ? "seq" : "div"}-${k})`,
    }),
  ),
  text(START, foot + 18, shares ? "0" : num(-far, 1), TICK),
  text(START + 108, foot + 18, num(far, shares ? 0 : 1), { ...TICK, ...END }),
  masked && [hatched(START + 130, foot - 1, 20, 11), text(START + 156, foot + 5, "masked", SMALL)],
];
