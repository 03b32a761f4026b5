// A small GPT-2 that can be trained: its parameters in one array, forward with everything kept, and backward.
import { nested } from "../weights.js";
import { arenaOf } from "./arena.js";
import { block, blockBack } from "./block.js";
import { embed, embedBack } from "./embeddings.js";
import { layerNorm, layerNormBack } from "./layer_norm.js";
import { linear, linearBack } from "./linear.js";
import { zeros } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Numbers} Numbers
 * @typedef {{vocab: number, places: number, width: number, layers: number, heads: number, eps: number}} Config
 * @typedef {{ids: ArrayLike<number>, starts: number[]}} Texts the ids of several texts, one after the other; where each
 *   begins, and where the last one ends
 * @typedef {{config: Config, flat: Numbers, named: Object<string, Numbers>, tree: any}} Parameters
 */

/**
 * The shape of each parameter, by the names and in the order of `labutils.models.GPT2`. The output head is the token
 * table.
 * @param {Config} config
 * @returns {Object<string, number[]>}
 */
export function shapes({ vocab, places, width: d, layers }) {
  const out = { "embeddings.token.weight": [vocab, d], "embeddings.position.table.weight": [places, d] },
    norm = (name) => Object.assign(out, { [`${name}.gain`]: [d], [`${name}.bias`]: [d] }),
    layer = (name, rows, columns) =>
      Object.assign(out, { [`${name}.weight`]: [rows, columns], [`${name}.bias`]: [rows] });
  for (let i = 0; i < layers; i++) {
    norm(`blocks.${i}.norm1`);
    for (const part of ["query", "key", "value", "output"]) layer(`blocks.${i}.attention.${part}`, d, d);
    norm(`blocks.${i}.norm2`);
    layer(`blocks.${i}.feed_forward.expand`, 4 * d, d);
    layer(`blocks.${i}.feed_forward.contract`, d, 4 * d);
  }
  norm("final_norm");
  return out;
}

export const count = (config) =>
  Object.values(shapes(config)).reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);

/**
 * One array of numbers as all parameters of a model: each by its name, and as a tree. They share their memory, so what
 * an optimiser does to the array it does to the model.
 * @param {Config} config
 * @param {Numbers} flat
 * @returns {Parameters}
 */
export function parameters(config, flat) {
  const named = {};
  let at = 0;
  for (const [name, shape] of Object.entries(shapes(config))) {
    const end = at + shape.reduce((a, b) => a * b, 1);
    named[name] = flat.subarray(at, end);
    at = end;
  }
  return { config, flat, named, tree: nested(named) };
}

/**
 * Logits of what follows each token, (tokens, vocabulary), and everything that the way back needs. In an arena they are
 * written over what the pass before has left.
 * @param {Parameters} model
 * @param {Texts} texts
 * @returns {{logits: Numbers, kept: any}}
 */
export function forward({ config, flat, tree }, { ids, starts }) {
  arenaOf(flat)?.release();
  const { width, heads, eps } = config,
    how = { starts, heads, width, eps },
    places = placesOf(ids, starts),
    blocks = [],
    embedded = embed(ids, places, tree.embeddings, width);
  let x = embedded;
  for (const parts of tree.blocks) {
    const made = block(x, parts, how);
    blocks.push(made.kept);
    x = made.x;
  }
  const final = layerNorm(x, tree.final_norm, eps),
    logits = linear(final.y, tree.embeddings.token, ids.length);
  return { logits, kept: { ids, places, how, embedded, blocks, final, logits } };
}

/**
 * What each parameter did to the loss, from dL/d(logits). The token table is used twice, at the bottom and at the top,
 * and gets both parts.
 * @param {Parameters} model
 * @param {any} kept
 * @param {Numbers} dlogits (tokens, vocabulary)
 * @param {Parameters} gradient of the same shapes; what it holds is written over
 */
export function backward({ tree }, kept, dlogits, gradient) {
  const { ids, places, how, blocks, final } = kept,
    g = gradient.tree;
  gradient.flat.fill(0);
  let dx = linearBack(dlogits, final.y, tree.embeddings.token, { weight: g.embeddings.token.weight }, ids.length);
  dx = layerNormBack(dx, final, tree.final_norm, g.final_norm);
  for (let i = blocks.length - 1; i >= 0; i--) dx = blockBack(dx, blocks[i], tree.blocks[i], g.blocks[i], how);
  embedBack(dx, ids, places, g.embeddings, how.width);
}

/** The place of each token in its own text. */
function placesOf(ids, starts) {
  const places = new Int32Array(ids.length);
  for (let t = 0; t + 1 < starts.length; t++) for (let i = starts[t]; i < starts[t + 1]; i++) places[i] = i - starts[t];
  return places;
}

/** A gradient, or a running mean, of the shapes of a model, all zeros. */
export const like = ({ config, flat }) => parameters(config, zeros(flat.length, flat));
