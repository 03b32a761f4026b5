// What the steps control reads from: the one head that its traits hold, or a trace with every head.
import { clamp, index, label } from "../look/words.js";
import { floats } from "../look/bytes.js";
import { attend } from "./attend.js";

/** One head of one text, complete before any model is there. `at(layer, head)` is null for another head. */
export function finished(model) {
  const t = model.get("finished"), [L, H, n, d] = t.shape,
    own = { n, d, q: floats(t.q), k: floats(t.k), v: floats(t.v) };
  return { ...t, L, H, n, d, at: (l, k) => (l === t.layer && k === t.head ? own : null) };
}

export function live(reading) {
  const { L, H, n, dk: d } = reading.shape, size = n * d;
  const part = (values, l, k) => values.subarray((l * H + k) * size, (l * H + k + 1) * size);
  return { ...reading, L, H, n, d,
    at: (l, k) => ({ n, d, q: part(reading.q, l, k), k: part(reading.k, l, k), v: part(reading.v, l, k) }) };
}

/** Whether the model itself hides later tokens. */
export const hides = (seen) => seen.info.causal;

/** What is drawn: the state within the reading that is there. Null while the head that is asked for is on its way. */
export function view(seen, now, wanted) {
  const head = seen.at(index(now.layer, seen.L), index(now.head, seen.H));
  if (!head) return null;
  const how = { i: index(now.query, seen.n), temperature: clamp(now.temperature, 0.1, 4), scale: now.scale,
    causal: now.causal };
  const c = attend(head, how), step = index(now.step - 1, 5), asked = index(now.key, seen.n);
  const j = step > 2 && c.kept[asked] === -Infinity ? c.best : asked; // a masked key has no weight to look at
  return { head, how, c, j, step, column: Math.min(wanted, step), tokens: seen.tokens, now,
    changed: how.temperature !== 1 || !how.scale || how.causal !== hides(seen) };
}

export const title = ({ now, how, tokens }) => `Layer ${now.layer}, head ${now.head}, query “${label(tokens[how.i])}”`;
