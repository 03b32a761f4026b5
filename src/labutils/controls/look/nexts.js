// Tokens that may come next, as words: a piece that begins a word stands with the whole word that it most probably
// begins, a piece that goes on with a word stands behind three dots. As `labutils/controls/whole_words.py`.
import { continues, wholeWords } from "../engine/whole_words.js";
import { bdi, e } from "./markup.js";
import { label } from "./words.js";

export const END = "<|endoftext|>";
const REST = 120; // ms: whoever only passes by asks for no words
/** Whether a model goes on piece by piece; the paper model knows whole words alone. */
const inPieces = (info) => info.causal && info.name !== "paper-gpt2";

/**
 * @param {{token, word}} one a token, as the engine prints it, and the whole word that it begins, if that is known
 * @param before the token before it
 * @returns parts: the piece, where it is not the word, and the word
 */
export function nextWord({ token, word }, before, info) {
  if (token === END) return ["end of text"];
  const inside = token.startsWith("##") || (inPieces(info) && continues(token, before));
  if (inside) return [`…${label(token.replace(/^##/, ""))}`];
  const piece = label(token.replaceAll("␣", "·")) || "·";
  return !word || word === piece ? [piece] : word === token ? [label(token)] : [`${piece} → `, label(word)];
}
export const nextName = (one, before, info) => nextWord(one, before, info).join("");
/** The same as elements: the piece is paler than its word. */
export const nextParts = (one, before, info) =>
  nextWord(one, before, info).map((text, i, all) =>
    i === all.length - 1 ? bdi(text) : e("span", { class: "itt-piece", text }),
  );

/** What a reading needs so that its pieces can be made whole. */
export const spelling = (source) => (inPieces(source.info) ? { spell: wholeWords(source) } : {});

/**
 * The words of pieces, remembered; unknown ones are found when the reader rests.
 * @param found called when words have been found, and what shows them is to be drawn again
 * @returns {{know, stop}} `know(reading, n, ones)` gives `ones`, tokens that may follow the first n of a reading, their
 *   words as far as they are known
 */
export function speller(found) {
  const words = new Map();
  let timer = 0,
    turn = 0; // what is asked for later ends what is being found
  const key = ({ info, text, trail }, n, id) => [info.name, text, trail, n, id].join("\n");
  function know(reading, n, ones) {
    for (const one of ones) {
      const name = key(reading, n, one.id);
      if (one.word) words.set(name, one.word);
      else if (words.has(name)) one.word = words.get(name);
    }
    const left = ones.filter(({ word }) => !word);
    clearTimeout(timer);
    turn++;
    // pieces of a model that has gone stay pieces
    if (left.length && reading.spell) timer = setTimeout(() => find(reading, n, left).catch(() => {}), REST);
  }
  async function find(reading, n, ones) {
    const mine = turn;
    for (const one of ones) {
      one.word = await reading.spell(reading.ids.slice(0, n), one.id);
      words.set(key(reading, n, one.id), one.word);
      await new Promise((next) => setTimeout(next)); // what moves meanwhile is drawn
      if (mine !== turn) return;
    }
    found();
  }
  return {
    know,
    stop() {
      turn++;
      clearTimeout(timer);
    },
  };
}
