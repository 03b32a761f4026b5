// Tokens that may come next, as words: a piece that begins a word stands with the whole word that it most probably
// begins, a piece that goes on with a word stands behind three dots. As `labutils/controls/whole_words.py`.
import { continues, wholeWords } from "../engine/whole_words.js";
import { bdi, e } from "./markup.js";
import { label } from "./words.js";

export const END = "<|endoftext|>";
const REST = 120; // ms: whoever only passes by asks for no words

/**
 * @param token the piece, as the engine prints it
 * @param before the token before it, "" where nothing is before it
 * @param whole the whole word, if it is known
 * @returns parts: the piece, where it is not the word, and the word
 */
export function nextWord(token, before, whole) {
  if (token === END) return ["end of text"];
  if (token.startsWith("##") || continues(token, before)) return [`…${label(token.replace(/^##/, ""))}`];
  const piece = label(token.replaceAll("␣", "·")) || "·";
  if (!whole) return [piece];
  return whole === token ? [label(token)] : [`${piece} → `, label(whole)];
}
export const nextName = (...given) => nextWord(...given).join("");
/** The same as elements: the piece is paler than its word. */
export const nextParts = (...given) => nextWord(...given).map((text, i, all) =>
  (i === all.length - 1 ? bdi(text) : e("span", { class: "itt-piece", text })));

/** Adds to a reading how its pieces are made whole: `spell(ids, id)` gives a promise of the word. */
export const spelling = (source) => (source.info.causal ? { spell: wholeWords(source) } : {});

/**
 * The words of pieces, remembered; unknown ones are found when the reader rests.
 * @param found called when words have been found, and what shows them is to be drawn again
 */
export function speller(found) {
  const words = new Map();
  let timer = 0, stopped = false;
  const key = (reading, n, id) => [reading.info.name, reading.text, reading.trail, n, id].join("\n");
  /** The words of `ones`, [{ id, token, word? }], that may follow the first `n` tokens of a reading. */
  function of(reading, n, ones) {
    for (const { id, word } of ones) if (word) words.set(key(reading, n, id), word);
    const left = ones.filter(({ id }) => !words.has(key(reading, n, id)));
    clearTimeout(timer);
    if (left.length && reading.spell) timer = setTimeout(() => find(reading, n, left), REST);
    return ones.map(({ id }) => words.get(key(reading, n, id)));
  }
  async function find(reading, n, ones) {
    for (const { id } of ones) {
      words.set(key(reading, n, id), await reading.spell(reading.ids.slice(0, n), id));
      await new Promise((next) => setTimeout(next)); // what moves meanwhile is drawn
      if (stopped) return;
    }
    found();
  }
  return { of, stop() { stopped = true; clearTimeout(timer); } };
}
