// BERT: embeddings with segments, L blocks that see both sides, and two heads: the hidden word and the next sentence.
// Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers".
import { blockShapes, postNormBlock } from "./blocks.js";
import { bertEmbeddings } from "./embeddings.js";
import { maskedLanguageHead, pooler } from "./heads.js";
import { inLayer } from "./hooks.js";
import { linear } from "./linear.js";

/**
 * The name and shape of every parameter, as in Python's `labutils.models.Bert`; without `nsp` neither pooler nor second
 * head.
 */
export function bertShapes({ vocab, maxTokens, segments, width: d, ffn: f, layers, nsp }) {
  const shapes = {
    "embeddings.token.weight": [vocab, d],
    "embeddings.position.table.weight": [maxTokens, d],
    "embeddings.segment.weight": [segments, d],
    "embeddings.norm.gain": [d],
    "embeddings.norm.bias": [d],
  };
  for (let l = 0; l < layers; l++) Object.assign(shapes, blockShapes(`blocks.${l}.`, d, f));
  Object.assign(shapes, {
    "mlm.transform.weight": [d, d],
    "mlm.transform.bias": [d],
    "mlm.norm.gain": [d],
    "mlm.norm.bias": [d],
    "mlm.bias": [vocab],
  });
  if (nsp)
    Object.assign(shapes, {
      "pooler.dense.weight": [d, d],
      "pooler.dense.bias": [d],
      "nsp.weight": [2, d],
      "nsp.bias": [2],
    });
  return shapes;
}

/**
 * One pass over ids that can be read; `see` is shown every stage.
 * @param {Object<string, any>} model config, causal, and the parameters by the names of `bertShapes`, nested
 */
export function runBert({ config, causal, embeddings, blocks, mlm, pooler: first, nsp }, ids, { typeIds }, see) {
  const { segments } = config;
  if (typeIds.length !== ids.length || typeIds.some((t) => !(t >= 0 && t < segments))) {
    throw new Error(`Each token needs a segment from 0 to ${segments - 1}.`);
  }
  let x = bertEmbeddings(embeddings, ids, typeIds, config, see);
  blocks.forEach((block, i) => {
    x = postNormBlock(block, x, { ...config, causal }, inLayer(see, i));
  });
  x = see("final", x);
  see("logits", maskedLanguageHead(mlm, x, embeddings.token.weight, config, see));
  // index 0: the second text follows
  if (config.nsp) see("nsp_logits", linear(see("pooled", pooler(first, x, config)), nsp, 1));
}
