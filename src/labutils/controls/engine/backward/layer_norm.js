// LayerNorm (Ba et al. 2016) and the way back. What a row lost on the way in, its mean and its size, no gradient can
// reach: both are taken off the gradient as well.
import { arenaOf } from "./arena.js";
import { unset } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{gain: Numbers, bias: Numbers}} Norm (width) each
 * @typedef {{normal: Numbers, scale: Numbers}} Kept the normalised rows, and for each 1 / its standard deviation
 */

/**
 * @param {Numbers} x (rows, width)
 * @param {Norm} norm
 * @param {number} eps added to the variance, under the root
 * @returns {{y: Numbers} & Kept}
 */
export function layerNorm(x, { gain, bias }, eps) {
  const width = gain.length,
    rows = x.length / width,
    y = unset(x.length, x),
    normal = unset(x.length, x),
    scale = unset(rows, x),
    arrays = [x, gain, bias, y, normal, scale],
    home = width % 4 ? undefined : arenaOf(...arrays);
  if (home) home.loops.norm(...arrays.map((part) => part.byteOffset), rows, 4 * width, eps);
  else normalise({ x, y, normal, scale }, gain, bias, eps);
  return { y, normal, scale };
}

function normalise({ x, y, normal, scale }, gain, bias, eps) {
  const width = gain.length;
  for (let i = 0, at = 0; at < x.length; i++, at += width) {
    let mean = 0,
      variance = 0;
    for (let j = 0; j < width; j++) mean += x[at + j];
    mean /= width;
    for (let j = 0; j < width; j++) variance += (x[at + j] - mean) ** 2;
    scale[i] = 1 / Math.sqrt(variance / width + eps);
    for (let j = 0; j < width; j++) {
      normal[at + j] = (x[at + j] - mean) * scale[i];
      y[at + j] = normal[at + j] * gain[j] + bias[j];
    }
  }
}

/**
 * @param {Numbers} dy (rows, width)
 * @param {Kept} kept
 * @param {Norm} norm
 * @param {Norm} gradient
 * @returns {Numbers} dx (rows, width)
 */
export function layerNormBack(dy, { normal, scale }, { gain }, gradient) {
  const width = gain.length,
    dx = unset(dy.length, dy),
    arrays = [dy, normal, scale, gain, gradient.gain, gradient.bias, dx],
    home = width % 4 ? undefined : arenaOf(...arrays);
  if (home) home.loops.norm_back(...arrays.map((part) => part.byteOffset), scale.length, 4 * width);
  else back({ dy, normal, scale, dx }, gain, gradient);
  return dx;
}

function back({ dy, normal, scale, dx }, gain, gradient) {
  const width = gain.length;
  for (let i = 0, at = 0; at < dy.length; i++, at += width) {
    let mean = 0, // of what reaches the normalised row
      along = 0; // how much of that points along the row itself
    for (let j = 0; j < width; j++) {
      const d = dy[at + j] * gain[j];
      mean += d;
      along += d * normal[at + j];
      gradient.gain[j] += dy[at + j] * normal[at + j];
      gradient.bias[j] += dy[at + j];
    }
    mean /= width;
    along /= width;
    for (let j = 0; j < width; j++) dx[at + j] = scale[i] * (dy[at + j] * gain[j] - mean - normal[at + j] * along);
  }
}
