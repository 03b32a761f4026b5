// What each token adds to the stream of another: the norm of weight × value × W_O, for every head. A large weight on a
// small value contributes little. Kobayashi et al. 2020, "Attention is Not Only a Weight", equation 3 (the bias is left
// out, as there).
import { linear } from "./linear.js";

/**
 * Contributions of every head, (L, H, n, n), from the weights and values of a trace.
 * @param {{config: import("./records.js").Config, blocks: any[]}} model
 * @param {Float64Array} weights (L, H, n, n)
 * @param {Float64Array} v (L, G, n, d_k)
 */
export function contributions({ config, blocks }, weights, v) {
  const out = new Float64Array(weights.length),
    pairs = weights.length / config.layers,
    values = v.length / config.layers;
  blocks.forEach((block, l) => {
    const part = (array, size) => array.subarray(l * size, (l + 1) * size);
    ofLayer(part(weights, pairs), part(v, values), block.attention.output.weight, config, part(out, pairs));
  });
  return out;
}

/**
 * One layer: weights (H, n, n), v (G, n, d_k), W_O (d, H d_k) as (out, in), whose columns h·d_k to (h + 1)·d_k belong
 * to head h.
 */
function ofLayer(weights, v, W_O, { heads, keyHeads, headDim: dk, width: d }, out) {
  const n = v.length / (keyHeads * dk),
    across = heads * dk,
    strip = new Float64Array(d * dk);
  for (let h = 0; h < heads; h++) {
    const g = Math.floor((h * keyHeads) / heads); // whose values this head takes
    for (let c = 0; c < d; c++) for (let e = 0; e < dk; e++) strip[c * dk + e] = W_O[c * across + h * dk + e];
    const moved = linear(v.subarray(g * n * dk, (g + 1) * n * dk), { weight: strip }, n); // (n, d_k) -> (n, d)
    for (let j = 0; j < n; j++) {
      let square = 0;
      for (let c = 0; c < d; c++) square += moved[j * d + c] ** 2;
      const norm = Math.sqrt(square); // ‖w x‖ = w ‖x‖, so one norm a key serves all queries
      for (let i = 0; i < n; i++) out[(h * n + i) * n + j] = weights[(h * n + i) * n + j] * norm;
    }
  }
}
