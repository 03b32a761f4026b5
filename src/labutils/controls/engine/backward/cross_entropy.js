// The loss of a language model: how surprised it is by each next token, in nats, on average over a batch.
import { arenaOf } from "./arena.js";
import { unset } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */

export const IGNORE = -100; // a label that is passed over, as in PyTorch

/**
 * The label of each token: the one that stands `by` places later in the same text, and IGNORE where there is none.
 * `by` is 1: with 0 a model would be taught to repeat what it reads.
 * @param {ArrayLike<number>} ids of all texts, one after the other
 * @param {number[]} starts where each text begins, and where the last one ends
 * @param {number} by
 */
export function shifted(ids, starts, by = 1) {
  const labels = new Int32Array(ids.length).fill(IGNORE);
  for (let t = 0; t + 1 < starts.length; t++)
    for (let i = starts[t]; i + by < starts[t + 1]; i++) labels[i] = ids[i + by];
  return labels;
}

/**
 * -log of the probability that the softmax of each row gives to its label, averaged over the labels; and its gradient,
 * which is p - y: the probabilities, less 1 at the label, divided by the number of labels.
 * @param {Numbers} logits (rows, vocabulary)
 * @param {Int32Array} labels (rows)
 * @returns {{loss: number, many: number, dlogits: Numbers}} many: labels that were counted
 */
export function crossEntropy(logits, labels) {
  const size = logits.length / labels.length,
    many = labels.reduce((sum, label) => sum + (label === IGNORE ? 0 : 1), 0),
    dlogits = unset(logits.length, logits),
    home = arenaOf(logits, dlogits);
  if (home) {
    dlogits.set(logits);
    home.loops.softmax(dlogits.byteOffset, labels.length, size, 1, 1 / many, 0);
  }
  let loss = 0;
  for (let i = 0, at = 0; i < labels.length; i++, at += size) {
    if (labels[i] === IGNORE) dlogits.fill(0, at, at + size);
    else {
      const p = home ? dlogits[at + labels[i]] * many : 0;
      // of a probability that float32 has lost, the logarithm is taken from the logits, as without an arena
      loss += p ? -Math.log(p) : softmaxed(logits, dlogits, { at, size, many, target: at + labels[i] });
      dlogits[at + labels[i]] -= 1 / many;
    }
  }
  return { loss: loss / many, many, dlogits };
}

/** The probabilities of one row, divided by the number of labels, into `out`; the surprise at its label. */
function softmaxed(logits, out, { at, size, many, target }) {
  let highest = -Infinity,
    total = 0;
  for (let j = at; j < at + size; j++) if (logits[j] > highest) highest = logits[j];
  for (let j = at; j < at + size; j++) total += out[j] = Math.exp(logits[j] - highest);
  for (let j = at; j < at + size; j++) out[j] /= total * many;
  return Math.log(total) + highest - logits[target];
}
