// A trace: one forward pass with every intermediate, under the names of `labutils.models.stages`, the one table of
// stages, which comes with the model's file. As Python's `labutils.trace`.
import { contributions } from "./contributions.js";
import { recorder } from "./hooks.js";

/**
 * @typedef {Object<string, {axes: string[], inBlock: boolean}>} Table the stages by name; the last axis of a value is
 *   what is left of its numbers (a context is as wide as all heads, which need not be the width of the model)
 * @typedef {import("./records.js").Config} Config
 */

/**
 * Run a model once and keep everything, or only what is wanted.
 * @param {object} model stages: the table; same: stages that are another one again
 * @param {Config} model.config
 * @param {Table} model.stages
 * @param {Object<string, string>} model.same
 * @param {any[]} model.blocks
 * @param {(ids: number[], how: {typeIds: number[]}, see: import("./hooks.js").See) => void} model.run
 * @param {number[]} ids
 * @param {{typeIds?: number[], want?: string[] | null, change?: Object<string, import("./hooks.js").Change>}} how
 *   want: names of stages, and "contributions"; change: for the full name of a stage, such as "layer 2 weights", a
 *   function (value, shape) => value that the model is to go on with
 * @returns {Object<string, Float64Array>} each stage as one array, with the layers in front where each block has one
 * @throws {Error} one sentence
 */
export function trace(model, ids, { typeIds = ids.map(() => 0), want = null, change = {} } = {}) {
  const { config, stages: table, same } = model;
  const names = (want ?? Object.keys(table)).filter((name) => name !== "contributions");
  const real = (name) => (Object.hasOwn(same, name) ? same[name] : name);
  for (const name of names) if (!Object.hasOwn(table, name)) absent(name);
  const sources = want?.includes("contributions") ? ["weights", "v"] : [];
  const kept = new Set([...names, ...sources].map(real)),
    keep = (name) => kept.has(name.split(" ").at(-1));
  const { see, stages, shown } = recorder(keep, change, shapes(table, config, ids.length));
  model.run(ids, { typeIds }, see);
  const unknown = Object.keys(change).find((name) => !shown.has(name));
  if (unknown) {
    const named = "A stage of a block is called “layer 0 weights”, say.";
    throw new Error(`This model has no stage “${unknown}” to change. ${named}`);
  }
  const whole = (name) => (table[name].inBlock ? joined(stages, name, config.layers) : stages[name]);
  const found = {};
  for (const name of names) {
    const array = whole(real(name));
    if (array) found[name] = array;
    else if (want) absent(name); // of the table's names a model shows those that it has
  }
  if (sources.length) {
    const [weights, v] = sources.map(whole);
    found.contributions = contributions(model, weights, v);
  }
  return found;
}

/** All layers of a stage in one array. */
function joined(stages, name, layers) {
  const each = stages[`layer 0 ${name}`]?.length,
    all = each && new Float64Array(layers * each);
  for (let i = 0; all && i < layers; i++) all.set(stages[`layer ${i} ${name}`], i * each);
  return all;
}

function absent(name) {
  throw new Error(`A trace of this model has no stage called “${name}”.`);
}

/** The shape of a value by its full name and its length, from the axes of the table. */
function shapes(table, { heads, keyHeads }, n) {
  const sizes = { n, H: heads, G: keyHeads };
  return (name, length) => {
    const before = table[name.split(" ").at(-1)].axes.slice(0, -1).map((axis) => sizes[axis]);
    return [...before, before.reduce((left, size) => left / size, length)];
  };
}

/** Ids that this model can read, or an Error that says in one sentence why not. */
export function checkIds(ids, { vocab, maxTokens }) {
  if (!ids?.length) throw new Error("The text is empty: there is no token to read. Write at least one word.");
  if (ids.length > maxTokens)
    throw new Error(`The text has ${ids.length} tokens and this model reads at most ${maxTokens}: shorten it.`);
  for (const id of ids)
    if (!Number.isInteger(id) || id < 0 || id >= vocab)
      throw new Error(`${id} is no token of this model: its ids go from 0 to ${vocab - 1}.`);
}
