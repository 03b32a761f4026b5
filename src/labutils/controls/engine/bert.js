// BERT: embeddings with segments, L blocks that see both sides, and two heads: the hidden word and the next sentence.
// Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers".
import { activate, blockShapes, postNormBlock } from "./blocks.js";
import { add, layerNorm, linear, lookUp } from "./linear.js";
import { allContributions, checkIds, traceBlocks } from "./trace.js";
import { nested } from "./weights.js";

/** The name and shape of every parameter, as in Python's `labutils.models.Bert`; without `nsp` there are no pooler and no second head. */
export function bertShapes({ vocab, maxTokens, segments, width: d, ffn: f, layers, nsp }) {
  const shapes = { "embeddings.token.weight": [vocab, d], "embeddings.position.table.weight": [maxTokens, d], "embeddings.segment.weight": [segments, d], "embeddings.norm.gain": [d], "embeddings.norm.bias": [d] };
  for (let l = 0; l < layers; l++) Object.assign(shapes, blockShapes(`blocks.${l}.`, d, f));
  Object.assign(shapes, { "mlm.transform.weight": [d, d], "mlm.transform.bias": [d], "mlm.norm.gain": [d], "mlm.norm.bias": [d], "mlm.bias": [vocab] });
  return nsp ? Object.assign(shapes, { "pooler.dense.weight": [d, d], "pooler.dense.bias": [d], "nsp.weight": [2, d], "nsp.bias": [2] }) : shapes;
}

/**
 * A model ready to run.
 * @param {object} config layers, heads, headDim, width, ffn, vocab, maxTokens, segments, nsp, eps, activation
 * @param {Object<string, Float64Array>} weights by the names of `bertShapes`
 */
export function openBert(config, weights) {
  const { blocks, ...rest } = nested(weights);
  const model = { config, ...rest, blocks: blocks.map((b) => ({ ...b, ...b.feed_forward })) };
  return { config, trace: (ids, options) => traceBert(model, ids, options) };
}

function traceBert(model, ids, { typeIds = ids.map(() => 0), contributions = false } = {}) {
  checkIds(ids, model.config);
  if (typeIds.length !== ids.length || typeIds.some((t) => !(t >= 0 && t < model.config.segments))) throw new Error(`Each token needs a segment from 0 to ${model.config.segments - 1}.`);
  const embedded = embed(model, ids, typeIds);
  const stages = traceBlocks(model, embedded.embedding_norm, postNormBlock);
  const final = stages.output.slice(-embedded.embedding_norm.length);
  return {
    ...embedded, ...stages, final, ...hiddenWord(model, final, ids.length), ...(model.config.nsp && nextSentence(model, final)),
    ...(contributions && { contributions: allContributions(model, stages) }),
  };
}

function embed({ config: { width, eps }, embeddings: { token, position, segment, norm } }, ids, typeIds) {
  const parts = {
    embedding_token: lookUp(token.weight, ids, width),
    embedding_segment: lookUp(segment.weight, typeIds, width),
    embedding_position: lookUp(position.table.weight, ids.map((_, i) => i), width),
  };
  const fresh = () => new Float64Array(ids.length * width);
  const embedding_sum = add(add(parts.embedding_token, parts.embedding_segment, fresh()), parts.embedding_position, fresh());
  return { ...parts, embedding_sum, embedding_norm: layerNorm(embedding_sum, norm.gain, norm.bias, eps, fresh()) };
}

/** Which token stands here? One more layer, then the token table once more and a bias for each token: (n, d) -> (n, V). */
function hiddenWord({ config: { vocab, eps, activation }, embeddings, mlm: { transform, norm, bias } }, final, n) {
  const mlm_transform = linear(final, transform.weight, transform.bias, new Float64Array(final.length), n);
  layerNorm(activate(activation, mlm_transform, mlm_transform), norm.gain, norm.bias, eps, mlm_transform);
  return { mlm_transform, logits: linear(mlm_transform, embeddings.token.weight, bias, new Float64Array(n * vocab), n) };
}

/** Does the second text follow the first? tanh of the row of [CLS], then two logits; index 0 means that it does. */
function nextSentence({ config: { width }, pooler: { dense }, nsp }, final) {
  const pooled = linear(final.subarray(0, width), dense.weight, dense.bias, new Float64Array(width), 1).map(Math.tanh);
  return { pooled, nsp_logits: linear(pooled, nsp.weight, nsp.bias, new Float64Array(2), 1) };
}
