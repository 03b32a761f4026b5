// The numbers, without a document: parameters, bytes and operations from the sizes of a model.
import { clamp, range } from "../look/words.js";

/**
 * @typedef {{layers: number, width: number, heads: number, keyHeads: number, ffn: number, vocab: number,
 *   positions: number, gated: boolean}} Shape
 */

/** Weights of a block that are multiplied with a row; biases and norms are not. @param {Shape} shape */
const projected = ({ width, heads, keyHeads }) => 2 * width * width + 2 * width * keyHeads * (width / heads);
/** @param {Shape} shape */
const inNetwork = ({ width, ffn, gated }) => (gated ? 3 : 2) * width * ffn;
/** @param {Shape} shape */
const multiplied = (shape) => projected(shape) + inNetwork(shape);

/** All that a model learns. @param {Shape} shape */
export function parameters(shape) {
  const { layers, width, heads, keyHeads, ffn, vocab, positions, gated } = shape,
    // four biases of attention, two of the feed-forward network, two LayerNorms; or two gains
    rest = gated ? 2 * width : 2 * width + 2 * keyHeads * (width / heads) + ffn + width + 4 * width,
    tables = gated ? 2 * vocab * width : (vocab + positions) * width;
  return tables + layers * (multiplied(shape) + rest) + (gated ? 1 : 2) * width;
}

/** The parameters by what they are for. @param {Shape} shape @returns {[string, number][]} */
export function parametersOf(shape) {
  const { layers, width, heads, keyHeads, ffn, gated } = shape,
    networks = layers * (inNetwork(shape) + (gated ? 0 : ffn + width)),
    attention = layers * (projected(shape) + (gated ? 0 : 2 * width + 2 * keyHeads * (width / heads)));
  return [
    ["networks", networks],
    ["attention", attention],
    ["tables and norms", parameters(shape) - networks - attention],
  ];
}

/**
 * Operations of all blocks on a text of n tokens, by what they are for.
 * @param {Shape} shape @param {number} n @returns {[string, number][]}
 */
export const operationsOf = (shape, n) => [
  ["networks", shape.layers * 2 * n * inNetwork(shape)],
  ["attention, projections", shape.layers * 2 * n * projected(shape)],
  ["attention, comparing", shape.layers * 4 * n * n * shape.width],
];

/** Bytes of the keys and values of one token. @param {Shape} shape @param {number} bits */
export const ofToken = ({ layers, width, heads, keyHeads }, bits) =>
  (2 * layers * keyHeads * (width / heads) * bits) / 8;

/** Operations of one new token that is the last of so many: blocks and output head. @param {Shape} shape */
export const ofStep = (shape, tokens) =>
  shape.layers * (2 * multiplied(shape) + 4 * shape.width * tokens) + 2 * shape.vocab * shape.width;

/** Numbers that divide the heads, the largest first. */
export const divisors = (n) =>
  range(n)
    .map((i) => n - i)
    .filter((k) => n % k === 0);

/** All that is drawn and said. */
export function view(shapes, { model, weight_bits, kept_bits, tokens, texts, key_heads }) {
  const built = shapes[model] ?? Object.values(shapes)[0],
    keyHeads = key_heads && built.heads % key_heads === 0 ? key_heads : built.keyHeads,
    shape = { ...built, keyHeads },
    read = clamp(Math.round(tokens) || 1, 1, built.positions),
    many = clamp(Math.round(texts) || 1, 1, 64),
    all = parameters(shape),
    weights = (all * weight_bits) / 8,
    kept = ofToken(shape, kept_bits) * read * many,
    operations = ofStep(shape, read) * many;
  return {
    ...{ model, shape, built, weight_bits, kept_bits, tokens: read, texts: many, parameters: all, weights, kept },
    operations,
    brought: weights + kept,
    largest: Math.max(4 * all, (kept * 32) / kept_bits), // the longer of the two bars, all numbers in float32
    each: ofToken(shape, kept_bits),
    intensity: operations / (weights + kept),
  };
}
