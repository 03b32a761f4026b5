// What a model writes: one token after the other, each drawn by its probability, always with the same dice.
import { draws } from "./initial.js";
import { forward } from "./model.js";

const MOST = 48; // tokens

/**
 * @param {import("./model.js").Parameters} model
 * @param {number} end the end sign: a story begins after one, and ends with one
 * @param {number} seed of the dice
 * @returns {number[]} ids, without the sign at the beginning
 */
export function write(model, end, seed) {
  const draw = draws(seed),
    ids = [end],
    size = model.config.vocab;
  while (ids.length <= MOST && (ids.length === 1 || ids.at(-1) !== end)) {
    const { logits } = forward(model, { ids, starts: [0, ids.length] });
    ids.push(drawn(logits.subarray(logits.length - size), draw()));
  }
  return ids.slice(1);
}

/** The token at which the probabilities, added up, pass a number from 0 to 1. */
function drawn(logits, at) {
  const highest = logits.reduce((a, b) => Math.max(a, b), -Infinity),
    parts = Float64Array.from(logits, (x) => Math.exp(x - highest));
  let left = at * parts.reduce((a, b) => a + b, 0);
  for (let id = 0; id < parts.length; id++) {
    left -= parts[id];
    if (left < 0) return id;
  }
  return parts.length - 1;
}

/**
 * How many tokens of a text there are before the first three in a row that stand in no story.
 * @param {number[]} ids
 * @param {(a: number, b: number, c: number) => boolean} seen
 * @param {number} end
 */
export function followed(ids, seen, end) {
  for (let i = 1; i < ids.length; i++) if (!seen(i > 1 ? ids[i - 2] : end, ids[i - 1], ids[i])) return i;
  return ids.length;
}
