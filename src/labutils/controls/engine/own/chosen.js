// The model that a reader chose for this page, in a worker, and the source that the controls of the page read it by.
import { exchanged } from "../kernel_source.js";
import { liveness, WANTED } from "../liveness.js";
import { named } from "./named.js";

export const OWN = "your-gpt2"; // its name in a control's state and in an address
const SOURCE = sourceOf("./worker.js"), // its text, put here when the modules are joined
  NONE = "No file is chosen yet: choose your model.safetensors at the top of this page.",
  STOPPED = "The browser has stopped the model: choose the file again.",
  ALONE = { two: null, workers: 1, more: 0 };

/**
 * @typedef {{info: any, bytes: number, fast: boolean, ms: number, two: number | null, workers: number, more: number}}
 *   Found bytes: of memory; ms: a token with one worker; two: with two, where they were tried; workers: how many write
 *   on; more: bytes that the second one holds
 */

/** @typedef {{ask: (ask: string, given: any, numbers?: any[]) => Promise<any>, stop: () => void}} Asked */
/** @type {Asked | null} */
let worker = null;
/** @type {Asked | null} */
let second = null; // which holds half of the model, while two are faster
/** @type {any} */
let info = null;
const sources = new Set();

/**
 * Read a model's files and make it the page's model.
 * @param {File[]} files one, or all parts of one model
 * @param {any} record of GPT-2
 * @param {{read: (share: number) => void, changed: (found: Found) => void}} on changed: called when the second worker
 *   has ended
 * @param {boolean} [plain] without WebAssembly
 * @returns {Promise<Found>}
 * @throws {Error} one sentence; there is no model then
 */
export async function choose(files, record, on, plain = false) {
  giveBack();
  /** @type {any} */
  let read = null;
  const died = () => worker === own && giveBack(STOPPED),
    alone = () => {
      if (worker !== own) return;
      second?.stop();
      second = null;
      on.changed({ ...read, ...ALONE });
    },
    own = asking({ tell: on.read, died, alone });
  worker = own;
  try {
    read = await own.ask("open", { files, record: { ...record, name: OWN }, plain });
    const found = { ...read, ...(read.shared && navigator.hardwareConcurrency > 1 ? await helped(own) : ALONE) };
    info = found.info;
    for (const source of sources) source.set({ live: true, idle: false, reason: "", info });
    return found;
  } catch (error) {
    if (worker === own) giveBack();
    throw error;
  }
}

/**
 * A second worker for the first, which tries it and keeps it if two are faster.
 * @param {Asked} own
 */
async function helped(own) {
  const { port1, port2 } = new MessageChannel(),
    other = asking({ died: () => own.ask("end", {}) });
  second = other;
  other.ask("help", { port: port2 }).catch(() => {}); // it was ended before it began
  const said = await own.ask("share", { port: port1 });
  if (said.workers === 1) {
    other.stop();
    second = null;
  }
  return said;
}

/** Forget the model and its memory. */
export function giveBack(why = NONE) {
  worker?.stop();
  second?.stop();
  worker = second = info = null;
  for (const source of sources) source.set({ live: false, idle: true, reason: why, info: null });
}

const nothing = () => {};

/**
 * Questions to a worker of its own.
 * @param {{tell?: (share: number) => void, died: () => void, alone?: () => void}} on
 * @returns {Asked}
 */
function asking({ tell = nothing, died, alone = nothing }) {
  const open = new Map(),
    address = URL.createObjectURL(new Blob([SOURCE], { type: "text/javascript" })),
    own = new Worker(address);
  const end = () => {
    for (const { reject } of open.values()) reject(new Error(STOPPED));
    open.clear();
  };
  own.onmessage = ({ data: { id, answer, error, share, ready, alone: left } }) => {
    if (ready) URL.revokeObjectURL(address);
    if (left) alone();
    if (share !== undefined) tell(share);
    const waiting = answer || error ? open.get(id) : null;
    if (!waiting) return;
    open.delete(id);
    error ? waiting.reject(new Error(error)) : waiting.resolve(answer);
  };
  own.onerror = (event) => {
    event.preventDefault?.();
    end();
    died();
  };
  let next = 0;
  return {
    ask: (ask, given, numbers = []) =>
      new Promise((resolve, reject) => {
        const id = next++;
        open.set(id, { resolve, reject });
        own.postMessage({ id, ask, given, numbers }, given.port ? [given.port] : []);
      }),
    stop() {
      own.terminate();
      end();
    },
  };
}

/**
 * The source of a control, as `source.js` says.
 * @param {Promise<any>} tokenizer of GPT-2
 */
export function ownSource(tokenizer) {
  const source = liveness("page", NONE);
  sources.add(source);
  source.set(info ? { live: true, reason: "", info } : { idle: true });
  const ask = (what, given, numbers) => {
    if (!worker) throw new Error(NONE);
    return worker.ask(what, given, numbers);
  };
  const when =
    (use) =>
    async (...args) =>
      use(named(await tokenizer, info?.vocab ?? 0), ...args);
  return Object.assign(source, {
    encode: when((read, text, pair = null) => read.encode(text, pair)),
    trace: when((read, textOrIds, how) => traced(ask, read, textOrIds, how)),
    next: async (ids) => (await ask("next", { ids: Array.from(ids) })).logits,
    tokens: when((read, ids) => Array.from(ids, read.piece)),
    decode: when((read, ids) => read.decode(ids)),
  });
}

/**
 * @param {(ask: string, given: any, numbers?: any[]) => Promise<any>} ask
 * @param {any} tokenizer
 * @param {string | ArrayLike<number>} textOrIds
 * @param {{want?: string[], change?: object}} how
 */
async function traced(ask, tokenizer, textOrIds, { want = WANTED, change = {} } = {}) {
  const given =
      typeof textOrIds === "string" ? tokenizer.encode(textOrIds) : { ids: Array.from(textOrIds), offsets: null },
    { ids, offsets, typeIds = ids.map(() => 0) } = given,
    [put, numbers] = await exchanged(ask, { ids }, change),
    stages = await ask("trace", { ids, want, put }, numbers);
  const { layers: L, heads: H, keyHeads: G, headDim: dk, width: d, ffn: f, vocab: V } = info;
  const shape = { L, H, G, n: ids.length, dk, d, f, V };
  return { tokens: ids.map(tokenizer.piece), ids, offsets, typeIds, shape, ...stages };
}
