// One step of training: forward, loss, backward, clip, move.
import { adamw, clip, memory } from "./adamw.js";
import { arena, arenaOf } from "./arena.js";
import { crossEntropy, shifted } from "./cross_entropy.js";
import { firstBroken } from "./faults.js";
import { backward, forward, like, parameters } from "./model.js";

/**
 * @typedef {import("./model.js").Parameters} Parameters
 * @typedef {import("./model.js").Texts} Texts
 * @typedef {{model: Parameters, gradient: Parameters, memory: import("./adamw.js").Memory}} Learner
 */

/**
 * @param {Parameters} model
 * @returns {Learner}
 */
export const learner = (model) => ({ model, gradient: like(model), memory: memory(model) });

/** How many numbers a step on so many tokens needs, with what is kept from one to the next. */
const floats = ({ vocab, width, layers, heads }, kept, tokens, longest) =>
  4 * kept +
  tokens * ((44 * layers + 9) * width + 2 * vocab + layers * heads * (longest + 4)) +
  8 * Math.max(tokens, vocab, 4 * width) +
  (longest + 4) ** 2 +
  64 * (40 * layers + 20); // each array ends at a whole vector

/**
 * The same learner in an arena that has room for a batch, where it learns several times as fast; as it is where it has
 * room, where the browser has no such loops, and where a size is no multiple of 4.
 * @param {Learner} one
 * @param {number} tokens of the largest batch
 * @param {number} longest tokens of one text
 * @returns {Learner}
 */
export function withRoom(one, tokens, longest) {
  const { config, flat } = one.model,
    need = floats(config, flat.length, tokens, longest),
    odd = [config.vocab, config.width / config.heads].some((size) => size % 4),
    home = odd || (arenaOf(flat)?.floats ?? 0) >= need ? null : arena(need);
  if (!home) return one;
  const moved = (x) => {
      const y = /** @type {Float32Array} */ (home.take(x.length));
      y.set(x);
      return y;
    },
    { mean, square, steps } = one.memory,
    there = {
      model: parameters(config, moved(flat)),
      gradient: parameters(config, moved(one.gradient.flat)),
      memory: { mean: moved(mean), square: moved(square), steps },
    };
  home.keep();
  return there;
}

/**
 * @param {Learner} learner changed in place, unless the loss is no number
 * @param {Texts} texts
 * @param {{rate: number, most: number, by: number}} how the learning rate; the most that the gradient may be long; by
 *   how many places the labels are shifted, which is 1
 * @returns {{loss: number, many: number, length: number, broken: string}} the loss before the step, in nats a token;
 *   labels that were counted; how long the gradient was; where the first value stands that is no number, "" if nowhere
 */
export function learn({ model, gradient, memory }, texts, { rate, most, by }) {
  const { logits, kept } = forward(model, texts),
    { loss, many, dlogits } = crossEntropy(logits, shifted(texts.ids, texts.starts, by));
  if (!Number.isFinite(loss)) return { loss, many, length: NaN, broken: firstBroken(kept) || "the loss" };
  backward(model, kept, dlogits, gradient);
  const length = clip(gradient, most);
  if (!Number.isFinite(length)) return { loss, many, length, broken: "the gradient" };
  adamw(model, gradient, memory, rate);
  return { loss, many, length, broken: "" };
}

/**
 * The loss on texts that nothing is learnt from, in nats a token.
 * @param {Parameters} model
 * @param {Texts} texts
 */
export const lossOf = (model, texts) =>
  crossEntropy(forward(model, texts).logits, shifted(texts.ids, texts.starts)).loss;
