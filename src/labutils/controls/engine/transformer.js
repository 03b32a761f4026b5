// One model for every record: embeddings, L blocks, and the answer for each row. What a layer does follows from the
// parameters that it has: a gate where there is one, a bias where there is one, a row for each place where there is a
// table of places. GPT-2 (Radford et al. 2019), BERT (Devlin et al. 2019) and Llama (Touvron et al. 2023) are such
// records.
import { BLOCKS } from "./blocks.js";
import { embed } from "./embeddings.js";
import { maskedLanguageHead, pooler } from "./heads.js";
import { inLayer } from "./hooks.js";
import { linear } from "./linear.js";
import { NORMS } from "./norms.js";

/**
 * @typedef {import("./hooks.js").See} See
 * @typedef {import("./records.js").Config} Config
 * @typedef {import("./records.js").Record} Record
 * @typedef {import("./blocks.js").How} How
 * @typedef {{how: How, block: typeof BLOCKS[string], embeddings: any, blocks: any[], final_norm?: any, mlm?: any,
 *   head?: any, pooler?: any, nsp?: any}} Model how: what a layer has to know besides its parameters; block: what one
 *   of the blocks computes; the rest are the parameters by the names of `parameterShapes`, nested
 */

/**
 * A model that runs.
 * @param {Record} record
 * @param {Config} config
 * @param {Object<string, any>} parameters by the names of `parameterShapes`, nested
 * @returns {Model}
 */
export function assemble(record, config, parameters) {
  const { causal, scale } = record,
    how = { ...config, causal, scale, norm: NORMS[record.norm], past: 0 };
  return { .../** @type {any} */ (parameters), how, block: BLOCKS[record.block] };
}

/**
 * One pass over ids that can be read; `see` is shown every stage.
 * @param {Model} model
 * @param {number[]} ids
 * @param {{typeIds: number[]}} segments of the ids, in a model that has some
 * @param {See} see
 */
export function run(model, ids, { typeIds }, see) {
  const x = ended(model, blocks(model, embed(model.embeddings, ids, { ...model.how, typeIds }, see), see), see);
  answer(model, x, see);
  if (!model.pooler) return;
  const pooled = see("pooled", pooler(model.pooler, x, model.how));
  // index 0: the second text follows
  if (model.nsp) see("nsp_logits", linear(pooled, model.nsp, 1));
}

/**
 * All blocks, one after the other: (rows, d) -> (rows, d).
 * @param {Model} model
 * @param {Float64Array} x
 * @param {See} see
 * @param {{past?: number, caches?: import("./multi_head.js").Cache[]}} kept of the tokens before: how many, and a cache
 *   for each layer
 */
export function blocks({ how, block, blocks: all }, x, see, { past = 0, caches = [] } = {}) {
  all.forEach((parts, i) => {
    x = block(parts, x, { ...how, past, cache: caches[i] }, inLayer(see, i));
  });
  return x;
}

/**
 * The last rows; a stream that no block has normalised is normalised here: (rows, d) -> (rows, d).
 * @param {Model} model
 * @param {Float64Array} x
 * @param {See} see
 */
export const ended = ({ how, final_norm: norm }, x, see) => see("final", norm ? how.norm(x, norm, how.eps) : x);

/**
 * How well each row fits each token: (rows, d) -> (rows, V).
 * @param {Model} model
 * @param {Float64Array} x
 * @param {See} see
 */
export function answer({ how, embeddings, mlm, head }, x, see) {
  const table = head ?? embeddings.token; // each row is compared with each row of it
  return see(
    "logits",
    mlm ? maskedLanguageHead(mlm, x, table.weight, how, see) : linear(x, table, x.length / how.width),
  );
}
