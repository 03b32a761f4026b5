// GPT-2, and the paper model: embeddings, L blocks that see only what came before, a last LayerNorm, and the token table a
// second time as the output head. Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
import { blockShapes, layerShapes, preNormBlock, sizeOf } from "./blocks.js";
import { add, layerNorm, linear, lookUp } from "./linear.js";
import { allContributions, checkIds, traceBlocks } from "./trace.js";
import { nested } from "./weights.js";

/** The name and shape of every parameter, as in Python's `labutils.models.GPT2`; matrices are (out, in). */
export function gpt2Shapes({ vocab, maxTokens, width: d, ffn: f, layers }) {
  const shapes = { "embeddings.token.weight": [vocab, d], "embeddings.position.table.weight": [maxTokens, d] };
  for (let l = 0; l < layers; l++) Object.assign(shapes, blockShapes(`blocks.${l}.`, d, f));
  return Object.assign(shapes, { "final_norm.gain": [d], "final_norm.bias": [d] });
}

/**
 * A model ready to run.
 * @param {object} config layers, heads, headDim, width, ffn, vocab, maxTokens, eps, activation
 * @param {Object<string, Float64Array>} weights by the names of `gpt2Shapes`
 */
export function openGPT2(config, weights) {
  const { embeddings, blocks, final_norm } = nested(weights);
  const model = { config, embeddings, blocks: blocks.map((b) => ({ ...b, ...b.feed_forward })), final_norm };
  const cache = { ids: [], layers: null };
  return { config, trace: (ids, options) => traceGPT2(model, ids, options), next: (ids) => next(model, cache, ids) };
}

function traceGPT2(model, ids, { contributions = false } = {}) {
  checkIds(ids, model.config);
  const { token, position, sum } = embed(model, ids, 0);
  const stages = traceBlocks(model, sum, preNormBlock);
  const { final, logits } = head(model, stages.output.subarray(-sum.length));
  return {
    embedding_token: token, embedding_position: position, embedding_sum: sum, ...stages, final, logits,
    ...(contributions && { contributions: allContributions(model, stages) }),
  };
}

/** Token and position vectors of ids that stand at places `past`, `past` + 1, … and their sum, (n, d) each. */
function embed({ config: { width }, embeddings }, ids, past) {
  const token = lookUp(embeddings.token.weight, ids, width), position = lookUp(embeddings.position.table.weight, ids.map((_, i) => past + i), width);
  return { token, position, sum: add(token, position, new Float64Array(token.length)) };
}

/** The last LayerNorm and the logits: (n, d) -> (n, d), (n, V). */
function head({ config: { vocab, eps, width }, embeddings, final_norm: { gain, bias } }, x) {
  const n = x.length / width, final = layerNorm(x, gain, bias, eps, new Float64Array(x.length));
  return { final, logits: linear(final, embeddings.token.weight, null, new Float64Array(n * vocab), n) };
}

/**
 * Logits (V) of the token that follows `ids`. Keys and values of the last call are kept: what both texts begin with is not
 * computed again, so going on by one token costs one token. (The last token is always computed, for its logits.)
 */
function next(model, cache, ids) {
  checkIds(ids, model.config);
  const { width, maxTokens } = model.config;
  cache.layers ??= model.blocks.map(() => ({ k: new Float64Array(maxTokens * width), v: new Float64Array(maxTokens * width) }));
  let past = 0;
  while (past < ids.length - 1 && ids[past] === cache.ids[past]) past++;
  const rows = ids.length - past, shapes = layerShapes(model.config, rows, ids.length, maxTokens), s = {};
  for (const name in shapes) if (name !== "k" && name !== "v") s[name] = new Float64Array(sizeOf(shapes[name]));
  let x = embed(model, ids.slice(past), past).sum;
  model.blocks.forEach((block, l) => {
    s.input.set(x);
    preNormBlock(block, Object.assign(s, cache.layers[l]), model.config, { past, rows });
    x = s.output;
  });
  cache.ids = Array.from(ids);
  return head(model, x.slice(-width)).logits;
}
