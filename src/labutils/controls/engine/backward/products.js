// The slow step of training: the three products of a linear layer, y = x Wᵀ forward, dW = dyᵀ x and dx = dy W backward.
// In an arena they are one loop of `kernels.wat`, which reads a transposed matrix as it lies. In JavaScript all three
// become a bᵀ, with one matrix transposed first; a tile of 4 rows by 2 columns keeps eight sums in registers.
import { arenaOf, product } from "./arena.js";
import { transposed, zeros } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */

/**
 * a bᵀ, and to each row of it c.
 * @param {Numbers} a (rows, inner)
 * @param {Numbers} b (columns, inner)
 * @param {number} inner
 * @param {Numbers} [c] (columns)
 * @returns {Numbers} (rows, columns)
 */
export function timesTransposed(a, b, inner, c) {
  const rows = a.length / inner,
    columns = b.length / inner,
    y = zeros(rows * columns, a);
  if (c) for (let i = 0; i < rows; i++) y.set(c, i * columns);
  if (!inArena([a, inner, 1], [b, 1, inner], [y, columns], [rows, columns, inner])) addRowsByRows(a, b, y, inner);
  return y;
}

/**
 * a b.
 * @param {Numbers} a (rows, inner)
 * @param {Numbers} b (inner, columns)
 * @param {number} inner
 * @returns {Numbers} (rows, columns)
 */
export function times(a, b, inner) {
  const rows = a.length / inner,
    columns = b.length / inner,
    y = zeros(rows * columns, a);
  if (!inArena([a, inner, 1], [b, columns, 1], [y, columns], [rows, columns, inner]))
    addRowsByRows(a, transposed(b, inner), y, inner);
  return y;
}

/**
 * Add aᵀ b to y.
 * @param {Numbers} y (rows, columns)
 * @param {Numbers} a (inner, rows)
 * @param {Numbers} b (inner, columns)
 * @param {number} inner
 */
export function addTransposedTimes(y, a, b, inner) {
  const rows = a.length / inner,
    columns = b.length / inner;
  if (!inArena([a, 1, rows], [b, columns, 1], [y, columns], [rows, columns, inner]))
    addRowsByRows(transposed(a, inner), transposed(b, inner), y, inner);
}

/** Add a b to y, if all three lie in one arena, which has tiles of four columns; else false. */
function inArena(a, b, y, sizes) {
  const home = arenaOf(a[0], b[0], y[0]);
  return home !== undefined && sizes[1] % 4 === 0 && product(home, a, b, y, sizes, true);
}

/** Add a bᵀ to y. */
function addRowsByRows(a, b, y, inner) {
  const rows = a.length / inner,
    columns = b.length / inner,
    tiled = rows - (rows % 4);
  for (let i = 0; i < tiled; i += 4) fourRows(a, b, y, i, inner, columns);
  for (let i = tiled; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let k = 0; k < inner; k++) total += a[i * inner + k] * b[j * inner + k];
      y[i * columns + j] += total;
    }
}

/** Rows i to i + 3 of y, two columns at a time. */
function fourRows(a, b, y, i, inner, columns) {
  const a0 = i * inner,
    a1 = a0 + inner,
    a2 = a1 + inner,
    a3 = a2 + inner;
  for (let j = 0; j < columns; j += 2) {
    // an odd last column is computed twice, and kept once
    const b0 = j * inner,
      single = j + 1 === columns,
      b1 = single ? b0 : b0 + inner;
    let p0 = 0,
      p1 = 0,
      p2 = 0,
      p3 = 0,
      q0 = 0,
      q1 = 0,
      q2 = 0,
      q3 = 0;
    for (let k = 0; k < inner; k++) {
      const u = b[b0 + k],
        v = b[b1 + k],
        r0 = a[a0 + k],
        r1 = a[a1 + k],
        r2 = a[a2 + k],
        r3 = a[a3 + k];
      p0 += r0 * u;
      p1 += r1 * u;
      p2 += r2 * u;
      p3 += r3 * u;
      q0 += r0 * v;
      q1 += r1 * v;
      q2 += r2 * v;
      q3 += r3 * v;
    }
    const at = i * columns + j;
    y[at] += p0;
    y[at + columns] += p1;
    y[at + 2 * columns] += p2;
    y[at + 3 * columns] += p3;
    if (single) continue;
    y[at + 1] += q0;
    y[at + columns + 1] += q1;
    y[at + 2 * columns + 1] += q2;
    y[at + 3 * columns + 1] += q3;
  }
}
