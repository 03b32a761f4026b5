// The numbers of a stop in small, and the colours and scales that all pictures of the walk share.
import { cells, vector } from "../look/draw.js";
import { s } from "../look/markup.js";
import { range } from "../look/words.js";
import { flat, parts, reach } from "./numbers.js";

export const SMALLEST = 72; // px of a small picture
const SMALL_COLUMNS = 48; // in it
const COLOUR = {
  q: "var(--itt-q)",
  k: "var(--itt-k)",
  v: "var(--itt-v)",
  scores: "var(--itt-w)",
  weights: "var(--itt-w)",
  logits: "var(--itt-w)",
  odds: "var(--itt-w)",
};
export const colour = (key) => COLOUR[key] ?? "var(--itt-ink)";

/** The numbers of a stop for the token that is followed, in one line. */
export function spark(v, stop, width = SMALLEST, height = 16) {
  if (stop.key === "logits" || stop.key === "odds") {
    const row = v.seen.ahead[v.i],
      p = row.map((one) => one.p);
    return s("g", {}, vector(0, 0, width, 2 * height, p, Math.max(...p), colour(stop.key)));
  }
  const values = v.values(stop);
  if (!values) return null;
  const all = flat(parts(stop, values, v.i)).map((x) => (Number.isFinite(x) ? x : 0));
  return vector(0, 0, width, height, pooled(all), reach(all), colour(stop.key));
}
/** A long vector in few columns: of each stretch the number that is furthest from 0. */
export function pooled(values, most = SMALL_COLUMNS) {
  if (values.length <= most) return values;
  const from = (k) => Math.floor((k * values.length) / most);
  return Float64Array.from(range(most), (k) =>
    Array.from(values.subarray(from(k), from(k + 1))).reduce((far, x) => (Math.abs(x) > Math.abs(far) ? x : far)),
  );
}
/** What nearly all numbers stay below: one that stands out must not make all others pale. */
export function strong(values) {
  const sizes = Array.from(values, Math.abs)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return sizes[Math.min(sizes.length - 1, Math.floor(0.98 * sizes.length))] || 1;
}

/** Rows of numbers as strips of colours, one below the other: `far` is the strongest. */
export const striped = (rows, { x, y, width, high, far }) =>
  cells(
    "div",
    rows.flatMap((row, k) =>
      Array.from(row, (t, c) => ({
        x: x + (width / row.length) * c,
        y: y + high * k + 2,
        width: width / row.length + 0.1,
        height: high - 4,
        t: 0.5 + t / (2 * far),
      })),
    ),
  );
