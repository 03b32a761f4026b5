// What the vectors say.
import { b } from "../look/markup.js";
import { num, pct, quote } from "../look/words.js";
import { largest, PAGE } from "./numbers.js";

export const ROLES = { q: "what it seeks", k: "what it offers", v: "what it hands over" };

/**
 * The sentence below what is shown.
 * @param v the view, and row and column of the number that is marked in the maps
 */
export const said = (v, [row, column] = [v.i, 0]) =>
  v.view === "numbers" ? pointed({ ...v, row, column: v.page * PAGE + column }) : readout({ ...v, head: v.headIndex });

export function readout({ layer, head, m, tokens, i }) {
  const where = `Layer ${layer}, head ${head}: `,
    asks = quote(tokens[i]);
  const near = largest(m.cosine, (j) => !m.masked[j] && !Number.isNaN(m.cosine[j])),
    best = largest(m.weight, () => true);
  if (near < 0) {
    const zero =
      m.length === 0
        ? ["the query of ", asks, " is 0 and points nowhere"]
        : ["no key that ", asks, " may see has a direction"];
    return [where, ...zero, ", so every score is 0 and the weights are equal, ", b(pct(m.weight[best])), " each."];
  }
  const first = [
    where,
    "of all keys that of ",
    quote(tokens[near]),
    " points most nearly the way of the query of ",
    asks,
    ", cosine ",
    b(num(m.cosine[near])),
    ". ",
  ];
  if (near === best) return [...first, "It also gets the largest weight, ", b(pct(m.weight[best])), "."];
  const lengths = `${num(m.lengths[best])} against ${num(m.lengths[near])}`;
  return [
    ...first,
    "The largest weight, ",
    b(pct(m.weight[best])),
    ", goes to ",
    quote(tokens[best]),
    ` (cosine ${num(m.cosine[best])}): a score also counts the length of a key, ${lengths}.`,
  ];
}

/** The number that a reader points at, in all three vectors of its token. */
function pointed({ tokens, row, column, head: { d, q, k, v } }) {
  const at = row * d + column;
  return [
    quote(tokens[row]),
    `, column ${column}: q `,
    b(num(q[at])),
    ", k ",
    b(num(k[at])),
    ", v ",
    b(num(v[at])),
    ".",
  ];
}
