// One query of one head, from the dot products to the output. Numbers only: nothing here draws.
import { softmax } from "../engine/scaled_dot_product.js";

/**
 * @param {{n, d, q, k, v}} head n tokens, head width d; q, k and v are (n, d), row after row
 * @param {{i, temperature, scale, causal}} how which query asks; `scale` divides by √d, `causal` hides what comes after
 *   i
 * @returns every stage for each key j: raw = q·k, scaled, kept (−Infinity where masked), w; z (d), best; `top` is the
 *   largest of kept, and `sum` that of e^(kept − top)
 */
export function attend({ n, d, q, k, v }, { i, temperature, scale, causal }) {
  const query = q.subarray(i * d, (i + 1) * d), divisor = (scale ? Math.sqrt(d) : 1) * temperature;
  const raw = new Float64Array(n), scaled = new Float64Array(n), kept = new Float64Array(n), z = new Float64Array(d);
  for (let j = 0; j < n; j++) {
    for (let c = 0; c < d; c++) raw[j] += query[c] * k[j * d + c];
    scaled[j] = raw[j] / divisor;
    kept[j] = causal && j > i ? -Infinity : scaled[j];
  }
  const w = softmax(kept), best = w.indexOf(Math.max(...w));
  for (let j = 0; j < n; j++) for (let c = 0; c < d; c++) z[c] += w[j] * v[j * d + c];
  return { query, divisor, raw, scaled, kept, w, z, best, top: kept[best], sum: 1 / w[best] };
}

export const row = (matrix, d, j) => matrix.subarray(j * d, (j + 1) * d);

/** The largest |x|: what fills the height of a column. Never 0, so that a zero vector is drawn as one. */
export function reach(...arrays) {
  let far = 0;
  for (const values of arrays) for (const x of values) far = Math.max(far, Math.abs(x));
  return far || 1;
}
