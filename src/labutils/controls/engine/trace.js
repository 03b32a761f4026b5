// A trace: one forward pass with every intermediate, under the names of `labutils.models.stages`, the one table of
// stages, which comes with the model's file. As Python's `labutils.trace`.
import { contributions } from "./contributions.js";
import { recorder } from "./hooks.js";

/**
 * Run a model once and keep everything, or only what is wanted.
 * @param {object} model config, stages (the table: name -> {axes, inBlock}), same (stages that are another one again),
 *   blocks, and run(ids, how, see)
 * @param {number[]} ids
 * @param {object} how typeIds; want: names of stages, and "contributions"; change: for the full name of a stage, such
 *   as "layer 2 weights", a function (value, shape) => value that the model is to go on with
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
  if (sources.length) found.contributions = contributions(model, ...sources.map(whole));
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

/** The shape of a value by its full name, from the axes of the table. */
function shapes(table, { heads, headDim, width, ffn, vocab }, n) {
  const sizes = { n, d: width, H: heads, G: heads, d_k: headDim, f: ffn, V: vocab };
  return (name) => table[name.split(" ").at(-1)].axes.map((axis) => sizes[axis] ?? Number(axis));
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
