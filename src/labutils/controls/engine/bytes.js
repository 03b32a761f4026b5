// UTF-8, and GPT-2's 256 printable symbols, one for each byte: `bytes_to_unicode` of openai/gpt-2 encoder.py.
import { codePoints } from "./unicode.js";

const SYMBOLS = byteSymbols(),
  BYTES = new Map(SYMBOLS.map((symbol, byte) => [symbol, byte]));
const REPLACEMENT = 0xfffd;

/** The symbol of each byte: itself if it is printable, else a character from U+0100 on. */
function byteSymbols() {
  let rest = 256;
  const printable = (b) => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : rest++));
}

/** Code points as one symbol for each byte of their UTF-8 form. */
export const toSymbols = (codes) => codes.flatMap((c) => bytesOf(c).map((byte) => SYMBOLS[byte]));

/** The bytes behind a string of symbols, or null if it has another character. */
export function fromSymbols(symbols) {
  const bytes = Array.from(symbols, (symbol) => BYTES.get(symbol));
  return bytes.includes(undefined) ? null : bytes;
}

/** The bytes of a text in UTF-8. */
export const utf8 = (text) => codePoints(text).flatMap(bytesOf);

/** The UTF-8 form of one code point. */
export function bytesOf(c) {
  if (c < 0x80) return [c];
  if (c < 0x800) return [0xc0 | (c >> 6), 0x80 | (c & 63)];
  if (c < 0x10000) return [0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63)];
  return [0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63)];
}

/**
 * Bytes as code points. What is no UTF-8 becomes U+FFFD, one for each longest beginning of a character, as in Python
 * and in browsers (Unicode Standard, section 3.9).
 * @returns {{codes: number[], sound: boolean}} sound: all of it is UTF-8
 */
export function fromUtf8(bytes) {
  const codes = [];
  let sound = true;
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i],
      size = sizeOf(first);
    let code = size > 1 ? first & (0x7f >> size) : first,
      read = 1;
    while (read < size && follows(first, bytes[i + read], read)) code = (code << 6) | (bytes[i + read++] & 63);
    const whole = read === size;
    sound &&= whole;
    codes.push(whole ? code : REPLACEMENT);
    i += read;
  }
  return { codes, sound };
}

/** How many bytes a character has that begins so; 0: none does. */
function sizeOf(first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Whether a byte may stand at this place; the second of some characters has narrower limits. */
function follows(first, byte, at) {
  const low = at === 1 ? ({ 224: 0xa0, 240: 0x90 }[first] ?? 0x80) : 0x80,
    high = at === 1 ? ({ 237: 0x9f, 244: 0x8f }[first] ?? 0xbf) : 0xbf;
  return byte >= low && byte <= high; // false after the last byte
}
