// What a model expects at each token, as it is and with some heads switched off. Numbers only: nothing here draws.
import { softmax } from "../engine/scaled_dot_product.js";
import { traced } from "../look/feed.js";
import { spelling } from "../look/nexts.js";
import { largest } from "../look/ranked.js";
import { range } from "../look/words.js";

const TOP = 5; // tokens that are named

/** "1.6 2.4": heads as pairs [layer, head], each once and in order; what is none is left out. */
export function headsOf(off) {
  const pairs = off
    .split(/\s+/)
    .map((word) => /^(\d{1,3})\.(\d{1,3})$/.exec(word))
    .filter(Boolean)
    .map(([, layer, head]) => [+layer, +head]);
  return [...new Map(pairs.sort(([a, b], [c, d]) => a - c || b - d).map((one) => [one.join("."), one])).values()];
}
export const offOf = (heads) => heads.map((one) => one.join(".")).join(" ");
export const isOff = (off, layer, head) => headsOf(off).some(([l, k]) => l === layer && k === head);
export const toggled = (off, layer, head) =>
  offOf(
    isOff(off, layer, head)
      ? headsOf(off).filter(([l, k]) => l !== layer || k !== head)
      : [...headsOf(off), [layer, head]],
  );

/** What the engine is to change: the part of the context that each of these heads writes becomes 0. */
export function silenced(heads, H) {
  const layers = [...new Set(heads.map(([layer]) => layer))];
  return Object.fromEntries(
    layers.map((layer) => [
      `layer ${layer} context`,
      (context, [n, d]) => {
        for (const [, head] of heads.filter(([l]) => l === layer))
          for (let i = 0; i < n; i++) context.fill(0, i * d + (head * d) / H, i * d + ((head + 1) * d) / H);
        return context;
      },
    ]),
  );
}

/**
 * The tokens that a model expects most at token i, with their probabilities.
 * @param {Float64Array} logits (n, V), row by row; `whole` the same before any head was switched off, or null
 * @param {number[]} watched ids that are always among them
 * @returns {{id: number, p: number, before: number, token?: string}[]} the first tokens now, and the first before if
 *   that is not among them
 */
export function expected(logits, whole, V, i, watched = []) {
  const p = softmax(logits.subarray(i * V, (i + 1) * V)),
    q = whole && softmax(whole.subarray(i * V, (i + 1) * V));
  const kept = new Set([...(q ? largest(q, 1) : []), ...watched]),
    others = largest(p, TOP).filter((id) => !kept.has(id)),
    shown = [...kept, ...others.slice(0, TOP - kept.size)].sort((a, b) => p[b] - p[a] || a - b);
  return shown.map((id) => ({ id, p: p[id], before: q ? q[id] : p[id] }));
}

/**
 * A reader for `feed`: all heads of a text and what is expected at each token, the heads of `off` switched off.
 * Of the wish, `watch` is {id, at, all}: a token that is followed; with `all`, `remains` holds what each head, switched
 * off alone, leaves of it at token `at`.
 */
export async function read(source, { text, off, watch }, { cap, want }) {
  const { layers: L, heads: H, vocab: V } = source.info,
    heads = headsOf(off).filter(([l, k]) => l < L && k < H);
  const how = { cap, want: [...want, "logits"] },
    whole = await traced(source, { text }, how);
  const without = (some, asked = how) => traced(source, { text, change: silenced(some, H) }, asked);
  const trace = heads.length ? await without(heads) : whole,
    watched = watch ? [watch.id] : [];
  const before = heads.length ? whole.logits : null,
    ahead = range(trace.shape.n).map((i) => expected(trace.logits, before, V, i, watched));
  const names = await source.tokens(ahead.flat().map(({ id }) => id));
  ahead.flat().forEach((one, i) => {
    one.token = names[i];
  });
  const remains = new Map(),
    share = ({ logits }, i) => softmax(logits.subarray(i * V, (i + 1) * V))[watch.id];
  for (const one of watch?.all ? range(L * H).map((k) => [Math.floor(k / H), k % H]) : [])
    remains.set(one.join("."), share(await without([one], { cap, want: ["logits"] }), watch.at));
  return { ...trace, ...spelling(source), asked: off, off: offOf(heads), ahead, remains };
}

/** The same for the state that a control comes with: `logits` are those of Python's model, float64, row by row. */
export function first(n, V, logits, watched) {
  const rows = Float64Array.from({ length: n * V }, (_, i) => logits.getFloat64(8 * i, true));
  return range(n).map((i) => expected(rows, null, V, i, watched));
}
