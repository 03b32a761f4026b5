// The block: attention, where rows listen to each other, then a feed-forward network, each row alone. Both are added to
// what was there before. GPT-2 normalises what goes into a sub-layer, BERT what comes out of the sum.
import { feedForward } from "./feed_forward.js";
import { add } from "./linear.js";
import { multiHeadAttention } from "./multi_head.js";
import { layerNorm } from "./norms.js";

/** The name and shape of every parameter of a block; GPT-2 and BERT have the same. */
export function blockShapes(prefix, d, f) {
  const shapes = {};
  for (const name of ["norm1", "norm2"]) for (const part of ["gain", "bias"]) shapes[`${prefix}${name}.${part}`] = [d];
  const squares = ["query", "key", "value", "output"].map((name) => [`attention.${name}`, [d, d]]);
  for (const [name, shape] of [...squares, ["feed_forward.expand", [f, d]], ["feed_forward.contract", [d, f]]]) {
    shapes[`${prefix}${name}.weight`] = shape;
    shapes[`${prefix}${name}.bias`] = [shape[0]];
  }
  return shapes;
}

/**
 * @typedef {import("./linear.js").Linear} Linear
 * @typedef {import("./norms.js").Norm} Norm
 * @typedef {{norm1: Norm, attention: import("./multi_head.js").MultiHead, norm2: Norm,
 *   feed_forward: {expand: Linear, contract: Linear}}} Block
 * @typedef {{layers: number, heads: number, headDim: number, width: number, ffn: number, vocab: number,
 *   maxTokens: number, activation: string, eps: number, segments?: number}} Config
 */

/**
 * GPT-2 (Radford et al. 2019, section 2.3): (rows, d) -> (rows, d).
 * @param {Block} block
 * @param {Config & import("./multi_head.js").How} how
 * @param {import("./hooks.js").See} see
 */
export function preNormBlock(block, x, how, see) {
  x = see("input", x);
  const heard = see("attention_input", layerNorm(x, block.norm1, how.eps));
  const attended = see("attention_output", multiHeadAttention(block.attention, heard, how, see));
  x = see("attention_stream", add(x, attended));
  const read = see("ffn_input", layerNorm(x, block.norm2, how.eps));
  const thought = see("ffn_output", feedForward(block.feed_forward, read, how, see));
  return see("output", add(x, thought));
}

/** BERT, and the original Transformer (Vaswani et al. 2017, section 3.1): LayerNorm(x + Sublayer(x)). */
export function postNormBlock(block, x, how, see) {
  x = see("input", x);
  const attended = see("attention_output", multiHeadAttention(block.attention, x, how, see));
  x = see("attention_stream", layerNorm(add(x, attended), block.norm1, how.eps));
  const thought = see("ffn_output", feedForward(block.feed_forward, x, how, see));
  return see("output", layerNorm(add(x, thought), block.norm2, how.eps));
}
