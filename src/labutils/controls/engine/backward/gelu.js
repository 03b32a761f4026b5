// GELU as GPT-2 has it, approximated by a hyperbolic tangent (Hendrycks and Gimpel 2016, section 2), and its slope.
import { zeros } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */

const ROOT = Math.sqrt(2 / Math.PI),
  CUBE = 0.044715;

/**
 * x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2.
 * @param {Numbers} x
 * @returns {{y: Numbers, bent: Numbers}} bent: the tangents, which the slope needs again
 */
export function gelu(x) {
  const y = zeros(x.length, x),
    bent = zeros(x.length, x);
  for (let i = 0; i < x.length; i++) {
    bent[i] = Math.tanh(ROOT * (x[i] + CUBE * x[i] * x[i] * x[i]));
    y[i] = 0.5 * x[i] * (1 + bent[i]);
  }
  return { y, bent };
}

/**
 * dy times the slope at x; the slope of a tangent t is 1 - t².
 * @param {Numbers} dy
 * @param {Numbers} x
 * @param {Numbers} bent
 */
export function geluBack(dy, x, bent) {
  const dx = zeros(x.length, x);
  for (let i = 0; i < x.length; i++) {
    const t = bent[i],
      inner = ROOT * (1 + 3 * CUBE * x[i] * x[i]);
    dx[i] = dy[i] * 0.5 * (1 + t + x[i] * (1 - t * t) * inner);
  }
  return dx;
}
