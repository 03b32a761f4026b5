// Which tensor of a GPT-2's file becomes which parameter. HuggingFace's names, with or without "transformer." in front;
// its Conv1D keeps a matrix as (in, out), and query, key and value side by side in one.
import { sizeOf, unreadable, WANTED } from "./safetensors.js";

const WIDTH = 64; // the width of a head, in every size of GPT-2; the file does not say it
const HEAD = "lm_head.weight"; // the token table by its second name; of the two either serves
const EPS = 1e-5;
const MOST = 400_000_000; // parameters: the two smaller sizes of GPT-2; the memory of WebAssembly ends at 4 GB
export const READS = 256; // positions that the page uses: keys and values of more would cost it too much
/** Constants that old versions stored beside the weights. */
const BUFFER = /^h\.\d+\.attn\.(masked_)?bias$/;

/**
 * @typedef {{name: string, shape: number[]}} Parameter
 * @typedef {{from: string, shape: number[], to: Parameter[], how: "as it is" | "turned" | "same"}} Step
 *   from: the tensor; to: the parameters that it becomes, one beside the other; how: a turned matrix is stored as
 *   (in, out); one that is the same is compared with the parameter, and becomes none
 * @typedef {import("./safetensors.js").Tensor} Tensor
 */

/**
 * How to read a file with these tensors.
 * @param {Object<string, Tensor>} tensors
 * @returns {{config: any, steps: Step[], parameters: number}}
 * @throws {Error} one sentence: another architecture, a missing tensor, a wrong shape, too many parameters
 */
export function planned(tensors) {
  const prefix = "transformer.wpe.weight" in tensors ? "transformer." : "",
    short = Object.keys(tensors).map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name)),
    known = new Set(short);
  const table = known.has("wte.weight") ? "wte.weight" : known.has(HEAD) ? HEAD : "wte.weight";
  for (const name of [table, "wpe.weight", "h.0.attn.c_attn.weight"]) if (!known.has(name)) other(tensors, name);
  const shapeOf = (name) => (tensors[prefix + name] ?? tensors[name])?.shape ?? [],
    config = configOf(shapeOf, short, table),
    steps = stepsOf(config, table, table !== HEAD && known.has(HEAD));
  const wanted = new Set(steps.map(({ from }) => from)),
    strange = short.find((name) => !wanted.has(name) && !BUFFER.test(name));
  if (strange) throw new Error(`This is no plain GPT-2: the file also holds ${strange.slice(0, 60)}. ${WANTED}.`);
  const parameters = steps.filter(({ how }) => how !== "same").reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  if (parameters > MOST)
    throw new Error(
      `This GPT-2 has ${millions(parameters)} million parameters, and a page takes at most ${millions(MOST)} million:` +
        " choose the smallest or the medium one, or load it in JupyterLab.",
    );
  for (const step of steps) {
    const { from: name, shape } = step,
      tensor = tensors[prefix + name] ?? tensors[name];
    if (!tensor) throw new Error(`The file is no whole GPT-2: its tensor ${name} is missing. Download it again.`);
    step.from = prefix + name in tensors ? prefix + name : name;
    if (String(tensor.shape) !== String(shape))
      throw new Error(
        `The file does not hold together: ${name} is ${tensor.shape.join(" × ")} and should be ${shape.join(" × ")}.`,
      );
    const why = unreadable(tensor);
    if (why) throw new Error(`The tensor ${name} of the file ${why}.`);
  }
  return { config, steps, parameters };
}

const millions = (n) => Math.round(n / 1e6).toLocaleString("en");

/**
 * How the tensors of other models are called, and what such a model is.
 * @type {[RegExp, string][]}
 */
const FAMILIES = [
  [/(^|\.)encoder\.layer\.\d+\./, "a BERT or one of its relatives"],
  [/(^|\.)(en|de)coder\.block\.\d+\./, "a T5"],
  [/(^|\.)h\.\d+\.attn\.attention\./, "a GPT-Neo"],
  [/(^|\.)layers\.\d+\.self_attn\./, "a model of the LLaMA family or of another with such layers"],
];

