// Which words of a text are hidden: a click hides a word or shows it again, and what stood there is kept.

import { parts, second, written } from "./hole_numbers.js";
import { HOLE } from "./numbers.js";

/**
 * @param text what the text is now
 * @param seen what the model has read: what it finds in a hole stands there again where nothing was hidden
 * @param write takes the new text
 */
export function hiding({ text, seen, write }) {
  const under = new Map(); // the words that were hidden, by their parts
  let newest = -1; // the part that was hidden last

  const holesOf = (text) => parts(text).flatMap(({ hole }, i) => (hole ? [i] : []));
  const last = (open) => (open.includes(newest) ? newest : open.at(-1));
  function back(i) {
    const now = seen(),
      [best] = (holesOf(now.text)[0] === i || !now.other ? now : now.other).top;
    return under.get(i) ?? best.word ?? best.token;
  }
  function put(words) {
    const now = text();
    for (const [i, word] of words)
      if (word === HOLE) {
        under.set(i, parts(now)[i].text);
        newest = i;
      } else under.delete(i);
    if (words.size) write(written(now, words));
  }
  /** Hide part `i` of the text: the hole moves there, of two the one that was hidden last; or show it, one of two. */
  function hide(i) {
    const open = holesOf(text()),
      words = new Map();
    if (!open.length) words.set(i, HOLE);
    else if (!open.includes(i)) words.set(last(open), back(last(open))).set(i, HOLE);
    else if (open.length > 1) words.set(i, back(i));
    put(words);
  }
  /** A second hole, or one again. */
  function another() {
    const open = holesOf(text()),
      i = second(text());
    if (open.length > 1) put(new Map([[last(open), back(last(open))]]));
    else if (open.length && i >= 0) put(new Map([[i, HOLE]]));
  }
  return { hide, another, clear: () => under.clear() };
}
