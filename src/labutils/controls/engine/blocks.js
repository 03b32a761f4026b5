// One block, in the two orders there are: GPT-2 normalises what goes into a sub-layer, BERT what comes out of the sum.
import { ACTIVATIONS } from "./activations.js";
import { multiHeadAttention } from "./attention.js";
import { add, layerNorm, linear } from "./linear.js";

/** The name and shape of every parameter of a block; GPT-2 and BERT have the same. */
export function blockShapes(prefix, d, f) {
  const shapes = {};
  for (const name of ["norm1", "norm2"]) for (const part of ["gain", "bias"]) shapes[`${prefix}${name}.${part}`] = [d];
  const matrices = { "attention.query": [d, d], "attention.key": [d, d], "attention.value": [d, d], "attention.output": [d, d], "feed_forward.expand": [f, d], "feed_forward.contract": [d, f] };
  for (const [name, shape] of Object.entries(matrices)) {
    shapes[`${prefix}${name}.weight`] = shape;
    shapes[`${prefix}${name}.bias`] = [shape[0]];
  }
  return shapes;
}

/** The stages of a layer with their shapes, named as in Python's `LayerTrace`. */
export function layerShapes({ heads, headDim, width, ffn }, rows, n, capacity) {
  const stream = [rows, width], inner = [rows, ffn], pairs = [heads, rows, n], store = [heads, capacity, headDim];
  return {
    input: stream, attention_input: stream, q: [heads, rows, headDim], k: store, v: store, scores: pairs, weights: pairs,
    context: stream, attention_output: stream, attention_stream: stream,
    ffn_input: stream, ffn_hidden: inner, ffn_activated: inner, ffn_output: stream, output: stream,
  };
}

/** The number of entries of an array with this shape. */
export function sizeOf(shape) { return shape.reduce((a, b) => a * b, 1); }

/**
 * GPT-2 (Radford et al. 2019, section 2.3). Reads s.input (rows, d), writes every other stage of `s`.
 * @param {object} block norm1, attention, norm2, expand, contract
 * @param {object} config of the model
 * @param {{past: number, rows: number}} how tokens cached before, and tokens computed now
 */
export function preNormBlock(block, s, config, how) {
  norm(block.norm1, s.input, s.attention_input, config);
  multiHeadAttention(block.attention, s, { ...how, heads: config.heads, causal: true });
  add(s.input, s.attention_output, s.attention_stream);
  norm(block.norm2, s.attention_stream, s.ffn_input, config);
  feedForward(block, s, config, how.rows);
  add(s.attention_stream, s.ffn_output, s.output);
}

/** BERT, and the original Transformer (Vaswani et al. 2017, section 3.1): LayerNorm(x + Sublayer(x)), and no mask. */
export function postNormBlock(block, s, config, how) {
  s.attention_input.set(s.input);
  multiHeadAttention(block.attention, s, { ...how, heads: config.heads, causal: false });
  norm(block.norm1, add(s.input, s.attention_output, s.attention_stream), s.attention_stream, config);
  s.ffn_input.set(s.attention_stream);
  feedForward(block, s, config, how.rows);
  norm(block.norm2, add(s.attention_stream, s.ffn_output, s.output), s.output, config);
}

function norm({ gain, bias }, x, y, { eps }) { layerNorm(x, gain, bias, eps, y); }

/** Widen, bend, narrow: (rows, d) -> (rows, f) -> (rows, d). */
function feedForward({ expand, contract }, s, { activation }, rows) {
  linear(s.ffn_input, expand.weight, expand.bias, s.ffn_hidden, rows);
  activate(activation, s.ffn_hidden, s.ffn_activated);
  linear(s.ffn_activated, contract.weight, contract.bias, s.ffn_output, rows);
}

/** y = activation(x), number by number. */
export function activate(name, x, y) {
  const f = ACTIVATIONS[name];
  for (let i = 0; i < x.length; i++) y[i] = f(x[i]);
  return y;
}
