// Where a reader is in a model: what was chosen stays wished for when a smaller model, or a shorter text, has no room.
import { index } from "./words.js";

/**
 * Remembers what was wished. The function it returns takes the state and the sizes there are, and gives the places
 * within them; a place that had to give way comes back as soon as there is room.
 */
export function remembering() {
  const memory = new Map();
  return (now, sizes) =>
    Object.fromEntries(
      Object.entries(sizes).map(([name, size]) => {
        const last = memory.get(name),
          wished = last?.given === now[name] ? last.wished : now[name];
        const given = index(wished, size);
        memory.set(name, { wished, given });
        return [name, given];
      }),
    );
}

/**
 * The same where a text is typed: the first reading of it is asked about by its last token.
 * @param {{ read: () => Record<string, any>, set: (patch: object) => void }} state
 * @param {string[]} asking the places that then stand at the last token
 */
export function typing(state, asking) {
  const places = remembering();
  let typed = false;
  return {
    /** @param {string} text */
    ontext(text) {
      typed = true;
      state.set({ text });
    },
    /** The places within a reading that has come. */
    inside(reading, sizes) {
      const was = state.read(),
        last = lastOf(reading.tokens);
      const asks = typed && reading.text === was.text ? asking.map((name) => [name, last]) : [];
      typed = false;
      return places({ ...was, ...Object.fromEntries(asks) }, sizes);
    },
  };
}

const SMALL = "paper-gpt2"; // five words are all it knows: it brings its own text and takes none along

/** The text after a change of model; the reader's own comes back with a model that can read it. */
export function ownText() {
  let own = null;
  return (from, to, text) => {
    if (from !== SMALL) own = text;
    return to.name === SMALL ? to.text : (own ?? to.text);
  };
}

/** The last token of a text, not counting what the tokenizer puts behind it. */
export function lastOf(tokens) {
  const own = tokens.findLastIndex((token) => !/^(\[SEP\]|\[PAD\]|<\|endoftext\|>)$/.test(token));
  return Math.max(0, own);
}
