// GPT-2's tokenizer for one word at a time: bytes, their printable symbols, merges, and back.
// Radford et al. 2019, section 2.2; the 256 symbols are `bytes_to_unicode` of openai/gpt-2 encoder.py.
import { mergeSteps, mergeWord } from "./merge.js";
import { bytesOf, utf8 } from "./unicode.js";
import { gpt2Spans } from "./pretokenize.js";

const SYMBOLS = byteSymbols(), BYTES = new Map(SYMBOLS.map((symbol, byte) => [symbol, byte]));

/** The symbol of each byte: itself if it is printable, else a character from U+0100 on. */
function byteSymbols() {
  let rest = 256;
  const printable = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : rest++));
}

/** The bytes that a token stands for; an added token with other characters stands for its own text. */
function tokenBytes(token) {
  const bytes = Array.from(token, (symbol) => BYTES.get(symbol));
  return bytes.includes(undefined) ? utf8(token) : Uint8Array.from(bytes);
}

/** Printable text, or the bytes in hexadecimal where a token is a part of a character. */
function readable(token) {
  const bytes = tokenBytes(token);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), bytes: "" };
  } catch {
    const hex = Array.from(bytes, (b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ");
    return { text: hex, bytes: hex };
  }
}

/**
 * @param {object} data merges ("left right" in the order they were learned), add_prefix_space, ignore_merges
 * @param {Map<string, number>} ids token -> id
 */
export function openBPE({ merges, add_prefix_space, ignore_merges }, ids, unicode) {
  const ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  const symbolsOf = (codes) => codes.flatMap((c) => bytesOf(c).map((byte) => SYMBOLS[byte]));
  const whole = (symbols) => ignore_merges && ids.has(symbols.join(""));

  /** A token of half a character counts as the whole character. */
  function pieces(codes) {
    const symbols = symbolsOf(codes), character = codes.flatMap((c, i) => bytesOf(c).map(() => i));
    let done = 0;
    return (whole(symbols) ? [symbols.join("")] : mergeWord(symbols, ranks).parts).map((token) => {
      if (!ids.has(token)) throw new Error(`The vocabulary lacks the symbol ${token}, so this text cannot be written with it.`);
      const start = character[done], end = character[(done += token.length) - 1] + 1; // every symbol is one UTF-16 unit
      return { id: ids.get(token), start, end };
    });
  }

  return {
    pieces, readable,
    /** The merges of a word one by one; see `mergeSteps`. */
    steps: (codes) => (whole(symbolsOf(codes)) ? [] : mergeSteps(symbolsOf(codes), ranks)),
    spans: (codes) => gpt2Spans(codes, unicode),
    normalize(codes) {
      const padded = add_prefix_space && codes.length && codes[0] !== 32;
      const origins = codes.map((_, i) => i);
      return padded ? { codes: [32, ...codes], origins: [0, ...origins] } : { codes, origins };
    },
    /** The bytes of all tokens; bytes that are no UTF-8 become U+FFFD. */
    join: (tokens) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(tokens.flatMap((t) => [...tokenBytes(t)]))),
  };
}
