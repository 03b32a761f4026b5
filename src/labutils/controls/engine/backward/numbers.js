// Arrays of numbers for training. A page trains in float32; the tests also hand in float64, and then every array that
// is made here is float64 too. Sums in JavaScript are float64 in both, because it adds no other way; the loops of an
// arena add in float32.
import { arenaOf } from "./arena.js";

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * `many` zeros, in the kind of numbers of `x`, and in its arena if that has room.
 * @template {Numbers} T
 * @param {number} many
 * @param {T} x
 * @returns {T}
 */
export const zeros = (many, x) => /** @type {any} */ (unset(many, x).fill(0));

/**
 * `many` numbers all of which are going to be written, in the kind of those of `x`, and in its arena if that has room.
 * @template {Numbers} T
 * @param {number} many
 * @param {T} x
 * @returns {T}
 */
export const unset = (many, x) => arenaOf(x)?.take(many) ?? new /** @type {any} */ (x.constructor)(many);

/**
 * x + y, number by number.
 * @param {Numbers} x
 * @param {Numbers} y
 */
export function sum(x, y) {
  const out = unset(x.length, x);
  if (!addedInArena(x, y, out)) for (let i = 0; i < out.length; i++) out[i] = x[i] + y[i];
  return out;
}

/**
 * Add y to what stands in x.
 * @param {Numbers} x
 * @param {Numbers} y
 */
export function addTo(x, y) {
  if (!addedInArena(x, y, x)) for (let i = 0; i < x.length; i++) x[i] += y[i];
}

/** x + y to `out` by the loop of an arena; false where there is none, or a part of four is left over. */
function addedInArena(x, y, out) {
  const home = x.length % 4 ? undefined : arenaOf(x, y, out);
  home?.loops.add(x.byteOffset, y.byteOffset, out.byteOffset, 4 * x.length);
  return home !== undefined;
}

/**
 * Add every row of x to y.
 * @param {Numbers} x (rows, columns)
 * @param {Numbers} y (columns)
 */
export function addRows(x, y) {
  const columns = y.length,
    home = columns % 4 ? undefined : arenaOf(x, y);
  if (home) home.loops.add_rows(x.byteOffset, x.length / columns, 4 * columns, y.byteOffset);
  else for (let at = 0; at < x.length; at += columns) for (let j = 0; j < columns; j++) y[j] += x[at + j];
}

/**
 * Rows become columns: (rows, columns) -> (columns, rows).
 * @param {Numbers} x
 * @param {number} rows
 */
export function transposed(x, rows) {
  const columns = x.length / rows,
    out = unset(x.length, x);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = x[i * columns + j];
  return out;
}
