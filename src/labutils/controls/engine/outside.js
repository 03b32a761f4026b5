// What Python asks of the engine before a model's file is written: one text through it, in V8.
import { shapesOf, workingModel } from "./model_file.js";
import { checkShapes, nested } from "./weights.js";

/**
 * Every stage of one text, each as one array; a masked score is null.
 * @param {import("./model_file.js").File} file with all but the numbers of its weights
 * @param {DataView} numbers of the weights, in the order of the file
 * @param {number[]} ids
 * @param {number[]} typeIds
 * @returns {Object<string, number[]>}
 * @throws {Error} one sentence, for a model that this engine does not compute
 */
export function stagesOf({ config, weights, ...record }, numbers, ids, typeIds) {
  const wanted = shapesOf({ config, weights, ...record }),
    read = NUMBERS[weights.dtype];
  checkShapes(record.name, weights.shapes, wanted);
  /** @type {Object<string, Float64Array>} */
  const flat = {};
  let at = 0;
  for (const [key, shape] of Object.entries(wanted)) flat[key] = new Float64Array(shape.reduce((a, b) => a * b, 1));
  for (const key of Object.keys(weights.shapes))
    for (let i = 0; i < flat[key].length; i++) flat[key][i] = read(numbers, at++);
  const model = workingModel(record, config, nested(flat), at);
  return Object.fromEntries(
    Object.entries(model.trace(ids, { typeIds })).map(([name, array]) => [name, Array.from(array)]),
  );
}

/** @type {Object<string, (numbers: any, at: number) => number>} */
const NUMBERS = {
  float16: (numbers, at) => numbers.getFloat16(2 * at, true),
  float64: (numbers, at) => numbers.getFloat64(8 * at, true),
};
