// GPT-2's tokenizer for one word at a time: bytes, their printable symbols, merges, and back. Radford et al. 2019,
// section 2.2.
import { mergeSteps, mergeWord } from "./bpe_fast.js";
import { bytesOf, fromSymbols, fromUtf8, toSymbols, utf8 } from "./bytes.js";
import { gpt2Spans } from "./pretokenize.js";
import { fromCodePoints } from "./unicode.js";

/** The bytes that a token stands for; an added token with other characters stands for its own text. */
const tokenBytes = (token) => fromSymbols(token) ?? utf8(token);

/** Printable text, or the bytes in hexadecimal where a token is a part of a character. */
export function readable(token) {
  const bytes = tokenBytes(token),
    { codes, sound } = fromUtf8(bytes);
  if (sound) return { text: fromCodePoints(codes), bytes: "" };
  const hex = bytes.map((b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ");
  return { text: hex, bytes: hex };
}

/**
 * @param {{merges: string[], add_prefix_space: boolean, ignore_merges: boolean}} data merges: "left right", in the
 *   order they were learned
 * @param {Map<string, number>} ids token -> id
 */
export function openBPE({ merges, add_prefix_space, ignore_merges }, ids, unicode) {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const whole = (symbols) => ignore_merges && ids.has(symbols.join(""));

  /** A token of half a character counts as the whole character. */
  function pieces(codes) {
    const symbols = toSymbols(codes),
      character = codes.flatMap((c, i) => bytesOf(c).map(() => i));
    let done = 0;
    return (whole(symbols) ? [symbols.join("")] : mergeWord(symbols, ranks).parts).map((token) => {
      if (!ids.has(token))
        throw new Error(`The vocabulary lacks the symbol ${token}, so this text cannot be written with it.`);
      const start = character[done];
      done += token.length; // every symbol is one UTF-16 unit
      return { id: ids.get(token), start, end: character[done - 1] + 1 };
    });
  }

  return {
    pieces,
    readable,
    /** The merges of a word one by one; see `mergeSteps`. */
    steps: (codes) => (whole(toSymbols(codes)) ? [] : mergeSteps(toSymbols(codes), ranks)),
    spans: (codes) => gpt2Spans(codes, unicode),
    normalize(codes) {
      const padded = add_prefix_space && codes.length && codes[0] !== 32;
      const origins = codes.map((_, i) => i);
      return padded ? { codes: [32, ...codes], origins: [0, ...origins] } : { codes, origins };
    },
    /** The bytes of all tokens; bytes that are no UTF-8 become U+FFFD. */
    join: (tokens) => fromCodePoints(fromUtf8(tokens.flatMap(tokenBytes)).codes),
  };
}
