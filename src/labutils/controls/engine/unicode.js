// What kind of character is this? Asked of the book's own table (labutils/text/unicode.json, where its format is
// described), never of the browser: each browser follows another version of Unicode, and ids must equal Python's on
// every string.

const CLASSES = ["letter", "number", "space", "removed", "cjk", "nonspacing", "punctuation", "word"]; // one bit each

/**
 * @typedef {object} Unicode code points in, code points out
 * @property {(name: string, code: number) => boolean} is
 * @property {(code: number) => number[]} lower
 * @property {(code: number) => number[]} decompose
 * @property {(code: number) => number} rank
 */

/**
 * Unpack the table.
 * @param {Object<string, any>} table the content of unicode.json
 * @returns {Unicode}
 */
export function openUnicode({ classes, ranks, lower, lower_long, decomposed }) {
  const flags = new Uint8Array(0x110000);
  CLASSES.forEach((name, bit) => {
    eachRun(classes[name], (first, end) => {
      for (let c = first; c < end; c++) flags[c] |= 1 << bit;
    });
  });
  const bits = Object.fromEntries(CLASSES.map((name, bit) => [name, 1 << bit]));
  const order = new Map(),
    small = lowerForms(lower, lower_long),
    parts = decompositions(decomposed);
  ranks.forEach((runs, i) => {
    eachRun(runs, (first, end) => {
      for (let c = first; c < end; c++) order.set(c, i + 1);
    });
  });
  return {
    is: (name, code) => (flags[code] & bits[name]) !== 0,
    lower: (code) => small.get(code) || [code],
    decompose: (code) => hangul(code) || parts.get(code) || [code],
    rank: (code) => order.get(code) || 0,
  };
}

/** [gap, length, gap, length, …], each gap counted from the end of the run before. */
function eachRun(runs, use) {
  let end = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const first = end + runs[i];
    end = first + runs[i + 1];
    use(first, end);
  }
}

/** [first, last, step, shift, …] and the few forms that are longer than one character. */
function lowerForms(flat, long) {
  const forms = new Map(Object.entries(long).map(([char, form]) => [char.codePointAt(0), codePoints(form)]));
  for (let i = 0; i < flat.length; i += 4)
    for (let c = flat[i]; c <= flat[i + 1]; c += flat[i + 2]) forms.set(c, [c + flat[i + 3]]);
  return forms;
}

/** [gap, count, part × count, …], each gap counted from the character before. */
function decompositions(flat) {
  const forms = new Map();
  for (let at = 0, code = 0; at < flat.length; at += 2 + flat[at + 1]) {
    code += flat[at];
    forms.set(code, flat.slice(at + 2, at + 2 + flat[at + 1]));
  }
  return forms;
}

/** The parts of a Hangul syllable by arithmetic: Unicode Standard, section 3.12. */
function hangul(code) {
  const s = code - 0xac00;
  if (s < 0 || s >= 11172) return null;
  const parts = [0x1100 + Math.floor(s / 588), 0x1161 + (Math.floor(s / 28) % 21)];
  return s % 28 ? [...parts, 0x11a7 + (s % 28)] : parts;
}

/** A string as its code points. */
export function codePoints(text) {
  return Array.from(text, (char) => char.codePointAt(0));
}

/** Code points as a string; in slices, because a call takes only so many arguments. */
export function fromCodePoints(codes) {
  let text = "";
  for (let i = 0; i < codes.length; i += 4096) text += String.fromCodePoint(...codes.slice(i, i + 4096));
  return text;
}

/**
 * The code points of a reader's text, or an Error for half of a surrogate pair, which is no character and has no UTF-8
 * form.
 */
export function readText(text) {
  if (typeof text !== "string") throw new Error("The text must be a string of characters.");
  const codes = codePoints(text);
  const lone = codes.findIndex((c) => c >= 0xd800 && c <= 0xdfff);
  if (lone >= 0) {
    const half = `a lone surrogate, U+${codes[lone].toString(16).toUpperCase()}`;
    throw new Error(`The text holds half a character at place ${lone} (${half}): delete it.`);
  }
  return codes;
}

/** utf16[i]: where code point i begins in the string that the browser holds; one entry more, for its end. */
export function utf16Places(codes) {
  const places = new Uint32Array(codes.length + 1);
  for (let i = 0; i < codes.length; i++) places[i + 1] = places[i] + (codes[i] > 0xffff ? 2 : 1);
  return places;
}
