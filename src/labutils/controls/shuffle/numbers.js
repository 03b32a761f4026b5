// Two orders of the same tokens: what a model expects next after each, and how far that moved.
import { compare, softmax } from "../engine/scaled_dot_product.js";
import { encoded } from "../look/feed.js";
import { spelling } from "../look/nexts.js";
import { range } from "../look/words.js";
import { uniform } from "../next_word/numbers.js";

const SHOWN = 8; // tokens of a distribution that are named
// what two sums of the same numbers in another order may differ by
const ROUNDING = { 4: 1e-5, 8: 1e-12 };

/** "1 0 2" as places in the text; what is no order of n tokens is the order as written. */
export function orderOf(words, n) {
  const places = words.split(/\s+/).filter(Boolean).map(Number),
    sorted = [...places].sort((a, b) => a - b);
  return places.length === n && sorted.every((place, i) => place === i) ? places : range(n);
}
export const asWritten = (order) => order.every((place, i) => place === i);
/** The order as it stands in an address: nothing for the order as written. */
export const wordsOf = (order) => (asWritten(order) ? "" : order.join(" "));
/** The same with what stands at `from` taken to `to`. */
export function moved(order, from, to) {
  const out = order.slice();
  out.splice(to, 0, ...out.splice(from, 1));
  return out;
}

/** Another order of the same places, the next one each time. Fisher and Yates, in the form of Durstenfeld 1964. */
export function shuffled(order, at) {
  const out = order.slice();
  for (let i = out.length - 1; i > 0; i--) {
    const k = Math.floor(uniform(at, i) * (i + 1));
    [out[i], out[k]] = [out[k], out[i]];
  }
  return out;
}

/** What the engine is to change: position embeddings become 0, scores are computed again without a mask. */
export function without({ positions, mask }, { layers, headDim }) {
  const change = positions ? {} : { position: (x) => x.fill(0) };
  for (const l of mask ? [] : range(layers)) {
    const kept = {};
    for (const part of ["q", "k"])
      change[`layer ${l} ${part}`] = (x) => {
        kept[part] = x;
        return x;
      };
    change[`layer ${l} scores`] = (_, [heads, n]) =>
      compare(kept.q, kept.k, { heads, headDim, causal: false, rows: n, n });
  }
  return change;
}

/**
 * @param {object} given info (of the model); order; before and after: logits (n, V), row by row; rounding
 * @returns {{info, order, rounding, words, gap, far, top}} words: for each place of the new order how far the answer
 *   after its word moved, as the largest difference of a probability; gap: the same for the last place; top: the tokens
 *   with the largest share before or after, by their share before; far: which of them moved most
 */
export function compared({ info, order, before, after, rounding }) {
  const V = info.vocab,
    n = order.length,
    row = (logits, i) => softmax(logits.subarray(i * V, (i + 1) * V));
  const was = range(n).map((i) => row(before, i)),
    now = range(n).map((i) => row(after, i));
  const apart = (p, q) => p.reduce((most, x, i) => Math.max(most, Math.abs(x - q[i])), 0);
  const p = was[n - 1],
    q = now[n - 1],
    level = (x) => Math.round(x * 1e12);
  const falling = (of) => (a, b) => level(of(b)) - level(of(a)) || a - b;
  const ids = Array.from(p.keys())
    .sort(falling((id) => Math.max(p[id], q[id])))
    .slice(0, SHOWN);
  const far = ids.reduce((most, id) => (Math.abs(p[id] - q[id]) > Math.abs(p[most] - q[most]) ? id : most), ids[0]);
  return {
    info,
    order,
    rounding,
    words: order.map((from, to) => apart(was[from], now[to])),
    gap: apart(p, q),
    far,
    top: ids.sort(falling((id) => p[id])).map((id) => ({ id, before: p[id], after: q[id] })),
  };
}

/**
 * The same for the state that a control comes with: `before` and `after` are Python's logits as float64, which the
 * model computed with `bytes` bytes a number.
 */
export function first(info, order, bytes, before, after) {
  const numbers = (data) =>
    Float64Array.from({ length: order.length * info.vocab }, (_, i) => data.getFloat64(8 * i, true));
  return compared({ info, order, rounding: ROUNDING[bytes], before: numbers(before), after: numbers(after) });
}

/** A reader for `feed`. The order as written is computed once for a text and its switches. */
export function reader() {
  let known = {};
  return async (source, { name, text, order: asked, positions, mask }, { cap }) => {
    const { ids, left, cut } = await encoded(source, text, cap),
      { info } = source;
    if (!info.causal) throw new Error("This model does not say what comes next: choose a GPT-2.");
    if (!ids.length) throw new Error("There is nothing to move yet: write at least one word.");
    const order = orderOf(asked, ids.length),
      key = [name, positions, mask, ...ids].join(" "),
      change = without({ positions, mask }, info);
    const run = async (row) => (await source.trace(row, { want: ["logits"], change })).logits;
    if (known.key !== key) known = { key, before: await run(ids), tokens: await source.tokens(ids) };
    const { before, tokens } = known,
      after = asWritten(order) ? before : await run(order.map((place) => ids[place]));
    const seen = compared({ info, order, before, after, rounding: ROUNDING[before.BYTES_PER_ELEMENT] });
    const names = await source.tokens(seen.top.map(({ id }) => id));
    seen.top.forEach((one, i) => {
      one.token = names[i];
    });
    return { ...seen, ...spelling(source), ids, tokens, text, asked, positions, mask, left, cut, live: true };
  };
}
