// The source of a page without a kernel: models and tokenizers come as script files, once for the whole site, and run
// here.
import { liveness, WANTED } from "./liveness.js";
import { openModel } from "./model_file.js";
import { openTokenizer } from "./tokenizer.js";
import { openUnicode } from "./unicode.js";

// The folder of the model files lies beside the script that holds this engine.
const BESIDE =
  typeof document !== "undefined" && document.currentScript instanceof HTMLScriptElement
    ? new URL("models/", document.currentScript.src).href
    : "";
const opened = new Map(); // address -> promise of what the file became, so that all controls of a page share it

/** The content of one script file, which the file hands over by calling `ittModel(key, content)`. */
function load(folder, key) {
  const address = new URL(`${encodeURIComponent(key)}.js`, new URL(folder, document.baseURI)).href;
  return new Promise((resolve, reject) => {
    globalThis.ittArrivals ??= new Map();
    const waiting = globalThis.ittArrivals;
    globalThis.ittModel = (name, content) => {
      const arrived = waiting.get(name);
      waiting.delete(name); // so that the text of the file can be forgotten once it is read
      arrived?.(content);
    };
    waiting.set(key, resolve);
    const script = document.createElement("script"),
      missing = (why) => () => reject(new Error(`The file ${key}.js ${why}.`));
    script.src = address;
    script.onerror = missing("could not be loaded: reload the page, or run this chapter in JupyterLab");
    script.onload = missing("arrived damaged: reload the page"); // too late to matter if the script called ittModel
    document.head.append(script);
  });
}

/**
 * Once a page: what `make` turns the content of a file into. A failure is forgotten, so that the next control tries
 * again.
 */
function once(folder, key, make) {
  const name = `${folder} ${key}`;
  if (!opened.has(name)) {
    const promise = load(folder, key).then(make);
    opened.set(name, promise);
    promise.catch(() => opened.delete(name));
  }
  return opened.get(name);
}

/** What a control reads besides a model and its tokenizer: the content of a file that lies beside theirs. */
export const pageFile = (model, key, make) => once(model.models || BESIDE, key, make);

/** The tokenizer of a model, from two small files. */
export async function pageTokenizer(model, name) {
  const folder = model.models || BESIDE,
    unicode = once(folder, "unicode", openUnicode);
  return once(folder, `${name}.tokenizer`, async (data) => openTokenizer(data, await unicode));
}

const brought = new Map(); // name -> what opens the source of a model that a control of the page has brought

/** From here on the controls of the page find a model of that name, which no file beside them holds. */
export const bring = (name, open) => brought.set(name, open);

export function pageSource(model, name) {
  if (brought.has(name)) return brought.get(name)(model);
  const source = liveness("page", `The weights of “${name}” are on their way.`);
  const folder = model.models || BESIDE;
  const ready = Promise.all([once(folder, name, openModel), pageTokenizer(model, name)]);
  ready.then(
    ([{ info }]) => source.set({ live: true, reason: "", info }),
    (error) => source.set({ live: false, reason: error.message }),
  );
  const when =
    (use) =>
    async (...args) => {
      const [engine, tokenizer] = await ready;
      return use(engine, tokenizer, ...args);
    };
  return Object.assign(source, {
    encode: when((_, tokenizer, text, pair = null) => tokenizer.encode(text, pair)),
    trace: when(trace),
    next: when(next),
    tokens: when((_, tokenizer, ids) => Array.from(ids, tokenizer.piece)),
    decode: when((_, tokenizer, ids) => tokenizer.decode(ids)),
    known: when((_, tokenizer) => tokenizer.known),
  });
}

/**
 * @param engine from `openModel`
 * @param tokenizer
 * @param {string | ArrayLike<number>} textOrIds
 * @param {{want?: string[], change?: object, typeIds?: ArrayLike<number>}} how
 */
function trace(engine, tokenizer, textOrIds, { want = WANTED, change, typeIds: segments } = {}) {
  const given =
    typeof textOrIds === "string"
      ? tokenizer.encode(textOrIds)
      : { ids: Array.from(textOrIds), ...(segments ? { typeIds: Array.from(segments) } : {}) };
  const { ids, offsets = null, typeIds = ids.map(() => 0) } = given;
  const stages = engine.trace(ids, { typeIds, want, change });
  const { layers: L, heads: H, keyHeads: G, headDim: dk, width: d, ffn: f, vocab: V } = engine.config;
  const shape = { L, H, G, n: ids.length, dk, d, f, V };
  return { tokens: ids.map(tokenizer.piece), ids, offsets, typeIds, shape, ...stages };
}

function next(engine, _, ids) {
  if (!engine.next) throw new Error("This model reads a whole text at once and does not continue one: choose a GPT-2.");
  return engine.next(Array.from(ids));
}
