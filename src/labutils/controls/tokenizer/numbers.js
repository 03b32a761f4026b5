// How a tokenizer cut a text, as the playground draws it.
import { openTokenizer } from "../engine/tokenizer.js";
import { openUnicode } from "../engine/unicode.js";

/**
 * @param tok from `openTokenizer`
 * @returns {{tokens, words, decoded}} words[i].steps: of BPE {parts, ranks, won}, of WordPiece {tried, found}
 */
export function cutting(tok, text) {
  const { tokens, words } = tok.cut(text),
    plain = (symbol) => tok.readable(symbol).text;
  const step = (one) =>
    one.parts
      ? { parts: one.parts.map(plain), ranks: one.pairs.map((pair) => pair.rank), won: one.won }
      : { tried: one.tried, found: one.found };
  return {
    tokens,
    words: words.map(({ start, end, text: own, steps }) => ({ start, end, text: own, steps: steps.map(step) })),
    decoded: tok.decode(tokens.filter((t) => t.word !== null).map((t) => t.id)),
  };
}

/** The same from the content of tokenizers' files, one a lane: the state that a control comes with. */
export function first(files, table, text) {
  const unicode = openUnicode(table);
  return files.map((file) => cutting(openTokenizer(file, unicode), text));
}

/** At most `cap` characters of a text, and how many are left out. */
export function capped(text, cap) {
  if (text.length <= cap) return { text, left: 0 };
  const letters = Array.from(text);
  return letters.length <= cap
    ? { text, left: 0 }
    : { text: letters.slice(0, cap).join(""), left: letters.length - cap };
}

/**
 * The token that is explained when none is chosen: in the first lane the first of a word that fell into pieces, else
 * the first of a word.
 */
export function chosen(lanes, side, piece) {
  if (lanes[side]?.tokens[piece]) return [side, piece];
  const { tokens } = lanes[0],
    cutUp = (t, i) => t.word !== null && tokens[i + 1]?.word === t.word && !t.special;
  const found = [tokens.findIndex((t, i) => cutUp(t, i) && t.text.trim()), tokens.findIndex((t) => !t.special)].find(
    (i) => i >= 0,
  );
  return [0, found ?? 0];
}

export const overlap = (a, b) => a.start < b.end && b.start < a.end;

/**
 * One of six tints for each token: that of the word of the first lane in which its own word begins, so that a word has
 * one colour.
 */
export function tints(lanes) {
  const first = lanes[0].tokens;
  return lanes.map(({ tokens, words }) =>
    tokens.map((t) => {
      if (t.word === null || t.special) return 0;
      const start = words[t.word].start,
        home = first.find((one) => one.start <= start && start < one.end) ?? t;
      return ((home.word ?? t.word) % 6) + 1;
    }),
  );
}
