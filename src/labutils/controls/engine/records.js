// The record of an architecture, as a model's file says it: all that tells one model from another. From it follows
// which parameters a model has, and from its parameters what is computed. As Python's `labutils.models.records`.

/**
 * @typedef {object} Record
 * @property {boolean} causal no row sees the rows after it, and a row's logits are about the next token
 * @property {string} norm the kind of its norms, one of `NORMS`
 * @property {string} block where a block normalises and what its network reads, one of `BLOCKS`
 * @property {number | null} scale of the scores, if it is not 1 / √d_k
 * @property {string[]} has the stages that it computes
 * @property {Object<string, string>} same stages that are another one again
 * @property {string[]} biases the stages of a block that a projection with a bias makes
 * @typedef {{layers: number, heads: number, keyHeads: number, headDim: number, width: number, ffn: number,
 *   vocab: number, maxTokens: number, activation: string, eps: number, rotaryBase: number | null, rotaryDim: number,
 *   segments: number, tied: boolean}} Config keyHeads: each serves heads / keyHeads of the heads; rotaryBase: of
 *   positions that turn queries and keys; rotaryDim: how many columns of a head they turn, the first ones; tied: the
 *   output head is the token table
 * @typedef {Object<string, number[]>} Shapes
 */

/**
 * Whether a block normalises the stream itself, after each sum (BERT), or what a sub-layer reads of it (GPT-2).
 * @param {Record} record
 */
export const normalisesStream = ({ block }) => block === "post-norm";

/**
 * The name and shape of every parameter, as in Python's `labutils.models`; matrices are (out, in).
 * @param {Record} record
 * @param {Config} config
 */
export function parameterShapes(record, config) {
  const { width: d, vocab, maxTokens, segments, layers, tied } = config,
    has = (stage) => record.has.includes(stage);
  /** @type {Shapes} */
  const shapes = { "embeddings.token.weight": [vocab, d] };
  if (has("position")) shapes["embeddings.position.table.weight"] = [maxTokens, d];
  if (has("segment")) shapes["embeddings.segment.weight"] = [segments, d];
  if (has("embedding_norm")) addNorm(shapes, "embeddings.norm", d, record);
  for (let l = 0; l < layers; l++) addBlock(shapes, `blocks.${l}`, record, config);
  if (!normalisesStream(record)) addNorm(shapes, "final_norm", d, record);
  if (has("mlm_transform")) {
    addLinear(shapes, "mlm.transform", d, d);
    addNorm(shapes, "mlm.norm", d, record);
    shapes["mlm.bias"] = [vocab];
  }
  if (!tied) shapes["head.weight"] = [vocab, d];
  if (has("pooled")) addLinear(shapes, "pooler.dense", d, d);
  if (has("nsp_logits")) addLinear(shapes, "nsp", 2, d);
  return shapes;
}

function addBlock(shapes, prefix, record, { width: d, ffn: f, heads, keyHeads, headDim }) {
  const all = heads * headDim,
    shared = keyHeads * headDim;
  const projections = [
    ["q", "attention.query", all, d],
    ["k", "attention.key", shared, d],
    ["v", "attention.value", shared, d],
    ["attention_output", "attention.output", d, all],
    ["ffn_gate", "feed_forward.gate", f, d],
    ["ffn_hidden", "feed_forward.expand", f, d],
    ["ffn_output", "feed_forward.contract", d, f],
  ];
  for (const name of ["norm1", "norm2"]) addNorm(shapes, `${prefix}.${name}`, d, record);
  for (const [stage, name, to, from] of projections)
    if (record.has.includes(stage)) addLinear(shapes, `${prefix}.${name}`, to, from, record.biases.includes(stage));
}

function addLinear(shapes, name, to, from, bias = true) {
  shapes[`${name}.weight`] = [to, from];
  if (bias) shapes[`${name}.bias`] = [to];
}

function addNorm(shapes, name, d, { norm }) {
  shapes[`${name}.gain`] = [d];
  if (norm === "layer") shapes[`${name}.bias`] = [d];
}
