// From the content of a model's script file to a model that runs. The file is written by `python -m labutils.controls.engine.export`.
import { ACTIVATIONS } from "./activations.js";
import { bertShapes, openBert } from "./bert.js";
import { gpt2Shapes, openGPT2 } from "./gpt2.js";
import { readWeights } from "./weights.js";

const SIZES = ["layers", "heads", "headDim", "width", "ffn", "vocab", "maxTokens", "segments"];

/**
 * @param {{name: string, label: string, kind: string, config: object, weights: object}} file
 * @returns {{info: object, trace: function, next: function|undefined}} `info` says what the controls show of the model
 * @throws {Error} one sentence, for a file that is damaged or does not fit together
 */
export function openModel(file) {
  const { name, label, kind, config, weights } = file;
  checkConfig(name, kind, config);
  const bert = kind === "bert", wanted = (bert ? bertShapes : gpt2Shapes)(config);
  const model = (bert ? openBert : openGPT2)(config, readWeights(name, weights, wanted));
  const parameters = Object.values(wanted).reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const { layers, heads, headDim, width, ffn, vocab, maxTokens } = config;
  return { ...model, info: { name, label, kind, layers, heads, headDim, width, ffn, vocab, maxTokens, parameters } };
}

function checkConfig(name, kind, config) {
  const wrong = (what) => { throw new Error(`The configuration of “${name}” does not hold together: ${what}. Build the site again.`); };
  if (!["gpt2", "bert", "paper"].includes(kind)) wrong(`“${kind}” is no kind of model that this page computes`);
  for (const size of SIZES) {
    if (size === "segments" && kind !== "bert") continue;
    if (!Number.isInteger(config?.[size]) || config[size] < 1 || config[size] > 1e6) wrong(`${size} is ${config?.[size]}`);
  }
  if (config.heads * config.headDim !== config.width) wrong(`${config.heads} heads of ${config.headDim} are not a width of ${config.width}`);
  if (!(config.eps > 0)) wrong(`eps is ${config.eps}`);
  if (!Object.hasOwn(ACTIVATIONS, config.activation)) wrong(`the activation is ${config.activation}`);
}
