// One step of training: forward, loss, backward, clip, move.
import { adamw, clip, memory } from "./adamw.js";
import { crossEntropy, shifted } from "./cross_entropy.js";
import { firstBroken } from "./faults.js";
import { backward, forward, like } from "./model.js";

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
