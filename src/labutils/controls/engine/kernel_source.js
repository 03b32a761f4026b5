// The source in JupyterLab: each question goes to Python as a custom message of the widget, and the answer comes back
// with its arrays as binary buffers. `labutils/controls/kernel.py` answers.
import { changed } from "./hooks.js";
import { insistently, SILENT } from "./insistently.js";
import { liveness, WANTED } from "./liveness.js";
import { openTokenizer } from "./tokenizer.js";
import { codePoints, openUnicode, readText, utf16Places } from "./unicode.js";

const DAMAGED = "Python’s answer arrived damaged: restart the kernel and run this cell again.";
const ARRAYS = { float32: Float32Array, float64: Float64Array };

// widget model -> its open questions by id, so that one listener serves all its sources
const listening = new WeakMap();

function openQuestions(model) {
  if (listening.has(model)) return listening.get(model);
  const open = new Map();
  listening.set(model, open);
  model.on("msg:custom", (content, buffers) => {
    const heard = open.get(content?.id); // the answers to other views of the same widget come here too
    open.delete(content?.id);
    heard?.(content, buffers || []);
  });
  return open;
}

/** Questions to the Python side of one widget: ask("trace", {...}) -> promise of the answer. */
function questions(model, name, source) {
  const open = openQuestions(model);
  return (ask, args = {}, sent = []) =>
    new Promise((resolve, reject) => {
      const id = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
      const question = () => model.send({ id, ask, name, ...args }, undefined, sent);
      const stop = insistently(question, () => source.set({ live: false, reason: SILENT }));
      open.set(id, ({ error, answer, arrays: described = [] }, buffers) => {
        stop();
        if (source.info) source.set({ live: true, reason: "" }); // it was busy, and is back
        if (error) reject(new Error(error));
        try {
          resolve({ ...answer, described, ...arrays(described, buffers) });
        } catch {
          reject(new Error(DAMAGED));
        }
      });
      question();
    });
}

/** Buffers as typed arrays; a buffer that does not begin at a multiple of its number's width is copied. */
function arrays(described, buffers) {
  return Object.fromEntries(
    described.map(({ name, dtype }, i) => {
      const Kind = ARRAYS[dtype],
        { buffer, byteOffset, byteLength } = buffers[i];
      const aligned = byteOffset % Kind.BYTES_PER_ELEMENT === 0;
      const own = aligned
        ? [buffer, byteOffset, byteLength / Kind.BYTES_PER_ELEMENT]
        : [buffer.slice(byteOffset, byteOffset + byteLength)];
      return [name, new Kind(...own)];
    }),
  );
}

export function kernelSource(model, name) {
  const source = liveness("kernel", SILENT),
    ask = questions(model, name, source);
  ask("hello").then(
    ({ info }) => source.set({ live: true, reason: "", info }),
    ({ message }) => source.set({ live: false, reason: message }),
  );
  let known;
  // a lone surrogate might not survive the way to Python, so it is refused here
  const text = (value) => {
    readText(value);
    return value;
  };
  return Object.assign(source, {
    encode: async (first, pair = null) =>
      placed(await ask("encode", { text: text(first), pair: pair && text(pair) }), first, pair),
    /**
     * @param {string | ArrayLike<number>} textOrIds
     * @param {{want?: string[], change?: object, typeIds?: ArrayLike<number>}} how
     */
    trace: async (textOrIds, { want = WANTED, change = {}, typeIds } = {}) => {
      const typed = typeof textOrIds === "string",
        given = typed ? { text: text(textOrIds) } : { ids: Array.from(textOrIds), typeIds };
      const [put, numbers] = await exchanged(ask, given, change),
        answer = await ask("trace", { ...given, want, put }, numbers);
      return typed ? placed(answer, textOrIds) : answer;
    },
    next: async (ids) => (await ask("next", { ids: Array.from(ids) })).logits,
    tokens: async (ids) => (await ask("tokens", { ids: Array.from(ids) })).tokens,
    decode: async (ids) => (await ask("decode", { ids: Array.from(ids) })).text,
    known: () => {
      known ??= ask("known").then(({ words }) => new Set(words));
      return known;
    },
  });
}

/**
 * The changed stages of a run, for Python to go on with: the functions are called here, in the order in which the
 * stages are computed, each with the value that the changes before it have made.
 * @returns {Promise<[string[], ArrayBuffer[]]>} full names and numbers
 */
export async function exchanged(ask, given, change) {
  const put = [],
    numbers = [];
  for (const left = new Set(Object.keys(change)); left.size; ) {
    const {
      place,
      value,
      described: [{ shape }],
    } = await ask("stage", { ...given, of: [...left], put }, numbers);
    put.push(place);
    numbers.push(changed(place, change[place], Float64Array.from(value), shape).buffer);
    left.delete(place);
  }
  return [put, numbers];
}

/** Python counts characters as code points, the browser as UTF-16 units: move the offsets over. */
function placed(answer, first, pair = null) {
  const places = [first, pair || ""].map((text) => utf16Places(codePoints(text)));
  const offsets = answer.offsets.map(([a, b], i) => {
    const p = places[answer.sequenceIds[i] || 0];
    return [p[a], p[b]];
  });
  return { ...answer, offsets };
}

/** The tokenizer of any model that Python has loaded, run here: its vocabulary comes over once. */
export async function kernelTokenizer(model, name) {
  const ask = questions(model, name, liveness("kernel", SILENT)),
    { data, unicode } = await ask("tokenizer");
  return openTokenizer(data, openUnicode(unicode));
}
