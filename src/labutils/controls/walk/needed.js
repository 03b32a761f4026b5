// Of a first walk: the head that is shown, and what the answer keeps without it.
import { softmax } from "../engine/scaled_dot_product.js";
import { chosen, looking, without } from "../look/needed.js";
import { index, range } from "../look/words.js";
import { expected } from "./numbers.js";

const MOST = 64; // heads that are switched off one after the other: each is a pass through the model

export const isTried = ({ layers, heads }) => layers * heads <= MOST;

/**
 * What the best token of row i keeps without each head, what comes first then, and the head that it needs.
 * @param {{id: number, p: number}} best token of the row
 * @param {ArrayLike<number>[]} rows its logits (V) without each head of all layers
 * @param weights (layers, heads, n, n)
 * @returns {{left: number[], instead: any[], layer: number, head: number}}
 */
function spare(best, i, n, rows, weights, heads) {
  const left = rows.map((row) => softmax(row)[best.id]),
    instead = rows.map((row) => expected(row, 1)[0][0]),
    k = chosen(best.p, left, looking(weights, n, i));
  return { left, instead, layer: Math.floor(k / heads), head: k % heads };
}

/**
 * The same for the state that a control comes with, of one row: three arrays of Python's model, float64, the logits of
 * the row (V), those without each head, and the weights.
 */
export function first(info, n, i, ...data) {
  const [plain, rows, weights] = data.map((view) =>
    Float64Array.from({ length: view.byteLength / 8 }, (_, k) => view.getFloat64(8 * k, true)),
  );
  const cut = range(info.layers * info.heads).map((k) => rows.subarray(k * info.vocab, (k + 1) * info.vocab));
  return spare(expected(plain, 1)[0][0], i, n, cut, weights, info.heads);
}

/** What waits on the page has its turn: these are dozens of passes. */
const turn = () =>
  globalThis.scheduler?.yield?.() ??
  new Promise((done) => {
    setTimeout(done);
  });

/** The same for every row of a trace; `ahead` are the best tokens of each. */
export async function spared(source, { ids, info, weights }, ahead) {
  const { layers, heads, vocab } = info,
    n = ids.length,
    all = [];
  for (const k of range(layers * heads)) {
    await turn();
    const change = without(Math.floor(k / heads), k % heads, n);
    all.push((await source.trace(ids, { want: ["logits"], change })).logits);
  }
  const found = range(n).map((i) => {
    const rows = all.map((logits) => logits.subarray(i * vocab, (i + 1) * vocab));
    return spare(ahead[i][0], i, n, rows, weights, heads);
  });
  const each = found.flatMap(({ instead }) => instead),
    pieces = await source.tokens(each.map(({ id }) => id));
  each.forEach((one, k) => {
    one.token = pieces[k];
  });
  return found;
}

/**
 * The head of the shown block that a first walk speaks of: the one that the reader has chosen, else the one that the
 * answer needs, else the one that takes most from another token. Null where the block is not here.
 * @returns {any} k, key and weight, and where it was tried what is left and what comes instead
 */
export function shownHead({ seen, i, layer, now }) {
  const weights = seen.at("weights", layer);
  if (!weights) return null;
  const { H, n } = seen,
    looks = looking(weights, n, i),
    tried = seen.spare?.[i],
    left = tried?.left.slice(layer * H, (layer + 1) * H);
  const needed = () => (tried.layer === layer ? tried.head : chosen(seen.ahead[i][0].p, left, looks)),
    k = now.head >= 0 ? index(now.head, H) : tried ? needed() : largest(looks);
  return { k, ...looks[k], left: left?.[k], instead: tried?.instead[layer * H + k] };
}
const largest = (looks) => looks.reduce((a, { weight }, k) => (weight > looks[a].weight ? k : a), 0);
