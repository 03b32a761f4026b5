// Norms: bring every row to a fixed size, then to a learned scale and offset.

/** @typedef {{gain: Float64Array, bias: Float64Array}} Norm (width) each; RMSNorm has no bias */

/**
 * LayerNorm (Ba et al. 2016): mean 0 and variance 1. The variance is divided by the width, not by one less.
 * @param {Float64Array} x (rows, width)
 * @param {Norm} norm
 * @param {number} eps added to the variance, under the root
 */
export function layerNorm(x, { gain, bias }, eps) {
  const width = gain.length,
    y = new Float64Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    let mean = 0,
      variance = 0;
    for (let j = 0; j < width; j++) mean += x[at + j];
    mean /= width;
    for (let j = 0; j < width; j++) variance += (x[at + j] - mean) ** 2;
    const scale = 1 / Math.sqrt(variance / width + eps);
    for (let j = 0; j < width; j++) y[at + j] = (x[at + j] - mean) * scale * gain[j] + bias[j];
  }
  return y;
}

/**
 * RMSNorm (Zhang and Sennrich 2019): the mean of the squares is 1. LayerNorm without the mean and without the bias.
 * @param {Float64Array} x (rows, width)
 * @param {Pick<Norm, "gain">} norm
 * @param {number} eps added to the mean, under the root
 */
export function rmsNorm(x, { gain }, eps) {
  const width = gain.length,
    y = new Float64Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    let squares = 0;
    for (let j = 0; j < width; j++) squares += x[at + j] ** 2;
    const scale = 1 / Math.sqrt(squares / width + eps);
    for (let j = 0; j < width; j++) y[at + j] = x[at + j] * scale * gain[j];
  }
  return y;
}

/** By the name that a record gives it. */
export const NORMS = { layer: layerNorm, rms: rmsNorm };
