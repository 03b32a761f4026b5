// Embeddings: what a token is, plus where it stands (plus, in BERT, which segment it belongs to).
import { add } from "./linear.js";
import { layerNorm } from "./norms.js";

/** Rows of a table (size, width), picked by number, as (ids.length, width). */
function lookUp({ weight }, ids, width) {
  const out = new Float64Array(ids.length * width);
  for (let i = 0; i < ids.length; i++) out.set(weight.subarray(ids[i] * width, (ids[i] + 1) * width), i * width);
  return out;
}

/** token + position, (n, d). The first of the ids stands at place `past`. */
export function gpt2Embeddings(tables, ids, { width, past = 0 }, see) {
  const token = see("token", lookUp(tables.token, ids, width));
  const position = see(
    "position",
    lookUp(
      tables.position.table,
      ids.map((_, i) => past + i),
      width,
    ),
  );
  return see("embedding_sum", add(token, position));
}

/** LayerNorm(token + segment + position), (n, d). */
export function bertEmbeddings(tables, ids, typeIds, { width, eps }, see) {
  const token = see("token", lookUp(tables.token, ids, width));
  const segment = see("segment", lookUp(tables.segment, typeIds, width));
  const position = see(
    "position",
    lookUp(
      tables.position.table,
      ids.map((_, i) => i),
      width,
    ),
  );
  const total = see("embedding_sum", add(add(token, segment), position));
  return see("embedding_norm", layerNorm(total, tables.norm, eps));
}
