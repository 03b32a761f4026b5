// The numbers of the vectors: one head as it is shown, and how one query meets every key: direction, score, weight.
import { clamp, index, label, num, range } from "../look/words.js";
import { attend, hides, row } from "../steps/numbers.js";

export const PAGE = 16; // columns of a map
/** How many pages a head of width d has. */
export const pages = (d) => Math.ceil(d / PAGE);

/** What is drawn: the state within the reading that is there. Null while the head that is asked for is on its way. */
export function view(seen, now) {
  const layer = index(now.layer, seen.L),
    headIndex = index(now.head, seen.H),
    head = seen.at(layer, headIndex),
    i = index(now.query, seen.n);
  if (!head) return null;
  const page = index(now.page, pages(head.d));
  return {
    layer,
    headIndex,
    head,
    i,
    page,
    view: now.view === "numbers" ? "numbers" : "keys",
    columns: Math.min(PAGE, head.d - page * PAGE),
    tokens: seen.tokens,
    m: meet(head, i, hides(seen)),
  };
}

export const heading = (v) => `Layer ${v.layer}, head ${v.headIndex}, query “${label(v.tokens[v.i])}”`;

/** One line a token: how the query meets it, then its three vectors in full. */
export function rows(v) {
  const {
      m,
      head: { d, q, k, v: values },
    } = v,
    names = (letter) => Array.from({ length: d }, (_, c) => `${letter} ${c}`);
  const vector = (matrix, j) => Array.from(matrix.subarray(j * d, (j + 1) * d), (x) => num(x, 4));
  return {
    caption: heading(v),
    head: ["token", "cosine", "length of k", "score", "weight", ...names("q"), ...names("k"), ...names("v")],
    rows: v.tokens.map((t, j) => [
      `${j} ${label(t)}`,
      Number.isNaN(m.cosine[j]) ? "none" : num(m.cosine[j], 4),
      num(m.lengths[j], 4),
      num(m.score[j], 4),
      m.masked[j] ? "masked" : num(m.weight[j], 4),
      ...vector(q, j),
      ...vector(k, j),
      ...vector(values, j),
    ]),
  };
}

/**
 * @param {{n, d, q, k, v}} head q, k and v are (n, d), row after row
 * @param {number} i the token that asks; @param {boolean} causal later tokens are masked
 * @returns {{length, lengths, cosine, score, masked, weight}} cosine is NaN where a vector is 0 and has no direction;
 *   weight is 0 where masked
 */
export function meet(head, i, causal) {
  const { n, d, q, k } = head,
    { raw, scaled, kept, w } = attend(head, { i, temperature: 1, scale: true, causal }),
    norm = (matrix, j) => Math.hypot(...row(matrix, d, j));
  const length = norm(q, i),
    lengths = range(n).map((j) => norm(k, j)),
    both = lengths.map((one) => one * length);
  const cosine = both.map((product, j) => (product > 0 ? clamp(raw[j] / product, -1, 1) : NaN));
  return {
    length,
    lengths,
    cosine,
    score: Array.from(scaled),
    masked: Array.from(kept, (x) => x === -Infinity),
    weight: Array.from(w),
  };
}

/** The index of the largest of the numbers for which `counts` holds; −1 if there is none. */
export function largest(numbers, counts) {
  return numbers.reduce((best, x, j) => (counts(j) && (best < 0 || x > numbers[best]) ? j : best), -1);
}
