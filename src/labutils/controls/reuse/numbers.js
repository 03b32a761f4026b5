// The numbers, without a document: what is computed, again or for the first time, and what is kept.
import { floats } from "../look/bytes.js";
import { encoded } from "../look/feed.js";
import { clamp, index, range } from "../look/words.js";

const NUMBER = 4; // bytes of a float32
const END = "<|endoftext|>";

/**
 * What one layer does, in operations: an addition or a multiplication each. As Python's `labutils.layers.cost`.
 * @param {{width: number, ffn: number}} sizes
 * @param {number} rows that are computed
 * @param {number} keys that each of them meets; masked ones are computed too
 */
export const operations = ({ width, ffn }, rows, keys) =>
  rows * (8 * width * width + 4 * width * ffn + 4 * width * keys);

/** Bytes that one token takes in the cache of a model: a key and a value for each layer and key head. */
export const bytesOfToken = ({ layers, keyHeads, headDim }) => 2 * layers * keyHeads * headDim * NUMBER;

/**
 * What was done after each step, from the first on, since the beginning.
 * @param {object} info the sizes of the model
 * @param {number} start the tokens that are given
 * @param {number} steps
 * @returns {{rows: number[], operations: number[], kept: number}[]} without a cache and with one; kept: bytes
 */
export function totals(info, start, steps) {
  const sum = { rows: [0, 0], operations: [0, 0] };
  return range(steps).map((i) => {
    const keys = start + i;
    [keys, i ? 1 : start].forEach((rows, which) => {
      sum.rows[which] += rows;
      sum.operations[which] += info.layers * operations(info, rows, keys);
    });
    return { rows: [...sum.rows], operations: [...sum.operations], kept: keys * bytesOfToken(info) };
  });
}

/** What happens to a row in a step, both counted from 0: "ahead", "first", "again" (without) or "kept" (with). */
export function fate(row, step, start, cached) {
  const rows = start + step;
  if (row >= rows) return "ahead";
  if (step === 0 || row === rows - 1) return "first";
  return cached ? "kept" : "again";
}

/** All that is drawn and said: a reading, and what the reader set; `whole`: the model has written to the end. */
export function view(reading, { step, share, placed, layer, head }, whole = false) {
  const { info, start, tokens } = reading,
    steps = tokens.length - start,
    at = whole ? steps : placed ? clamp(Math.round(step) || 1, 1, steps) : 1,
    rows = start + at - 1,
    n = tokens.length - 1,
    heads = { layer: index(layer, info.layers), head: index(head, info.heads) },
    from = ((heads.layer * info.heads + heads.head) * n + rows - 1) * n;
  return {
    ...{ ...reading, ...heads, steps, at, rows, share, placed },
    totals: totals(info, start, steps),
    newest: Array.from(opened(reading).subarray(from, from + rows)),
  };
}
const opened = ({ weights }) => (weights instanceof DataView ? floats(weights) : weights);

/** A reader for `feed`: the model writes on, always the most probable token, and all its rows are traced once. */
export const reader =
  (steps) =>
  async (source, { text }, { cap }) => {
    const { info } = source,
      { ids, left, cut } = await encoded(source, text, Math.min(cap, info.maxTokens - 1));
    if (!ids.length) throw new Error("There is nothing to continue yet: write at least one word.");
    const start = ids.length;
    let [last] = await source.tokens(ids.slice(-1));
    while (ids.length < Math.min(start + steps, info.maxTokens) && last !== END) {
      const logits = await source.next(ids);
      ids.push(logits.reduce((best, x, i) => (x > logits[best] ? i : best), 0));
      [last] = await source.tokens(ids.slice(-1));
    }
    if (ids.length === start) throw new Error("This text has ended already: leave its last token out.");
    const { weights } = await source.trace(ids.slice(0, -1), { want: ["weights"] });
    return { text, info, start, tokens: await source.tokens(ids), weights, left, cut, live: true };
  };
