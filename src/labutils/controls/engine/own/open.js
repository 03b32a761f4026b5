// From the files that a reader has chosen to a model that runs.
import { workingModel } from "../model_file.js";
import { divisible } from "./halves.js";
import { nestedPlaces, placed } from "./places.js";
import { planned } from "./plan.js";
import { readHeaders, readRows, sizeOf } from "./safetensors.js";
import { speed } from "./speed.js";

/**
 * Read a model.
 * @param {import("./safetensors.js").Named[]} files one, or all parts of one model
 * @param {any} record of GPT-2, with the table of stages, and the `name` and `label` that controls show
 * @param {(share: number) => void} tell how much is read, from 0 to 1
 * @param {boolean} [plain] without WebAssembly
 * @returns {Promise<any>} the model, as `openModel` gives it, with `bytes`, `fast` and `ms` a token, and, where two
 *   workers can share it, `shared`: what the first of them needs
 * @throws {Error} one sentence, for files that are none, damaged, of another model, or too large for this browser
 */
export async function openFiles(files, record, tell, plain = false) {
  const tensors = await readHeaders(files),
    { config, steps, parameters } = planned(tensors),
    from = `from your ${files.length > 1 ? "files" : "file"}`,
    shown = { ...record, label: `${record.label}, ${parameters.toLocaleString("en")} parameters, ${from}` },
    { places, bytes, fast } = roomFor(steps, plain);
  let done = 0;
  for (const step of steps) {
    const put = PUT[step.how](step, places);
    await readRows(tensors[step.from].file, tensors[step.from], (numbers, row) => {
      checkFinite(numbers, step.from);
      put(numbers, row);
      done += numbers.length;
      tell(Math.min(1, done / parameters));
    });
  }
  const model = workingModel(shown, config, nestedPlaces(places), parameters),
    shared = fast && divisible(config) ? { record: shown, config, places } : null;
  return { ...model, bytes, fast, shared, ms: await speed(/** @type {any} */ (model).next, config) };
}

/** Room for every parameter. */
function roomFor(steps, plain) {
  const all = steps.filter(({ how }) => how !== "same").flatMap(({ to }) => to);
  try {
    return placed(all, plain);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const bytes = 4 * all.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
    throw new Error(
      `The model needs ${Math.ceil(bytes / 1e6)} MB of memory, and this browser does not give so much: ` +
        "close other tabs, or load it in JupyterLab.",
    );
  }
}

function checkFinite(numbers, name) {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += Math.abs(numbers[i]);
  if (!Number.isFinite(sum))
    throw new Error(`The file is damaged: ${name} holds a value that is no number. Download it again.`);
}

/**
 * What becomes of the numbers of a tensor, slice by slice.
 * @type {Object<string, (step: any, places: any) => (numbers: Float32Array, row: number) => void>}
 */
const PUT = {
  "as it is": ({ shape, to }, places) => {
    if (shape.length === 2) return (numbers, row) => places[to[0].name].weight.set(numbers, row * shape[1]);
    const each = shape[0] / to.length;
    return (numbers) => {
      for (const [i, { name }] of to.entries()) places[name].weight.set(numbers.subarray(i * each, (i + 1) * each));
    };
  },
  turned: ({ shape: [rows, columns], to }, places) => {
    const each = columns / to.length;
    return (numbers, row) => {
      for (const [i, { name }] of to.entries())
        turned(numbers, places[name].weight, { row, rows, columns, from: i * each, each });
    };
  },
  same: ({ from, shape, to }, places) => {
    const { weight } = places[to[0].name];
    return (numbers, row) => {
      const at = row * shape[1];
      if (!numbers.every((x, i) => x === weight[at + i]))
        throw new Error(`This is no plain GPT-2: its output head, ${from}, is not its token table.`);
    };
  },
};

const BLOCK = 64; // rows at a time: what they touch stays in the processor's cache

/** Columns `from` to `from + each` of the rows that begin at `row`, written as rows of (each, rows). */
function turned(numbers, weight, { row, rows, columns, from, each }) {
  const end = numbers.length / columns;
  for (let first = 0; first < end; first += BLOCK)
    for (let j = 0; j < each; j++)
      for (let k = first; k < Math.min(end, first + BLOCK); k++)
        weight[j * rows + row + k] = numbers[k * columns + from + j];
}
