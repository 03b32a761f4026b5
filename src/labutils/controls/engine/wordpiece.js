// BERT's tokenizer for one word at a time: the longest piece that fits, again and again. Devlin et al. 2019.
import { normalize } from "./normalize.js";
import { bertSpans } from "./pretokenize.js";
import { fromCodePoints } from "./unicode.js";

// What HuggingFace's decoder repairs in each token, in this order.
const CLEANUP = [
  [" .", "."],
  [" ?", "?"],
  [" !", "!"],
  [" ,", ","],
  [" ' ", "'"],
  [" n't", "n't"],
  [" 'm", "'m"],
  [" do not", " don't"],
  [" 's", "'s"],
  [" 've", "'ve"],
  [" 're", "'re"],
];

/**
 * @typedef {{tokens: string[], prefix: string, unk_token: string, max_chars: number, cleanup: boolean}} Settings
 * @typedef {{start: number, end: number, tried: string[], found: string | null}} Attempt
 */

/**
 * @param {Settings & import("./normalize.js").Options} data
 * @param {Map<string, number>} ids token -> id
 */
export function openWordPiece(data, ids, unicode) {
  const { prefix, unk_token, max_chars, cleanup } = data;
  const unknown = (codes) => [{ id: data.tokens.indexOf(unk_token), start: 0, end: codes.length }];

  function pieces(codes) {
    const steps = attempts(codes);
    if (!steps.at(-1)?.found) return unknown(codes);
    return steps.map(({ found, start, end }) => ({ id: ids.get(/** @type {string} */ (found)), start, end }));
  }

  /**
   * The search for the pieces of a word, for the reader.
   * @param {number[]} codes
   * @returns {Attempt[]} one entry a piece: `tried` did not fit, `found` did; null if nothing did, and then the whole
   *   word is unknown. None for a word that is too long to be tried.
   */
  function attempts(codes) {
    /** @type {Attempt[]} */
    const steps = [];
    if (codes.length > max_chars) return steps;
    for (let start = 0, end = 0; start < codes.length; start = end) {
      const tried = [];
      let piece = "";
      end = codes.length;
      for (; end > start; end--) {
        piece = (start ? prefix : "") + fromCodePoints(codes.slice(start, end));
        if (ids.has(piece)) break;
        tried.push(piece);
      }
      steps.push({ start, end, tried, found: end > start ? piece : null });
      if (end === start) break;
    }
    return steps;
  }

  return {
    pieces,
    steps: attempts,
    readable: (token) => ({ text: token, bytes: "" }),
    spans: (codes) => bertSpans(codes, unicode),
    normalize: (codes) => normalize(codes, data, unicode),
    /** Tokens with spaces between them; continuations close up. */
    join: (tokens) =>
      tokens
        .map((token, i) => {
          if (i) token = token.startsWith(prefix) ? token.slice(prefix.length) : ` ${token}`;
          return cleanup ? CLEANUP.reduce((text, [seen, meant]) => text.replaceAll(seen, meant), token) : token;
        })
        .join(""),
  };
}
