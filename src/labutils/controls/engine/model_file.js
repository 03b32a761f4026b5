// From the content of a model's script file to a model that runs. The file is written by `python -m
// labutils.controls.engine.export`.
import { BLOCKS } from "./blocks.js";
import { continuing } from "./continuing.js";
import { ACTIVATIONS } from "./feed_forward.js";
import { NORMS } from "./norms.js";
import { parameterShapes } from "./records.js";
import { checkIds, trace } from "./trace.js";
import { assemble, run } from "./transformer.js";
import { nested, readWeights } from "./weights.js";

/**
 * @typedef {import("./records.js").Config} Config
 * @typedef {import("./records.js").Record} Record
 * @typedef {import("./trace.js").Table} Table
 * @typedef {{name: string, label: string, kind: string, config: Config, stages: Table, weights: any} & Record} File
 */

const SIZES = ["layers", "heads", "keyHeads", "headDim", "width", "ffn", "vocab", "maxTokens", "segments"];

/**
 * @param {File} file kind: what HuggingFace calls the architecture, for the controls; nothing is computed by it.
 *   stages: the one table of stages (see `trace`)
 * @returns {Promise<any>} config; info: what the controls show of the model; run(ids, {typeIds}, see): one pass, of
 *   which `see` is shown every stage; trace: see `trace`; next(ids), in a model that continues texts: logits of what
 *   follows
 * @throws {Error} one sentence, for a file that is damaged or does not fit together
 */
export async function openModel(file) {
  const { config, weights, ...record } = file,
    wanted = shapesOf(file),
    parameters = nested(await readWeights(file.name, weights, wanted));
  return workingModel(record, config, parameters, count(wanted));
}

/**
 * The name and shape of every parameter of a file's model.
 * @param {File} file
 * @throws {Error} one sentence, for a file whose configuration or record does not hold together
 */
export function shapesOf({ name, config, stages, ...record }) {
  const wrong = (what) => {
    throw new Error(`The configuration of “${name}” does not hold together: ${what}. Build the site again.`);
  };
  checkConfig(config, wrong);
  checkRecord(record, stages, wrong);
  return parameterShapes(record, config);
}

/**
 * A model that runs, of parameters that fit its configuration: what `openModel` says.
 * @param {{name: string, label: string, kind: string, stages: Table} & Record} file
 * @param {Config} config
 * @param {Object<string, any>} parameters nested, by the names of `parameterShapes`
 * @param {number} counted how many numbers they are
 */
export function workingModel({ name, label, kind, stages, ...record }, config, parameters, counted) {
  const assembled = assemble(record, config, parameters);
  const readable =
    (use) =>
    (/** @type {number[]} */ ids, ...how) => {
      checkIds(ids, config);
      return use(ids, ...how);
    };
  const model = {
    config,
    stages,
    same: record.same,
    blocks: assembled.blocks,
    run: readable((ids, how, see) => run(assembled, ids, how, see)),
  };
  return {
    config,
    info: { name, label, kind, ...facts(record, config), parameters: counted },
    run: model.run,
    trace: (ids, how) => trace(model, ids, how),
    ...(record.causal && { next: readable(continuing(assembled)) }),
  };
}

/** What the controls show and draw by. */
function facts({ causal, norm, biases }, config) {
  const { layers, heads, keyHeads, headDim, width, ffn, vocab, maxTokens, activation, eps, rotaryBase } = config;
  const sizes = { layers, heads, keyHeads, headDim, width, ffn, vocab, maxTokens };
  return { causal, norm, biases, ...sizes, activation, eps, rotaryBase };
}

const count = (shapes) =>
  Object.values(shapes).reduce((sum, shape) => sum + shape.reduce((/** @type {number} */ a, b) => a * b, 1), 0);

function checkConfig(config, wrong) {
  for (const size of SIZES) {
    if (!Number.isInteger(config?.[size]) || config[size] < 1 || config[size] > 1e6)
      wrong(`${size} is ${config?.[size]}`);
  }
  const { heads, keyHeads, headDim, rotaryBase, rotaryDim, eps, activation } = config;
  if (heads % keyHeads) wrong(`${keyHeads} key heads cannot serve ${heads} heads equally`);
  if (rotaryBase !== null && !(rotaryBase > 0)) wrong(`the base of the rotary positions is ${rotaryBase}`);
  if (rotaryBase && !(rotaryDim > 0 && rotaryDim <= headDim))
    wrong(`of a head of ${headDim} columns ${rotaryDim} are turned`);
  if (rotaryBase && rotaryDim % 2) wrong(`${rotaryDim} columns do not fall into pairs to be turned`);
  if (!(eps > 0)) wrong(`eps is ${eps}`);
  if (!Object.hasOwn(ACTIVATIONS, activation)) wrong(`the activation is ${activation}`);
}

function checkRecord({ norm, block, scale, has, same, biases }, stages, wrong) {
  if (!stages || !same || !has || !biases) wrong("the table of stages is missing");
  for (const name of [...has, ...Object.keys(same)]) if (!Object.hasOwn(stages, name)) wrong(`“${name}” is no stage`);
  if (!Object.hasOwn(NORMS, norm)) wrong(`“${norm}” is no norm that this page computes`);
  if (!Object.hasOwn(BLOCKS, block)) wrong(`“${block}” is no block that this page computes`);
  if (scale !== null && !(scale > 0)) wrong(`the scale of the scores is ${scale}`);
}
