// What may be changed while a model trains.

/**
 * @typedef {{rate: number, rise: number, batch: number, most: number, by: number}} Plan the highest learning rate; the
 *   steps in which it is reached; stories a batch; the most that a gradient may be long, Infinity for no clipping;
 *   by how
 *   many places the labels are shifted
 */

const RANGES = /** @type {[keyof Plan, string, number, number, boolean][]} */ ([
  ["rate", "The learning rate", 0, 1e6, false],
  ["rise", "The warm-up", 0, 100000, true],
  ["batch", "The number of stories a batch", 1, 256, true],
  ["most", "The length at which a gradient is clipped", 0, Infinity, false],
  ["by", "The shift of the labels", 0, 1, true],
]);

/**
 * @param {Plan} plan
 * @returns {string} what is wrong with it in one sentence, "" if nothing is
 */
export function wrong(plan) {
  for (const [name, words, least, top, whole] of RANGES) {
    const value = plan[name],
      range = top === Infinity ? `${least} or more` : `from ${least} to ${top.toLocaleString("en")}`;
    if (typeof value !== "number" || !(value >= least && value <= top) || (whole && !Number.isInteger(value)))
      return `${words} is ${value}, and must be ${whole ? "a whole number " : ""}${range}: the run goes on as it was.`;
  }
  return "";
}
