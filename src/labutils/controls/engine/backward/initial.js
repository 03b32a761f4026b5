// The weights before training, drawn as `labutils.models` draws them, and the draws that everything random here uses.
import { parameters, shapes } from "./model.js";

/**
 * Numbers from 0 to 1, the same ones for the same seed (mulberry32, by Tommy Ettinger, in the public domain).
 * @param {number} seed
 * @returns {() => number}
 */
export function draws(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** From a normal distribution around 0 (Box and Muller 1958). */
const normal = (draw) => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

/**
 * Tables and matrices from a normal distribution, biases 0, gains 1. The two matrices of a block that write into the
 * stream get less, so that 2L additions leave its size as it is (Radford et al. 2019, section 2.3).
 * @param {import("./model.js").Config} config
 * @param {number} seed
 * @param {number} spread the standard deviation
 */
export function initial(config, seed, spread) {
  const sizes = Object.entries(shapes(config)),
    many = sizes.reduce((sum, [, shape]) => sum + shape.reduce((a, b) => a * b, 1), 0),
    model = parameters(config, new Float32Array(many)),
    draw = draws(seed);
  for (const [name, shape] of sizes) {
    const writes = /output\.weight$|contract\.weight$/.test(name),
      size = writes ? spread / Math.sqrt(2 * config.layers) : spread,
      values = model.named[name];
    if (shape.length > 1) for (let i = 0; i < values.length; i++) values[i] = size * normal(draw);
    else if (name.endsWith("gain")) values.fill(1);
  }
  return model;
}
