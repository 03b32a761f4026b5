// GPT-2, and the paper model: embeddings, L blocks that see only what came before, a last LayerNorm, and the token
// table a second time as the output head, unless the model has one of its own. Radford et al. 2019, "Language Models
// are Unsupervised Multitask Learners".
import { blockShapes, preNormBlock } from "./blocks.js";
import { gpt2Embeddings } from "./embeddings.js";
import { inLayer, unseen } from "./hooks.js";
import { linear } from "./linear.js";
import { layerNorm } from "./norms.js";

/** The name and shape of every parameter, as in Python's `labutils.models.GPT2`; matrices are (out, in). */
export function gpt2Shapes({ vocab, maxTokens, width: d, ffn: f, layers, tied = true }) {
  const shapes = { "embeddings.token.weight": [vocab, d], "embeddings.position.table.weight": [maxTokens, d] };
  for (let l = 0; l < layers; l++) Object.assign(shapes, blockShapes(`blocks.${l}.`, d, f));
  Object.assign(shapes, { "final_norm.gain": [d], "final_norm.bias": [d] });
  return tied ? shapes : Object.assign(shapes, { "head.weight": [vocab, d] });
}

/**
 * One pass over ids that can be read; `see` is shown every stage.
 * @param {Object<string, any>} model config, causal, and the parameters by the names of `gpt2Shapes`, nested
 */
export function runGPT2(model, ids, _, see) {
  head(model, blocks(model, gpt2Embeddings(model.embeddings, ids, model.config, see), see), see);
}

/** @param {Object<string, any>} model */
function blocks({ config, causal, blocks: all }, x, see, caches = []) {
  all.forEach((block, i) => {
    x = preNormBlock(block, x, { ...config, causal, cache: caches[i] }, inLayer(see, i));
  });
  return x;
}

/**
 * The last LayerNorm and the logits: (n, d) -> (n, V).
 * @param {Object<string, any>} model
 */
function head({ config: { eps, width }, embeddings, final_norm, head: own }, x, see) {
  x = see("final", layerNorm(x, final_norm, eps));
  const table = own ?? embeddings.token; // each row is compared with each row of it
  return see("logits", linear(x, { weight: table.weight }, x.length / width));
}

/**
 * Logits (V) of the token that follows. Keys and values of the last call are kept: what both texts begin with is not
 * computed again, so going on by one token costs one token. (The last token is always computed, for its logits.)
 */
export function continuing(model) {
  const { config } = model;
  let known = [];
  /** @type {ReturnType<typeof store>[] | undefined} */
  let stores;
  return (ids) => {
    stores ??= Array.from({ length: config.layers }, () => store(config));
    let past = 0;
    while (past < ids.length - 1 && ids[past] === known[past]) past++;
    const x = gpt2Embeddings(model.embeddings, ids.slice(past), { ...config, past }, unseen);
    const last = blocks(
      model,
      x,
      unseen,
      stores.map((one) => one(past)),
    ).slice(-config.width);
    known = Array.from(ids);
    return head(model, last, unseen);
  };
}

/**
 * Room for the keys and values of one layer: what is handed in is put after the first `past` tokens; all of them come
 * back.
 */
function store({ heads, headDim, maxTokens }) {
  const kept = [0, 1].map(() => new Float64Array(heads * maxTokens * headDim));
  return (past) =>
    (...given) =>
      given.map((x, which) => {
        const rows = x.length / (heads * headDim),
          n = past + rows,
          all = new Float64Array(heads * n * headDim);
        for (let h = 0; h < heads; h++) {
          const begin = h * maxTokens * headDim,
            end = begin + n * headDim;
          kept[which].set(x.subarray(h * rows * headDim, (h + 1) * rows * headDim), begin + past * headDim);
          all.set(kept[which].subarray(begin, end), h * n * headDim);
        }
        return all;
      });
}
