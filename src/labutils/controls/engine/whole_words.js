// The whole word behind a piece: most probable piece after most probable piece, until the next one begins another word.
// As `labutils/controls/whole_words.py`.
const LONGEST = 8; // pieces of a word

/** Whether a piece goes on with the word that the piece before it is in: "epy" after "␣sle". */
export const continues = (piece, before) => /^\p{L}/u.test(piece) && /\p{L}$/u.test(before);

/**
 * @param source as `source.js` gives it, of a model that continues texts
 * @returns {(ids: number[], id: number) => Promise<string>} after the tokens `ids`, the word that token `id` most
 *   probably begins, "␣sleepy" for "␣s"; what is no beginning of a word stays as it is. Answers are remembered.
 */
export function wholeWords(source) {
  const memory = new Map();
  async function word(ids, id) {
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
