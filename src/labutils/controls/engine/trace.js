// A trace: one forward pass with every intermediate, under the names of Python's `labutils.trace.Trace`.
import { contributions } from "./attention.js";
import { layerShapes, sizeOf } from "./blocks.js";

/**
 * Run the blocks over n tokens and keep everything.
 * @param {object} model config, blocks
 * @param {Float64Array} x (n, d), what goes into the first block
 * @param {function} run preNormBlock or postNormBlock
 * @returns {object} each stage as one Float64Array with the layers in front, for example weights (L, H, n, n)
 */
export function traceBlocks({ config, blocks }, x, run) {
  const n = x.length / config.width, shapes = layerShapes(config, n, n, n), stages = {};
  for (const name in shapes) stages[name] = new Float64Array(config.layers * sizeOf(shapes[name]));
  blocks.forEach((block, l) => {
    const s = ofLayer(stages, shapes, l);
    s.input.set(x);
    run(block, s, config, { past: 0, rows: n });
    x = s.output;
  });
  return stages;
}

/** The stages of layer l, as views into the arrays of all layers. */
function ofLayer(stages, shapes, l) {
  const view = (name) => stages[name].subarray(l * sizeOf(shapes[name]), (l + 1) * sizeOf(shapes[name]));
  return Object.fromEntries(Object.keys(shapes).map((name) => [name, view(name)]));
}

/** Contributions of every head, (L, H, n, n), from the weights and values of a trace. */
export function allContributions({ config, blocks }, { weights, v }) {
  const out = new Float64Array(weights.length), pairs = weights.length / config.layers, values = v.length / config.layers;
  blocks.forEach((block, l) => {
    const part = (array, size) => array.subarray(l * size, (l + 1) * size);
    contributions(part(weights, pairs), part(v, values), block.attention.output.weight, config.heads, part(out, pairs));
  });
  return out;
}

/** Ids that this model can read, or an Error that says in one sentence why not. */
export function checkIds(ids, { vocab, maxTokens }) {
  if (!ids || !ids.length) throw new Error("The text is empty: there is no token to read. Write at least one word.");
  if (ids.length > maxTokens) throw new Error(`The text has ${ids.length} tokens and this model reads at most ${maxTokens}: shorten it.`);
  for (const id of ids)
    if (!Number.isInteger(id) || id < 0 || id >= vocab) throw new Error(`${id} is no token of this model: its ids go from 0 to ${vocab - 1}.`);
}
