// Embeddings: what a token is, plus which text it belongs to and where it stands, each where the model has a table of
// it.
import { add } from "./linear.js";

/** Rows of a table (size, width), picked by number, as (ids.length, width). */
function lookUp({ weight }, ids, width) {
  const out = new Float64Array(ids.length * width);
  for (let i = 0; i < ids.length; i++) out.set(weight.subarray(ids[i] * width, (ids[i] + 1) * width), i * width);
  return out;
}

/**
 * token + segment + position, normalised where there is a norm: (n, d).
 * @param {Object<string, any>} tables token, and segment, position and norm in a model that has them
 * @param {number[]} ids
 * @param {{width: number, eps: number, segments: number, past?: number, typeIds?: number[],
 *   norm: import("./blocks.js").How["norm"]}} how past: the place of the first id; typeIds: the segment of each, all 0
 *   if not given
 * @param {import("./hooks.js").See} see
 * @throws {Error} one sentence, for segments that the table does not have
 */
export function embed(tables, ids, { width, eps, norm, segments, past = 0, typeIds = ids.map(() => 0) }, see) {
  let x = see("token", lookUp(tables.token, ids, width));
  if (tables.segment) {
    checkSegments(typeIds, ids.length, segments);
    x = add(x, see("segment", lookUp(tables.segment, typeIds, width)));
  }
  if (tables.position) {
    const places = ids.map((_, i) => past + i);
    x = add(x, see("position", lookUp(tables.position.table, places, width)));
  }
  if (tables.segment || tables.position) x = see("embedding_sum", x);
  return tables.norm ? see("embedding_norm", norm(x, tables.norm, eps)) : x;
}

function checkSegments(typeIds, n, segments) {
  if (typeIds.length !== n || typeIds.some((t) => !(t >= 0 && t < segments)))
    throw new Error(`Each token needs a segment from 0 to ${segments - 1}.`);
}
