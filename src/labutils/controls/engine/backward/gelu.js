// GELU as GPT-2 has it, approximated by a hyperbolic tangent (Hendrycks and Gimpel 2016, section 2), and its slope.
import { arenaOf } from "./arena.js";
import { unset } from "./numbers.js";

/** @typedef {import("./numbers.js").Numbers} Numbers */

const ROOT = Math.sqrt(2 / Math.PI),
  CUBE = 0.044715;

/**
 * x (1 + tanh(√(2/π) (x + 0.044715 x³))) / 2.
 * @param {Numbers} x
 * @returns {{y: Numbers, bent: Numbers}} bent: the tangents, which the slope needs again
 */
export function gelu(x) {
  const y = unset(x.length, x),
    bent = unset(x.length, x),
    home = arenaOf(x, y, bent);
  if (home) home.loops.gelu(...[x, y, bent].map((part) => part.byteOffset), 4 * x.length);
  else gelusOf(x, y, bent);
  return { y, bent };
}

function gelusOf(x, y, bent) {
  for (let i = 0; i < x.length; i++) {
    bent[i] = Math.tanh(ROOT * (x[i] + CUBE * x[i] * x[i] * x[i]));
    y[i] = 0.5 * x[i] * (1 + bent[i]);
  }
}

/**
 * dy times the slope at x; the slope of a tangent t is 1 - t².
 * @param {Numbers} dy
 * @param {Numbers} x
 * @param {Numbers} bent
 */
export function geluBack(dy, x, bent) {
  const dx = unset(x.length, x),
    home = arenaOf(dy, x, bent, dx);
  if (home) home.loops.gelu_back(...[dy, x, bent, dx].map((part) => part.byteOffset), 4 * x.length);
  else slopesOf(dy, x, bent, dx);
  return dx;
}

function slopesOf(dy, x, bent, dx) {
  for (let i = 0; i < x.length; i++) {
    const t = bent[i],
      inner = ROOT * (1 + 3 * CUBE * x[i] * x[i]);
    dx[i] = dy[i] * 0.5 * (1 + t + x[i] * (1 - t * t) * inner);
  }
}
