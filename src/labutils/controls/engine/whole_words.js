// The whole word behind a piece: most probable piece after most probable piece, until the next begins another word.
// Where the stories of a model are known, a word is one that they have. As `labutils/controls/whole_words.py`.
const LONGEST = 8; // pieces of a word

/** Whether a piece goes on with the word that the piece before it is in: "epy" after "␣sle". */
export const continues = (piece, before) => /^\p{L}/u.test(piece) && /\p{L}$/u.test(before);

/**
 * @param source as `source.js` gives it, of a model that continues texts
 * @returns {(ids: number[], id: number) => Promise<string>} after the tokens `ids`, the word that token `id` most
 *   probably begins, "␣sleepy" for "␣s". What goes on with the last word stays as it is, and so does a piece from which
 *   no word of the stories comes: "␣glad", or "·un" where the piece alone is none either. Answers are remembered.
 */
export function wholeWords(source) {
  const memory = new Map();
  async function word(ids, id) {
    const [before, piece] = await source.tokens([ids.at(-1), id]);
    if (continues(piece, before)) return piece;
    const all = await source.known?.(),
      called = (one) => !all?.size || !/\p{L}$/u.test(one) || all.has(one.replace(/^␣/, ""));
    return [await spelt(ids, id), piece].find(called) ?? piece.replace("␣", "·");
  }
  async function spelt(ids, id) {
    const found = [id];
    let [text] = await source.tokens(found);
    while (found.length < LONGEST && ids.length + found.length < source.info.maxTokens && /\p{L}$/u.test(text)) {
      const logits = await source.next([...ids, ...found]),
        best = logits.indexOf(Math.max(...logits)),
        [piece] = await source.tokens([best]);
      if (!continues(piece, text)) break;
      found.push(best);
      text += piece;
    }
    return text;
  }
  return (ids, id) => {
    const key = [...ids, id].join(" ");
    if (!memory.has(key)) memory.set(key, word(ids, id));
    return memory.get(key);
  };
}
