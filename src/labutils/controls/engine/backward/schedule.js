// The learning rate of each step: a straight rise, then half a cosine down (Loshchilov and Hutter 2017, section 3).

/**
 * @param {number} step counted from 0
 * @param {number} steps of the whole run
 * @param {number} peak
 * @param {number} rise the steps of warm-up; 0 is none
 * @param {number} final the last rate, as a share of the peak
 */
export function warmupCosine(step, steps, peak, rise, final = 0.02) {
  if (step < rise) return (peak * (step + 1)) / rise;
  const down = Math.min(1, (step - rise) / Math.max(1, steps - 1 - rise));
  return peak * (final + (1 - final) * 0.5 * (1 + Math.cos(Math.PI * down)));
}
