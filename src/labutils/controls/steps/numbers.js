// What the steps control reads from: the one head that its traits hold, or a trace with every head.

import { softmax } from "../engine/scaled_dot_product.js";
import { floats } from "../look/bytes.js";
import { index, label } from "../look/words.js";

/** One head of one text, complete before any model is there. `at(layer, head)` is null for another head. */
export function finished(model) {
  const t = model.get("finished"),
    [L, H, n, d] = t.shape,
    own = { n, d, q: floats(t.q), k: floats(t.k), v: floats(t.v) };
  return { ...t, L, H, n, d, at: (l, k) => (l === t.layer && k === t.head ? own : null) };
}

export function live(reading) {
  const { L, H, n, dk: d } = reading.shape,
    size = n * d;
  const part = (values, l, k) => values.subarray((l * H + k) * size, (l * H + k + 1) * size);
  return {
    ...reading,
    L,
    H,
    n,
    d,
    at: (l, k) => ({ n, d, q: part(reading.q, l, k), k: part(reading.k, l, k), v: part(reading.v, l, k) }),
  };
}

/** Whether the model itself hides later tokens. */
export const hides = (seen) => seen.info.causal;

/** What is drawn: the state within the reading that is there. Null while the head that is asked for is on its way. */
export function view(seen, now, wanted) {
  const head = seen.at(index(now.layer, seen.L), index(now.head, seen.H));
  if (!head) return null;
  const how = {
    i: index(now.query, seen.n),
    temperature: now.temperature,
    scale: now.scale,
    causal: now.causal,
  };
  const c = attend(head, how),
    step = index(now.step - 1, 5),
    asked = index(now.key, seen.n);
  const j = step > 2 && c.kept[asked] === -Infinity ? c.best : asked; // a masked key has no weight to look at
  return {
    head,
    how,
    c,
    j,
    step,
    column: Math.min(wanted, step),
    tokens: seen.tokens,
    now,
    changed: how.temperature !== 1 || !how.scale || how.causal !== hides(seen),
  };
}

export const title = ({ now, how, tokens }) => `Layer ${now.layer}, head ${now.head}, query “${label(tokens[how.i])}”`;

// --- One query of one head, from the dot products to the output. Numbers only: nothing here draws.

/**
 * @param {{n, d, q, k, v}} head n tokens, head width d; q, k and v are (n, d), row after row
 * @param {{i, temperature, scale, causal}} how which query asks; `scale` divides by √d, `causal` hides what comes after
 *   i
 * @returns every stage for each key j: raw = q·k, scaled, kept (−Infinity where masked), w; z (d), best; `top` is the
 *   largest of kept, and `sum` that of e^(kept − top)
 */
export function attend({ n, d, q, k, v }, { i, temperature, scale, causal }) {
  const query = q.subarray(i * d, (i + 1) * d),
    divisor = (scale ? Math.sqrt(d) : 1) * temperature;
  const raw = new Float64Array(n),
    scaled = new Float64Array(n),
    kept = new Float64Array(n),
    z = new Float64Array(d);
  for (let j = 0; j < n; j++) {
    for (let c = 0; c < d; c++) raw[j] += query[c] * k[j * d + c];
    scaled[j] = raw[j] / divisor;
    kept[j] = causal && j > i ? -Infinity : scaled[j];
  }
  const w = softmax(kept),
    best = w.indexOf(Math.max(...w));
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