function other(tensors, name) {
  const names = Object.keys(tensors),
    family = FAMILIES.find(([pattern]) => names.some((one) => pattern.test(one))),
    one = (family ? names.find((key) => family[0].test(key)) : names[0]) ?? "";
  const what = family?.[1] ?? "a model of another architecture";
  throw new Error(`This is ${what}: it holds ${one.slice(0, 60)} and no ${name}. ${WANTED}.`);
}

/** The sizes of the model, which the file says by its shapes alone. */
function configOf(shapeOf, names, table) {
  const [vocab, width] = shapeOf(table),
    [positions] = shapeOf("wpe.weight"),
    ffn = shapeOf("h.0.mlp.c_fc.weight")[1] ?? 4 * width,
    layers = 1 + Math.max(...names.map((name) => Number(/^h\.(\d{1,4})\./.exec(name)?.[1] ?? 0)));
  if (!width || width % WIDTH)
    throw new Error(
      `The rows of this model have ${width} numbers, and those of a GPT-2 a multiple of ${WIDTH}. ${WANTED}.`,
    );
  const sizes = { layers, heads: width / WIDTH, keyHeads: width / WIDTH, headDim: WIDTH, width, ffn, vocab, positions },
    settings = { activation: "gelu_tanh", eps: EPS, rotaryBase: null, segments: 1, tied: true };
  return { ...sizes, ...settings, maxTokens: Math.min(positions, READS) };
}

/**
 * @param {any} config
 * @param {string} tokens the name of the token table
 * @param {boolean} twice whether the file holds it once more, under its second name
 * @returns {Step[]}
 */
function stepsOf({ layers, width: d, ffn: f, vocab, positions }, tokens, twice) {
  /** @type {Step[]} */
  const steps = [];
  const vector = (from, n, ...names) =>
    steps.push({ from, shape: [n], to: names.map((name) => ({ name, shape: [n / names.length] })), how: "as it is" });
  const norm = (from, name) => {
    vector(`${from}.weight`, d, `${name}.gain`);
    vector(`${from}.bias`, d, `${name}.bias`);
  };
  const table = (from, n, name) => steps.push({ from, shape: [n, d], to: [{ name, shape: [n, d] }], how: "as it is" });
  const conv = (from, rows, columns, ...names) => {
    const one = columns / names.length;
    const to = names.map((name) => ({ name: `${name}.weight`, shape: [one, rows] }));
    steps.push({ from: `${from}.weight`, shape: [rows, columns], to, how: "turned" });
    vector(`${from}.bias`, columns, ...names.map((name) => `${name}.bias`));
  };
  table(tokens, vocab, "embeddings.token.weight");
  table("wpe.weight", positions, "embeddings.position.table.weight");
  for (let i = 0; i < layers; i++) {
    const block = `blocks.${i}`,
      part = (name) => `${block}.attention.${name}`;
    norm(`h.${i}.ln_1`, `${block}.norm1`);
    conv(`h.${i}.attn.c_attn`, d, 3 * d, part("query"), part("key"), part("value"));
    conv(`h.${i}.attn.c_proj`, d, d, part("output"));
    norm(`h.${i}.ln_2`, `${block}.norm2`);
    conv(`h.${i}.mlp.c_fc`, d, f, `${block}.feed_forward.expand`);
    conv(`h.${i}.mlp.c_proj`, f, d, `${block}.feed_forward.contract`);
  }
  norm("ln_f", "final_norm");
  // GPT-2's output head is the token table; a file that holds it twice has to say the same twice
  const to = [{ name: "embeddings.token.weight", shape: [vocab, d] }];
  if (twice) steps.push({ from: HEAD, shape: [vocab, d], to, how: "same" });
  return steps;
}
