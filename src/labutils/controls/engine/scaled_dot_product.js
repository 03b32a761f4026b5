// Scaled dot-product attention: each row asks all rows it may see, and takes a mixture of their values.
// Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1.
//
// H heads of width d_k; n keys are known, and the last `rows` of them ask (all of them but in cached decoding). Each of
// G key heads serves H / G heads.

/**
 * softmax(q kᵀ / √d_k) v: a mixture, a row for each query, (H, rows, d_k). `see` is shown scores and weights.
 * @param {Float64Array} q (H, rows, d_k)
 * @param {Float64Array} k (G, n, d_k), as v
 * @param {Float64Array} v
 * @param {{heads: number, keyHeads: number, headDim: number, causal: boolean, scale: number | null}} how causal: no
 *   query sees a key that comes later; scale: of the scores, if it is not 1 / √d_k
 * @param {import("./hooks.js").See} see
 */
export function attention(q, k, v, { heads, keyHeads, headDim, causal, scale }, see) {
  const rows = q.length / (heads * headDim),
    n = k.length / (keyHeads * headDim),
    served = heads / keyHeads;
  const scores = see("scores", compare(q, k, { heads, headDim, causal, rows, n, served, scale }));
  const weights = see("weights", softmaxOfRows(scores, n));
  return mix(weights, v, { heads, headDim, rows, n, served });
}

/**
 * How well each query fits each key, (H, rows, n); −∞ where it may not see it. A key head serves `served` heads.
 * @param {Float64Array} q
 * @param {Float64Array} k
 * @param {{heads: number, headDim: number, causal: boolean, rows: number, n: number, served?: number,
 *   scale?: number | null}} how
 */
export function compare(q, k, { heads, headDim, causal, rows, n, served = 1, scale = null }) {
  const scores = new Float64Array(heads * rows * n).fill(-Infinity),
    root = scale === null ? Math.sqrt(headDim) : 1 / scale;
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < rows; i++) {
      const row = (h * rows + i) * n,
        query = (h * rows + i) * headDim,
        seen = causal ? n - rows + i + 1 : n;
      for (let j = 0, key = Math.floor(h / served) * n * headDim; j < seen; j++, key += headDim) {
        let sum = 0;
        for (let c = 0; c < headDim; c++) sum += q[query + c] * k[key + c];
        scores[row + j] = sum / root;
      }
    }
  return scores;
}

/** The rows of v, each times its weight, added up: (H, rows, n), (G, n, d_k) -> (H, rows, d_k). */
function mix(weights, v, { heads, headDim, rows, n, served }) {
  const mixed = new Float64Array(heads * rows * headDim);
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < rows; i++) {
      const row = (h * rows + i) * n,
        out = (h * rows + i) * headDim;
      for (let j = 0, value = Math.floor(h / served) * n * headDim; j < n; j++, value += headDim) {
        const weight = weights[row + j];
        if (weight !== 0) for (let c = 0; c < headDim; c++) mixed[out + c] += weight * v[value + c];
      }
    }
  return mixed;
}

function softmaxOfRows(scores, n) {
  const weights = new Float64Array(scores.length);
  for (let at = 0; at < scores.length; at += n) softmax(scores.subarray(at, at + n), weights.subarray(at, at + n));
  return weights;
}

/**
 * e^score divided by the sum of all, the highest score taken off first so that nothing overflows. A score of −∞ gets
 * the weight 0; a row of nothing else sees nothing, and all its weights are 0.
 */
export function softmax(scores, weights = new Float64Array(scores.length)) {
  let highest = -Infinity,
    total = 0;
  for (let j = 0; j < scores.length; j++) if (scores[j] > highest) highest = scores[j];
  if (highest === -Infinity && !scores.some(Number.isNaN)) return weights.fill(0);
  for (let j = 0; j < scores.length; j++) total += weights[j] = Math.exp(scores[j] - highest);
  for (let j = 0; j < scores.length; j++) weights[j] /= total;
  return weights;
}
