// Tokens that are cut out of a text before anything else is done to it, such as <|endoftext|> and [MASK].
import { codePoints } from "./unicode.js";

/**
 * Find added tokens: the leftmost first, and of those the longest.
 * @param {number[]} codes code points of the text
 * @param {object[]} tokens {spelling, content, single_word, lstrip, rstrip}: what to look for, and the token it stands
 *   for
 * @returns {Array} [start, end, content] pieces that cover the text; content is null between added tokens
 */
export function splitAdded(codes, tokens, unicode) {
  const pieces = [],
    found = matches(codes, tokens);
  let done = 0;
  for (let [start, end, token] of found) {
    const word = (i) => i >= 0 && i < codes.length && unicode.is("word", codes[i]);
    const space = (i) => unicode.is("space", codes[i]);
    if (token.single_word && (word(start - 1) || word(end))) continue;
    if (token.lstrip) {
      while (start > done && space(start - 1)) start--;
      start = Math.max(start, done);
    }
    if (token.rstrip) while (end < codes.length && space(end)) end++;
    if (start >= end) continue; // itself white space, all of which the token before has swallowed
    if (done < start) pieces.push([done, start, null]);
    pieces.push([start, end, token.content]);
    done = end;
  }
  if (done < codes.length) pieces.push([done, codes.length, null]);
  return pieces;
}

/**
 * Cut a text with one list of added tokens after the other; later ones see only what is left between those found
 * before.
 */
export function splitAll(codes, lists, unicode) {
  let pieces = codes.length ? [[0, codes.length, null]] : [];
  for (const tokens of lists)
    pieces = pieces.flatMap(([start, end, content]) => {
      if (content !== null) return [[start, end, content]];
      return splitAdded(codes.slice(start, end), tokens, unicode).map(([a, b, found]) => [start + a, start + b, found]);
    });
  return pieces;
}

/** [start, end, token] of every match, none overlapping the one before. */
function matches(codes, tokens) {
  const wanted = tokens
    .map((token) => [codePoints(token.spelling), token])
    .filter(([s]) => s.length)
    .sort((a, b) => b[0].length - a[0].length);
  const out = [];
  for (let i = 0; i < codes.length; i++) {
    const hit = wanted.find(([spelling]) => spelling.every((c, k) => codes[i + k] === c));
    if (!hit) continue;
    out.push([i, i + hit[0].length, hit[1]]);
    i += hit[0].length - 1;
  }
  return out;
}
