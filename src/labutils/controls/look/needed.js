// The head that an answer needs: each is switched off in turn, and what the answer keeps without it is noted.
import { range } from "./words.js";

/** What `source.trace` does to the weights of a layer so that one head hands nothing on, in a text of n tokens. */
export const without = (layer, head, n) => ({
  [`layer ${layer} weights`]: (weights) => weights.fill(0, head * n * n, (head + 1) * n * n),
});

/**
 * What row i looks at in each head.
 * @param {ArrayLike<number> & {subarray: Function}} weights (heads, n, n) of one layer, or of all, one after the other
 * @returns {{key: number, weight: number}[]} for each head the other token from which it takes most; itself if alone
 */
export function looking(weights, n, i) {
  return range(weights.length / (n * n)).map((k) => {
    const row = Array.from(weights.subarray((k * n + i) * n, (k * n + i + 1) * n)),
      others = n > 1 ? row.map((w, j) => (j === i ? -1 : w)) : row,
      weight = Math.max(...others);
    return { key: others.indexOf(weight), weight };
  });
}

/**
 * The head to show: of those that cost the answer at least half of what the dearest one costs, the one that takes most
 * from another token.
 * @param {number} p of the answer, and `left`: what it keeps without each head
 * @param {{weight: number}[]} looks of each head, as `looking` gives them
 * @returns {number} its place among them
 */
export function chosen(p, left, looks) {
  const most = p - Math.min(...left),
    least = Math.min(most, most / 2); // there may be none that it needs
  return range(left.length)
    .filter((k) => p - left[k] >= least - 1e-12)
    .reduce((a, k) => (looks[k].weight > looks[a].weight ? k : a));
}
