// A linear layer, y = x Wᵀ + b, and the way back: what each input and each weight did to the loss.
import { addRows } from "./numbers.js";
import { addTransposedTimes, times, timesTransposed } from "./products.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{weight: Numbers, bias?: Numbers}} Linear weight (columns, width), as torch.nn.Linear keeps it; bias
 *   (columns), or none. A gradient has the same shapes.
 */

/**
 * y = x Wᵀ + b for every row of x.
 * @param {Numbers} x (rows, width)
 * @param {Linear} layer
 * @param {number} rows
 * @returns {Numbers} (rows, columns)
 */
export function linear(x, { weight, bias }, rows) {
  return timesTransposed(x, weight, x.length / rows, bias);
}

/**
 * From dL/dy to dL/dx, which is dy W. To `gradient` is added what each weight did, dyᵀ x, and each bias, the sum of its
 * column of dy: a weight is used by every row, so what it did in all of them adds up.
 * @param {Numbers} dy (rows, columns)
 * @param {Numbers} x what the layer was given
 * @param {Linear} layer
 * @param {Linear} gradient
 * @param {number} rows
 * @returns {Numbers} (rows, width)
 */
export function linearBack(dy, x, { weight }, gradient, rows) {
  const columns = dy.length / rows;
  addTransposedTimes(gradient.weight, dy, x, rows);
  const { bias } = gradient;
  if (bias) addRows(dy, bias);
  return times(dy, weight, columns);
}
