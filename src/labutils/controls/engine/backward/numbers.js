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
  for (let i = 0; i < out.length; i++) out[i] = x[i] + y[i];
  return out;
}

/**
 * Add y to what stands in x.
 * @param {Numbers} x
 * @param {Numbers} y
 */
export function addTo(x, y) {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
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
