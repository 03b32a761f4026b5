// The one slow step of a transformer, y = x Wᵀ + b, fast in plain JavaScript; and the sum and the product of two.
//
// All numbers are float64. A tile of 4 rows by 2 columns keeps eight sums in registers, so each weight that is read
// serves four rows; at that point float32 arrays would be no faster, because JavaScript widens each number before it
// multiplies. Where weights lie in a `room` the tiles are computed there, two numbers at a time.
import { multiplied } from "./room.js";

/**
 * @typedef {{weight: Float64Array, bias?: Float64Array, product?: (x: Float64Array, rows: number) => Float64Array}}
 *   Linear weight (columns, width), one row for each output, as torch.nn.Linear keeps it; bias (columns), or none;
 *   product: x Wᵀ by a faster way, where a large matrix has one
 */

/**
 * y = x Wᵀ + b for every row of x.
 * @param {Float64Array} x (rows, width)
 * @param {Linear} layer
 * @param {number} rows
 * @returns {Float64Array} (rows, columns)
 */
export function linear(x, { weight, bias, product = plain(weight) }, rows) {
  const y = product(x, rows);
  if (bias) addToRows(y, bias);
  return y;
}

/** x Wᵀ in plain JavaScript. */
const plain = (/** @type {Float64Array} */ W) => (/** @type {Float64Array} */ x, /** @type {number} */ rows) => {
  const width = x.length / rows,
    columns = W.length / width,
    tiled = rows - (rows % 4),
    y = new Float64Array(rows * columns);
  if (!multiplied(x, W, y, { columns, width, rows: tiled }))
    for (let j = 0; j < columns; j += 2) twoColumns(x, W, y, j, tiled, width, columns);
  for (let i = tiled; i < rows; i++) oneRow(x, W, y, i, width, columns);
  return y;
};

/** Columns j and j + 1 of y, four rows at a time. */
function twoColumns(x, W, y, j, rows, width, columns) {
  // an odd last column is computed twice, and kept once
  const w0 = j * width,
    single = j + 1 === columns,
    w1 = single ? w0 : w0 + width;
  for (let i = 0; i < rows; i += 4) {
    const x0 = i * width,
      x1 = x0 + width,
      x2 = x1 + width,
      x3 = x2 + width;
    let a0 = 0,
      a1 = 0,
      a2 = 0,
      a3 = 0,
      b0 = 0,
      b1 = 0,
      b2 = 0,
      b3 = 0;
    for (let k = 0; k < width; k++) {
      const u = W[w0 + k],
        v = W[w1 + k],
        p = x[x0 + k],
        q = x[x1 + k],
        r = x[x2 + k],
        s = x[x3 + k];
      a0 += p * u;
      a1 += q * u;
      a2 += r * u;
      a3 += s * u;
      b0 += p * v;
      b1 += q * v;
      b2 += r * v;
      b3 += s * v;
    }
    const y0 = i * columns + j,
      y1 = y0 + columns,
      y2 = y1 + columns,
      y3 = y2 + columns;
    y[y0] = a0;
    y[y1] = a1;
    y[y2] = a2;
    y[y3] = a3;
    if (!single) {
      y[y0 + 1] = b0;
      y[y1 + 1] = b1;
      y[y2 + 1] = b2;
      y[y3 + 1] = b3;
    }
  }
}

function oneRow(x, W, y, i, width, columns) {
  const x0 = i * width,
    y0 = i * columns;
  for (let j = 0; j < columns; j++) {
    const w0 = j * width;
    let even = 0,
      odd = 0,
      k = 0; // two sums, so that one multiplication need not wait for the other
    for (; k + 1 < width; k += 2) {
      even += x[x0 + k] * W[w0 + k];
      odd += x[x0 + k + 1] * W[w0 + k + 1];
    }
    if (k < width) even += x[x0 + k] * W[w0 + k];
    y[y0 + j] = even + odd;
  }
}

function addToRows(y, b) {
  for (let i = 0; i < y.length; i += b.length) for (let j = 0; j < b.length; j++) y[i + j] += b[j];
}

/** a + b, number by number. */
export function add(a, b) {
  const y = new Float64Array(a.length);
  for (let i = 0; i < y.length; i++) y[i] = a[i] + b[i];
  return y;
}

/** a · b, number by number. */
export function times(a, b) {
  const y = new Float64Array(a.length);
  for (let i = 0; i < y.length; i++) y[i] = a[i] * b[i];
  return y;
}
