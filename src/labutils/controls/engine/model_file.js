// From the content of a model's script file to a model that runs. The file is written by `python -m
// labutils.controls.engine.export`.
import { bertShapes, runBert } from "./bert.js";
import { ACTIVATIONS } from "./feed_forward.js";
import { continuing, gpt2Shapes, runGPT2 } from "./gpt2.js";
import { checkIds, trace } from "./trace.js";
import { nested, readWeights } from "./weights.js";

const SIZES = ["layers", "heads", "headDim", "width", "ffn", "vocab", "maxTokens"];
const ARCHITECTURES = {
  // `sizes`: what its configuration has besides
  gpt2: { shapes: gpt2Shapes, run: runGPT2, sizes: [] },
  bert: { shapes: bertShapes, run: runBert, sizes: ["segments"] },
};

/**
 * @param {object} file name, label, kind, causal, stages and same (see `trace`), config, weights
 * @returns {Promise<{config, info, run, trace, next}>} info: what the controls show of the model; run(ids, {typeIds},
 *   see): one pass, of which `see` is shown every stage; trace: see `trace`; next(ids), in a model that continues
 *   texts: logits of what follows
 * @throws {Error} one sentence, for a file that is damaged or does not fit together
 */
export async function openModel({ name, label, kind, causal, stages, same, config, weights }) {
  const wrong = (what) => {
    throw new Error(`The configuration of “${name}” does not hold together: ${what}. Build the site again.`);
  };
  if (!Object.hasOwn(ARCHITECTURES, kind)) wrong(`“${kind}” is no kind of model that this page computes`);
  const { shapes, run, sizes } = ARCHITECTURES[kind];
  checkConfig(config, [...SIZES, ...sizes], wrong);
  if (!stages || !same) wrong("the table of stages is missing");

  const wanted = shapes(config),
    read = nested(await readWeights(name, weights, wanted));
  const model = { ...read, config, causal, stages, same };
  model.run = (ids, how, see) => {
    checkIds(ids, config);
    run(model, ids, how, see);
  };
  const goOn = causal && continuing(model),
    next =
      goOn &&
      ((ids) => {
        checkIds(ids, config);
        return goOn(ids);
      });

  const parameters = Object.values(wanted).reduce((sum, shape) => sum + shape.reduce((a, b) => a * b, 1), 0);
  const { layers, heads, headDim, width, ffn, vocab, maxTokens, activation, eps } = config;
  const shown = { layers, heads, headDim, width, ffn, vocab, maxTokens, activation, eps };
  const info = { name, label, kind, causal, ...shown, parameters };
  return { config, info, run: model.run, trace: (ids, how) => trace(model, ids, how), ...(next && { next }) };
}

function checkConfig(config, sizes, wrong) {
  for (const size of sizes) {
    if (!Number.isInteger(config?.[size]) || config[size] < 1 || config[size] > 1e6)
      wrong(`${size} is ${config?.[size]}`);
  }
  if (config.heads * config.headDim !== config.width)
    wrong(`${config.heads} heads of ${config.headDim} are not a width of ${config.width}`);
  if (!(config.eps > 0)) wrong(`eps is ${config.eps}`);
  if (!Object.hasOwn(ACTIVATIONS, config.activation)) wrong(`the activation is ${config.activation}`);
}
