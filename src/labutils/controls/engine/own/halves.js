// What one of two workers needs of a model, as tensors are shared in Megatron-LM (Shoeybi et al. 2019, section 3): half
// of the heads, half of the inner columns of each network, half of the rows of the vocabulary.
import { nestedPlaces } from "./places.js";

/**
 * @typedef {import("./arena.js").Part} Part
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./places.js").Places} Places
 */

/**
 * How a parameter is shared, by its name; one that is not named here only the first worker needs.
 * @type {[RegExp, "rows" | "columns" | "once" | "both"][]}
 */
const SHARED = [
  [/\.(query|key|value|expand)\.(weight|bias)$|^embeddings\.token\.weight$/, "rows"],
  [/\.(output|contract)\.weight$/, "columns"],
  [/\.(output|contract)\.bias$/, "once"], // added to the sum of both halves
  [/norm\d?\.(gain|bias)$/, "both"],
];

/**
 * Whether a model falls into two halves, whose products take four columns at a time.
 * @param {{heads: number, ffn: number, vocab: number}} config
 */
export const divisible = ({ heads, ffn, vocab }) => heads % 2 === 0 && ffn % 8 === 0 && vocab >= 8;

/** The configuration of a half. */
export const halfOf = (config) => ({ ...config, heads: config.heads / 2, keyHeads: config.keyHeads / 2 });

/**
 * What of a parameter the worker `which`, 0 or 1, needs; null where it needs nothing.
 * @param {string} name
 * @param {number[]} shape of a matrix or a vector
 * @param {number} which
 * @returns {Part | null}
 */
export function partOf(name, [rows, width = 1], which) {
  const shared = SHARED.find(([names]) => names.test(name))?.[1];
  if (!shared || (shared === "once" && which)) return null;
  const [row, some] = shared === "rows" ? half(rows, which) : [0, rows],
    [column, wide] = shared === "columns" ? half(width, which) : [0, width];
  return { row, rows: some, column, width: wide };
}

/** The first of a half, and how many; the first half is a multiple of 4. */
function half(n, which) {
  const middle = 4 * Math.floor(n / 8);
  return which ? [middle, n - middle] : [0, middle];
}

/**
 * The parameters of the first half, where they lie in the whole model.
 * @param {Places} places
 */
export function firstHalf(places) {
  /** @type {Object<string, Pick<Place, "weight" | "product">>} */
  const mine = {};
  for (const [name, { shape, weight, productOf }] of Object.entries(places)) {
    const part = partOf(name, shape, 0);
    if (part && productOf) mine[name] = { weight, product: productOf(part) };
    else if (part) mine[name] = { weight: weight.subarray(part.row, part.row + part.rows) };
  }
  return nestedPlaces(mine);
}

/**
 * The names and shapes of the second half.
 * @param {Places} places
 */
export const secondHalf = (places) =>
  Object.entries(places).flatMap(([name, { shape }]) => {
    const part = partOf(name, shape, 1);
    return part ? [{ name, shape: shape.length === 2 ? [part.rows, part.width] : [part.rows] }] : [];
  });

/**
 * A copy of what the second worker needs of a parameter.
 * @param {string} name
 * @param {Place} place
 */
export function copyOf(name, { shape, weight }) {
  const across = shape[1] ?? 1,
    { row, rows, column, width } = /** @type {Part} */ (partOf(name, shape, 1));
  if (width === across) return weight.slice(row * width, (row + rows) * width);
  const copy = new Float32Array(rows * width);
  for (let i = 0; i < rows; i++) {
    const from = (row + i) * across + column;
    copy.set(weight.subarray(from, from + width), i * width);
  }
  return copy;
}
