// Multi-head attention: each token asks every token it may see, and takes a mixture of what they hand over.
// Vaswani et al. 2017, "Attention Is All You Need", section 3.2.
//
// n tokens are known, the last `rows` of them are asked about (all of them but in cached decoding). H heads, d_k the head width.
// Keys and values stand in a store (H, capacity, d_k) with room for `capacity` >= n tokens.
import { linear } from "./linear.js";

/**
 * One attention sub-layer. Reads s.attention_input (rows, d); adds to the stores s.k and s.v; writes s.q (H, rows, d_k),
 * s.scores and s.weights (H, rows, n), s.context and s.attention_output (rows, d).
 * @param {object} layer query, key, value, output: each {weight (d, d), bias (d)}
 * @param {object} s the stages of this layer
 * @param {{heads: number, past: number, rows: number, causal: boolean}} how
 */
export function multiHeadAttention(layer, s, how) {
  const projected = new Float64Array(s.attention_input.length);
  for (const [name, part, at] of [["q", layer.query, 0], ["k", layer.key, how.past], ["v", layer.value, how.past]]) {
    linear(s.attention_input, part.weight, part.bias, projected, how.rows);
    splitHeads(projected, s[name], how, at);
  }
  attend(s, how);
  linear(s.context, layer.output.weight, layer.output.bias, s.attention_output, how.rows);
}

/** (rows, d) -> strips of (H, capacity, d_k), written from token `at` on. */
function splitHeads(x, store, { heads, rows }, at) {
  const width = x.length / rows, dk = width / heads, capacity = store.length / width;
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < rows; i++)
      for (let c = 0; c < dk; c++) store[(h * capacity + at + i) * dk + c] = x[i * width + h * dk + c];
}

/** Scores, softmax and mixture of every head. A key that comes later than its query is masked: its score is −∞. */
function attend({ q, k, v, scores, weights, context }, { heads, rows, past, causal }) {
  const n = past + rows, width = context.length / rows, dk = width / heads, capacity = k.length / width, root = Math.sqrt(dk);
  context.fill(0);
  for (let h = 0; h < heads; h++) {
    for (let i = 0; i < rows; i++) {
      const row = (h * rows + i) * n, query = (h * rows + i) * dk, first = h * capacity * dk, seen = causal ? past + i + 1 : n;
      for (let j = 0; j < seen; j++) {
        let sum = 0;
        for (let c = 0; c < dk; c++) sum += q[query + c] * k[first + j * dk + c];
        scores[row + j] = sum / root;
      }
      scores.fill(-Infinity, row + seen, row + n);
      softmax(scores.subarray(row, row + n), weights.subarray(row, row + n));
      const out = i * width + h * dk;
      for (let j = 0; j < seen; j++)
        for (let c = 0; c < dk; c++) context[out + c] += weights[row + j] * v[first + j * dk + c];
    }
  }
}

/** e^score divided by the sum of all, the highest score taken off first so that nothing overflows. */
export function softmax(scores, weights = new Float64Array(scores.length)) {
  let highest = -Infinity, total = 0;
  for (let j = 0; j < scores.length; j++) if (scores[j] > highest) highest = scores[j];
  for (let j = 0; j < scores.length; j++) total += weights[j] = Math.exp(scores[j] - highest);
  for (let j = 0; j < scores.length; j++) weights[j] /= total;
  return weights;
}

/**
 * What each token adds to the stream of another: the norm of weight × value × W_O, for every head. A large weight on a small
 * value contributes little. Kobayashi et al. 2020, "Attention is Not Only a Weight", equation 3 (the bias is left out, as there).
 * @param {Float64Array} weights (H, n, n)
 * @param {Float64Array} v (H, n, d_k)
 * @param {Float64Array} W_O (d, d) as (out, in): columns h·d_k to (h + 1)·d_k belong to head h
 * @param {number} heads
 * @param {Float64Array} out (H, n, n), written
 */
export function contributions(weights, v, W_O, heads, out) {
  const d = Math.sqrt(W_O.length), dk = d / heads, n = v.length / d, strip = new Float64Array(d * dk), moved = new Float64Array(n * d);
  for (let h = 0; h < heads; h++) {
    for (let c = 0; c < d; c++) for (let e = 0; e < dk; e++) strip[c * dk + e] = W_O[c * d + h * dk + e];
    linear(v.subarray(h * n * dk, (h + 1) * n * dk), strip, null, moved, n); // (n, d_k) -> (n, d)
    for (let j = 0; j < n; j++) {
      let square = 0;
      for (let c = 0; c < d; c++) square += moved[j * d + c] ** 2;
      const norm = Math.sqrt(square); // ‖w x‖ = w ‖x‖, so one norm a key serves all queries
      for (let i = 0; i < n; i++) out[(h * n + i) * n + j] = weights[(h * n + i) * n + j] * norm;
    }
  }
  return out;
}
