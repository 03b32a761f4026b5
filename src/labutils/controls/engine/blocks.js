// The block: attention, where rows listen to each other, then a feed-forward network, each row alone. Both are added to
// what was there before. GPT-2 normalises what goes into a sub-layer, BERT what comes out of the sum.
import { feedForward } from "./feed_forward.js";
import { add } from "./linear.js";
import { multiHeadAttention } from "./multi_head.js";

/**
 * @typedef {import("./linear.js").Linear} Linear
 * @typedef {import("./norms.js").Norm} Norm
 * @typedef {{norm1: Norm, attention: import("./multi_head.js").MultiHead, norm2: Norm,
 *   feed_forward: import("./feed_forward.js").FeedForward}} Block
 * @typedef {import("./multi_head.js").How & import("./records.js").Config &
 *   {norm: (x: Float64Array, norm: Norm, eps: number) => Float64Array}} How
 */

/**
 * GPT-2 (Radford et al. 2019, section 2.3): (rows, d) -> (rows, d).
 * @param {Block} block
 * @param {Float64Array} x
 * @param {How} how
 * @param {import("./hooks.js").See} see
 */
export function preNormBlock(block, x, how, see) {
  x = see("input", x);
  const heard = see("attention_input", how.norm(x, block.norm1, how.eps));
  const attended = see("attention_output", multiHeadAttention(block.attention, heard, how, see));
  x = see("attention_stream", add(x, attended));
  const read = see("ffn_input", how.norm(x, block.norm2, how.eps));
  const thought = see("ffn_output", feedForward(block.feed_forward, read, how, see));
  return see("output", add(x, thought));
}

/**
 * GPT-NeoX (Black et al. 2022, section 2.1): both sub-layers read the row as it enters, and both are added to it.
 * @type {typeof preNormBlock}
 */
export function parallelBlock(block, x, how, see) {
  x = see("input", x);
  const heard = see("attention_input", how.norm(x, block.norm1, how.eps));
  const attended = see("attention_output", multiHeadAttention(block.attention, heard, how, see));
  const read = see("ffn_input", how.norm(x, block.norm2, how.eps));
  const thought = see("ffn_output", feedForward(block.feed_forward, read, how, see));
  return see("output", add(add(x, attended), thought));
}

/**
 * BERT, and the original Transformer (Vaswani et al. 2017, section 3.1): Norm(x + Sublayer(x)).
 * @type {typeof preNormBlock}
 */
export function postNormBlock(block, x, how, see) {
  x = see("input", x);
  const attended = see("attention_output", multiHeadAttention(block.attention, x, how, see));
  x = see("attention_stream", how.norm(add(x, attended), block.norm1, how.eps));
  const thought = see("ffn_output", feedForward(block.feed_forward, x, how, see));
  return see("output", how.norm(add(x, thought), block.norm2, how.eps));
}

/**
 * The blocks that an architecture's record may name.
 * @type {Object<string, typeof preNormBlock>}
 */
export const BLOCKS = { "pre-norm": preNormBlock, "post-norm": postNormBlock, parallel: parallelBlock };
