// Multi-head attention: several attentions side by side, each in its own strip of the width.
// Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2.
import { linear } from "./linear.js";
import { turned } from "./positions.js";
import { attention } from "./scaled_dot_product.js";

/**
 * @typedef {import("./linear.js").Linear} Linear
 * @typedef {{query: Linear, key: Linear, value: Linear, output: Linear}} MultiHead
 * @typedef {(...own: Float64Array[]) => Float64Array[]} Cache
 * @typedef {{heads: number, keyHeads: number, headDim: number, width: number, causal: boolean, scale: number | null,
 *   rotaryBase: number | null, rotaryDim: number, past: number, cache?: Cache}} How
 */

/** Cut rows into strips of the width of a head: (rows, H d_k) -> (H, rows, d_k). */
export function splitHeads(x, rows, headDim) {
  const width = x.length / rows,
    heads = width / headDim,
    out = new Float64Array(x.length);
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < headDim; c++) out[(h * rows + i) * headDim + c] = x[i * width + h * headDim + c];
  return out;
}

/** Lay the strips side by side again: `splitHeads` backwards. */
export function mergeHeads(x, rows, headDim) {
  const width = x.length / rows,
    heads = width / headDim,
    out = new Float64Array(x.length);
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < headDim; c++) out[i * width + h * headDim + c] = x[(h * rows + i) * headDim + c];
  return out;
}

/**
 * One attention sub-layer: (rows, d) -> (rows, d). With fewer key heads than heads, G of H, each serves several queries
 * (Ainslie et al. 2023, "GQA").
 * @param {MultiHead} layer
 * @param {Float64Array} x
 * @param {How} how rotaryBase: of positions that queries and keys are turned by, if they are, in the first rotaryDim
 *   columns of a head; past: the place of the first row; cache: is given the keys and values of these tokens and hands
 *   back all that there are, those of the tokens before in front
 * @param {import("./hooks.js").See} see
 */
export function multiHeadAttention({ query, key, value, output }, x, how, see) {
  const { headDim, width, rotaryBase, rotaryDim, past } = how,
    rows = x.length / width,
    strips = (part) => splitHeads(linear(x, part, rows), rows, headDim),
    placed = (part) =>
      rotaryBase ? turned(strips(part), rows, { headDim, rotaryBase, rotaryDim, past }) : strips(part);
  // 1) project each row three ways, cut into heads: (rows, d) -> (H, rows, d_k) and twice (G, rows, d_k)
  const q = see("q", placed(query)),
    own = [placed(key), strips(value)],
    [keys, values] = how.cache ? how.cache(...own) : own;
  const k = see("k", keys),
    v = see("v", values);
  // 2) attend, each head by itself: (H, rows, d_k)
  const mixed = attention(q, k, v, how, see);
  // 3) lay the heads side by side and mix them: (H, rows, d_k) -> (rows, d)
  return linear(see("context", mergeHeads(mixed, rows, headDim)), output, rows);
}
