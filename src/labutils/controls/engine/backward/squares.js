// Where the attention weights of a batch stand, and attention in an arena: for each text and head a square of weights,
// with zeros where a row does not see, so that every step is a product of matrices.
import { product } from "./arena.js";
import { zeros } from "./numbers.js";

/**
 * @typedef {import("./attention.js").How} How
 * @typedef {import("./arena.js").Arena} Arena
 */

/** How long a row of n weights is: it ends at a whole vector of four. */
export const across = (/** @type {number} */ n) => 4 * Math.ceil(n / 4);

/**
 * How many numbers all squares take.
 * @param {{starts: number[], heads: number}} how
 */
export function squares({ starts, heads }) {
  let many = 0;
  for (let t = 0; t + 1 < starts.length; t++) many += (starts[t + 1] - starts[t]) * across(starts[t + 1] - starts[t]);
  return heads * many;
}

/** Each text and head: where its rows begin in q, how many there are, and where its square stands. */
function eachSquare({ starts, heads, width }, visit) {
  let at = 0;
  for (let t = 0; t + 1 < starts.length; t++) {
    const n = starts[t + 1] - starts[t];
    for (let h = 0; h < heads; h++) {
      if (n) visit(starts[t] * width + (h * width) / heads, n, at);
      at += n * across(n);
    }
  }
}

/** A product needs room for eight columns of at most this many numbers. */
const hasRoom = (home, { starts, width, heads }) =>
  home.panel(8 * Math.max(width / heads, starts.at(-1))) > 0 && (width / heads) % 4 === 0;

/**
 * @param {Arena} home
 * @param {Object<string, any>} arrays q, k, v and mixed (rows, width), weights; the last two are written
 * @param {How} how
 * @returns {boolean} false if there is no room, and nothing was done
 */
export function inSquares(home, { q, k, v, mixed, weights }, how) {
  const { width, heads } = how,
    d = width / heads;
  if (!hasRoom(home, how)) return false;
  eachSquare(how, (from, n, at) => {
    const wide = across(n);
    // the columns that fill up a row meet keys of another text: they are masked like all that comes later
    product(home, [q, width, 1, from], [k, 1, width, from], [weights, wide, at], [n, wide, d]);
    home.loops.softmax(weights.byteOffset + 4 * at, n, wide, 1 / Math.sqrt(d), 1, 1);
    product(home, [weights, wide, 1, at], [v, width, 1, from], [mixed, width, from], [n, d, n]);
  });
  return true;
}

/**
 * @param {Arena} home
 * @param {Object<string, any>} arrays dmixed, q, k, v, weights; dq, dk and dv are written
 * @param {How} how
 * @returns {boolean} false if there is no room, and nothing was done
 */
export function inSquaresBack(home, { dmixed, q, k, v, weights, dq, dk, dv }, how) {
  const { width, heads, starts } = how,
    d = width / heads,
    longest = Math.max(...starts.slice(1).map((end, t) => end - starts[t])),
    asked = zeros(longest * across(longest), q);
  if (asked.buffer !== q.buffer || !hasRoom(home, how)) return false;
  eachSquare(how, (from, n, at) => {
    const wide = across(n);
    product(home, [weights, 1, wide, at], [dmixed, width, 1, from], [dv, width, from], [n, d, n]);
    product(home, [dmixed, width, 1, from], [v, 1, width, from], [asked, wide], [n, wide, d]);
    home.loops.softmax_back(weights.byteOffset + 4 * at, asked.byteOffset, n, wide, 1 / Math.sqrt(d));
    product(home, [asked, wide, 1], [k, width, 1, from], [dq, width, from], [n, d, n]);
    product(home, [asked, 1, wide], [q, width, 1, from], [dk, width, from], [n, d, n]);
  });
  return true;
}
