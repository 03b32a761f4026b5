// Layer normalisation: bring every row to mean 0 and variance 1, then to a learned scale and offset.

/** @typedef {{gain: Float64Array, bias: Float64Array}} Norm (width) each */

/**
 * LayerNorm (Ba et al. 2016): the variance is divided by the width, not by one less.
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
