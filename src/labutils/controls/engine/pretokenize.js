// Cut a text into words, as GPT-2 and as BERT do it. No token ever crosses a cut.
import { codePoints } from "./unicode.js";

const QUOTE = 39,
  SPACE = 32;
const ENDINGS = ["s", "t", "re", "ve", "m", "ll", "d"].map(codePoints); // of English contractions, after the quote

/**
 * GPT-2's regular expression, walked by hand (encoder.py of openai/gpt-2):
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 * @param {number[]} codes code points
 * @returns {number[][]} [start, end] of each word; together they cover the text
 */
export function gpt2Spans(codes, unicode) {
  const kind = (i) =>
    unicode.is("space", codes[i])
      ? "space"
      : unicode.is("letter", codes[i])
        ? "letter"
        : unicode.is("number", codes[i])
          ? "number"
          : "other";
  const runEnd = (i, wanted) => {
    while (i < codes.length && kind(i) === wanted) i++;
    return i;
  };
  const spans = [];
  for (let start = 0, end; start < codes.length; start = end) {
    const ending = codes[start] === QUOTE && ENDINGS.find((e) => e.every((c, i) => codes[start + 1 + i] === c));
    // a space joins what follows it
    const first = codes[start] === SPACE && start + 1 < codes.length ? start + 1 : start;
    if (ending) end = start + 1 + ending.length;
    else if (kind(first) !== "space") end = runEnd(first, kind(first));
    else {
      // white space; its last character is left for what follows
      end = runEnd(start, "space");
      if (end < codes.length && end - start > 1) end--;
    }
    spans.push([start, end]);
  }
  return spans;
}

/** BERT: one punctuation character, or a run of anything that is neither punctuation nor white space. */
export function bertSpans(codes, unicode) {
  const spans = [];
  let start = -1;
  for (let i = 0; i <= codes.length; i++) {
    const punctuation = i < codes.length && unicode.is("punctuation", codes[i]);
    if (i < codes.length && !punctuation && !unicode.is("space", codes[i])) {
      if (start < 0) start = i;
      continue;
    }
    if (start >= 0) spans.push([start, i]);
    if (punctuation) spans.push([i, i + 1]);
    start = -1;
  }
  return spans;
}
