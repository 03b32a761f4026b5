// What Python asks of the training: the tests compare it with PyTorch's. Weights and ids come as bytes.
import { arenaOf } from "./arena.js";
import { crossEntropy, shifted } from "./cross_entropy.js";
import { backward, forward, parameters } from "./model.js";
import { warmupCosine } from "./schedule.js";
import { session } from "./session.js";
import { batch, read } from "./stories.js";
import { learn, learner, withRoom } from "./training.js";

const KINDS = { float32: Float32Array, float64: Float64Array };

/** A learner of float32, float64, or "arena": float32 in one, with room for these batches. */
function given(config, kind, view, batches) {
  const one = learner(parameters(config, new (KINDS[kind] ?? Float32Array)(view.buffer)));
  if (kind !== "arena") return one;
  const lengths = batches.flatMap(({ starts }) => starts.slice(1).map((end, t) => end - starts[t])),
    there = withRoom(one, Math.max(...batches.map(({ ids }) => ids.length)), Math.max(...lengths));
  if (!arenaOf(there.model.flat)) throw new Error("There is no arena here.");
  return there;
}

/**
 * Loss and gradients on a batch, each as a list of numbers by its name.
 * @param {import("./model.js").Config} config
 * @param {"float32" | "float64" | "arena"} kind
 * @param {DataView} weights
 * @param {import("./model.js").Texts} texts
 * @param {number} by
 * @param {import("./model.js").Texts} foreseen the batch that an arena has room for
 */
export function gradients(config, kind, weights, texts, by, foreseen = texts) {
  const { model, gradient } = given(config, kind, weights, [foreseen]),
    { logits, kept } = forward(model, texts),
    { loss, dlogits } = crossEntropy(logits, shifted(texts.ids, texts.starts, by));
  backward(model, kept, dlogits, gradient);
  return {
    loss,
    inside: arenaOf(model.flat, dlogits) !== undefined, // to the end there was room
    gradients: Object.fromEntries(Object.entries(gradient.named).map(([key, x]) => [key, Array.from(x)])),
  };
}

/**
 * The loss of each step, one for each batch.
 * @param {import("./model.js").Config} config
 * @param {"float32" | "float64" | "arena"} kind
 * @param {DataView} weights
 * @param {import("./model.js").Texts[]} batches
 * @param {{rate: number, rise: number, most: number, by: number, steps: number}} how
 */
export function losses(config, kind, weights, batches, { rate, rise, most, by, steps }) {
  const one = given(config, kind, weights, batches);
  return batches.map(
    (texts, step) => learn(one, texts, { rate: warmupCosine(step, steps, rate, rise), most, by }).loss,
  );
}

let running = /** @type {ReturnType<typeof session> | null} */ (null),
  told = /** @type {any[]} */ ([]);

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
