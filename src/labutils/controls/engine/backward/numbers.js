// Arrays of numbers for training. A page trains in float32; the tests also hand in float64, and then every array that
// is made here is float64 too. Sums are float64 in both, because JavaScript adds no other way.

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * `many` zeros, in the kind of numbers of `x`.
 * @template {Numbers} T
 * @param {number} many
 * @param {T} x
 * @returns {T}
 */
export const zeros = (many, x) => new /** @type {any} */ (x.constructor)(many);

/**
 * x + y, number by number.
 * @param {Numbers} x
 * @param {Numbers} y
 */
export function sum(x, y) {
  const out = zeros(x.length, x);
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
    out = zeros(x.length, x);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = x[i * columns + j];
  return out;
}
