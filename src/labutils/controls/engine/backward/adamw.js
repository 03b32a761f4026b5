// AdamW (Loshchilov and Hutter 2019): each parameter moves by its mean gradient, divided by how large its gradients
// are; matrices also shrink a little, apart from that. And clipping (Pascanu et al. 2013).
import { arenaOf } from "./arena.js";
import { shapes } from "./model.js";
import { zeros } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{beta1: number, beta2: number, epsilon: number, decay: number}} How
 * @typedef {{mean: Numbers, square: Numbers, steps: number}} Memory running means of each gradient and of its square
 */

export const HOW = { beta1: 0.9, beta2: 0.98, epsilon: 1e-8, decay: 0.05 };

/**
 * @param {import("./model.js").Parameters} model
 * @returns {Memory}
 */
export const memory = ({ flat }) => ({ mean: zeros(flat.length, flat), square: zeros(flat.length, flat), steps: 0 });

/**
 * One step of every parameter.
 * @param {import("./model.js").Parameters} model changed in place
 * @param {import("./model.js").Parameters} gradient
 * @param {Memory} memory changed in place
 * @param {number} rate
 * @param {How} how
 */
export function adamw(model, gradient, memory, rate, how = HOW) {
  const steps = ++memory.steps,
    arrays = [model.flat, gradient.flat, memory.mean, memory.square],
    home = model.config.width % 4 ? undefined : arenaOf(...arrays);
  // both means begin at 0 and are too small at first: this much of them is there
  const there1 = 1 - how.beta1 ** steps,
    there2 = Math.sqrt(1 - how.beta2 ** steps);
  let at = 0;
  for (const [name, shape] of Object.entries(shapes(model.config))) {
    // a bias or a gain has no reason to be small
    const keep = shape.length > 1 ? 1 - rate * how.decay : 1,
      parts = arrays.map((x) => x.subarray(at, at + model.named[name].length));
    if (home) {
      const places = parts.map((x) => x.byteOffset);
      home.loops.adamw(
        ...places,
        4 * parts[0].length,
        how.beta1,
        how.beta2,
        keep,
        rate / there1,
        1 / there2,
        how.epsilon,
      );
    } else move(/** @type {any} */ (parts), { ...how, keep, rate: rate / there1, root: there2 });
    at += parts[0].length;
  }
}

function move([flat, gradient, mean, square], { beta1, beta2, epsilon, keep, rate, root }) {
  for (let i = 0; i < flat.length; i++) {
    const g = gradient[i];
    mean[i] += (1 - beta1) * (g - mean[i]);
    square[i] = beta2 * square[i] + (1 - beta2) * g * g;
    flat[i] = keep * flat[i] - (rate * mean[i]) / (Math.sqrt(square[i]) / root + epsilon);
  }
}

function squaresOf(flat) {
  const home = flat.length % 4 ? undefined : arenaOf(flat);
  if (home) return home.loops.squares(flat.byteOffset, 4 * flat.length);
  let squares = 0;
  for (let i = 0; i < flat.length; i++) squares += flat[i] * flat[i];
  return squares;
}

/**
 * Shorten a gradient, all parameters taken together, to the length `most`; a shorter one stays.
 * @param {import("./model.js").Parameters} gradient changed in place
 * @param {number} most Infinity: none is shortened
 * @returns {number} its length before
 */
export function clip({ flat }, most) {
  const length = Math.sqrt(squaresOf(flat)),
    part = most / (length + 1e-6);
  if (part < 1) for (let i = 0; i < flat.length; i++) flat[i] *= part;
  return length;
}
