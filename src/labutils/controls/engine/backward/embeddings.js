// Embeddings: a row of one table for what a token is, a row of another for where it stands. The way back adds to the
// rows that were used, and to no other.
import { unset } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{token: {weight: Numbers}, position: {table: {weight: Numbers}}}} Tables (vocabulary, width) and
 *   (places, width)
 */

/**
 * @param {ArrayLike<number>} ids of all tokens of a batch
 * @param {ArrayLike<number>} places of each in its own text
 * @param {Tables} tables
 * @param {number} width
 * @returns {Numbers} (ids, width)
 */
export function embed(ids, places, { token, position }, width) {
  const x = unset(ids.length * width, token.weight);
  for (let i = 0; i < ids.length; i++)
    for (let c = 0; c < width; c++)
      x[i * width + c] = token.weight[ids[i] * width + c] + position.table.weight[places[i] * width + c];
  return x;
}

/**
 * A token that stands in the batch ten times gets ten rows of dx, added up.
 * @param {Numbers} dx (ids, width)
 * @param {ArrayLike<number>} ids
 * @param {ArrayLike<number>} places
 * @param {Tables} gradient
 * @param {number} width
 */
export function embedBack(dx, ids, places, { token, position }, width) {
  for (let i = 0; i < ids.length; i++)
    for (let c = 0; c < width; c++) {
      token.weight[ids[i] * width + c] += dx[i * width + c];
      position.table.weight[places[i] * width + c] += dx[i * width + c];
    }
}
