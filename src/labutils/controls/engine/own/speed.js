// How long a token takes, and whether a second worker is worth its memory.

const WARM = 10, // tokens, until the browser has compiled what it runs often
  TIMED = 7;

/**
 * The milliseconds that one more token takes: the median of some, after some that warm up.
 * @param {(ids: number[]) => Float64Array | Promise<Float64Array>} next
 * @param {{vocab: number, maxTokens: number}} config
 * @param {() => number} now
 */
export async function speed(next, { vocab, maxTokens }, now = () => performance.now()) {
  const took = [];
  for (let n = 1; n <= Math.min(WARM + TIMED, maxTokens); n++) {
    const ids = Array.from({ length: n }, (_, i) => i % vocab),
      from = now();
    await next(ids);
    took.push(now() - from);
  }
  const timed = took.slice(-TIMED).sort((a, b) => a - b);
  return timed[Math.floor(timed.length / 2)];
}

/**
 * How many workers write on: two only where a reader sees that they are faster, in two figures.
 * @param {number} one ms a token with one
 * @param {number} two ms a token with two
 */
export const fasterOf = (one, two) => (Number(two.toPrecision(2)) < Number(one.toPrecision(2)) ? 2 : 1);
