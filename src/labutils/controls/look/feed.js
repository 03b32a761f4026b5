// What a control shows: the finished state it came with, then whatever model and text are asked for, as soon as they
// are there.
import { openSource } from "../engine/source.js";
import { told } from "./unread.js";

const LONGEST = 4000; // characters that are read at all: far beyond any cap in tokens

/**
 * @param {object} spec
 * @param {any} spec.model the anywidget model, or the host's
 * @param {string[]} [spec.want] the stages of the trace that it draws
 * @param {(source: any, wish: any, how: any) => Promise<any>} [spec.read] how a reading is made of a source and a
 *   wish, where that is not the trace of a text
 * @param {(reading: any) => void} spec.show called with each reading: the trace, and { text, info, live, left } of it
 * @param {(sentence: string, wrong?: boolean) => void} spec.say called with a sentence about the text or the model,
 *   "" when all is well, and whether it is an error
 * @returns want({ name, text, … }), follow(state, reading), stop: the last wish wins, and a wish that fails leaves
 *   the picture as it is; `follow` asks for the model and the text of a state, where the reading is of others
 */
export function feed({ model, want, show, say, read = traced }) {
  const cap = model.get("cap"); // tokens that the control reads at most
  /** @type {any} */
  let wish = null,
    /** @type {any} */
    last = null,
    busy = false,
    stopped = false;
  const sources = new Map();

  async function open(name) {
    if (sources.get(name)?.live) return sources.get(name);
    const source = await openSource(model, name);
    sources.set(name, source);
    if (source.live) return source;
    // late is better than never
    const off = source.onchange(() => {
      if (source.live && last.name === name) {
        off();
        ask(last);
      }
    });
    throw new Error(`${source.reason} What is shown is the finished state.`);
  }

  async function run() {
    busy = true;
    reading(1);
    while (wish && !stopped) {
      const now = wish;
      wish = null;
      try {
        const source = await open(now.name),
          reading = await read(source, now, { cap, want }),
          said = [leftOut(reading, cap), await strange(source, now)];
        if (stopped) break;
        say(said.filter(Boolean).join(" "), false);
        show(reading);
      } catch (error) {
        if (!stopped && !wish) say(sentence(error), true);
      }
    }
    busy = false;
    reading(-1);
  }

  function ask(asked) {
    wish = last = asked;
    if (!busy) run();
  }
  return {
    want: ask,
    follow({ model: name, text }, { info, text: was }) {
      if (name !== info.name || text !== was) ask({ name, text });
    },
    stop() {
      stopped = true;
    },
  };
}

/** How many controls of the page are waiting for a reading: whoever looks at them from outside can wait too. */
const reading = (more) => {
  globalThis.ittReading = (globalThis.ittReading ?? 0) + more;
};

/**
 * The reading of a text: its trace, which `change` may alter, as `source.js` says.
 * @param {any} source
 * @param {{text: string, change?: object}} wish
 * @param {{cap: number, want?: string[]}} how
 */
export async function traced(source, { text, change }, { cap, want }) {
  const { ids, left, cut } = await encoded(source, text, cap);
  const trace = await source.trace(left || cut ? ids : text, { want, change });
  return { ...trace, text, info: source.info, live: true, left, cut };
}

/**
 * The ids of a text, at most `cap` of them; how many are left out, and whether the text was too long to be read to its
 * end.
 */
export async function encoded(source, text, cap) {
  const whole = text.length <= LONGEST;
  const all = await source.encode(whole ? text : Array.from(text).slice(0, LONGEST).join(""));
  const ids = fitted(all, Math.min(cap, source.info.maxTokens));
  return { ids, left: all.ids.length - ids.length, cut: !whole };
}

/** At most `most` ids; a special token at the end, as BERT's [SEP], stays at the end. */
export function fitted({ ids, special }, most) {
  const all = Array.from(ids);
  if (all.length <= most) return all;
  const last = special?.[all.length - 1] ? all.slice(-1) : [];
  return [...all.slice(0, most - last.length), ...last];
}

function leftOut({ left, cut, info }, cap) {
  const most = Math.min(cap, info.maxTokens),
    why = info.maxTokens < cap ? ": the model has no more positions" : "";
  if (cut) return `This text is very long: its first ${most} tokens are shown, the rest is left out.`;
  return left > 0
    ? `The first ${most} tokens are shown; ${left} more ${left === 1 ? "is" : "are"} left out${why}.`
    : "";
}

/** What is said of words of a typed text that the model has never read. */
async function strange(source, { text }) {
  if (typeof text !== "string") return "";
  return told(text.slice(0, LONGEST), (await source.known?.()) ?? [], source.info.kind === "bert");
}

const sentence = (error) => {
  const text = String(error?.message || error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
};
