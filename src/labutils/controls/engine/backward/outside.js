// What Python asks of the training: the tests compare it with PyTorch's. Weights and ids come as bytes.
import { crossEntropy, shifted } from "./cross_entropy.js";
import { backward, forward, like, parameters } from "./model.js";
import { rowsByRows } from "./products.js";
import { warmupCosine } from "./schedule.js";
import { session } from "./session.js";
import { batch, read } from "./stories.js";
import { learn, learner } from "./training.js";
import { wideProduct } from "./wide.js";

const KINDS = { float32: Float32Array, float64: Float64Array };

/** @param {DataView} view */
const model = (config, kind, view) => parameters(config, new KINDS[kind](view.buffer));

/**
 * Loss and gradients on a batch, each as a list of numbers by its name.
 * @param {import("./model.js").Config} config
 * @param {"float32" | "float64"} kind
 * @param {DataView} weights
 * @param {import("./model.js").Texts} texts
 * @param {number} by
 */
export function gradients(config, kind, weights, texts, by) {
  const given = model(config, kind, weights),
    gradient = like(given),
    { logits, kept } = forward(given, texts),
    { loss, dlogits } = crossEntropy(logits, shifted(texts.ids, texts.starts, by));
  backward(given, kept, dlogits, gradient);
  return {
    loss,
    gradients: Object.fromEntries(Object.entries(gradient.named).map(([key, x]) => [key, Array.from(x)])),
  };
}

/**
 * The loss of each step, one for each batch.
 * @param {import("./model.js").Config} config
 * @param {"float32" | "float64"} kind
 * @param {DataView} weights
 * @param {import("./model.js").Texts[]} batches
 * @param {{rate: number, rise: number, most: number, by: number, steps: number}} how
 */
export function losses(config, kind, weights, batches, { rate, rise, most, by, steps }) {
  const one = learner(model(config, kind, weights));
  return batches.map(
    (texts, step) => learn(one, texts, { rate: warmupCosine(step, steps, rate, rise), most, by }).loss,
  );
}

let running = /** @type {ReturnType<typeof session> | null} */ (null),
  told = /** @type {any[]} */ ([]);

/** a bᵀ, of bytes. */
export function product(kind, a, b, inner) {
  const [x, y] = [a, b].map((view) => new KINDS[kind](view.buffer));
  return Array.from(rowsByRows(x, y, inner));
}

/** Whether there is a faster product here than the one in JavaScript. */
export const wide = () => wideProduct(new Float32Array(4), new Float32Array(4), 4) !== null;

/**
 * Begin a run whose stories come as bytes; `more` goes on with it.
 * @param {any} task
 */
export function begin({ told: stories, fresh, ...task }) {
  told = [];
  const bytes = (/** @type {DataView} */ view) => new Uint8Array(view.buffer);
  running = session({ ...task, told: bytes(stories), fresh: bytes(fresh) }, (message) => told.push(message));
}

/** Go on for some time; what was told, and whether there is more. */
export function more(ms) {
  const goes = running?.work(ms) ?? false,
    messages = told;
  told = [];
  return { goes, messages };
}

/** `many` stories from a place on, of unpacked bytes. */
export const texts = (bytes, order, end, from, many) =>
  batch(read(new Uint8Array(bytes.buffer), { order, end }), from, many);
