// Byte-pair encoding learned from a few words: count pairs, merge the commonest, repeat. The same as Python's
// `labutils.text.bpe_train.learn_merges_naively`. Numbers only: nothing here draws.
import { readable } from "../engine/bpe.js";
import { toSymbols } from "../engine/bytes.js";
import { codePoints } from "../engine/unicode.js";

const MOST = 60; // merges; 160 characters rarely hold more
const TWICE = 2; // a pair that occurs once teaches nothing

/** Different words in the order in which they come, each as the symbols of its bytes, with how often it occurs. */
export function counted(texts) {
  const words = new Map();
  for (const text of texts) words.set(text, (words.get(text) ?? 0) + 1);
  return [...words].map(([text, count]) => ({ symbols: toSymbols(codePoints(text)), count }));
}

/** How often each pair of neighbours occurs: [left, right, count], the one that is merged next first. */
function pairs(words, ids) {
  const counts = new Map();
  for (const { symbols, count } of words)
    for (let i = 1; i < symbols.length; i++) {
      const key = `${symbols[i - 1]} ${symbols[i]}`; // no symbol holds a space
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  const list = [...counts].map(([key, count]) => [...key.split(" "), count]);
  // of equally common pairs the one with the lowest pair of ids, as in HuggingFace's trainer
  return list.sort((a, b) => b[2] - a[2] || ids.get(a[0]) - ids.get(b[0]) || ids.get(a[1]) - ids.get(b[1]));
}

/** One symbol in the place of each occurrence of a pair, from left to right. */
export function merged(symbols, left, right) {
  const done = [];
  for (const symbol of symbols)
    if (done.at(-1) === left && symbol === right) done[done.length - 1] = left + right;
    else done.push(symbol);
  return done;
}

/**
 * Every state of the training, the first before any merge.
 * @param {string[]} texts the words of a text, as the pre-tokenizer cut them
 * @returns {{words: {symbols: string[], count: number}[], pairs: [string, string, number][], made: string | null}[]}
 *   `made` is the newest
 *   symbol
 */
export function trained(texts) {
  let words = counted(texts),
    made = null;
  const alphabet = [...new Set(words.flatMap(({ symbols }) => symbols))].sort(),
    ids = new Map(alphabet.map((symbol, i) => [symbol, i])),
    states = [];
  for (;;) {
    const all = pairs(words, ids),
      [best] = all;
    states.push({ words, pairs: all, made });
    if (!best || best[2] < TWICE || states.length > MOST) return states;
    const [left, right] = best;
    made = left + right;
    if (!ids.has(made)) ids.set(made, ids.size);
    words = words.map(({ symbols, count }) => ({ symbols: merged(symbols, left, right), count }));
  }
}

/** A symbol as it is read: a space as a dot, the byte of a split character in hexadecimal. */
export const spelt = (symbol) => readable(symbol).text.replaceAll(" ", "·");
