// The stories that a page trains on, from the bytes that `labutils/controls/engine/stories.py` packed.

const ONE_BYTE = 240; // ranks below it take one byte; a first byte of at least 240 begins two

/**
 * @typedef {{ids: Uint16Array, starts: number[], end: number}} Stories each begins with the end sign; the one that
 *   closes it is that of the next story
 */

/**
 * @param {Uint8Array} bytes unpacked by zlib
 * @param {{order: number[], end: number}} how the tokens from the most frequent on, and the end sign
 * @returns {Stories}
 * @throws {Error} one sentence
 */
export function read(bytes, { order, end }) {
  const ids = [],
    starts = [];
  for (let i = 0; i < bytes.length; i++) {
    const rank = bytes[i] < ONE_BYTE ? bytes[i] : ONE_BYTE + 256 * (bytes[i] - ONE_BYTE) + bytes[++i],
      id = order[rank];
    if (id === undefined) throw new Error("The stories arrived damaged: reload the page.");
    if (id === end) starts.push(ids.length);
    ids.push(id);
  }
  if (starts[0] !== 0) throw new Error("The stories arrived damaged: reload the page.");
  return { ids: Uint16Array.from(ids), starts: [...starts, ids.length], end };
}

/**
 * `many` stories from number `from` on, each closed by its end sign; after the last story the first one comes again.
 * @param {Stories} stories
 * @param {number} from
 * @param {number} many
 * @returns {import("./model.js").Texts}
 */
export function batch({ ids, starts, end }, from, many) {
  const all = starts.length - 1,
    out = [],
    begins = [0];
  for (let k = from; k < from + many; k++) {
    for (let i = starts[k % all]; i < starts[(k % all) + 1]; i++) out.push(ids[i]);
    out.push(end);
    begins.push(out.length);
  }
  return { ids: out, starts: begins };
}

/**
 * All stories as one batch.
 * @param {Stories} stories
 */
export const whole = (stories) => batch(stories, 0, stories.starts.length - 1);

/**
 * Which three tokens stand in a row anywhere in the stories.
 * @param {Stories} stories
 * @returns {(a: number, b: number, c: number) => boolean}
 */
export function triples({ ids, starts, end }) {
  const size = 1 << 11,
    key = (a, b, c) => (a * size + b) * size + c,
    seen = new Set();
  for (let k = 0; k + 1 < starts.length; k++)
    for (let i = starts[k]; i < starts[k + 1]; i++)
      seen.add(key(i > starts[k] ? ids[i - 1] : end, ids[i], i + 1 < starts[k + 1] ? ids[i + 1] : end));
  return (a, b, c) => seen.has(key(a, b, c));
}
